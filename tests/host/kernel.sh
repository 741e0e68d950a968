# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# The kernel, for tests on the host that say "# kernel: NAME". scripts/check has built it, and the test modules;
# a test that is run by hand builds them itself. Source it after tap.sh; it needs $top and $work.

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

# modules_of NAME: sets $modules, a directory with the modules for it; that takes a line "# modules: yes"
modules_of() {
	kernel_of "$1"
	modules=${KERNEL_MODULES:-$work/modules}
	[ -n "${KERNEL_MODULES:-}" ] ||
		make -C "$top/tests/modules" KDIR="$kernel_build" OUT="$modules" >"$work/make.log" 2>&1 ||
		bail_out "no modules: $(tail -n 5 "$work/make.log")"
}
