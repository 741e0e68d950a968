#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests the configuration in /etc/lkst.conf and /etc/lkst.d: lkst config prints it, and lkstlogd
# applies it when it starts and when it gets SIGHUP. A wrong line never keeps lkstlogd from
# recording.
# kernel: base
# form: builtin module
# timeout: 300

# shellcheck disable=SC2317
. "$(dirname "$0")/lkstlogd.sh"
work=/tmp/lkst_config
mkdir -p $work
cd $work || exit
none() { rm -rf $logs /tmp/logs /etc/lkst.conf /etc/lkst.d; mkdir -p /etc/lkst.d; }
none

# line TEXT: print the line of lkst config that begins with TEXT (a key and its value, or a rule),
# followed by "#" and the origin of the value or rule
line() { lkst config 2>/dev/null | sed -n "s/^$1  *#  */$1 # /p"; }
# rings SIZE: print how many buffers of that size each CPU has
rings() { lkstbuf list | awk -v size="$1" '$3 == size { n[$1]++ } END { print n[0], n[1] }'; }
status() { lkst status | sed -n "s/^$1  *//p"; }

# --- no file

quiet 'no file: no error, no message' lkst config --check
is 'no file: the defaults apply' "$(lkst config)" "$(lkst config /dev/null)"
rmdir /etc/lkst.d
ok 'no directory: no error' lkst config --check
mkdir /etc/lkst.d

# --- files

cat >/etc/lkst.conf <<'END'
# an administrator's settings
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
maskset = mine	# comment after a rule
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
quiet 'files: no error, no message' lkst config --check
is 'files: the value of a key and its origin' "$(line 'number = 4')" 'number = 4 # /etc/lkst.d/20-more.conf:3'
is 'files: the rules of a maskset and their origins' "$(lkst config | sed -n '/^\[maskset/,$s/  *# /|/p')" '[maskset mine]|/etc/lkst.conf:9
from = default|/etc/lkst.conf:10
class:syscall, class:memory = off|/etc/lkst.conf:11
user_mark = on|/etc/lkst.conf:12
process_wakeup = 0|/etc/lkst.d/20-more.conf:5'
lkst config --json >got
while read -r path want; do
	is "JSON: $path" "$(json "$path" <got | sed 's,\\/,/,g')" "$want"
done <<-'END'
	files ["/etc/lkst.conf","/etc/lkst.d/10-first.conf","/etc/lkst.d/20-more.conf"]
	lkstlogd.2 {"key":"number","value":4,"file":"/etc/lkst.d/20-more.conf","line":3,"from":"file"}
	lkstlogd.7 {"key":"previous","value":true,"file":null,"line":null,"from":"default"}
	masksets.0.rules.2 {"events":"process_wakeup","evhandler":"0","file":"/etc/lkst.d/20-more.conf","line":5}
	errors []
END
lkst config >printed
ok 'the output is a configuration file' lkst config --check printed
is 'the output as a configuration file has the same values' "$(lkst config printed | sed 's/  *#.*//')" "$(sed 's/  *#.*//' printed)"

# --- the daemon

lkst status | grep '^maskset ' >before
foreground
ok 'start = yes: lkstlogd writes' within 20 says '^lkstlogd +writing'
is 'number, buffer-size: the ring of each CPU' "$(rings 262144)" '4 4'
is 'maskset: lkstlogd has made its own maskset from it' "$(status maskset | sed 's/.* //')" lkstlogd
lkstm read -n mine >mine.text
lkstm read -n default >default.text
handlers() { sed -n "s/^0x[0-9a-f]* 0x0*\([0-9a-f]\)  # $2(.*/\1/p" "$1.text" | sort -u | tr '\n' ' '; }
is 'rules: class:syscall is off' "$(handlers mine 'system_call_[a-z]*')" '0 '
is 'rules: a drop-in adds to them' "$(handlers mine process_wakeup)" '0 '
is 'rules: user_mark is on' "$(handlers mine user_mark)" '1 '
is 'rules: the rest is from default' "$(grep -vE 'system_call|memory|mem_|process_wakeup|user_mark|# maskset' mine.text | grep -c .)" \
	"$(grep -vE 'system_call|memory|mem_|process_wakeup|user_mark|# maskset' default.text | grep -c .)"
