# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Tests of commands source this file first. It puts the helper programs into PATH, changes to a
# directory of the test's own, and has functions that run tables of commands.

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
. "$here/form.sh"
. "$here/absent.sh"
# shellcheck disable=SC2034 # tests use it
modules=$here/modules
export TZ=UTC PATH="$here:$PATH"
work=/tmp/${0##*/}
mkdir -p "$work"
cd "$work" || exit

# field NAME: print the line NAME of lkst status, without the name
field() { lkst status | sed -n "s/^$1  *//p"; }

# new_second: wait for the next second and print it, as --since accepts it. Everything that earlier
# tests in this boot recorded is older.
new_second() { sleep 1 && date +@%s; }

# matches FILE PATTERN: whether a line of the file matches the pattern. "-" matches an empty file.
matches() {
	case $2 in
	-) [ ! -s "$1" ] ;;
	*) grep -qaE -e "$2" "$1" ;;
	esac
}

# run_command COMMAND: run the command, and write its output to the file "printed"
run_command() { (eval "$1") >printed 2>&1 </dev/null; }

# run_row NAME ROW: run the command of a row, and test its exit status, its output and its effect.
# See commands.table for the fields. The last two, "effect" and the output of the effect, may be
# missing.
run_row() {
	rest=$2
	command=${rest%% | *} rest=${rest#* | }
	status=${rest%% | *} rest=${rest#* | }
	output=${rest%% | *} effect=- effect_output=-
	if [ "$rest" != "$output" ]; then
		rest=${rest#* | }
		effect=${rest%% | *} effect_output=${rest#* | }
	fi
	tap_status=0
	run_command "$command" || tap_status=$?
	if [ "$tap_status" != "$status" ]; then
		fail "$1" "$command: status $tap_status, wanted $status
$(head -n 20 printed)"
	elif [ -n "$output" ] && ! matches printed "$output"; then
		fail "$1" "$command: '$output' does not match
$(head -n 20 printed)"
	elif [ "$effect" != - ] && { run_command "$effect" || :; ! matches printed "$effect_output"; }; then
		fail "$1" "$effect: '$effect_output' does not match
$(head -n 20 printed)"
	else
		pass "$1"
	fi
}

# Run the table on standard input. In its rows, the name of the test precedes the other fields.
rows() {
	while IFS= read -r row; do
		run_row "${row%% | *}" "${row#* | }"
	done
}
