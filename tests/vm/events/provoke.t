#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests events that oracle.t does not compare with ftrace: a 64-bit and a 32-bit program provoke a
# certain number of events, and exactly as many must be recorded. lkstbuf must print some of them
# correctly.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=256K

. "$(dirname "$0")/../tap.sh"
. ./form.sh

./provoke
status=$?
if [ -x ./provoke-32 ]; then
	./provoke-32 >/tmp/provoke.tap || status=$?
	sed -E 's/^(not )?ok .*/&, 32-bit/' /tmp/provoke.tap
fi
ok 'the programs exit with success' test $status -eq 0

# Check that the program notices missing events and surplus events.
fails 'one kind of event missing' 1 ./provoke --without mem_vmalloc vmalloc
contains 'one kind of event missing: reported' "$tap_output" '^not ok .* mem_vmalloc$'
fails 'one event too many' 1 ./provoke --more 1 vmalloc
contains 'one event too many: reported' "$tap_output" '^not ok .* mem_vmalloc$'

ok 'events to print can be provoked' ./provoke kernel-threads use-wait-queue tasklets-hi division-by-zero int3 copy-on-write \
	copy-to-nowhere vmalloc datagrams semaphores message-queues shared-memory locks timers messages-of-programs cpus
lkstbuf print >/tmp/provoke.txt

# prints EVENT ARGUMENTS: check that lkstbuf has printed a line with EVENT and ARGUMENTS, a regular
# expression, if the kernel has the event
prints() {
	if stock && grep -q " absent \"$1\"" /proc/lkst_etypes; then
		skip "prints: $1 $2" "this kernel has no trace point for it"
		return
	fi
	if other_machine "$1"; then
		skip "prints: $1 $2" "an event of x86 only"
		return
	fi
	ok "prints: $1 $2" grep -qE " $1 +$2\$" /tmp/provoke.txt
}

at='\+0x[0-9a-f]+' own='\[provoke\]' hex='0x[0-9a-f]+'
prints process_lthreadgen "function=thread_function$own data=0x10000 name=provoke/0"
prints process_add_wq "queue=$hex entry=$hex caller=use_queue$at$own"
prints int_tasklethi_entry "tasklet=$hex function=tasklet_function$own"
prints exception_entry "trap=#DE error_code=0x0 ip=$hex address=0x0"
prints exception_exit "trap=#BP error_code=0x0 ip=$hex"
prints exception_pgfault "address=$hex ip=$hex error_code=PROT\|WRITE\|USER user=1"
prints exception_pgfault "address=$hex ip=__put_user_[a-z0-9_]+$at error_code=WRITE user=0"
prints mem_wppage "address=$hex flags=WRITE\|.*\|USER\|.* mm=$hex"
prints mem_vmalloc "address=$hex size=20480 caller=alloc_and_free$at$own"
prints net_drop "skb=$hex location=[a-z_0-9]*udp[a-z_0-9]*$at protocol=IPv4 reason=NO_SOCKET"
prints ipc_semget 'key=0x4c4b5354 count=3 flags=IPC_CREAT\|IPC_EXCL\|0600 id=-EEXIST'
prints ipc_semop 'id=[0-9]+ count=1 result=-EAGAIN'
prints ipc_msgsnd 'id=[0-9]+ size=24 flags=IPC_NOWAIT result=0'
prints ipc_shmat "id=[0-9]+ flags=SHM_RDONLY result=0 address=$hex"
prints write_unlock "lock=$hex caller=locks_write$at\[lkst_sample_locks\]"
prints timer_add "timer=$hex function=timer_function$own expires=[0-9]+"
prints oops_printk 'level=warning length=21 line="provoke-by-program: 0"'
prints cpu_offline 'cpu=1'
done_testing