is 'the default maskset is unchanged' "$(handlers default process_wakeup)" '1 '
# The first files also have earlier events, which were recorded with the previous maskset.
signal_daemon USR2
ok 'file: the files have that name' within 20 test -e /tmp/logs/trace1.1
mark 0x10920
signal_daemon USR2
within 20 test -e /tmp/logs/trace1.2
is 'file: the files have the mark' "$(marked 0x10920 /tmp/logs/trace0.1 /tmp/logs/trace1.1)" 1
is 'maskset: the files have no system calls' "$(lkstbuf print -e system_call_entry -f /tmp/logs/trace0.1 -f /tmp/logs/trace1.1 2>/dev/null | grep -vc '^#')" 0
is 'compress = no' "$(compressed /tmp/logs/trace0.0)" 0
is 'limit' "$(status 'log files' | cut -d : -f 1)" 'up to 2M for each CPU, 40M together'
contains 'limit: logged' "$(cat messages)" 'files in /tmp/logs: at most 2M for each CPU, 40M together'
is 'lkst config: a limit derived from others is shown' "$(line 'total-limit = 40M')" \
	'total-limit = 40M # 10 files for each CPU'
is 'lkst status: no error and no trouble' "$(status configuration)$(status trouble)" ''

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
refused 'lkst config: reports errors' 1 '^lkst: /etc/lkst.d/20-more.conf:3: unknown key "compres"; did you mean' lkst config --check
contains 'lkst config: reports unknown event handlers, too' "$tap_output" '20-more.conf:9: unknown event handler "buffer_shft"; did you mean'
# number_of NAME: print how many log files have names that begin with NAME and a dot
# have NAME NUMBER: whether at least NUMBER log files have such names
number_of() { find /tmp/logs -name "$1.*" | wc -l; }
have() { [ "$(number_of "$1")" -ge "$2" ]; }
signal_daemon HUP
ok 'HUP: files with another name begin' within 20 have other1 1
ok 'HUP: lkstlogd still writes' within 20 says '^lkstlogd +writing'
contains 'HUP: logs errors in settings' "$(cat messages)" '/etc/lkst.d/20-more.conf:3: unknown key "compres"; did you mean "compress"\? \(left out\)'
contains 'HUP: logs errors in masksets' "$(cat messages)" '20-more.conf:9: unknown event handler "buffer_shft"'
# lkstlogd publishes its status after it has opened the new files.
shows_error() { status configuration | grep -q '^/etc/lkst.d/20-more.conf:3: unknown key'; }
ok 'HUP: lkst status shows it' within 20 shows_error
is 'HUP: the ring changes' "$(lkstbuf list | awk '$4 != $2 && $3 == 262144 && $2 != 0 { n[$1]++ } END { print (n[0] >= 2), (n[1] >= 2) }')" '1 1'
is 'HUP: the limit of the first configuration file applies' "$(status 'log files' | cut -d : -f 1)" 'up to 1M for each CPU, 20M together'
mark 0x10921
lkstm read -n second >second.text
is 'HUP: a maskset made from another' "$(handlers second system_call_entry)$(handlers second user_mark)$(handlers second process_wakeup)" '0 0 1 '
is 'HUP: a wrong rule and a removed rule are dropped' "$(lkstm read -n mine | grep -c 'process_wakeup')$(lkstm read -n mine >mine.text; handlers mine process_wakeup)" '11 '
is 'HUP: without the key "maskset", the selected maskset stays, with its new rules' "$(lkstm read -n lkstlogd >own.text; handlers own process_wakeup)" '1 '
signal_daemon USR2
within 20 have other1 2
# The buffers are small. On a busy machine, new events may overwrite the mark before lkstlogd has
# read it. So if the mark is not in the files, record it again.
has_mark() {
	[ "$(marked 0x10921 /tmp/logs/other*)" -ge 1 ] && return
	mark 0x10921
	signal_daemon USR2
	sleep 1
	return 1
}
ok 'HUP: the mark is in the files' within 20 has_mark
ok 'HUP: the files are compressed' test "$(compressed "$(find /tmp/logs -name 'other0.*' | sort | head -n 1)")" -gt 0
end_foreground TERM
is 'TERM: the exit status is 0' $? 0
is 'the maskset of the configuration is selected again' "$(status maskset | sed 's/.* //')" mine
lkstm set -n default
# shellcheck disable=SC2046 # file names contain no spaces here
why_agrees_if_any $(find /tmp/logs -name 'trace*')
# shellcheck disable=SC2046
why_agrees_if_any $(find /tmp/logs -name 'other*')
is 'no other maskset has changed' "$(status maskset)" "$(sed 's/^maskset  *//' before)"

