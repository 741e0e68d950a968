# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# The kernel, for tests on the host that say "# kernel: NAME". scripts/check has built it, and the test modules;
# a test that is run by hand builds them itself. Source it after tap.sh; it needs $top and $work. Where LKST is a module,
# as in the forms that a line "# form:" names, use modules_of, share_lkst and run_vm.

prog=$(basename "$0")
# shellcheck source=../../scripts/common.sh
. "$top/scripts/common.sh"
set +e

# kernel_of NAME: sets $image, and $kernel_build, where that was built
kernel_of() {
	kernel_build=$(build_dir "$default_series" "$1" "${KERNEL:+$(realpath -- "$KERNEL")}")
	image=${KERNEL_IMAGE:-$("$top/scripts/build-kernel" --config "$1" 2>"$work/build.log")} ||
		bail_out "no $1 kernel: $(tail -n 3 "$work/build.log")"
}

# share_lkst DIR: its module, for load_lkst of form.sh, if it is one
share_lkst() { [ -z "${KERNEL_LKST:-}" ] || cp "$KERNEL_LKST" "$1/lkst.ko"; }

# mem MB: and what a distribution's kernel takes on top
mem() { echo $(($1 + ${KERNEL_MEM:-0})); }

# run_vm OPTION...: lkst-vm, with a distribution's own modules, and more time than any of these tests takes
run_vm() { "$top/scripts/lkst-vm" --timeout 1000 ${KERNEL_OWN_MODULES:+--modules "$KERNEL_OWN_MODULES"} "$@"; }

# has_points: whether this kernel has LKST's own trace points, as those of spin locks
has_points() { [ "${KERNEL_FORM:-builtin}" = builtin ] || [ "$KERNEL_FORM" = module ]; }

# modules_of NAME: sets $modules, a directory with the modules for it; that takes a line "# modules: yes"
modules_of() {
	kernel_of "$1"
	modules=${KERNEL_MODULES:-$work/modules}
	[ -n "${KERNEL_MODULES:-}" ] ||
		make -C "$top/tests/modules" KDIR="$kernel_build" OUT="$modules" >"$work/make.log" 2>&1 ||
		bail_out "no modules: $(tail -n 5 "$work/make.log")"
}
