// SPDX-License-Identifier: GPL-2.0
/*
 * Determines how the arguments of each event type are written.
 *
 * Perfetto defines messages for the events in the table below. All other event types have generic
 * messages: their fields are the arguments in order, numbered from 1, and the trace contains a
 * description of the message with the names of the fields.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "perfetto_plan.h"

#define NATIVE_ITEMS 7

/**
 * struct native_item - an argument for which a message of Perfetto has a field
 * @label: label of the argument; "": the value is not an argument
 * @kind: kind of the value
 * @number: number of the field. From 100 on, Perfetto does not define it
 */
struct native_item {
	const char *label;
	enum plan_kind kind;
	uint32_t number;
};

/**
 * struct native - a message of Perfetto
 * @type: event type
 * @number: field of FtraceEvent
 * @item: values, in the order of their numbers
 */
static const struct native {
	uint32_t type;
	uint32_t number;
	struct native_item item[NATIVE_ITEMS];
} natives[] = {
	{ LKST_ETYPE_PROCESS_CONTEXTSWITCH, 4,
	  { { "prev", PLAN_COMM, 1 }, { "prev", PLAN_SIGNED, 2 }, { "prev_state", PLAN_STATE, 4 },
	    { "next", PLAN_COMM, 5 }, { "next", PLAN_SIGNED, 6 }, { "next_prio", PLAN_SIGNED, 7 } } },
	{ LKST_ETYPE_PROCESS_WAKEUP, 17,
	  { { "thread", PLAN_NEW_COMM, 1 }, { "thread", PLAN_SIGNED, 2 }, { "prio", PLAN_SIGNED, 3 },
	    { "target_cpu", PLAN_SIGNED, 5 } } },
	{ LKST_ETYPE_PROCESS_WAKING, 20,
	  { { "thread", PLAN_COMM, 1 }, { "thread", PLAN_SIGNED, 2 }, { "prio", PLAN_SIGNED, 3 },
	    { "cpu", PLAN_SIGNED, 5 } } },
	{ LKST_ETYPE_PROCESS_SIGSEND, 325,
	  { { "code", PLAN_SIGNED, 1 }, { "target", PLAN_COMM, 2 }, { "group", PLAN_SIGNED, 3 },
	    { "target", PLAN_SIGNED, 4 }, { "result", PLAN_SIGNED, 5 },
	    { "signal", PLAN_SIGNED, 6 } } },
	{ LKST_ETYPE_PROCESS_SIGRECV, 324,
	  { { "code", PLAN_SIGNED, 1 }, { "sa_flags", PLAN_UNSIGNED, 2 },
	    { "signal", PLAN_SIGNED, 3 }, { "handler", PLAN_UNSIGNED, 100 } } },
	{ LKST_ETYPE_PROCESS_FORK, 235,
	  { { "child", PLAN_SIGNED, 1 }, { "child", PLAN_COMM, 2 }, { "flags", PLAN_UNSIGNED, 3 },
	    { "tgid", PLAN_SIGNED, 100 } } },
	{ LKST_ETYPE_PROCESS_RENAME, 236,
	  { { "thread", PLAN_SIGNED, 1 }, { "name", PLAN_TEXT, 3 } } },
	{ LKST_ETYPE_PROCESS_EXEC, 237,
	  { { "path", PLAN_TEXT, 1 }, { "thread", PLAN_SIGNED, 2 }, { "old", PLAN_SIGNED, 3 } } },
	{ LKST_ETYPE_PROCESS_EXIT, 238,
	  { { "thread", PLAN_COMM, 1 }, { "thread", PLAN_SIGNED, 2 }, { "", PLAN_TGID, 3 },
	    { "prio", PLAN_SIGNED, 4 }, { "status", PLAN_TEXT, 100 } } },
	{ LKST_ETYPE_PROCESS_MIGRATE, 491,
	  { { "thread", PLAN_COMM, 1 }, { "thread", PLAN_SIGNED, 2 }, { "from", PLAN_SIGNED, 4 },
	    { "to", PLAN_SIGNED, 5 } } },
	{ LKST_ETYPE_INT_HARDWARE_ENTRY, 36,
	  { { "irq", PLAN_SIGNED, 1 }, { "name", PLAN_TEXT, 2 } } },
	{ LKST_ETYPE_INT_HARDWARE_EXIT, 37,
	  { { "irq", PLAN_SIGNED, 1 }, { "handled", PLAN_SIGNED, 2 } } },
	/*
	 * Perfetto has other messages for interrupts from other CPUs, but shows no slices for them.
	 * So write these interrupts like interrupts of devices.
	 */
	{ LKST_ETYPE_INT_IPI_ENTRY, 36,
	  { { "vector", PLAN_SIGNED, 1 }, { "vector", PLAN_IPI, 2 } } },
	{ LKST_ETYPE_INT_IPI_EXIT, 37, { { "vector", PLAN_SIGNED, 1 }, { "", PLAN_ONE, 2 } } },
	{ LKST_ETYPE_INT_TIMER_ENTRY, 559,
	  { { "vector", PLAN_SIGNED, 1 }, { "ip", PLAN_UNSIGNED, 100 } } },
	{ LKST_ETYPE_INT_TIMER_EXIT, 560, { { "vector", PLAN_SIGNED, 1 } } },
	{ LKST_ETYPE_INT_SOFTIRQ_ENTRY, 24, { { "vector", PLAN_UNSIGNED, 1 } } },
	{ LKST_ETYPE_INT_SOFTIRQ_EXIT, 25, { { "vector", PLAN_UNSIGNED, 1 } } },
	{ LKST_ETYPE_INT_SOFTIRQ_RAISE, 26, { { "vector", PLAN_UNSIGNED, 1 } } },
	{ LKST_ETYPE_SYSCALL_ENTRY, 329,
	  { { "number", PLAN_SIGNED, 1 }, { "arg1", PLAN_UNSIGNED, 2 },
	    { "arg2", PLAN_UNSIGNED, 2 }, { "arg3", PLAN_UNSIGNED, 2 } } },
	{ LKST_ETYPE_SYSCALL_EXIT, 330,
	  { { "number", PLAN_SIGNED, 1 }, { "result", PLAN_SIGNED, 2 } } },
	{ LKST_ETYPE_MEM_RECLAIM_ENTRY, 46,
	  { { "order", PLAN_SIGNED, 1 }, { "gfp", PLAN_UNSIGNED, 3 } } },
	{ LKST_ETYPE_MEM_RECLAIM_EXIT, 47, { { "reclaimed", PLAN_UNSIGNED, 1 } } },
	{ LKST_ETYPE_MEM_OOMKILL, 334, { { "thread", PLAN_SIGNED, 1 } } },
	{ LKST_ETYPE_NET_PKTRECV, 360,
	  { { "length", PLAN_UNSIGNED, 1 }, { "device", PLAN_TEXT, 2 },
	    { "skb", PLAN_UNSIGNED, 3 }, { "protocol", PLAN_TEXT, 100 } } },
	{ LKST_ETYPE_NET_PKTSEND, 361,
	  { { "length", PLAN_UNSIGNED, 1 }, { "device", PLAN_TEXT, 2 },
	    { "result", PLAN_SIGNED, 3 }, { "skb", PLAN_UNSIGNED, 4 } } },
	{ LKST_ETYPE_NET_SOCKSTATE, 362,
	  { { "dport", PLAN_UNSIGNED, 2 }, { "family", PLAN_UNSIGNED, 3 },
	    { "new", PLAN_SIGNED, 4 }, { "old", PLAN_SIGNED, 5 }, { "protocol", PLAN_UNSIGNED, 6 },
	    { "socket", PLAN_UNSIGNED, 8 }, { "sport", PLAN_UNSIGNED, 9 } } },
	{ LKST_ETYPE_NET_DROP, 367,
	  { { "location", PLAN_UNSIGNED, 1 }, { "protocol", PLAN_UNSIGNED, 2 },
	    { "skb", PLAN_UNSIGNED, 3 }, { "reason", PLAN_TEXT, 100 } } },
	{ LKST_ETYPE_TIMER_HR_RUN_ENTRY, 553,
	  { { "timer", PLAN_UNSIGNED, 1 }, { "function", PLAN_FUNCTION, 3 },
	    { "expires_ns", PLAN_SIGNED, 100 } } },
	{ LKST_ETYPE_TIMER_HR_RUN_EXIT, 554,
	  { { "timer", PLAN_UNSIGNED, 1 }, { "function", PLAN_FUNCTION, 100 } } },
	{ LKST_ETYPE_WORK_ENTRY, 58,
	  { { "work", PLAN_UNSIGNED, 1 }, { "function", PLAN_FUNCTION, 2 } } },
	{ LKST_ETYPE_WORK_EXIT, 57,
	  { { "work", PLAN_UNSIGNED, 1 }, { "function", PLAN_FUNCTION, 2 } } },
	{ LKST_ETYPE_BLOCK_ISSUE, 45,
	  { { "device", PLAN_UNSIGNED, 1 }, { "sector", PLAN_UNSIGNED, 2 },
	    { "bytes", PLAN_SECTORS, 3 }, { "bytes", PLAN_UNSIGNED, 4 },
	    { "operation", PLAN_TEXT, 5 }, { "queue_ns", PLAN_UNSIGNED, 100 } } },
	{ LKST_ETYPE_BLOCK_COMPLETE, 125,
	  { { "device", PLAN_UNSIGNED, 1 }, { "sector", PLAN_UNSIGNED, 2 },
	    { "bytes", PLAN_SECTORS, 3 }, { "operation", PLAN_TEXT, 5 },
	    { "error", PLAN_SIGNED, 7 }, { "bytes", PLAN_UNSIGNED, 100 } } },
	{ LKST_ETYPE_CPU_FREQUENCY, 11,
	  { { "khz", PLAN_UNSIGNED, 1 }, { "cpu", PLAN_UNSIGNED, 2 } } },
	{ LKST_ETYPE_CPU_IDLE_ENTRY, 13, { { "state", PLAN_UNSIGNED, 1 }, { "", PLAN_CPU, 2 } } },
	{ LKST_ETYPE_CPU_IDLE_EXIT, 13, { { "", PLAN_NOT_IDLE, 1 }, { "", PLAN_CPU, 2 } } },
	{ LKST_ETYPE_CPU_SUSPEND, 113,
	  { { "action", PLAN_TEXT, 1 }, { "value", PLAN_SIGNED, 2 }, { "start", PLAN_UNSIGNED, 3 } } },
};

