#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/lkstla, runs in the VM: lkstla-guest.sh MESSAGES TURNS
#
# Records context switches, wake-ups, migrations, and the start and end of threads with LKST and, at
# the same time, with perf. Creates sched.lkst and perf.data in this directory. MESSAGES and TURNS
# are the numbers of messages and turns of "perf bench sched messaging" and "perf bench sched pipe".
# Each of these runs on one CPU, because emulated CPUs take long to wake each other.

set -eu
cd "$(dirname "$0")"
export MESSAGES="$1" TURNS="$2"

lkstm read -m 0 | lkstm write -n sched >/dev/null
lkstm config -n sched process_contextswitch,process_waking,process_wakeup,process_migrate entry_log
lkstm config -n sched process_fork,process_exec,process_exit,process_rename,process_state entry_log
lkstm set -n sched
lkst stop

mkfifo /tmp/control /tmp/answer
set --
for event in switch waking wakeup wakeup_new migrate_task process_fork process_exec process_exit; do
	set -- "$@" -e "sched:sched_$event"
done
# shellcheck disable=SC2016 # the shell that perf starts expands the variables
perf record -q -a -R -c 1 -m 8192 "$@" -o /tmp/perf.data -D -1 --control fifo:/tmp/control,/tmp/answer -- sh -ec '
	control() { echo "$1" >/tmp/control; read -r _ </tmp/answer; }
	control enable
	lkst start
	taskset 1 perf bench -f simple sched messaging -g 2 -l "$MESSAGES"
	taskset 2 perf bench -f simple sched pipe -l "$TURNS"
	lkst stop
	control disable'
lkstbuf read -f sched.lkst
cp /tmp/perf.data .
