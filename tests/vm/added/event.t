#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstm event: the fields of tracepoints and functions, which lkstm finds with BTF, have the values
# that ftrace records for the same events.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 900

# shellcheck source=../commands/rows.sh
. "$(dirname "$0")/rows.sh"

tracefs=/sys/kernel/tracing
[ -e $tracefs/events ] || mount -t tracefs tracefs $tracefs
selected=$(field maskset | cut -d ' ' -f 1)
maskset=
ends() {
	echo 0 >$tracefs/events/enable
	echo >$tracefs/kprobe_events
	lkstm set -m "$selected"
	[ -z "$maskset" ] || lkstm delete -m "$maskset"
	lkstm event list | awk 'NR > 1 { print $2 }' | xargs -r lkstm event remove
}
trap ends EXIT

# only NAME: select a maskset that records the added event NAME
only() {
	{
		lkstm read -d -m 0 | grep -v '^#' | grep -v "^$number "
		echo "$number 0x001"
	} >only.txt
	lkstm write ${maskset:+-m $maskset} -n event -f only.txt >written && lkstm set -n event
	maskset=$(cut -d ' ' -f 2 written)
}

# --- without BTF

if [ ! -e /sys/kernel/btf/vmlinux ]; then
	refused 'without BTF, the message says what is needed' 1 \
		'no BTF.*CONFIG_DEBUG_INFO_BTF|^lkstm: CONFIG_DEBUG_INFO_BTF\. Without it.*t:NAME sched_stat_runtime FIELD=\$arg1:u64' \
		lkstm event add sched:sched_stat_runtime
	refused 'without BTF, there is no list' 1 'no BTF' lkstm event list --available
	# shellcheck disable=SC2016 # the kernel's syntax
	contains "without BTF, the kernel's syntax works" "$(lkstm event add 't:ran sched_stat_runtime runtime=$arg2:u64')" \
		'^0x[0-9a-f]{3}  tracepoints:ran$'
	contains 'the event is listed' "$(lkstm event list)" '^0x... +tracepoints:ran +off +0 +0  t:(tracepoints/)?ran sched_stat_runtime runtime=\$arg2:u64$'
	ok 'the event is removed' lkstm event remove ran
	done_testing
	exit
fi

# --- tracepoints

# work: cause events of all kinds. ping needs the loopback device.
ip link set lo up
work() {
	i=0
	while [ $i -lt 3 ]; do
		ls -R /sys/class >/dev/null
		head -c 100000 /dev/urandom >noise
		sleep 0.05
		ping -c 1 127.0.0.1 >/dev/null
		sh -c 'kill -USR1 $$' 2>/dev/null
		i=$((i + 1))
	done
}

# record NAME FTRACE: call work() while LKST records the added event NAME and ftrace records its
# event FTRACE
record() {
	only
	echo 0 >$tracefs/tracing_on
	echo >$tracefs/trace
	echo 16384 >$tracefs/buffer_size_kb
	echo 1 >"$tracefs/events/$2/enable"
	lkstlogger -ev user_mark
	echo 1 >$tracefs/tracing_on
	work
	echo 0 >$tracefs/tracing_on
	lkstbuf print --own -r -e "$1" >own.txt
	lkstm set -m 0
	echo 0 >"$tracefs/events/$2/enable"
	sed -n "s/.* ${2##*/}: //p" $tracefs/trace >its.txt
}

# lacking: print the first lines of its.values that own.values lacks or has less often
lacking() {
	awk 'FILENAME == "own.values" { own[$0]++; next } own[$0]-- <= 0' own.values its.values | head -n 5
}