/*
 * The plans, indexed by event type number. The files of a trace can come from different kernels,
 * which may use the same number for different event types.
 *
 * @of: plans
 * @variants: number of generic messages for each event type number
 */
struct message_plans {
	struct message_plan *of[LKST_ETYPE_NUM];
	uint32_t variants[LKST_ETYPE_NUM];
};

/**
 * plans_new() - make an empty set of plans
 * @err: set if an allocation fails
 */
struct message_plans *plans_new(struct lkst_error *err)
{
	struct message_plans *plans = calloc(1, sizeof(*plans));

	if (!plans)
		lkst_error_memory(err, "the event types");
	return plans;
}

static void plan_free(struct message_plan *plan)
{
	if (plan)
		free(plan->generic);
	free(plan);
}

/**
 * plans_free() - free plans
 * @plans: may be NULL
 */
void plans_free(struct message_plans *plans)
{
	if (!plans)
		return;
	for (size_t i = 0; i < LKST_ETYPE_NUM; i++)
		for (struct message_plan *plan = plans->of[i], *next; plan; plan = next) {
			next = plan->next;
			plan_free(plan);
		}
	free(plans);
}

static const struct lkst_field *plan_find_field(const struct lkst_etype *type, const char *label)
{
	for (size_t i = 0; i < type->fields; i++)
		if (!strcmp(type->field[i].label, label))
			return &type->field[i];
	return NULL;
}

