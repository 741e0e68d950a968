#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/build-lock.sh: several builds can use a source at the same time if none of them changes
# it. A build that must change the source waits for the other builds, and prints which ones it waits
# for.

. "$(dirname "$0")/host.sh"
export XDG_CACHE_HOME=$work HOME=$work
# shellcheck disable=SC2317 # the trap of host.sh calls it
cleanup() {
	# shellcheck disable=SC2046 # one word for each job
	kill $(jobs -p) 2>/dev/null
	rm -rf "$work"
}

# build CONFIG HOW FILE: start a process that takes the lock, creates FILE, and runs until it is
# killed. HOW is "shared" or "exclusive".
build() {
	local config=$1
	# shellcheck disable=SC2030 # the scripts' own $top is the same
	(
		exec >"$work/$config.output" 2>&1
		prog=build-kernel
		. "$top/scripts/common.sh"
		. "$top/scripts/build-lock.sh"
		lock 8 "$2" source-6.1 'the source of Linux 6.1'
		touch "$3"
		while :; do sleep 0.1; done
	) &
}

# nobody_made FILE: return whether no process has created FILE within one second
# shellcheck disable=SC2317 # called by ok
nobody_made() { sleep 1; [ ! -e "$1" ]; }

build kunit shared "$work/first"
first=$!
ok "a build gets the lock" until_true test -e "$work/first"
build debug shared "$work/second"
second=$!
ok "a second build shares the source" until_true test -e "$work/second"
is "the second build does not wait" "$(cat "$work/debug.output")" ''
build base exclusive "$work/third"
third=$!
ok "a build that changes the source waits" until_true grep -q 'waiting for' "$work/base.output"
ok "it does not get the source" nobody_made "$work/third"
contains "its message names the source" "$(cat "$work/base.output")" 'build-kernel: waiting for [0-9]+ s: the source of Linux 6\.1 is in use by '
for config in kunit debug; do
	# shellcheck disable=SC2031
	contains "and the $config build, which it waits for" "$(cat "$work/base.output")" \
		"build-kernel --config $config of $top \(process [0-9]+, since [0-9:]{8}\)"
done
kill $first
ok "it still waits while one of them runs" nobody_made "$work/third"
kill $second
ok "it gets the source when none of them runs" until_true test -e "$work/third"
build arm64 shared "$work/fourth"
ok "a build waits for another build that changes the source" until_true grep -q 'waiting for' "$work/arm64.output"
ok "it does not get the source, either" nobody_made "$work/fourth"
lacks "and no longer names builds that have finished" "$(cat "$work/arm64.output")" 'kunit|debug'
kill $third
ok "it gets the source when that build has finished" until_true test -e "$work/fourth"
done_testing
