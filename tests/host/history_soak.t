#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Soaks the history: machines record all events under memory pressure, while a CPU goes offline and
# comes online, until they die at random moments. Each event is in the history, in the buffers, or
# counted as lost, while the machine is alive and afterwards.
#
# The environment may contain LKST_SOAK_SECONDS, the duration, and LKST_SOAK_SEED. The same seed
# gives the same parameters and pauses, but not exactly the same timing.
# suite: all
# timeout: 1200
# kernel: base
# modules: yes
# form: builtin module headers stock

. "$(dirname "$0")/death/common.sh"
history=$top/tests/host/death/history.py
seconds=${LKST_SOAK_SECONDS:-600} seed=${LKST_SOAK_SEED:-$((SRANDOM % 1000000))}
make -s -C "$top/tests/vm" OUT="$share/vm" "$share/vm/history" >"$work/make.log" 2>&1 || bail_out "$(cat "$work/make.log")"
diag "LKST_SOAK_SEED=$seed LKST_SOAK_SECONDS=$seconds"
RANDOM=$seed

# one_of WORD...: set $chosen to a random one
one_of() { shift $((RANDOM % $#)); chosen=$1; }

# died NAME BEFORE AFTER BOOT: check boot number BOOT after its death. BEFORE is a trace that was read
# before the death. AFTER is a trace or an image that was made after it.
died() {
	local out
	contains "$1: while the machine was alive" "$(tail -n 1 "$share/checked-$4")" '^1\.\.[0-9]+$'
	lacks "$1: all checks meanwhile" "$(cat "$share/checked-$4")" '^not ok|^Bail out'
	diag "$(grep "^# CPU" "$share/checked-$4")"
	records "$work/before" -f "$2"
	records "$work/after" -f "$3"
	out=$("$history" soak "$work/before" "$work/after" "$memory" $((counts_at + 4096 * $4)) 2>&1)
	is "$1: each event is there or counted" $? 0
	diag "$out
$(cat "$work/before.errors" "$work/after.errors")"
}

guest <<'END'
. /share/parameters
cd /share || exit
[ "$LKST_VM_BOOT" -eq 1 ] || lkstbuf read --previous -f after-1 || exit
lkstm set -m 1 || exit
vm/history soak "$duration" $((seed + LKST_VM_BOOT)) $((0x18000000 + 4096 * LKST_VM_BOOT)) >checked-$LKST_VM_BOOT 2>&1 &
until grep -qsE '^1\.\.|^Bail out' checked-$LKST_VM_BOOT; do sleep 0.2; done
lkstbuf read -f before-$LKST_VM_BOOT || exit
sync
eval "sleep \$pause_$LKST_VM_BOOT"
case $LKST_VM_BOOT in
1) echo b >/proc/sysrq-trigger ;;
2) echo c >/proc/sysrq-trigger ;;
esac
sleep 1000
END

for ((round = 1; SECONDS < seconds; round++)); do
	one_of 256K 1M
	ring_size=$chosen
	one_of 1M 1536K
	size=$chosen
	one_of 25 50 100
	shared=$chosen
	cat >"$share/parameters" <<END
seed=$((seed + round * 1000)) duration=$((8 + RANDOM % 13))
pause_1=$((RANDOM % 4)).$((RANDOM % 10))$((RANDOM % 10)) pause_2=$((RANDOM % 4)).$((RANDOM % 10))$((RANDOM % 10))
END
	rm -f "$share"/checked-* "$share"/before-* "$share"/after-*
	name="round $round: buffers of $ring_size, history of $size, $shared %"
	# shellcheck disable=SC2016 # memmap= has a literal $
	vm 126 --mem "$(mem 448)" --reboots 1 --append "$(append 'memmap=32M$0x10000000' lkst.reserved=32M@0x10000000 \
		lkst.history_size="$size" lkst.history_share="$shared")"
	died "$name: a reset" "$share/before-1" "$share/after-1" 1
	died "$name: a panic" "$share/before-2" "$memory" 2
done
done_testing
