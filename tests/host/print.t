#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests what the commands can do without a device: all forms of lkstbuf print, bad input, and help.

# shellcheck disable=SC2002,SC2016 # cat makes the pipes that are tested; sh expands the strings
. "$(dirname "$0")/host.sh"
use_tools mktrace
mktrace trace || bail_out 'no sample trace'

# Print standard input without comments and with single spaces.
plain() { grep -v '^#' | tr -s ' '; }
lines() { wc -l | tr -d ' '; }
# rest NAME FILE SAYS: test that printing FILE fails with a message that matches SAYS. The events
# before the error are written to the file "out".
rest() { refused "$1" 1 "$3" sh -c 'lkstbuf print -f "$0" 2>&1 >out' "$2"; }

# --- order, selection, forms

lkstbuf print -f trace >newest
lkstbuf print -f trace -r >oldest
is 'all events are printed' "$(plain <newest | lines)" 24
is 'oldest first is the reverse of newest first' "$(plain <oldest)" "$(plain <newest | tac)"
is 'the first lines' "$(head -n 4 oldest)" \
"# time             cpu   process-thread            flg event                 arguments
# Fri 2026-01-02, UTC
03:04:05.000000000 [000] bash-100                  ... lkst_trc_start        maskset=2
03:04:05.000000100 [001] bash-101                  ... lkst_trc_start        maskset=2"
is 'an interrupt' "$(plain <oldest | sed -n 13p)" \
	'03:04:05.000006000 [000] cat-200 h.. int_hardware_entry irq=9 name=virtio0-input.0'
is 'local time' "$(TZ=XYZ-2:30 lkstbuf print -f trace -r -n 1 | tail -n 2 | cut -c 1-40)" \
"# Fri 2026-01-02, UTC+02:30 (XYZ)
05:34:05.000000000 [000] bash-100       "
is '-n: the first events in the order of printing' "$(lkstbuf print -f trace -n 3 | plain)" "$(plain <newest | head -n 3)"
is '-n with -e counts the selected events' \
	"$(lkstbuf print -f trace -n 2 -e process_exec -r | plain | cut -d ' ' -f 1,5)" \
"03:04:05.000005000 process_exec
03:04:05.000005100 process_exec"
is '-c' "$(lkstbuf print -f trace -c 1 | plain)" "$(plain <newest | grep -F '[001]')"
is '-V shows arguments without a description' "$(lkstbuf print -f trace -r -n 1 -V | plain)" \
	'03:04:05.000000000 [000] bash-100 ... lkst_trc_start maskset=2 arg2=0x0 arg3=0x0 arg4=0x0 | recid=7 buffer=0 pgrp=100 uid=1000 gid=100'
is '-C' "$(lkstbuf print -f trace -C -r -n 1)" \
	'lkst_trc_start,0,100,Fri,Jan,2,03:04:05,2026,maskset,0x00000002,0x00000000'
is '-C -S' "$(lkstbuf print -f trace -C -S -c 1 -r -n 1)" \
	'lkst_trc_start,1,101,1767323045,0,maskset,0x00000002,0x00000000'
is '-C: an event without a description has its number' "$(lkstbuf print -f trace -C -S -e 0x123 -n 1)" \
	'user_0x123,1,201,1767323045,10,arg1,0x00000001,0x00000000,arg2,0x00000002,0x00000000,arg3,0x00000003,0x00000000,arg4,0x00000004,0x00000000'
is 'no colour without a terminal' "$(grep -c "$(printf '\033')" newest)" 0

# --- -e

count() { lkstbuf print -f trace -e "$1" | plain | lines; }
is '-e by number' "$(count 0x123)" 2
is '-e a range that only the trace knows' "$(count 0x120-0x12f)" 2
is '-e a class that only the trace knows' "$(count class:user)" 2
contains '-h lists classes' "$(lkstbuf print -h)" '^  class:memory  *0x040-0x05f  memory$'
is 'several -e are combined' "$(lkstbuf print -f trace -e all -e '!0x123' | plain | lines)" 22