/* Return how to write an event type as a message of Perfetto; NULL if there is no such message. */
static const struct native *plan_native(uint32_t type)
{
	for (size_t i = 0; i < sizeof(natives) / sizeof(*natives); i++)
		if (natives[i].type == type)
			return &natives[i];
	return NULL;
}

/*
 * Fill in a plan for one of Perfetto's messages. Arguments that this kernel does not record are
 * left out.
 */
static void plan_fill_native(struct message_plan *plan, const struct native *native)
{
	plan->number = native->number;
	if (native->type == LKST_ETYPE_PROCESS_WAKEUP)
		plan->choice = plan_find_field(plan->type, "new");
	else if (native->type == LKST_ETYPE_SYSCALL_ENTRY ||
		 native->type == LKST_ETYPE_SYSCALL_EXIT)
		plan->choice = plan_find_field(plan->type, "abi");
	for (size_t i = 0; i < NATIVE_ITEMS && native->item[i].label; i++) {
		const struct native_item *item = &native->item[i];
		const struct lkst_field *field = plan_find_field(plan->type, item->label);

		if (field || !*item->label)
			plan->item[plan->num++] = (struct plan_item){
				*item->label ? field : NULL, item->kind, item->number
			};
	}
}

/* Return the kind of an argument in a generic message. */
static enum plan_kind plan_kind_of(const struct lkst_field *field)
{
	switch (field->format) {
	case LKST_FMT_PTR:
		return PLAN_ADDRESS;
	case LKST_FMT_HEX:
	case LKST_FMT_UDEC:
	case LKST_FMT_SEC:
	case LKST_FMT_NSEC:
	case LKST_FMT_EVH:
		return PLAN_UNSIGNED;
	case LKST_FMT_DEC:
	case LKST_FMT_CPU:
	case LKST_FMT_TID:
	case LKST_FMT_ERR:
	case LKST_FMT_IRQ:
	case LKST_FMT_MSET:
		return PLAN_SIGNED;
	default:
		return PLAN_TEXT;
	}
}

