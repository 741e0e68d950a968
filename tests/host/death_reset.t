#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A machine that starts anew: the log is in memory that was set aside, and a boot to come reads it. One VM
# dies of a reset without a warning, of its watchdog while all CPUs hang, of a kexec, and of a panic.
# timeout: 300
# kernel: base
# modules: yes
# form: builtin module headers stock

set -u
. "$(dirname "$0")/death/common.sh"
prepare

guest <<'END'
uuid='[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}'
cd /share || exit
lkstbuf previous >list.$LKST_VM_BOOT
case $LKST_VM_BOOT in
1) ;;
2) lkstbuf read --previous -f of-1 ;;
3) ;; # so the fourth has two boots to read
4)
	lkstbuf read --previous -f of-3
	lkstbuf read --previous --boot "$(grep -oE "$uuid" list.3 | tail -n 1)" -f of-2
	lkstbuf previous >list.after
	;;
5)
	lkstbuf read --previous --keep -f of-4
	lkstbuf print --previous -r --json >printed-4
	lkstbuf read --previous -c 0 -f part 2>part.told
	lkstbuf read --previous -f - 2>stream.told >stream
	lkstbuf previous >list.keep
	exit
	;;
esac || exit
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
	text=$("$lkstbuf" print -f "$share/of-$boot")
	kernel_symbols "${deaths[boot]}" "$text"
done
ok 'print --previous shows the same' cmp "$work/records" "$share/printed-4"

boots_of() { grep -oE '[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}' "$share/$1"; }
is 'nothing is there before the first boot' "$(boots_of list.1)" ''
is 'the boot before last is kept until it is read' "$(boots_of list.4 | tail -n 2 | head -n 1)" "$(boots_of list.3 | tail -n 1)"
is 'the list tells what was read' "$(grep -c 'unread' "$share/list.4") $(grep -c 'unread' "$share/list.after")" '2 0'
contains 'of a part of it, it is told that the rest is unread' "$(cat "$share/part.told")" 'stays unread, as this is not all of it'
contains 'likewise of what went through a pipe' "$(cat "$share/stream.told")" 'stays unread, as nobody knows'
ok 'which has the same' cmp <("$lkstbuf" print -r -f "$share/of-4") <("$lkstbuf" print -r -f "$share/stream")
is 'what was read with --keep, in part, or into a pipe is unread' "$(grep -c 'unread' "$share/list.keep")" 1
done_testing
