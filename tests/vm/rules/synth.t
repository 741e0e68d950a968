#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Synthetic events: adding and removing them, and the action trace() of rules and watches. If the
# kernel has synthetic events of its own (CONFIG_SYNTH_EVENTS), a watch makes as many events of
# wakeups as the kernel, with the same priorities and about the same latencies.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M lkst.memory=64M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

selected=$(field maskset | cut -d ' ' -f 1)
# At first, the maskset "synths" records nothing.
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n synths -S >/dev/null || bail_out 'lkstm write'
ends() {
	lkstm set -m "$selected"
	lkstm delete -n synths
	watches=$(lkst watch --list | sed -n 's/^\([^ ]*\): .*/\1/p')
	for watch in $watches; do lkst watch --delete "$watch"; done
	lkstm event list | awk 'NR > 1 { print $2 }' | xargs -r lkstm event remove
}
trap ends EXIT
rule() { lkstm rule -n synths "$@"; }
mark() { lkstlogger -ev user_mark -a1 "$1" -a2 "${2:-0}" -a3 "${3:-0}"; }
# events NAME: print the fields of the recorded events called NAME
events() { lkstbuf print --own -r -e "$1" 2>/dev/null | sed -n "s/.* $1  *//p"; }
# missed NAME: print how many events could not be made
missed() { lkstm event list | awk -v name="$1" '$2 == name { print $4 }'; }
# on EVENT: record an event in the maskset
on() { lkstm config -n synths "$1" entry_log; }

# --- adding, listing and removing

contains 'an event is added' "$(lkstm event add 's:beat u64 lat; pid_t who;  char name[16]; ')" '^0x[0-9a-f]{3}  synthetic:beat$'
contains 'it is listed' "$(lkstm event list)" '^0x... +synthetic:beat +off +0 +0  s:synthetic/beat u64 lat; pid_t who; char name\[16\]$'
contains 'its fields' "$(cat /proc/lkst_etypes)" 'synthetic:beat.*u64 lat; s32 who; char\[16\] name'
on synthetic:beat
lkstm set -n synths
contains 'it is recorded' "$(lkstm event list)" '^0x... +synthetic:beat +on '
refused 'an event that is recorded stays' 1 '^lkstm: beat: .*recorded' lkstm event remove beat

# --- an action of a rule

lkstm event add 's:mine/one x64 value; u8 low; s16 third' >/dev/null
on mine:one
rule user_mark do 'trace(mine:one, arg1 ,arg2,arg3):3, drop'
mark 0x123456789abcdef 0x1ff 0x18001
is 'fields of the event, which are cut' "$(events mine:one)" 'value=0x123456789abcdef low=255 third=-32767'
is 'the event itself is dropped' "$(events user_mark)" ''
rule user_mark do 'trace(beat,arg1,tid,comm), drop'
mark 5
contains 'a string' "$(events synthetic:beat)" '^lat=5 who=[0-9]+ name="?lkstlogger"?$'

# --- actions of synthetic events, which make no further events

rule user_mark do 'trace(mine:one,arg1,arg2,arg3), drop'
rule mine:one if 'value == 7' do 'hist(keys=low:vals=third), drop, trace(beat,value,tid,comm)'
before=$(missed synthetic:beat)
mark 7 3 10
mark 7 3 20
mark 8 3 40
contains 'the rule of the event counts it' "$(lkstm hist -n synths mine:one)" '^\{ low: +3 \} +hitcount: +2 +third: +30$'
is 'an event that it would make is missed' "$(($(missed synthetic:beat) - before))" 2
rule -d mine:one,user_mark

# --- a watch