# --- the command line overrides the configuration

none
printf '[lkstlogd]\nstart = yes\nnumber = 3\nbuffer-size = 128K\n[maskset third]\nall = off\n' >/etc/lkst.conf
ok '--no-start -n' lkstlogd --no-start -n 4 --maskset third
ok '--no-start: lkstlogd waits' within 20 says '^lkstlogd +idle'
is '-n: number of buffers' "$(rings 131072)" '4 4'
is 'lkst config: -n' "$(line 'number = 4')" 'number = 4 # command line of lkstlogd'
is 'lkst config FILE: the command line does not matter' "$(lkst config /etc/lkst.conf | sed -n 's/^number.*# //p')" /etc/lkst.conf:3
is '--maskset' "$(lkstm read -n lkstlogd | grep -c '0x0*1  # user_mark')" 0
signal_daemon HUP
ok 'HUP: lkstlogd still waits' within 20 says '^lkstlogd +idle'
is 'HUP: lkstlogd still has its buffers' "$(rings 131072)" '4 4'
ok 'TERM' stop
lkstm set -n default

# --- another configuration file

none
mkdir -p here
printf '[lkstlogd]\nnumber = 3\nbuffer-size = 128K\n' >here/my.conf
printf '[lkstlogd]\nnumber = 9\n' >/etc/lkst.conf
ok '-c' lkstlogd -c here/my.conf
is '-c: only that file is read' "$(rings 131072)" '3 3'
printf '[lkstlogd]\nnumber = 5\nbuffer-size = 128K\n' >here/my.conf
signal_daemon HUP
five() { [ "$(lkstbuf list | awk '$3 == 131072 && $2 != 0 { n[$1]++ } END { print n[0] }')" -ge 5 ]; }
ok '-c: HUP reads it again, from any working directory' within 20 five
ok 'TERM' stop

# --- while LKST is stopped, and a maskset that does not exist

none
printf '[lkstlogd]\nmaskset = fourth\n[maskset fourth]\nuser_mark = on\n' >/etc/lkst.conf
lkst stop
foreground
ok 'stopped: lkstlogd runs' within 20 says '^lkstlogd +idle'
contains 'stopped: logs that the maskset is not selected' "$(cat messages)" 'maskset "fourth" is not selected, because LKST is stopped'
is 'stopped: LKST stays stopped' "$(status state)" stopped
lkst start
signal_daemon HUP
recorded() { lkstm read -n lkstlogd >own.text; [ "$(handlers own user_mark)$(handlers own system_call_entry)" = '1 0 ' ]; }
ok 'HUP after lkst start: LKST records' within 20 recorded
selected() { [ "$(status maskset | sed 's/.* //')" = lkstlogd ]; }
ok 'HUP after lkst start: the maskset of lkstlogd is selected' within 20 selected
end_foreground TERM
lkstm set -n default
printf '[lkstlogd]\nmaskset = defualt\n' >/etc/lkst.conf
foreground
ok 'an unknown maskset: lkstlogd runs' within 20 says '^lkstlogd +idle'
contains 'an unknown maskset: logged' "$(cat messages)" 'no maskset is named "defualt"'
is 'an unknown maskset: the selected maskset is used' "$(lkstm read -n lkstlogd | grep -c '0x0*1  # system_call_entry')" 1
end_foreground TERM

# --- a directory, a missing file

none
mkdir /etc/lkst.conf
ok 'a directory: lkstlogd still runs' lkstlogd
shows_directory() { status configuration | grep -q '^/etc/lkst.conf: read: Is a directory'; }
ok 'a directory: lkst status shows it' within 20 shows_directory
ok 'TERM' stop
rmdir /etc/lkst.conf
fails 'lkst config with a file that does not exist fails' 1 lkst config nowhere
fails 'lkst config with two files fails' 2 lkst config a b

none
for name in mine second third fourth; do lkstm delete -n $name; done
rm -rf $work
done_testing
