#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Tests the extension tools/crash for crash(8): its command lkst prints the same as
# "lkstbuf print -f".
# kernel: debuginfo
# suite: all
# timeout: 600

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
"$top/scripts/deps" crash vm tests || bail_out 'packages are missing'
kernel_of debuginfo
vmlinux=$kernel_build/vmlinux
PATH=$top/build/bin:$PATH
make -C "$top/tools/crash" >"$work/out" 2>&1 || bail_out "the extension does not compile: $(cat "$work/out")"

status=0
"$top/scripts/lkst-vm" --kernel "$image" --mem 448 --take-turns --append 'lkst.buffer_size=256K' \
	--dump "elf:$work/elf" --dump "kdump-zlib:$work/kdump" -- \
	sh -c 'lkstlogger -ev user_mark -a1 0x10c4; sleep 1; lkstlogger -ev user_mark -a1 0x10c5; echo c >/proc/sysrq-trigger; sleep 60' \
	>"$work/out" 2>&1 || status=$?
[ $status -eq 126 ] || bail_out "the VM ended with status $status: $(cat "$work/out")"

# in_crash DUMP COMMAND...: run the commands in crash, and write their output to $work/1, $work/2,
# ...
in_crash() {
	local dump=$1 command num=0
	shift
	echo "extend $top/build/lib/crash/lkst.so" >"$work/script"
	for command; do
		num=$((num + 1))
		rm -f "$work/$num"
		echo "$command > $work/$num" >>"$work/script"
	done
	echo exit >>"$work/script"
	timeout 1000 crash -s -i "$work/script" "$vmlinux" "$dump" >"$work/crash.out" 2>&1 </dev/null
}

for form in elf kdump; do
	in_crash "$work/$form" 'lkst -n 20' 'lkst -r -e user_mark,oops_panic' 'lkst -n nonsense' 'bt' ||
		diag "crash: $(cat "$work/crash.out")"
	is "$form: the newest events" "$(cat "$work/1")" "$(lkstbuf print -n 20 -f "$work/$form" 2>/dev/null)"
	is "$form: the number of events" "$(grep -vc '^#' "$work/1")" 20
	is "$form: selected events" "$(sed -n 's/.* user_mark .*arg1=\(0x[0-9a-f]*\).*/\1/p' "$work/2" | tr '\n' ' ')" '0x10c4 0x10c5 '
	contains "$form: the last event is the panic" "$(tail -n 1 "$work/2")" ' oops_panic '
	contains "$form: lkstbuf reports invalid options" "$(cat "$work/crash.out")" 'lkstbuf print: .*nonsense'
	contains "$form: crash continues" "$(cat "$work/4")" '^PID: '
done
why_agrees 'elf' "$work/elf"
why_agrees 'kdump' "$work/kdump"
in_crash "$work/elf" 'help lkst'
contains 'help' "$(cat "$work/1")" 'the events that LKST has recorded'
done_testing
