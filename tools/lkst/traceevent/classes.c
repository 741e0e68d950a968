// SPDX-License-Identifier: LGPL-2.1
/* Maps the classes and events of TraceEvent() to event types of LKST. */
#include "classes.h"

#include <linux/lkst.h>

#include "lib/base/etype_ids.h"
#include "traceevent/sys/trace.h"

#define T(name) LKST_ETYPE_##name

/*
 * QNX events without a row have no counterpart on Linux, or differ from other events of their class
 * only in an argument of LKST's event. traceevent(3) gives the reason for each.
 */
const struct classes_row classes_table[] = {
	{ _NTO_TRACE_CONTROL, _NTO_TRACE_CONTROLTIME, .fast = { T(LKST_SYNC_TIME) } },
	{ _NTO_TRACE_CONTROL, _NTO_TRACE_CONTROLBUFFER, .fast = { T(LKST_BUFF_SHIFT) } },
	{ _NTO_TRACE_KERCALLENTER, CLASSES_ANY, .fast = { T(SYSCALL_ENTRY) },
	  .wide = { T(SYSCALL_PATH) } },
	{ _NTO_TRACE_KERCALLEXIT, CLASSES_ANY, .fast = { T(SYSCALL_EXIT) } },
	{ _NTO_TRACE_INTENTER, CLASSES_ANY,
	  .fast = { T(INT_HARDWARE_ENTRY), T(INT_TIMER_ENTRY), T(INT_IPI_ENTRY) },
	  .wide = { T(INT_NMI) } },
	{ _NTO_TRACE_INTEXIT, CLASSES_ANY,
	  .fast = { T(INT_HARDWARE_EXIT), T(INT_TIMER_EXIT), T(INT_IPI_EXIT) } },
	{ _NTO_TRACE_INT_HANDLER_ENTER, CLASSES_ANY,
	  .fast = { T(INT_SOFTIRQ_ENTRY), T(INT_TASKLETHI_ENTRY), T(INT_TASKLET_ENTRY) },
	  .wide = { T(INT_SOFTIRQ_RAISE) } },
	{ _NTO_TRACE_INT_HANDLER_EXIT, CLASSES_ANY,
	  .fast = { T(INT_SOFTIRQ_EXIT), T(INT_TASKLETHI_EXIT), T(INT_TASKLET_EXIT) } },
	{ _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE, .fast = { T(PROCESS_FORK) } },
	{ _NTO_TRACE_PROCESS, _NTO_TRACE_PROCCREATE_NAME, .fast = { T(PROCESS_EXEC) } },
	{ _NTO_TRACE_PROCESS, _NTO_TRACE_PROCDESTROY, .fast = { T(PROCESS_EXIT) } },
	{ _NTO_TRACE_PROCESS, _NTO_TRACE_PROCDESTROY_NAME, .fast = { T(PROCESS_EXIT) } },
	{ _NTO_TRACE_PROCESS, _NTO_TRACE_PROCTHREAD_NAME, .fast = { T(PROCESS_RENAME) } },
	{ _NTO_TRACE_PROCESS, CLASSES_ANY, .fast = { T(PROCESS_STATE) } },
	{ _NTO_TRACE_THREAD, _NTO_TRACE_THRUNNING, .fast = { T(PROCESS_CONTEXTSWITCH) },
	  .wide = { T(PROCESS_BLOCK), T(PROCESS_MIGRATE) } },
	{ _NTO_TRACE_THREAD, _NTO_TRACE_THREADY, .fast = { T(PROCESS_WAKEUP) },
	  .wide = { T(PROCESS_WAKING) } },
	{ _NTO_TRACE_THREAD, _NTO_TRACE_THCREATE, .fast = { T(PROCESS_FORK) } },
	{ _NTO_TRACE_THREAD, _NTO_TRACE_THDESTROY, .fast = { T(PROCESS_EXIT) } },
	{ _NTO_TRACE_THREAD, _NTO_TRACE_THDEAD, .fast = { T(PROCESS_EXIT) } },
	{ _NTO_TRACE_COMM, _NTO_TRACE_COMM_SMSG, .fast = { T(IPC_MSGSND) },
	  .wide = { T(IPC_MSGGET) } },
	{ _NTO_TRACE_COMM, _NTO_TRACE_COMM_RMSG, .fast = { T(IPC_MSGRCV) },
	  .wide = { T(IPC_MSGGET) } },
	{ _NTO_TRACE_COMM, _NTO_TRACE_COMM_SIGNAL, .fast = { T(PROCESS_SIGSEND) },
	  .wide = { T(PROCESS_SIGRECV) } },
	{ _NTO_TRACE_COMM, CLASSES_ANY, .fast = { T(IPC_SEMOP), T(IPC_SHMAT), T(IPC_SHMDT) } },
	{ _NTO_TRACE_SYSTEM, _NTO_TRACE_SYS_PATHMGR, .fast = { T(SYSCALL_PATH) } },
	{ _NTO_TRACE_SYSTEM, _NTO_TRACE_SYS_SLOG, .fast = { T(OOPS_PRINTK) },
	  .wide = { T(OOPS_MESSAGE) } },
	{ _NTO_TRACE_SYSTEM, CLASSES_ANY,
	  .fast = { T(MODULE_LOAD), T(MODULE_FREE), T(CPU_ONLINE), T(CPU_OFFLINE), T(CPU_SUSPEND),
		    T(OOPS_DIE), T(OOPS_PANIC) },
	  .wide = { T(CPU_FREQUENCY), T(OOPS_REGS), T(OOPS_STACK) } },
	{ _NTO_TRACE_USER, CLASSES_ANY, .fast = { T(USER_MARK), T(USER_TEXT), T(USER_LONG_TEXT) } },
};

