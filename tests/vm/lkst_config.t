#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The configuration, /etc/lkst.conf and /etc/lkst.d: what lkst config says of it, and what lkstlogd makes of it when it
# starts and at SIGHUP. A line that is wrong never keeps it from recording.
# kernel: base
# form: builtin module
# timeout: 300

# Functions are called by "ok" and "within".
# shellcheck disable=SC2317

cd "$(dirname "$0")" || exit
. ../tap.sh
. ./lkstlogd.sh
json=$here/json
work=/tmp/lkst_config
mkdir -p $work
cd $work || exit
none() { rm -rf $logs /tmp/logs /etc/lkst.conf /etc/lkst.d; mkdir -p /etc/lkst.d; }
none

# line TEXT: what lkst config prints of a key or rule: its value, "#" and where it is from.
line() { lkst config 2>/dev/null | sed -n "s/^$1  *#  */$1 # /p"; }
status() { lkst status | sed -n "s/^$1  *//p"; }

# --- no file

ok 'no file: nothing is wrong' lkst config --check
is 'no file: nothing is said' "$tap_output" ''
is 'no file: defaults' "$(lkst config | sed 's/  *# /|/')" '[lkstlogd]
start = no|default
buffer-size = 2M|default
number = 2|default
file = /var/log/lkst/sebuf|default
#limit =|by the file system
#total-limit =|by the file system
compress = yes|default
previous = yes|default
#maskset =|default'
rmdir /etc/lkst.d
ok 'no directory: nothing is wrong' lkst config --check
mkdir /etc/lkst.d

# --- files

cat >/etc/lkst.conf <<'END'
# as an administrator has it
[lkstlogd]
start = yes
number = 3
buffer-size = 256K
limit = 1M
compress = no

[maskset mine]
from = default
class:syscall, class:memory = off
user_mark = on
END
cat >/etc/lkst.d/20-more.conf <<'END'
[lkstlogd]
maskset = mine	# this one
number = 4
[maskset mine]
process_wakeup = 0
END
cat >/etc/lkst.d/10-first.conf <<'END'
[lkstlogd]
number = 5
limit = 2M
file = /tmp/logs/trace
END
echo nonsense >/etc/lkst.d/30-other.conf.old
echo nonsense >/etc/lkst.d/.30-hidden.conf
ok 'files: nothing is wrong' lkst config --check
is 'files: nothing is said' "$tap_output" ''
is 'files: what holds, and where it stands' "$(lkst config | sed 's/  *# /|/')" '[lkstlogd]
start = yes|/etc/lkst.conf:3
buffer-size = 256K|/etc/lkst.conf:5
number = 4|/etc/lkst.d/20-more.conf:3
file = /tmp/logs/trace|/etc/lkst.d/10-first.conf:4
limit = 2M|/etc/lkst.d/10-first.conf:3
#total-limit =|10 of limit for each CPU
compress = no|/etc/lkst.conf:7
previous = yes|default
maskset = mine|/etc/lkst.d/20-more.conf:2

[maskset mine]|/etc/lkst.conf:9
from = default|/etc/lkst.conf:10
class:syscall, class:memory = off|/etc/lkst.conf:11
user_mark = on|/etc/lkst.conf:12
process_wakeup = 0|/etc/lkst.d/20-more.conf:5'
lkst config --json >got
is 'JSON: the files' "$("$json" files <got | sed 's,\\/,/,g')" \
	'["/etc/lkst.conf","/etc/lkst.d/10-first.conf","/etc/lkst.d/20-more.conf"]'
is 'JSON: a key' "$("$json" lkstlogd.2 <got | sed 's,\\/,/,g')" \
	'{"key":"number","value":4,"file":"/etc/lkst.d/20-more.conf","line":3,"from":"file"}'
is 'JSON: a default' "$("$json" lkstlogd.7 <got)" \
	'{"key":"previous","value":true,"file":null,"line":null,"from":"default"}'
