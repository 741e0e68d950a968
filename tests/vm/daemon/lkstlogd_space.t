#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# By default lkstlogd compresses its files, and limits them to a share of the file system that
# leaves room for other files. lkst status shows how much time the events in the files cover.
# kernel: base
# timeout: 300

# shellcheck disable=SC2317
. "$(dirname "$0")/lkstlogd.sh"
rm -rf /etc/lkst.conf /etc/lkst.d
mkdir -p $logs
status() { lkst status | sed -n "s/^$1  *//p"; }
limits() { status 'log files' | cut -d : -f 1; }
# limits_become NAME LIMITS: test that lkst status shows these limits. lkstlogd updates its status
# after it has started or changed its limits.
limits_become() {
	within 20 limits_are "$2"
	is "$1" "$(limits)" "$2"
}
limits_are() { [ "$(limits)" = "$1" ]; }
# file_system SIZE [OTHERS]: mount a file system of that size, such as 80M, for the log files.
# OTHERS is the size of other files in it, in MB.
file_system() {
	umount $logs 2>/dev/null
	mount -t tmpfs -o "size=$1" none $logs
	[ $# -eq 1 ] || dd if=/dev/zero of=$logs/others bs=1M count="$2" 2>/dev/null
}

# --- a share of the file system. Half of that share is for the files that are being written

# Each line below has SIZE, OTHERS, LIMIT, TOTAL and OPTIONS. By default TOTAL is a tenth of SIZE,
# but 15 % of the file system is kept free, and LIMIT is never below the minimum of 256K.
while IFS='|' read -r size others limit total options; do
	file_system "$size" "$others"
	# shellcheck disable=SC2086 # unquoted, to split it into words
	ok "$size, others $others, $options: lkstlogd starts" lkstlogd $options
	limits_become "$size, others $others, $options: limits" "up to $limit for each CPU, $total together"
	ok "$size, others $others, $options: TERM" stop
done <<-'END'
	80M|0|2M|8M|-b 256K
	80M|63|1M|4M|-b 256K
	80M|79|256K|512K|-b 256K
	80M|0|1M|20M|-b 256K -l 1M
	80M|0|3M|12M|-b 256K -L 12M
END
# The daemon's own files do not count as other files.
file_system 80M 61
dd if=/dev/zero of=$logs/sebuf0.0 bs=1M count=4 2>/dev/null
ok "lkstlogd's own files: lkstlogd starts" lkstlogd -b 256K
limits_become "lkstlogd's own files: the limits stay the same" 'up to 1M for each CPU, 4M together'
ok "lkstlogd's own files: TERM" stop

# --- other programs fill the file system while lkstlogd is running: lkstlogd deletes its older
# files, but not the files that it is writing

file_system 80M
starts others 0 -b 256K
for serial in 7 8 9; do
	dd if=/dev/zero of=$logs/sebufprevious.$serial bs=1M count=1 2>/dev/null
done
within 20 [ -e $logs/sebufprevious.9 ]
dd if=/dev/zero of=$logs/others bs=1M count=64 2>/dev/null
ok 'others: older files are deleted' within 60 [ ! -e $logs/sebufprevious.9 ]
is 'others: files that are being written stay' "$(serials 0)$(serials 1)" '0 0 '
limits_become 'others: the limit is lower' 'up to 2M for each CPU, 4M together'
rm $logs/others
ok 'others are deleted: the limit is as before' within 60 says '^log files .* 8M together'
ok 'others: TERM' stop
explained

# --- the files

file_system 80M
since=$(cut -d . -f 1 /proc/uptime)
foreground -a
ok 'lkstlogd writes' within 20 writes 1 0
contains 'lkstlogd logs its limits' "$(cat messages)" "files in $logs: at most 2M for each CPU, 8M together"
limits_become 'lkst status shows the limits' 'up to 2M for each CPU, 8M together'
# The first estimate is made ten seconds after the start.
unknown='the time that the files cover is not known yet' got=$(status 'log files')
if [ $(($(cut -d . -f 1 /proc/uptime) - since)) -lt 10 ]; then
	is "$unknown" "$got" 'up to 2M for each CPU, 8M together'
else
	skip "$unknown" 'the start took ten seconds'
fi
load 2 5 400 >made
ok 'the file is compressed' test "$(compressed $logs/sebuf0.0)" -gt 0
is 'the file names its limit' "$(logfiles check $logs/sebuf0.0 | sed -n 's/.* limit=\([0-9]*\).*/\1/p' | head -n 1)" 2097152
ok 'after a while the time that the files cover is known' within 60 says '^log files .*: the last [0-9]+ (s|min|h|days) of the busiest CPU$'
ok 'JSON has the time that the files cover' test "$(lkst status --json | json lkstlogd.seconds)" -gt 0
ok 'the time that the files cover is logged' within 120 grep -qE 'at the present rate the files hold the last [0-9]+ (s|min|h|days) of the busiest CPU' messages
end_foreground TERM
is 'TERM' $? 0
explained
rm -f $logs/sebuf*
starts --no-compress 0 --no-compress
load 1 >/dev/null
ok 'TERM' stop
explained
is '--no-compress: files are not compressed' "$(compressed $logs/sebuf0.0)" 0
umount $logs

rm -rf $logs messages made
done_testing
