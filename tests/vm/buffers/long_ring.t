#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The long ring of each CPU holds rare events and the digest. A burst of rare events does not
# overwrite the older ones. lkstbuf read writes the long rings to a trace file, and lkstbuf print
# reads them from the file and from the kernel.

. "$(dirname "$0")/../tap.sh"

params=/sys/module/lkst/parameters
work=$(mktemp -d)
cd "$work" || exit 1

# within NAME SECONDS COMMAND...: test that COMMAND succeeds within SECONDS
within() {
	name=$1 left=$2
	shift 2
	while [ "$left" -gt 0 ] && ! "$@" >/dev/null 2>&1; do
		left=$((left - 1))
		sleep 1
	done
	ok "$name" "$@"
}

long() { lkstbuf print --long-ring -r "$@"; }
# Whether the long rings have at least NUMBER events EVENT: has EVENT NUMBER
has() { [ "$(long -e "$1" | grep -c "$1")" -ge "$2" ]; }

# Earlier tests in the same boot may have used up the budget of the CPUs. So let the long rings take
# only few types of events, and try until the budget has been refilled.
marked() {
	lkstlogger -s "the long ring takes this mark, or its start"
	long -e user_text | grep -q 'text="the long ring takes this mark, o"'
}
started() {
	sh -c "exec $work/true"
	long -e process_exec | grep -q "path=.*/true"
}
cp /bin/busybox longring_name
ln -s longring_name true 2>/dev/null
echo user_text,process_exec >$params/long_events
within 'a text is recorded in a long ring' 120 marked
within 'the start of a program is recorded in a long ring' 120 started
echo 'all,oops_printk' >$params/long_events
within 'each second has a digest of a CPU' 60 has lkst_digest 3
# lkstla report shows a history only if the long rings cover 5 s.
within 'each second has a digest of the system' 60 has lkst_digest_system 7

ok 'the buffers and the long rings are in one file' lkstbuf read -f all.lkst
lkstbuf print --long-ring -f all.lkst -r >long.txt 2>long.err
lkstbuf print -f all.lkst -r >usual.txt 2>usual.err
is 'nothing is reported about the long rings' "$(cat long.err)" ''
contains 'a mark: its first 32 bytes' "$(cat long.txt)" 'user_text +text="the long ring takes this mark, o"'
contains 'a program that was started' "$(cat long.txt)" "process_exec .*path=.*/true"
is 'digests are in the long rings only' "$(grep -c ' lkst_digest' usual.txt)" 0
is 'frequent events are in the buffers only' \
	"$(grep -c process_contextswitch long.txt) $(grep -q process_contextswitch usual.txt && echo yes)" '0 yes'
lkstbuf print --long-ring -f all.lkst -r --json >long.json
# The seconds of the day begin again at midnight, so compare ns.
is 'the times ascend' "$(awk '
	match($0, /"time_ns":[0-9]+/) { print substr($0, RSTART + 10, RLENGTH - 10) }' long.json |
	LC_ALL=C sort -c 2>&1)" ''
is 'each event has a time' "$(grep -c '"time_ns":[1-9]' long.json)" "$(grep -c '^[0-9]' long.txt)"

# The figures of a digest add up: no CPU spends more time than there was. The kernel counts ticks,
# so each figure may be wrong by a few of them.
is 'a digest covers no more time than there was' "$(long -e lkst_digest --json | awk '
	function get(name) { return match($0, "\"" name "\":-?[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
	get("ms") == "" || get("user_ms") == "" || get("system_ms") == "" || get("irq_ms") == "" || get("idle_ms") == "" { unknown++ }
	get("ms") > 0 && get("user_ms") + get("system_ms") + get("irq_ms") + get("idle_ms") > get("ms") * 1.5 + 500 { print }
	END { print (NR >= 3 ? "some" : NR + 0) " digests, " unknown + 0 " without a figure" }')" 'some digests, 0 without a figure'
contains 'free memory is known' "$(long -e lkst_digest_system)" ' free_kb=[1-9][0-9]+ available_kb=[1-9][0-9]+ '

lkstla report -f all.lkst >report.txt 2>&1
contains 'lkstla report shows the history as a graph' "$(cat report.txt)" '^    CPUs busy +\|[ .:=+*#%@?-]{60}\| max '
contains 'lkstla report lists notable events' "$(cat report.txt)" '^    [0-9:.]+ \[[0-9]+\] user_text "the long ring takes this mark, o"$'

# A burst: a CPU may add 1/16 of its ring at once. Further events are left out and counted.
i=0
while [ $i -lt 1500 ]; do
	(:)
	i=$((i + 1))
done
left_out() { long -e lkst_digest | grep -q 'left_out=[1-9]'; }
within 'a burst of forks is left out, and counted' 60 left_out
contains 'lkstbuf list has the count' "$(lkstbuf list | sed '1,/^$/d' | awk '$4 > 0')" '^ +[01] +[0-9]+ +[0-9]+ +[1-9][0-9]* '
contains 'the mark before the burst is still there' "$(long)" 'text="the long ring takes this mark, o"'

is 'all events that the long rings can take are selected' "$(cat $params/long_events)" 'all,oops_printk'
echo '!process' >$params/long_events
# The text may need some tries, like the first one.
unselected() {
	lkstlogger -s "no processes any longer"
	sh -c true
	long | awk '/no processes any longer/ { on = 1 } on && / process_/ { num++ } END { exit !on || num }'
}
within 'long_events leaves out events' 60 unselected
for value in '' nosuch process_contextswitch; do
	fails "long_events: \"$value\" is refused" any sh -c "echo '$value' >$params/long_events"
done
is 'refused values change nothing' "$(cat $params/long_events)" '!process'
echo 'all,oops_printk' >$params/long_events

fails 'a long ring is not followed' 2 lkstbuf print --long-ring --follow
cd / && rm -rf "$work"
done_testing
