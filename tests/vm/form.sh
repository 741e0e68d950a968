# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# What kernel this is. How LKST got into it: where it is a module, /share/lkst.ko is that.

# Whether this kernel does not know of it, as kernel_is_stock() in proc_etypes.h.
stock() { grep -qs O /sys/module/lkst/taint; }

# Whether the event of that name can be recorded in this kernel.
is_present() { grep -q "^0x.* present .*\"$1\"" /proc/lkst_etypes; }

# other_machine ETYPE: whether that is an event type of x86 alone, and this is another machine
other_machine() {
	case $(uname -m) in
	x86_64 | i?86) return 1 ;;
	esac
	case $1 in
	int_timer_* | int_ipi_* | int_nmi | exception_* | oops_mce) return 0 ;;
	esac
	return 1
}

# The clock that records have here, unless the CPU's counter is not to be trusted.
clock_here() {
	case $(uname -m) in
	x86_64 | i?86) echo tsc ;;
	*) echo ns ;;
	esac
}

# load_lkst [PARAMETER...]: the module, with these after what the kernel's command line says, as modprobe does it.
load_lkst() {
	parameters=
	for word in $(cat /proc/cmdline); do
		case $word in
		lkst.*=*) parameters="$parameters ${word#lkst.}" ;;
		lkst.*) parameters="$parameters ${word#lkst.}=1" ;;
		esac
	done
	# shellcheck disable=SC2086 # a word each
	insmod /share/lkst.ko $parameters "$@"
}
