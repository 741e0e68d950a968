# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Tests of lkstla source this file first. It has functions that record chosen events, and that run
# an analysis on the part of a trace between two marks.

. "$(dirname "$0")/rows.sh"

# brought PROGRAM NAME: whether this VM has a program of the distribution, which the line "# programs:"
# of the test names. If not, skip the test NAME.
brought() {
	! command -v "$1" >/dev/null || return 0
	skip "$2" "this VM has no $1"
	return 1
}

# record EVENTS: until the test ends, record only these events and marks
record() {
	trap 'lkstm set -n default; lkstm delete -n measure' EXIT
	lkstm read -m 0 | lkstm write -n measure >/dev/null &&
		lkstm config -n measure "user_mark,$1" entry_log >/dev/null &&
		lkstm set -n measure
}

# mark NUMBER: record a mark
mark() { lkstlogger -ev user_mark -a1 "$1"; }

# mark_time NUMBER: print the time of a mark in the file "trace", as --since and --until accept it. It
# is the newest mark with this number, because a boot runs several tests.
mark_time() {
	lkstbuf print -f trace --time raw -r -e user_mark |
		sed -n "s/^\([0-9]*\)\([0-9]\{9\}\) .* arg1=0x0*$1 .*/@\1.\2/p" | tail -n 1
}

# between FIRST LAST ANALYSIS [OPTION...]: run an analysis on the time between two marks. Losses would
# make its numbers wrong, so the header is printed as comments if there are any.
between() {
	since=$(mark_time "$1") until=$(mark_time "$2") analysis=$3
	shift 3
	lkstla "$analysis" -f trace --since "$since" --until "$until" --csv "$@" 2>header || return
	grep -q 'nothing lost' header || sed 's/^/# /' header >&2
}

# rows_of TABLE FILE: print the rows of the table whose heading begins with TABLE, without the heading
rows_of() {
	awk -v head="$1," '
		/^[a-z_]+(,[a-z][a-z0-9_]*)+$/ { within = index($0 ",", head) == 1; next }
		within' "$2"
}
