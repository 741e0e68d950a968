#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# lkstlogd saves the events that previous boots have left in reserved memory, with one file for each
# boot. A VM is reset without a warning while all CPUs are recording. After the reset, lkstlogd
# saves all events that were recorded. No event is lost if the disk is full, if a limit is too low,
# or if the daemon is killed. Beside each file, lkstlogd writes the report of that boot.
# timeout: 400
# kernel: base
# modules: yes

. "$(dirname "$0")/death/common.sh"

guest <<'END'
. /share/lkstlogd.sh
PATH=/share:$PATH
# put NAME COMMAND...: write the output of COMMAND to a file for the host
put() { put_to=/share/$LKST_VM_BOOT.$1; shift; "$@" >"$put_to" 2>&1 || echo failed >>"$put_to"; }
says() { lkst status | grep -q "^previous boots .*$1"; }
# names [DIR]: print the names of the files in DIR, or in the directory of log files
names() { ls -A "${1:-$logs}"; }
# daemon NAME OPTION...: run lkstlogd with -F in the background, with its messages in a file for the
# host
daemon() { daemon_to=/share/$LKST_VM_BOOT.$1; shift; lkstlogd -F "$@" 2>"$daemon_to" & within 30 test -s $pid_file; }
reset() { record 2; echo b >/proc/sysrq-trigger; sleep 1000; }

cd /share || exit
mkdir -p $logs
case $LKST_VM_BOOT in
1)
	put first lkstlogd -a
	put first-status lkst status
	stop
	put first-files names
	sleep 6 # The report shows a history only if the long rings cover 5 s.
	reset
	;;