# compare NAME FIELDS REGEX: test that all events that ftrace has recorded are among those of LKST.
# FIELDS are the fields of LKST, and REGEX finds the same values in ftrace's text
compare() {
	awk -v fields="$2" '
	BEGIN { num = split(fields, name, " ") }
	/^#/ { next }
	{
		gsub(/"/, "")
		line = ""
		for (i = 1; i <= num; i++)
			if (match($0, " " name[i] "=[^ ]*"))
				line = line " " substr($0, RSTART + length(name[i]) + 2, RLENGTH - length(name[i]) - 2)
		print substr(line, 2)
	}' own.txt >own.values
	sed -En "s/${3}p" its.txt >its.values
	ok "$1: ftrace has recorded events" test -s its.values
	is "$1: LKST has the values of all of them" "$(lacking)" ''
}

# DEFINITION|FIELDS|REGEX/REPLACEMENT/
cat >tracepoints <<'END'
sched:sched_stat_runtime|comm pid runtime|^comm=([^ ]*) pid=([0-9]*) runtime=([0-9]*) .*/\1 \2 \3/
sched:sched_switch|prev_comm prev_pid prev_prio next_comm next_pid next_prio|^prev_comm=([^ ]*) prev_pid=([0-9]*) prev_prio=([0-9]*) .* next_comm=([^ ]*) next_pid=([0-9]*) next_prio=([0-9]*)/\1 \2 \3 \4 \5 \6/
sched:sched_wakeup|comm pid prio|^comm=([^ ]*) pid=([0-9]*) prio=([0-9]*) .*/\1 \2 \3/
sched:sched_process_fork|parent_comm parent_pid child_comm child_pid|^comm=([^ ]*) pid=([0-9]*) child_comm=([^ ]*) child_pid=([0-9]*)/\1 \2 \3 \4/
task:task_newtask|pid comm|^pid=([0-9]*) comm=([^ ]*) .*/\1 \2/
signal:signal_generate|sig comm pid group result|^sig=([0-9]*) .* comm=([^ ]*) pid=([0-9]*) grp=([0-9]*) res=([0-9]*)/\1 \2 \3 \4 \5/
kmem:mm_page_alloc|order migratetype|.*order=([0-9]*) migratetype=([0-9]*) .*/\1 \2/
kmem:kmalloc|bytes_req bytes_alloc|.*bytes_req=([0-9]*) bytes_alloc=([0-9]*) .*/\1 \2/
kmem:kmem_cache_free|name|.*name=([^ ]*)/\1/
irq:softirq_entry vec=vec_nr|vec|^vec=([0-9]*) .*/\1/
timer:timer_start|expires|.* expires=([0-9]*) .*/\1/
timer:hrtimer_expire_entry|now|.* now=([0-9]*).*/\1/
workqueue:workqueue_queue_work name=pwq->wq->name req_cpu|name req_cpu|.* workqueue=([^ ]*) req_cpu=([0-9]*) .*/\1 \2/
net:net_dev_queue name=skb->dev->name len=skb->len|name len|^dev=([^ ]*) .*len=([0-9]*)/\1 \2/
power:cpu_idle|state cpu_id|^state=([0-9]*) cpu_id=([0-9]*)/\1 \2/
raw_syscalls:sys_enter id a1=regs->di:u64|id|^NR ([0-9]*) .*/\1/
rcu:rcu_utilization|s|^([^ ]*).*/\1/
END
while IFS='|' read -r definition fields regex; do
	name=${definition%% *}
	# shellcheck disable=SC2086 # unquoted, to split it into words
	if ! lkstm event add $definition >added.txt 2>&1; then
		fail "lkstm event add $definition" "$(cat added.txt)"
		continue
	fi
	contains "lkstm event add $definition" "$(cat added.txt)" "^0x[0-9a-f]{3}  $name\$"
	number=$(sed -n 's/^\(0x[0-9a-f]*\)  .*/\1/p' added.txt)
	record "$name" "$(echo "$name" | tr : /)"
	compare "$name" "$fields" "$regex"
	quiet "lkstm event remove $name" lkstm event remove "$name"
done <tracepoints
is 'all events have been removed' "$(lkstm event list | awk 'NR > 1')" ''

# --- functions

# For each function in the list below, lkstm makes a definition of an added event. Pass this
# definition to the kernel's own kprobes as well, and compare the values that LKST and the kernel
# record.
while IFS='|' read -r name definition; do
	# shellcheck disable=SC2086 # unquoted, to split it into words
	lkstm event add $definition >added.txt 2>&1 || bail_out "lkstm event add $definition: $(cat added.txt)"
	number=$(sed -n 's/^\(0x[0-9a-f]*\)  .*/\1/p' added.txt)
	lkstm event list --json | json 0.definition | sed 's/^\([pr]\):\([a-z]*\/\)*/\1:event\//' >$tracefs/kprobe_events
	record "kprobes:$name" "event/$name"
	sed 's/^([^)]*) //' its.txt >its.new
	sed "s/.* kprobes:$name  *//" own.txt | grep -v '^#' | sed 's/"//g' >own.values
	sed 's/"//g' its.new >its.values
	ok "$definition: the kernel has recorded events" test -s its.values
	is "$definition: LKST has the values of all of them" "$(lacking)" ''
	echo >$tracefs/kprobe_events
	quiet "lkstm event remove $name" lkstm event remove "$name"
done <<'END'
reading|p:reading vfs_read file=file->f_path.dentry->d_name.name:string size=count
opening|p:opening do_sys_openat2 dfd file=filename:ustring flags=how->flags
named|r:named getname_flags file=$retval->name
END

# --- lists

contains 'tracepoints have their system and arguments' "$(lkstm event list -a 'sched:sched_process_f*')" \
	'^sched:sched_process_fork\(struct task_struct \*parent, struct task_struct \*child\)$'
is 'a pattern without a system' "$(lkstm event list --available sched_process_fork --json | json 0.system)" sched
is 'arguments as JSON' "$(lkstm event list -a sched_process_fork --json | json 0.arguments.1.name)" child

# --- errors

rows <<'END'
unknown tracepoint | lkstm event add sched:sched_swich | 2 | ^lkstm event: character 7: unknown tracepoint "sched_swich"; did you mean "sched_switch"
wrong system | lkstm event add sys:sched_switch | 2 | ^lkstm event: character 1: unknown tracepoint "sys:sched_switch"; did you mean "sched:sched_switch"
unknown member | lkstm event add p vfs_read 'a=$arg1' 'b=file->f_pth' | 2 | ^lkstm event: character 28: no member "f_pth" in struct file
an error of the kernel | lkstm event add p vfs_read 'a=file->f_inode' 'b=$arg99' | 2 | ^lkstm event: character 30: no argument "\$arg99"
an error in a type | lkstm event add p vfs_read 'a=file->f_inode' 'b=count:u65' | 2 | ^lkstm event: character 30: unknown type "u65"
unknown function | lkstm event add p no_such_function | 2 | ^lkstm event: character 3: .*no_such_function
no event to remove | lkstm event remove nobody | 1 | ^lkstm: nobody: no such added event
END
done_testing