is 'JSON: a rule' "$("$json" masksets.0.rules.2 <got | sed 's,\\/,/,g')" \
	'{"events":"process_wakeup","evhandler":"0","file":"/etc/lkst.d/20-more.conf","line":5}'
is 'JSON: no errors' "$("$json" errors <got)" '[]'
lkst config >printed
ok 'what is printed is a configuration' lkst config --check printed
is 'which says the same' "$(lkst config printed | sed 's/  *#.*//')" "$(sed 's/  *#.*//' printed)"

# --- the daemon

lkst status | grep '^maskset ' >before
lkstlogd -F 2>messages &
daemon=$!
ok 'start = yes: it writes' within 20 says '^lkstlogd +writing'
is 'number, buffer-size: the ring of each CPU' "$(lkstbuf list | awk '$3 == 262144 { n[$1]++ } END { print n[0], n[1] }')" '4 4'
is 'maskset: it was selected, and the daemon records by it' "$(status maskset | sed 's/.* //')" lkstlogd
lkstm read -n mine >mine.text
lkstm read -n default >default.text
handlers() { sed -n "s/^0x[0-9a-f]* 0x0*\([0-9a-f]\)  # $2(.*/\1/p" "$1.text" | sort -u | tr '\n' ' '; }
is 'rules: class:syscall is off' "$(handlers mine 'system_call_[a-z]*')" '0 '
is 'rules: a drop-in adds to them' "$(handlers mine process_wakeup)" '0 '
is 'rules: user_mark is on' "$(handlers mine user_mark)" '1 '
is 'rules: the rest is from default' "$(grep -vE 'system_call|memory|mem_|process_wakeup|user_mark|# maskset' mine.text | grep -c .)" \
	"$(grep -vE 'system_call|memory|mem_|process_wakeup|user_mark|# maskset' default.text | grep -c .)"
is 'default itself is as before' "$(handlers default process_wakeup)" '1 '
# The first files have what was recorded before it came, by the maskset of then.
tell USR2
ok 'file: so they are called' within 20 test -e /tmp/logs/trace1.1
mark 0x10920
tell USR2
within 20 test -e /tmp/logs/trace1.2
is 'file: there is the mark' "$(marked 0x10920 /tmp/logs/trace0.1 /tmp/logs/trace1.1)" 1
is 'maskset: there are no system calls' "$(lkstbuf print -e system_call_entry -f /tmp/logs/trace0.1 -f /tmp/logs/trace1.1 2>/dev/null | grep -vc '^#')" 0
is 'compress = no' "$(logfiles check /tmp/logs/trace0.0 | sed -n 's/.* compressed=\([0-9]*\).*/\1/p' | head -n 1)" 0
is 'limit' "$(status 'log files' | cut -d : -f 1)" 'up to 2M for each CPU, 40M together'
contains 'limit: said' "$(cat messages)" 'files in /tmp/logs have up to 2M for each CPU, and all of them 40M'
is 'lkst config: a limit that follows from others' "$(line 'total-limit = 40M')" \
	'total-limit = 40M # 10 of limit for each CPU'
is 'nothing is wrong' "$(status configuration)$(status trouble)" ''

# --- SIGHUP

