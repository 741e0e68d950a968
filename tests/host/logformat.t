#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# logformat.pl: what the specification says of it, over lkstbuf print.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
cd "$work" || exit
logformat=$top/tools/lkst/logformat.pl
lkstbuf=$top/tools/lkst/lkstbuf

{ make -s -C "$top/tools/lkst" && make -s -C "$top/tests/unit" build/mktrace; } >make.log 2>&1 ||
	bail_out "the tools do not build: $(tail -n 5 make.log)"
"$top/tests/unit/build/mktrace" trace || bail_out 'no sample trace'

same() {	# NAME OPTIONS_OF_LKSTBUF_PRINT ARGUMENT...
	local name=$1 options=$2
	shift 2
	# shellcheck disable=SC2086 # words
	is "$name" "$("$logformat" "$@" 2>&1; echo $?)" "$("$lkstbuf" print -f trace $options 2>&1; echo $?)"
}

is 'it compiles, strictly and without a warning' "$(perl -wc "$logformat" 2>&1)" "$logformat syntax OK"
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
cp trace -- -r
is 'a file that is called like an option' "$("$logformat" -- -r)" "$("$logformat" trace)"
rm -- -r

contains '-h: help' "$("$logformat" -h)" '^Usage: logformat\.pl '
contains '-h: names of events' "$("$logformat" -h)" '^  0x030  system_call_entry$'
is '-h: the same names as lkstbuf print has' "$("$logformat" -h | sed '1,/^Classes:/d')" \
	"$("$lkstbuf" print -h | sed '1,/^Classes:/d')"
ok '-h of a file' "$logformat" -h trace
fails '-h: full disk' 1 sh -c "'$logformat' -h >/dev/full"
ok '--help fits a screen' test "$("$logformat" --help | wc -l)" -le 24
ok '--help fits its width' test "$("$logformat" --help | wc -L)" -le 80

refused 'no file' 2 'which file\?' "$logformat"
refused 'two files' 2 'what is "b" for\?' "$logformat" a b
refused 'unknown option' 2 'unknown option: x' "$logformat" -x trace
refused 'missing value' 2 'option c requires an argument' "$logformat" trace -c
refused 'no such file' 1 'none: open: No such file' "$logformat" none
refused 'no such file, -h' 1 'none: open: No such file' "$logformat" -h none
refused 'no such event' 1 'no event is called "xyzzy"' "$logformat" -e xyzzy trace
refused 'a bad number' 2 'number of events "0" is out of range' "$logformat" -n 0 trace
head -c 3000 trace >cut_off
refused 'a file that was cut off' 1 'cut off after 3000 bytes' "$logformat" cut_off
fails 'full disk' 1 sh -c "'$logformat' trace >/dev/full"
is 'a reader that has seen enough is no failure' \
	"$(bash -c "set -o pipefail; '$logformat' trace | head -n 1 >/dev/null; echo \$?")" 0

# Where lkstbuf is found: beside itself, else in PATH
mkdir alone with bin
cp "$logformat" alone
cp "$logformat" with
printf '#!/bin/sh\necho beside "$@"\nexit 7\n' >with/lkstbuf
printf '#!/bin/sh\necho path "$@"\nkill -TERM $$\n' >bin/lkstbuf
chmod +x with/lkstbuf bin/lkstbuf
is 'lkstbuf beside itself, with its exit status' "$(PATH=$work/bin:$PATH with/logformat.pl -r x; echo $?)" \
	"beside print -r -f x
7"
is 'lkstbuf in PATH, and the signal that ends it' "$(PATH=$work/bin:$PATH alone/logformat.pl x 2>/dev/null; echo $?)" \
	"path print -f x
143"
refused 'no lkstbuf' 1 'lkstbuf: cannot be run: No such file' env PATH=/usr/bin:/bin alone/logformat.pl trace
refused 'no lkstbuf, -h' 1 'lkstbuf: cannot be run: No such file' env PATH=/usr/bin:/bin alone/logformat.pl -h
done_testing
