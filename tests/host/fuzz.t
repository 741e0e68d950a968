#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Fuzzes all code that reads input: runs each target of tests/fuzz for a minute, or for
# FUZZ_SECONDS. Findings stay in tests/fuzz/build.
# suite: all
# timeout: 1800

. "$(dirname "$0")/host.sh"
cd "$top/tests/fuzz" || exit
seconds=${FUZZ_SECONDS:-60}

../../scripts/deps fuzz >"$work/deps" 2>&1 || bail_out "no fuzzing here: $(cat "$work/deps")"
make -s -j "$(nproc)" >"$work/make" 2>&1 || bail_out "the targets do not build: $(tail -n 5 "$work/make")"

for name in $(make -s list); do
	# These targets have no separate corpus or seeds. Their first inputs are the traces.
	case $name in sql | report | export) continue ;; esac
	ok "$name: there is a corpus or a seed" test -n "$(ls -d "corpus/$name"/* "build/seeds/$name"/* 2>/dev/null)"
done
# Check that fuzzing finds a known bug.
refused 'a bug behind checksums is found' any 'fuzz_selftest\.c:[0-9]*: len == strlen' make -s selftest
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