cat >/etc/lkst.d/20-more.conf <<'END'
[lkstlogd]
number = 2
compres = yes
compress = yes
file = /tmp/logs/other
limit = 1
[maskset mine]
no_such_event = on
process_wakeup = buffer_shft
[maskset second]
from = mine
user_* = off
process_wakeup = on
END
sed -i '/^limit/d' /etc/lkst.d/10-first.conf
fails 'lkst config: what is wrong' 1 lkst config --check
is 'lkst config: what is wrong, and where' "$tap_output" 'lkst: /etc/lkst.d/20-more.conf:3: unknown key "compres"; did you mean "compress"?
lkst: /etc/lkst.d/20-more.conf:6: limit "1" is out of range: 256K to 65536G
lkst: /etc/lkst.d/20-more.conf:8: no event is called "no_such_event"; "lkstbuf print -h" lists all events
lkst: /etc/lkst.d/20-more.conf:9: no event handler is called "buffer_shft"; did you mean "buffer_shift", "buffer_shift_dw" or "buffer_jump"?'
# files of NAME: how many
number_of() { find /tmp/logs -name "$1.*" | wc -l; }
have() { [ "$(number_of "$1")" -ge "$2" ]; }
tell HUP
ok 'HUP: other files' within 20 have other1 1
ok 'HUP: it writes on' within 20 says '^lkstlogd +writing'
contains 'HUP: says what is wrong' "$(cat messages)" '/etc/lkst.d/20-more.conf:3: unknown key "compres"; did you mean "compress"\? \(left out\)'
contains 'HUP: says it of masksets' "$(cat messages)" '20-more.conf:9: no event handler is called "buffer_shft"'
contains 'lkst status tells it' "$(status configuration)" '^/etc/lkst.d/20-more.conf:3: unknown key'
is 'HUP: another ring' "$(lkstbuf list | awk '$4 != $2 && $3 == 262144 && $2 != 0 { n[$1]++ } END { print (n[0] >= 2), (n[1] >= 2) }')" '1 1'
is 'HUP: limit, of the first file' "$(status 'log files' | cut -d : -f 1)" 'up to 1M for each CPU, 20M together'
mark 0x10921
lkstm read -n second >second.text
is 'HUP: a maskset made from another' "$(handlers second system_call_entry)$(handlers second user_mark)$(handlers second process_wakeup)" '0 0 1 '
is 'HUP: a rule that is wrong was left out, and one that is gone' "$(lkstm read -n mine | grep -c 'process_wakeup')$(lkstm read -n mine >mine.text; handlers mine process_wakeup)" '11 '
is 'HUP: no maskset is named, the one that is selected goes on as it is defined now' "$(lkstm read -n lkstlogd >own.text; handlers own process_wakeup)" '1 '
tell USR2
within 20 have other1 2
has_mark() { [ "$(marked 0x10921 /tmp/logs/other*)" = 1 ]; }
ok 'HUP: the mark' within 20 has_mark
ok 'HUP: compressed' test "$(logfiles check "$(find /tmp/logs -name 'other0.*' | sort | head -n 1)" | sed -n 's/.* compressed=\([0-9]*\).*/\1/p' | head -n 1)" -gt 0
kill -TERM $daemon
wait $daemon
is 'it ends as always' $? 0
is 'the maskset of the configuration is selected' "$(status maskset | sed 's/.* //')" mine
lkstm set -n default
is 'and no other was changed' "$(status maskset)" "$(sed 's/^maskset  *//' before)"

# --- the command line overrides it

none
printf '[lkstlogd]\nstart = yes\nnumber = 3\nbuffer-size = 128K\n[maskset third]\nall = off\n' >/etc/lkst.conf
ok '--no-start -n' lkstlogd --no-start -n 4 --maskset third
ok '--no-start: it waits' within 20 says '^lkstlogd +idle'
is '-n: buffers' "$(lkstbuf list | awk '$3 == 131072 { n[$1]++ } END { print n[0], n[1] }')" '4 4'
is 'lkst config: -n' "$(line 'number = 4')" 'number = 4 # command line of lkstlogd'
is 'lkst config: --no-start' "$(line 'start = no')" 'start = no # command line of lkstlogd'
is 'lkst config: --maskset' "$(line 'maskset = third')" 'maskset = third # command line of lkstlogd'
is 'lkst config: the rest' "$(line 'buffer-size = 128K')" 'buffer-size = 128K # /etc/lkst.conf:4'
is 'of a file that is checked it says nothing' "$(lkst config /etc/lkst.conf | sed -n 's/^number.*# //p')" /etc/lkst.conf:3
is '--maskset' "$(lkstm read -n lkstlogd | grep -c '0x0*1  # user_mark')" 0
tell HUP
ok 'HUP: it still waits' within 20 says '^lkstlogd +idle'
is 'HUP: and has its buffers' "$(lkstbuf list | awk '$3 == 131072 { n[$1]++ } END { print n[0], n[1] }')" '4 4'
ok 'TERM' stop
lkstm set -n default

