#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The examples of logformat.pl(8), with a trace that was not read from a kernel.

. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/vm/examples.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TZ=UTC
cd "$work" || exit

make -s -C "$top/tools/lkst" >make.log 2>&1 || bail_out "the tools do not build: $(tail -n 5 make.log)"
make -s -C "$top/tests/unit" build/mktrace >make.log 2>&1 || bail_out "mktrace does not build: $(tail -n 5 make.log)"
PATH=$top/tools/lkst:$PATH
# shellcheck disable=SC2317 # the examples call it
lkstbuf() {
	case "$1 $2" in
	'read -f') "$top/tests/unit/build/mktrace" "$3" ;;
	*) command lkstbuf "$@" ;;
	esac
}

run_page "$top/Documentation/man/logformat.pl.8"
ok 'the page has examples' test "$tap_count" -ge 3
done_testing
