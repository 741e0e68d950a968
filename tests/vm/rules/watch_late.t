#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A watch stops the recorder when a thread is late, which happens once. The trace contains the end
# of the late system call and the events before it, and lkstla why names the cause. If the machine
# is busy, a pause of an emulated CPU may make the thread late earlier. Then the program runs again,
# up to four times.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=metronome.sh
. "$here/metronome.sh"

selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 2 | grep -v '^#' | lkstm write -n late >/dev/null
lkstm set -n late

for attempt in 1 2 3 4 5; do
	lkst watch "process_waking if name ~ 'metro*'" process_contextswitch by thread=next \
		--name metronome --over 100ms --do 'stop(200)' --count 1 >/dev/null
	watch_late
	lkst status >status
	lkst watch --list --json metronome >watch.json
	lkst watch --list metronome >watch
	lkst watch --delete metronome
	lkstbuf read -f trace
	lkst start 2>/dev/null
	thread=$(json 0.worst.0.key.0.value <watch.json)
	lkstla why -f trace --any --syscall clock_nanosleep "$thread" >why 2>&1
	! grep -q culprit why || break
	diag "attempt $attempt: another cause"
done
contains 'the recorder has stopped by itself' "$(cat status)" '^state +stopped'
is 'one span was late' "$(json 0.late <watch.json)" 1
ok 'it was as long as the other thread ran' [ "$(json 0.max <watch.json)" -ge 250000000 ]
ok 'the other spans were measured' [ "$(json 0.count <watch.json)" -ge 35 ]
contains 'lkstla why names the cause' "$(cat why)" culprit
lkstbuf print -f trace -r >events
check_metronome events
lkstm set -m "$selected"
lkstm delete -n late
done_testing
