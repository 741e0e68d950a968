#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lksteh lists event handlers, passes the contents of a file to the control functions of modules'
# handlers, and prints their results.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M

. "$(dirname "$0")/rows.sh"

# shellcheck disable=SC2317 # rows calls it
# number FILE: print the number at the start of the file, and the size of the file
number() { echo "$(od -A n -t u4 -N 4 "$1" | tr -d ' ') $(wc -c <"$1" | tr -d ' ')"; }

rows <<-'END'
	list --json: the number of handlers | lksteh list --json|json '#' | 0 | ^7$
	list --json: one | lksteh list --json|json 3 | 0 | ^\{"id":3,"name":"buffer_shift_dw"\}$
END

insmod "$modules/lkst_sample.ko" || exit
insmod "$modules/handlers.ko" || exit
id=$(lksteh list | awk '$2 == "sample_every" { print $1 }')
contains 'the handler of the sample has an id' "$id" '^0x[0-9a-f]{3}$'
# Files with control data. For sample_every, the data begin with the number N (record every Nth
# event), or with 0 to ask for the current N.
head -c 16 /dev/zero >ask
{ printf '\007'; head -c 15 /dev/zero; } >seven
head -c 4 seven >short
: >empty
head -c 65536 /dev/zero >most
head -c 65537 /dev/zero >'more'
rows <<-'END'
	list: handlers of modules | lksteh list | 0 | ^0x100  handlers_plain$
	control: prints what the function returned | lksteh control -e sample_every -f seven -o answer | 0 | ^returned 0$ | number answer | ^7 16$
	ctrl -e ID | lksteh ctrl -e $id -f ask -o answer | 0 | ^returned 0$ | number answer | ^7 16$
	control -s: a file and zeros | lksteh control -e sample_every -f short -s 16 | 0 | ^returned 0$
	control -o -: only the data are on standard output | lksteh control -e sample_every -f ask -o - 2>stderr|wc -c | 0 | ^ *16$ | cat stderr | ^returned 0$
	control: any return value of the function is shown | lksteh control -e handlers_slow | 0 | ^returned 42$
	control: an empty file is no data | lksteh control -e handlers_slow -f empty | 0 | ^returned 42$
	control: the largest possible file | lksteh control -e handlers_slow -f most | 0 | ^returned 42$
	control: a larger file | lksteh control -e handlers_slow -f more | 1 | ^lksteh: more: larger than 65536 bytes
	control: an endless file | lksteh control -e handlers_slow -f /dev/zero | 1 | ^lksteh: /dev/zero: larger than 65536 bytes
	control: a file larger than -s | lksteh control -e handlers_slow -f most -s 16 | 1 | ^lksteh: most: 65536 bytes are more than the size of the data, 16
	control: the function fails | lksteh control -e sample_every -f short | 1 | ^lksteh: event handler "sample_every": its control function failed with -22 \(Invalid argument\)$
	control: the return value of a function that fails | lksteh control -e sample_every -f short | 1 | ^returned -22$
	control: no control function | lksteh control -e handlers_plain | 1 | event handler 0x100 "handlers_plain" cannot be controlled
	control: the handler "none" | lksteh control -e 0 | 1 | "none" cannot be controlled
	control: unknown name | lksteh control -e sample_evry | 1 | unknown event handler "sample_evry"; did you mean "sample_every"
	control: unknown id | lksteh control -e 0x999 | 1 | unknown event handler "0x999": "lksteh list" lists
	control: id out of range | lksteh control -e 4096 | 2 | "4096" is out of range: 0 to 4095
	control: no handler given | lksteh control -f ask | 2 | ^lksteh control: -e is missing \(the event handler\)
	control: no such file | lksteh control -e sample_every -f none | 1 | ^lksteh: none: open: No such file
	control: a directory | lksteh control -e sample_every -f / | 1 | ^lksteh: /: read: Is a directory
	control: cannot write | lksteh control -e sample_every -f ask -o /dev/full | 1 | ^lksteh: /dev/full: write: No space
END
is 'c: data that the function changed are printed' "$(lksteh c -f - -e sample_every <ask)" 'returned 0
0000  07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................'
is 'control: unchanged data are not printed' "$(lksteh control -e sample_every -f answer)" 'returned 0'
rmmod lkst_sample
refused 'control: the handler of an unloaded module' 1 'unknown event handler "sample_every"' lksteh control -e sample_every -f ask
rmmod handlers
mv /dev/lkst /dev/lkst.away
refused 'without the device' 1 'no LKST in this kernel' lksteh list
mv /dev/lkst.away /dev/lkst
is 'the built-in handlers are still listed' "$(lksteh list | wc -l | tr -d ' ')" 8
done_testing
