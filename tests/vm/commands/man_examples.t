#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the examples of the man pages exactly as printed. examples.sh describes their format.
# tests/host/logformat.t runs the examples of logformat.pl, because the VM has no Perl, and
# tests/host/model.t runs the example of lkst_model(3), on a trace that has the threads in the
# example.
# kernel: base
# form: builtin module
# append: lkst.buffer_size=4M
# timeout: 600

. "$(dirname "$0")/rows.sh"
. "$here/examples.sh"
export modules
mkdir -p /var/log/lkst

# --- self-test

cat >got <<-'END'
	maskset 3 mine
	CPU     17  0xffff
	the last, with [brackets] (and more)
END
shaped_returns() {	# NAME WANTED STATUS: test that shaped() returns STATUS for WANTED
	printf '%b' "$2" >wanted
	shaped got wanted
	is "shape: $1" "$?" "$3"
}
shaped_returns 'other numbers' 'maskset 30 mine\nCPU 1 0x1\nthe last, with [brackets] (and more)\n' 0
shaped_returns 'any text' 'maskset ...\nCPU 1 0x1\n... with ...\n' 0
shaped_returns 'any lines' '...\nCPU 1 0x1\n...\n' 0
shaped_returns 'a number with commas' 'maskset 1,234,567 mine\n...\n' 0
shaped_returns 'another word' 'maskset 30 yours\n...\n' 1
shaped_returns 'a line is missing' 'maskset 3 mine\nthe last, with [brackets] (and more)\n' 1
shaped_returns 'more lines' 'maskset 3 mine\n' 1
shaped_returns 'fewer lines' '...\nthe last, with [brackets] (and more)\nx\n' 1
shaped_returns 'brackets are not a pattern' '...\nthe last, with b (and more)\n' 1
shaped_returns 'text after any text' 'maskset ... yours\n...\n' 1

printf '%s\n' 'window 10:00:00.5 .. 10:00:01.5 (1.0 s, 1,234 events, nothing lost)' 'row B 10:00:01.2 x' >got
export LIKE
like() {	# REGEX NAME ROW STATUS: the same for a header and a row, with that regular expression
	LIKE=$1
	shaped_returns "$2" "window 08:00:00.1 .. 08:00:00.2 (100.0 ms, 9 events, nothing lost)\\n$3\\n" "$4"
	LIKE=
}
like '' 'a header with another unit' 'row B 08:00:00.15 x' 0
like '' 'a row with another letter' 'row A 08:00:00.15 x' 1
like '^row [A-Z]' 'a row with another letter, like' 'row A 08:00:00.15 x' 0
like '^row [a-z]' 'a row with another letter, not like' 'row A 08:00:00.15 x' 1
printf '%s\n' 'window 08:00:00.1 ...' '... 08:00:00.15 ...' >wanted
(
	export TIMES=times UPDATED=updated
	shaped got wanted
)
is 'times' "$(cat times)" '08:00:00.1 10:00:00.5
08:00:00.15 10:00:01.2'
is 'the updated page' "$(cat updated)" 'window 10:00:00.5 ...
... 10:00:01.2 ...'
mkdir -p page
is 'a time in a command' "$(cd page && retimed 'a --since 08:00:00.15 --until 08:00:00')" \
	'a --since 10:00:01.2 --until 08:00:00'

# --- the pages

# masksets, buffers: print the ids of all masksets; of all buffers but the first ones of the CPUs
masksets() { lkstm list | awk 'NR > 1 { print $1 }'; }
buffers() { lkstbuf list | sed '/^$/,$d' | awk 'NR > 1 && $2 != 0 { print $2 }' | sort -u; }
masksets >initial
for file in "$here"/doc/man/*; do
	# The VM has no babeltrace2.
	case $file in *logformat.pl.8 | *lkst_model.3 | *babeltrace2-*) continue ;; esac
	lkst start --no-state-dump
	lkstm set -n default
	before=$tap_count
	run_page "$file"
	case $file in
	*.[23] | *lkst.4 | *lkstlogd.5) ;;	# examples there are C code or a file
	*) ok "${file##*/}: has examples" test $tap_count -gt "$before" ;;
	esac
	[ ! -f /var/run/lkstlogd.pid ] || kill "$(cat /var/run/lkstlogd.pid)"
	while [ -f /var/run/lkstlogd.pid ]; do sleep 0.2; done
	rm -rf /etc/lkst.d
done

# Other tests in this boot expect the initial masksets, buffers and event handlers.
lksteh control -e stop_after -v 1000 >/dev/null
lksteh control -e buffer_jump -v none >/dev/null
lkstm set -n default
for id in $(masksets | grep -vxFf initial); do lkstm delete -m "$id"; done
lkstbuf jump -b 0
for id in $(buffers); do lkstbuf delete -b "$id"; done
is 'the examples leave no masksets' "$(masksets | grep -vxFf initial)" ''
is 'the examples leave no buffers' "$(buffers)" ''
done_testing
