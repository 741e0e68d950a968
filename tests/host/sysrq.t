#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# User space is stuck: each CPU has a thread of real-time priority that never ends. SysRq-L on the serial
# console, a break and an L, shows the newest events all the same, if kernel.sysrq allows it.
# kernel: base
# form: builtin module headers stock

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. "$(dirname "$0")/kernel.sh"
kernel_of base
share=$work/share
mkdir "$share"
share_lkst "$share"
cp "$top/tests/vm/form.sh" "$share/"
${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -o "$share/hog" "$top/tests/vm/hog.c" ||
	bail_out 'hog.c does not compile'

cat >"$share/guest" <<'END'
. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit
lkstm set -n default || exit
say() { echo "sysrq-test: $*" >/dev/kmsg; }
echo 438 >/proc/sys/kernel/sysrq	# as Debian has it
say press L
until dmesg | grep -q 'operation is disabled'; do sleep 0.1; done
echo $((438 | 8)) >/proc/sys/kernel/sysrq
echo -1 >/proc/sys/kernel/sched_rt_runtime_us || exit
# From 6.12 on, threads that get no CPU for long have a share all the same.
for share in /sys/kernel/debug/sched/fair_server/cpu*/runtime; do
	[ ! -f "$share" ] || echo 0 >"$share" || exit
done
# Whoever holds the CPUs says so.
{
	until pidof hog >/dev/null; do usleep 100000; done
	sleep 2
	say user space lives
} &
/share/hog >/dev/kmsg 'sysrq-test: press L'
END
"$top/tests/host/sysrq/press.py" "$work/serial" "$work/seen" &
presser=$!
run_vm --take-turns --mem "$(mem 1024)" --kernel "$image" --append lkst.dump=10 --share "$share" \
	--serial "$work/serial" -- sh /share/guest >"$work/out" 2>&1
status=$?
kill $presser 2>/dev/null
said=$(tr -d '\r' <"$work/seen" | sed -n '/sysrq-test: press/,$p')

is 'SysRq-b ends it' "$status $(head -n 1 "$work/out")" '123 lkst-vm: the VM went down before sh had ended'
is 'user space is stuck' "$(grep -c 'user space lives' <<<"$said")" 0
contains 'without the bit for dumps in kernel.sysrq: refused' "$said" 'sysrq: This sysrq operation is disabled'
is 'and nothing shown' "$(grep -c 'lkst: [0-9]* newest events' <<<"$said")" 1
contains 'with it, the newest events' "$said" 'lkst: 20 newest events, at most 10 of each CPU, oldest first'
for cpu in 000 001; do
	is "of CPU $cpu" "$(grep -cE "lkst: +[0-9]+\.[0-9]{6} \[$cpu\] " <<<"$said")" 10
done
contains 'of who has the CPUs' "$said" "lkst: +[0-9]+\.[0-9]{6} \[001\] hog-"
contains 'to the end' "$said" 'lkst: end of events$'
done_testing
