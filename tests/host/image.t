#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The commands on images of memory: lkstbuf find, print -f IMAGE, read --image. The images are made here; those of
# machines that died are tests/host/death*.t's.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TZ=UTC LC_ALL=C
PATH=$top/tools/lkst:$PATH
cd "$work" || exit

{ make -s -C "$top/tools/lkst" && make -s -C "$top/tests/unit" build/mkmemory; } >make.log 2>&1 ||
	bail_out "the tools do not build: $(tail -n 5 make.log)"
mkmemory() { "$top/tests/unit/build/mkmemory" "$@" || fail "an image: $*"; }
readonly one=01010101-0101-0101-0101-010101010101 two=02020202-0202-0202-0202-020202020202

lines() { grep -vc '^#'; }
# What there is to know of an image, from JSON: found IMAGE EXPRESSION
found() { lkstbuf find "$1" --json | python3 -c "import json, sys; image = json.load(sys.stdin); print($2)"; }

# --- both forms: CPU 0 has all of 1000 records, CPU 1 the last 512

for form in raw elf; do
	mkmemory $form "$form"
	is "$form: find" "$(found $form 'image["boots"][0]["boot"], [b["events"] for b in image["boots"][0]["buffers"]]')" \
		"$one [1000, 512]"
	lkstbuf print -f $form >printed 2>said
	is "$form: print" "$? $(lines <printed)" '0 1512'
	contains "$form: says where it is from" "$(cat said)" 'argument bytes carry no checksum'
	contains "$form: says what it lacks" "$(cat said)" 'no process names but those in events'
	lkstbuf read --image $form -f trace 2>said
	is "$form: read --image" "$?" 0
	is "$form: the trace has what the image has" "$(lkstbuf print -f trace 2>said)" "$(cat printed)"
	contains "$form: so it says" "$(cat said)" 'argument bytes carry no checksum'
	is "$form: read --image prints" "$(lkstbuf read --image $form 2>said)" "$(cat printed)"
done
contains 'find: form' "$(lkstbuf find elf)" '^image +ELF core$'
contains 'find: CPUs' "$(lkstbuf find raw)" '^CPUs +2$'
contains 'find: the time span' "$(lkstbuf find raw)" '^to +2026-01-02 03:04:05\.000499$'
is '-c' "$(lkstbuf print -f raw -c 1 2>said | lines)" 512
is '-n -r' "$(lkstbuf print -f raw -r -n 1 2>said | tail -n 1 | tr -s ' ')" \
	'03:04:05.000000000 [000] <1000> h.. system_call_entry number=read arg1=0x0 arg2=0x0 arg3=0xffffffffffffffff'
is 'of one CPU and buffer' "$(lkstbuf read --image raw -c 0 -b 0 2>said | lines)" 1000
is 'compressed' "$(lkstbuf read --image raw -z -f packed 2>said; lkstbuf print -f packed 2>said | lines)" 1512

# --- boots

mkmemory boots raw boots
is 'boots: the newest first' "$(found boots '[b["boot"] for b in image["boots"]]')" "['$one', '$two']"
is 'boots: the newest is printed' "$(lkstbuf print -f boots 2>said | lines)" 1512
contains 'boots: others are told' "$(cat said)" "--boot takes another one: $two"
is '--boot' "$(lkstbuf print -f boots --boot 0202 -n 1 2>said | sed -n 2p)" '# Thu 2026-01-01, UTC'
is 'read --boot' "$(lkstbuf read --image boots --boot $two -f trace 2>said; lkstbuf print -f trace 2>said | lines)" 1000
fails '--boot: often' 2 lkstbuf print -f boots --boot 0
fails '--boot: none' 1 lkstbuf print -f boots --boot 03
contains '--boot: none: says which there are' "$tap_output" "no boot \"03\" in it.*"
contains '--boot: none: tells them' "$tap_output" "$one.*$two"

# --- damage: the rest is there, it is said, and the exit status is 1

while read -r damage status records message; do
	mkmemory damaged raw "$damage"
	lkstbuf print -f damaged >printed 2>said
	is "$damage: exit status" $? "$status"
	is "$damage: the other records" "$(lines <printed)" "$records"
	contains "$damage: says so" "$(cat said)" "$message"
	lkstbuf read --image damaged -f trace 2>said
	is "$damage: read --image" $? 0
	lkstbuf print -f trace >again 2>said
	is "$damage: the trace has the same exit status" $? "$status"
	contains "$damage: the trace tells it, too" "$(cat said)" "$message"
	is "$damage: and the same records" "$(cat again)" "$(cat printed)"
done <<'END'
missing 1 1448 64 records are missing, as their pages are not in the image
noise 1 1448 64 records were left out, as their event type, lap or clock is implausible
notes 1 1512 1 buffers whose notes are lost
unfinished 0 1511 1 records had not been finished when the machine was stopped
END
head -c 4130K raw >cut
lkstbuf print -f cut >printed 2>said
is 'cut off: exit status' $? 1
is 'cut off: what is there' "$(lines <printed)" 352
contains 'cut off: says so' "$(cat said)" '3 pieces of buffers are not in the image'

# --- bad input

mkmemory empty raw empty

while IFS='|' read -r status message command; do
	fails "$command" "$status" $command
	contains "$command: says why" "$tap_output" "$message"
	ok "$command: leaves no file" test ! -e none
done <<'END'
1|nothing: open: No such file|lkstbuf find nothing
1|nothing: open: No such file|lkstbuf print -f nothing
1|nothing: open: No such file|lkstbuf read --image nothing -f none
1|trace: is a trace file, not an image|lkstbuf find trace
1|trace: is a trace file|lkstbuf read --image trace -f none
1|empty: no LKST data in it|lkstbuf find empty
1|empty: no LKST data in it|lkstbuf print -f empty
1|empty: no LKST data in it|lkstbuf read --image empty -f none
1|raw: no buffer of CPU 7 in it|lkstbuf read --image raw -c 7 -f none
1|raw: no buffer 9 of any CPU in it|lkstbuf read --image raw -b 9 -f none
1|raw: no static buffer in it|lkstbuf read --image raw -S -f none
1|/etc/passwd: not a list of symbols|lkstbuf print -f raw --symbols /etc/passwd
1|/etc/passwd: not a list of symbols|lkstbuf read --image raw --symbols /etc/passwd -f none
2|--boot and --symbols do not go with it|lkstbuf print -f trace --boot 01
2|raw: is an image of memory, which is printed for itself|lkstbuf print -f trace -f raw
2|-n and -E are for the running kernel|lkstbuf read --image raw -n 4 -f none
2|--keep goes with --previous|lkstbuf read --image raw --keep -f none
END

# --- memory stays bounded, however large the image is

# What is there lies behind 64 GB of nothing and 300 MB of noise.
{ truncate -s 64G large && head -c 300M /dev/urandom >>large && cat raw >>large; } || fail 'a large image'
for command in 'find large' 'print -f large' 'read --image large -f none'; do
	ok "with 96 MB of address space: $command" bash -c "ulimit -v 98304; lkstbuf $command >/dev/null"
done
is 'the large image has all records' "$(lkstbuf print -f none 2>said | lines)" 1512
done_testing
