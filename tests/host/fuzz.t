#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fuzzing of what reads input: a minute for each target of tests/fuzz, or FUZZ_SECONDS. What it finds stays in
# tests/fuzz/build.
# suite: all
# timeout: 1800

set -u
. "$(dirname "$0")/../tap.sh"
cd "$(dirname "$0")/../fuzz" || exit
seconds=${FUZZ_SECONDS:-60}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

../../scripts/deps fuzz >"$work/deps" 2>&1 || bail_out "no fuzzing here: $(cat "$work/deps")"
make -s -j "$(nproc)" >"$work/make" 2>&1 || bail_out "the targets do not build: $(tail -n 5 "$work/make")"

for name in $(make -s list); do
	ok "$name: there is something to begin with" test -n "$(ls "corpus/$name")"
done
# Fuzzing that finds nothing where there is something to be found would be no test.
fails 'a mistake behind checksums is found' any make -s selftest
contains 'it is the one that was made' "$tap_output" 'fuzz_selftest\.c:[0-9]*: len == strlen'
make -s run SECONDS="$seconds" >"$work/found" 2>"$work/make"
while IFS= read -r line; do
	case $line in
	'ok - '*) pass "${line#ok - }" ;;
	'not ok - '*) fail "${line#not ok - }" ;;
	*) printf '%s\n' "$line" ;;
	esac
done <"$work/found"
is 'every target was run' "$(grep -Ec '^(not )?ok - ' "$work/found")" "$(make -s list | wc -w)"

done_testing