# --- another file

none
mkdir -p here
printf '[lkstlogd]\nnumber = 3\nbuffer-size = 128K\n' >here/my.conf
printf '[lkstlogd]\nnumber = 9\n' >/etc/lkst.conf
ok '-c' lkstlogd -c here/my.conf
is '-c: only this one' "$(lkstbuf list | awk '$3 == 131072 { n[$1]++ } END { print n[0], n[1] }')" '3 3'
printf '[lkstlogd]\nnumber = 5\nbuffer-size = 128K\n' >here/my.conf
tell HUP
five() { [ "$(lkstbuf list | awk '$3 == 131072 && $2 != 0 { n[$1]++ } END { print n[0] }')" -ge 5 ]; }
ok '-c: HUP reads it again, whatever the directory' within 20 five
ok 'TERM' stop
none
lkstlogd -F -c nowhere.conf 2>messages &
daemon=$!
ok '-c: there is no such file: it runs' within 20 says '^lkstlogd +idle'
contains '-c: there is no such file: said' "$(cat messages)" 'nowhere.conf: open: No such file'
kill $daemon
wait $daemon

# --- while LKST is stopped, and a maskset that is not there

none
printf '[lkstlogd]\nmaskset = fourth\n[maskset fourth]\nuser_mark = on\n' >/etc/lkst.conf
lkst stop
lkstlogd -F 2>messages &
daemon=$!
ok 'stopped: it runs' within 20 says '^lkstlogd +idle'
contains 'stopped: says that the maskset is not selected' "$(cat messages)" 'maskset "fourth" is not selected, as LKST is stopped'
is 'stopped: it stays so' "$(status state)" stopped
lkst start
tell HUP
recorded() { lkstm read -n lkstlogd >own.text; [ "$(handlers own user_mark)$(handlers own system_call_entry)" = '1 0 ' ]; }
ok 'HUP: now it is' within 20 recorded
is 'HUP: with the maskset of the daemon' "$(status maskset | sed 's/.* //')" lkstlogd
kill $daemon
wait $daemon
lkstm set -n default
printf '[lkstlogd]\nmaskset = defualt\n' >/etc/lkst.conf
lkstlogd -F 2>messages &
daemon=$!
ok 'a maskset that is not there: it runs' within 20 says '^lkstlogd +idle'
contains 'a maskset that is not there: said' "$(cat messages)" 'no maskset is called "defualt"'
is 'a maskset that is not there: the one that is selected' "$(lkstm read -n lkstlogd | grep -c '0x0*1  # system_call_entry')" 1
kill $daemon
wait $daemon

# --- no text, no file, no reader

head -c 100 /dev/zero >/etc/lkst.conf
fails 'no text' 1 lkst config --check
contains 'no text: said' "$tap_output" '^lkst: /etc/lkst.conf: a byte 0 is in it'
rm /etc/lkst.conf
mkdir /etc/lkst.conf
ok 'a directory: the daemon runs nevertheless' lkstlogd
contains 'a directory: lkst status says so' "$(status configuration)" '^/etc/lkst.conf: read: Is a directory'
ok 'TERM' stop
rmdir /etc/lkst.conf
fails 'lkst config of a file that is not there' 1 lkst config nowhere
fails 'lkst config of two files' 2 lkst config a b

none
for name in mine second third fourth; do lkstm delete -n $name; done
rm -rf $work
done_testing
