// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of masksets. They use the running kernel's LKST.
 * maskset_select_test.c tests the selection of masksets.
 */
#include <linux/lkst_private.h>

#include "maskset_test.h"
#include "../memory/memory.h"
#include "../source/etype.h"

#define FREE_ETYPE	0x1ff	/* not registered */

static int write_body(lkst_maskset_id id, const struct lkst_maskset_body *body)
{
	struct lkst_maskset_param param = param_of(id, body, LKST_MASKSET_SIZE(body->len));

	return lkst_maskset_write(&param);
}

static void special_masksets_exist(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("nothing"), LKST_MASKSET_ID_RNOTHING);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("all"), LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("default"), LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("detailed"), LKST_MASKSET_ID_RDETAILED);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("1"), LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("3"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("-1"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("alle"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, status().maskset_num, 4);
}

static void names_are_found(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, PUT(B, "mine"), B);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id("mine"), B);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id("all"), LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id("min"), LKST_MASKSET_ID_VOID);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id(NULL), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(B), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id("mine"), LKST_MASKSET_ID_VOID);
}

static const char thirty_two[] = "12345678901234567890123456789012";

/* Cases that ioctl_errors.t does not test. */
static const struct write_case {
	const char *desc;
	lkst_maskset_id id;
	const char *name;
	unsigned int len;
	struct lkst_maskset_entry entry[ENTRIES_MAX];
	u64 size;
	int expected;
} write_cases[] = {
	{ "the highest unused id", LKST_MASKSET_ID_RDETAILED - 1, "new", 0, {},
	  LKST_MASKSET_SIZE(0), 0 },
	{ "a name of maximum length", A, thirty_two + 1, 0, {}, LKST_MASKSET_SIZE(0), 0 },
	{ "a size larger than needed", A, "new", 0, {}, U64_MAX, 0 },
	{ "masking the lowest and the highest type", A, "new", 2,
	  { { 0, 0 }, { 0xfff, 0 } }, LKST_MASKSET_SIZE(2), 0 },
	{ "id INT_MIN", INT_MIN, "new", 0, {}, LKST_MASKSET_SIZE(0), -EINVAL },
	{ "UINT_MAX entries", A, "new", UINT_MAX, {}, U64_MAX, -EINVAL },
	{ "recording user events to come", A, "new", 1,
	  { { LKST_ETYPE_USER_EVENTS_NEW, LOG } }, LKST_MASKSET_SIZE(1), 0 },
	{ "recording a user event that does not exist", A, "new", 1,
	  { { LKST_ETYPE_PROGRAM_MAX, LOG } }, LKST_MASKSET_SIZE(1), 0 },
	{ "a handler that does not exist for a user event", A, "new", 1,
	  { { LKST_ETYPE_PROGRAM_MAX, 0xff } }, LKST_MASKSET_SIZE(1), -EINVAL },
	{ "handler 0x10001", A, "new", 1,
	  { { LKST_ETYPE_USER_MARK, 0x10001 } }, LKST_MASKSET_SIZE(1), -EINVAL },
	{ "masking the same type twice", A, "new", 2,
	  { { FREE_ETYPE, 0 }, { FREE_ETYPE, 0 } }, LKST_MASKSET_SIZE(2), -EINVAL },
};

static void writing_new_masksets(struct kunit *test)
{
	u64 memory = lkst_memory_used();

	for (int i = 0; i < ARRAY_SIZE(write_cases); i++) {
		const struct write_case *row = &write_cases[i];
		struct small_body body = { .len = row->len };
		struct lkst_maskset_param param = param_of(row->id, &body, row->size);

		strscpy(body.name, row->name, sizeof(body.name));
		memcpy(body.entry, row->entry, sizeof(body.entry));
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_write(&param), row->expected, "%s",
				    row->desc);
		KUNIT_EXPECT_EQ_MSG(test, param.id, row->id, "%s", row->desc);
		if (!row->expected)
			KUNIT_EXPECT_EQ(test, lkst_maskset_delete(row->id), 0);
		KUNIT_EXPECT_EQ_MSG(test, lkst_memory_used(), memory, "%s", row->desc);
	}
}

