#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the plug-in for Babeltrace 2: babeltrace.py compares each event with the output of lkstbuf
# print --json, both directly and in a CTF trace that sink.ctf.fs has written, and checks that Trace
# Compass can show that trace. Also tests losses, several files, images, parameters, bad input, the
# examples of the manual page, and memory.
# timeout: 900

. "$(dirname "$0")/host.sh"
use_tools mktrace mkmemory
export BABELTRACE_PLUGIN_PATH=$top/build/lib/babeltrace2/plugins

# Debian's python3 has the bindings of Babeltrace.
checker() { /usr/bin/python3 "$top/tests/host/babeltrace.py" "$@"; }
lines() { wc -l | tr -d ' '; }

# equal NAME SAYS INPUT...: test that Babeltrace reads the same events as lkstbuf print, and that
# the output of the checker matches SAYS
equal() {
	local name=$1 says=$2
	shift 2
	lkstbuf print --json -r "${@/#/-f}" >events 2>messages
	is "$name" "$(checker compare events "$@" 2>&1)" "$says"
}

# --- all kinds of events

for row in 'sample:24 events, 0 discarded' 'busy 2 9000:18000 events, 0 discarded' \
	'late late:100 events, 0 discarded' 'files files:16 events, 0 discarded' \
	'user user:19 events, 0 discarded' 'sleeps sleeps:37 events, 0 discarded' 'system system 1:7758 events, 192 discarded' \
	'waits waits 1:8000 events, 261 discarded'; do
	read -ra words <<<"${row%%:*}"
	mktrace "${words[@]}" || bail_out "no trace: $row"
	equal "mktrace ${words[*]}" "${row#*:}" "${words[0]}"
done
equal 'events of a kernel, selected: gaps are not losses' '11975 events, 0 discarded' "$top/tests/host/lkstla_recompute.lkst"

# --- files