const unsigned int classes_rows = sizeof(classes_table) / sizeof(*classes_table);
_Static_assert(sizeof(classes_table) / sizeof(*classes_table) <= CLASSES_ROWS_MAX,
	       "CLASSES_ROWS_MAX must be greater");

/**
 * classes_contains() - check whether a class contains another one, or is the same
 * @class: class, or pseudo class that stands for several classes
 * @member: the other class
 */
bool classes_contains(int class, int member)
{
	switch (class) {
	case _NTO_TRACE_KERCALL:
		return member == _NTO_TRACE_KERCALLENTER || member == _NTO_TRACE_KERCALLEXIT;
	case _NTO_TRACE_INT:
		return member >= _NTO_TRACE_INTENTER && member <= _NTO_TRACE_INT_HANDLER_EXIT;
	default:
		return class == member;
	}
}

/**
 * classes_selects() - check whether a command applies to a row
 * @row: row
 * @class: class or pseudo class of the command
 * @event: event of the command; CLASSES_ANY: the whole class
 */
bool classes_selects(const struct classes_row *row, int class, int event)
{
	return classes_contains(class, row->class) && (event == CLASSES_ANY || event == row->event);
}

/* Whether a row has an event type. */
static bool classes_row_has(const struct classes_row *row, int type)
{
	for (unsigned int i = 0; i < CLASSES_TYPES; i++)
		if (type && (row->fast[i] == type || row->wide[i] == type))
			return true;
	return false;
}

/**
 * classes_has_type() - check whether a class or an event of QNX includes an event type
 * @class: class or pseudo class
 * @event: event; CLASSES_ANY: the whole class
 * @type: event type. LKST_ETYPE_USER_EVENTS_NEW stands for events that are registered later
 */
bool classes_has_type(int class, int event, int type)
{
	if (class == _NTO_TRACE_USER && event == CLASSES_ANY && type >= LKST_ETYPE_PROGRAM_MIN &&
	    type <= LKST_ETYPE_USER_EVENTS_NEW)
		return true;
	for (unsigned int i = 0; i < classes_rows; i++)
		if (classes_selects(&classes_table[i], class, event) &&
		    classes_row_has(&classes_table[i], type))
			return true;
	return false;
}
