#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the examples of the man pages exactly as printed. examples.sh describes their format.
# tests/host/logformat.t runs the examples of logformat.pl, because the VM has no Perl.
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
shaped_returns 'another word' 'maskset 30 yours\n...\n' 1
shaped_returns 'a line is missing' 'maskset 3 mine\nthe last, with [brackets] (and more)\n' 1
shaped_returns 'more lines' 'maskset 3 mine\n' 1
shaped_returns 'fewer lines' '...\nthe last, with [brackets] (and more)\nx\n' 1
shaped_returns 'brackets are not a pattern' '...\nthe last, with b (and more)\n' 1

# --- the pages

for file in "$here"/doc/man/*; do
	case $file in *logformat.pl.8) continue ;; esac
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
done_testing
