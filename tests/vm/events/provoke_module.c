// SPDX-License-Identifier: GPL-2.0
/*
 * Make tests/modules/provoke.c and samples/lkst/lkst_sample_locks.c provoke events in the kernel.
 * The tests recognize the events by the addresses of the modules' objects and code.
 */
#include "provoke.h"

#define TIMES 5
#define AREAS 4 /* number of areas whose addresses the module can report */

/* ---- the sample module lkst_sample_locks ---- */

#define LOCKS_FILE "/proc/lkst_sample_locks"
/*
 * How many times each round takes a lock: with functions that wait for it, with spin_trylock*(),
 * and with read_trylock() or write_trylock().
 */
#define WAYS	4
#define TRIES	2
#define RWTRIES 1

static void locks(void)
{
	char times[16];

	snprintf(times, sizeof(times), "%u", current->times);
	need(write_file(LOCKS_FILE, times), LOCKS_FILE);
	read_values(LOCKS_FILE);
}

/*
 * Expectations. values.at[0] is the address of an object of the module. For OBJECT_CALL,
 * values.at[1] is the address of the object's function.
 */

/* The event is recorded in the thread that runs the tests, with a code address as argument @n. */
#define BY_CODE(n)    .code = (n), .by = OWN
#define OBJECT	      VALUE(1, 0)
#define OBJECT_CALL   OBJECT, VALUE(2, 1)
#define ALL_OF_OBJECT .all = ALL_OF_ARG1

#define LOCK(count, etype, lock) \
	{ TIMES * (count), etype, VALUE(1, lock), BY_CODE(2), ALL_OF_OBJECT }
#define THREAD(i) \
	{ 1, "process_lthreadgen", OBJECT, MORE(2, 1, i), TEXT(3, "provoke/"), ARG(4, '0' + (i)) }
#define AREA(i) { 1, "mem_vfree", VALUE(1, i) }

/* Log levels of messages. */
enum {
	NOTICE = 5,
	INFO = 6
};

#define NOTICE_LINE "provoke: notice 0"
#define INFO_LINE   "provoke: info 0"

const struct test module_tests[] = {
	{ "init-wait-queue", "init-queue", TIMES, .expected = {
	  { TIMES, "process_init_wqh", OBJECT, BY_CODE(2), ALL_OF_OBJECT } } },
	/* Two wait queue entries are each added to the queue in two ways, and removed each time. */
	{ "use-wait-queue", "use-queue", TIMES, .expected = {
	  { 2 * TIMES, "process_add_wq", OBJECT, VALUE(2, 1), BY_CODE(3) },
	  { 2 * TIMES, "process_rem_wq", OBJECT, VALUE(2, 1), BY_CODE(3) },
	  { 2 * TIMES, "process_add_wq", OBJECT, VALUE(2, 2), BY_CODE(3) },
	  { 2 * TIMES, "process_rem_wq", OBJECT, VALUE(2, 2), BY_CODE(3) },
	  { 4 * TIMES, "process_add_wq", OBJECT },
	  { 4 * TIMES, "process_rem_wq", OBJECT } } },
	/* The thread adds an entry, and the timer that wakes the thread removes the entry. */
	{ "sleep-in-wait-queue", "sleep-in-queue", TIMES, .expected = {
	  { TIMES, "process_add_wq", OBJECT, VALUE(2, 1), BY_CODE(3), ALL_OF_OBJECT },
	  { TIMES, "process_rem_wq", OBJECT, VALUE(2, 1), .in_interrupt = true,
	    ALL_OF_OBJECT } } },
	{ "kernel-threads", "threads", TIMES, .expected = {
	  { TIMES, "process_lthreadgen", OBJECT },
	  THREAD(0), THREAD(1), THREAD(2), THREAD(3), THREAD(4) } },
	{ "tasklets", "tasklet", TIMES, .expected = {
	  { TIMES, "int_tasklet_entry", OBJECT_CALL, .in_interrupt = true },
	  { TIMES, "int_tasklet_exit", OBJECT_CALL, .in_interrupt = true },
	  { 0, "int_tasklethi_entry", OBJECT },
	  { 0, "int_tasklethi_exit", OBJECT } } },
	{ "tasklets-hi", "tasklet-hi", TIMES, .expected = {
	  { 0, "int_tasklet_entry", OBJECT },
	  { 0, "int_tasklet_exit", OBJECT },
	  { TIMES, "int_tasklethi_entry", OBJECT_CALL, .in_interrupt = true },
	  { TIMES, "int_tasklethi_exit", OBJECT_CALL, .in_interrupt = true } } },
	/*
	 * Hitting a kprobe that has a handler must not be recorded as an exception. The address of
	 * such an exception would be the breakpoint's address plus 1, the length of the breakpoint.
	 */
	{ "kprobes", "kprobe", TIMES, .expected = {
	  { 0, "exception_entry", MORE(2, 0, 1) } } },
	{ "vmalloc", "vmalloc", TIMES, .expected = {
	  { TIMES, "mem_vmalloc", VALUE(2, 0), BY_CODE(3) },
	  { TIMES, "mem_vmalloc", .code = 3 },
	  { TIMES, "mem_vmalloc", .code = 3, .preemptible = true },
	  { TIMES, "mem_vfree", VALUE(2, 0), BY_CODE(3) },
	  { TIMES, "mem_vfree", .code = 3 },
	  { TIMES, "mem_vfree", .code = 3, .preemptible = true } } },
	/*
	 * A vfree() in a softirq is recorded without the size, which is not known there. The
	 * softirq may run in any thread. A worker frees the area later. This must not be recorded
	 * again.
	 */
	{ "vfree-in-softirq", "free-in-softirq", AREAS, .expected = {
	  AREA(0), AREA(1), AREA(2), AREA(3),
	  { AREAS, "mem_vfree", ARG(2, 0), .code = 3, .in_interrupt = true } } },
	{ "timers", "timer", TIMES, .expected = {
	  { TIMES, "timer_add", OBJECT_CALL, VALUE(3, 2), ALL_OF_OBJECT },
	  { TIMES, "timer_del", OBJECT_CALL, VALUE(3, 2), ALL_OF_OBJECT },
	  { 0, "timer_run_entry", OBJECT },
	  { 0, "timer_run_exit", OBJECT } } },
	{ "kernel-messages", "print", TIMES, .expected = {
	  { TIMES, "oops_printk", BOTH(1, NOTICE, sizeof(NOTICE_LINE) - 1), TEXT(2, NOTICE_LINE),
	    TEXT(3, &NOTICE_LINE[8]) },
	  { 1, "oops_printk", TEXT(2, NOTICE_LINE), TEXT(3, &NOTICE_LINE[8]),
	    TEXT(4, &NOTICE_LINE[16]) },
	  { TIMES, "oops_printk", BOTH(1, INFO, sizeof(INFO_LINE) - 1), TEXT(2, INFO_LINE) },
	  { 2 * TIMES, "oops_printk", TEXT(2, "provoke:") },
	  { 2 * TIMES, "oops_printk", TEXT(2, "provoke:"), .preemptible = true } } },
	{ "locks", .run = locks, .times = TIMES, .expected = {
	  LOCK(WAYS, "spin_lock", 0), LOCK(TRIES, "spin_trylock", 0),
	  LOCK(WAYS + TRIES, "spin_unlock", 0),
	  LOCK(WAYS + RWTRIES, "read_lock", 1), LOCK(WAYS + RWTRIES, "read_unlock", 1),
	  LOCK(WAYS + RWTRIES, "write_lock", 1), LOCK(WAYS + RWTRIES, "write_unlock", 1) } },
	{},
};
