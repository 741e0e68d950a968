#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla report finds failures of the kernel: a warning, an error of the hardware, a CPU that locks
# up, and an oops. Each failure causes only its own finding. No other test runs in the same boot,
# since the kernel is damaged afterwards.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300
# log-allow: WARNING: .* warn\+.*\[provoke\]|NULL pointer dereference, address: 0000000000000018$|Oops: 0002 \[#[1-3]\]|Internal error: Oops|Call [Tt]race:$|soft lockup - CPU#[0-9]+ .*\[sh:|INFO: lockdep is turned off

# shellcheck source=analysis/report.sh
. "$(dirname "$0")/report.sh"
insmod "$modules/provoke.ko" || bail_out 'the module provoke'

# provoke WHAT: make the module tests/modules/provoke.c do WHAT once
provoke() { sh -c "echo '$1 1' >/proc/lkst_provoke"; }

# logged MESSAGE: return whether the kernel has logged the message
logged() { dmesg | grep -q "$1"; }

has_bad_memory() {
	dmesg -c >/dev/null
	provoke mce
	wait_for logged 'Machine Check'
}

# The kernel reports a soft lockup after twice the threshold. This time must be longer than any
# pause of an emulated CPU, because a pause looks like a lockup of the thread that the CPU runs.
locks_up() {
	dmesg -c >/dev/null
	thresh=$(cat /proc/sys/kernel/watchdog_thresh)
	echo 5 >/proc/sys/kernel/watchdog_thresh
	provoke soft-lockup &
	wait_for logged 'soft lockup'
	provoke release
	wait
	echo "$thresh" >/proc/sys/kernel/watchdog_thresh
}

# An oops kills the process in which it happens.
dies() { provoke oops || true; }

lacks_support() { [ "$1" = mce ] && [ "$(uname -m)" != x86_64 ]; }

cat >rows <<'END'
quiet :: - :: - :: sleep 1
warning :: - :: ^the kernel warned: warning at warn\+0x.*\[provoke\] on CPU [0-9]+ in sh-[0-9]+$ :: provoke warn
mce :: - :: ^the hardware reported an error of CPU [01]: bank 3, status 0x8c00000000000136$ :: has_bad_memory
lockup :: - :: ^the kernel detected a lockup: soft, sh-[0-9]+, on CPU [0-9]+$ :: locks_up
oops :: - :: ^kernel: oops: .* at oops\+0x.*\[provoke\] on CPU [0-9]+ in sh-[0-9]+$ :: dies
END

record class:process,class:interrupt,class:syscall,class:timer,class:block,class:cpu,class:module,class:oops,lock_contention_begin,lock_contention_end,net_drop,mem_oomkill
test_rows
lkst start
done_testing
