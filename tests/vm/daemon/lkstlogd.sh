# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# The tests of lkstlogd source this file first. It deletes earlier log files, and changes to /tmp.
# SC2046: file names have no blanks. SC2317: "ok" and "within" call the functions.
# shellcheck disable=SC2046,SC2317

here=$(cd "$(dirname "$0")" && pwd)
# unload.t has already sourced tap.sh, and to source it again would reset the number of results. The
# guest of tests/host/lkstlogd_previous.t has no tap.sh.
[ -n "${tap_count-}" ] || [ ! -f "$here/../tap.sh" ] || . "$here/../tap.sh"
# shellcheck source=why/why_agrees.sh
[ ! -f "$here/why_agrees.sh" ] || . "$here/why_agrees.sh"
logs=/var/log/lkst
pid_file=/var/run/lkstlogd.pid
export PATH="$here:$PATH"
rm -rf $logs
cd /tmp || exit

# Set a limit, so that the size of a file does not depend on the size of the VM's file system.
printf '[lkstlogd]\ncompress = no\nlimit = 10M\n' >/etc/lkst.conf
trap 'rm -f /etc/lkst.conf' EXIT

# within SECONDS COMMAND...: repeat the command until it succeeds. Fails only after ten times
# SECONDS, in case the host is busy. Time is measured since boot, because the command may set the
# time of day.
within() {
	within_end=$(($(cut -d . -f 1 /proc/uptime) + $1 * 10))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$(cut -d . -f 1 /proc/uptime)" -lt $within_end ] || return 1
		usleep 50000
	done
}
gone() { [ ! -d "/proc/$1" ] || grep -q '^State:	Z' "/proc/$1/status"; }
signal_daemon() { kill "-$1" "$(cat $pid_file)"; }
children() { ps -o pid,ppid | awk -v parent="$(cat $pid_file)" '$2 == parent { printf "%s ", $1 }'; }

# stop: end the running daemon. Fails if the daemon does not exit, or leaves its pid file behind.
stop() {
	stop_pid=$(cat $pid_file)
	kill -TERM "$stop_pid"
	within 30 gone "$stop_pid" && [ ! -e $pid_file ]
}

# files CPU: print the log files of the CPU, in the order of their serials
files() { find $logs -name "sebuf$1.*" 2>/dev/null | sort -t . -k 2n; }
serials() { files "$1" | sed 's/.*\.//' | tr '\n' ' '; }
# writes CPU SERIAL: whether that log file exists and is being written
writes() { logfiles growing "$logs/sebuf$1.$2"; }
both() { writes 0 "$1" && writes 1 "$1"; }
closed() { ! writes "$1" "$2" && logfiles check "$logs/sebuf$1.$2" 2>/dev/null | grep -q 'closed=1 growing=0'; }

both_closed() { closed 0 "$1" && closed 1 "$1"; }

# whole NAME FILE...: test that no file is damaged, and that the files together hold each recid once
# or report it as lost. Also test lkstla why on the files. Sets $checked to the output of logfiles,
# which describes the files.
whole() {
	whole_as check "$@"
	shift
	why_agrees_if_any "$@"
}
# nothing_missing NAME FILE...: the same test as whole, for files of a daemon that was killed. The
# next daemon may write the last records of the killed daemon again. If lkstbuf print gets all
# files, it prints these records only once.
nothing_missing() {
	whole_as killed "$@"
	shift
	why_agrees_cut "$@"
}
whole_as() {
	whole_how=$1 whole_name=$2
	shift 2
	if checked=$(logfiles "$whole_how" "$@" 2>&1); then
		pass "$whole_name"
	else
		fail "$whole_name" "$checked"
	fi
}
# explained: test lkstla why on all log files. Tests that call the function whole do not need this.
explained() { why_agrees_if_any $(files 0) $(files 1); }
# of LINE KEY: print the value of KEY in the line of $checked that begins with LINE
of() { printf '%s\n' "$checked" | sed -n "s|^$1 .*\b$2=\([^ ]*\).*|\1|p" | head -n 1; }
# both_of KEY: print the values of KEY for both CPUs
# is_of NAME KEY WANTED: test that these values are WANTED
both_of() { echo "$(of cpu=0 "$1") $(of cpu=1 "$1")"; }
is_of() { is "$1" "$(both_of "$2")" "$3"; }
nothing_lost() { is_of "$1: no record is lost" lost '0 0'; }
# compressed FILE: print the number of compressed chunks
compressed() { logfiles check "$1" | sed -n 's/.* compressed=\([0-9]*\).*/\1/p' | head -n 1; }
# recid CPU oldest|next: print the lowest recid that a new daemon can read, or the recid of the next
# record
recid() { logfiles recids | sed -n "s/^cpu=$1 .*$2=\([0-9]*\).*/\1/p"; }

# mark NUMBER: record a mark
# marked NUMBER FILE...: print how many times the mark is in the files
mark() { lkstlogger -ev user_mark -a1 "$1"; }
marked() {
	marked_number=$1
	shift
	# shellcheck disable=SC2046 # file names contain no spaces here
	set -- $(printf ' -f %s' "$@")
	lkstbuf print -r -e user_mark "$@" | grep -c " arg1=$marked_number "
}

# says PATTERN: whether a line of lkst status matches PATTERN. lkstlogd updates its status once a
# second.
says() { lkst status | grep -qE "$1"; }

# Print the state that must be the same before lkstlogd starts and after it has exited. Queued
# buffers are shown as free, because lkstlogd empties the read queues. The long rings, after an empty
# line, are left out, because they fill up.
surroundings() {
	lkstbuf list | sed '/^$/,$d; s/ *$//; s/queued$/free/'
	lkstm list
	lkst status | grep -E '^(maskset|state)'
}

# unchanged NAME: test that LKST is in the state that surroundings() wrote to the file "before"
unchanged() {
	surroundings >after
	is "$1" "$(cat after)" "$(cat before)"
}

# starts NAME SERIAL OPTION...: test that lkstlogd -a OPTION... starts, and that it writes the files
# of both CPUs with that serial
starts() {
	starts_name=$1 starts_serial=$2
	shift 2
	ok "$starts_name: lkstlogd starts" lkstlogd -a "$@"
	ok "$starts_name: it writes" within 20 both "$starts_serial"
}
# begin NAME OPTION...: delete all log files, then call starts with the serial 0
begin() {
	begin_name=$1
	shift
	rm -rf $logs
	starts "$begin_name" 0 "$@"
}

# foreground OPTION...: start lkstlogd -F, set $daemon to its process id, and write its messages to
# the file "messages"
foreground() {
	lkstlogd -F "$@" 2>messages &
	daemon=$!
}
# end_foreground SIGNAL: end $daemon with the signal. Returns the exit status of the daemon.
end_foreground() {
	kill "-$1" "$daemon"
	wait "$daemon"
}

# in_order FILE: whether the output of lkstbuf print -r in FILE is in chronological order, and not
# empty. A record that follows one from another CPU must not be earlier by more than a microsecond,
# which is the accuracy of times of day. A record that follows one from the same CPU may be earlier,
# because one of the two may have been recorded in an interrupt.
in_order() {
	awk '/^#/ { next }
		{ split($1, part, ":"); now = (part[1] * 60 + part[2]) * 60 + part[3] }
		lines++ && $2 != cpu && now < time - 0.000001 && !(time > 82800 && now < 3600) { print "earlier than " text ": " $0; wrong = 1 }
		{ time = now; text = $1; cpu = $2 }
		END { exit wrong || !lines }' "$1"
}
