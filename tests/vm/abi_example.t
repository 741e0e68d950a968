#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The example of Documentation/lkst/abi.rst does what it says, and the commands show what it does.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M

. "$(dirname "$0")/../tap.sh"
example=$(cd "$(dirname "$0")" && pwd)/abi_example
mkdir -p /tmp/abi_example
cd /tmp/abi_example || exit

before=$(lkstbuf list -c 1)
taskset -c 1 sh -c 'while :; do busybox true; done' &
load=$!
$example 1 60000 >output 2>errors &
pid=$!
# It is reading when the process is the owner.
tries=0
while ! lkstbuf list -c 1 -v | grep -q "owner $pid,"; do
	tries=$((tries + 1))
	[ $tries -lt 100 ] || break
	sleep 0.1
done
during=$(lkstbuf list -c 1)
masksets=$(lkstm list)
wait $pid
is 'reads the stream' "$? $(cat errors)" '0 '
kill $load

contains 'meanwhile: the ring, one way' "$during" '^ *1 +1 +524288 +2 +(free|writing|queued|reading)$'
contains 'meanwhile: the ring, the other way' "$during" '^ *1 +2 +524288 +1 +(free|writing|queued|reading)$'
is 'meanwhile: one buffer is written' "$(printf '%s\n' "$during" | grep -c ' writing$')" 1
contains 'meanwhile: the maskset' "$masksets" '^ *[0-9]+ +abi_example +[0-9]+ +[0-9]+ +selected$'

contains 'as many records as were wanted' "$(cat output)" '^records [6-9][0-9]{4}$'
is 'each gap was announced' "$(awk '
	BEGIN { n = m = 0 }
	$1 == "lost" { from[n] = $2; to[n++] = $2 + $3 }
	$1 == "missing" { at[m] = $2; end[m++] = $2 + $3 }
	END {
		for (i = 0; i < m; i++) {
			for (again = 1; again;) {
				again = 0
				for (k = 0; k < n; k++)
					if (from[k] <= at[i] && at[i] < to[k]) {
						at[i] = to[k]
						again = 1
					}
			}
			if (at[i] < end[i])
				print "records " at[i] " to " end[i] - 1
		}
	}' output)" ''

is 'afterwards: the buffers are as before' "$(lkstbuf list -c 1)" "$before"
lacks 'afterwards: the maskset is gone' "$(lkstm list)" abi_example
contains 'afterwards: that of before is selected' "$(lkst status)" '^maskset +2 default$'
fails 'a CPU there is not' 1 "$example" 4096 1
contains 'a CPU there is not: says so' "$tap_output" 'LKST_IOC_BUFFER_CREATE: Invalid argument'
done_testing
