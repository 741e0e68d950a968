#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events that are added at run time record what the kernel's own kprobe_events and tracepoints record
# in the same boot, follow modules that are loaded and unloaded, and survive wrong addresses.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

# shellcheck disable=SC2016 # the dollars are part of definitions
# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

tracefs=/sys/kernel/tracing
[ -e $tracefs/kprobe_events ] || mount -t tracefs tracefs $tracefs
trap 'lkstm set -m "$selected"; lkstm delete -n added; echo 0 >$tracefs/events/enable; echo >$tracefs/kprobe_events; rmmod probed; true' EXIT
selected=$(field maskset | cut -d ' ' -f 1)
control() { added_control "$@"; }
listed() { added_control --list | grep -e ":[a-z]*/$1 "; }
call() { echo "$1" >/sys/module/probed/parameters/call; }
poke() { echo "$1" >/sys/module/probed/parameters/poke; }

# only NAME...: select a maskset that records marks and the added events with these names
only() {
	lkstm read -d -m 0 | grep -v '^#' >only.txt
	for name; do
		number=$(sed -n "s/^\(0x[0-9a-f]*\) .* \"\(kprobes\|tracepoints\):$name\".*/\1/p" /proc/lkst_etypes)
		sed -i "/^$number /d" only.txt
		echo "$number 0x001" >>only.txt
	done
	sed -i '/^0x0e0 /d' only.txt
	echo '0x0e0 0x001' >>only.txt
	# The first call creates the maskset, and the others overwrite it.
	lkstm write ${id:+-m $id} -n added <only.txt >written && lkstm set -n added
	id=$(cut -d ' ' -f 2 written)
}
mark() { lkstlogger -ev user_mark -a1 0xbe61; }
# since NAME: print the fields of the events NAME since the last mark
since() {
	lkstbuf print --own -r -e user_mark,"*:$1" |
		awk '/ arg1=0xbe61/ { text = ""; next } { text = text $0 "\n" } END { printf "%s", text }' |
		sed -n "s/.*:$1  *//p"
}
# traced NAME: print the fields of the events NAME in the kernel's own trace
traced() { sed -n "s/.* $1: ([^)]*) *//p" $tracefs/trace; }

insmod "$modules/probed.ko" || bail_out 'insmod probed'

# --- the same values as the kernel's own probes

# definitions: NAME, the definition after the name
cat >definitions <<'END'
args|p|probed_numbers a=$arg1:s32 b=$arg2:s64 c=$arg3:u8 d=$arg4:u16 e=$arg5:u64
registers|p|probed_numbers di=%di:u32 si=%si:s64 dx=%dx:u8 r8=%r8:u64
stack|p|probed_numbers g=$stack1:u64 s=+8($stack):u32
result|r|probed_numbers $retval:s32 v=$retval:s64
object|p|probed_pointers byte=+0($arg1):u8 half=+2(%di):s16 number=+8($arg1):s64
chain|p|probed_pointers text=+0(+16($arg1)):string next=+8(+24($arg1)):s64 text2=+0(+16(+24($arg1))):string
bits|p|probed_pointers low=+4($arg1):b4@0/32 high=+4($arg1):b8@20/32 all=+4($arg1):u32
back|p|probed_pointers number=-8(+24($arg1)):u8
comm|p|probed_pointers c=$comm i=\5:u32 j=\0x10:s8
memory|p|probed_pointers b=@linux_proc_banner+1:u8 s=@linux_proc_banner:string
END
# Find an instruction of the function other than the first one.
for at in $(seq 5 24); do
	echo "p:kernel_offset probed_numbers+$at a=%di:u32" >>$tracefs/kprobe_events || continue
	echo "offset|p|probed_numbers+$at a=%di:u32" >>definitions
	break
done 2>/dev/null
echo >$tracefs/kprobe_events
while IFS='|' read -r name kind rest; do
	printf '%s\n' "$kind:kernel_$name $rest" >>$tracefs/kprobe_events || echo "$name" >>kernel.refused
	control "$kind:$name $rest" >/dev/null 2>>refused || echo "$name: $(tail -n 1 refused)" >>lkst.refused
done <definitions
is 'the kernel has accepted all definitions' "$(cat kernel.refused 2>/dev/null)" ''
is 'LKST has accepted all definitions' "$(cat lkst.refused 2>/dev/null)" ''
is 'they are listed as they were written' "$(listed args | sed 's/.*missed=0 //')" "p:kprobes/args $(sed -n 's/^args|p|//p' definitions)"
# shellcheck disable=SC2046 # one word for each event
only $(cut -d '|' -f 1 definitions)
echo 1 >$tracefs/events/kprobes/enable
echo >$tracefs/trace
mark
call 5
while IFS='|' read -r name kind rest; do
	traced "kernel_$name" | tr -d '"' >kernel.txt
	since "$name" | sed 's/"//g; s/\\012//' >lkst.txt
	is "$name: as many events" "$(grep -c . lkst.txt)" 5
	is "$name: the same values" "$(cat lkst.txt)" "$(cat kernel.txt)"
done <definitions
is 'the context is that of the function, not of the probe' \
	"$(lkstbuf print --own -r -e 'kprobes:*' | sed -n 's/.*\] *[^ ]* *\([^ ]*\) kprobes:[a-z]* .*/\1/p' | sort -u | tr -d 'N\n' | tr -d .)" ''
echo 0 >$tracefs/events/kprobes/enable

# --- errors

