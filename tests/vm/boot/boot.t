#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST records with the default maskset during boot, beginning before the second CPU is online and
# before the first program runs.
# kernel: base
# form: builtin
# kernel-all: base debug
# append: lkst.buffer_size=16M

. "$(dirname "$0")/../tap.sh"
. ./form.sh
here=$PWD
# shellcheck source=why/why_agrees.sh
. ./why_agrees.sh

lkst stop
lkstbuf read -f /tmp/boot.lkst
# has NAME EVENTS [PATTERN [NUMBER]]: test that more than NUMBER (default: 0) of these events match
# PATTERN
has() { ok "$1" test "$(lkstbuf print -f /tmp/boot.lkst -e "$2" | grep -c "${3-}")" -gt "${4-0}"; }

has "LKST records its own start" lkst_init
has "timer interrupts of the boot CPU are recorded" int_hardware_entry timer
has "context switches are recorded" process_contextswitch '' 100
has "the first program is recorded" process_exec 'init-1 '
has "system calls of the first program are recorded" system_call_entry 'init-1 '
has "results of system calls of the first program are recorded" system_call_exit 'init-1 '
has "system calls of other programs are recorded" system_call_entry number=execve 3
has "forks are recorded" process_fork '' 3
has "exits are recorded" process_exit '' 1
has "softirqs are recorded" int_softirq_entry '' 10
has "time pairs are recorded" lkst_sync_time
first=$(lkstbuf print -f /tmp/boot.lkst -r -n 1)
contains "the trace begins with CPU 0's start" "$first" '\[000\] swapper/0-0 .*lkst_trc_start'
# Test that times are in order. A record whose writer was interrupted has an earlier time than the
# records before it, but this is never the case for twenty records in a row.
in_order() {
	ok "$1" test "$(lkstbuf print -f /tmp/boot.lkst -r --time raw $2 |
		awk '/^#/ { next } $1 >= latest { latest = $1; behind = 0; next } ++behind == 20 { print }')" = ""
}
in_order "times do not step back on CPU 0" "-c 0"
in_order "times do not step back on CPU 1" "-c 1"
in_order "the CPUs are merged in order" ""
is "no event was lost" "$(lkst status | awk '$1 == "lost" { print $2 }')" 0
contains "every record can be read" \
	"$(lkstbuf print -f /tmp/boot.lkst --summary)" '^0 +0 +[0-9]+ +[0-9]+ +0 +0 +0 +'"$(clock_here)"
cd /tmp || exit
why_agrees boot.lkst
lkst start
done_testing
