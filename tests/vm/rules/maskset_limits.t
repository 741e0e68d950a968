#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A maskset can be limited to processes, with their threads and children, and to CPUs, users and
# cgroups. Wrong limits are refused, and the old limit stays.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=family.sh
. "$here/family.sh"

limit() { lkstm limit -n limits "$@"; }
family=$(command -v family)

begin() { since=$(new_second); }
recorded() { callers "$since"; }

# start_family: start a family and set $parent to its ID
start_family() {
	rm -f family.go family.ready
	family >roles &
	parent=$!
	wait_for test -e family.ready
}
# run_family: let the family and a stranger run
run_family() {
	begin
	family call stranger >>strangers
	touch family.go
	wait "$parent"
	family call stranger >>strangers
}

selected=$(field maskset | cut -d ' ' -f 1)
lkstm read -d -m 0 | grep -v '^#' | lkstm write -n limits >/dev/null
lkstm config -n limits system_call_entry on
lkstm set -n limits

# --- processes

everyone='main early_thread late_thread early_child late_child child_thread grandchild child_exec exec'
start_family
limit --pid "$parent"
is 'the limit is listed' "$(limit --list)" "pid $parent"
run_family
is 'a process with its threads, and what it executes' "$(recorded)" "$(wanted 'main early_thread late_thread exec')"
is 'all of them have run' "$(sed 's/ .*//' roles | sort | tr '\n' ' ')" \
	"$(printf '%s\n' $everyone | sort | tr '\n' ' ')"

begin
family as "$parent" >strangers.as || bail_out 'family as'
is 'another process gets the ID' "$(cat strangers.as)" "stranger $parent"
is 'it is not recorded' "$(recorded)" ''

start_family
limit --pid "1,$parent" --children
limit --pid "$parent" --children
run_family
is 'a process with its children' "$(recorded)" "$(wanted "$everyone")"

start_family
limit --pid "$parent" --children --cpu 1
begin
taskset 1 family call stranger >>strangers
touch family.go
wait "$parent"
is 'a limit to processes and CPUs: only these processes' "$(recorded | while read -r tid num; do
	grep -q " $tid\$" roles || echo "$tid $num"
done)" ''

# --- CPUs

limit --cpu 1
begin
taskset 1 family call first >roles
taskset 2 family call second >>roles
is 'a CPU' "$(recorded | grep -xF -e "$(wanted first)" -e "$(wanted second)")" "$(wanted second)"
limit --clear
is 'without a limit, nothing is listed' "$(limit --list)" ''
begin
taskset 1 family call first >roles
is 'without a limit, all events are recorded' "$(recorded | grep -xF -e "$(wanted first)")" "$(wanted first)"

# --- users

limit --uid 1000,1001
begin
family call root >roles
as_user "$family" call user >>roles
is 'a user' "$(recorded)" "$(wanted user)"

# --- cgroups

mkdir cgroups
if mount -t cgroup2 none cgroups 2>/dev/null; then
	mkdir -p cgroups/lkst.test/below cgroups/lkst.other
	limit --cgroup /lkst.test
	begin
	(echo 0 >cgroups/lkst.test/cgroup.procs && exec family call inside) >roles
	(echo 0 >cgroups/lkst.test/below/cgroup.procs && exec family call below) >>roles
	(echo 0 >cgroups/lkst.other/cgroup.procs && exec family call outside) >>roles
	family call outside >>roles
	is 'a cgroup' "$(recorded)" "$(wanted 'inside below')"
	refused 'no such cgroup' 2 'no cgroup "/lkst.none" \(want a path below the mount point of cgroup2\)$' \
		lkstm limit -n limits --cgroup /sys/fs/cgroup/lkst.none
	limit --cgroup /lkst.test/below --cgroup /lkst.other
	is 'two cgroups as JSON' "$(limit -l --json | json limit.cgroup.1)" /lkst.other
	begin
	(echo 0 >cgroups/lkst.test/cgroup.procs && exec family call inside) >roles
	(echo 0 >cgroups/lkst.test/below/cgroup.procs && exec family call below) >>roles
	(echo 0 >cgroups/lkst.other/cgroup.procs && exec family call outside) >>roles
	is 'two cgroups' "$(recorded)" "$(wanted 'below outside')"
	limit --clear
	rmdir cgroups/lkst.test/below cgroups/lkst.test cgroups/lkst.other
	umount cgroups
