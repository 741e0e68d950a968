#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A thread is late once in ten minutes under load. A watch takes a snapshot and stops the recorder,
# and lkstlogd saves the snapshot to a file. The file has the 20 ms before, and lkstla why names the
# cause. If the host is busy, a pause of an emulated CPU may make the thread late earlier. Then the
# program runs again, up to twice. Pauses are rarely as long as two seconds. $LATE_SECONDS replaces
# the ten minutes. Emulated CPUs run in parallel.
# suite: all
# kernel: base
# take-turns: no
# append: lkst.buffer_size=3M
# timeout: 1500

# shellcheck source=../daemon/lkstlogd.sh
. "$(dirname "$0")/lkstlogd.sh"
# shellcheck source=metronome.sh
. "$here/metronome.sh"

seconds=${LATE_SECONDS:-600}
mkdir -p late && cd late || exit
snapshots() { find "$logs" -name 'sebufsnapshot.*' 2>/dev/null | sort -t . -k 2n; }
# saved NUMBER: whether there are that many files, and all of them are complete
saved() { [ "$(snapshots | wc -l)" = "$1" ] && ! snapshots | grep -q '\..*\.'; }

# Without this limit, other threads run for 50 ms of each second that a real-time thread wants.
runtime=/proc/sys/kernel/sched_rt_runtime_us
read -r limit <$runtime
echo -1 >$runtime
selected=$(lkst status | sed -n 's/^maskset  *\([^ ]*\).*/\1/p')
lkstm read -d -m 2 | grep -v '^#' | lkstm write -n late >/dev/null
# With two buffers, a snapshot overwrites the last full one, which may contain the 20 ms before.
lkstbuf create -s 3M >/dev/null
lkstbuf create -s 3M -n 0 >/dev/null
lkstbuf link -b 1 -n 2 >/dev/null
lkstm set -n late
# lkstlogd copies this maskset into its own, and selects its own.
ok 'lkstlogd starts' lkstlogd --snapshots
selects_own() { lkst status | grep -q '^maskset .* lkstlogd$'; }
ok 'its maskset is selected' within 20 selects_own
workload --load "$here/doc" >/dev/null 2>&1 &
load=$!
trap 'echo $limit >$runtime; kill $load; wait $load; killall httpd threads gzip sort 2>/dev/null; lkst start 2>/dev/null; lkstm set -m "$selected"; lkstm delete -n late; lkstbuf jump -b 0; lkstbuf delete -b 1; lkstbuf delete -b 2; rm -rf /tmp/demo /etc/lkst.conf' EXIT

for attempt in 1 2 3; do
	lkst watch "process_waking if name ~ 'metro*'" process_contextswitch by thread=next \
		--name metronome --over 2s --do snapshot,off --count 1 >/dev/null
	watch_late "$seconds" 3000
	lkst status >status
	lkst watch --list --json metronome >watch.json
	lkst watch --list metronome >watch
	lkst watch --delete metronome
	within 30 saved $attempt
	snapshot=$(snapshots | tail -n 1)
	lkst start 2>/dev/null
	lkstla why -f "$snapshot" --any "$(json 0.worst.0.key.0.value <watch.json)" \
		--at "@$(json 0.worst.0.time <watch.json | sed 's/.........$/.&/')" >why 2>&1
	! grep -q culprit why || break
	diag "attempt $attempt: another cause: $(head -n 20 why)"
done
ok 'the load runs' kill -0 $load
contains 'the recorder has stopped by itself' "$(cat status)" '^state +stopped'
is 'one span was late' "$(json 0.late <watch.json)" 1
ok 'the other spans were measured' [ "$(json 0.count <watch.json)" -ge $((seconds * 10)) ]
ok 'lkstlogd has saved the snapshot' saved $attempt
contains 'lkstla why names the cause' "$(cat why)" culprit
diag "$(grep -E "^ .*culprit|spans" why watch)"
lkstbuf print -f "$snapshot" -r >events
check_metronome events
ok 'and events of the load' grep -qE ' (gzip|sort|threads|seq|wget)-[0-9]+ ' events
ok 'lkstlogd exits' stop
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|RCU used illegally|suspicious RCU'
done_testing
