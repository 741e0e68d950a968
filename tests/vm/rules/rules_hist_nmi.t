#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Histograms count each event once, even if NMIs and interrupts arrive while an event is counted, and
# while the entries are read and deleted. Emulated CPUs run in parallel.
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

trap 'kill $load $more 2>/dev/null; wait; lkstm set -m "$selected"; lkstm delete -n histnmi; rmmod nmi; true' EXIT
load='' more=''
selected=$(field maskset | cut -d ' ' -f 1)
insmod "$modules/nmi.ko" || bail_out 'insmod nmi'
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n histnmi >/dev/null || bail_out 'lkstm write'

requests() { for _ in $(seq 40); do request "$1" || echo "$1" >>requests.failed; done; }
# The events of the same type on a CPU have different serial numbers, so nearly every event needs a
# new entry of the histogram.
keys='keys=serial.hex:size=65536:name=nmis'
lkstm rule -n histnmi 0x1d0 do "hist($keys)"
lkstm rule -n histnmi 0x1d1 do "hist($keys)"
start=$(new_second)
lkstm set -n histnmi
requests 1 &
load=$!
requests 2 &
more=$!
for i in $(seq 10); do lkstm hist -n histnmi --reset 0x1d0 >"part.$i" || echo "$i"; done >failed
wait $load $more
lkstm set -n nothing
lkstm hist -n histnmi --reset 0x1d0 >part.11
ok 'events were recorded without an error' test ! -e requests.failed
is 'entries are read while NMIs arrive' "$(cat failed)" ''
events=$(lkstbuf print -r -e 0x1d0,0x1d1 --since "$start" 2>/dev/null | grep -c 'nmi[_ ]\(task\|handler\)')
ok 'events were recorded' test "$events" -gt 1000
is 'each of them was counted' "$(cat part.* | awk '$1 ~ /^(Hits|Dropped):/ { sum += $2 } END { print sum }')" "$events"
# The events of the two types are numbered separately, so a serial number can occur twice.
lkstbuf print -r -e 0x1d0,0x1d1 --since "$start" 2>/dev/null |
	sed -n 's/.*nmi[_ ]\(task\|handler\) *serial=0x\([0-9a-f]*\) .*/\2/p' |
	sort | uniq -c | awk '{ print $2, $1 }' >recorded
sed -n 's/^{ serial: *\([0-9a-f]*\) *} *hitcount: *\([0-9]*\)$/\1 \2/p' part.* |
	awk '{ num[$1] += $2 } END { for (i in num) print i, num[i] }' | sort >counted
is 'each of them was counted in its entry' "$(diff recorded counted | head -n 5)" ''
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
