#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/build-lock.sh: builds share a source that stays as it is, and one that has to change it waits for them and says
# for whom.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
export XDG_CACHE_HOME=$work HOME=$work
trap 'kill $(jobs -p) 2>/dev/null; rm -rf "$work"' EXIT

# build CONFIG HOW FILE: a process that takes the lock, makes FILE, and goes on until it is killed.
build() {
	local config=$1
	# shellcheck disable=SC2030 # the scripts' own $top is the same
	(
		exec >"$work/$config.said" 2>&1
		prog=build-kernel
		. "$top/scripts/common.sh"
		. "$top/scripts/build-lock.sh"
		lock 8 "$2" source-6.1 'the source of Linux 6.1'
		touch "$3"
		while :; do sleep 0.1; done
	) &
}

# wait_for FILE: until it is there, or 60 s have passed.
# shellcheck disable=SC2317 # called by ok
wait_for() {
	local i
	for ((i = 0; i < 600; i++)); do
		[ ! -e "$1" ] || return 0
		sleep 0.1
	done
	return 1
}

# nobody_made FILE: in a time that is long enough to make it
# shellcheck disable=SC2317 # called by ok
nobody_made() { sleep 1; [ ! -e "$1" ]; }

build kunit shared "$work/first"
first=$!
ok "a build takes the source" wait_for "$work/first"
build debug shared "$work/second"
second=$!
ok "another one shares it" wait_for "$work/second"
is "and need not wait" "$(cat "$work/debug.said")" ''
build base exclusive "$work/third"
third=$!
ok "one that has to change it waits" nobody_made "$work/third"
contains "and says for what" "$(cat "$work/base.said")" 'build-kernel: waiting for [0-9]+ s: the source of Linux 6\.1 is in use by '
for config in kunit debug; do
	# shellcheck disable=SC2031
	contains "and for whom" "$(cat "$work/base.said")" \
		"build-kernel --config $config of $top \(process [0-9]+, since [0-9:]{8}\)"
done
kill $first
ok "until all have ended" nobody_made "$work/third"
kill $second
ok "then it is its turn" wait_for "$work/third"
build arm64 shared "$work/fourth"
ok "a build waits for one that changes the source" nobody_made "$work/fourth"
lacks "and no longer names those that have ended" "$(cat "$work/arm64.said")" 'kunit|debug'
kill $third
ok "until that has ended" wait_for "$work/fourth"
done_testing
