#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# How much lkstlogd keeps when nobody says it: a share of the file system that leaves room for others, compressed; and
# how long that lasts is told.
# kernel: base
# timeout: 300

# Functions are called by "ok" and "within".
# shellcheck disable=SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
rm -rf $logs /etc/lkst.conf /etc/lkst.d
mkdir -p $logs
cd /tmp || exit
status() { lkst status | sed -n "s/^$1  *//p"; }
limits() { status 'log files' | cut -d : -f 1; }
# file_system SIZE [OTHERS]: the directory is one of that size, in which others have some MB.
file_system() {
	umount $logs 2>/dev/null
	mount -t tmpfs -o "size=$1" none $logs
	[ $# -eq 1 ] || dd if=/dev/zero of=$logs/others bs=1M count="$2" 2>/dev/null
}

# --- a share of the file system: half of it for what is being written

# SIZE, OTHERS, LIMIT, TOTAL, OPTIONS: a tenth, but 15 % stay free; never less than the least that a file can have.
while IFS='|' read -r size others limit total options; do
	file_system "$size" "$others"
	# shellcheck disable=SC2086 # words
	ok "$size, others $others, $options: it starts" lkstlogd $options
	is "$size, others $others, $options: limits" "$(limits)" "up to $limit for each CPU, $total together"
	is "$size, others $others, $options: as JSON" "$(lkst status --json | "$here/json" lkstlogd.limit)" \
		"$(awk -v limit="$limit" 'BEGIN { print limit * (limit ~ /K/ ? 1024 : 1048576) }')"
	ok "$size, others $others, $options: TERM" stop
done <<-'END'
	160M|0|4M|16M|-b 256K
	80M|0|2M|8M|-b 256K
	80M|63|1M|4M|-b 256K
	80M|79|256K|512K|-b 256K
	4M|0|256K|512K|-b 256K
	80M|0|1M|20M|-b 256K -l 1M
	80M|0|3M|12M|-b 256K -L 12M
	80M|0|1M|100M|-b 256K -l 1M -L 100M
END
# What the daemon has written itself is not what others have.
file_system 80M 61
dd if=/dev/zero of=$logs/sebuf0.0 bs=1M count=4 2>/dev/null
ok 'its own files: it starts' lkstlogd -b 256K
is 'its own files leave room for the same' "$(limits)" 'up to 1M for each CPU, 4M together'
ok 'its own files: TERM' stop

# --- others fill the file system while it runs: older files make room, and what is being written stays

file_system 80M
ok 'others: it starts' lkstlogd -a -b 256K
within 20 writes 1 0
for serial in 7 8 9; do
	dd if=/dev/zero of=$logs/sebufprevious.$serial bs=1M count=1 2>/dev/null
done
within 20 [ -e $logs/sebufprevious.9 ]
dd if=/dev/zero of=$logs/others bs=1M count=64 2>/dev/null
ok 'others: older files go' within 60 [ ! -e $logs/sebufprevious.9 ]
is 'others: what is being written does not' "$(serials 0)$(serials 1)" '0 0 '
contains 'others: the limit is less' "$(limits)" '^up to 2M for each CPU, 4M together$'
rm $logs/others
ok 'others are gone: the limit is as before' within 60 says '^log files .* 8M together'
ok 'others: TERM' stop

# --- the files

file_system 80M
lkstlogd -F -a 2>messages &
daemon=$!
ok 'it writes' within 20 writes 1 0
contains 'it says how much they may have' "$(cat messages)" "files in $logs have up to 2M for each CPU, and all of them 8M"
is 'how long that lasts is not known yet' "$(status 'log files')" 'up to 2M for each CPU, 8M together'
load 2 5 400 >made
ok 'compressed' test "$(logfiles check $logs/sebuf0.0 | sed -n 's/.* compressed=\([0-9]*\).*/\1/p' | head -n 1)" -gt 0
is 'its limit is in the file' "$(logfiles check $logs/sebuf0.0 | sed -n 's/.* limit=\([0-9]*\).*/\1/p' | head -n 1)" 2097152
ok 'then it is' within 60 says '^log files .*: the last [0-9]+ (s|min|h|days) of the busiest CPU$'
ok 'as JSON' test "$(lkst status --json | "$here/json" lkstlogd.seconds)" -gt 0
ok 'and said' within 120 grep -qE 'at the present rate the files hold the last [0-9]+ (s|min|h|days) of the busiest CPU' messages
kill -TERM $daemon
wait $daemon
is 'TERM' $? 0
rm -f $logs/sebuf*
ok '--no-compress' lkstlogd -a --no-compress
within 20 writes 1 0
load 1 >/dev/null
ok 'TERM' stop
is '--no-compress: it is not' "$(logfiles check $logs/sebuf0.0 | sed -n 's/.* compressed=\([0-9]*\).*/\1/p' | head -n 1)" 0
umount $logs

# --- a file system that does not tell its size: as the specification has it

mkdir -p /tmp/ram
mount -t ramfs none /tmp/ram
ok 'no size: it starts' lkstlogd -b 256K -f /tmp/ram/sebuf
is 'no size: 10M, ten of them for each CPU' "$(limits)" 'up to 10M for each CPU, 200M together'
ok 'no size: TERM' stop
umount /tmp/ram
rm -rf $logs messages made
done_testing
