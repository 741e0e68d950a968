// SPDX-License-Identifier: GPL-2.0
/* LKST, with a maskset that records only the chosen set of events. */
#include "buffers.h"
#include "record-hook.h"
#include "tracers.h"

#define CONTEXTSWITCH 0x001
#define SYSCALL_ENTRY 0x030
#define SYSCALL_EXIT  0x031

static const struct {
	struct mask masks[2];
	unsigned int num;
	const char *condition;
} sets[EVENTS_NUM] = {
	[EVENTS_HOOK] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1 },
	[EVENTS_RULE_1] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1,
			    "left != 0" },
	[EVENTS_RULE_2] = { { { RECORD_HOOK_ETYPE, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1,
			    "left != 0 && left < 100000" },
	[EVENTS_GETPPID] = { { { SYSCALL_ENTRY, LKST_EVHANDLER_ID_ENTRY_LOG },
			       { SYSCALL_EXIT, LKST_EVHANDLER_ID_ENTRY_LOG } },
			     2 },
	[EVENTS_SWITCH] = { { { CONTEXTSWITCH, LKST_EVHANDLER_ID_ENTRY_LOG } }, 1 },
};

/* Write the rule of the hook's event; "" deletes it. */
static int write_rule(const char *condition)
{
	struct lkst_rule_param param = {
		.id = LAST_SET,
		.event_type = RECORD_HOOK_ETYPE,
		.text = (uintptr_t)condition,
		.text_size = strlen(condition),
	};

	return ioctl(lkst_fd, LKST_IOC_RULE_WRITE, &param);
}

static void lkst_on(enum events events)
{
	if (lkst_fd < 0)
		open_lkst();
	need(write_maskset(LAST_SET, "bench", sets[events].masks, sets[events].num),
	     "MASKSET_WRITE");
	/* Writing the maskset does not delete the rule that an earlier call has written. */
	write_rule("");
	if (sets[events].condition)
		need(write_rule(sets[events].condition) ? errno : 0, "RULE_WRITE");
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
