#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# On a kernel that does not know LKST, the events that are absent are those that Documentation/lkst/module.rst lists, and
# those that come from elsewhere are marked so.
# form: headers stock
# arch: x86_64

. "$(dirname "$0")/../tap.sh"

# Events, one to a line, of which $1, an expression of awk, is true.
events() { awk -F '"' '/^0x/ { name = $2; split($1, field, " "); if ('"$1"') print name }' /proc/lkst_etypes; }
absent() { events 'field[5] == "absent"'; }
# from SOURCE: those that have it, among others
from() { events '("," field[4] ",") ~ /,'"$1"',/'; }
words() { tr ' ' '\n' | sort; }

ipi=cpu_ipi_send
# 6.4 has a tracepoint for it.
! uname -r | awk -F . '{ exit $1 == 6 && $2 < 4 }' || ipi=
is 'absent: what takes a trace point of LKST' "$(absent | sort)" "$(echo process_lthreadgen process_init_wqh process_add_wq \
	process_rem_wq exception_entry exception_exit mem_nopage mem_wppage spin_lock spin_trylock spin_unlock read_lock \
	read_unlock write_lock write_unlock $ipi | words)"
is 'from probes of functions: vmalloc() and vfree()' "$(from 'kprobe:__vmalloc_node_range(_noprof)?'; from kprobe:vfree)" \
	'mem_vmalloc
mem_vfree'
is "from the kernel's messages" "$(from kprobe:vprintk_emit | sort)" "$(echo oops_printk oops_panic oops_lockup | words)"
is 'from where system calls return' "$(from tp:sys_exit | sort)" "$(echo system_call_exit ipc_semget ipc_semop ipc_msgget \
	ipc_msgsnd ipc_msgrcv ipc_shmget ipc_shmat ipc_shmdt | words)"
is 'there are no probes but these' "$(events 'field[4] ~ /kprobe:/' | wc -l)" 5
done_testing
