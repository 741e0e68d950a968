#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# TraceEvent(): each command has its effect on the trace, or fails as traceevent(3) says.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M
# timeout: 600

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=../rules/family.sh
. "$here/family.sh"

# recorded: print the names of the events that the maskset of TraceEvent() records, without LKST's own
recorded() {
	lkstm read -n traceevent | awk '/^0x/ && $1 < "0xf00" && ($1 < "0x100" || $1 == "0xeff") && $2 != "0x000" {
		sub(/\(.*/, "", $4); printf "%s%s", sep, $4; sep = " " }'
}
# handler EVENT: print the id of the event handler that the maskset has for an event
handler() { lkstm read -n traceevent | awk -v event="$1" '/^0x/ && $4 ~ "^" event "(\\(|$)" { print $2 }'; }
# exist EVENT...: print each EVENT that exists in this kernel
exist() {
	for event; do
		! grep -q " present \"$event\"" /proc/lkst_etypes || echo "$event"
	done | paste -sd ' '
}
# sorted EVENT...: print the events in the order of their numbers
sorted() { for event; do grep " present \"$event\"" /proc/lkst_etypes; done | sort -u | sed 's/^[^"]*"\([^"]*\)".*/\1/' | paste -sd ' '; }

# --- filters and modes. Each row has calls, which begin with an empty maskset, and the events that
# the maskset records afterwards

while IFS='|' read -r calls want; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	lines=$(traceevent DELALLCLASSES , SETALLCLASSESFAST , $calls)
	is "$calls: results" "$(echo "$lines" | tr -d '0 ')" ''
	# shellcheck disable=SC2086
	is "$calls: recorded" "$(recorded)" "$(sorted $want)"
done <<-'END'
	DELALLCLASSES|
	ADDCLASS KERCALLENTER|system_call_entry
	ADDCLASS KERCALLEXIT|system_call_exit
	ADDCLASS KERCALL|system_call_entry system_call_exit
	ADDCLASS KERCALL , DELCLASS KERCALLEXIT|system_call_entry
	ADDCLASS KERCALL , SETCLASSWIDE KERCALL|system_call_entry system_call_exit system_call_path
	SETCLASSWIDE KERCALL , ADDCLASS KERCALL|system_call_entry system_call_exit system_call_path
	SETCLASSWIDE KERCALL , ADDCLASS KERCALL , SETCLASSFAST KERCALL|system_call_entry system_call_exit
	SETALLCLASSESWIDE , ADDCLASS KERCALLENTER|system_call_entry system_call_path
	SETALLCLASSESWIDE , ADDCLASS KERCALLENTER , SETALLCLASSESFAST|system_call_entry
	SETCLASSWIDE KERCALL , ADDCLASS KERCALL , DELCLASS KERCALL|
	ADDCLASS INTENTER|int_hardware_entry int_timer_entry int_ipi_entry
	ADDCLASS INTEXIT|int_hardware_exit int_timer_exit int_ipi_exit
	ADDCLASS INT_HANDLER_ENTER|int_softirq_entry int_tasklethi_entry int_tasklet_entry
	ADDCLASS INT_HANDLER_EXIT|int_softirq_exit int_tasklethi_exit int_tasklet_exit
	ADDCLASS INT , DELCLASS INTEXIT , DELCLASS INT_HANDLER_EXIT|int_hardware_entry int_timer_entry int_ipi_entry int_softirq_entry int_tasklethi_entry int_tasklet_entry
	ADDCLASS PROCESS|process_fork process_exec process_exit process_rename process_state
	ADDEVENT PROCESS PROCCREATE|process_fork
	ADDEVENT PROCESS PROCCREATE_NAME|process_exec
	ADDEVENT PROCESS PROCDESTROY|process_exit
	ADDEVENT PROCESS PROCDESTROY_NAME|process_exit
	ADDEVENT PROCESS PROCTHREAD_NAME|process_rename
	ADDCLASS PROCESS , DELEVENT PROCESS PROCCREATE|process_exec process_exit process_rename process_state
	ADDCLASS THREAD|process_contextswitch process_wakeup process_fork process_exit
	ADDEVENT THREAD THRUNNING|process_contextswitch
	ADDEVENT THREAD THREADY|process_wakeup
	ADDEVENT THREAD THCREATE|process_fork
	ADDEVENT THREAD THDESTROY|process_exit
	ADDEVENT THREAD THDEAD|process_exit
	ADDCLASS THREAD , SETEVENTWIDE THREAD THREADY|process_contextswitch process_wakeup process_waking process_fork process_exit
	SETCLASSWIDE THREAD , ADDCLASS THREAD , SETEVENTFAST THREAD THREADY|process_contextswitch process_migrate process_block process_wakeup process_fork process_exit
	ADDEVENT COMM COMM_SIGNAL|process_sigsend
	SETEVENTWIDE COMM COMM_SIGNAL , ADDEVENT COMM COMM_SIGNAL|process_sigsend process_sigrecv
	ADDEVENT COMM COMM_SMSG , ADDEVENT COMM COMM_RMSG|ipc_msgsnd ipc_msgrcv
	ADDCLASS COMM|ipc_msgsnd ipc_msgrcv ipc_semop ipc_shmat ipc_shmdt process_sigsend
	ADDEVENT SYSTEM SYS_PATHMGR|system_call_path
	ADDEVENT SYSTEM SYS_SLOG|oops_printk
	ADDCLASS USER|user_mark user_text user_long_text user_events_new
	ADDALLCLASSES , DELALLCLASSES|