refused 'busy while it is recorded' 1 'EBUSY' control '-:args'
refused 'an event that exists' 1 'EEXIST' control 'p:args probed_numbers'
refused 'no such event' 1 'ENOENT' control '-:nothing'
while IFS='|' read -r definition want; do
	# A kernel without ftrace does not know which functions it must not trace.
	case $definition in *probed_refused*) [ -e $tracefs/available_filter_functions ] || continue ;; esac
	refused "refused: $definition" 1 "^$want" control "$definition"
done <<'END'
p:x no_such_function|5: the kernel has no function "no_such_function", or it is inlined
p:x probed_refused|5: the kernel does not allow tracing "probed_refused"
p:x probed_numbers+1|5: the kernel does not allow a probe here: error -84
t:x no_such_tracepoint|5: the kernel has no tracepoint "no_such_tracepoint"
p:x probed_numbers a=%nosuch|22: unknown register "%nosuch"
p:x probed_numbers a=@no_such_symbol|22: "no_such_symbol" is neither an address nor a symbol of the kernel
END
only
is 'no probe is attached while nothing is recorded' "$(added_control --list | grep -c ' on ')" 0
cut -d '|' -f 1 definitions | while read -r name; do control "-:$name" >/dev/null || echo "$name"; done >busy
is 'all of them can be removed' "$(cat busy)" ''
is 'none is listed' "$(added_control --list)" ''
echo >$tracefs/kprobe_events

# --- a maskset that records all new events

lkstm set -m 1
control 'p:opened do_sys_openat2' >/dev/null
contains 'the event is recorded at once' "$(listed opened)" ' on '
ok 'it can be removed, because nobody has asked for it' control -:opened
lkstm set -m 2
control 'p:opened do_sys_openat2' >/dev/null
lkstm rule -m 2 kprobes:opened if 'pid == 1'
refused 'not while it has a rule' 1 'EBUSY' control -:opened
lkstm config -m 2 kprobes:opened off
ok 'but when it is masked' control -:opened
lkstm set -n added

# --- an address

address=$(sed -n 's/^\([0-9a-f]*\) [tT] do_sys_openat2$/\1/p' /proc/kallsyms)
control "p 0x$address" >/dev/null
name=$(added_control --list | sed -n 's|.*p:kprobes/\(p_[^ ]*\) .*|\1|p')
is 'everybody can read the name of the event, but not the address' \
	"$(grep -c "$name" /proc/lkst_etypes) $(grep -c "$address" /proc/lkst_etypes)" '1 0'
ok 'the event is removed' control "-:$name"

# --- tracepoints

ok 'a tracepoint of a module' control 't:sizes probed_sizes byte=$arg1:u8 half=$arg2:s16 word=$arg3:u32 number=$arg4:s64 text=+0($arg5):string' \
	't:many probed_many f=$arg6:u64 g=$arg7:u64 h=$arg8:u64' 't:plain probed_many a=$arg1 b=$arg2 c=$arg3 d=$arg4'
only sizes many plain
echo 1 >$tracefs/events/probed/enable
echo >$tracefs/trace
mark
call 3
is 'sizes: the same values' "$(since sizes | tr -d '"')" "$(sed -n 's/.* probed_sizes: //p' $tracefs/trace)"
is 'many: the same values' "$(since many)" "$(sed -n 's/.* probed_many: //p' $tracefs/trace)"
is 'plain' "$(since plain | sort -u)" 'a=0x1 b=0x2 c=0x3 d=0x4'
echo 0 >$tracefs/events/probed/enable
ok 'a tracepoint of the kernel' control 't:switches sched_switch preempt=$arg1:u8 prev=$arg2 next=$arg3'
only switches sizes many plain
mark
sleep 0.2
ok 'it is recorded' test "$(since switches | grep -c 'prev=')" -gt 2

# --- modules come and go

control 'p:numbers probed:probed_numbers a=$arg1:u32' 'r:results probed_numbers' >/dev/null
only numbers results sizes
rmmod probed
is 'the events of an unloaded module are gone' "$(added_control --list | grep -c ' gone ')" 5
is 'they are absent' "$(grep -c 'absent.*"\(kprobes\|tracepoints\):\(numbers\|results\|sizes\|many\|plain\)"' /proc/lkst_etypes)" 5
insmod "$modules/probed.ko"
is 'they are back with the module' "$(added_control --list | grep -c ' gone ')" 0
mark
call 2
is 'they are recorded again' "$(since numbers | tr '\n' ' ')$(since sizes | grep -c byte=)$(since results | grep -c arg1=)" 'a=0 a=1 20'
only

# --- wrong addresses

control 'p:wrong probed_pointers n=+0($arg1):u64 s=+0($arg1):string u=+0($arg1):ustring c=+8($arg1):char[8] f=+0(+0(+0($arg1))):string' >/dev/null
only wrong
mark
for address in 0 8 0xffffffffffffffff 0xffffffffff600000 0x8000000000000000 0xdead000000000100 0x7fffffffeff8 0xffff888000000000; do poke $address; done
since wrong >wrong.txt
is 'an event for each wrong address' "$(grep -c 'n=' wrong.txt)" 8
is 'strings that cannot be read are marked' "$(head -n 3 wrong.txt | grep -c 's="*(fault)"* u="*(fault)"* c="*(fault)"* f="*(fault)"*')" 3
is 'numbers that cannot be read are 0' "$(head -n 3 wrong.txt | grep -c 'n=0 ')" 3
ok 'faults are counted' test "$(listed wrong | sed 's/.*faults=\([0-9]*\).*/\1/')" -ge 15
only
for name in wrong numbers results sizes many plain switches; do control "-:$name" >/dev/null || echo "$name"; done >busy
is 'all events are removed' "$(cat busy)$(added_control --list)" ''
lacks 'the kernel has logged no error' "$(dmesg)" 'BUG:|Oops|general protection|WARNING:'
done_testing
