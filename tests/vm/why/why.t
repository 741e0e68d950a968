#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla why gives the known chain of causes of each scenario of why_load (why.table), as text and as
# JSON. A chain is a list of patterns, separated by " > ". Each matches a line of the report after
# that of the pattern before.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

# shellcheck source=analysis/measure.sh
. "$(dirname "$0")/measure.sh"

# follows FILE CHAIN: whether the lines of the file have the chain
follows() {
	rest="$2 > "
	line=0
	while [ -n "$rest" ]; do
		pattern=${rest%% > *} rest=${rest#* > }
		line=$(grep -nE -e "$pattern" "$1" | sed 's/:.*//' | awk -v after="$line" '$1 > after { print; exit }')
		[ -n "$line" ] || { lacking=$pattern; return 1; }
	done
}

# lacks_support SCENARIO: whether this kernel cannot run the scenario
lacks_support() {
	case $1 in
	throttle) [ ! -f /tmp/why_cgroup/limited/cpu.max ] ;;
	irqs | softirqs | work) [ ! -f "$modules/delaying.ko" ] ;;
	userfault) ! grep -q ' userfaultfd_ioctl$' /proc/kallsyms ;;
	*) false ;;
	esac
}

# The scenarios that need a block device use a loop device.
truncate -s 16M disk
loop=$(losetup -f)
ok 'a loop device' losetup "$loop" disk
mkdir -p /tmp/why_cgroup
if mount -t cgroup2 none /tmp/why_cgroup && grep -qw cpu /tmp/why_cgroup/cgroup.controllers; then
	echo +cpu >/tmp/why_cgroup/cgroup.subtree_control
	mkdir /tmp/why_cgroup/limited
	echo '20000 100000' >/tmp/why_cgroup/limited/cpu.max
fi

record class:process,class:interrupt,class:syscall,class:timer,class:block,class:exception,class:cpu,class:module,class:network,class:mark
for scenario in $(why_load); do
	lacks_support "$scenario" && continue
	case $scenario in
	irqs | softirqs | work) file=$modules/delaying.ko ;;
	*) file=$loop ;;
	esac
	echo 3 >/proc/sys/vm/drop_caches
	timeout 20 why_load "$scenario" "$file" || diag "$scenario: status $?"
done
lkstlogger -s go
sh -c 'sleep 0.3; lkstlogger -s done; true'
lkst stop
lkstbuf read -f trace
[ ! -d /sys/module/delaying ] || rmmod delaying
losetup -d "$loop"

grep -v '^#' "$here/why.table" >rows
while read -r row; do
	scenario=${row%% :: *} row=${row#* :: }
	arguments=${row%% :: *} chain=${row#* :: }
	if lacks_support "$scenario"; then
		skip "$scenario" 'this kernel lacks what it needs'
		continue
	fi
	set -f
	# shellcheck disable=SC2086 # unquoted, to split it into words
	lkstla why -f trace --any $arguments >report 2>&1
	# shellcheck disable=SC2086
	lkstla why -f trace --any $arguments --json >report.json
	set +f
	if follows report "$chain"; then
		pass "$scenario: the chain"
	else
		fail "$scenario: the chain" "no line matches $lacking in:
$(cat report)"
	fi
	sed -n '/ explained [0-9.]* %$/,$p' report | grep -vE '^$| explained [0-9.]* %$' |
		sed -E 's/^ *[0-9.]+ ms +([0-9.]+ %)? *//; s/([^.]) \.\.\.$/\1/' >texts
	sed -n 's/^.*"text" *: *"\(.*\)",*$/\1/p' report.json | sed 's,\\/,/,g' >texts.json
	ok "$scenario: the same in JSON" cmp texts texts.json
	is "$scenario: all is explained" "$(sed -n 's/^.* explained \([0-9.]*\) %$/\1/p' report | sort -u)" 100
done <rows
done_testing
