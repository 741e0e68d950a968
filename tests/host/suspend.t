#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Events before and after a suspend to RAM have the right times. The output of the VM and its /share
# do not survive a suspend, so the script in the VM works in memory and reports through kernel
# messages on the serial line. The script ends with a reset, because after a suspend QEMU sometimes
# does not power off.
# kernel: base
# form: builtin module headers stock

. "$(dirname "$0")/host.sh"
. "$(dirname "$0")/kernel.sh"
kernel_of base
make_share "$top"/tests/{host/suspend/guest,host/steps_back,vm/why/why_agrees.sh,vm/why/why_tree.awk,tap.sh}
compile "$share/sleep" "$top/tests/host/suspend/sleep.c"

# shellcheck disable=SC2016 # what is in quotes is for the shell inside
run_vm --take-turns --mem "$(mem 1024)" --kernel "$image" --append 'no_console_suspend lkst.buffer_size=4M' \
	--share "$share" --log "$work/log" -- sh -c '
		cp /share/* /tmp && cd /tmp
		. ./form.sh
		[ ! -f /share/lkst.ko ] || load_lkst || exit
		./guest | while read -r line; do echo "suspend-test: $line" >/dev/kmsg; done
		echo b >/proc/sysrq-trigger' >"$work/out" 2>&1 || true

tr -d '\r' <"$work/log" | sed -n 's/^.*suspend-test: //p' >"$work/tap"
cat "$work/tap"
if ! grep -q '^1\.\.' "$work/tap"; then
	echo 'Bail out! the VM did not come to the end of its test'
	tail -20 "$work/log" | sed 's/^/# /'
	exit 1
fi
! grep -q '^not ok' "$work/tap"