lkst watch -n synths user_mark user_mark by arg1 --name beat --do 'trace(beat,begin.arg2,span,comm)' >/dev/null
lkstm config -n synths synthetic:beat off
refused 'an event that a watch makes stays' 1 '^lkstm: beat: .*a rule or a watch makes it' lkstm event remove beat
on synthetic:beat
events synthetic:beat | wc -l >before
mark 1 100
mark 2 200
mark 1 300
mark 1 400
events synthetic:beat | tail -n +"$(($(cat before) + 1))" >made
is 'each span makes an event with a field of its begin' "$(sed 's/ .*//' made | tr '\n' ' ')" 'lat=100 lat=300 '
is 'these are all spans' "$(lkst watch --list --json beat | json 0.count)" 2
is 'they are not late' "$(lkst watch --list --json beat | json 0.late) $(events lkst_watch | grep -c beat)" '0 0'
lkst watch --delete beat
lkst watch -n synths user_mark user_mark by arg1 --name late --over 10s --do 'trace(beat,begin.arg2,span,comm)' >/dev/null
events synthetic:beat | wc -l >before
mark 1
mark 1
is 'with a limit, only late spans make events' "$(events synthetic:beat | wc -l)" "$(cat before)"
lkst watch --delete late

# --- the longest span

lkstm event add 's:mine/longest u64 ns; int number' >/dev/null
on mine:longest
lkst watch -n synths user_mark user_mark by arg1 --name longest --longest --do 'trace(mine:longest,span,begin.arg2)' >/dev/null
mark 1 1
for seconds in 0.2 0 0 0.6; do
	sleep $seconds
	mark 1 2
done
events mine:longest | sed 's/ns=\([0-9]*\).*/\1/' >made
ok 'each is longer than those before' sort -n -c made
is 'the last one is the longest of all' "$(tail -n 1 made)" "$(lkst watch --list --json longest | json 0.max)"
is 'they are late, and the others are not' "$(lkst watch --list --json longest | json 0.late)" "$(wc -l <made)"
lkst watch --reset longest
mark 1 6
is 'reset' "$(lkst watch --list --json longest | json 0.late)" 1
lkst watch --delete longest
lkstm config -n synths mine:longest off
ok 'an event that no watch makes any longer can be removed' lkstm event remove mine:longest

# --- errors

while IFS='|' read -r definition want; do
	refused "refused: $definition" 2 "^lkstm event: character $want" lkstm event add "$definition"
done <<-'END'
	s:x|4: no field
	s:x u65 a|5: unknown type "u65"
	s:x u64 a; u64 a|12: there is another field "a"
	s:x char a[200]|5: too many fields
END
while IFS='|' read -r action want; do
	refused "refused: $action" 2 "^lkstm rule: user_mark: character $want" lkstm rule -n synths user_mark do "$action"
