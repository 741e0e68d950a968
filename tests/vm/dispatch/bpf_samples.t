#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The BPF programs of samples/bpf count and record the events of a known load correctly. lksteh bpf
# refuses wrong programs.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 400

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

if [ ! -e "$here/latency.bpf.o" ]; then
	skip 'the BPF programs of samples/bpf' 'they were not built: clang is missing'
	done_testing
fi
# value NAME WHAT: print a value of the BPF program
value() { lksteh list --json | sed -n "/\"name\": \"$1\"/,/}/s/.*\"$2\": \"*\([0-9a-f]*\).*/\1/p"; }
# recorded ARG1: print the number of marks with this first argument
recorded() { lkstbuf print --own -r -e user_mark | grep -c "arg1=$1 "; }

handlers=$(lksteh list | wc -l)
selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n samples -S >/dev/null || bail_out 'lkstm write'

# --- one_in_n

ok 'one_in_n' lksteh bpf "$here/one_in_n.bpf.o"
lkstm config -n samples user_mark one_in_n
bpf_tool marks 1000 0x51
is 'one in 100 of 1000 events is recorded' "$(recorded 0x51)" 10
bpf_tool marks 2000 0x52 &
bpf_tool marks 3000 0x52
wait $!
is 'one in 100 of 5000 events of two processes is recorded' "$(recorded 0x52)" 50
is 'all events have been counted, and none was nested' "$(value one_in_n runs) $(value one_in_n drops) $(value one_in_n nested)" '6000 5940 0'
ok 'deleting it' lksteh bpf --delete one_in_n

# --- rate_limit

ok 'rate_limit, with another name' lksteh bpf "$here/rate_limit.bpf.o" -n limit
lkstm config -n samples user_mark limit
bpf_tool limit 500 100 >expected
read -r least most <expected
num=$(recorded 0x71)
ok "100 events per second are recorded: $num are, of 500; expected: $least to $most" test "$num" -ge "$least" -a "$num" -le "$most"
ok 'the expectation is narrow' test "$least" -lt 500 -a $((most - least)) -lt 5
ok 'deleting it' lksteh bpf -d limit

# --- latency, for processes in two cgroups that sleep

ok 'latency' lksteh bpf "$here/latency.bpf.o"
mkdir -p cgroup
mount -t cgroup2 none cgroup || bail_out 'cgroup2'
mkdir cgroup/long cgroup/short
# sleep_in CGROUP NUM MS: sleep NUM times for MS ms in this cgroup, and write the process ID to
# pid.CGROUP
sleep_in() { sh -c 'echo $$ >pid.$1 && echo $$ >cgroup/$1/cgroup.procs && exec bpf_tool sleep $2 $3' sh "$@"; }
lkstm config -n samples system_call_entry,system_call_exit latency
sleep_in long 20 30 &
long=$!
sleep_in short 25 3
wait $long
lkstm config -n samples system_call_entry,system_call_exit off
bpf_tool map "$(value latency program)" durations >counts
# sleeps CGROUP MIN: print the number of calls of clock_nanosleep (230; on arm64, 115) in this cgroup
# that took 2^MIN ns or longer
sleeps() {
	number=230 sum=0
	[ "$(uname -m)" = x86_64 ] || number=115
	while read -r group key _ num; do
		[ $((group)) = "$(stat -c %i "cgroup/$1")" ] && [ $((key & 0xffffffff)) = $number ] && [ $((key >> 32)) -ge "$2" ] &&
			sum=$((sum + num))
	done <counts
	echo $sum
}
# 2^24 ns are 16.8 ms, and 2^21 ns are 2.1 ms.
is 'all sleeps of 30 ms are found in their cgroup' "$(sleeps long 0) $(sleeps long 24)" '20 20'
is 'all sleeps of 3 ms are found in their cgroup' "$(sleeps short 0) $(sleeps short 21)" '25 25'
long=$(cat pid.long)
is 'calls longer than 10 ms are recorded' "$(lkstbuf print --own -r -e system_call_exit -p "$long" | grep -c number=clock_nanosleep)" 20
is 'no entry is recorded' "$(lkstbuf print --own -r -e system_call_entry -p "$long" 2>/dev/null | grep -c system_call_entry)" 0
rmdir cgroup/long cgroup/short
umount cgroup
ok 'deleting it' lksteh bpf -d latency

# --- programs that are refused

refused 'several programs' 2 'wrong.bpf.o: contains 2 BPF programs \(select one with -p\)' lksteh bpf "$here/wrong.bpf.o"
refused 'another type' 2 'the BPF program "other_type" has the type kprobe \(want raw_tracepoint' lksteh bpf "$here/wrong.bpf.o" -p other_type
refused 'the verifier refuses the program' 1 'the kernel refuses the BPF program "beyond"' lksteh bpf "$here/wrong.bpf.o" -p raw_tp
contains 'the log of the verifier is printed' "$(lksteh bpf "$here/wrong.bpf.o" -p beyond 2>&1)" 'invalid bpf_context access off=96'
refused 'no object file' 1 'bpf_samples.t' lksteh bpf "$here/bpf_samples.t"

# --- actions of a program

lkstm config -n samples user_mark off
ok 'a program with actions' lksteh bpf "$here/acting.bpf.o" -n acting --do 'stop(2):1 if comm == bpf_tool, off if tid == 0'
contains 'the list shows the actions' "$(lksteh list)" 'acting .* 0 acts, .* do stop\(2\):1 if comm == bpf_tool, off if tid == 0$'
contains 'JSON has the actions' "$(lksteh list --json)" '"actions": "do stop\(2\):1 if comm == bpf_tool'
lkstm config -n samples user_mark acting
bpf_tool marks 3 0x81
is 'the program does not ask for its actions' "$(recorded 0x81) $(field state)" '3 running'
bpf_tool marks 5 0xac7
is 'it asks for them: LKST stops after two further events' "$(recorded 0xac7) $(field state)" '3 stopped'
lkst start --no-state-dump
bpf_tool marks 5 0xac7
is 'the action has taken place as often as it may' "$(recorded 0xac7) $(field state)" '8 running'
refused 'a wrong action' 2 'the actions: character 6: .*"jump"' lksteh bpf "$here/acting.bpf.o" --do 'off, jump'
refused 'an action that needs the fields of an event' 2 'the actions: character 1: .*"hist"' lksteh bpf "$here/acting.bpf.o" --do 'hist(arg1)'
refused 'record is not an action here' 2 'the actions: character 1: .*"record"' lksteh bpf "$here/acting.bpf.o" --do record
ok 'deleting it' lksteh bpf -d acting

is 'no event handler is left' "$(lksteh list | wc -l)" "$handlers"
lkstm set -m "$selected"
lkstm delete -n samples
done_testing
