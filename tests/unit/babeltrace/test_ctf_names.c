// SPDX-License-Identifier: GPL-2.0
/* The names that the plug-in for Babeltrace gives to events and fields. */
#include <ctype.h>

#include "babeltrace/plan.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/values.h"
#include "tap.h"

static struct lkst_etypes *types;
static struct plan plan;

static void load(void)
{
	types = lkst_etypes_embedded(&err);
	assert_made(types);
}

static void unload(void)
{
	lkst_etypes_free(types);
}

TESTS(.setup = load, .teardown = unload);

static bool has_label(const struct lkst_etype *type, const char *label)
{
	for (int i = 0; i < type->fields; i++)
		if (!strcmp(type->field[i].label, label))
			return true;
	return false;
}

static const struct plan_field *find(const char *name)
{
	for (size_t i = 0; i < plan.num; i++)
		if (!strcmp(plan.field[i].name, name))
			return &plan.field[i];
	return NULL;
}

/*
 * Each label in the table of LTTng's events is a label of the LKST event type, and the plan for
 * this type (the fields of its CTF event) has each of LTTng's fields.
 */
TEST(test_table)
{
	int known = 0;

	for (uint32_t number = 0; number < LKST_ETYPE_NUM; number++) {
		const struct lttng_event *event = lttng_event_find(number);
		const struct lkst_etype *type = lkst_etype(types, number);

		if (!event)
			continue;
		known++;
		ck_assert_msg(type != NULL, "no event type 0x%x (%s)", number, event->name);
		plan_make(&plan, type, event);
		for (const struct lttng_field *field = event->field; field->name; field++) {
			ck_assert_msg(!field->from || has_label(type, field->from),
				      "%s has no \"%s\"", type->name, field->from);
			ck_assert_msg(find(field->name) != NULL, "%s: no field \"%s\"", event->name,
				      field->name);
		}
	}
	ck_assert_int_gt(known, 50);
}

/*
 * The plan for an event type contains each value of the type. Names of fields are identifiers, and
 * no name occurs twice in a plan.
 */
TEST(test_plans)
{
	for (uint32_t number = 0; number < LKST_ETYPE_NUM; number++) {
		const struct lkst_etype *type = lkst_etype(types, number);
		uint32_t used = 0;

		if (!type)
			continue;
		plan_make(&plan, type, lttng_event_find(number));
		for (size_t i = 0; i < plan.num; i++) {
			const struct plan_field *field = &plan.field[i];

			ck_assert_ptr_eq(find(field->name), field);
			ck_assert_str_eq(plan.class[i].name, field->name);
			ck_assert(isalpha((unsigned char)*field->name));
			if (field->field != PLAN_NO_FIELD)
				used |= 1u << field->field;
			if (field->how == PLAN_LTTNG && field->lttng == LTTNG_COMM &&
			    field->text != PLAN_NO_FIELD)
				used |= 1u << field->text;
		}
		for (int i = 0; i < type->fields; i++)
			ck_assert_msg(used & 1u << i || !type->field[i].label_len ||
					      type->field[i].format == LKST_FMT_CHAIN,
				      "%s: \"%s\" is missing", type->name, type->field[i].label);
	}
}

/* Names for an event that the trace does not describe, and for labels that are not identifiers */
TEST(test_strange)
{
	static const char text[] = "# lkst_etypes 1\n"
				   "0x100 ODD UNDEF user present \"odd\" \"a b:dec,a-b:dec\" "
				   "\"9:hex\" \"\303\244:text\" \"\"\n";
	struct lkst_etypes *odd = lkst_etypes_parse(text, strlen(text), "odd", &err);

	assert_made(odd);
	plan_make(&plan, lkst_etype(odd, 0x100), NULL);
	ck_assert_ptr_nonnull(find("a_b"));
	ck_assert_ptr_nonnull(find("_9"));
	ck_assert_ptr_nonnull(find("__"));
	ck_assert_uint_eq(plan.num, 3);
	lkst_etypes_free(odd);
	plan_make(&plan, NULL, NULL);
	ck_assert_uint_eq(plan.num, 5);
	ck_assert_ptr_nonnull(find("event_type"));
	ck_assert_ptr_nonnull(find("arg4"));
}

/* ---- variants ---- */