static void free_ids_are_found(struct kunit *test)
{
	char name[16];

	for (int id = A; id < LKST_MASKSET_ID_RDETAILED; id++) {
		snprintf(name, sizeof(name), "m%d", id);
		KUNIT_ASSERT_EQ(test, PUT(LKST_MASKSET_ID_VOID, name), id);
	}
	KUNIT_EXPECT_EQ(test, status().maskset_num, LKST_MASKSET_ID_MAX + 1);
	KUNIT_EXPECT_EQ(test, PUT(LKST_MASKSET_ID_VOID, "more"), -EBUSY);
	/* Errors in the maskset itself take precedence over -EBUSY. */
	KUNIT_EXPECT_EQ(test, PUT(LKST_MASKSET_ID_VOID, ""), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(100), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(50), 0);
	KUNIT_EXPECT_EQ(test, PUT(LKST_MASKSET_ID_VOID, "more"), 50);
	KUNIT_EXPECT_EQ(test, PUT(LKST_MASKSET_ID_VOID, "most"), 100);
}

static void overwrite_keeps_or_changes_the_name(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, PUT(A, "first", { LKST_ETYPE_USER_MARK, LOG }), A);
	KUNIT_EXPECT_EQ(test, PUT(A, ""), A);
	KUNIT_EXPECT_STREQ(test, read_maskset(test, A)->name, "first");
	KUNIT_EXPECT_EQ(test, handler_of(test, A, LKST_ETYPE_USER_MARK), 0);
	KUNIT_EXPECT_EQ(test, PUT(A, "first"), A);
	KUNIT_EXPECT_EQ(test, PUT(A, "second"), A);
	KUNIT_EXPECT_STREQ(test, read_maskset(test, A)->name, "second");
	/* The old name is free again. */
	KUNIT_EXPECT_EQ(test, PUT(B, "first"), B);
	KUNIT_EXPECT_EQ(test, PUT(B, "second"), -EINVAL);
}

static void overwriting_the_current_maskset_takes_effect(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, PUT(A, "current", { LKST_ETYPE_USER_MARK, LOG },
				  { LKST_ETYPE_PROCESS_CONTEXTSWITCH, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_EXPECT_TRUE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, PUT(A, ""), A);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_FALSE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, PUT(A, "", { LKST_ETYPE_PROCESS_CONTEXTSWITCH, LOG }), A);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_TRUE(test, source_is_on());
	KUNIT_EXPECT_EQ(test, status().current_maskset_id, A);
	KUNIT_EXPECT_STREQ(test, lkst_maskset_current->name, "current");
}

/* The maskset with id 2 stays the default one, whatever is written to it. */
static void default_maskset_can_be_written(struct kunit *test)
{
	struct lkst_maskset_body *before = read_maskset(test, LKST_MASKSET_ID_RDEFAULT);
	u64 memory = lkst_memory_used();

	KUNIT_EXPECT_EQ(test, PUT(LKST_MASKSET_ID_RDEFAULT, "other"), LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("other"), LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(LKST_MASKSET_ID_RDEFAULT), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RALL), 0);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(LKST_MASKSET_ID_RDEFAULT), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 0);
	KUNIT_EXPECT_EQ(test, write_body(LKST_MASKSET_ID_RDEFAULT, before), 0);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), memory + sizeof(struct lkst_maskset));
}

