#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A trace has the command lines and the files of the processes. lkstbuf print shows the file name of
# a descriptor if the trace leaves no doubt about it. This also works with the files of lkstlogd.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/rows.sh"

printf '0x%03x 0x001\n' 0x005 0x006 0x007 0x030 0x031 0xf04 0xf05 0xf06 |
	lkstm write -n files >/dev/null || bail_out 'lkstm write'
trap 'kill $load $logd 2>/dev/null; wait; lkstm set -n default; lkstm delete -n files' EXIT
lkstm set -n files >/dev/null

# start: start the load, with arguments that contain blanks and bytes that are not ASCII, and wait
# until the load is ready
start() {
	rm -f load
	files_load 'a b' "$(printf '\303\244\377')" "$(printf 'x\ny')" >load &
	load=$!
	for _ in $(seq 100); do
		grep -q ready load && break
		sleep 0.1
	done
	sleep 0.2
}

# check NAME FILE...: test that a trace shows the names of the load
check() {
	name=$1
	shift
	sed -n 's/^want //p' load | while read -r bytes file; do
		case $file in
		-) echo "$bytes" ;;
		*) echo "$bytes $file" ;;
		esac
	done >wanted
	lkstbuf print -r -f "$@" -p "$load" --only --json -e write |
		sed -n 's/.*"fields":{"number":"write","arg1":"0x[0-9a-f]*",\("arg1_name":"\([^"]*\)",\)*"arg2":"[^"]*","arg3":"\(0x[0-9a-f]*\)"}}$/\3 \2/p' |
		while read -r bytes file; do
			case $((bytes)) in
			1[1-9] | 2[0-2]) echo "$((bytes))${file:+ }$file" ;;
			esac
		done >got
	is "$name" "$(cat got)" "$(cat wanted)"
}

start
sed 's/^/# /' load
ok 'the trace is read' lkstbuf read -f trace
check 'files of descriptors' trace
contains 'the text shows a name' "$(lkstbuf print -f trace -p "$load" -e write)" 'arg1=0x[0-9a-f]*\(/tmp[^ ]*/one\)'
contains 'the text quotes a name with a blank' "$(lkstbuf print -f trace -p "$load" -e write)" \
	'arg1=0x[0-9a-f]*\("/tmp[^ ]*/f.*ur x"\)'
contains 'the command line' "$(strings trace)" '^command - - files_load a.040b '
contains 'the command line, control characters' "$(strings trace)" 'x.012y$'

lkstbuf read -f without --no-files
is '--no-files: no command line' "$(strings without | grep -c 'command - - files_load')" 0
is '--no-files: no names' "$(lkstbuf print -f without --json -e write | grep -c arg1_name)" 0

# The records of only one CPU do not show all changes of descriptors.
lkstbuf read -f one -c 0
is 'one CPU: no names' "$(lkstbuf print -f one --json -e write | grep -c arg1_name)" 0

# While recording is stopped, descriptors can change unseen.
lkst stop
lkstbuf read -f stopped
lkst start
is 'recording was stopped: no names' "$(lkstbuf print -f stopped --json -e write | grep -c arg1_name)" 0
kill "$load"

# --- the files of lkstlogd. SIGUSR2 makes lkstlogd begin new files while the load is running

# daemon OPTION...: start lkstlogd, run the load, and let the daemon close its files
daemon() {
	rm -rf logs
	mkdir logs
	lkstlogd -F -a --no-compress -f "$PWD/logs/log" -c /dev/null "$@" >daemon 2>&1 &
	logd=$!
	for _ in $(seq 100); do
		[ -e logs/log1.0 ] && break
		sleep 0.1
	done
	start
	kill -USR2 "$logd"
	for _ in $(seq 100); do
		[ -e logs/log1.1 ] && break
		sleep 0.1
	done
}

daemon
sleep 1
check 'lkstlogd: closed files' logs/log*.0
check 'lkstlogd: all files' logs/log*
is 'lkstlogd: the files of one CPU: no names' "$(lkstbuf print -f logs/log0.* --json -e write | grep -c arg1_name)" 0
kill "$logd" "$load"
wait "$logd"
check 'lkstlogd: all files, after its end' logs/log*
is 'lkstlogd: no trouble' "$(grep -v -e ': files in ' -e 'SIGUSR2: new files' -e 'SIGTERM' daemon)" ''
daemon --no-open-files
is 'lkstlogd --no-open-files: no command line' "$(strings logs/log* | grep -c 'command - - ')" 0

done_testing
