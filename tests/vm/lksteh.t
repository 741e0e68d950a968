#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lksteh: event handlers are listed, and the control functions of modules' handlers get what a file holds, and tell
# what they did.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
json=$here/json
work=/tmp/lksteh
mkdir -p $work
cd $work || exit

# NUMBER FILE: the communication area of sample_every, with its first number
area() {
	head -c 16 /dev/zero >"$2"
	printf '%b' "\\0$(printf %o "$1")" | dd of="$2" conv=notrunc 2>/dev/null
}
number_at() { od -A n -t u4 -j "$2" -N 4 "$1" | tr -d ' '; }

# --- list

is 'list: what every kernel has' "$(lksteh list)" "   id  name
0x000  none
0x001  entry_log
0x002  buffer_shift
0x003  buffer_shift_dw
0x004  static_log
0x005  stop_after
0x006  buffer_jump"
is 'ls' "$(lksteh ls)" "$(lksteh list)"
ok 'list --json' sh -c "lksteh list --json >list"
is 'list --json: so many' "$($json '#' <list)" 7
is 'list --json: one' "$($json 3 <list)" '{"id":3,"name":"buffer_shift_dw"}'

# --- control

insmod "$here/modules/lkst_sample.ko" || exit
insmod "$here/modules/handlers.ko" || exit
id=$(lksteh list | awk '$2 == "sample_every" { print $1 }')
contains 'list: handlers of modules' "$(lksteh list)" '^0x100  handlers_plain$'
contains 'the sample has one' "$id" '^0x[0-9a-f]{3}$'

area 7 seven
area 0 ask
ok 'control -e NAME -f FILE -o FILE' sh -c 'lksteh control -e sample_every -f seven -o answer >said'
is 'control: prints what the function returned' "$(cat said)" 'returned 0'
is 'control: the data came back' "$(number_at answer 0)" 7
is 'control: it did what it was told' "$(cat /sys/class/lkst/sample_every/ctrl)" 7
ok 'ctrl -e ID' sh -c "lksteh ctrl -e $id -f ask -o answer"
is 'ctrl: the data came back' "$(number_at answer 0)" 7
ok 'c -f -' sh -c "lksteh c -f - -e sample_every <ask >said"
is 'c: data that the function changed are printed' "$(cat said)" 'returned 0
0000  07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................'
ok 'control: unchanged data' sh -c 'lksteh control -e sample_every -f answer >said'
is 'control: are not printed' "$(cat said)" 'returned 0'
ok 'control -s: room for an answer' sh -c 'lksteh control -e sample_every -s 16 -o answer'
is 'control -s: came back' "$(number_at answer 0) $(wc -c <answer | tr -d ' ')" '7 16'
head -c 4 seven >short
ok 'control -s: a file and zeros' lksteh control -e sample_every -f short -s 16
is 'control -o -: bytes, and no others, on standard output' \
	"$(lksteh control -e sample_every -f ask -o - 2>said | wc -c | tr -d ' ')" 16
is 'control -o -: the value elsewhere' "$(cat said)" 'returned 0'
ok 'control without data' sh -c 'lksteh control -e handlers_slow >said'
is 'control: any value of the function is shown' "$(cat said)" 'returned 42'
: >empty
ok 'control: an empty file is no data' lksteh control -e handlers_slow -f empty
head -c 65536 /dev/zero >most
ok 'control: the most' lksteh control -e handlers_slow -f most
head -c 65537 /dev/zero >'more'
refused 'control: more' 1 '^lksteh: more: more than 65536 bytes' lksteh control -e handlers_slow -f more
refused 'control: without end' 1 '^lksteh: /dev/zero: more than 65536 bytes' lksteh control -e handlers_slow -f /dev/zero
refused 'control: more than -s' 1 '^lksteh: most: its 65536 bytes are more than the size of the data, 16' \
	lksteh control -e handlers_slow -f most -s 16
refused 'control: the function fails' 1 \
	'^lksteh: event handler "sample_every": its control function failed with -22 \(Invalid argument\)$' \
	lksteh control -e sample_every -f short
contains 'control: the value of one that fails' "$tap_output" '^returned -22$'
refused 'control: no control function' 1 'event handler 0x100 "handlers_plain" cannot be controlled' \
	lksteh control -e handlers_plain
refused 'control: of none' 1 '"none" cannot be controlled' lksteh control -e 0
refused 'control: no such name' 1 'no event handler is called "sample_evry"; did you mean "sample_every"' \
	lksteh control -e sample_evry
refused 'control: no such id' 1 'no event handler is called "0x999": "lksteh list" shows' lksteh control -e 0x999
refused 'control: no id' 2 '"4096" is out of range: 0 to 4095' lksteh control -e 4096
refused 'control: which?' 2 '^lksteh control: -e says which event handler' lksteh control -f ask
refused 'control: no such file' 1 '^lksteh: none: open: No such file' lksteh control -e sample_every -f none
refused 'control: a directory' 1 '^lksteh: /: read: Is a directory' lksteh control -e sample_every -f /
refused 'control: cannot write' 1 '^lksteh: /dev/full: write: No space' lksteh control -e sample_every -f ask -o /dev/full
refused 'control: an id of the past' 1 'no event handler is called "sample_every"' sh -c \
	'rmmod lkst_sample && lksteh control -e sample_every -f ask'
rmmod handlers
mv /dev/lkst /dev/lkst.away
refused 'without the device' 1 'no LKST in this kernel' lksteh list
mv /dev/lkst.away /dev/lkst
is 'the others are as before' "$(lksteh list | wc -l | tr -d ' ')" 8
done_testing
