#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The page of lkstla html in headless Chromium, with traces that the test makes and with a real one:
# what it draws, what clicks, keys and searches do, that it sends no request, and what it says about
# damaged data. The tests are in html/.
# suite: all

. "$(dirname "$0")/host.sh"
"$top/scripts/deps" browser >"$work/deps" 2>&1 || bail_out "no browser here: $(cat "$work/deps")"
use_tools mkmemory
real=$top/tests/host/lkstla_recompute.lkst
lkstla html -f "$real" -o real.html 2>log || bail_out "no page of a real trace: $(cat log)"
lkstla report -f "$real" --html report.html >log 2>&1 || bail_out "no page of a report: $(cat log)"
mkmemory image raw panic || bail_out 'no image of a dead machine'
lkstla report -f image --html death.html >log 2>&1 || bail_out "no page of a dead machine: $(cat log)"
for table in sched syscall irq report; do
	lkstla "$table" -f "$real" --json >$table.json 2>log || bail_out "no table $table: $(cat log)"
done
node "$top/tests/host/html/page_test.js" "$work"