/* "detailed" equals "default" apart from wait queues. It cannot be deleted. */
static void detailed_maskset_exists(struct kunit *test)
{
	const struct lkst_maskset_body *standard = read_maskset(test, LKST_MASKSET_ID_RDEFAULT);
	const struct lkst_maskset_body *detailed = read_maskset(test, LKST_MASKSET_ID_RDETAILED);

	KUNIT_ASSERT_EQ(test, standard->len, detailed->len);
	for (int i = 0; i < detailed->len; i++) {
		switch (detailed->entry[i].event_type) {
		case LKST_ETYPE_PROCESS_INIT_WQH:
		case LKST_ETYPE_PROCESS_ADD_WQ:
		case LKST_ETYPE_PROCESS_REM_WQ:
			KUNIT_EXPECT_EQ(test, standard->entry[i].id, LKST_EVHANDLER_ID_NONE);
			KUNIT_EXPECT_EQ(test, detailed->entry[i].id, LKST_EVHANDLER_ID_ENTRY_LOG);
			break;
		default:
			KUNIT_EXPECT_EQ(test, standard->entry[i].id, detailed->entry[i].id);
		}
	}
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(LKST_MASKSET_ID_RDETAILED), -EINVAL);
}

/*
 * Two user events. ENDED has ended before the test. UNUSED has never existed.
 */
#define ENDED	(LKST_ETYPE_PROGRAM_MAX - 1)
#define UNUSED	LKST_ETYPE_PROGRAM_MAX

/*
 * A user event without an entry has the handler of LKST_ETYPE_USER_EVENTS_NEW,
 * the entry for future user events. If the handler of an event that has ended
 * differs from that, the event has an entry, so that its handler stays the same
 * when the maskset is read and written back.
 */
static void user_events_to_come(struct kunit *test)
{
	static const struct {
		const char *desc;
		unsigned int len;
		struct lkst_maskset_entry entry[ENTRIES_MAX];
		int ended;
		int unused;
	} rows[] = {
		{ "nothing", 0, {}, 0, 0 },
		{ "events to come", 1, { { LKST_ETYPE_USER_EVENTS_NEW, LOG } }, LOG, LOG },
		{ "one event", 1, { { ENDED, LOG } }, LOG, 0 },
		{ "all but one event", 2,
		  { { ENDED, 0 }, { LKST_ETYPE_USER_EVENTS_NEW, LOG } }, 0, LOG },
		{ "the same in another order", 2,
		  { { LKST_ETYPE_USER_EVENTS_NEW, LOG }, { ENDED, 0 } }, 0, LOG },
		{ "an entry for an unused number", 1, { { UNUSED, LOG } }, 0, 0 },
		{ "masking an unused number", 2,
		  { { UNUSED, 0 }, { LKST_ETYPE_USER_EVENTS_NEW, LOG } }, LOG, LOG },
	};

	struct lkst_etype_program *program;

	program = lkst_etype_program_new(ENDED, "user_events:kunit", false, "", GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, program);
	lkst_etype_program_describe(ENDED, program);
	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		KUNIT_ASSERT_EQ_MSG(test, write_entries(A, "user", rows[i].len, rows[i].entry), A,
				    "%s", rows[i].desc);
		KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_handler(ENDED), rows[i].ended, "%s",
				    rows[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_handler(UNUSED), rows[i].unused, "%s",
				    rows[i].desc);
		KUNIT_EXPECT_EQ_MSG(test, handler_of(test, A, ENDED),
				    rows[i].ended == rows[i].unused ? -ENOENT : rows[i].ended, "%s",
				    rows[i].desc);
		KUNIT_EXPECT_EQ(test, handler_of(test, A, UNUSED), -ENOENT);
		KUNIT_EXPECT_EQ(test, write_body(A, read_maskset(test, A)), 0);
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_handler(ENDED), rows[i].ended, "%s",
				    rows[i].desc);
	}
	lkst_etype_program_describe(ENDED, NULL);
	KUNIT_EXPECT_FALSE(test, lkst_etype_known(ENDED));
}

static void memory_is_limited(struct kunit *test)
{
	u64 left = lkst_memory_max() - lkst_memory_used();
	const size_t size = sizeof(struct lkst_maskset);

	KUNIT_ASSERT_TRUE(test, lkst_memory_charge(left - size));
	KUNIT_EXPECT_EQ(test, PUT(A, "last"), A);
	KUNIT_EXPECT_EQ(test, lkst_memory_used(), lkst_memory_max());
	KUNIT_EXPECT_EQ(test, PUT(B, "more"), -ENOMEM);
	KUNIT_EXPECT_EQ(test, PUT(A, "renamed"), -ENOMEM);
	KUNIT_EXPECT_EQ(test, PUT(B, "all"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_get_id("last"), A);
	KUNIT_EXPECT_EQ(test, status().maskset_num, 5);
	lkst_memory_uncharge(left - size);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(A), 0);
	KUNIT_EXPECT_EQ(test, lkst_memory_max() - lkst_memory_used(), left);
}

