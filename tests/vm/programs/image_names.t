#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A program that registers events in a loop does not keep a worker busy with copying their names to
# where tools find them in a memory image.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=16M

. "$(dirname "$0")/rows.sh"

trap 'lkstm set -n default; lkstm delete -n image_names; true' EXIT
echo work_entry on | lkstm write -n image_names -S >/dev/null || bail_out 'lkstm write'
before=$(date +%s)
ok 'a program registers events in a loop' registers again 5
after=$(date +%s)
lkstm set -n nothing >/dev/null
copies=$(lkstbuf print -r -e work_entry | grep -c lkst_user_texts_work)
ok "names were copied at most once per second: $copies times in $((after - before)) s" \
	test "$copies" -le $((after - before + 2))
ok 'names were copied' test "$copies" -ge 1
done_testing
