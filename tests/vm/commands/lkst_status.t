#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests the output of "lkst status" and "lkst all", including what they say about lkstlogd, and that
# all lists of lkst and lkstm have the same contents as JSON and as text.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M

. "$(dirname "$0")/rows.sh"
mkdir -p /run/lkst

file=/run/lkst/lkstlogd.status
# table HEADING: print the lines of a table between its heading and the next empty line. Columns are
# separated by single blanks.
table() { awk -v head="$1" '!NF { on = 0 } on { $1 = $1; print } $0 ~ head { on = 1 }'; }
status_json() { lkst status --json | json "$1" | sed 's,\\/,/,g'; }

# --- status as JSON

ok 'status --json' sh -c 'lkst status --json >status'
while read -r path want; do
	is "status --json: $path" "$(json "$path" <status)" "$want"
done <<-END
	state $(field state)
	current_maskset_id $(field maskset | cut -d ' ' -f 1)
	current_maskset_name $(field maskset | cut -d ' ' -f 2)
	clock $(field clock)
	maskset_num $(field masksets)
	evhandler_num $(field 'event handlers')
	static_buffer_size $(field 'static buffer' | cut -d ' ' -f 1)
	static_buffer_recid $(field 'static buffer' | sed 's/.* //')
	memory $(field memory | cut -d ' ' -f 1)
	memory_max $(field memory | sed 's/.* //')
	lost $(field lost)
	version 4
	cpus.# 2
	cpus.1 {"cpu":1,"online":true,"write_buf":0,"read_buf":null}
	lkstlogd {"state":"not running","pid":null,"trouble":null}
END
contains 'status --json: a missing value is null' "$(json . <status)" '"saved_maskset_id":null,"saved_maskset_name":null,'
lkst stop
is 'status --json: stopped' "$(status_json state)" stopped
is 'status --json: the saved maskset' "$(status_json saved_maskset_id) $(status_json saved_maskset_name)" '2 default'
lkst start --no-state-dump

# --- the other lists as JSON

ok 'all --json' sh -c 'lkst all --json >all'
is 'all --json: masksets' "$(json masksets <all)" "$(lkstm list --json | json .)"
is 'all --json: evhandlers' "$(json evhandlers <all)" "$(lksteh list --json | json .)"
is 'all --json: buffers' "$(json buffers.1.listent.0.id <all)" 0
is 'all --json: the status' "$(json status.state <all)" running
is 'lkstm list --json' "$(lkstm list --json | json .)" "[$(lkstm list | awk 'NR > 1 {
	printf "{\"id\":%d,\"name\":\"%s\",\"len\":%d,\"events\":%d,\"selected\":%s}\n", $1, $2, $3, $4, $5 == "selected" ? "true" : "false" }' | paste -sd ,)]"
fails 'lkstm find --json: an unknown name fails' 1 sh -c 'lkstm find -n defualt --json 2>/dev/null'
is 'lkstm find --json: the id is null' "$(printf '%s' "$tap_output" | json .)" '{"name":"defualt","id":null}'
ok 'lkstm read --json' sh -c 'lkstm read -m 1 --json >contents'
is 'lkstm read --json: id and name' "$(json id <contents) $(json name <contents)" '1 all'
is 'lkstm read --json: number of entries' "$(json entry.# <contents)" "$(lkstm read -m 1 | grep -c '^0x')"
at=$(lkstm read -m 1 | grep '^0x' | grep -n '^0x030' | cut -d : -f 1)
is 'lkstm read --json: an entry' "$(json entry.$((at - 1)) <contents)" \
	'{"event_type":48,"event_name":"system_call_entry","id":1,"evhandler_name":"entry_log","args":["number","abi","arg1","arg2","arg3"]}'
is 'lkstm read -d --json: without arguments' "$(lkstm read -m 0 -d --json | json entry.$((at - 1)))" \
	'{"event_type":48,"event_name":"system_call_entry","id":0,"evhandler_name":"none"}'
is 'lkstm read -A --json: one entry for each maskset' "$(lkstm read -A --json | json '#')" "$(lkstm list --json | json '#')"
is 'lkstm read -a --json: all event types' "$(lkstm read -a --json | json entry.511)" \
	'{"event_type":511,"event_name":null,"id":0,"evhandler_name":"none"}'
is 'lkstm all --json' "$(lkstm all --json | json masksets)$(lkstm all --json | json contents)" \
	"$(lkstm list --json | json .)$(lkstm read -A --json | json .)"
for command in 'lkst status' 'lkst all' 'lkstm list' 'lkstm read' 'lkstm find -n all' 'lksteh list' 'lkstbuf list' 'lkstbuf previous' \
	'lkstbuf find /proc/kcore' 'lkstbuf print --summary' 'lkstbuf print -n 5000 -e !user_text'; do
	contains "$command --json" "$($command --json >printed; cat printed)" '":'
	lacks "$command --json: decimal numbers are not strings" "$(cat printed)" '": ?"-?[0-9]+"'
