/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tests that provoke a certain number of events, and must find exactly that number of records. They
 * recognize their events by a thread, an address or a number that no other event has, so other
 * activity of the machine does not matter.
 */
#ifndef PROVOKE_H
#define PROVOKE_H

#include "modules.h"
#include "proc_etypes.h"

/* Maximum numbers of steps and expectations of a test. */
#define STEPS_MAX 4
#define EXPECTED_MAX 20

/* The thread in which an event must be recorded. */
enum by {
	ANY_THREAD,
	OWN, /* the thread that runs the tests */
	CHILD /* the child that the test started, values.child */
};

/* Which records of the event type may exist apart from the @count that match struct expected. */
enum all {
	SOME, /* any others */
	ALL_OF_TYPE, /* no others */
	ALL_OF_ARG1 /* no others that have the first argument of struct expected */
};

/* An expectation: exactly @count records of an event type have certain properties. */
struct expected {
	unsigned int count;
	const char *etype; /* name of the event type, as in /proc/lkst_etypes */
	uint64_t arg[4];
	uint64_t mask[4]; /* bits of the arguments that are compared with @arg */
	uint8_t value[4]; /* if not 0, values.at[@value - 1] is added to @arg */
	const char *text[4]; /* string whose first eight bytes are the argument, or NULL */
	enum by by;
	int code; /* number (1 to 4) of the argument that must be an address in a module; 0: none */
	bool in_interrupt; /* recorded in a hard interrupt, softirq or NMI */
	bool preemptible; /* recorded in a task with preemption on */
	enum all all;
	bool on_stock; /* only a kernel without LKST's patches makes such records */
};

#define ARG(n, value)	     .arg[(n)-1] = (uint64_t)(value), .mask[(n)-1] = UINT64_MAX
#define PART(n, bits, value) .arg[(n)-1] = (value) & (bits), .mask[(n)-1] = (bits)
#define HIGH(n, value)	     PART(n, (uint64_t)UINT32_MAX << 32, (uint64_t)(value) << 32)
#define BOTH(n, high, low)   ARG(n, (uint64_t)(high) << 32 | (uint32_t)(low))
#define VALUE(n, i)	     .value[(n)-1] = 1 + (i), .mask[(n)-1] = UINT64_MAX
#define MORE(n, i, by)	     .arg[(n)-1] = (by), VALUE(n, i)
#define TEXT(n, string)	     .text[(n)-1] = (string), .mask[(n)-1] = UINT64_MAX

/* Values that the current test reports. @skip is NULL, or says why it has provoked no events. */
extern struct values {
	uint64_t at[4];
	pid_t child;
	const char *skip;
} values;

/* A test that provokes events. The event types in its expectations are recorded. */
struct test {
	const char *name;
	const char *command; /* command of the test module, for tests without @run */
	unsigned int times; /* how many times the module carries out @command */
	void (*run)(void); /* function that provokes the events */
	void (*steps[STEPS_MAX])(void); /* functions that @run calls */
	/*
	 * Run the test only once, because it takes a long time or cannot be repeated. Other tests
	 * are run twice: first with all events masked, to check that nothing is recorded then.
	 */
	bool once;
	struct expected expected[EXPECTED_MAX];
};

/* The tests of each source file. Each array ends with an empty entry. */
extern const struct test trap_tests[], fault_tests[], ipc_tests[], module_tests[], machine_tests[],
	trouble_tests[];

/* The test that is running. */
extern const struct test *current;

/* Make the test module carry out @command @count times, and read values.at from it. */
void run_command(const char *command, unsigned int count);

/* Set values.at to the numbers that a module reports in @path, such as addresses of its objects. */
void read_values(const char *path);

/* Run a function in a child on CPU 1. The tests run on CPU 0. Return the child's process id. */
pid_t in_child(void (*func)(void));

/* Wait for a child to exit. Return its status from waitpid(). */
int wait_for(pid_t pid);

#endif
