#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstbuf read: a part of a trace as a trace of its own.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
PATH=$top/tools/lkst:$PATH
corpus=$top/tests/fuzz/corpus/trace
cd "$work" || exit

{ make -s -C "$top/tools/lkst" && make -s -C "$top/tests/unit" build/mktrace; } >make.log 2>&1 ||
	bail_out "the tools do not build: $(tail -n 5 make.log)"
"$top/tests/unit/build/mktrace" trace || bail_out 'no sample trace'

# What a trace says of its events, but for the clock's reading, which no longer is known.
events() { lkstbuf print -V -f "$@" 2>/dev/null | sed 's/ clock=[0-9]*$//'; }
# shellcheck disable=SC2317 # refused calls it
cut_off() { lkstbuf read --trace trace -f part "$@"; }

# --- all of a trace says the same, whatever form it has

for file in "$corpus"/*; do
	# What is damaged in them is told again.
	lkstbuf read --trace "$file" -f all >/dev/null 2>&1
	is "all of ${file##*/}: the same" "$(events all)" "$(events "$file")"
done
ok 'all, from standard input' sh -c 'lkstbuf read --trace - -f all <trace'
is 'all, from standard input: the same' "$(events all)" "$(events trace)"
ok 'all, compressed, to standard output' sh -c 'lkstbuf read --trace trace -z -f - >all'
is 'all, compressed: the same' "$(events all)" "$(events trace)"
"$top/tests/unit/build/mktrace" big 2 20000 || fail 'a bigger trace'
ok 'all of a bigger one' lkstbuf read --trace big -f all
is 'all of a bigger one: the same' "$(events all | md5sum)" "$(events big | md5sum)"
is 'all of a bigger one: it is whole' "$(lkstbuf print -f all -n 1 2>&1 >/dev/null)" ''

# --- parts: what print would show

part() {	# OPTION...
	lkstbuf read --trace trace -f part "$@"
	is "part: $*" "$(events part)" "$(events trace "$@")"
}
part -e 'process_*'
part -e clone
part -p 201
part -p 201 --only
part -p '!cat'
part -c 1
part --longer 1us
part --since +5us --until +9us
part --since -2us -e class:process -p cat
contains 'a part tells what was selected' "$(lkstbuf print -f part --summary)" \
	'^selected +-e class:process -p cat --since -2us$'
is 'a part tells what was selected: JSON' "$(lkstbuf print -f part --summary --json | sed -n 's/^ *"selected": *//p')" \
	'"-e class:process -p cat --since -2us",'
lkstbuf read --trace trace -f part -e system_call_exit
contains 'a thread keeps its name without the event that gave it' "$(lkstbuf print -f part)" '\] cat-200 '
lkstbuf read --trace trace -p 'cat,x
kernel=forged' -f part
lacks 'what was selected is one line' "$(lkstbuf print -f part --summary)" '^kernel +forged'

# --- what goes wrong changes nothing

cp part before
refused 'no event matches' 1 'no event matches; the trace is from 20' cut_off -e user_mark
refused 'no thread of that name' 1 'no thread is called "kat" in it; did you mean "cat"' cut_off -p kat
refused 'no such event' 1 'no event is called "xyzzy"' cut_off -e xyzzy
refused 'no such event number' 1 'no event has the number 0x777' cut_off -e 0x777
refused 'no such CPU' 1 'trace: no CPU 9 here, only CPUs 0-1' cut_off -c 9
refused 'no such file' 1 'none: open: No such file' lkstbuf read --trace none -f part
refused 'no time' 2 '--since "x" is no time' cut_off --since x
refused 'no span' 2 '--longer "x" is not a span of time' cut_off --longer x
refused '--only alone' 2 '--only is for -p' cut_off --only
refused 'without -f' 2 'they go with -f' lkstbuf read --trace trace -e process_exec
refused 'not of the kernel' 2 '--trace goes with -c and what selects events' cut_off -n 5
mkdir dir
cp trace dir/a
echo none >dir/b
ok 'of the trace files in a directory' lkstbuf read --trace dir -f all
is 'of the trace files in a directory: the same' "$(events all)" "$(events trace)"
refused 'of several words' 2 'the files are of different boots' lkstbuf read --trace trace big -f part
refused 'a file that is not there' 2 'no file is called "none"' lkstbuf read --trace trace none -f part
refused 'a directory without a trace' 1 '/: no trace file is in this directory' lkstbuf read --trace / -f part
refused 'a file without --trace' 2 'what is "trace" for\? A file takes -f, one to be read --trace' lkstbuf read trace
refused 'two boots' 2 'the files are of different boots' lkstbuf read --trace trace --trace big -f part
ok 'what was there is still there' cmp part before
done_testing
