#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests that speedscope opens, without a warning, the files that lkstbuf export writes in the
# formats of Chrome and of flame graphs, and that it shows the slices and times that lkstbuf and
# lkstla print.
# suite: all

. "$(dirname "$0")/host.sh"
if ! "$top/scripts/deps" browser speedscope >"$work/deps" 2>&1; then
	unreachable=$(grep -o 'npm cannot reach its registry: .*' "$work/deps") ||
		bail_out "no speedscope here: $(cat "$work/deps")"
	echo "1..0 # SKIP no speedscope here: $unreachable"
	exit
fi
use_tools mktrace
real=$top/tests/host/lkstla_recompute.lkst
mktrace system system 2 || bail_out 'no trace of a simulated system'
for trace in "$real" system; do
	name=$(basename "$trace" .lkst)
	for suffix in json folded; do
		lkstbuf export -f "$trace" -o "$name.$suffix" 2>log || bail_out "no export: $(cat log)"
	done
	lkstla thread '*' --any --json -f "$trace" >"$name.thread" 2>log || bail_out "no states: $(cat log)"
done
speedscope=${XDG_CACHE_HOME:-$HOME/.cache}/lkst/npm/speedscope/dist/release/index.html
node "$top/tests/host/html/speedscope_test.js" "$speedscope" "$work" lkstla_recompute system
