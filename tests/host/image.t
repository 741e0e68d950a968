#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the commands that read memory images: lkstbuf find, print -f IMAGE, read --image. The test
# makes its images itself. tests/host/death*.t use images of machines that died.

. "$(dirname "$0")/host.sh"
use_tools mkmemory
mkmemory() { command mkmemory "$@" || fail "an image: $*"; }
readonly one=01010101-0101-0101-0101-010101010101 two=02020202-0202-0202-0202-020202020202

lines() { grep -vc '^#'; }
# found IMAGE EXPRESSION: print the value of a Python expression, in which "image" is the JSON
# output of lkstbuf find
found() { lkstbuf find "$1" --json | python3 -c "import json, sys; image = json.load(sys.stdin); print($2)"; }

# --- both forms of images, with 1000 records of CPU 0 and the last 512 records of CPU 1

for form in raw elf; do
	mkmemory $form "$form"
	is "$form: find" "$(found $form 'image["boots"][0]["boot"], [b["events"] for b in image["boots"][0]["buffers"]]')" \
		"$one [1000, 512]"
	lkstbuf print -f $form >printed 2>messages
	is "$form: print" "$? $(lines <printed)" '0 1512'
	contains "$form: says that argument bytes have no checksum" "$(cat messages)" 'argument bytes carry no checksum'
	contains "$form: reports which names are missing" "$(cat messages)" 'process names only from events'
	lkstbuf read --image $form -f trace 2>messages
	is "$form: read --image" "$?" 0
	is "$form: the trace prints the same as the image" "$(lkstbuf print -f trace 2>messages)" "$(cat printed)"
	contains "$form: with the same messages" "$(cat messages)" 'argument bytes carry no checksum'
	is "$form: read --image without -f prints it" "$(lkstbuf read --image $form 2>messages)" "$(cat printed)"
done
contains 'find: form' "$(lkstbuf find elf)" '^image +ELF core$'
contains 'find: CPUs' "$(lkstbuf find raw)" '^CPUs +2$'
contains 'find: the time span' "$(lkstbuf find raw)" '^to +2026-01-02 03:04:05\.000499$'
is '-c' "$(lkstbuf print -f raw -c 1 2>messages | lines)" 512
is '-n -r' "$(lkstbuf print -f raw -r -n 1 2>messages | tail -n 1 | tr -s ' ')" \
	'03:04:05.000000000 [000] <1000> h.. system_call_entry number=read arg1=0x0 arg2=0x0 arg3=0xffffffffffffffff'
is 'read --image: one buffer of one CPU' "$(lkstbuf read --image raw -c 0 -b 0 2>messages | lines)" 1000
is 'read --image -z: a compressed trace' "$(lkstbuf read --image raw -z -f packed 2>messages; lkstbuf print -f packed 2>messages | lines)" 1512

# --- boots

mkmemory boots raw boots
is 'boots: the newest first' "$(found boots '[b["boot"] for b in image["boots"]]')" "['$one', '$two']"
is 'boots: the newest is printed' "$(lkstbuf print -f boots 2>messages | lines)" 1512
contains 'boots: the message names the others' "$(cat messages)" "select another one with --boot: $two"
is '--boot' "$(lkstbuf print -f boots --boot 0202 -n 1 2>messages | sed -n 2p)" '# Thu 2026-01-01, UTC'
is 'read --boot' "$(lkstbuf read --image boots --boot $two -f trace 2>messages; lkstbuf print -f trace 2>messages | lines)" 1000
fails '--boot: an ambiguous id' 2 lkstbuf print -f boots --boot 0
refused '--boot: an unknown id' 1 "no boot \"03\" in it.*" lkstbuf print -f boots --boot 03
contains '--boot: an unknown id: lists the boots' "$tap_output" "$one.*$two"

# --- damage: the other records are found, and the damage is reported. The exit status is 1 unless
# records are merely unfinished

