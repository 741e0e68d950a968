#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# lkstlogd finds what previous boots have left in memory that was set aside, and puts each into a file of its own. A VM
# is reset without a warning while all CPUs record, and what its lkstlogd saves then is compared with what was recorded.
# A full disk, a limit and a killed daemon lose nothing.
# timeout: 300
# kernel: base
# modules: yes

set -u
. "$(dirname "$0")/death/common.sh"
prepare

guest <<'END'
. /share/lkstlogd.sh
PATH=/share:$PATH
# put NAME COMMAND...: what it says, for the host
put() { put_to=/share/$LKST_VM_BOOT.$1; shift; "$@" >"$put_to" 2>&1 || echo failed >>"$put_to"; }
says() { lkst status | grep -q "^previous boots .*$1"; }
# names: of files, with sizes of none
names() { ls -A "${1:-$logs}"; }
# daemon NAME OPTION...: in the foreground, what it says goes to the host
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
	reset
	;;
2)
	# It is not wanted, the limit has no room for it, the disk has none.
	put off lkstlogd --no-previous
	sleep 1
	put off-list lkstbuf previous
	stop
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
	# Room is made, and it is told.
	mount -o remount,size=64m $logs
	tell HUP
	within 30 says 'in '
	put status lkst status
	put json lkst status --json
	put list lkstbuf previous
	put files names
	stop
	cp -p $logs/sebufprevious.* /share/
	reset
	;;
3)
	# Whoever ends or kills it finds it at work: it waits for symbols that do not come.
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
	# The one that saves is killed as well.
	lkstlogd -f /share/logs/sebuf
	within 30 test -s /share/logs/sebufprevious.new
	kill -KILL $(cat $pid_file) $(children)
	rm "/boot/System.map-$(uname -r)"
	put killed-too-list lkstbuf previous
	# Names that are taken are left alone, those of links, too.
	echo other >/share/logs/sebufprevious.0
	ln -s /share/other /share/logs/sebufprevious.1
	lkstlogd -a -z -f /share/logs/sebuf
	within 30 says 'in '
	put status lkst status
	put list lkstbuf previous
	within 30 test -s /share/logs/sebuf0.3
	stop
	put files names /share/logs
	# Nothing is left to do.
	daemon again -f /share/logs/again
	sleep 2
	put again-status lkst status
	stop
	put again-files names /share/logs
	exit 0
	;;
esac
END
cp "$top/tests/vm/lkstlogd.sh" "$share/"
make -s -C "$top/tests/vm" OUT="$share" "$share/logfiles" >"$work/make.log" 2>&1 || bail_out "$(cat "$work/make.log")"
# shellcheck disable=SC2016 # the $ is the kernel's
vm 0 --mem 448 --reboots 2 --append "$(append 'memmap=16M$0x10000000 lkst.reserved=16M@0x10000000')"

said() { cat "$share/$1" 2>/dev/null; }
unread() { grep -c ' unread ' "$share/$1"; }
uuid='[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}'

lacks 'nothing is there before the first boot' "$(said 1.first-status)" 'previous boots '
lacks 'and no file' "$(said 1.first-files)" previous

is '--no-previous' "$(unread 2.off-list)" 1
contains 'the limit on all files has no room: said' "$(said 2.limit)" "^lkstlogd: previous boot $uuid: its file would have [0-9]+ bytes, and the limit on all files \(-L\) leaves 90112"
contains 'also in lkst status' "$(said 2.limit-status)" '^previous boots  1 not saved, unread: its file would have'
is 'it stays unread' "$(unread 2.limit-list)" 1
is 'and leaves no file' "$(said 2.limit-files)" ''
contains 'logs are written meanwhile' "$(said 2.limit-status)" '^lkstlogd +writing'
contains 'the disk is full: said' "$(said 2.full)" "^lkstlogd: previous boot $uuid: .*sebufprevious.new.*: No space left on device"
contains 'also in lkst status' "$(said 2.full-status)" '^previous boots  1 not saved, unread: .*No space left on device'
is 'it stays unread' "$(unread 2.full-list)" 1
is 'and leaves no file' "$(said 2.full-files)" ''

file=$share/sebufprevious.1
is 'after SIGHUP, with room: one file' "$(said 2.files)" sebufprevious.1
contains 'lkst status tells which' "$(said 2.status)" '^previous boots  1 saved, the latest in /var/log/lkst/sebufprevious\.1$'
lacks 'and of no trouble any more' "$(said 2.status)" 'not saved'
contains 'as JSON' "$(said 2.json | tr -d ' \n')" '"previous":\{"saved":1,"unsaved":0,"file":"[^"]*sebufprevious\.1","trouble":null\}'
is 'it is marked as read' "$(unread 2.list) $(grep -c ' read ' "$share/2.list")" '0 1'
records "$work/records" -f "$file"
contains 'the message tells how much' "$(said 2.full)" "previous boot $uuid: $(grep -c '"recid"' "$work/records") events saved in /var/log/lkst/sebufprevious\.1$"
all_there 'after a reset: all that was recorded' "$work/records" 1
no_complaint 'after a reset'
contains 'symbols of the kernel' "$("$lkstbuf" print -f "$file")" ' spin_lock +lock=.* caller=[a-z]\w+\+0x[0-9a-f]+$'
is 'for root only' "$(stat -c %a "$file")" 600

is 'TERM while it saves: it ends' "$(said 3.ended)" ''
is 'TERM while it saves: unread' "$(unread 3.ended-list)" 1
is 'TERM while it saves: no file' "$(said 3.ended-files)" ''
contains 'a daemon that was killed was at work' "$(said 3.at-work)" '^[0-9]+ $'
is 'a daemon that was killed: unread' "$(unread 3.killed-list)" 1
is 'a daemon that was killed: no file' "$(said 3.killed-files)" ''
is 'with what saves: unread' "$(unread 3.killed-too-list)" 1
is 'the next one saves it, nothing of the other is left, and no name is taken that others have' \
	"$(said 3.files | paste -sd ' ')" 'sebuf0.3 sebuf1.3 sebufprevious.0 sebufprevious.1 sebufprevious.2'
is 'they are as they were' "$(said logs/sebufprevious.0) $(readlink "$share/logs/sebufprevious.1")" 'other /share/other'
contains 'of two boots only the unread one' "$(said 3.status)" '^previous boots  1 saved, the latest in /share/logs/sebufprevious\.2$'
is 'now both are read' "$(unread 3.list)" 0
records "$work/records" -f "$share/logs/sebufprevious.2"
all_there 'the boot after, compressed' "$work/records" 2
no_complaint 'the boot after'
ok 'compressed: smaller' test "$(stat -c %s "$share/logs/sebufprevious.2")" -lt $(($(stat -c %s "$file") / 2))
lacks 'nothing is unread: nothing is said' "$(said 3.again)$(said 3.again-status | grep '^previous boots')" previous
lacks 'and no file comes' "$(said 3.again-files)" 'again'
done_testing
