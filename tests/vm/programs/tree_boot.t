#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The parameter lkst.events creates the directory lkst/ in debugfs, and turns events on. An unknown
# event is reported, and the others are turned on.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.maskset=nothing lkst.events=timer:*,signal_generate,no_such_event,!timer_start

. "$(dirname "$0")/rows.sh"

tree=/sys/kernel/debug/lkst
[ -d $tree ] || bail_out "$tree"
on=$(cat $tree/set_event)
contains 'a system' "$on" '^timer:hrtimer_start$'
contains 'an event' "$on" '^signal:signal_generate$'
lacks 'an event that was turned off again' "$on" '^timer:timer_start$'
lacks 'no others' "$on" '^sched:'
contains 'an unknown event' "$(dmesg)" 'lkst: lkst.events=no_such_event: no such event$'
contains 'the maskset' "$(lkstm list)" '^ +[0-9]+ +events .* selected$'
done_testing
