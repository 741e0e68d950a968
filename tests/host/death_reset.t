#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The log of a machine that reboots is in reserved memory, and a later boot reads it. A VM reboots
# after a reset without a warning, after its watchdog fires while all CPUs hang, through kexec, and
# after a panic. Reserved memory also holds the long rings.
# timeout: 300
# kernel: base
# modules: yes
# form: builtin module headers stock

. "$(dirname "$0")/death/common.sh"

guest <<'END'
uuid='[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}'
cd /share || exit
lkstbuf previous >list.$LKST_VM_BOOT
case $LKST_VM_BOOT in
1) ;;
2) lkstbuf read --previous -f of-1 ;;
3) ;; # reads nothing, so that boot 4 finds the logs of two boots
4)
	lkstbuf read --previous -f of-3
	lkstbuf read --previous --boot "$(grep -oE "$uuid" list.3 | tail -n 1)" -f of-2
	lkstbuf previous >list.after
	;;
5)
	lkstbuf read --previous --keep -f of-4
	lkstbuf print --previous --parts -r --json >printed-4
	lkstbuf print --previous --long-ring -r >long-4 2>&1
	lkstla report --previous >report-4 2>&1
	lkstbuf read --previous -c 0 -f part 2>part.messages
	lkstbuf read --previous -f - 2>stream.messages >stream
	lkstbuf previous >list.keep
	exit
	;;
esac || exit
# The report shows a history only if the long rings cover 5 s.
[ $LKST_VM_BOOT != 4 ] || sleep 6
record 2
case $LKST_VM_BOOT in
1) echo b >/proc/sysrq-trigger ;;
2) exec 9>/dev/watchdog; die hang ;;
3) kexec -l /boot/vmlinuz --initrd /boot/initrd --reuse-cmdline && kexec -e ;;
4) die lock ;;
esac
sleep 1000
END
vm 0 --mem "$(mem 448)" --reboots 4 --watchdog \
	--append "$(append 'memmap=16M$0x10000000 lkst.reserved=16M@0x10000000 i6300esb.heartbeat=6')"

deaths=('' 'a reset without a warning' 'the watchdog, all CPUs with interrupts off' 'a kexec' 'a panic')
for boot in 1 2 3 4; do
	records "$work/records" -f "$share/of-$boot"
	all_there "${deaths[boot]}" "$work/records" "$boot"
	no_complaint "${deaths[boot]}"
	why_agrees_if_any "${deaths[boot]}" "$share/of-$boot"
	text=$("$lkstbuf" print -f "$share/of-$boot")
	kernel_symbols "${deaths[boot]}" "$text"
	contains "${deaths[boot]}: a long ring" "$("$lkstbuf" print --long-ring -f "$share/of-$boot")" ' lkst_digest +ms=[0-9]+ '
done
contains 'print --previous --long-ring: the digest' "$(cat "$share/long-4")" ' lkst_digest +ms=[0-9]+ '
contains 'print --previous --long-ring: the panic' "$(cat "$share/long-4")" ' oops_panic +message='
contains 'report --previous: the history' "$(cat "$share/report-4")" '^HISTORY$'
contains 'report --previous: the history has the panic' "$(cat "$share/report-4")" '^    [0-9:.]+ \[[0-9]+\] oops_panic "'
ok 'print --previous prints the same' cmp "$work/records" "$share/printed-4"

boots_of() { grep -oE '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}' "$share/$1"; }
is 'the first boot finds no previous boot' "$(boots_of list.1)" ''
is 'the boot before last is kept until it is read' "$(boots_of list.4 | tail -n 2 | head -n 1)" "$(boots_of list.3 | tail -n 1)"
is 'boots are not listed as unread after they were read' "$(grep -c 'unread' "$share/list.4") $(grep -c 'unread' "$share/list.after")" '2 0'
contains 'after reading a part, the boot stays unread' "$(cat "$share/part.messages")" 'stays unread, because only a part was read'
contains 'after reading into a pipe, the boot stays unread' "$(cat "$share/stream.messages")" 'stays unread, because the reader may not'
ok 'the file from the pipe has the same records' cmp <("$lkstbuf" print -r -f "$share/of-4") <("$lkstbuf" print -r -f "$share/stream")
is 'after reading with --keep, in part, and into a pipe, the boot is unread' "$(grep -c 'unread' "$share/list.keep")" 1
done_testing
