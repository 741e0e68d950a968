#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# lkstbuf read --trace writes a part of a trace as another trace.

. "$(dirname "$0")/host.sh"
use_tools mktrace
mktrace trace || bail_out 'no sample trace'
corpus=$top/tests/fuzz/corpus/trace

# Print the events of a trace without their clock readings and durations, which a part of the trace
# does not have.
events() { lkstbuf print -V -f "$@" 2>/dev/null | sed 's/ clock=[0-9]*$//; s/ took[=>][0-9.]*[mun]*s//'; }
# shellcheck disable=SC2317 # refused calls it
cut_off() { lkstbuf read --trace trace -f part "$@"; }

# --- a part that is the whole trace has the same contents, whatever its form

for file in "$corpus"/*; do
	# Messages about damage are expected here, so discard them.
	lkstbuf read --trace "$file" -f all >/dev/null 2>&1
	is "the whole trace ${file##*/}: the same records" "$(events all)" "$(events "$file")"
done
is 'the whole trace from standard input: the same records' "$(lkstbuf read --trace - -f all <trace && events all)" "$(events trace)"
is 'the whole trace, compressed, to standard output: the same records' \
	"$(lkstbuf read --trace trace -z -f - >all && events all)" "$(events trace)"
mktrace big 2 20000 || fail 'a bigger trace'
is 'all of a bigger one: the same' "$(lkstbuf read --trace big -f all && events all | md5sum)" "$(events big | md5sum)"
is 'all of a bigger one: no damage is reported' "$(lkstbuf print -f all -n 1 2>&1 >/dev/null)" ''

# --- a part contains the events that "lkstbuf print" shows with the same options. It also contains
# --- the events about the recording itself, unless the options exclude their CPU or their time

