#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# After a panic with kdump, a second kernel copies /proc/vmcore with dd and with makedumpfile.
# The copies do not contain reserved memory. The second kernel or the next boot reads that memory.
# timeout: 500
# kernel: base
# modules: yes
# form: builtin module headers stock

. "$(dirname "$0")/death/common.sh"

guest <<'END'
if [ -s /proc/vmcore ]; then
	dd if=/proc/vmcore of=/share/vmcore bs=1M 2>/dev/null || exit
	for form in c l p; do
		makedumpfile -$form -d 31 /proc/vmcore /share/vmcore-$form >/share/makedumpfile-$form.log 2>&1
		echo "makedumpfile -$form: status $?"
	done
	exit
fi
kexec -p /boot/vmlinuz --initrd /boot/initrd --append "console=ttyS0 panic=-1 nr_cpus=1 tsc=nowatchdog" || exit
record 2
die timer
END
vm 0 --mem 768 --reboots 1 --append "$(append crashkernel=192M)"
diag "$(cat "$work/out")"

image_is_whole '/proc/vmcore' "$share/vmcore"
mv "$work/records" "$work/plain.records"
contains 'the panic is in the vmcore' "$("$lkstbuf" print -f "$share/vmcore" -e oops_panic)" 'death: in a timer'
kernel_symbols '/proc/vmcore' "$("$lkstbuf" print -f "$share/vmcore")"
for form in c l p; do
	if grep -q "makedumpfile -$form: status 0" "$work/out"; then
		image_is_whole "makedumpfile -$form -d 31" "$share/vmcore-$form"
		ok "makedumpfile -$form: the same records" cmp "$work/plain.records" "$work/records"
	else
		skip "makedumpfile -$form -d 31" 'it was built without that compression'
	fi
done

# shellcheck disable=SC2016 # the $ is part of the parameter memmap
reserved='memmap=16M$0x10000000 lkst.reserved=16M@0x10000000'
guest <<END
case \$LKST_VM_BOOT in
1)
	kexec -p /boot/vmlinuz --initrd /boot/initrd \
		--append 'console=ttyS0 panic=-1 nr_cpus=1 tsc=nowatchdog $reserved' || exit
	record 2
	die timer
	;;
2)
	makedumpfile -d 31 /proc/vmcore /share/without || exit
	lkstbuf read --previous --keep -f /share/of-kdump || exit
	reboot -f
	sleep 1000
	;;
3) lkstbuf read --previous -f /share/of-next ;;
esac
END
vm 0 --mem 768 --reboots 2 --append "$(append crashkernel=192M "$reserved")"
for reader in kdump next; do
	records "$work/records" -f "$share/of-$reader"
	all_there "reserved memory, read by the $reader kernel" "$work/records"
	no_complaint "reserved memory, read by the $reader kernel"
	why_agrees_if_any "reserved memory, read by the $reader kernel" "$share/of-$reader"
	contains "reserved memory, read by the $reader kernel: the panic" \
		"$("$lkstbuf" print -f "$share/of-$reader" -e oops_panic)" 'death: in a timer'
done
fails 'reserved memory is not in the vmcore' 1 "$lkstbuf" print -f "$share/without"
contains 'the message says so' "$tap_output" 'no buffer of any CPU in it. Reserved memory is in no vmcore'
done_testing
