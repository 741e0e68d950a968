#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Rules are written and deleted while programs, interrupts and NMIs cause events with these rules, and
# while a CPU goes offline and comes online again. Emulated CPUs run in parallel.
# arch: x86_64
# take-turns: no
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=16M tsc=nowatchdog
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=nmi_load.sh
. "$here/nmi_load.sh"

online=/sys/devices/system/cpu/cpu1/online
trap 'kill $load $more 2>/dev/null; wait; lkstm set -m "$selected"; lkstm delete -n turmoil; echo 1 >$online; rmmod nmi; true' EXIT
load='' more=''
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/nmi.ko" || bail_out 'insmod nmi'
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n turmoil -S >/dev/null || bail_out 'lkstm write'
# On some kernels, some events are absent.
rule() { lkstm rule -n turmoil "$@" 2>errors || ! cat errors; }

# --- rules of events that arrive in NMIs and between them

requests() { while :; do request "$1" || echo "$1" >>requests.failed; done; }

# Both rules of an event select the same events: those with an odd number.
odd='serial & 1'
rule 0x1d0,0x1d1 if "$odd"
start=$(new_second)
requests 1 &
load=$!
requests 2 &
more=$!
for i in $(seq 15); do
	rule 0x1d1 if "$odd && cpu < 64" || echo "$i"
	rule 0x1d0 if "(tid > 0 || flags & nmi) && $odd && comm ~ '*'" || echo "$i"
	rule 0x1d0,0x1d1 if "!(!($odd)) && check != $i" || echo "$i"
done >failed
kill $load $more
wait
is 'rules are written while NMIs arrive' "$(cat failed)" ''
ok 'events were recorded without an error' test ! -e requests.failed
lkstm set -n nothing
lkstbuf print -r -e 0x1d0,0x1d1 --since "$start" >nmis 2>/dev/null
# Check the numbers, which are in the 32 lower bits of the serial; the upper 8 bits are the CPU.
sed -n 's/.*nmi[_ ]\(task\|handler\) *serial=0x\([0-9a-f]*\) .*/\1 \2/p' nmis >serials
ok 'events were recorded' test "$(grep -c . serials)" -gt 1000
is 'all of them meet the condition' "$(grep -c '[02468ace]$' serials)" 0
awk 'function number(hex, i, value) {
		for (i = 1; i <= length(hex); i++)
			value = value * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return value
	}
	{
		cpu = length($2) > 14 ? substr($2, 1, length($2) - 14) : 0
		key = $1 " " cpu
		value = number(length($2) > 8 ? substr($2, length($2) - 7) : $2)
		if (key in last && value != last[key] + 2)
			print key, last[key], value
		last[key] = value
	}' serials >gaps
is 'no event that meets the condition is missing' "$(head -n 5 gaps)" ''

# --- a CPU goes offline and comes online while rules change

lkstm set -n turmoil
rule '!0x1d0,0x1d1'
lkstm config -n turmoil 0x1d0,0x1d1 off
lkstm config -n turmoil class:interrupt,class:syscall,class:process on 2>/dev/null
rule class:process if 'common_cpu == 1'
lkstm config -n turmoil user_mark on
lkstlogger -ev user_mark -a1 0xbe61
while :; do taskset 3 cat /proc/self/status; done >/dev/null 2>&1 &
load=$!
for i in $(seq 6); do
	echo 0 >$online || echo "offline $i"
	rule system_call_entry if "number == openat && arg2.ustring ~ '*/$i*status'" || echo "$i"
	rule class:interrupt if "cpu >= 0 && comm != '$i'" || echo "$i"
	echo 1 >$online || echo "online $i"
	rule class:process if "common_cpu == 1 && tid >= 0 && comm != '$i'" || echo "$i"
	rule '!class:interrupt' || echo "$i"
done >failed
is 'rules are written while a CPU goes offline and comes online' "$(cat failed)" ''
lkstm set -n nothing
kill $load
wait
is 'the rules apply to all events' "$(lkstbuf print --own -r -e class:process,user_mark --where 'common_cpu != 1 || arg1 == 0xbe61' 2>/dev/null |
	awk '/ arg1=0xbe61/ { num = 0 } / process_/ { num++ } END { print num + 0 }')" 0
ok 'events of the CPU are recorded' test "$(lkstbuf print -r -e class:process 2>/dev/null | grep -c process_)" -gt 10
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