END
traceevent ADDALLCLASSES >/dev/null
contains 'ADDALLCLASSES: records classes that QNX lacks' "$(recorded)" ' mem_kmalloc .* block_issue '
lacks 'ADDALLCLASSES: without the optional events' "$(recorded)" process_block
traceevent SETALLCLASSESWIDE , ADDALLCLASSES >/dev/null
contains 'SETALLCLASSESWIDE, ADDALLCLASSES: with them' "$(recorded)" ' system_call_path .* process_block'
traceevent ADDCLASS CONTROL , DELEVENT CONTROL CONTROLTIME >/dev/null
is 'DELEVENT CONTROL CONTROLTIME' "$(handler lkst_sync_time) $(handler lkst_buff_shift)" '0x000 0x001'
is 'ADDEVENT CONTROL CONTROLTIME' "$(traceevent ADDEVENT CONTROL CONTROLTIME) $(handler lkst_sync_time)" '0 0x001'

# --- filters by process and thread. Each row has calls, which begin with an empty maskset, and the
# rules that the maskset has afterwards

# rules: print the rules of the maskset of TraceEvent() in one line
rules() { lkstm rule -n traceevent --list 2>/dev/null | sed 's/^ *//; s/  */ /g' | paste -sd ';'; }
while IFS='|' read -r calls want; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	lines=$(traceevent DELALLCLASSES , SETALLCLASSESFAST , $calls)
	is "$calls: results" "$(echo "$lines" | tr -d '0 ')" ''
	is "$calls: rules" "$(rules)" "$(echo "$want" | sed 's/ or / || /g')"
