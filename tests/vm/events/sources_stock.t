#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On a kernel without LKST's patches, exactly the events that Documentation/lkst/module.rst lists
# are absent, and /proc/lkst_etypes names the sources of events that do not come from tracepoints.
# form: headers stock
# arch: x86_64

. "$(dirname "$0")/../tap.sh"

# events CONDITION: print the events for which the awk expression CONDITION is true, one per line
events() { awk -F '"' '/^0x/ { name = $2; split($1, field, " "); if ('"$1"') print name }' /proc/lkst_etypes; }
absent() { events 'field[5] == "absent"'; }
# from SOURCE: print the events that have SOURCE, a regular expression, among their sources
from() { events '("," field[4] ",") ~ /,'"$1"',/'; }
words() { tr ' ' '\n' | sort; }

ipi=cpu_ipi_send
# Linux 6.4 and later have a tracepoint for this event.
! uname -r | awk -F . '{ exit $1 == 6 && $2 < 4 }' || ipi=
is 'absent: events that need the tracepoints of the patches' "$(absent | sort)" "$(echo process_lthreadgen process_init_wqh process_add_wq \
	process_rem_wq exception_entry exception_exit mem_nopage mem_wppage spin_lock spin_trylock spin_unlock read_lock \
	read_unlock write_lock write_unlock $ipi | words)"
is 'from kprobes: vmalloc() and vfree()' "$(from 'kprobe:__vmalloc_node_range(_noprof)?'; from kprobe:vfree)" \
	'mem_vmalloc
mem_vfree'
is "from the kernel's messages: oops events" "$(from kprobe:vprintk_emit | sort)" "$(echo oops_printk oops_message oops_panic oops_lockup | words)"
is 'from the exit of system calls: IPC events' "$(from tp:sys_exit | sort)" "$(echo system_call_exit system_call_path ipc_semget ipc_semop ipc_msgget \
	ipc_msgsnd ipc_msgrcv ipc_shmget ipc_shmat ipc_shmdt | words)"
is 'no other event comes from a kprobe' "$(events 'field[4] ~ /kprobe:/' | wc -l)" 6
done_testing