static void plan_copy_name(char to[PLAN_NAME], const char *name)
{
	*put_utf8(to, name, strnlen(name, PLAN_NAME - 1)) = 0;
}

static void plan_fill_generic(struct message_plan *plan, uint32_t type, uint32_t variant)
{
	plan->number = PERFETTO_GENERIC + type + LKST_ETYPE_NUM * variant;
	if (!plan->type) {
		snprintf(plan->name, sizeof(plan->name), "%s0x%03x",
			 lkst_etype_is_user(type) ? LKST_USER_PREFIX : "event_", type);
		plan->num = 4;
		for (size_t i = 0; i < 4; i++)
			plan->item[i] = (struct plan_item){ NULL, PLAN_UNSIGNED, (uint32_t)i + 1 };
		return;
	}
	plan_copy_name(plan->name, plan->type->name);
	for (size_t i = 0; i < plan->type->fields; i++) {
		const struct lkst_field *field = &plan->type->field[i];

		if (field->label_len && field->shown != LKST_SHOWN_VERBOSE)
			plan->item[plan->num++] = (struct plan_item){ field, plan_kind_of(field),
								      (uint32_t)i + 1 };
	}
}

static struct message_plan *plan_new_generic(struct message_plans *plans,
					     const struct lkst_etype *etype, uint32_t type)
{
	struct message_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->type = etype;
	plan_fill_generic(plan, type, plans->variants[type]++);
	return plan;
}

static struct message_plan *plan_new(struct message_plans *plans, const struct lkst_etype *etype,
				     uint32_t type)
{
	const struct native *native = etype ? plan_native(type) : NULL;
	struct message_plan *generic = plan_new_generic(plans, etype, type), *plan;

	if (!native || !generic)
		return generic;
	plan = calloc(1, sizeof(*plan));
	if (!plan) {
		free(generic);
		return NULL;
	}
	plan->type = etype;
	plan->generic = generic;
	plan_fill_native(plan, native);
	return plan;
}

/**
 * plans_get() - find out how the events of a type are written
 * @plans: plans, which own the result
 * @types: event types of the kernel that recorded the event; they must exist as long as @plans
 * @type: number of the event type
 * @err: set if an allocation fails
 */
struct message_plan *plans_get(struct message_plans *plans, const struct lkst_etypes *types,
			       uint32_t type, struct lkst_error *err)
{
	const struct lkst_etype *etype = lkst_etype(types, type);
	uint32_t slot = type < LKST_ETYPE_NUM ? type : 0;
	struct message_plan *plan = plans->of[slot];

	for (; plan; plan = plan->next)
		if (lkst_etype_is_same(plan->type, etype))
			return plan;
	plan = plan_new(plans, etype, slot);
	if (!plan) {
		lkst_error_memory(err, "the event types");
		return NULL;
	}
	plan->next = plans->of[slot];
	plans->of[slot] = plan;
	return plan;
}

/**
 * plan_label() - get the name of a value in a generic message
 * @plan: plan
 * @i: index of the item
 * @label: result
 */
void plan_label(const struct message_plan *plan, size_t i, char label[PLAN_NAME])
{
	const struct plan_item *item = &plan->item[i];

	if (item->field)
		plan_copy_name(label, item->field->label);
	else
		snprintf(label, PLAN_NAME, "arg%u", item->number);
}
