#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# User events in a synthetic trace: printing, selecting and analysing them by the names of their
# fields, and cutting parts from the trace. export_*.t and babeltrace.t convert the same trace.

. "$(dirname "$0")/host.sh"
use_tools mktrace

mktrace user user || bail_out 'no trace'
shown() { lkstbuf print -r -f user --time utc "$@" 2>&1 | sed '/^#/d; s/.*user_events/user_events/'; }
numbers() { shown "$@" | grep -o ' id=[0-9]*' | tr -d ' id=\n'; }

is 'text: one record' "$(shown -e work_start | head -n 1)" 'user_events:work_start id=1 kind=read size=-1'
is 'text: a chain' "$(shown -e work_stop | head -n 1)" \
	'user_events:work_stop id=1 result=-1 msg="the request has been answered, with a long text"'
is 'text: a chain without its end' "$(shown -e work_stop --where 'id == 3')" \
	'user_events:work_stop id=3 result=-3 msg="the request has been answered, with " [cut]'
is 'text: the head alone' "$(shown -e work_stop --where 'id == 9')" 'user_events:work_stop id=9 [cut]'
is 'text: no fields' "$(shown -e empty | sed 's/ *$//')" 'user_events:empty'
is 'text: fields of all types' "$(shown -e all.2a | head -n 1)" \
	'user_events_multi:all.2a a=-1 b=255 c=-2 d=65534 e=-3 f=4294967293 g=-4 h=18446744073709551612 i=-5 j=251 k=-6 l=65530 m=-7 n=4294967289 o=four p=010203ff q=hi r=070809'
is 'text: a value outside of the payload' "$(shown -e all.2a | sed -n 's/.* p=/p=/; 2p; 3p')" \
	'p=010203ff r=0809 [cut]
p=010203ff r=- [cut]'
is 'text: a list of fields that is not valid' "$(shown -e invalid)" 'user_events:invalid   arg1=0x201 arg2=0x0 arg3=0x0 arg4=0x0'

contains 'JSON: numbers and strings' "$(lkstbuf print --json -r -f user -e work_start | head -n 1)" \
	'"event_name":"user_events:work_start",.*"fields":\{"id":1,"kind":"read","size":-1\}\}$'
contains 'JSON: cut' "$(lkstbuf print --json -r -f user --where 'id == 9')" '"fields":\{"id":9\},"cut":true\}$'
contains 'CSV' "$(lkstbuf print -C -r -f user -e work_stop | head -n 1)" \
	'^user_events:work_stop,0,100,.*,id,1,result,-1,msg,"the request has been answered, with a long text",0$'

# --- selecting

is 'a range' "$(numbers -e work_start --where 'id == 2..4')" 234
is 'a negative number' "$(numbers -e work_stop --where 'result < -3')" 45
is 'a string' "$(numbers --where 'msg ~ "*long text" && id != 1')" 245
is 'a field of two events' "$(numbers --where 'id == 5')" 55
is 'the value of a structure' "$(shown --where 'p == 010203ff' | grep -c all.2a)" 3
is 'the whole name' "$(numbers -e user_events:work_start)" 12345
is 'a pattern' "$(shown -e 'user_events_multi:*' | grep -c all.2a)" 3
is 'a pattern without the system' "$(numbers -e 'work_sta*')" 12345
is 'a number' "$(numbers -e 0x200)" 12345
contains 'an unknown name' "$(shown -e work_stat)" 'did you mean'
contains 'an unknown field' "$(shown --where 'idd == 1')" 'did you mean .*"id"'
contains 'help lists fields' "$(lkstbuf print -f user -h)" '0x200  user_events:work_start  id, kind, size'

# --- analysing

contains 'lkstla pair' "$(lkstla pair -f user work_start work_stop by id group kind)" '^read +5 +0\.65 '
contains 'lkstla pair: groups of long strings' "$(lkstla pair -f user work_start work_stop by id group msg)" \
	'^the request has been answered, with a long text +4 +0\.52 '
contains 'lkstla why' "$(lkstla why -f user --span work_start..user_events:work_stop 2>&1)" \
	'^server-100 from work_start to user_events:work_stop .* 0\.150 ms'
contains 'lkstla why: an unknown mark' "$(lkstla why -f user --span work_strat..work_stop 2>&1)" 'did you mean "work_start"'

# --- traces that are cut

lkstbuf read --trace user -e work_stop -f part >messages 2>&1 || fail 'lkstbuf read'
is 'a part of the trace has the fields and all parts of chains' "$(lkstbuf print -r -f part --time utc | sed '/^#/d; s/.*user_events/user_events/')" \
	"$(shown -e work_stop)"
size=$(stat -c %s user)
for ((at = size - 1; at > size - 2000; at -= 97)); do
	head -c $at user >short
	lkstbuf print -r -f short >messages 2>&1
	case $? in 0 | 1) ;; *) fail "a trace of $at bytes: status $?" ;; esac
done
pass 'truncated traces are read'

# --- lkst run-user-events

is 'lkst run-user-events: the program ignores the same signals' \
	"$(lkst run-user-events -- grep SigIgn /proc/self/status 2>messages)" "$(grep SigIgn /proc/self/status)"
if [ -e /dev/lkst_user_events ]; then
	skip 'lkst run-user-events: no file' 'the machine runs LKST'
else
	contains 'lkst run-user-events: no file' "$(lkst run-user-events -- echo ran 2>&1)" \
		'/dev/lkst_user_events: No such file or directory: the program runs, but its events are not recorded'
fi
done_testing