done <<-'END'
	trace(none,arg1)|10: there is no synthetic event "none"
	trace(mine:one,arg1)|[0-9]+: too few values \(want 3,
	trace(mine:one,arg1,arg2,arg3,arg4)|[0-9]+: too many values \(want 3,
	trace(mine:one,arg1,arg9,arg3)|24: unknown field "arg9"
	trace(mine:one,arg1,comm,arg3)|24: "comm" is not a number
	trace(beat,arg1,tid,arg2)|24: "arg2" is not a string
	trace(mine:one,arg1,begin.arg1,arg3)|24: "begin.arg1" exists only in the actions of a watch
END
rows <<'END'
no word | lkst watch user_mark user_mark by 'arg1 shortest' | 2 | unexpected text after the key \(want longest or do\)
span for a string | lkst watch -n synths user_mark user_mark by arg1 --do 'trace(beat,span,span,span)' | 2 | "span" is a number
no such field of the begin | lkst watch -n synths user_mark user_mark by arg1 --do 'trace(beat,begin.foo,span,comm)' | 2 | the event has no field "foo"
the event exists | lkstm event add 's:beat u64 a' | 1 | .
END
lkstm set -m "$selected"
ok 'an event that is not recorded can be removed' lkstm event remove beat mine:one
is 'no event is left' "$(lkstm event list | sed 1d)" ''

# --- the same numbers as the kernel's synthetic events

tracing=/sys/kernel/tracing
[ -d $tracing/events ] || mount -t tracefs nodev $tracing 2>/dev/null
if [ ! -e $tracing/synthetic_events ]; then
	skip 'wakeups by thread' 'the kernel has no synthetic events'
	done_testing
	exit
fi

lkstm event add 's:synth_wakeups u64 lat; pid_t pid; int prio; int woken' >/dev/null
on synthetic:synth_wakeups
lkstm set -n synths
echo 'synth_wakeups u64 lat; pid_t pid; int prio; int woken' >$tracing/synthetic_events
# Threads that sleep and wake each other
load() {
	for _ in 1 2 3; do
		nice -n 5 dd if=/dev/zero bs=512 count=200 2>/dev/null | dd of=/dev/null bs=512 2>/dev/null &
		for _ in 1 2 3 4 5; do sleep 0.02; done
		wait
	done
}
rule synthetic:synth_wakeups do 'hist(keys=pid:vals=prio,woken,lat), drop'
# ftrace: write the triggers of ftrace, or delete them if $1 is "!"
ftrace() {
	sched=$tracing/events/sched latency=$tracing/events/synthetic/synth_wakeups
	begin='hist:keys=pid:ts0=common_timestamp:woken=prio'
	# shellcheck disable=SC2016 # variables of ftrace
	end='hist:keys=next_pid:lat=common_timestamp-$ts0:w=$woken:onmatch(sched.sched_waking).synth_wakeups($lat,next_pid,next_prio,$w)'
	if [ -z "$1" ]; then echo "$begin" >$sched/sched_waking/trigger; fi
	echo "$1$end" >$sched/sched_switch/trigger
	if [ -n "$1" ]; then echo "$1$begin" >$sched/sched_waking/trigger; fi
	echo "$1hist:keys=pid:vals=prio,woken" >$latency/trigger
	echo "$1hist:keys=pid:vals=lat" >>$latency/trigger
}
# values: print each entry without the names of its fields, sorted
values() { sed 's/[{},]//g; s/[a-z_]*: *//g; s/  */ /g; s/^ //' | sort; }
# ours: print each entry as "PID HITS PRIO WOKEN LATENCY"
ours() { lkstm hist -n synths synthetic:synth_wakeups | grep '^{' | values; }
theirs() { grep "^{.*$1:" $tracing/events/synthetic/synth_wakeups/hist | values; }
# since: print the entries of the threads that began after LKST's watch and the triggers of ftrace
# had been set up, and that have ended
since() {
	awk -v first="$first" -v last="$last" '$1 > first && $1 < last' |
		while read -r pid values; do [ -d "/proc/$pid" ] || echo "$pid $values"; done
}
# total: print the sum of the last column
total() { awk '{ n += $NF } END { printf "%.0f\n", n }'; }
# near A B: whether the numbers differ by at most 20 percent of B
near() { [ $((($1 - $2) * 5)) -le "$2" ] && [ $((($2 - $1) * 5)) -le "$2" ]; }

lkst watch -n synths process_waking process_contextswitch by thread=next --name wakeups \
	--do 'trace(synth_wakeups,span,next,next_prio,begin.prio)' >/dev/null
ftrace ''
first=$(sh -c 'echo $$')
# If a CPU of the VM pauses between the moments at which LKST and ftrace read the clock for a
# wakeup, LKST and ftrace measure different latencies. Then run the load again.
for _ in 1 2 3 4 5; do
	load
	last=$(sh -c 'echo $$')
	ours=$(ours | since | total)
	theirs=$(theirs lat | since | total)
	! near "$ours" "$theirs" || break
done
ours | since | cut -d ' ' -f -4 >own.txt
theirs prio | since >its.txt
ftrace '!'
echo '!synth_wakeups' >>$tracing/synthetic_events
lkst watch --delete wakeups
rule -d synthetic:synth_wakeups
diff own.txt its.txt | head -n 20 >differences
diag "$(wc -l <its.txt) threads, $(awk '{ n += $2 } END { print n }' its.txt) wakeups, latency $ours, ftrace $theirs ns"
ok 'the kernel has counted wakeups' test -s its.txt
is 'wakeups by thread, with sums of fields of both events: the differences' "$(cat differences)" ''
ok 'the sum of the latencies' near "$ours" "$theirs"
done_testing
