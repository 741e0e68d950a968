#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# LKST as a module that is to do nothing, or gets what it cannot use: it stays, does no harm, and goes.
# form: module headers stock
# append: lkst.buffer_size=512K

. "$(dirname "$0")/../tap.sh"
. ./form.sh
parameters=/sys/module/lkst/parameters

ok "it goes" rmmod lkst
ok "off: it is loaded" load_lkst off=1
ok "there is no device" test ! -e /dev/lkst
# The error goes to the static buffer, and there is none.
before=$(cat $parameters/dump)
echo 99999 >$parameters/dump
is "a wrong parameter changes nothing" "$(cat $parameters/dump)" "$before"
contains "and is told" "$(dmesg)" 'lkst\.dump=99999: want a number'
refused "handlers need LKST" any "No such device" insmod modules/handlers.ko
ok "it goes again" rmmod lkst
# What another module has asked for is still under way when that has gone, and a CPU has something better to do.
runtime=/proc/sys/kernel/sched_rt_runtime_us before=$(cat /proc/sys/kernel/sched_rt_runtime_us)
echo -1 >$runtime
# From 6.12 on, threads that get no CPU for long have a share all the same.
for share in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
	[ ! -f "$share" ] || echo 0 >"$share" || exit
done
ok "off, and another module uses it" eval 'load_lkst off=1 && insmod modules/stopping.ko'
./hog 1 &
hog=$!
{
	until pidof rmmod >/dev/null; do usleep 50000; done
	sleep 2
	kill $hog
} &
sleep 0.2
ok "both go, at the latest when the CPU is free" rmmod stopping lkst
wait
echo "$before" >$runtime

ok "memory that is not there is not used" load_lkst reserved=16M@0x7f00000000
contains "and that is told" "$(dmesg)" 'lkst\.reserved=16M@0x7f00000000: there is no memory'
is "it records in other memory" "$(lkst status | sed -n 's/^state *//p')" running
ok "and goes" rmmod lkst
ok "and comes" load_lkst
lacks "the kernel has seen nothing wrong" "$(dmesg)" 'WARNING:|BUG:|bad address'
done_testing
