#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/print, runs in the VM: print-guest.sh ROUNDS EVENT...
#
# Records ROUNDS runs of the demo's workload with LKST. If this directory contains trace-cmd,
# trace-cmd records the EVENTs at the same time. Creates plain.lkst, packed.lkst and, with
# trace-cmd, packed.dat in this directory.

set -eu
cd "$(dirname "$0")"
rounds=$1
shift
# The workload without the commands that record marks and read the trace.
sed -e '/^lkst start/d; /^lkstbuf read/d' -e 's,^cd .*,cd /share,' workload >/tmp/workload

trace_cmd() { LD_LIBRARY_PATH=/share/lib ./trace-cmd "$@"; }

lkst start
[ ! -x trace-cmd ] || trace_cmd start -b 400000 "$@" >/dev/null
for _ in $(seq "$rounds"); do
	rm -rf /tmp/demo
	sh /tmp/workload
done
lkst stop
[ ! -x trace-cmd ] || trace_cmd stop
lkstbuf read -f plain.lkst
lkstbuf read -z -f packed.lkst
if [ -x trace-cmd ]; then
	trace_cmd extract --compression zstd -o /tmp/packed.dat >/dev/null
	cp /tmp/packed.dat .
fi
