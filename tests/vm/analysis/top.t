#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla top follows the running kernel: a busy process is at the top, all system calls of a program
# with known calls are counted, and the keys and the terminal work.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

record system_call_entry,system_call_exit,process_contextswitch,process_waking,process_wakeup,process_state,process_fork,process_exec,process_exit,int_timer_entry,int_timer_exit

# until_shown TEXT FILE: wait until a program that runs in the background has written TEXT
until_shown() {
	tries=0
	until grep -q -e "$1" "$2" || [ $tries -ge 600 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
	grep -q -e "$1" "$2"
}
# blocks: print the first two rows of each block of the file "out". The busy process may be in the
# second row: on an emulated machine, lkstla itself may keep the other CPU just as busy.
blocks() { sed -n '/^thread /{n;p;n;p}' out; }
# sum COLUMN NAME: print the sum of a column of the rows that begin with NAME
sum() { awk -v column="$1" -v name="$2" '$1 == name { sum += $column } END { print sum + 0 }' out; }

# --- a busy process

spin 600000 >/dev/null &
hog=$!
ok 'batch: three intervals' sh -c 'lkstla top -b -n 3 -d 500ms >out'
head -n 20 out
is 'batch: three blocks' "$(grep -c '^window ' out)" 3
is 'batch: each begins where the previous one ended' \
	"$(sed -n 's/^window \(.*\) \.\. \(.*\) (.*/\1 \2/p' out | awk 'NR > 1 && $1 != last { print } { last = $2 }')" ''
contains 'batch: what the CPUs did' "$(cat out)" '^CPUs: user [0-9.]+ %, kernel [0-9.]+ %, (thread [0-9.]+ %, )?irq'
# Even if other processes of the host take CPU time away from the VM, this thread remains at the
# top.
contains 'a busy process is at the top' "$(blocks)" "^spin-$hog +[0-9]"
ok 'it ran for most of an interval, and never longer than one' sh -c \
	"sed -n 's/^spin-$hog *\\([0-9.]*\\) .*/\\1/p' out | awk '\$1 > 50 { most = 1 } \$1 > 100 { long = 1 } END { exit !most || long }'"
ok '-p' sh -c "lkstla top -n 1 -d 200ms -p $hog >out"
is '-p: only this process' "$(sed -n '/^thread /,$p' out | sed 1d | cut -d ' ' -f 1)" "spin-$hog"
ok '-c' sh -c 'lkstla top -n 1 -d 200ms -c 1 --view cpus >out'
is '-c: only this CPU' "$(sed -n '/^CPU /,/^---/p' out | sed '1d; $d' | awk '{ print $1 }')" 1
ok '--json' sh -c 'lkstla top -n 2 -d 200ms --json >out'
is '--json: a line for each interval' "$(grep -c '^{ "window": {.*}$' out)/$(wc -l <out)" 2/2

# --- the screen: sort by waiting, show the help, a view, a process, and quit

ok 'a screen' sh -c "top_screen wait=spin-$hog type='>' wait='by wait-%' type=h wait=Keys: type=x gone=Keys: \
	type=y wait='system calls by' type=t type=p type='spin\\r' wait='selected processes' show \
	type=q exit -- lkstla top -d 200ms >out"
cat out
contains 'the title' "$(cat out)" '^>lkstla top - threads by wait-%, selected processes'
contains 'quit: status' "$(cat out)" '^status 0$'
contains 'quit: the settings of the terminal' "$(cat out)" '^settings: as before$'
contains 'quit: the screen' "$(cat out)" '^screen: normal, cursor: shown$'
for signal in 2 15; do
	ok "signal $signal" sh -c "top_screen wait=spin-$hog signal=$signal exit -- lkstla top -d 200ms >out"
	is "signal $signal: the terminal is restored" "$(cat out)" 'status 0
settings: as before
screen: normal, cursor: shown'
done
# No output is lost if a signal arrives during a write. "full" waits until a write blocks.
for when in '' full; do
	ok "stop and continue${when:+, $when}" sh -c "top_screen wait=spin-$hog $when signal=20 stopped \
		wait=spin-$hog $when signal=28 wait=spin-$hog $when signal=15 exit -- lkstla top -d 200ms >out"
	is "stop and continue${when:+, $when}: the terminal is restored each time" "$(cat out)" 'stopped
settings: as before
screen: normal, cursor: shown
status 0
settings: as before
screen: normal, cursor: shown'
done
kill $hog
wait $hog

# --- system calls that are known

# Other tests in this boot also run syscall_load, so give the process another name.
ln -s "$(command -v syscall_load)" top_load
lkstla top -d 300ms --view syscalls -p top_load >out 2>err &
top=$!
ok 'the first interval' until_shown '^window ' out
ok 'the load runs' sh -c './top_load >load'
# When four more blocks have begun, all calls of the load have been printed.
blocks=$(grep -c '^window ' out)
tries=0
while [ "$(grep -c '^window ' out)" -lt $((blocks + 4)) ] && [ $tries -lt 600 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
kill -INT $top
status=0
wait $top || status=$?
is 'SIGINT ends it' $status 0
read_trace
cat load err
grep '^window ' out | grep -v 'nothing lost'
# The program also makes some of these calls before and after the calls that it counts.
lkstla syscall -f trace -p top_load --any --csv 2>/dev/null | rows_of call,calls /dev/stdin >calls
sed -n 's/^want //p' load >wanted
while read -r name calls _; do
	counted=$(awk -F , -v name="$name" '$1 == name { print $2, $3 }' calls)
	is "$name: calls and errors" "$(sum 2 "$name") $(sum 4 "$name")" "$counted"
	ok "$name: not fewer than the program made" test "$(sum 2 "$name")" -ge "$calls"
done <wanted

# --- LKST does not record, and bad usage

lkst stop
ok 'LKST is stopped' sh -c 'lkstla top -n 1 -d 200ms >out'
contains 'LKST is stopped: the header' "$(cat out)" '^LKST is stopped: no events until "lkst start"$'
lkst start
lkstm config -n measure system_call_entry off
ok 'an event is masked' sh -c 'lkstla top -n 1 -d 200ms >out'
contains 'a masked event: the header' "$(cat out)" \
	'system_call_entry.* not recorded \(to record .*: lkstm config .*system_call_entry.* entry_log\)'
refused 'no such CPU' 1 'no CPU 99' lkstla top -n 1 -c 99
refused 'a short interval' 2 'interval must be at least 100ms' lkstla top -d 10ms
refused '--since' 2 'require a trace' lkstla top --since -1s
done_testing
