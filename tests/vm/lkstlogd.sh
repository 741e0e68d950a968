# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# What the tests of lkstlogd share. It comes after tap.sh.

logs=/var/log/lkst
pid_file=/var/run/lkstlogd.pid
here=$(pwd)
export PATH="$here:$PATH"

# How much fits into a file, and when it is full, must not depend on the file system of the VM.
printf '[lkstlogd]\ncompress = no\nlimit = 10M\n' >/etc/lkst.conf
trap 'rm -f /etc/lkst.conf' EXIT

# within SECONDS COMMAND...: it succeeds before long: ten times as long where the machine is busy. The clock may be
# set meanwhile.
within() {
	within_end=$(($(cut -d . -f 1 /proc/uptime) + $1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d . -f 1 /proc/uptime)" -lt $within_end ] || return 1
		usleep 50000
	done
}
gone() { [ ! -d "/proc/$1" ] || grep -q '^State:	Z' "/proc/$1/status"; }
tell() { kill "-$1" "$(cat $pid_file)"; }
children() { ps -o pid,ppid | awk -v parent="$(cat $pid_file)" '$2 == parent { printf "%s ", $1 }'; }

# stop: ends the daemon that runs; fails if it does not end, or leaves its pid file.
stop() {
	stop_pid=$(cat $pid_file)
	kill -TERM "$stop_pid"
	within 30 gone "$stop_pid" && [ ! -e $pid_file ]
}

# files CPU: its log files, in the order of their serials.
files() { find $logs -name "sebuf$1.*" 2>/dev/null | sort -t . -k 2n; }
serials() { files "$1" | sed 's/.*\.//' | tr '\n' ' '; }
# Is the file there that CPU is writing, SERIAL?
writes() { logfiles growing "$logs/sebuf$1.$2"; }
closed() { ! writes "$1" "$2" && logfiles check "$logs/sebuf$1.$2" 2>/dev/null | grep -q 'closed=1 growing=0'; }

# whole NAME FILE...: they hold together each recid once, and are closed. Leaves in $checked what they hold.
whole() { whole_as check "$@"; }
# nothing_missing NAME FILE...: the same where a daemon was killed. What it had written and not noted yet the next one
# writes again; lkstbuf print with all files prints it once.
nothing_missing() { whole_as killed "$@"; }
whole_as() {
	whole_how=$1 whole_name=$2
	shift 2
	if checked=$(logfiles "$whole_how" "$@" 2>&1); then
		pass "$whole_name"
	else
		fail "$whole_name" "$checked"
	fi
}
# of LINE KEY: its value in the line of $checked that begins with LINE.
of() { printf '%s\n' "$checked" | sed -n "s|^$1 .*\b$2=\([^ ]*\).*|\1|p" | head -n 1; }
# recid CPU oldest|next: in the kernel now.
recid() { logfiles recids | sed -n "s/^cpu=$1 .*$2=\([0-9]*\).*/\1/p"; }

# A mark that no other test makes: mark NUMBER; marked NUMBER FILE...: how often it is in the files.
mark() { lkstlogger -ev user_mark -a1 "$1"; }
marked() {
	marked_number=$1
	shift
	# shellcheck disable=SC2046 # names of files have no blanks here
	set -- $(printf ' -f %s' "$@")
	lkstbuf print -r -e user_mark "$@" | grep -c " arg1=$marked_number "
}

# says TEXT: lkst status has a line with it; it is told once a second.
says() { lkst status | grep -qE "$1"; }

# What must be as before when the daemon is gone. What was queued has been read.
surroundings() {
	lkstbuf list | sed 's/ *$//; s/queued$/free/'
	lkstm list
	lkst status | grep -E '^(maskset|state)'
}

# in_order FILE: what lkstbuf print -r has written there is in the order of time: what follows a record of another CPU
# is not earlier, but for the microsecond to which wall-clock times are right. (On one CPU an interrupt may have the
# earlier time and comes later.) And there is something.
in_order() {
	awk '/^#/ { next }
		{ split($1, part, ":"); now = (part[1] * 60 + part[2]) * 60 + part[3] }
		lines++ && $2 != cpu && now < time - 0.000001 && !(time > 82800 && now < 3600) { print "earlier than " text ": " $0; wrong = 1 }
		{ time = now; text = $1; cpu = $2 }
		END { exit wrong || !lines }' "$1"
}