2)
	# The records of the previous boot are not saved: at first because saving is off, then
	# because the limit is too low, then because the disk is full.
	put off lkstlogd --no-previous
	sleep 1
	put off-list lkstbuf previous
	stop
	put report lkstla report --previous
	daemon limit -l 256K -L 600K -a
	within 30 says 'not saved'
	put limit-status lkst status
	put limit-list lkstbuf previous
	stop
	put limit-files sh -c "ls -A $logs | sed -n /previous/p"
	rm -f $logs/*
	mount -t tmpfs -o size=64k none $logs
	daemon full
	within 30 says 'not saved'
	put full-status lkst status
	put full-list lkstbuf previous
	put full-files names
	# Once the disk has room again and lkstlogd gets SIGHUP, it saves the records of the
	# previous boot.
	mount -o remount,size=64m $logs
	signal_daemon HUP
	within 30 says 'in '
	within 60 test -e $logs/report-sebufprevious.1.txt
	put status lkst status
	put json lkst status --json
	put list lkstbuf previous
	put files names
	stop
	cp -p $logs/*sebufprevious.* /share/
	# The limit on the size of all files leaves no room for the file of the previous boot, so
	# lkstlogd deletes that file and its report. It keeps a report that belongs to no file.
	echo other >$logs/report-sebufprevious.7.txt
	lkstlogd --no-previous -l 256K -L 600K -a
	within 30 [ ! -e $logs/sebufprevious.1 ]
	stop
	put deleted-files sh -c "ls -A $logs | sed -n /previous/p"
	reset
	;;
3)
	# Make saving wait for symbols that never arrive, so that lkstlogd can be killed in the
	# meantime.
	mkfifo "/boot/System.map-$(uname -r)"
	lkstlogd -f /share/logs/sebuf
	within 30 test -s /share/logs/sebufprevious.new
	put ended stop
	put ended-list lkstbuf previous
	put ended-files names /share/logs
	lkstlogd -f /share/logs/sebuf
	within 30 test -s /share/logs/sebufprevious.new
	pid=$(cat $pid_file) saver=$(children)
	put at-work echo "$saver"
	kill -KILL "$pid"
	within 30 gone $saver
	put killed-list lkstbuf previous
	put killed-files names /share/logs
	# Now also kill the process that does the saving.
	lkstlogd -f /share/logs/sebuf
	within 30 test -s /share/logs/sebufprevious.new
	kill -KILL $(cat $pid_file) $(children)
	rm "/boot/System.map-$(uname -r)"
	put killed-too-list lkstbuf previous
	# lkstlogd does not overwrite existing files and links.
	echo other >/share/logs/sebufprevious.0
	ln -s /share/other /share/logs/sebufprevious.1
	daemon no-report -a -z --no-report -f /share/logs/sebuf
	within 30 says 'in '
	put status lkst status
	put list lkstbuf previous
	within 30 test -s /share/logs/sebuf0.3
	stop
	put files names /share/logs
	# Nothing is left to save.
	daemon again -f /share/logs/again
	sleep 2
	put again-status lkst status
	stop
	put again-files names /share/logs
	reset
	;;
4)
	# lkstlogd runs the lkstla in its own directory.
	mkdir /tmp/other
	cp "$(which lkstlogd)" /tmp/other/
	printf '#!/bin/sh\necho "lkstla: $1 $2: out of order" >&2\nexit 1\n' >/tmp/other/lkstla
	chmod +x /tmp/other/lkstla
	PATH=/tmp/other:$PATH
	daemon failed -f /share/logs/failed
	within 60 grep -q 'no report' $daemon_to
	put status lkst status
	put list lkstbuf previous
	stop
	put files names /share/logs
	exit 0
	;;
esac
END
cp "$top/tests/vm/daemon/lkstlogd.sh" "$share/"
make -s -C "$top/tests/vm" OUT="$share" "$share/logfiles" >"$work/make.log" 2>&1 || bail_out "$(cat "$work/make.log")"
# shellcheck disable=SC2016 # the $ is part of the parameter memmap
vm 0 --mem 448 --reboots 3 --append "$(append 'memmap=16M$0x10000000 lkst.reserved=16M@0x10000000')"

result_of() { cat "$share/$1" 2>/dev/null; }
unread() { grep -c ' unread ' "$share/$1"; }
uuid='[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}'

lacks 'first boot: lkst status shows no previous boots' "$(result_of 1.first-status)" 'previous boots '
lacks 'first boot: no file of a previous boot' "$(result_of 1.first-files)" previous

is '--no-previous: the previous boot stays unread' "$(unread 2.off-list)" 1
contains 'the limit on all files is too low: reported' "$(result_of 2.limit)" "^lkstlogd: previous boot $uuid: its file needs [0-9]+ bytes, but the limit on all files \(-L\) leaves 90112"
contains 'the limit on all files is too low: lkst status reports it' "$(result_of 2.limit-status)" '^previous boots  1 not saved, unread: its file needs'
is 'the limit on all files is too low: the boot stays unread' "$(unread 2.limit-list)" 1
is 'the limit on all files is too low: no file is left' "$(result_of 2.limit-files)" ''
contains 'the limit on all files is too low: logs are still written' "$(result_of 2.limit-status)" '^lkstlogd +writing'
contains 'the disk is full: reported' "$(result_of 2.full)" "^lkstlogd: previous boot $uuid: .*sebufprevious.new.*: No space left on device"
contains 'the disk is full: lkst status reports it' "$(result_of 2.full-status)" '^previous boots  1 not saved, unread: .*No space left on device'
is 'the disk is full: the boot stays unread' "$(unread 2.full-list)" 1
is 'the disk is full: no file is left' "$(result_of 2.full-files)" ''

file=$share/sebufprevious.1
is 'after SIGHUP, with room on the disk: one file, and its report' "$(result_of 2.files | paste -sd ' ')" \
	'report-sebufprevious.1.txt sebufprevious.1'
contains 'lkst status names the file' "$(result_of 2.status)" '^previous boots  1 saved, the latest in /var/log/lkst/sebufprevious\.1$'
lacks 'lkst status reports no trouble' "$(result_of 2.status)" 'not saved'
contains 'lkst status --json names the file' "$(result_of 2.json | tr -d ' \n')" '"previous":\{"saved":1,"unsaved":0,"file":"[^"]*sebufprevious\.1","trouble":null\}'
is 'the saved boot is marked as read' "$(unread 2.list) $(grep -c ' read ' "$share/2.list")" '0 1'
records "$work/records" -f "$file"
contains 'the message says how many events were saved' "$(result_of 2.full)" "previous boot $uuid: $(grep -c '"recid"' "$work/records") events saved in /var/log/lkst/sebufprevious\.1$"
all_there 'after a reset: all that was recorded' "$work/records" 1
no_complaint 'after a reset'
why_agrees_if_any 'after a reset' "$file"
contains 'symbols of the kernel' "$("$lkstbuf" print -f "$file")" ' spin_lock +lock=.* caller=[a-z]\w+\+0x[0-9a-f]+$'
is 'only root can read the files' "$(stat -c %a "$file" "$share/report-sebufprevious.1.txt" | paste -sd ' ')" '600 600'
report=$share/report-sebufprevious.1.txt
is 'the report is what lkstla report prints, then its messages' "$(cat "$report")" \
	"$({ TZ=UTC "$top/build/bin/lkstla" report -f "$file" 2>"$work/messages"; echo; cat "$work/messages"; } |
		sed "s,$file,/var/log/lkst/sebufprevious.1,")"
is 'lkstla report --previous prints the same page' \
	"$(sed '/^lkstla: /d; s,  *--previous$, -f /var/log/lkst/sebufprevious.1,' "$share/2.report")" \
	"$(sed '/^lkstla: /d; $d' "$report")"
contains 'the report has the history' "$(cat "$report")" '^HISTORY$'
contains 'a message names the report' "$(result_of 2.full)" "^lkstlogd: previous boot $uuid: report in /var/log/lkst/report-sebufprevious\.1\.txt$"
contains 'the report says how the machine died' "$(grep -A 1 '^HOW THE MACHINE DIED$' "$report")" '^ +No panic was recorded: the machine was .*reset'
is 'the next message quotes this' "$(grep -A 1 ': report in ' "$share/2.full" | sed -n '2s/^lkstlogd: previous boot [0-9a-f-]*: //p')" \
	"$(sed -n '/^HOW THE MACHINE DIED$/{n;s/^ *//p}' "$report")"