while read -r damage status records message; do
	mkmemory "$damage" raw "$damage"
	lkstbuf print -f "$damage" >printed 2>messages
	is "$damage: exit status" $? "$status"
	is "$damage: the other records are printed" "$(lines <printed)" "$records"
	contains "$damage: reported" "$(cat messages)" "$message"
	lkstbuf read --image "$damage" -f trace 2>messages
	is "$damage: read --image" $? 0
	lkstbuf print -f trace >again 2>messages
	is "$damage: the trace has the same exit status" $? "$status"
	contains "$damage: the trace reports it, too" "$(cat messages)" "$message"
	is "$damage: the trace has the same records" "$(cat again)" "$(cat printed)"
done <<'END'
missing 1 1448 64 records are missing in the buffers, as their pages are not in the image
noise 1 1448 64 records were left out, as their event type, lap or clock is implausible
notes 1 1512 1 buffers whose session headers are lost: records are in clock order, and recids count from 0$
unfinished 0 1511 1 records had not been finished when the machine was stopped
END

# --- the compressed history of CPU 1 contains records that were overwritten in the buffer

mkmemory history raw history
is 'history: find: the events of each region' \
	"$(found history '[(b["cpu"], b["events"], b["history"]) for b in image["boots"][0]["buffers"]]')" \
	'[(0, 1000, False), (1, 512, False), (1, 800, True)]'
is 'history: find: each event of the boot counts once' "$(found history 'image["boots"][0]["events"]')" 2000
contains 'history: find: a line' "$(lkstbuf find history)" '^   1  history +65536 +0 +800 +0 +0  2026-01-02 03:04:05\.000000 +2026-01-02 03:04:05\.000399$'
lkstbuf print -f history -r -c 1 >printed 2>messages
is 'history: print' "$? $(lines <printed)" '0 1000'
is 'history: each record once, in order' "$(lkstbuf print -f history -r -c 1 --json 2>messages |
	python3 -c 'import json, sys; print([json.loads(line)["recid"] for line in sys.stdin] == [*range(1000)])')" True
lkstbuf read --image history -f trace 2>messages
is 'history: read --image: the trace prints the same' "$(lkstbuf print -f trace -r -c 1 2>messages)" "$(cat printed)"
is 'history: read --image -b: the buffer alone' "$(lkstbuf read --image history -c 1 -b 0 2>messages | lines)" 512
lacks 'history: nothing is lost' "$(cat messages)" 'lost|damaged'

mkmemory broken raw broken
is 'broken: find: damaged chunks' "$(found broken '[(b["events"], b["damaged"]) for b in image["boots"][0]["buffers"] if b["history"]]')" '[(600, 1)]'
lkstbuf print -f broken -c 1 >printed 2>messages
is 'broken: print: the other records' "$? $(lines <printed)" '1 800'
contains 'broken: print: reported' "$(cat messages)" '1 chunks of the compressed history are damaged and were left out$'
contains 'broken: print: counted' "$(cat messages)" '200 events are missing between those in the history and in the buffers'

head -c 4130K raw >cut
lkstbuf print -f cut >printed 2>messages
is 'cut off: exit status' $? 1
is 'cut off: the rest is printed' "$(lines <printed)" 352
contains 'cut off: reported' "$(cat messages)" '3 extents of buffers are not in the image'

# --- the report says where the records are from. Its header says how many are lost, and whether the
# image lacks records that cannot be counted

# header FILE: print what the header of the report says as JSON: the number of lost records, the losses
# of each CPU, and whether the file is incomplete and lacks its end
header() {
	lkstla report -f "$1" --any --json 2>messages | python3 -c '
import json, sys
header = json.load(sys.stdin)["window"]
print(header["lost"], *("{cpu}:{lost}".format(**loss) for loss in header["losses"]),
      header.get("incomplete", "whole"), header.get("lacks_end", "-"))'
}
lacks="incomplete: the image lacks records; only those between other records are counted as lost"
while IFS='|' read -r name form lost says json; do
	lkstbuf read --image "$name" -f trace 2>messages
	for file in "$name" trace; do
		lkstla report -f "$file" --any >printed 2>messages
		contains "$name: the header of $file: losses" "$(head -n 1 printed)" ", $lost lost\\)\$"
		is "$name: the header of $file: incomplete" "$(grep '^incomplete' printed)" "$says"
		is "$name: the header of $file: JSON" "$(header "$file")" "$json"
		is "$name: the report of $file: the form of the image" "$(sed -n 's/^ *Read from: //p' printed)" "$form"
	done