done <<-'END'
	ADDCLASS KERCALL , CLRCLASSPID KERCALL , CLRCLASSTID KERCALL|
	ADDCLASS KERCALL , SETCLASSPID KERCALL 1|system_call_entry if common_pid == 1;system_call_exit if common_pid == 1
	SETCLASSPID KERCALL 1|
	SETCLASSPID KERCALL 1 , ADDCLASS KERCALLEXIT|system_call_exit if common_pid == 1
	ADDCLASS KERCALL , SETCLASSPID KERCALL 1 , CLRCLASSPID KERCALLEXIT|system_call_entry if common_pid == 1
	ADDCLASS KERCALLENTER , SETCLASSPID KERCALL 1 , SETCLASSWIDE KERCALL|system_call_entry if common_pid == 1;system_call_path if common_pid == 1
	ADDCLASS KERCALLENTER , SETCLASSPID KERCALL 1 , DELCLASS KERCALL|
	ADDCLASS KERCALLENTER , SETCLASSPID KERCALL 1 , DELCLASS KERCALL , ADDALLCLASSES|system_call_entry if common_pid == 1;system_call_exit if common_pid == 1;system_call_path if common_pid == 1
	ADDCLASS KERCALLENTER , SETCLASSPID KERCALL 1 , SETCLASSPID KERCALL 2|system_call_entry if common_pid == 2
	ADDCLASS KERCALLENTER , SETCLASSTID KERCALL 1 3|system_call_entry if common_pid == 1 && common_tid == 3
	ADDCLASS KERCALLENTER , SETCLASSTID KERCALL 1 3 , SETCLASSPID KERCALL 1|system_call_entry if common_pid == 1
	ADDCLASS KERCALLENTER , SETCLASSTID KERCALL 1 3 , CLRCLASSTID KERCALL|
	ADDCLASS KERCALLENTER , SETCLASSTID KERCALL 1 3 , CLRCLASSPID KERCALL|
	ADDCLASS PROCESS , SETEVENTPID PROCESS PROCCREATE 1|process_fork if common_pid == 1
	ADDCLASS PROCESS , SETCLASSPID PROCESS 1 , CLRCLASSPID PROCESS , SETEVENTTID PROCESS PROCCREATE 1 3|process_fork if common_pid == 1 && common_tid == 3
	ADDEVENT PROCESS PROCCREATE , SETCLASSPID PROCESS 1 , CLREVENTPID PROCESS PROCCREATE|
	ADDEVENT PROCESS PROCCREATE , SETCLASSTID PROCESS 1 3 , CLREVENTTID PROCESS PROCCREATE|
	ADDEVENT THREAD THRUNNING , SETCLASSTID THREAD 1 3|process_contextswitch if common_pid == 1 && common_tid == 3 or next == 3
	ADDEVENT THREAD THREADY , SETEVENTPID THREAD THREADY 1|process_wakeup if common_pid == 1 or thread == 1..1
	ADDCLASS COMM , SETEVENTPID COMM COMM_SIGNAL 1|process_sigsend if common_pid == 1
	ADDEVENT SYSTEM SYS_PATHMGR , SETCLASSPID SYSTEM 1|system_call_path if common_pid == 1
	ADDCLASS INT_HANDLER_EXIT , SETCLASSPID INT 1 , CLRCLASSPID INT|
END
traceevent DELALLCLASSES , ADDCLASS KERCALLENTER , SETCLASSPID KERCALL 1 >/dev/null
traceevent ADDCLASS PROCESS >/dev/null
is 'a filter stays when the program has ended' "$(rules)" 'system_call_entry if common_pid == 1'
is 'another program clears the filter' "$(traceevent CLRCLASSPID KERCALL) $(rules)" '0 '