is 'the report is deleted together with the file' "$(result_of 2.deleted-files)" report-sebufprevious.7.txt

is 'SIGTERM while it saves: lkstlogd exits' "$(result_of 3.ended)" ''
is 'SIGTERM while it saves: the boot stays unread' "$(unread 3.ended-list)" 1
is 'SIGTERM while it saves: no file is left' "$(result_of 3.ended-files)" ''
contains 'killed while it saves: the saving process was running' "$(result_of 3.at-work)" '^[0-9]+ $'
is 'killed while it saves: the boot stays unread' "$(unread 3.killed-list)" 1
is 'killed while it saves: no file is left' "$(result_of 3.killed-files)" ''
is 'killed with the saving process: the boot stays unread' "$(unread 3.killed-too-list)" 1
is 'the next daemon saves the boot under a free name, and removes the unfinished file' \
	"$(result_of 3.files | paste -sd ' ')" 'sebuf0.3 sebuf1.3 sebufprevious.0 sebufprevious.1 sebufprevious.2'
lacks '--no-report: no message about a report' "$(result_of 3.no-report)" report
is 'existing files are unchanged' "$(result_of logs/sebufprevious.0) $(readlink "$share/logs/sebufprevious.1")" 'other /share/other'
contains 'of two boots only the unread one is saved' "$(result_of 3.status)" '^previous boots  1 saved, the latest in /share/logs/sebufprevious\.2$'
is 'both boots are marked as read' "$(unread 3.list)" 0
records "$work/records" -f "$share/logs/sebufprevious.2"
all_there 'the next boot, compressed' "$work/records" 2
no_complaint 'the next boot'
why_agrees_if_any 'the next boot, compressed' "$share/logs/sebufprevious.2"
ok 'the compressed file is smaller' test "$(stat -c %s "$share/logs/sebufprevious.2")" -lt $(($(stat -c %s "$file") / 2))
lacks 'no unread boot: nothing is reported' "$(result_of 3.again)$(result_of 3.again-status | grep '^previous boots')" previous
lacks 'no unread boot: no file is created' "$(result_of 3.again-files)" 'again'

contains 'lkstla fails: a message says why there is no report' "$(result_of 4.failed)" \
	"^lkstlogd: previous boot $uuid: no report: /tmp/other/lkstla: exit status 1 without a report: lkstla: report -f: out of order \(lkstla report -f /share/logs/failedprevious\.[0-9]+ prints it\)$"
contains 'lkstla fails: the file is there' "$(result_of 4.files | paste -sd ' ')" '^failedprevious\.[0-9]+ sebuf'
contains 'lkstla fails: lkst status names the file' "$(result_of 4.status)" '^previous boots  1 saved, the latest in /share/logs/failedprevious\.[0-9]+$'
contains 'lkstla fails: the daemon continues' "$(result_of 4.status)" '^lkstlogd +idle'
is 'lkstla fails: the boot is marked as read' "$(unread 4.list)" 0
why_agrees_if_any 'the last boot' "$share"/logs/failedprevious.*
why_agrees_if_any 'logs' "$share"/logs/sebuf[01].3
done_testing