static void endless_pairings_are_refused(struct kunit *test)
{
	static const struct {
		int etype;
		int id;
		int overflow;
		bool allowed;
	} rows[] = {
		{ 0x07f, LOG, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, true },
		{ 0x080, LOG, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, false },
		{ 0x088, LOG, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, false },
		{ 0x08f, LOG, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, false },
		{ 0x090, LOG, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, true },
		{ 0x080, LOG, LKST_EVHANDLER_ID_BUFFER_SHIFT, true },
		{ 0x08f, LOG, LKST_EVHANDLER_ID_ENTRY_LOG, true },
		{ 0x088, LOG, LKST_EVHANDLER_ID_NONE, true },
		/*
		 * Waking the daemon takes locks. With a handler that wakes it,
		 * each lock event would cause another one.
		 */
		{ 0x07f, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, LOG, true },
		{ 0x080, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, LOG, false },
		{ 0x08f, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, LOG, false },
		{ 0x080, LKST_EVHANDLER_ID_BUFFER_SHIFT, LOG, true },
		{ 0x01b, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, LOG, !IS_ENABLED(CONFIG_X86) },
		{ 0x01c, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, LOG, !IS_ENABLED(CONFIG_X86) },
		{ 0x0c6, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW, LOG, false },
		/*
		 * A jump sends requests to other CPUs, and each request causes
		 * an interrupt there.
		 */
		{ 0x07f, LKST_EVHANDLER_ID_BUFFER_JUMP, LOG, true },
		{ 0x080, LKST_EVHANDLER_ID_BUFFER_JUMP, LOG, false },
		{ 0x01b, LKST_EVHANDLER_ID_BUFFER_JUMP, LOG, !IS_ENABLED(CONFIG_X86) },
		{ 0x0c6, LKST_EVHANDLER_ID_BUFFER_JUMP, LOG, false },
		{ 0x080, LOG, LKST_EVHANDLER_ID_BUFFER_JUMP, false },
		/*
		 * A handler that stops recording cannot cause events endlessly.
		 */
		{ 0x080, LKST_EVHANDLER_ID_STOP_AFTER, LOG, true },
		{ 0x01b, LKST_EVHANDLER_ID_STOP_AFTER, LKST_EVHANDLER_ID_STOP_AFTER, true },
	};
	u16 *handler = test_alloc(test, LKST_ETYPE_NUM * sizeof(*handler));

	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		handler[LKST_ETYPE_LKST_BUFF_OVFLOW] = rows[i].overflow;
		handler[rows[i].etype] = rows[i].id;
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_pairing_allowed(handler), rows[i].allowed,
				    "0x%03x", rows[i].etype);
		handler[rows[i].etype] = LKST_EVHANDLER_ID_NONE;
	}
}

static struct kunit_case maskset_test_cases[] = {
	KUNIT_CASE(special_masksets_exist),
	KUNIT_CASE(names_are_found),
	KUNIT_CASE(writing_new_masksets),
	KUNIT_CASE(free_ids_are_found),
	KUNIT_CASE(overwrite_keeps_or_changes_the_name),
	KUNIT_CASE(overwriting_the_current_maskset_takes_effect),
	KUNIT_CASE(default_maskset_can_be_written),
	KUNIT_CASE(detailed_maskset_exists),
	KUNIT_CASE(user_events_to_come),
	KUNIT_CASE(memory_is_limited),
	KUNIT_CASE(endless_pairings_are_refused),
	{}
};

LKST_TEST_SUITE("lkst-maskset", maskset_test_cases, .exit = forget_masksets);
