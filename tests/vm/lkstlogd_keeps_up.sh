#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstlogd_keeps_up.sh SECONDS: for that time both CPUs work, with real programs as in the demo, then flat out with a
# program that does nothing but be recorded, while lkstlogd writes. All records are looked at, file by file; none is
# lost, also where it is told to stop and to go on.

# Functions are called by "within".
# shellcheck disable=SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
seconds=$1
cd /tmp || exit

# One round of the demo's workload.
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

# The machine may be slow, and the whole test has its time limit.
readonly patience=100

# checks FILE: into $checked. It comes before the load: else there would be more to look at each time.
checks() { checked=$(sh -c 'renice -n -10 $$ >/dev/null 2>&1; exec logfiles check "$1"' sh "$1" 2>&1); }
written() { [ -e "$logs/sebuf$1.$2" ] && ! writes "$1" "$2"; }
both_written() { written 0 "$1" && written 1 "$1"; }
both_write() { writes 0 "$1" && writes 1 "$1"; }
# Seconds of a CPU that the daemon has taken until now.
taken() {
	for taken_pid in $(cat $pid_file) $(children); do
		cat "/proc/$taken_pid/stat"
	done | awk -v parent="$(cat $pid_file)" '{ all += $14 + $15 + ($1 == parent ? $16 + $17 : 0) } END { print all / 100 }'
}

serial=0 records=0 rounds=0 problems='' load=''
next_0='' next_1=''
problem() { problems="$problems$*
"; }

# looked_at SERIAL: both CPUs' files of it are closed, whole, and go on where those before ended. They are deleted.
looked_at() {
	for look_cpu in 0 1; do
		look_file=$logs/sebuf$look_cpu.$1
		if ! within $patience written $look_cpu "$1"; then
			problem "serial $1: $look_file is still being written"
			return
		fi
		checks "$look_file" || problem "serial $1: $checked"
		[ "$(of file="$look_file" closed)" = 1 ] || problem "serial $1: $look_file has no end"
		eval "look_next=\$next_$look_cpu"
		[ -z "$look_next" ] || [ "$(of cpu=$look_cpu first)" = "$look_next" ] ||
			problem "serial $1: CPU $look_cpu begins with $(of cpu=$look_cpu first), not $look_next"
		[ "$(of cpu=$look_cpu lost)" = 0 ] || problem "serial $1: CPU $look_cpu: $(of cpu=$look_cpu lost) are lost"
		eval "next_$look_cpu=$(of cpu=$look_cpu next)"
		records=$((records + $(of cpu=$look_cpu records)))
		rm "$look_file"
	done
	rounds=$((rounds + 1))
}

# It is told to stop under load. How long it takes to close its files and to begin again is up to the machine, and the
# ring holds only so much: what runs flat out waits for that.
stop_and_go() {
	tell USR1
	usleep 100000
	[ -z "$load" ] || kill -STOP "-$load"
	within $patience both_written $serial || problem "serial $serial is still being written"
	tell USR1
	within $patience both_write $((serial + 1)) || problem "serial $((serial + 1)) does not come"
	[ -z "$load" ] || kill -CONT "-$load"
}

# watch UNTIL EVERY: files are changed and looked at; in the middle it stops and goes on.
watch() {
	watch_stop=$((($(date +%s) + $1) / 2))
	while [ "$(date +%s)" -lt "$1" ]; do
		sleep "$2"
		if [ $watch_stop -gt 0 ] && [ "$(date +%s)" -ge $watch_stop ]; then
			stop_and_go
			looked_at $serial
			watch_stop=0
		else
			tell USR2
			within $patience both_write $((serial + 1)) || problem "serial $((serial + 1)) does not come"
			looked_at $serial
		fi
		serial=$((serial + 1))
	done
}

# kept_up NAME: for the part that was now.
kept_up() {
	is "$1: nothing is missing in $rounds files of each CPU" "$problems" ''
	is "$1: nothing is lost" "$(lkst status | sed -n 's/^lost  *//p')" 0
	diag "$1: $records records; $(taken) s of a CPU until now, $(cut -d ' ' -f 1 /proc/uptime) s after the boot"
	problems='' records=0 rounds=0
}

rm -rf $logs
httpd -p 127.0.0.1:5555 -h /tmp
ok 'it starts' lkstlogd -a -b 8M -n 4 -l 500M
within $patience both_write 0

end=$(($(date +%s) + seconds * 2 / 3))
work_until one $end &
one=$!
work_until two $end &
two=$!
watch $end 4
wait $one $two
kept_up 'real programs'
ok 'real programs: they were at work' test "$(($(recid 0 next) + $(recid 1 next)))" -gt $((seconds * 1000))

end=$(($(date +%s) + seconds / 3))
load $((seconds / 3)) 20 >made &
load=$!
watch $end 1
wait $load
kept_up 'flat out'

next_kernel_0=$(recid 0 next) next_kernel_1=$(recid 1 next)
ok 'TERM' stop
looked_at $serial
is 'the tail: nothing is missing' "$problems" ''
ok 'the tail: it is there' test "$next_0" -ge "$next_kernel_0" -a "$next_1" -ge "$next_kernel_1"
killall httpd
rm -rf $logs made
done_testing