# --- files of descriptors

mktrace files files || fail 'a trace with files'
calls() { lkstbuf print -r -f "$1" -e system_call_entry | plain | cut -d ' ' -f 1,6-7; }
names='03:04:06.000000000 number=read arg1=0x7("/srv/my
03:04:06.200000000 number=write arg1=0x8
03:04:07.000000000 number=close arg1=0x8
03:04:08.000000000 number=openat arg1=0xffffffffffffff9c
03:04:09.000000000 number=write arg1=0x8("/srv/newä\012")
03:04:16.000000000 number=close arg1=0x7("/srv/my
03:04:17.000000000 number=read arg1=0x7'
is 'the files that descriptors certainly stood for' "$(calls files)" "$names"
is 'JSON: a separate member' "$(lkstbuf print -r -f files --json -n 1 | grep -o '"arg1":.*"arg2":')" \
	'"arg1":"0x7","arg1_name":"/srv/my file","arg2":'
lkstbuf read --trace files -f part -e 'system_call_entry,!close' || fail 'a part of it'
is 'a part without the events that change descriptors' "$(calls part)" "$(echo "$names" | grep -v close)"
lkstbuf read --trace part -f parts || fail 'a part of the part'
is 'a part of the part' "$(calls parts)" "$(calls part)"
lkstbuf read --trace files -f without --no-files || fail 'without files'
is '--no-files' "$(calls without)" "$(echo "$names" | sed 's/(.*//')"
is '--no-files: no command line' "$(grep -c input=my files without)" 'files:1
without:0'
refused '--no-files --image' 2 '--no-files cannot be combined with --image' lkstbuf read --image x --no-files

# --- strings that try to control the terminal, or to look like other lines

mktrace hostile hostile || fail 'a hostile trace'
is 'a hostile name and text' "$(lkstbuf print -f hostile | tail -n 1)" \
'03:04:05.000000000 [000] \233\302\233\342\200\256\012\033[2J-100 ... my\033[2J\342\200\256event \302\233label=7 t="\233\302\233\342\200\256\012\033[2J"'
contains 'a hostile name in JSON' "$(lkstbuf print -f hostile --json)" '"name":"\\ufffd\\u009b\\u202e\\u000a\\u001b\[2J"'
is 'a file of an older version: a host name cannot forge a line' \
	"$(lkstbuf print -f hostile --summary | head -n 3)" \
'machine      x\233
host         a
CPUs         2'
hostile=$(printf 'x\n\033\302\233\342\200\256')
for form in -r -C --json --summary '--summary --json' -h "-e $hostile" "-E $hostile" "-p ,$hostile" "--since $hostile" \
	"-c $hostile" "$hostile" "--$hostile"; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	is "hostile: only printable characters: $(printf %q "$form")" \
		"$(IFS=' '; lkstbuf print -f hostile $form 2>&1 | LC_ALL=C grep -caP '[\x00-\x1f\x7f]|\x9b|\xe2\x80\xae')" 0
done
head -c 5000 trace >"$hostile"
is 'hostile: a file name' "$(lkstbuf print -f "$hostile" 2>&1 >/dev/null | head -n 1 | cut -d : -f 1,2)" \
	'lkstbuf: x\012\033\302\233\342\200\256'

# --- sources

is 'standard input, a pipe' "$(cat trace | lkstbuf print -f -)" "$(cat newest)"
is 'standard input, a file' "$(lkstbuf print -f - <trace)" "$(cat newest)"
is 'standard input, oldest first' "$(cat trace | lkstbuf print -f - -r)" "$(cat oldest)"
mkdir traces
printf "# lkst_etypes 1\n" >types
for cpu in 0 1; do
	mktrace "traces/sebuf$cpu.0" $((cpu + 1)) 300 || fail 'a trace of a directory'
done
is 'operands are files, as from -f sebuf* in a shell' "$(lkstbuf print -f traces/sebuf*)" \
	"$(lkstbuf print -f traces/sebuf0.0 -f traces/sebuf1.0)"
is 'operands alone, before options' "$(lkstbuf print trace -r)" "$(cat oldest)"
cp types newest traces/
mkdir traces/deeper
is 'a directory: its traces, and nothing else' "$(lkstbuf print -f traces/)" \
	"$(lkstbuf print -f traces/sebuf0.0 -f traces/sebuf1.0)"
is 'a directory as operand, and a file' "$(lkstbuf print traces trace | plain | lines)" \
	"$(lkstbuf print -f trace -f traces/sebuf0.0 -f traces/sebuf1.0 | plain | lines)"
gzip -k traces/sebuf0.0
is 'a .gz' "$(lkstbuf print -f traces/sebuf0.0.gz)" "$(lkstbuf print -f traces/sebuf0.0)"
is 'a .gz, standard input' "$(lkstbuf print -f - <traces/sebuf0.0.gz)" "$(lkstbuf print -f traces/sebuf0.0)"
is 'a .gz, a pipe' "$(cat traces/sebuf0.0.gz | lkstbuf print -f -)" "$(lkstbuf print -f traces/sebuf0.0)"
cat traces/sebuf0.0.gz traces/sebuf0.0.gz >members.gz
contains 'two .gz, one after the other' "$(lkstbuf print -f members.gz 2>&1 >/dev/null)" 'members.gz: another trace follows'
rm traces/sebuf0.0
is 'a directory: compressed traces, too' "$(lkstbuf print traces | plain | lines)" 900
head -c $(($(stat -c %s traces/sebuf0.0.gz) / 2)) traces/sebuf0.0.gz >cut.gz
rest 'a .gz that was cut off' cut.gz '^lkstbuf: cut.gz: compressed data is damaged or truncated'
ok 'a .gz that was cut off: the rest is printed' test "$(plain <out | lines)" -gt 0
gzip -c newest >text.gz
refused 'a .gz that is not a trace' 1 'text.gz: not an LKST trace file: it looks like text' lkstbuf print -f text.gz
if command -v zstd >/dev/null; then
	zstd -q trace -o trace.zst
	is 'a .zst' "$(lkstbuf print -f trace.zst -r)" "$(cat oldest)"
	head -c 300 trace.zst >cut.zst
	fails 'a .zst that was cut off' 1 lkstbuf print -f cut.zst
else
	skip 'a .zst' 'no zstd'
fi
is 'standard input that is a trace, without -f' "$(lkstbuf print <trace)" "$(cat newest)"
if [ ! -e /dev/lkst ]; then
	for input in types /dev/null; do
		refused "standard input that is not a trace: the kernel ($input)" 1 'no LKST in this kernel' \
			sh -c "lkstbuf print <$input"
	done
fi
# shellcheck disable=SC2046 # unquoted, to split it into words
is 'more files than may be open' \
	"$(ulimit -S -n 30; lkstbuf print $(printf 'trace %.0s' $(seq 100)) | plain | lines)" 2400
printf '# lkst_etypes 1\n0x123 MY MODULE user present "my event" "what:dec" "" "" ""\n' >types
is '-E' "$(lkstbuf print -f trace -E types -e 'my event' -r -n 1 | plain | cut -d ' ' -f 5-)" 'my event what=1'
contains '--summary' "$(lkstbuf print -f trace --summary)" '^system calls +4 +16\.7%$'
contains '--summary shows losses' "$(lkstbuf print -f trace --summary)" '^0 +0 +100 +12 +7 +1 +3 +tsc$'
contains '-h lists events and their fields' "$(lkstbuf print -h)" \
	'^  0x030  system_call_entry  *number, abi, arg1, arg2, arg3$'
contains '-h lists the events of -E' "$(lkstbuf print -h -E types)" '^  0x123  my event  *what$'

# --- bad input: the command reports what is wrong and where, fails, and changes nothing

refused 'no such file' 1 '^lkstbuf: none: open: No such file' lkstbuf print -f none
refused 'no file name' 1 '^lkstbuf: "": open: No such file' lkstbuf print -f ''
mkdir none_there
cp types none_there/
refused 'a directory without traces' 1 '^lkstbuf: none_there: no trace file is in this directory$' \
	lkstbuf print -f none_there
: >empty
refused 'an empty file' 1 '^lkstbuf: empty: is empty' lkstbuf print -f empty
refused 'an executable file' 1 'an ELF file' lkstbuf print -f "$(command -v lkstbuf)"
refused 'a text file' 1 'text' lkstbuf print -f newest
refused 'unknown event' 1 'unknown event "sistem_call_entry"; did you mean "system_call_entry"' \
	lkstbuf print -f trace -e sistem_call_entry
refused 'unknown event number' 1 'no event has the number 0xfff' lkstbuf print -f trace -e 0xfff
refused 'a range of numbers without events' 1 'no event has a number from 0x200 to 0x2ff' lkstbuf print -f trace -e 0x200-0x2ff
refused 'an unknown class' 1 '^lkstbuf: The classes are process, .*, lkst\.$' lkstbuf print -f trace -e class:memry
refused 'unknown CPU' 1 '^lkstbuf: trace: no CPU 99, only CPUs 0-1$' lkstbuf print -f trace -c 99
refused 'unknown CPU, standard input' 1 '^lkstbuf: standard input: no CPU 99' sh -c 'lkstbuf print -f - -c 99 <trace'
refused 'not a number' 2 'CPU "x" is not a number' lkstbuf print -f trace -c x
refused '-n 0' 2 'number of events "0" is out of range: 1 to 9223372036854775807$' lkstbuf print -f trace -n 0
for option in '-n 3' -r -V -C '-C -S' '--time raw'; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	refused "--summary with $option" 2 'n, -r, -V, -C, -S and --time cannot be combined with --summary' \
		lkstbuf print -f trace --summary $option
done
refused '-S without -C' 2 'requires -C' lkstbuf print -f trace -S
refused 'a word that is not a file' 2 'no such file "x" \(events follow -e' lkstbuf print -f trace x
refused 'mistyped command' 2 'unknown command "pirnt"; did you mean "print"' lkstbuf pirnt
refused 'no command' 2 '^Usage: lkstbuf' lkstbuf
refused 'find: two images' 2 'unexpected argument "trace": one image at a time' lkstbuf find none trace
refused 'a maskset id that is too large' 2 'maskset id "255" is out of range: 0 to 254' lkstm set -m 255
refused 'config: three words' 2 'unexpected argument "x"' lkstm config -n one user_mark 1 x
refused 'copy: two names' 2 'unexpected argument "more"' lkstm copy -n default much more
printf '# lkst_etypes 1\n0x123 MY MODULE user there "my event" "" "" "" ""\n' >bad_types
refused 'a bad list of event types' 1 'bad_types:2: "present" or "absent" expected' \
	lkstbuf print -f trace -E bad_types

size=$(stat -c %s trace)
head -c $((size - 100)) trace >cut_off
rest 'a file that was cut off' cut_off "^lkstbuf: cut_off: truncated after $((size - 100)) bytes"
contains 'a file that was cut off: the missing records are counted' "$tap_output" 'CPU 1, buffer 0: of the last 6 records, 5 are in the file'
is 'a file that was cut off: all up to the cut' "$(plain <out)" "$(plain <newest | tail -n +2)"
refused 'a file that was cut off: --summary' 1 '^events +23$' lkstbuf print -f cut_off --summary
fails 'a file that was cut off: -n 1' 1 lkstbuf print -f cut_off -n 1
fails 'a file that was cut off, a pipe' 1 sh -c 'cat cut_off | lkstbuf print -f -'
{ head -c 3000 trace; printf XXXXXXXX; tail -c +3009 trace; } >damaged
rest 'a damaged file' damaged '^lkstbuf: damaged: .*(damaged|checksum)'
cat trace trace >joined
rest 'two traces in one file' joined \
	"^lkstbuf: joined: another trace follows at byte $size, which is not read: print each trace from a file of its own\$"
is 'two traces in one file: no event twice' "$(cat out)" "$(cat newest)"
{ head -c "$((size / 8 * 8 - 160))" trace; cat trace; } >joined
rest 'a trace after one that was cut off' joined 'another trace follows'
is 'a trace after one that was cut off: no event twice' "$(plain <out)" "$(plain <newest | tail -n +2)"
{ cat trace; echo hello; } >longer
rest 'more after the end' longer '^lkstbuf: longer: 6 bytes after the end of the trace are ignored$'
is 'more after the end: all events' "$(cat out)" "$(cat newest)"

# --- output that cannot be written

mktrace big 2 20000 || fail 'a bigger trace'
is 'a reader that exits early is not an error' \
	"$(bash -c 'set -o pipefail; lkstbuf print -f big 2>err | head -n 1 >/dev/null; echo $?'; cat err)" 0
refused 'full disk' 1 'standard output.*No space left' sh -c 'lkstbuf print -f big >/dev/full'
fails 'full disk, --summary' 1 sh -c 'lkstbuf print -f big --summary >/dev/full'
fails 'full disk, help' 1 sh -c 'lkstbuf --help >/dev/full'

refused 'full disk, standard input' 1 \
	"^lkstbuf: temporary file in $work: cannot write the trace: File too large; TMPDIR can name another directory\$" \
	bash -c 'ulimit -f 100; cat big | TMPDIR=$0 lkstbuf print -f -' "$work"

# --- memory stays bounded: a trace of 50 MB takes much less

mktrace huge 2 225000 || fail 'a huge trace'
ok 'a trace is printed in less memory than its size' bash -c 'ulimit -d 12000; lkstbuf print -f huge >/dev/null'

# --- help and versions. help.t tests the --help output of each command

for command in lkst lkstm lkstbuf lksteh lkstla lkstlogger; do
	refused "$command version: an unexpected argument" 2 'unexpected argument "foo"|unexpected argument "version"' $command version foo
	refused "$command: unknown option" 2 'unknown option "-x"' $command -x
	contains "$command version" "$($command version)" "^$command \(LKST\) [0-9.]+$"
	for word in ver -v --version; do
		is "$command $word" "$($command $word)" "$($command version)"
	done
	for word in help -h; do
		is "$command $word" "$($command $word)" "$($command --help)"
	done
done
is 'lkstlogger -version' "$(lkstlogger -version)" "$(lkstlogger version)"
is 'lkstlogd --version' "$(lkstlogd --version)" "$(lkstlogd -v)"
is 'lkstlogd -h' "$(lkstlogd -h)" "$(lkstlogd --help)"
contains 'version --help' "$(lkst version --help)" '^Usage: lkst COMMAND'
contains 'help --help' "$(lkst help --help)" '^Usage: lkst COMMAND'
refused 'help of an unknown command' 2 'did you mean "print"' lkstbuf help prnt

# --- no device

if [ -e /dev/lkst ]; then
	skip 'without a device' 'there is one'
else
	echo old >old
	for command in 'lkst status' 'lkst all' 'lkst start' 'lkst stop' 'lkst dump' 'lkstm list' 'lkstm read' 'lkstm set -m 1' \
		'lkstm find -n x' 'lkstm all' 'lkstm write' 'lkstm config user_mark 1' 'lkstm delete -m 3' 'lkstbuf list' 'lkstbuf read' 'lkstbuf read -f old' 'lkstbuf print' \
		'lkstlogger -ev user_mark'; do
		# shellcheck disable=SC2086 # unquoted, to split it into words
		refused "no device: $command" 1 'no LKST in this kernel' $command
	done
	contains 'no device: the message says how to get one' "$tap_output" 'CONFIG_LKST'
	is 'no device: an old trace stays' "$(cat old)" old
fi

done_testing
