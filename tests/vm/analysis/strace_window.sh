#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# strace_window.sh start|stop: start or stop strace and perf trace, which count the system calls of
# the stopped process $WORKER and of its children. Writes the counts of strace to "strace" and, if
# this VM has perf, the records of perf to "perf.data".

. "$(dirname "$0")/form.sh"

traced() { grep -q '^TracerPid:.*[1-9]' "/proc/$WORKER/status"; }
ended() { ! kill -0 "$1" 2>/dev/null; }

# control_perf COMMAND: send a command to perf, and wait for its answer
control_perf() {
	[ ! -p control ] || { echo "$1" >control && read -r _ <answer; }
}

case $1 in
start)
	if command -v perf >/dev/null; then
		mkfifo control answer
		perf record -q -e raw_syscalls:sys_enter,raw_syscalls:sys_exit -p "$WORKER" -o perf.data \
			-D -1 --control fifo:control,answer &
		echo $! >pids
	fi
	strace -f -c -q -o strace -p "$WORKER" &
	echo $! >>pids
	wait_for traced
	control_perf enable
	;;
stop)
	control_perf disable
	while read -r pid; do
		kill -INT "$pid"
		wait_for ended "$pid"
	done <pids
	;;
esac
