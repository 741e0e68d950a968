#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# SysRq-L, sent to the serial console as a break and an L, shows the newest events even if user
# space is stuck because each CPU runs a real-time thread that never ends. kernel.sysrq must allow
# it.
# kernel: base
# form: builtin module headers stock

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
make_share
compile "$share/hog" "$top/tests/vm/device/hog.c"

cat >"$share/guest" <<'END'
. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit
lkstm set -n default || exit
say() { echo "sysrq-test: $*" >/dev/kmsg; }
echo 438 >/proc/sys/kernel/sysrq	# Debian's default
say press L
until dmesg | grep -q 'operation is disabled'; do sleep 0.1; done
echo $((438 | 8)) >/proc/sys/kernel/sysrq
echo -1 >/proc/sys/kernel/sched_rt_runtime_us || exit
# From Linux 6.12 on, the kernel gives starved threads a share of the CPU. Turn that off.
for share in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
	[ ! -f "$share" ] || echo 0 >"$share" || exit
done
# Once hog has started, print a message each second, as long as user space runs.
{
	until pidof hog >/dev/null; do usleep 100000; done
	while :; do
		say user space lives
		sleep 1
	done
} &
/share/hog >/dev/kmsg 'sysrq-test: press L'
END
"$top/tests/host/sysrq/press.py" "$work/serial" "$work/seen" &
presser=$!
run_vm --take-turns --mem "$(mem 1024)" --kernel "$image" --append lkst.dump=10 --share "$share" \
	--serial "$work/serial" -- sh /share/guest >"$work/out" 2>&1
status=$?
kill $presser 2>/dev/null
console=$(tr -d '\r' <"$work/seen" | sed -n '/sysrq-test: press/,$p')

is 'SysRq-b resets the machine' "$status $(head -n 1 "$work/out")" '123 lkst-vm: the VM powered off or was reset before sh had ended'
# Until the newest events are shown, user space may run on a CPU that hog does not occupy yet. After
# them, press.py waits for 3 s.
is 'user space is stuck' "$(sed '1,/newest events/d' <<<"$console" | grep -c 'user space lives')" 0
contains 'without the bit for dumps in kernel.sysrq: refused' "$console" 'sysrq: This sysrq operation is disabled'
is 'the newest events are shown only once' "$(grep -c 'lkst: [0-9]* newest events' <<<"$console")" 1
contains 'with the bit for dumps: the newest events are shown' "$console" 'lkst: 20 newest events, at most 10 of each CPU, oldest first'
for cpu in 000 001; do
	is "events of CPU $cpu are shown" \
		"$(sed '/lkst: end of events/q' <<<"$console" | grep -cE "lkst: +[0-9]+\.[0-9]{6} \[$cpu\] ")" 10
done
contains 'events of the thread that occupies a CPU are shown' "$console" "lkst: +[0-9]+\.[0-9]{6} \[001\] hog-"
contains 'the list of events is complete' "$console" 'lkst: end of events$'
contains 'the list of the long rings is complete' "$console" 'lkst: end of the long rings$'
done_testing
