# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions for tests on the host with a line "# kernel: NAME". scripts/check builds the kernel and
# the test modules; a test that is run by hand builds them itself. Source this after tap.sh, with
# $top and $work set. Tests with a line "# form:" use modules_of, make_share and run_vm, because
# LKST may be a module.

prog=$(basename "$0")
# shellcheck source=../../scripts/common.sh
. "$top/scripts/common.sh"
set +e

# kernel_of NAME: set $image to the kernel NAME, and $kernel_build to the directory where it was
# built
kernel_of() {
	kernel_build=$(build_dir "$default_series" "$1" "${KERNEL:+$(realpath -- "$KERNEL")}")
	image=${KERNEL_IMAGE:-$("$top/scripts/build-kernel" --config "$1" 2>"$work/build.log")} ||
		bail_out "no $1 kernel: $(tail -n 3 "$work/build.log")"
}

# make_share FILE...: create the directory $share for the VM, with these files and with form.sh. If
# LKST is a module, also copy lkst.ko there. load_lkst of form.sh loads it.
make_share() {
	share=$work/share
	mkdir "$share"
	cp "$top/tests/vm/form.sh" "$@" "$share/"
	[ -z "${KERNEL_LKST:-}" ] || cp "$KERNEL_LKST" "$share/lkst.ko"
}

# mem SIZE: print the size of the VM's memory in MB. It is SIZE for our own kernels, and more for a
# distribution's kernel.
mem() { echo $(($1 + ${KERNEL_MEM:-0})); }

# run_vm OPTION...: run lkst-vm with the distribution's modules, if any, and a long time limit
run_vm() { "$top/scripts/lkst-vm" --timeout 1000 ${KERNEL_OWN_MODULES:+--modules "$KERNEL_OWN_MODULES"} "$@"; }

# counting_share FILE...: after kernel_of or modules_of, create the directory $share for
# run_counting_vm, with these files and with fresh.sh
counting_share() {
	image=$(realpath -- "$image")
	use_tools
	share=$work/share
	mkdir "$share"
	cp "$top/tests/vm/cookbook/fresh.sh" "$@" "$share/"
}

# run_counting_vm [ARG...]: run the shell script on standard input in a VM whose clock counts
# instructions, so that the load of the host does not matter. While the VM waits for the host, this
# clock runs ahead. So the script runs in a copy of $share in memory, and copies its results to
# /share only at its end.
run_counting_vm() {
	cat >"$share/guest.sh"
	"$top/scripts/lkst-vm" --icount --kernel "$image" --share "$share" --log log --append lkst.buffer_size=16M \
		-- sh -ec 'mkdir /tmp/share; cp /share/* /tmp/share; cd /tmp/share; exec sh -e guest.sh "$@"' sh "$@"
}

# has_points: whether this kernel has the tracepoints of LKST's patches, for example of spin locks
has_points() { [ "${KERNEL_FORM:-builtin}" = builtin ] || [ "$KERNEL_FORM" = module ]; }

# modules_of NAME: do the same as kernel_of, and set $modules to a directory with the test modules.
# A test that calls this needs a line "# modules: yes".
modules_of() {
	kernel_of "$1"
	modules=${KERNEL_MODULES:-$work/modules}
	[ -n "${KERNEL_MODULES:-}" ] ||
		make -C "$top/tests/modules" KDIR="$kernel_build" OUT="$modules" >"$work/make.log" 2>&1 ||
		bail_out "no modules: $(tail -n 5 "$work/make.log")"
}
