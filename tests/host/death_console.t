#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The kernel dies in many ways, one after the other, while all CPUs are recording all events,
# including events of locks and timers. Whatever lock is held at that moment, three things must
# happen each time: the console shows the newest events, the machine resets itself, and the next
# boot finds the events in pstore. The events include the panic itself, although the kernel has
# printed many messages since then.
# timeout: 900
# suite: all
# kernel: base
# modules: yes

# shellcheck disable=SC2016 # the shell in the VM expands it
. "$(dirname "$0")/death/common.sh"
cp "$modules/panic.ko" "$share/"

readonly events_wanted=30
readonly deaths=(task interrupt oops stack handler nmi mutex open shift)
# The message of the panic in each of these deaths.
readonly panics=('panic-test number 42, and more than fits' 'Fatal exception in interrupt' 'Fatal exception'
	'Fatal exception in interrupt' 'panic-test: in an event handler' 'panic-test: in an NMI'
	'panic-test: at lkst_queue_ends' 'panic-test: at lkst_image_set_session' 'panic-test: at lkst_shift_leave')
printf '%s\n' "${deaths[@]}" >"$share/deaths"

guest <<'END'
mount -t pstore pstore /sys/fs/pstore || exit
cat /sys/fs/pstore/dmesg-ramoops-* >/share/pstore.$((LKST_VM_BOOT - 1)) 2>/dev/null
rm -f /sys/fs/pstore/dmesg-ramoops-*
kind=$(sed -n "${LKST_VM_BOOT}p" /share/deaths)
[ -n "$kind" ] || exit 0
insmod /share/panic.ko || exit
lkstm read -n all -d | sed '/ 0x000$/d' | lkstm write -n dying || exit
lkstm config -n dying user_text die_handler || exit
echo 1 >/proc/sys/kernel/panic_on_oops
lkstbuf create -s 64K -b 1 || exit
record 1
lkstm set -n dying || exit
echo "death-test: boot $LKST_VM_BOOT dies: $kind" >/dev/kmsg
case $kind in
task) echo 1 >/sys/module/panic/parameters/now ;;
handler) lkstlogger -s 'and now' ;;
*) echo "$kind" >/sys/module/panic/parameters/now ;;
esac
case $kind in
mutex) lkstbuf list ;;
open | shift) lkstbuf jump -b 1 ;;
esac
echo "lives on after $kind"
exit 1
END

ring_size=1M
vm 0 --timeout 4000 --reboots ${#deaths[@]} --append "$(append 'memmap=1M$0x10000000' ramoops.mem_address=0x10000000 \
	ramoops.mem_size=0x100000 ramoops.record_size=0x20000 pstore.kmsg_bytes=65536 \
	lkst.dump=$events_wanted 'lkst.dump_events=!oops_regs,!oops_stack,!lock,!timer')"
tr -d '\r' <"$work/log" >"$work/console"

# events FILE: print the lines of events that the kernel has shown
events() { grep -E '^(<1>)?(\[ *[0-9.]+\] )?lkst: +[0-9]+\.[0-9]{6} \[[0-9]{3}\] ' "$1" | sed 's/^.*lkst: *//'; }

# in_order FILE: whether the times of events ascend. An event may be up to 10 ms earlier than the
# one before it, because an interrupt may delay a record
in_order() { events "$1" | awk '$1 + 0.01 < last { bad = 1 } { last = $1 } END { exit bad }'; }

# shows NAME FILE SAYS: test that FILE has a panic whose message matches SAYS, followed by the
# newest events of both CPUs, and by those of the long rings
shows() {
	local name=$1 file=$2 says=$3 cpu
	contains "$name: panics" "$(cat "$file")" "Kernel panic - not syncing: ($says)"
	is "$name: panics only once" "$(grep -c 'Kernel panic - not syncing' "$file")" 1
	sed -n '/Kernel panic - not syncing/,$p' "$file" >"$file.after"
	contains "$name: says how many events" "$(cat "$file.after")" "lkst: [0-9]+ newest events, at most $events_wanted of each CPU"
	sed '/lkst: end of events$/q' "$file.after" >"$file.newest"
	for cpu in 000 001; do
		is "$name: events of CPU $cpu" "$(events "$file.newest" | awk '$2 == "['$cpu']"' | wc -l)" $events_wanted
	done
	ok "$name: events are in order" in_order "$file.newest"
	contains "$name: the panic is an event" "$(events "$file.newest")" ' oops_panic +message="'
	lacks "$name: no event is a message of the kernel" "$(events "$file.newest")" \
		' (oops_printk|oops_message|lkst_more) '
	contains "$name: the list of events is complete" "$(cat "$file.newest")" 'lkst: end of events$'
	sed '1,/lkst: end of events$/d' "$file.after" >"$file.long"
	contains "$name: says how many events of the long rings" "$(cat "$file.long")" 'lkst: [0-9]+ events of the long rings, at most 10 of each CPU'
	contains "$name: the panic is in a long ring" "$(events "$file.long")" ' oops_panic +message="'
	contains "$name: the list of the long rings is complete" "$(cat "$file.long")" 'lkst: end of the long rings$'
	is "$name: no trouble while events are printed" \
		"$(sed '1,/newest events/d' "$file.after" | grep -E 'BUG|Oops|WARNING|fault|RIP:|Call Trace' | grep -v 'lkst: ')" ''
}

for i in "${!deaths[@]}"; do
	name=${deaths[$i]}
	sed -n "/death-test: boot $((i + 1)) dies/,/Linux version/p" "$work/console" >"$work/console.$name"
	shows "$name, console" "$work/console.$name" "${panics[$i]}"
	contains "$name: pstore has the newest event" "$(cat "$share/pstore.$((i + 1))")" \
		"lkst: *$(events "$work/console.$name" | tail -n 1 | sed 's/[][\.*^$+?(){}|/]/\\&/g')"
	contains "$name: pstore has the complete lists" "$(cat "$share/pstore.$((i + 1))")" 'lkst: end of the long rings'
done
contains 'interrupt: it was a BUG' "$(cat "$work/console.interrupt")" 'kernel BUG at .*/panic\.c:'
contains 'stack: it was an overflow' "$(cat "$work/console.stack")" 'BUG: TASK stack guard page was hit'
done_testing