static const struct {
	uint32_t type;
	uint64_t arg[3];
	uint8_t machine;
	const char *name;
} variants[] = {
	{ LKST_ETYPE_SYSCALL_ENTRY, { 0 }, LKST_MACHINE_X86_64, "syscall_entry_read" },
	{ LKST_ETYPE_SYSCALL_EXIT, { 1ull << 32 }, LKST_MACHINE_X86_64, "syscall_exit_write" },
	{ LKST_ETYPE_SYSCALL_ENTRY, { 3ull << 32 | 1 }, LKST_MACHINE_X86_64,
	  "compat_syscall_entry_read" },
	{ LKST_ETYPE_SYSCALL_EXIT, { 0x40000000ull << 32 | 2 }, LKST_MACHINE_X86_64,
	  "compat_syscall_exit_read" },
	{ LKST_ETYPE_SYSCALL_ENTRY, { 63ull << 32 }, LKST_MACHINE_ARM64, "syscall_entry_read" },
	{ LKST_ETYPE_SYSCALL_ENTRY, { 99999ull << 32 }, LKST_MACHINE_X86_64,
	  "syscall_entry_unknown" },
	{ LKST_ETYPE_SYSCALL_ENTRY, { UINT64_MAX }, LKST_MACHINE_X86_64,
	  "compat_syscall_entry_unknown" },
	{ LKST_ETYPE_SYSCALL_EXIT, { 5ull << 32 }, LKST_MACHINE_OTHER, "syscall_exit_unknown" },
	{ LKST_ETYPE_PROCESS_WAKEUP, { 0, 1ull << 32 }, 0, "sched_wakeup" },
	{ LKST_ETYPE_PROCESS_WAKEUP, { 0, 1 }, 0, "sched_wakeup_new" },
	{ LKST_ETYPE_EXCEPTION_PGFAULT, { 0, 0, 6ull << 32 }, 0,
	  "x86_exceptions_page_fault_kernel" },
	{ LKST_ETYPE_EXCEPTION_PGFAULT, { 0, 0, 1 }, 0, "x86_exceptions_page_fault_user" },
	{ LKST_ETYPE_INT_IPI_ENTRY, { 0xfd }, 0, "x86_irq_vectors_reschedule_entry" },
	{ LKST_ETYPE_INT_IPI_EXIT, { 0xfb }, 0, "x86_irq_vectors_call_function_single_exit" },
	{ LKST_ETYPE_INT_IPI_EXIT, { 0xf7 }, 0, "x86_irq_vectors_ipi_exit" },
	{ LKST_ETYPE_INT_IPI_EXIT, { UINT64_MAX }, 0, "x86_irq_vectors_ipi_exit" },
	{ LKST_ETYPE_INT_SOFTIRQ_ENTRY, { 3 }, 0, "irq_softirq_entry" },
};

TEST_EACH(test_variants, variants)
{
	static const char names[] = "# lkst_values 1\n"
				    "vec enum 0xfd RESCHEDULE\n"
				    "vec enum 0xfb CALL_FUNCTION_SINGLE\n"
				    "vec enum 0xf7 X86_PLATFORM_IPI\n";
	struct lkst_values *values = lkst_values_parse(names, strlen(names), "names", &err);
	const struct lkst_context context = { .values = values };
	struct lkst_event event = { .type = variants[_i].type, .machine = variants[_i].machine };
	char name[LTTNG_NAME_MAX];
	uint32_t variant;

	assert_made(values);
	memcpy(event.arg, variants[_i].arg, sizeof(variants[_i].arg));
	variant = lttng_variant(&context, &event);
	ck_assert_uint_lt(variant, LTTNG_VARIANTS_MAX);
	lttng_event_name(lttng_event_find(event.type), variant, name);
	ck_assert_str_eq(name, variants[_i].name);
	lkst_values_free(values);
}

/* ---- values ---- */

TEST(test_states)
{
	static const struct { char letter; uint64_t state, status; } states[] = {
		{ 'R', 0, 2 }, { 'S', 1, 5 }, { 'D', 2, 5 }, { 'T', 4, 0 }, { 't', 8, 0 },
		{ 'X', 64, 7 }, { 'Z', 64, 4 }, { 'P', 512, 0 }, { 'I', 1026, 5 }, { 0, 256, 0 },
	};

	for (int i = 0; i < NUM(states); i++) {
		ck_assert_uint_eq(lttng_state((unsigned char)states[i].letter), states[i].state);
		ck_assert_uint_eq(lttng_status((unsigned char)states[i].letter), states[i].status);
	}
	ck_assert_uint_eq(lttng_state('R' | 0x100), 0);
}

TEST(test_operations)
{
	ck_assert_uint_eq(lttng_rwbs("READ", 99), 4);
	ck_assert_uint_eq(lttng_rwbs("WRITE", 0), 1);
	ck_assert_uint_eq(lttng_rwbs("FLUSH", 0), 256);
	ck_assert_uint_eq(lttng_rwbs("DISCARD", 0), 2);
	ck_assert_uint_eq(lttng_rwbs("SECURE_ERASE", 0), 130);
	ck_assert_uint_eq(lttng_rwbs("ZONE_RESET", 0), 0);
	ck_assert_uint_eq(lttng_rwbs(NULL, 0), 4);
	ck_assert_uint_eq(lttng_rwbs(NULL, 1), 1);
	ck_assert_uint_eq(lttng_rwbs(NULL, 9), 0);
}