mktrace a 2 1000 0 && mktrace b 2 1000 1500 || bail_out 'no traces'
equal 'several files of a boot, with a gap between them' '4000 events, 1000 discarded' a b
is 'files of two boots are two traces' "$(babeltrace2 a sample -o ctf -w two 2>&1 | sort)" \
"Created CTF trace \`two/lkst\`.
Created CTF trace \`two/sample\`."
mkdir logs && cp a b logs && echo other >logs/other
is 'a directory' "$(babeltrace2 logs 2>messages | lines)" 4000
for form in raw elf; do
	mkmemory $form $form boots || bail_out 'no image'
	equal "an image, $form" '1512 events, 0 discarded' $form
done
image() { babeltrace2 -c source.lkst.trace -p "inputs=[\"raw\"], boot=\"$1\"" 2>messages; }
lkstbuf print -f raw --boot 0202 >events 2>messages
is 'parameter boot' "$(image 0202 | lines)" "$(grep -vc '^#' events)"
contains 'the environment' "$(babeltrace2 -o text --fields=trace:hostname sample | head -n 1)" 'sample'

# --- CTF

for name in sample busy system sleeps late; do
	babeltrace2 $name -o ctf -w "ctf-$name" >messages 2>&1
	is "$name: sink.ctf.fs succeeds" $? 0
	lkstbuf print --json -r -f $name >events 2>messages
	expected=$(checker compare events $name)
	is "$name: the CTF trace has the same events" "$(checker compare events "ctf-$name" 2>&1)" "$expected"
	ok "$name: the conditions of Trace Compass" checker viewer ctf-$name/*
done
contains 'events of LTTng' "$(checker viewer ctf-system/* | paste -sd ' ')" \
	'irq_handler_entry irq_handler_exit irq_softirq_entry .*sched_switch sched_wakeup .*syscall_entry_read .*syscall_exit_read '
contains 'losses are shown' "$(babeltrace2 ctf-system 2>&1 >out)" 'discarded 16 events between \[03:04:05\.031472789\] and \[03:04:05\.032515607\]'
ok 'the CTF trace prints the same as the trace' cmp <(babeltrace2 system 2>messages) <(babeltrace2 ctf-system 2>messages)

# --- iterators

is 'iterators return to the beginning' "$(checker again system a)" '1935 2020 1937 1942 1004 1004'
is '--begin and --end' "$(babeltrace2 busy --begin 03:04:05.001 --end 03:04:05.002 2>&1 | lines)" \
	"$(lkstbuf print -f busy --since 03:04:05.001 --until 03:04:05.002 | grep -vc '^#')"

# --- bad input

# says NAME SAYS ARGUMENT...: test that babeltrace2 fails, and that its message matches SAYS
says() { refused "$1" any "$2" sh -c 'babeltrace2 "$@" 2>&1 >out' sh "${@:3}"; }
source=(-c source.lkst.trace -p)
head -c 20 sample >short
says 'a file that ends in its header names the file' 'short: ' short
head -c 40 /dev/zero | cat <(head -c 8 sample) - >header
says 'a damaged header names the file' 'header: ' header
says 'a file that does not exist' 'nowhere: ' "${source[@]}" 'inputs=["nowhere"]'
says 'a file that is not a trace' 'other: ' "${source[@]}" 'inputs=["logs/other"]'
says 'an image beside a trace' 'raw: is not a trace \(a memory image must be the only input\)' "${source[@]}" 'inputs=["a", "raw"]'
says 'an image without data of LKST' 'empty: ' "${source[@]}" "inputs=[\"$(mkmemory empty raw empty && echo empty)\"]"
says 'an unknown boot' '9999' "${source[@]}" 'inputs=["raw"], boot="9999"'
says 'boot with a trace' 'a: is a trace \(boot and symbols are for memory images\)' "${source[@]}" 'inputs=["a"], boot="0101"'
says 'no inputs' 'parameter "inputs": must be an array of file names' "${source[@]}" 'inputs=[]'
says 'inputs that are numbers' 'parameter "inputs": must contain only strings' "${source[@]}" 'inputs=[1]'
says 'boot is a number' 'parameter "boot": must be a string' "${source[@]}" 'inputs=["raw"], boot=1'
says 'an unknown parameter' 'parameter "input": is unknown \(the parameters are inputs, boot and symbols\)' "${source[@]}" 'input="a"'
mktrace none 1 0 || bail_out 'no trace'
says 'a trace without events' 'none: contains no events' none
head -c 100000 busy >cut
babeltrace2 cut >out 2>messages
is 'a truncated file: everything that remains is read' "$? $(lines <out)" "0 $(lkstbuf print -f cut 2>/dev/null | grep -vc '^#')"
contains 'a truncated file: a message names the file' "$(cat messages)" '^source\.lkst\.trace: cut: '
is 'unless only errors are logged' "$(babeltrace2 --log-level E cut 2>&1 >out)" ''
is 'files that are no traces are left to other plug-ins' \
	"$(for input in logs/other short empty . ; do babeltrace2 query source.lkst.trace babeltrace.support-info -p "type=\"file\", input=\"$input\""; done | sort | uniq -c | tr -s ' ')" \
"$(printf ' 1 group: lkst\n 3 weight: 0.000000\n 1 weight: 0.900000')"
fails 'an unknown query' any babeltrace2 query source.lkst.trace what

# --- the examples of the manual page, in all of its sections

here=$top/tests/vm/commands
# shellcheck source=../vm/commands/examples.sh
. "$here/examples.sh"
ln busy trace.lkst
mkmemory vmcore raw seed kernel || bail_out 'no image with the memory of a kernel'
echo 'ffffffff81000000 T _text' >System.map
# The examples run this script instead of babeltrace2. It fails if nothing is printed.
mkdir bin
cat >bin/babeltrace2 <<END
#!/bin/bash
cd "$work" && "$(command -v babeltrace2)" "\${@/#\/var\/log\/lkst/logs}" >printed 2>&1 && cat printed && [ -s printed ]
END
chmod +x bin/babeltrace2
sed 's/^\.S[hs] .*/.Sh EXAMPLES/' "$top/Documentation/man/babeltrace2-source.lkst.trace.7" >babeltrace2-source.lkst.trace.7
others=$tap_count
PATH=$work/bin:$PATH run_page "$work/babeltrace2-source.lkst.trace.7"
is 'all examples of the page are run' $((tap_count - others)) "$(grep -c '^\$ ' babeltrace2-source.lkst.trace.7)"

# --- memory

# A trace that is 20 times as long takes the same amount of memory, except for the index of its
# chunks.
mktrace long 2 400000 && mktrace medium 2 20000 || bail_out 'no traces'
peak() { /usr/bin/python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' babeltrace2 "$1" -o dummy; }
small=$(peak medium) large=$(peak long)
ok "memory is bounded (KB: $small, $large)" test $((large - small)) -lt 8192

# The plug-in with AddressSanitizer, which also finds leaks, reads all of the above, and traces of
# events that no kernel records.
make -s -C "$top/tools/lkst" O="$work/asan" CFLAGS='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined' \
	"$work/asan/lib/babeltrace2/plugins/babeltrace-plugin-lkst.so" >make.log 2>&1 || bail_out "no plug-in: $(tail make.log)"
asan=(env "BABELTRACE_PLUGIN_PATH=$work/asan/lib/babeltrace2/plugins" ASAN_OPTIONS=detect_leaks=1
	"LD_PRELOAD=$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)")
mktrace hostile hostile
for seed in 1 2 3 4 5 6; do
	mktrace "random$seed" random $seed
done
for input in sample late files sleeps system waits hostile raw elf cut random?; do
	ok "$input: no invalid access, no leak" "${asan[@]}" babeltrace2 --log-level E "$input" -o dummy
done
for seed in 1 2 3 4 5 6; do
	is "random$seed: all events are read" "$(babeltrace2 --log-level E random$seed 2>/dev/null | lines)" \
		"$(lkstbuf print -f random$seed -r 2>/dev/null | grep -vc '^#')"
done
"${asan[@]}" babeltrace2 --log-level E random1 -o ctf -w ctf-random >messages 2>&1
is 'random events as CTF' $? 0
is 'short: no leak after an error' "$("${asan[@]}" babeltrace2 --log-level E short 2>&1 | grep -c Sanitizer)" 0
done_testing
