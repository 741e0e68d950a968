#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# Times around a suspend to RAM. The VM's output and its /share do not survive one: the part
# inside works in memory and reports through the kernel's messages, on the serial line.
# It ends with a reset: after a suspend, QEMU now and then does not power off.
# kernel: base
# form: builtin module headers stock

set -eu
cd "$(dirname "$0")"
top=$(cd ../.. && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. ../tap.sh
. ./kernel.sh
set -e
kernel_of base
mkdir "$work/share"
cp suspend/guest steps_back ../tap.sh ../vm/form.sh "$work/share/"
share_lkst "$work/share"
${CC:-cc} -O2 -static -o "$work/share/sleep" suspend/sleep.c

# shellcheck disable=SC2016 # what is in quotes is for the shell inside
run_vm --take-turns --mem "$(mem 1024)" --kernel "$image" --append 'no_console_suspend lkst.buffer_size=4M' \
	--share "$work/share" --log "$work/log" -- sh -c '
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