# What the filters select is in the trace, and nothing else: the system calls getppid() of a program
# with threads and children, and the switches to its threads.
traceevent DELALLCLASSES , ADDCLASS KERCALL , ADDEVENT THREAD THRUNNING , STARTNOSTATE >/dev/null
# switches: print the number of switches to $thread
switches() { lkstbuf print --own -r -e process_contextswitch --where "next == $thread" | grep -c ' next='; }
# run_family CALL...: start the family, make calls for its process PARENT and its thread TASK, and
# let it run
run_family() {
	rm -f family.go family.ready
	family >roles &
	parent=$!
	wait_for test -e family.ready
	for task in "/proc/$parent/task/"*; do thread=${task##*/}; done
	since=$(new_second)
	# shellcheck disable=SC2046 # unquoted, to split it into words
	traceevent $(echo "$@" | sed "s/PARENT/$parent/g; s/TASK/$thread/g") >results
	before=$(switches)
	touch family.go
	wait "$parent"
	is "$*: result" "$(tr -d '0 \n' <results)" ''
}
run_family SETCLASSPID KERCALL PARENT , SETCLASSPID THREAD PARENT
is 'SETCLASSPID: the events of the process are recorded' "$(callers "$since")" "$(wanted main early_thread late_thread exec)"
ok 'SETCLASSPID THREAD: also when one of its threads starts to run' test "$(switches)" -gt "$before"
run_family SETEVENTTID THREAD THRUNNING PARENT TASK , SETCLASSTID KERCALL PARENT TASK
is 'SETCLASSTID: the events of the thread are recorded' "$(callers "$since")" "$(wanted early_thread)"
ok 'SETEVENTTID THREAD: also when it starts to run' test "$(switches)" -gt "$before"
run_family CLRCLASSPID KERCALL , SETEVENTPID THREAD THRUNNING 1
everyone=$(wanted main early_thread early_child late_thread late_child child_thread grandchild child_exec exec)
is 'CLRCLASSPID: the events of all processes are recorded' "$(callers "$since" | grep -xF -e "$everyone")" "$everyone"
is 'SETEVENTPID THREAD: not when the threads of other processes run' "$(switches)" "$before"
lkstm set -n default

# --- handlers, which are BPF programs

traceevent DELALLCLASSES , SETALLCLASSESFAST , ADDCLASS USER , ADDCLASS PROCESS >/dev/null
# marks NUMBER: record a mark, and print how many marks have this number
marks() {
	lkstlogger -ev user_mark -a1 "$1"
	lkstbuf print --own -r -e user_mark | grep -c "arg1=$1 "
}
# renames NAME: give a process this name, and print how often this was recorded
renames() {
	sh -c "echo $1 >/proc/\$\$/comm"
	lkstbuf print --own -r -e process_rename | grep -c "name=\"*$1"
}
# Check the handler of a class together with the handler of an event of this class. Either handler
# can be added first. The event is recorded if neither handler returns 0.
handlers_of_process() {
	while read -r order class event want; do
		set -- "ADDCLASSEVHANDLER PROCESS BPF$class" "ADDEVENTHANDLER PROCESS PROCTHREAD_NAME BPF$event"
		[ "$order" = class ] || set -- "$2" "$1"
		traceevent DELCLASSEVHANDLER PROCESS , DELEVENTHANDLER PROCESS PROCTHREAD_NAME >/dev/null
		# shellcheck disable=SC2086 # unquoted, to split it into words
		is "the handlers of a class and an event return $class and $event, $order first" \
			"$(traceevent $1 , $2) $(renames "$order-$class-$event")" "0 0 $want"
	done <<-'TABLE'
		class 1 1 1
		class 1 0 0
		class 0 1 0
		class 0 0 0
		event 1 1 1
		event 1 0 0
		event 0 1 0
		event 0 0 0
	TABLE
	is 'a handler of the class that replaces the old one' "$(traceevent ADDEVENTHANDLER PROCESS PROCTHREAD_NAME BPF1 , ADDCLASSEVHANDLER PROCESS BPF1) $(renames replaced)" '0 0 1'
	is 'one that returns 0' "$(traceevent ADDCLASSEVHANDLER PROCESS BPF0) $(renames returns-0)" '0 0'
	is 'the handler of the class is deleted' "$(traceevent DELCLASSEVHANDLER PROCESS) $(renames no-class)" '0 1'
	traceevent ADDCLASSEVHANDLER PROCESS BPF1 , ADDEVENTHANDLER PROCESS PROCTHREAD_NAME BPF0 >/dev/null
	is 'the handler of the event is deleted' "$(traceevent DELEVENTHANDLER PROCESS PROCTHREAD_NAME) $(renames no-event)" '0 1'
}
added=$(traceevent ADDCLASSEVHANDLER USER BPF0)
if [ "$added" = ENOTSUP ]; then
	skip 'handlers' 'this kernel has no BPF'
else
	traceevent STARTNOSTATE >/dev/null
	is 'ADDCLASSEVHANDLER: a handler that returns 0' "$added $(marks 0xb0)" '0 0'
	is 'the handler of another class' "$(traceevent ADDCLASSEVHANDLER PROCESS BPF1)" 0
	is 'LKST has the handlers' "$(handler user_mark) $(handler user_events_new) $(handler process_exec)" \
		"$(lksteh list | awk '$2 == "traceevent_13" { user = $1 } $2 == "traceevent_8" { process = $1 } END { print user, user, process }')"
	is 'a class that shares only some events with the class' "$(traceevent ADDCLASSEVHANDLER THREAD BPF1)" ENOTSUP
	handlers_of_process
	is 'a third handler of an event' "$(traceevent ADDEVENTHANDLER PROCESS PROCCREATE BPF1 , ADDEVENTHANDLER THREAD THCREATE BPF1 , DELEVENTHANDLER PROCESS PROCCREATE)" \
		'0 ENOTSUP 0'
	is 'ADDCLASSEVHANDLER: another one replaces it' "$(traceevent ADDCLASSEVHANDLER USER BPF1) $(marks 0xb1)" '0 1'
	traceevent ADDCLASSEVHANDLER USER BPF0 , DELCLASS USER >/dev/null
	is 'an event that is added later has the handler' "$(traceevent ADDCLASS USER) $(marks 0xb2)" '0 0'
	is 'DELCLASSEVHANDLER' "$(traceevent DELCLASSEVHANDLER USER) $(marks 0xb3)" '0 1'
	is 'DELCLASSEVHANDLER: a second time' "$(traceevent DELCLASSEVHANDLER USER)" EFAULT
	traceevent DELCLASSEVHANDLER PROCESS >/dev/null
	is 'ADDEVENTHANDLER' "$(traceevent ADDEVENTHANDLER PROCESS PROCCREATE BPF0 , SETEVENTPID PROCESS PROCCREATE_NAME 1)" '0 0'
	is 'ADDEVENTHANDLER: only this event has the handler' \
		"$(handler process_fork) $(handler process_exec)" "$(lksteh list | sed -n 's/  traceevent_8_1 .*//p') 0x001"
	is 'DELEVENTHANDLER' "$(traceevent DELEVENTHANDLER PROCESS PROCCREATE) $(handler process_fork)" '0 0x001'
	lkstm set -n default
fi

# --- what fails

while IFS='|' read -r calls want; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	is "$calls" "$(traceevent $calls)" "$want"
done <<-'END'
	999|ENOTSUP
	ADDCLASS EMPTY|ENOTSUP
	ADDCLASS VTHREAD|ENOTSUP
	ADDCLASS 77|ENOTSUP
	ADDEVENT VTHREAD THRUNNING|ENOTSUP
	ADDEVENT KERCALLENTER 3|ENOTSUP
	ADDEVENT INTENTER 3|ENOTSUP
	ADDEVENT THREAD THMUTEX|ENOTSUP
	ADDEVENT COMM COMM_SPULSE|ENOTSUP
	ADDEVENT SYSTEM SYS_MMAP|ENOTSUP
	ADDEVENT USER 5|ENOTSUP
	ADDEVENT PROCESS -1|ENOTSUP
	SETEVENTWIDE USER 5|ENOTSUP
	SETCLASSWIDE VTHREAD|ENOTSUP
	SETCLASSPID EMPTY 1|ENOTSUP
	SETCLASSPID CONTROL 1|ENOTSUP
	SETCLASSTID VTHREAD 1 1|ENOTSUP
	CLRCLASSPID CONTROL|ENOTSUP
	CLRCLASSTID 77|ENOTSUP
	SETEVENTPID KERCALLENTER 3 1|ENOTSUP
	SETEVENTTID THREAD THMUTEX 1 1|ENOTSUP
	CLREVENTPID COMM COMM_SPULSE|ENOTSUP
	CLREVENTTID USER 5|ENOTSUP
	ADDCLASS KERCALL , SETCLASSPID KERCALL -5|0 ECANCELED
	ADDCLASSEVHANDLER PROCESS|ENOTSUP
	ADDEVENTHANDLER PROCESS PROCCREATE|ENOTSUP
	DELCLASSEVHANDLER PROCESS|EFAULT
	DELEVENTHANDLER PROCESS PROCCREATE|EFAULT
	DELCLASSEVHANDLER CONTROL|ENOTSUP
	DELEVENTHANDLER KERCALLENTER 3|ENOTSUP
	SETBUFFER 0x1000 4096|ENOTSUP
	INSERTSUSEREVENT 1024 1 2|ENOTSUP
	INSERTCUSEREVENT -1 1 2|ENOTSUP
	INSERTUSRSTREVENT 1024 x|ENOTSUP
	QUERYEVENTS|EFAULT
	FLUSHBUFFER|EFAULT
	DEALLOCBUFFER|EFAULT
	ALLOCBUFFER 10000000|ENOMEM
END

# Without privileges, every command that does something fails with EPERM.
while IFS='|' read -r calls; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	is "without privileges: $calls" "$(as_user traceevent $calls)" EPERM
done <<-'END'
	ALLOCBUFFER 2
	DEALLOCBUFFER
	FLUSHBUFFER
	QUERYEVENTS
	SETRINGMODE
	SETLINEARMODE
	START
	STARTNOSTATE
	STOP
	SETALLCLASSESWIDE
	SETCLASSFAST PROCESS
	SETEVENTWIDE THREAD THREADY
	ADDALLCLASSES
	DELCLASS PROCESS
	ADDEVENT PROCESS PROCCREATE
	SETCLASSPID PROCESS 1
	CLREVENTTID PROCESS PROCCREATE
	DELCLASSEVHANDLER PROCESS
	INSERTSUSEREVENT 5 1 2
	INSERTCUSEREVENT 5 1 2
	INSERTCCLASSEVENT SYSTEM 7 255
	INSERTUSRSTREVENT 5 text
	INSERTEVENT 0 THREAD 9 11 22 33
	here
END

# --- start and stop

# Earlier tests in this boot may have selected a maskset with the same id.
start=$(new_second)
traceevent DELALLCLASSES , ADDCLASS PROCESS , ADDCLASS KERCALLENTER >/dev/null
id=$(lkstm list | awk '$2 == "traceevent" { print $1 }')
states() { lkstbuf print -r -e process_state,lkst_maskset_set --since "$start" | awk -v to="to=$id( |\$)" '/lkst_maskset_set/ { of = 0 } $0 ~ to { of = 1; n = 0 } of && /process_state/ { n++ } END { print n + 0 }'; }
lkst stop
is 'STARTNOSTATE' "$(traceevent STARTNOSTATE)" 0
is 'STARTNOSTATE: LKST is recording' "$(field state)" running
contains 'STARTNOSTATE: the maskset is selected' "$(field maskset)" 'traceevent'
is 'STARTNOSTATE: no state is recorded' "$(states)" 0
is 'STOP' "$(traceevent STOP)" 0
contains 'STOP: LKST is stopped' "$(field state)" '^stopped'
is 'START' "$(traceevent START)" 0
is 'START: the state of threads is recorded' "$([ "$(states)" -gt 10 ] && echo yes)" yes
# What the filter selects is in the trace, and nothing else.
cat /proc/uptime >/dev/null
lkst stop
names=$(lkstbuf print -r --since "$start" | awk -v to="to=$id( |\$)" '/ lkst_maskset_set / { of = $0 ~ to } of' |
	grep -oE ' (process|system_call|int|mem|timer|user)_[a-z_]+ ' | sort -u | tr -d ' ' | paste -sd ' ')
is 'the events in the trace' "$(echo "$names" | tr ' ' '\n' | grep -vE '^process_(rename|fork|exec|exit|state)$' | paste -sd ' ')" 'system_call_entry'
contains 'the events in the trace: processes' "$names" 'process_exec .*process_fork .*process_state'
lkst start
lkstm set -n default

# --- events of the program

traceevent DELALLCLASSES , ADDCLASS USER , STARTNOSTATE >/dev/null
last() { lkstbuf print -e 'user_events:*' -n 1 | sed -n 's/.* user_events:\([a-z_]*\)  */\1 /p'; }
while IFS='|' read -r calls want; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	is "$calls" "$(traceevent $calls)" 0
	is "$calls: recorded" "$(last)" "traceevent_$want"
done <<-'END'
	INSERTSUSEREVENT 5 1 -2|simple event=5 data0=1 data1=-2
	INSERTSUSEREVENT USERLAST 3 4|simple event=1023 data0=3 data1=4
	INSERTCUSEREVENT USERFIRST 1 2 3|combine class=13 event=0 data=010000000200000003000000
	INSERTCUSEREVENT 1|combine class=13 event=1 data=-
	INSERTCCLASSEVENT SYSTEM 7 255|combine class=12 event=7 data=ff000000
	INSERTUSRSTREVENT 6 text|string event=6 text=text
	INSERTEVENT 0 THREAD 9 11 22 -33|event class=9 event=9 stamp=11 data0=22 data1=-33
	logi 8 1 2|simple event=8 data0=1 data1=2
	logb 8 1 2|combine class=13 event=8 data=0100000002000000
	logbc COMM 8 1|combine class=11 event=8 data=01000000
	logf 8 abc 5|string event=8 text="abc 5"
	nlogf 8 3 abcdef|string event=8 text=abc
	func_enter|func_enter function=4096 call_site=8192
	func_exit|func_exit function=4096 call_site=8192
END
is 'here' "$(traceevent here)" 0
contains 'here: recorded' "$(last)" '^traceevent_here address=[0-9]+$'
traceevent DELCLASS USER >/dev/null
is 'DELCLASS USER: the command succeeds' "$(traceevent INSERTSUSEREVENT 77 1 2)" 0
is 'DELCLASS USER: the event is not recorded' "$(lkstbuf print -r -e user_events:traceevent_simple | grep -c ' event=77 ')" 0
lkstm set -n default

# --- buffers

traceevent DELALLCLASSES , ADDCLASS USER , STARTNOSTATE >/dev/null
is 'ALLOCBUFFER' "$(traceevent ALLOCBUFFER 2)" 0
is 'ALLOCBUFFER: a second time' "$(traceevent ALLOCBUFFER 2)" EFAULT
is 'ALLOCBUFFER: the mode is linear' "$(handler lkst_buff_ovflow)" 0x005
is 'ALLOCBUFFER: each CPU records in a buffer of 2048 events' \
	"$(lkstbuf list | awk '/writing/ { print $2, ($3 >= 2048 * 64) }' | sort -u)" '201 1'
before=$(traceevent QUERYEVENTS)
for i in 1 2 3 4 5; do lkstlogger -ev user_mark -a1 $i; done
is 'QUERYEVENTS: counts the events' "$(($(traceevent QUERYEVENTS) - before))" 5
is 'FLUSHBUFFER' "$(traceevent FLUSHBUFFER)" 0
is 'FLUSHBUFFER: each CPU records in the other buffer' "$(lkstbuf list | awk '/writing/ { print $2 }' | sort -u)" 202
is 'FLUSHBUFFER: the events can be read' "$(lkstbuf print -e user_mark -n 1 | grep -c 'arg1=0x5')" 1
# Fill the buffer of a CPU: each text takes 2510 records.
fill() { for i in 1 2 3; do lkstlogger -s "$(printf '%060000d' 0)" || break; done; }
fill
contains 'linear mode: LKST stops when a buffer is full' "$(field state)" '^stopped'
is 'SETRINGMODE' "$(traceevent SETRINGMODE)" 0
is 'SETRINGMODE: the buffer wraps in place' "$(handler lkst_buff_ovflow)" 0x001
traceevent STARTNOSTATE >/dev/null
fill
is 'ring mode: LKST goes on' "$(field state)" running
is 'SETLINEARMODE' "$(traceevent SETLINEARMODE) $(handler lkst_buff_ovflow)" '0 0x005'
is 'DEALLOCBUFFER' "$(traceevent DEALLOCBUFFER)" 0
is 'DEALLOCBUFFER: the buffers are gone' "$(lkstbuf list | awk '$2 == 201 || $2 == 202' | wc -l | tr -d ' ')" 0
is 'DEALLOCBUFFER: a full buffer wraps in place again' "$(handler lkst_buff_ovflow)" 0x001
lkst start >/dev/null 2>&1
lkstm set -n default
ok 'the maskset can be deleted' lkstm delete -n traceevent
lksteh control -e stop_after -v 1000 >/dev/null
done_testing