else
	skip 'cgroups' 'this kernel has no cgroup2'
fi

# --- wrong limits

start_family
limit --pid "$parent"
limit --list >before
while IFS='|' read -r options status want; do
	# shellcheck disable=SC2086 # words
	refused "refused: $options" "$status" "$want" lkstm limit -n limits $options
done <<-'END'
	--pid 4194303|2|^lkstm.*: no process 4194303$
	--pid 0|2|no process 0$
	--pid 1,x|2|"x" is not a process ID \(want a number\)$
	--cpu 1-9999|2|"1-9999" is not a list of CPUs \(want numbers up to
	--uid 1,root|2|"root" is not a user ID \(want a number\)$
	--children|2|--children needs --pid$
	--clear --list|2|want one of a limit, --clear and --list$
	--json|2|want one of a limit, --clear and --list$
END
refused 'the maskset "all" takes no limit' 1 'maskset 1 "all" cannot be changed' lkstm limit -n all --cpu 0
refused 'no such maskset' 1 'no maskset' lkstm limit -m 77 --cpu 0
is 'after a wrong limit, the old one stays' "$(limit --list)" "$(cat before)"

# --- with rules; changes of the maskset keep the limit

lkstm rule -n limits system_call_entry if 'number == getppid'
switches=process_contextswitch,process_waking,process_wakeup
lkstm config -n limits $switches on
old_switches=$(lkstbuf print --own -r -e $switches | wc -l)
is 'config keeps the limit' "$(limit --list)" "$(cat before)"
run_family
is 'a limit and a rule' "$(recorded)" "$(wanted 'main early_thread late_thread exec')"
is 'the rule is listed alone' "$(lkstm rule --list -n limits)" 'system_call_entry if number == getppid'
tids=$(wanted 'main early_thread late_thread exec' | sed 's/ .*//' | tr '\n' ' ')
lkstbuf print --own -r -e $switches | tail -n +$((old_switches + 1)) >switches
# Each line must contain one of the threads. The first early thread waits, so it is switched to and from.
# The thread that executes a program gets the ID of the first thread. Before that, it has an ID that it
# does not print, so add the threads that the trace shows as NAME-TID/PROCESS.
awk -v tids="$tids" -v process="$parent" '
	BEGIN { num = split(tids, list, " ") }
	NR == FNR { if (match($0, "-[0-9]+/" process " ")) list[++num] = substr($0, RSTART + 1) + 0; next }
	{ for (i = 1; i <= num; i++) if ($0 ~ "-" list[i] "([ /]|$)") next; print }' switches switches >strangers.switched
is 'switches and wakeups: one of the threads takes part' "$(head -n 5 strangers.switched)" ''
ok 'switches to a thread' grep -q "next=family-$parent " switches
ok 'switches from a thread' grep -q "prev=family-$parent " switches
ok 'wakeups of a thread by another one' grep -q "swapper.*process_wak.* thread=family-$parent " switches
lkstm rule -n limits '!system_call_entry'
limit --clear
begin
family call root >roles
is 'without the rule and the limit' "$(recorded)" "$(wanted root)"

# --- limits while events arrive

(while :; do cat /proc/self/status; done >/dev/null) &
load=$!
for i in $(seq 20); do
	limit --pid $$ --children --cpu 0-1 && limit --uid 0 && lkstm rule -n limits system_call_entry if "cpu == 0 || arg1 != $i" &&
		limit --pid "1,$load" && lkstm rule -n limits '!system_call_entry' && limit --clear || echo "$i"
done >failed
kill "$load"
wait "$load"
is 'limits change while events arrive' "$(cat failed)" ''

lkstm set -m "$selected"
limit --pid $$ --children
lkstm delete -n limits
lacks 'no maskset is left' "$(lkstm list)" limits
lacks 'the kernel reports no trouble' "$(dmesg)" 'WARNING:|BUG:|suspicious RCU'
done_testing
