#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# If the LKST module is loaded with "off" or with bad parameters, it stays loaded, does no harm, and
# can be unloaded.
# form: module headers stock
# append: lkst.buffer_size=512K

. "$(dirname "$0")/../tap.sh"
. ./form.sh
parameters=/sys/module/lkst/parameters

ok "LKST can be unloaded" rmmod lkst
ok "off: LKST can be loaded" load_lkst off=1
ok "off: the device does not exist" test ! -e /dev/lkst
# LKST reports an invalid parameter in its static buffer and in the kernel log. While LKST is off,
# it has no static buffer, so the report is only in the kernel log.
before=$(cat $parameters/dump)
echo 99999 >$parameters/dump
is "an invalid parameter changes nothing" "$(cat $parameters/dump)" "$before"
contains "the kernel log reports it" "$(dmesg)" 'lkst\.dump=99999: not a number from 0 to 512'
refused "modules with handlers are refused" any "No such device" insmod modules/handlers.ko
ok "off: LKST can be unloaded" rmmod lkst
# While another module is being unloaded, it makes a request to a busy CPU. Unload LKST while this
# request is still pending.
runtime=/proc/sys/kernel/sched_rt_runtime_us before=$(cat /proc/sys/kernel/sched_rt_runtime_us)
echo -1 >$runtime
# Since Linux 6.12, threads that a real-time thread starves get a share of the CPU. Turn this off.
for share in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
	[ ! -f "$share" ] || echo 0 >"$share" || exit
done
ok "off: another module can use LKST" eval 'load_lkst off=1 && insmod modules/stopping.ko'
./hog 1 &
hog=$!
# Wait until the process $hog is a real-time process.
until [ "$(cut -d ' ' -f 41 /proc/$hog/stat)" = 1 ]; do sleep 0.1; done
{
	until pidof rmmod >/dev/null; do usleep 50000; done
	sleep 2
	kill $hog
} &
ok "both modules can be unloaded as soon as the CPU is free" rmmod stopping lkst
wait
echo "$before" >$runtime

ok "reserved memory that does not exist is not used" load_lkst reserved=16M@0x7f00000000
contains "the kernel log reports it" "$(dmesg)" 'lkst\.reserved=16M@0x7f00000000: there is no memory'
is "LKST records in other memory" "$(lkst status | sed -n 's/^state *//p')" running
ok "LKST can be unloaded after that" rmmod lkst
ok "LKST can be loaded again" load_lkst
lacks "the kernel log shows no trouble" "$(dmesg)" 'WARNING:|BUG:|bad address'
done_testing