done <<END
raw|raw memory|nothing||0 whole -
elf|ELF core|nothing||0 whole -
missing|raw memory|64|$lacks|64 0:64 True None
noise|raw memory|64|$lacks|64 0:64 True None
notes|raw memory|nothing||0 whole -
unfinished|raw memory|1||1 0:1 whole -
cut|raw memory|nothing|$lacks|0 True None
END
for name in raw missing; do
	lkstbuf read --image "$name" -f trace 2>messages
	# The middle of the trace is in the payload of a chunk of records.
	printf '\252\125' | dd of=trace bs=1 seek=$(($(stat -c %s trace) / 2)) conv=notrunc 2>messages
	contains "$name: the header of the damaged trace" "$(lkstla report -f trace --any 2>messages)" \
		'^incomplete: the file is damaged or truncated; its last records may be missing'
	contains "$name: the header of the damaged trace: JSON" "$(header trace)" ' True True$'
done

# --- a buffer that never recorded anything has lost nothing

mkmemory unused raw unused
is 'unused: find' "$(found unused '[(b["cpu"], b["id"], b["events"]) for b in image["boots"][0]["buffers"]]')" \
	'[(0, 0, 1000), (0, 1, 0), (1, 0, 512)]'
lkstbuf print -f unused >printed 2>messages
is 'unused: print' "$? $(lines <printed)" '0 1512'
lacks 'unused: nothing is lost' "$(cat messages)" 'lost|missing'
lkstbuf read --image unused -b 1 >printed 2>messages
is 'unused: read the buffer alone' "$? $(lines <printed)" '0 0'

# --- bad input

mkmemory empty raw empty

while IFS='|' read -r status message command; do
	refused "$command" "$status" "$message" $command
	ok "$command: leaves no file" test ! -e none
done <<'END'
1|nothing: open: No such file|lkstbuf find nothing
1|nothing: open: No such file|lkstbuf read --image nothing -f none
1|trace: is a trace file, not an image|lkstbuf find trace
1|trace: is a trace file|lkstbuf read --image trace -f none
1|empty: no LKST data in it|lkstbuf find empty
1|empty: no LKST data in it|lkstbuf print -f empty
1|empty: no LKST data in it|lkstbuf read --image empty -f none
1|raw: no buffer of CPU 7 in it|lkstbuf read --image raw -c 7 -f none
1|raw: no buffer 9 of any CPU in it|lkstbuf read --image raw -b 9 -f none
1|raw: no static buffer in it|lkstbuf read --image raw -S -f none
1|^lkstbuf: /etc/passwd: not a list of symbols: no _text in it \(want /proc/kallsyms with addresses, or System.map\)$|lkstbuf print -f raw --symbols /etc/passwd
2|--boot and --symbols require one|lkstbuf print -f trace --boot 01
2|raw: is an image of memory, which cannot be printed together with other files|lkstbuf print -f trace -f raw
2|-n and -E cannot be combined with --image or --previous|lkstbuf read --image raw -n 4 -f none
2|--keep requires --previous|lkstbuf read --image raw --keep -f none
END

# --- memory stays bounded, whatever the size of the image

# The records follow 64 GB of zeros and 300 MB of noise.
{ truncate -s 64G large && head -c 300M /dev/urandom >>large && cat raw >>large; } || fail 'a large image'
for command in 'find large' 'print -f large' 'read --image large -f none'; do
	ok "with 96 MB of address space: $command" bash -c "ulimit -v 98304; lkstbuf $command >/dev/null"
done
is 'all records of the large image are found' "$(lkstbuf print -f none 2>messages | lines)" 1512
done_testing
