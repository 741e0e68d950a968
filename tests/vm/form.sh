# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced by scripts: functions that find out which features the running kernel has, load LKST if it
# is a module (/share/lkst.ko), and wait until a command succeeds.

# Whether this kernel lacks LKST's patches. LKST is then an out-of-tree module, which the taint flag
# O shows. kernel_is_stock() in proc_etypes.h is the same in C.
stock() { grep -qs O /sys/module/lkst/taint; }

# is_present EVENT: whether this kernel can record the event of that name
is_present() { grep -q "^0x.* present .*\"$1\"" /proc/lkst_etypes; }

# other_machine ETYPE: whether only x86 has that event type, and this machine is not an x86
other_machine() {
	case $(uname -m) in
	x86_64 | i?86) return 1 ;;
	esac
	case $1 in
	int_timer_* | int_ipi_* | int_nmi | exception_* | oops_mce) return 0 ;;
	esac
	return 1
}

# Print the name of the clock that LKST uses on this architecture. On x86, LKST uses it only while
# the kernel trusts the TSC.
clock_here() {
	case $(uname -m) in
	x86_64 | i?86) echo tsc ;;
	*) echo ns ;;
	esac
}

# Print LKST's parameters from the kernel command line, one per line, as arguments of insmod: a value
# with blanks is in quotes.
lkst_parameters() {
	awk '
		function print_word() {
			if (word !~ /^lkst\./)
				return
			name = value = substr(word, 6)
			sub(/=.*/, "", name)
			sub(/^[^=]*=?/, "", value)
			if (word !~ /=/)
				value = 1
			printf value ~ / / ? "%s=\"%s\"\n" : "%s=%s\n", name, value
		}
		{
			for (i = 1; i <= length($0); i++) {
				letter = substr($0, i, 1)
				if (letter == "\"") {
					quoted = !quoted
				} else if (letter == " " && !quoted) {
					print_word()
					word = ""
				} else {
					word = word letter
				}
			}
			print_word()
		}' /proc/cmdline
}

# load_lkst [PARAMETER...]: load the module with LKST's parameters from the kernel command line, as
# modprobe does, and with each PARAMETER
load_lkst() (
	parameters=$(lkst_parameters)
	set -f
	IFS='
'
	# shellcheck disable=SC2086 # one parameter per line
	insmod /share/lkst.ko $parameters "$@"
)

# wait_for COMMAND...: wait until the command succeeds, for up to 100 s
wait_for() {
	for _ in $(seq 1000); do
		! "$@" || return 0
		sleep 0.1
	done
	return 1
}
