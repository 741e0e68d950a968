# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Functions for tests that record events in NMIs with the module "nmi". Source rows.sh first, and
# then load the module.

# request CPUS: record 200 events 0x1d0 on one CPU of this mask. After every 10 events, send an NMI
# to the other CPU, which records one event 0x1d1, or 20 in every third NMI.
request() { taskset "$1" printf '\310\0\0\0\12\0\0\0\3\0\0\0\24\0\0\0' >/proc/lkst_nmi; }

# recorded_by_tasks, recorded_by_nmis: print how many events 0x1d0 or 0x1d1 have been recorded since
# the module was loaded
recorded_by_tasks() { od -An -v -t u8 -j 8 -N 16 /proc/lkst_nmi | awk '{ print $1 + $2 }'; }
recorded_by_nmis() { od -An -v -t u8 -j 40 -N 16 /proc/lkst_nmi | awk '{ print $1 + $2 }'; }

# requests_until FILE CPUS: send requests until the file exists. The CPUs may be offline meanwhile.
requests_until() { until [ -e "$1" ]; do request "$2" 2>/dev/null; done; }

# switch_cpu1 TIMES: take CPU 1 offline and online again, TIMES times
switch_cpu1() {
	for _ in $(seq "$1"); do
		echo 0 >/sys/devices/system/cpu/cpu1/online || echo offline
		echo 1 >/sys/devices/system/cpu/cpu1/online || echo online
	done
}
