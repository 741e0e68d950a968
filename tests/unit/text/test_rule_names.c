// SPDX-License-Identifier: GPL-2.0
/* Rules: which names of values the kernel gets with a condition. */
#include "format_case.h"
#include "lib/text/rule_names.h"
#include "lib/text/values.h"
#include "tap.h"

static const char values_text[] = LKST_VALUES_HEADER "\n"
						     "gfp flags 0xcc0 GFP_KERNEL\n"
						     "gfp flags 0x100 __GFP_ZERO\n"
						     "softirq enum 1 TIMER\n"
						     "softirq enum 3 NET_RX\n";

static void setup(void)
{
	format_setup();
	context.values = lkst_values_parse(values_text, strlen(values_text), "FILE", &err);
	assert_made(context.values);
}

TESTS(.setup = setup, .teardown = format_teardown);

static const struct {
	const char *event, *condition, *names;
} cases[] = {
	/* system calls, errors and signals */
	{ "system_call_entry", "number == openat", "number openat 0x101\n" },
	{ "system_call_entry", "number==openat||number!=read",
	  "number openat 0x101\nnumber read 0x0\n" },
	{ "system_call_entry", "number == no_such_call", "" },
	{ "system_call_entry", "number == 'openat'", "number openat 0x101\n" },
	{ "system_call_exit", "result == -ENOENT", "result -ENOENT 0xfffffffffffffffe\n" },
	{ "system_call_exit", "number == openat && result < -EPERM && comm == cat",
	  "number openat 0x101\nresult -EPERM 0xffffffffffffffff\n" },
	{ "process_sigsend", "signal == SIGKILL", "signal SIGKILL 0x9\n" },
	/* ranges, and flags that are joined by "|" */
	{ "system_call_entry", "number == read..openat", "number openat 0x101\nnumber read 0x0\n" },
	{ "mem_kmalloc", "gfp & GFP_KERNEL|__GFP_ZERO",
	  "gfp GFP_KERNEL 0xcc0\ngfp __GFP_ZERO 0x100\n" },
	/* names of the running kernel */
	{ "int_softirq_entry", "(vector == NET_RX)", "vector NET_RX 0x3\n" },
	/* a name that the kernel does not list, but the tools know */
	{ "int_softirq_entry", "vector == HRTIMER", "vector HRTIMER 0x8\n" },
	/* actions */
	{ "system_call_exit", "number == openat do record:5, off if result == -ENOENT, drop",
	  "number openat 0x101\nresult -ENOENT 0xfffffffffffffffe\n" },
	{ "system_call_exit", "do off if number == openat,drop if result==-EPERM,record",
	  "number openat 0x101\nresult -EPERM 0xffffffffffffffff\n" },
	/* numbers need no name */
	{ "system_call_entry", "number == 257 && arg1 == 0x10", "" },
	/* wrong conditions */
	{ "system_call_entry", "", "" },
	{ "system_call_entry", "((openat", "number openat 0x101\n" },
	{ "system_call_entry", "'", "" },
};

TEST_LOOP(names_in_conditions, NUM(cases))
{
	const struct lkst_etype *type = NULL;
	char *names;

	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_etype(types, i) && !strcmp(lkst_etype(types, i)->name, cases[_i].event))
			type = lkst_etype(types, i);
	ck_assert_msg(type != NULL, "%s", cases[_i].event);
	names = lkst_rule_names(type, context.values, LKST_MACHINE_X86_64, cases[_i].condition,
				&err);
	assert_made(names);
	ck_assert_str_eq(names, cases[_i].names);
	free(names);
}
END_TEST
