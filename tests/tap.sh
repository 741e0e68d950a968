# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Test results in TAP, for test scripts on the host (tests/host) and in the VM (busybox sh):
#
#   . "$(dirname "$0")/../tap.sh"
#   ok "what must be true" COMMAND [ARG...]
#   ...
#   done_testing

tap_count=0
tap_failed=0

# Print the arguments as comment lines, which belong to the last result. If there are more than 80
# lines, print only the first and the last 40.
diag() {
	printf '%s\n' "$*" | awk -v ends=40 '
		NR <= ends { print "# " $0; next }
		{ last[NR % ends] = $0 }
		END {
			from = ends + 1
			if (NR > 2 * ends) {
				from = NR - ends + 1
				print "# [lines left out: " from - ends - 1 "]"
			}
			while (from <= NR) print "# " last[from++ % ends]
		}'
}

pass() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s\n' "$tap_count" "$1"
}

# fail NAME [WHY]: report the failure of test NAME, with WHY as comment lines
fail() {
	tap_count=$((tap_count + 1))
	tap_failed=$((tap_failed + 1))
	printf 'not ok %d - %s\n' "$tap_count" "$1"
	[ $# -lt 2 ] || diag "$2"
	return 0
}

# skip NAME WHY: report that test NAME is skipped
skip() {
	tap_count=$((tap_count + 1))
	printf 'ok %d - %s # SKIP %s\n' "$tap_count" "$1" "$2"
}

# ok NAME COMMAND [ARG...]: test that COMMAND succeeds. Its output is shown only if it fails.
ok() {
	tap_name=$1
	shift
	tap_status=0
	tap_said=$("$@" 2>&1) || tap_status=$?
	if [ "$tap_status" -eq 0 ]; then
		pass "$tap_name"
	else
		fail "$tap_name" "$* -> status $tap_status
$tap_said"
	fi
}

# fails NAME STATUS COMMAND [ARG...]: test that COMMAND exits with STATUS; "any" means any status
# but 0. $tap_output then holds the standard output and error of COMMAND, so that the caller can
# check the message.
fails() {
	tap_name=$1
	tap_want=$2
	shift 2
	tap_status=0
	tap_output=$("$@" 2>&1) || tap_status=$?
	if [ "$tap_status" = "$tap_want" ] || { [ "$tap_want" = any ] && [ "$tap_status" -ne 0 ]; }; then
		pass "$tap_name"
	else
		fail "$tap_name" "$* -> status $tap_status, wanted $tap_want
$tap_output"
	fi
}

# refused NAME STATUS PATTERN COMMAND [ARG...]: test that COMMAND exits with STATUS, and that its
# output matches PATTERN.
refused() {
	tap_refused=$1
	tap_pattern=$3
	tap_refused_status=$2
	shift 3
	fails "$tap_refused" "$tap_refused_status" "$@"
	contains "$tap_refused: the message" "$tap_output" "$tap_pattern"
}

# quiet NAME COMMAND [ARG...]: test that COMMAND succeeds and prints nothing
quiet() {
	tap_quiet=$1
	shift
	is "$tap_quiet" "$("$@" 2>&1; echo "status $?")" 'status 0'
}

# is NAME GOT WANTED: test that GOT and WANTED are equal
is() {
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got:    $2
wanted: $3"
	fi
}

# contains NAME TEXT PATTERN: test that a line of TEXT matches PATTERN, an extended regular
# expression
contains() {
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		pass "$1"
	else
		fail "$1" "nothing matches '$3' in:
$2"
	fi
}

# lacks NAME TEXT PATTERN: test that no line of TEXT matches PATTERN
lacks() {
	if printf '%s\n' "$2" | grep -qE -e "$3"; then
		fail "$1" "'$3' matches:
$(printf '%s\n' "$2" | grep -E -e "$3")"
	else
		pass "$1"
	fi
}

# bail_out WHY: end the script immediately, because its remaining tests cannot give useful results
bail_out() {
	printf 'Bail out! %s\n' "$*"
	exit 1
}

done_testing() {
	printf '1..%d\n' "$tap_count"
	[ "$tap_failed" -eq 0 ]
	exit
}
