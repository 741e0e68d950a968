# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced first by the tests on the host. Sets $top, the top of the checkout, and $work, a directory
# that is removed when the test ends.

set -u
. "$(dirname "${BASH_SOURCE[0]}")/../tap.sh"
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)

# This function is called when the test ends. A test that must clean up more things redefines it.
cleanup() { rm -rf "$work"; }
# If a signal arrives before a child of the test has started its program, the child runs this trap,
# too. So the trap does nothing in a process other than the test itself.
trap '[ "$BASHPID" -ne $$ ] || cleanup' EXIT

# copy_checkout PATH...: copy these parts of the checkout to $work/lkst, which the test can change
copy_checkout() {
	mkdir -p "$work/lkst"
	(cd "$top" && cp -a --parents "$@" "$work/lkst")
}

# until_true COMMAND...: repeat COMMAND until it succeeds, for up to 300 s
until_true() {
	local end=$((SECONDS + 300))
	until "$@"; do
		[ $SECONDS -lt $end ] || return
		sleep 0.1
	done
}

# stop_while PID PATTERN: wait until process PID, a child of the test, has created a file whose name
# matches PATTERN, and stop the process while the file exists. Fails if the process was faster: the
# file is gone by then, and the process is not stopped.
stop_while() {
	# Do not start a program in this loop, because that may take longer than the file exists.
	until compgen -G "$2" >/dev/null || ! kill -0 "$1" 2>/dev/null; do :; done
	kill -STOP "$1" 2>/dev/null || return
	# Wait until the process has stopped, which may be a moment after kill has returned.
	until [[ $(sed -n 's/^State:\t//p' "/proc/$1/status" 2>/dev/null) != [RSD]* ]]; do :; done
	! compgen -G "$2" >/dev/null || return 0
	kill -CONT "$1" 2>/dev/null
	return 1
}

# source_of SERIES: print the directory of the newest source of the series in the cache, or nothing
source_of() { find "${XDG_CACHE_HOME:-$HOME/.cache}/lkst/source" -maxdepth 1 -name "linux-$1-*" | sort -V | tail -n 1; }

# pristine SERIES DIR: copy to DIR the files that apply-to-kernel needs, from a tree without LKST
pristine() {
	local source path
	source=$(source_of "$1")
	[ -n "$source" ] || bail_out "no source of Linux $1 in the cache; run scripts/build-kernel first"
	for path in Makefile Kconfig kernel/Kconfig.hz kernel/bounds.c \
		$(sed -n 's#^--- a/\([^	]*\).*#\1#p' "$top/patches/$1"/*.patch | sort -u); do
		mkdir -p "$(dirname "$2/$path")"
		cp "$([ -e "$source/.lkst/orig/$path" ] && echo "$source/.lkst/orig" || echo "$source")/$path" "$2/$path"
	done
}

# compile PROGRAM SOURCE OPTION...: compile a static program for a VM. Bails out if that fails.
compile() {
	${CC:-cc} -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -o "$@" || bail_out "$2 does not compile"
}

# build_tools [PROGRAM...]: build the commands, and these programs of tests/unit. Bails out if that
# fails.
build_tools() {
	{ make -s -C "$top/tools/lkst" &&
		{ [ $# -eq 0 ] || make -s -C "$top/tests/unit" "${@/#/build/}"; }
	} >"$work/make.log" 2>&1 || bail_out "the tools do not build: $(tail -n 5 "$work/make.log")"
}

# why_agrees NAME FILE...: test with lkstla_why.py that lkstla why agrees with lkstla sched on a trace
# that was recorded with wake-ups. The trace must have a delay that can be compared.
why_agrees() { why_holds '[1-9][0-9]*' '' "$@"; }

# why_agrees_if_any NAME FILE...: run the same test on a trace that may have no delay. Skip the test if
# the trace has nothing that lkstla why could explain.
why_agrees_if_any() { why_holds '[0-9]+' 'the trace lacks events that this analysis needs|no delay began and ended in the window|the window is empty' "$@"; }

# why_holds COMPARED NOTHING NAME FILE...: test that the number of delays that lkstla_why.py compares
# matches COMPARED. If lkstla why refuses the trace with a message that matches NOTHING, skip the test,
# unless NOTHING is empty.
why_holds() {
	local compared=$1 nothing=$2 name=$3 found
	shift 3
	found=$(PATH=$top/build/bin:$PATH "$top/tests/host/lkstla_why.py" "$@" --any 2>&1)
	if [ -n "$nothing" ] && [[ $found =~ ^'refused: '.*($nothing) ]]; then
		skip "$name: lkstla why" "nothing to explain: ${found##*$'\n'}"
	else
		contains "$name: lkstla why" "$found" "^[1-9][0-9]* delays, [0-9]+ segments, $compared compared with sched, "
	fi
}

# use_tools [PROGRAM...]: do the same as build_tools, put the commands and the programs of
# tests/unit into PATH, and change to $work
use_tools() {
	build_tools "$@"
	export TZ=UTC LC_ALL=C PATH="$top/build/bin:$PATH:$top/tests/unit/build"
	cd "$work" || exit
}