done

# --- lkstlogd

rm -f $file
is 'no lkstlogd' "$(field lkstlogd)" 'not running'
# Start a process named lkstlogd, and write its status file.
printf '#!/bin/sh\nwhile read -r line; do :; done\n' >lkstlogd
chmod +x lkstlogd
mkfifo input
./lkstlogd <input &
pid=$!
exec 3>input
say() { printf '%s\n' '# lkstlogd_status 1' "pid $pid" 'since 1700000000' 'state writing' "$@" >$file; }
say 'trouble ' 'cpu 0 1234 56 7 file /var/log/lkst/sebuf0.3' 'cpu 1 18446744073709551615 0 0 file '
until [ "$(cat /proc/$pid/comm)" = lkstlogd ]; do :; done
is 'lkstlogd runs' "$(field lkstlogd)" "writing, process $pid, since 2023-11-14 22:13:20"
is 'lkstlogd: the number of events that it could not keep, for each CPU' "$(lkst status | table 'could not keep')" \
	'0 1234 56 7 /var/log/lkst/sebuf0.3
1 18446744073709551615 0 0 -'
is 'lkstlogd: lkst all shows these numbers, too' "$(lkst all | table 'could not keep')" "$(lkst status | table 'could not keep')"
is 'lkstlogd: as JSON' "$(status_json lkstlogd)" \
	"{\"state\":\"writing\",\"pid\":$pid,\"trouble\":null,\"since\":1700000000,\"config_error\":null,\"limit\":null,\"total_limit\":null,\"seconds\":null,\"previous\":{\"saved\":0,\"unsaved\":0,\"file\":null,\"trouble\":null},\"cpus\":[{\"cpu\":0,\"file\":\"/var/log/lkst/sebuf0.3\",\"kept\":1234,\"rewound\":56,\"lost\":7},{\"cpu\":1,\"file\":null,\"kept\":18446744073709551615,\"rewound\":0,\"lost\":0}]}"
say 'trouble /var/log/lkst: No space left on device'
is 'lkstlogd: trouble is shown' "$(field trouble)" '/var/log/lkst: No space left on device'
is 'lkstlogd: trouble is shown as JSON' "$(status_json lkstlogd.trouble)" '/var/log/lkst: No space left on device'
say 'trouble ' 'previous 2 1 file /var/log/lkst/sebufprevious.4' 'previous_trouble /var/log/lkst: No space left on device'
is 'lkstlogd: previous boots' "$(field 'previous boots')" \
	'2 saved, the latest in /var/log/lkst/sebufprevious.4
1 not saved, unread: /var/log/lkst: No space left on device'
is 'lkstlogd: previous boots, as JSON' "$(status_json lkstlogd.previous)" \
	'{"saved":2,"unsaved":1,"file":"/var/log/lkst/sebufprevious.4","trouble":"/var/log/lkst: No space left on device"}'
say 'trouble ' 'config /etc/lkst.conf:3: unknown key "x"' 'limits 536870912 4294967296 18000'
is 'lkstlogd: errors in its configuration are shown' "$(field configuration)" '/etc/lkst.conf:3: unknown key "x"'
is 'lkstlogd: its limits, and the time that its files cover' "$(field 'log files')" \
	'up to 512M for each CPU, 4G together: the last 5 h of the busiest CPU'
is 'lkstlogd: the same as JSON' "$(for name in config_error limit total_limit seconds; do status_json lkstlogd.$name; done | tr '\n' ' ')" \
	'/etc/lkst.conf:3: unknown key "x" 536870912 4294967296 18000 '
say 'trouble ' 'limits 10485760 419430400 0'
is 'lkstlogd: the time that its files cover is not known yet' "$(field 'log files')" 'up to 10M for each CPU, 400M together'
printf '# lkstlogd_status 1\nnonsense\n' >$file
contains 'a damaged status file is reported' "$(field lkstlogd)" "^unknown: $file:2: "
is 'a damaged status file: as JSON' "$(status_json lkstlogd.state)" unknown
ok 'a damaged status file is not a failure' lkst status
say 'trouble ' 'cpu 0 1 1 1 file x'
exec 3>&-
wait $pid
is 'a daemon that was killed is not running' "$(field lkstlogd)" 'not running, was killed'
is 'a daemon that was killed: as JSON' "$(status_json lkstlogd)" '{"state":"not running, was killed","pid":null,"trouble":null}'
pid=$$
say 'trouble '
is 'a daemon that was killed, and whose process id another process has now' "$(field lkstlogd)" 'not running, was killed'
rm -f $file

# --- errors

fails 'status on a full device' 1 sh -c 'lkst status >/dev/full'
fails 'status --json on a full device' 1 sh -c 'lkst status --json >/dev/full'
done_testing