recording=' (lkst_[a-z_]*|process_state) '
# part OPTION...: test that a part has the events that print shows with these options
part() {
	local limits=() i
	for ((i = 1; i < $#; i++)); do
		case ${!i} in -c | --since | --until) limits+=("${!i}" "${@:i+1:1}") ;; esac
	done
	lkstbuf read --trace trace -f part "$@"
	is "part: $*" "$(events part | grep -vE "$recording")" "$(events trace "$@" | grep -vE "$recording")"
	is "part: $*: the events about the recording" "$(events part -e 'lkst_*,process_state')" \
		"$(events trace -e 'lkst_*,process_state' "${limits[@]}")"
}
part -e 'process_*'
part -e clone
part -p 201
part -p 201 --only
part -p '!cat'
part -c 1
part --where 'irq == 9 || comm == cat && cpu == 1'
part --longer 1us -e 'int_*,clone'
part --since +5us --until +9us
part --since -2us -e class:process -p cat
contains 'a part names the selection' "$(lkstbuf print -f part --summary)" \
	'^selected +-e class:process -p cat --since -2us$'
is 'a part names the selection: JSON' "$(lkstbuf print -f part --summary --json | sed -n 's/^ *"selected": *//p')" \
	'"-e class:process -p cat --since -2us",'
lkstbuf read --trace trace -f part -e system_call_exit
contains 'a thread keeps its name without the event that gave it' "$(lkstbuf print -f part)" '\] cat-200 '
lkstbuf read --trace trace -f part --where 'irq == 9' --where 'cpu == 1'
contains 'a part names the conditions' "$(lkstbuf print -f part --summary)" \
	'^selected +--where irq == 9 --where cpu == 1$'
lkstbuf read --trace trace -p 'cat,x
kernel=forged' -f part
lacks 'a line break in the selection forges no line' "$(lkstbuf print -f part --summary)" '^kernel +forged'

# --- a part says how many events the whole trace has lost

{ mktrace early 2 100 0 && mktrace late 1 50 1100; } || fail 'files with a gap'
lkstbuf read --trace early --trace late -f part -e 'process_*'
contains 'losses: --summary' "$(lkstbuf print -f part --summary)" '^lost +1000$'
contains 'losses: lkstla' "$(lkstla cpu -f part 2>&1)" ' 1,000 lost in the whole trace\)$'
contains 'losses: lkstla --json' "$(lkstla cpu -f part --json 2>/dev/null)" '"lost_in_trace": *1000,'
lkstbuf read --trace part -f again -e process_contextswitch
contains 'losses: a part of a part' "$(lkstbuf print -f again --summary)" '^lost +1000$'
lkstbuf read --trace early --trace late -f part -e 'process_*' -c 1
lacks 'losses: not those of another CPU' "$(lkstbuf print -f part --summary)" '^lost'
lkstbuf read --trace early -f part -e 'process_*'
lacks 'no losses' "$(lkstbuf print -f part --summary)" '^lost'
lkstbuf read --trace trace -f part

# --- the records of a chain stay together

chains() { lkstbuf print -r -f "$@" 2>/dev/null; }
# args OPTION...: print only the text, path or stack of each event with a chain. Threads and times
# are left out, because in this trace a thread has many names, and times jump.
args() { chains "$@" | sed -n 's/.* \(stack\|path\|text\)=/\1=/p' | sort; }
mktrace random random 5 || fail 'a trace with chains'
contains 'the trace has whole chains' "$(chains random -e process_block | grep -v '\[cut\]')" ' stack=(0x[0-9a-f]*<-){4}'
contains 'the trace has cut chains' "$(chains random -e process_block)" ' \[cut\]$'
contains 'the trace has parts without a head' "$(lkstbuf print -f random 2>&1 >/dev/null)" ' records of type lkst_more were skipped'
lkstbuf read --trace random -e process_block -f part
is 'a part has the same chains' "$(args part)" "$(args random -e process_block)"
lkstbuf read --trace random -e '!process_block' -f part
is 'a part without them has the other chains' \
	"$(args part -e system_call_path,oops_message)" "$(args random -e system_call_path,oops_message)"
lacks 'it has no process_block' "$(chains part)" ' process_block '
lkstbuf read --trace random -e system_call_path --where 'path ~ "*xyzabc*"' -f part
is '--where sees the whole path' "$(args part)" "$(args random -e system_call_path | grep xyzabc)"
lacks 'the records that continue a chain are not printed' "$(chains random)" ' lkst_more '
contains '--parts prints them' "$(chains random --parts -e lkst_more)" ' lkst_more  *serial=[0-9]* part=0x[0-9a-f]* '

# --- errors change nothing

cp part before
refused 'no event matches' 1 'no event matches; the trace is from 20' cut_off -e user_mark
refused 'no thread of that name' 1 'no thread in the trace is named "kat"; did you mean "cat"' cut_off -p kat
refused 'no such event number' 1 'no event has the number 0x777' cut_off -e 0x777
refused 'no such CPU' 1 'trace: no CPU 9, only CPUs 0-1' cut_off -c 9
refused 'no such file' 1 'none: open: No such file' lkstbuf read --trace none -f part
refused '--only alone' 2 '--only requires -p' cut_off --only
refused 'without -f' 2 'require -f' lkstbuf read --trace trace -e process_exec
refused 'an option that is only for reading from the kernel' 2 '--trace can only be combined with -c' cut_off -n 5
mkdir dir
cp trace dir/a
echo none >dir/b
is 'all trace files in a directory: the same' "$(lkstbuf read --trace dir -f all && events all)" "$(events trace)"
refused 'two boots, as operands' 2 'the files are from different boots' lkstbuf read --trace trace big -f part
refused 'a file that does not exist, as operand' 2 'no such file "none"' lkstbuf read --trace trace none -f part
refused 'a directory without a trace' 1 '/: no trace file is in this directory' lkstbuf read --trace / -f part
refused 'a file without --trace' 2 'unexpected argument "trace": -f FILE is written, --trace FILE is read' lkstbuf read trace
refused 'two boots, with --trace' 2 'the files are from different boots' lkstbuf read --trace trace --trace big -f part
ok 'the old file is unchanged' cmp part before
done_testing
