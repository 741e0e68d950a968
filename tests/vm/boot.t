#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Recording from boot with the default maskset: each class of events is there, from before the second
# CPU came up to the first program and on.
# kernel: base
# form: builtin
# kernel-all: base debug
# append: lkst.buffer_size=16M

. "$(dirname "$0")/../tap.sh"
. ./form.sh

lkst stop
lkstbuf read -f /tmp/boot.lkst
has() { ok "$1" test "$(lkstbuf print -f /tmp/boot.lkst -e "$2" | grep -c "${3-}")" -gt "${4-0}"; }

has "the start of LKST itself" lkst_init
has "timer interrupts of the boot CPU" int_hardware_entry timer
has "context switches" process_contextswitch '' 100
has "the first program" process_exec 'init-1 '
has "system calls of the first program" system_call_entry 'init-1 '
has "and their results" system_call_exit 'init-1 '
has "system calls of others" system_call_entry number=execve 3
has "forks" process_fork '' 3
has "exits" process_exit '' 1
has "softirqs" int_softirq_entry '' 10
has "time pairs" lkst_sync_time
first=$(lkstbuf print -f /tmp/boot.lkst -r -n 1)
contains "it begins with CPU 0's start" "$first" '\[000\] swapper/0-0 .*lkst_trc_start'
# A record that was interrupted carries an earlier time than those before it, but never so many of them.
in_order() {
	ok "$1" test "$(lkstbuf print -f /tmp/boot.lkst -r --time raw $2 |
		awk '/^#/ { next } $1 >= latest { latest = $1; behind = 0; next } ++behind == 20 { print }')" = ""
}
in_order "times never step back on CPU 0" "-c 0"
in_order "nor on CPU 1" "-c 1"
in_order "and the CPUs are merged in order" ""
is "nothing was lost" "$(lkst status | awk '$1 == "lost" { print $2 }')" 0
contains "every record that was made is there" \
	"$(lkstbuf print -f /tmp/boot.lkst --summary)" '^0 +0 +[0-9]+ +[0-9]+ +0 +0 +0 +'"$(clock_here)"
lkst start
done_testing
