#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/logd, runs in the VM: logd-guest.sh MARKS_PER_SECOND WARM_UP SECONDS daemon
# [OPTION...] | reading
#
# "daemon" prints the number of events that were recorded in SECONDS, and the number of instructions
# that lkstlogd executed. "reading" prints the same for read() alone. For the host, it also writes
# the records, and the files of /proc that logd-feed needs, to the directory of this script.

set -eu
cd "$(dirname "$0")"
load=$1 warm_up=$2 seconds=$3
shift 3
daemon() {
	lkstlogd -a -b 2M -l 200M -f /tmp/log/trace "$@"
	pid=$(cat /var/run/lkstlogd.pid)
	./load $((seconds + warm_up + 2)) 0 "$load" >/dev/null &
	sleep "$warm_up"
	events=$(./logd-guest recids) used=$(./logd-guest cpu "$pid")
	sleep "$seconds"
	echo "$(($(./logd-guest recids) - events)) $(($(./logd-guest cpu "$pid") - used))"
	kill -TERM "$pid"
	while [ -e /var/run/lkstlogd.pid ]; do sleep 1; done
	wait
}
reading() {
	./load "$warm_up" 0 "$load" >/dev/null
	./logd-guest read records
	mkdir -p root/proc
	cp /proc/lkst_etypes /proc/lkst_values /proc/kallsyms root/proc/
}
mkdir -p /tmp/log
"$@"
