# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Tests of lkstla source this file first. Its functions record selected events, read the trace, and
# run an analysis on the part of a trace between two marks.

. "$(dirname "$0")/rows.sh"
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"

# brought PROGRAM NAME: return whether this VM has a program that the line "# programs:" of the test
# requests. If not, skip the test NAME.
brought() {
	! command -v "$1" >/dev/null || return 0
	skip "$2" "this VM has no $1"
	return 1
}

# record EVENTS: until the test ends, record only these events and marks
recorded=process_wakeup
record() {
	recorded=$1
	trap 'lkstm set -n default; lkstm delete -n measure' EXIT
	lkstm read -m 0 | lkstm write -n measure >/dev/null &&
		lkstm config -n measure "user_mark,$1" entry_log >/dev/null &&
		lkstm set -n measure
}

# settle COMMAND...: wait up to a minute until the output of the command has not changed for two
# seconds. A single long sleep would not be enough, because the emulated CPUs may pause during the
# sleep.
settle() {
	settle_same=0 settle_last=
	for _ in $(seq 300); do
		sleep 0.2
		settle_now=$("$@")
		[ "$settle_now" = "$settle_last" ] || settle_same=0
		settle_last=$settle_now settle_same=$((settle_same + 1))
		[ $settle_same -le 10 ] || break
	done
}

# read_trace: read the events into the file "trace", and test lkstla why on this file if wake-ups
# were recorded. lkstla why needs them, but block.t, lock.t, mem.t and net.t do not record them.
read_trace() {
	ok 'the trace is read' lkstbuf read -f trace
	case ,$recorded, in *,process_wakeup,* | *,class:process,*) why_agrees trace ;; esac
}

# make_loop: create a loop device of 16 MB, and set $loop to its name
make_loop() {
	truncate -s 16M disk
	loop=$(losetup -f)
	ok 'a loop device' losetup "$loop" disk
}

# make_cgroup CONTROLLER: create a cgroup for processes that the controller limits, and set $cgroup to
# its directory. This directory is missing if the kernel lacks the controller.
make_cgroup() {
	cgroup=/tmp/cgroup/$1
	mkdir -p /tmp/cgroup
	[ -f /tmp/cgroup/cgroup.controllers ] || mount -t cgroup2 none /tmp/cgroup || return 0
	grep -qw "$1" /tmp/cgroup/cgroup.controllers || return 0
	echo "+$1" >/tmp/cgroup/cgroup.subtree_control
	mkdir -p "$cgroup"
}

# mark NUMBER: record a mark
mark() { lkstlogger -ev user_mark -a1 "$1"; }

# mark_time NUMBER: print the time of the newest mark with this number in the file "trace", as
# --since and --until accept it. Older marks may come from other tests in the same boot.
mark_time() {
	lkstbuf print -f trace --time raw -r -e user_mark |
		sed -n "s/^\([0-9]*\)\([0-9]\{9\}\) .* arg1=0x0*$1 .*/@\1.\2/p" | tail -n 1
}

# between FIRST LAST ANALYSIS [OPTION...]: run an analysis on the time between two marks. If records
# of this time were lost, the numbers of the analysis are wrong. Then also print its header, which
# reports the losses, as comments.
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
