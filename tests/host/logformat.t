#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# logformat.pl, which calls lkstbuf print, behaves as the specification requires. The examples of
# its manual page work.

. "$(dirname "$0")/host.sh"
use_tools mktrace
mktrace trace || bail_out 'no sample trace'
logformat=$top/build/bin/logformat.pl

same() {	# NAME OPTIONS ARG...: test that logformat.pl ARG... and lkstbuf print OPTIONS agree
	local name=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # unquoted, to split it into words
	is "$name" "$("$logformat" "$@" 2>&1; echo $?)" "$(lkstbuf print -f trace $options 2>&1; echo $?)"
}

is 'logformat.pl compiles without warnings' "$(perl -wc "$logformat" 2>&1)" "$logformat syntax OK"
same 'newest first' '' trace
same '-r' '-r' -r trace
same '-n' '-n 3' -n 3 trace
same '-c' '-c 1' -c 1 trace
same '-e' '-e system_call_entry,system_call_exit' -e system_call_entry,system_call_exit trace
same '-e all but two' '-e all,!system_call_entry,!system_call_exit' -e 'all,!system_call_entry,!system_call_exit' trace
same '-e with blanks' '-e process_exec' -e ' process_exec ' trace
same 'several -e' '-e all -e !0x123' -e all -e '!0x123' trace
same 'options together, and after the file' '-r -n 2 -c 0' trace -rn2 -c0
ok 'something is printed' sh -c "'$logformat' trace | grep -q '^03:04:05.* process_exec .*path=/usr/bin/cat'"
is 'standard input' "$("$logformat" - <trace)" "$("$logformat" trace)"
mktrace files files || bail_out 'no trace with files'
is 'the files of descriptors' "$("$logformat" -r files)" "$(lkstbuf print -f files -r)"
ok 'the files of descriptors: they are shown' sh -c "'$logformat' files | grep -Fq 'read arg1=0x7(\"/srv/my file\") '"
cp trace -- -r
is 'a file that is named like an option' "$("$logformat" -- -r)" "$("$logformat" trace)"
rm -- -r

contains '-h: help' "$("$logformat" -h)" '^Usage: logformat\.pl '
contains '-h: names of events' "$("$logformat" -h)" '^  0x030  system_call_entry  *number, abi, '
is '-h: the same names as in lkstbuf print -h' "$("$logformat" -h | sed '1,/^Classes:/d')" \
	"$(lkstbuf print -h | sed '1,/^Classes:/d')"
ok '-h of a file' "$logformat" -h trace
fails '-h: full disk' 1 sh -c "'$logformat' -h >/dev/full"

refused 'no file' 2 'FILE is missing' "$logformat"
refused 'two files' 2 'unexpected argument "b"' "$logformat" a b
refused 'unknown option' 2 'unknown option: x' "$logformat" -x trace
refused 'missing value' 2 'option c requires an argument' "$logformat" trace -c
refused 'no such file' 1 'none: open: No such file' "$logformat" none
refused 'no such file, -h' 1 'none: open: No such file' "$logformat" -h none
refused 'no such event' 1 'unknown event "xyzzy"' "$logformat" -e xyzzy trace
refused 'an invalid number' 2 'number of events "0" is out of range' "$logformat" -n 0 trace
head -c 3000 trace >cut_off
refused 'a file that was cut off' 1 'truncated after 3000 bytes' "$logformat" cut_off
fails 'full disk' 1 sh -c "'$logformat' trace >/dev/full"
is 'a reader that exits early is not an error' \
	"$(bash -c "set -o pipefail; '$logformat' trace | head -n 1 >/dev/null; echo \$?")" 0

# logformat.pl looks for lkstbuf in its own directory, then in PATH.
mkdir alone with bin
cp "$logformat" alone
cp "$logformat" with
printf '#!/bin/sh\necho beside "$@"\nexit 7\n' >with/lkstbuf
printf '#!/bin/sh\necho path "$@"\nkill -TERM $$\n' >bin/lkstbuf
chmod +x with/lkstbuf bin/lkstbuf
is 'lkstbuf in its own directory, with the exit status of lkstbuf' "$(PATH=$work/bin:$PATH with/logformat.pl -r x; echo $?)" \
	"beside print -r -f x
7"
is 'lkstbuf in PATH, and the signal that ends it' "$(PATH=$work/bin:$PATH alone/logformat.pl x 2>/dev/null; echo $?)" \
	"path print -f x
143"
refused 'no lkstbuf' 1 'lkstbuf: cannot be run: No such file' env PATH=/usr/bin:/bin alone/logformat.pl trace
refused 'no lkstbuf, -h' 1 'lkstbuf: cannot be run: No such file' env PATH=/usr/bin:/bin alone/logformat.pl -h

# The examples of logformat.pl(8), with a trace that mktrace makes
here=$top/tests/vm/commands
# shellcheck source=../vm/commands/examples.sh
. "$here/examples.sh"
# shellcheck disable=SC2317 # the examples call it
lkstbuf() {
	case "$1 $2" in
	'read -f') mktrace "$3" ;;
	*) command lkstbuf "$@" ;;
	esac
}
others=$tap_count
run_page "$top/Documentation/man/logformat.pl.8"
ok 'the page has examples' test "$tap_count" -ge $((others + 3))
done_testing
