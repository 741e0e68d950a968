// SPDX-License-Identifier: GPL-2.0
/* LKST, with a maskset that records only the chosen set of events. */
#include <linux/lkst_watch.h>

#include "buffers.h"
#include "record-hook.h"
#include "tracers.h"

#define CONTEXTSWITCH 0x001
#define SYSCALL_ENTRY 0x030
#define SYSCALL_EXIT  0x031

/* Event types that have a rule in one of the sets */
static const unsigned int ruled[] = { RECORD_HOOK_ETYPE, SYSCALL_ENTRY, SYSCALL_EXIT };

/* A set of events. All of them have the rule, unless it is NULL. */
static const struct {
	struct mask masks[2];
	unsigned int num;
	const char *rule;
} sets[EVENTS_NUM] = {
	[EVENTS_HOOK] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1 },
	[EVENTS_RULE_1] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1,
			    "left != 0" },
	[EVENTS_RULE_2] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1,
			    "left != 0 && left < 100000" },
	[EVENTS_RULE_3] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1,
			    "left != 0 && left < 100000 && left < 100001" },
	[EVENTS_GETPPID] = { { { SYSCALL_ENTRY, LKST_EVHANDLER_ID_ENTRY_LOG },
			       { SYSCALL_EXIT, LKST_EVHANDLER_ID_ENTRY_LOG } },
			     2 },
	[EVENTS_WATCH] = { { { SYSCALL_ENTRY, LKST_EVHANDLER_ID_ENTRY_LOG },
			     { SYSCALL_EXIT, LKST_EVHANDLER_ID_ENTRY_LOG } },
			   2, "do watch(bench)" },
	[EVENTS_SWITCH] = { { { CONTEXTSWITCH, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1 },
};

/* Write the rule of an event; "" deletes it. */
static int write_rule(unsigned int etype, const char *rule)
{
	struct lkst_rule_param param = {
		.id = LAST_SET,
		.event_type = etype,
		.text = (uintptr_t)rule,
		.text_size = strlen(rule),
	};

	return ioctl(lkst_fd, LKST_IOC_RULE_WRITE, &param);
}

/* Create the watch of EVENTS_WATCH. */
static void write_watch(void)
{
	struct lkst_watch_param param = {
		.name = "bench",
		.over_ns = UINT64_MAX,
		.text = (uintptr_t)"tid",
		.text_size = strlen("tid"),
		.begin = SYSCALL_ENTRY,
		.end = SYSCALL_EXIT,
	};

	need(ioctl(lkst_fd, LKST_IOC_WATCH_WRITE, &param) ? errno : 0, "WATCH_WRITE");
}

static void lkst_on(enum events events)
{
	unsigned int i;

	if (lkst_fd < 0) {
		open_lkst();
		write_watch();
	}
	need(write_maskset(LAST_SET, "bench", sets[events].masks, sets[events].num),
	     "MASKSET_WRITE");
	/* Writing the maskset does not delete the rules that an earlier call has written. */
	for (i = 0; i < ARRAY_SIZE(ruled); i++)
		write_rule(ruled[i], "");
	for (i = 0; sets[events].rule && i < sets[events].num; i++)
		need(write_rule(sets[events].masks[i].etype, sets[events].rule) ? errno : 0,
		     "RULE_WRITE");
	need(set_maskset(LAST_SET), "MASKSET_SET");
}

static void lkst_off(void)
{
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static uint64_t lkst_recorded(void)
{
	return cpu_recid(0);
}

const struct tracer lkst_tracer = { "lkst", lkst_on, lkst_off, lkst_recorded };
