#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd keeps up with two CPUs that are busy for ten minutes. First they run real programs as in
# the demo, then a program that does nothing but cause events as fast as it can. All files are
# checked: no record may be lost, not even when a signal makes lkstlogd stop writing and another one
# makes it continue.
# suite: all
# kernel: base
# mem: 2048
# append: lkst.buffer_size=4M
# timeout: 1200

# shellcheck disable=SC2317
. "$(dirname "$0")/lkstlogd.sh"
readonly seconds=600

# programs DIR: run one round of the demo's workload in DIR
programs() {
	mkdir -p "$1"
	cp -r /bin/busybox "$here/doc" "$1"
	(cd "$1" && tar cf - doc busybox | gzip -9 >tree.tar.gz) &
	seq 1 20000 | sort -rn | sed 's/1/one/' | wc -l >/dev/null
	wait $!
	wget -q -O "$1/copy" "http://127.0.0.1:5555/$1/tree.tar.gz"
	cmp "$1/tree.tar.gz" "$1/copy" || echo "$1: the copy differs"
	sleep 60 &
	usleep 1000
	kill $!
	wait $! 2>/dev/null
	rm -rf "$1"
}
work_until() { while [ "$(date +%s)" -lt "$2" ]; do programs "$1"; done; }

# Argument for within(), in seconds. It is large, because the host may be slow. The test as a whole
# has its own time limit.
readonly timeout=100

# checks FILE...: check the files, and set $checked to the result. The check has a higher priority
# than the load: otherwise the load would generate more records than can be checked.
checks() { checked=$(sh -c 'renice -n -10 $$ >/dev/null 2>&1; exec logfiles check "$@"' sh "$@" 2>&1); }
written() { [ -e "$logs/sebuf$1.$2" ] && ! writes "$1" "$2"; }
both_written() { written 0 "$1" && written 1 "$1"; }

serial=0 records=0 rounds=0 problems='' load='' next=''
problem() { problems="$problems$*
"; }

# check_serial SERIAL: check that the files of both CPUs with that serial are closed and complete, and
# that they continue the previous ones. Then delete them. The first files of each part are kept for
# report_part.
check_serial() {
	if ! within $timeout both_written "$1"; then
		problem "serial $1 is still being written"
		return
	fi
	checks "$logs/sebuf0.$1" "$logs/sebuf1.$1" || problem "serial $1: $checked"
	[ "$(of "file=$logs/sebuf0.$1" closed) $(of "file=$logs/sebuf1.$1" closed)" = '1 1' ] || problem "serial $1 has no end"
	[ -z "$next" ] || [ "$(both_of first)" = "$next" ] || problem "serial $1 begins with $(both_of first), not $next"
	[ "$(both_of lost)" = '0 0' ] || problem "serial $1: $(both_of lost) are lost"
	next=$(both_of next)
	records=$((records + $(of cpu=0 records) + $(of cpu=1 records)))
	[ -e first0 ] || mv "$logs/sebuf0.$1" first0
	[ -e first1 ] || mv "$logs/sebuf1.$1" first1
	rm -f "$logs/sebuf0.$1" "$logs/sebuf1.$1"
	rounds=$((rounds + 1))
}

# Make the daemon stop writing and start again. How long it takes to close its files and to begin
# new ones depends on the host, and its ring is of limited size. The program that generates events
# as fast as it can is therefore suspended in the meantime.
stop_and_resume() {
	signal_daemon USR1
	usleep 100000
	[ -z "$load" ] || kill -STOP "-$load"
	within $timeout both_written $serial || problem "serial $serial is still being written"
	signal_daemon USR1
	within $timeout both $((serial + 1)) || problem "serial $((serial + 1)) was not created"
	[ -z "$load" ] || kill -CONT "-$load"
}

# watch UNTIL EVERY: until the time UNTIL, make the daemon begin new files every EVERY seconds, and
# check the previous files. Once, halfway through, call stop_and_resume() instead.
watch() {
	watch_stop=$((($(date +%s) + $1) / 2))
	while [ "$(date +%s)" -lt "$1" ]; do
		sleep "$2"
		if [ $watch_stop -gt 0 ] && [ "$(date +%s)" -ge $watch_stop ]; then
			stop_and_resume
			check_serial $serial
			watch_stop=0
		else
			signal_daemon USR2
			within $timeout both $((serial + 1)) || problem "serial $((serial + 1)) was not created"
			check_serial $serial
		fi
		serial=$((serial + 1))
	done
}

# report_part NAME: report the results of the part NAME of this test. lkstla why takes too long to
# explain all files of a part.
report_part() {
	is "$1: no record is missing in $rounds files of each CPU" "$problems" ''
	is "$1: no record is lost" "$(lkst status | sed -n 's/^lost  *//p')" 0
	diag "$1: $records records"
	why_agrees first0 first1
	rm first0 first1
	problems='' records=0 rounds=0
}

httpd -p 127.0.0.1:5555 -h /tmp
ok 'lkstlogd starts' lkstlogd -a -b 8M -n 4 -l 500M
within $timeout both 0

end=$(($(date +%s) + seconds * 2 / 3))
work_until one $end &
one=$!
work_until two $end &
two=$!
watch $end 4
wait $one $two
report_part 'real programs'
ok 'real programs: both CPUs were busy' test "$(($(recid 0 next) + $(recid 1 next)))" -gt $((seconds * 1000))

end=$(($(date +%s) + seconds / 3))
load $((seconds / 3)) 20 >made &
load=$!
watch $end 1
wait $load
report_part 'flat out'

next_kernel_0=$(recid 0 next) next_kernel_1=$(recid 1 next)
ok 'TERM' stop
check_serial $serial
why_agrees first0 first1
is 'the end: no record is missing' "$problems" ''
ok 'the end: the files have the last records' test "${next% *}" -ge "$next_kernel_0" -a "${next#* }" -ge "$next_kernel_1"
killall httpd
rm -rf $logs made first0 first1
done_testing
