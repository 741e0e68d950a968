#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The example in Documentation/lkst/abi.rst works: it reads the records of all CPUs. When it is
# started again, it continues where it stopped.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=8M

. "$(dirname "$0")/../tap.sh"
example=$(cd "$(dirname "$0")" && pwd)/abi_example
mkdir -p /tmp/abi_example
cd /tmp/abi_example || exit

# positions FILE: FILE is the output of a run of the example. Prints the arguments with which the
# next run continues where that run stopped.
positions() { awk '$3 == "read" { printf "%s %s ", $1, $2 }' "$1"; }

# sum FILE COLUMN: prints the sum of a column of the example's output over all CPUs.
sum() { awk -v column="$2" '$3 == "read" { sum += $column } END { print sum + 0 }' "$1"; }

# marks FILE: prints the numbers of the marks. They are sorted, because two CPUs recorded them.
marks() { sed -n 's/^mark \([0-9]*\):.*/\1/p' "$1" | sort -n | paste -sd ' '; }

for i in 1 2 3; do taskset -c $((i % 2)) lkstlogger -ev user_mark -a1 $i; done
$example 1 >first 2>errors
is 'the example reads the records' "$? $(cat errors)" '0 '
is 'it reads all marks' "$(marks first)" '1 2 3'
is 'no record is lost' "$(sum first 6)" 0

for i in 4 5 6; do taskset -c $((i % 2)) lkstlogger -ev user_mark -a1 $i; done
# shellcheck disable=SC2046 # unquoted, to split it into numbers
$example 1 $(positions first) >second
is 'it continues where it stopped: no mark is repeated or missing' "$(marks second)" '4 5 6'
is 'no record was overwritten in the meantime' "$(sum second 6)" 0

for cpu in 0 1; do
	before=$(awk -v cpu=$cpu '$3 == "read" && $1 == cpu { print $2 }' first)
	after=$(awk -v cpu=$cpu '$3 == "read" && $1 == cpu { print $2 - $4 }' second)
	is "CPU $cpu: the second part begins where the first ended" "$after" "$before"
done

fails 'a recid in the future is refused' 1 "$example" 1 0 999999999999
contains 'a recid in the future: the error names the call' "$tap_output" 'BLOCK_SEEK: Invalid argument'
done_testing
