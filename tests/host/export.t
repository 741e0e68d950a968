#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests which arguments lkstbuf export refuses, how it replaces files, and which events it selects.
# Other tests, such as export_perfetto.t, check the contents of the output.

. "$(dirname "$0")/host.sh"
use_tools mktrace
mktrace trace || bail_out 'no sample trace'
export=(lkstbuf export -f trace)

# --- formats

refused 'without an output' 2 '^lkstbuf export: -o is missing \(-o FILE, or -o - for a pipe\)$' "${export[@]}" --format perfetto
refused 'an unknown format' 2 'unknown format "protobuf" \(want .*perfetto' "${export[@]}" --format protobuf -o out
refused 'a name that shows no format' 2 '^lkstbuf export: --format is missing, and the name "out" does not show it \(want .*perfetto' \
	"${export[@]}" -o out
refused 'a name that is a suffix only' 2 'format is missing' "${export[@]}" -o .pftrace
ok 'nothing was written' test ! -e out
ok 'the name shows the format' "${export[@]}" -o out.pftrace
ok '--format' "${export[@]}" --format perfetto -o out
ok 'both write the same' cmp out out.pftrace
"${export[@]}" --format perfetto -o - >piped
ok 'so does a pipe' cmp out piped
ok 'and a trace from standard input' sh -c 'lkstbuf export --format perfetto -o - <trace | cmp - out'
refused 'a terminal' 2 'refusing to write the format perfetto to a terminal \(redirect standard output\)' \
	script -qec "lkstbuf export -f trace --format perfetto -o -" /dev/null

# --- the output file

echo old >old
ln -s old link
ok 'through a link' "${export[@]}" --format perfetto -o link
ok 'the link is still one' test -L link
ok 'the file that it names was replaced' cmp old out
echo old >old
echo bad >bad
refused 'a file that is not a trace' 1 'not an LKST trace file' lkstbuf export --format perfetto -f bad -o old
is 'the output is unchanged' "$(cat old)" old
refused 'no event matches' 1 'no event matches; the trace is from' "${export[@]}" -e cpu_suspend --format perfetto -o old
is 'nothing selected: the output is unchanged' "$(cat old)" old
mktrace empty 1 0 || fail 'a trace without events'
for format in perfetto chrome folded; do
	refused "a trace without events: $format" 1 '^lkstbuf: the trace contains no events$' lkstbuf export --format $format -f empty -o old
	is "a trace without events: $format: the output is unchanged" "$(cat old)" old
done
refused 'a directory that does not exist' 1 'none/out: cannot be created: No such file' "${export[@]}" --format perfetto -o none/out
refused 'a full disk' 1 '^lkstbuf: /dev/full: cannot be written: No space left on device' "${export[@]}" --format perfetto -o /dev/full
mktrace big 2 500000 || fail 'a big trace'
refused 'a file that is too large' 1 'cannot be written: File too large; the previous contents of the file are unchanged' \
	sh -c 'ulimit -f 100; lkstbuf export --format perfetto -f big -o old'
is 'a failed write leaves the output unchanged' "$(cat old)" old
is 'no temporary file is left' "$(find . -name 'old.*' -o -name 'out.??????')" ''
lkstbuf export --format perfetto -f big -o - 2>said | head -c 100 >/dev/null
is 'a reader that closes the pipe is no failure' "${PIPESTATUS[0]} $(cat said)" '0 '

# --- progress

# A slow reader makes the export take longer than the half second for which no progress is shown.
cat >slow <<'END'
while [ "$(head -c 500000 | wc -c)" -gt 0 ]; do sleep 0.3; done
END
script -qec "bash -o pipefail -c 'lkstbuf export --format perfetto -f big -n 300000 -o - | sh slow'" /dev/null >screen
is 'progress: status' $? 0
tr '\r' '\n' <screen | sed -n 's/^lkstbuf: exporting *\([0-9]*\)%.*/\1/p' | uniq >percents
ok 'progress is shown' test "$(wc -l <percents)" -ge 2
sort -n -u percents >sorted
ok 'progress goes up' cmp sorted percents
ok 'progress is erased at the end' grep -q "%$(printf '\033\[K.*\r\033\[K')\$" screen

# interrupt: start an export that replaces the file "old", and interrupt it. Fails if the export
# ended before the interruption.
# shellcheck disable=SC2317 # until_true calls it
interrupt() {
	echo old >old
	lkstbuf export --format perfetto -f big -o old 2>said &
	pid=$!
	stop_while "$pid" 'old.??????' || { wait "$pid"; return 1; }
	kill -INT "$pid"
	kill -CONT "$pid"
	! wait "$pid"
}
until_true interrupt || fail 'an export is interrupted'
is 'interrupted: it says so' "$(cat said)" 'lkstbuf: interrupted: nothing was written to old'
is 'interrupted: the output is unchanged' "$(cat old)" old
is 'interrupted: no temporary file is left' "$(find . -name 'old.*')" ''

# --- what is selected

mktrace early 2 100 0 || fail 'another trace'
refused 'files of different boots' 2 'the files are from different boots \(export one boot at a time\)' \
	lkstbuf export --format perfetto -f early -f trace -o out
cp trace same.json && ln same.json link.json
refused 'the trace cannot be the output' 2 'would replace the trace that is read' lkstbuf export -f same.json -o link.json
ok 'it is unchanged' cmp trace same.json
refused '--own is for the running kernel' 2 '--own requires the running kernel' "${export[@]}" --own --format perfetto -o out
refused 'a CPU that is not in the trace' 1 'no CPU 7, only' "${export[@]}" -c 7 --format perfetto -o out

# events OPTION...: count the events that are exported
events() {
	lkstbuf export --format perfetto -o - "$@" |
		protoc --proto_path="$top/tools/lkst/lkstbuf/export/perfetto" --decode=pf.Trace perfetto.proto |
		awk '/^ *event \{/ || /^ *switch_next_pid:/ || /^ *waking_pid:/' | wc -l
}
for options in '' '-c 1' '-e process_exec' '-e !process_exec' '-p 100' '-p !100' '-n 5' '--since +5us' '--until +5us' \
	'--where event==process_exec'; do
	# shellcheck disable=SC2086 # several options
	is "as many events as lkstbuf print: ${options:-all}" "$(events -f trace $options)" \
		"$(lkstbuf print -f trace -r --json $options | wc -l)"
done
is 'the events of two files' "$(events -f early -f early)" 200

done_testing
