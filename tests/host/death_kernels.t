#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# A kernel can read the log of a boot even if the kernel of that boot had different options, a
# different memory layout and different addresses. The debug kernel reads the log of the base
# kernel, and the base kernel reads the log of the debug kernel.
# suite: all
# timeout: 900
# builds: yes

. "$(dirname "$0")/death/common.sh"
ring_size=1M slots=16384
other=$("$top/scripts/build-kernel" --config debug 2>/dev/null) || bail_out 'no debug kernel'
cp "$other" "$share/other"
cp "$work/kernel" "$share/base"
cp "$(build_dir "$default_series" base "${KERNEL:+$(realpath -- "$KERNEL")}")/System.map" "$share/map.1"
cp "$(build_dir "$default_series" debug "${KERNEL:+$(realpath -- "$KERNEL")}")/System.map" "$share/map.2"

# The debug kernel cannot load the module "death". So its boot records a line of text, and the test
# checks that the log of that boot contains this line.
guest <<'END'
cd /share || exit
uname -v >version.$LKST_VM_BOOT
if [ "$LKST_VM_BOOT" -gt 1 ]; then
	before=$((LKST_VM_BOOT - 1))
	lkstbuf read --previous --symbols /share/map.$before -f of-$before || exit
fi
case $LKST_VM_BOOT in
1) next=other ;;
2) next=base ;;
3) exit ;;
esac
kexec -l "/share/$next" --initrd /boot/initrd --reuse-cmdline || exit
case $LKST_VM_BOOT in
1) record 2 ;;
2)
	lkstm set -m 1
	sleep 0.2
	lkstm set -m 2 # so that the end of the script does not overwrite the text
	lkstlogger -s 'the last words of the debug kernel'
	;;
esac
kexec -e
END
vm 0 --mem 768 --reboots 2 --append "$(append 'memmap=16M$0x10000000 lkst.reserved=16M@0x10000000')"

is 'the list has three boots, of two kernels' "$(sort -u "$share"/version.? | wc -l)" 2
records "$work/records" -f "$share/of-1"
all_there 'the base kernel, read by the debug kernel' "$work/records" 1
contains 'symbols are those of the kernel that recorded' "$("$lkstbuf" print -f "$share/of-1" -e timer_hr_add)" 'record_in_timer|tick_sched_timer'
contains 'the debug kernel, read by the base kernel' "$("$lkstbuf" print -f "$share/of-2" -e user_long_text)" \
	'the last words of the debug kernel'
why_agrees_if_any 'the base kernel' "$share/of-1"
why_agrees_if_any 'the debug kernel' "$share/of-2"
contains 'symbols of the debug kernel' "$("$lkstbuf" print -f "$share/of-2" -e spin_lock)" \
	' spin_lock +lock=.* caller=[a-z]\w+\+0x[0-9a-f]+$'
done_testing
