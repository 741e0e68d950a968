// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of masksets. They use the running LKST. maskset_select_test.c
 * tests the selection of masksets.
 */
#include <linux/lkst_private.h>

#include "maskset_test.h"
#include "../memory/memory.h"
#include "../source/source.h"
#include "../memory/static_buffer.h"

/* Numbers that are not used by any event type or handler. */
#define FREE_ETYPE	0x1ff
#define FREE_HANDLER	0xfff

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
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("1"), LKST_MASKSET_ID_RALL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("3"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("-1"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word("alle"), -EINVAL);
	KUNIT_EXPECT_EQ(test, lkst_maskset_by_word(""), -EINVAL);
	KUNIT_EXPECT_EQ(test, status().maskset_num, 3);
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

static const struct write_case {
	const char *what;
	lkst_maskset_id id;
	const char *name;
	unsigned int len;
	struct lkst_maskset_entry entry[ENTRIES_MAX];
	u64 size;		/* 0: just enough for the entries */
	int want;
} write_cases[] = {
	{ "a new maskset", A, "new", 1, { { LKST_ETYPE_USER_MARK, LOG } }, 0, 0 },
	{ "the highest id", LKST_MASKSET_ID_MAX, "new", 0, {}, 0, 0 },
	{ "a name of maximum length", A, thirty_two + 1, 0, {}, 0, 0 },
	{ "a size larger than needed", A, "new", 0, {}, U64_MAX, 0 },
	{ "two masked types", A, "new", 2,
	  { { LKST_ETYPE_USER_MARK, 0 }, { LKST_ETYPE_LKST_INIT, 0 } }, 0, 0 },
	{ "masking an unregistered type", A, "new", 1, { { FREE_ETYPE, 0 } }, 0, 0 },
	{ "masking type 0", A, "new", 1, { { 0, 0 } }, 0, 0 },
	{ "masking the highest type", A, "new", 1, { { 0xfff, 0 } }, 0, 0 },
	{ "shift on overflow", A, "new", 2,
	  { { LKST_ETYPE_LKST_BUFF_OVFLOW, LKST_EVHANDLER_ID_BUFFER_SHIFT_DW },
	    { LKST_ETYPE_LOCK_MIN, 0 } }, 0, 0 },

	{ "id of maskset nothing", LKST_MASKSET_ID_RNOTHING, "new", 0, {}, 0, -EINVAL },
	{ "id of maskset all", LKST_MASKSET_ID_RALL, "new", 0, {}, 0, -EINVAL },
	{ "id -1", -1, "new", 0, {}, 0, -EINVAL },
	{ "id 256", 256, "new", 0, {}, 0, -EINVAL },
	{ "id INT_MIN", INT_MIN, "new", 0, {}, 0, -EINVAL },
	{ "id INT_MAX", INT_MAX, "new", 0, {}, 0, -EINVAL },
	{ "no name", A, "", 0, {}, 0, -EINVAL },
	{ "no name, any id", LKST_MASKSET_ID_VOID, "", 0, {}, 0, -EINVAL },
	{ "the name of another maskset", A, "default", 0, {}, 0, -EINVAL },
	{ "the name of another maskset, any id", LKST_MASKSET_ID_VOID, "all", 0, {}, 0, -EINVAL },
	{ "a name without a final NUL", A, thirty_two, 0, {}, 0, -EINVAL },
	{ "a size of 1", A, "new", 0, {}, 1, -EINVAL },
	{ "a size too small for the length", A, "new", 0, {}, LKST_MASKSET_SIZE(0) - 1, -EINVAL },
	{ "a size too small for an entry", A, "new", 2,
	  { { LKST_ETYPE_USER_MARK, LOG }, { LKST_ETYPE_LKST_INIT, LOG } },
	  LKST_MASKSET_SIZE(2) - 1, -EINVAL },
	{ "too many entries", A, "new", LKST_MASKSET_TABLE_LEN_MAX + 1, {}, U64_MAX, -EINVAL },
	{ "UINT_MAX entries", A, "new", UINT_MAX, {}, U64_MAX, -EINVAL },
	{ "type -1", A, "new", 1, { { -1, 0 } }, 0, -EINVAL },
	{ "type 0x1000", A, "new", 1, { { LKST_ETYPE_NUM, 0 } }, 0, -EINVAL },
	{ "type INT_MAX", A, "new", 1, { { INT_MAX, LOG } }, 0, -EINVAL },
	{ "handler -1", A, "new", 1, { { LKST_ETYPE_USER_MARK, -1 } }, 0, -EINVAL },
	{ "handler VOID", A, "new", 1,
	  { { LKST_ETYPE_USER_MARK, LKST_EVHANDLER_ID_VOID } }, 0, -EINVAL },
	{ "handler 0x10001", A, "new", 1, { { LKST_ETYPE_USER_MARK, 0x10001 } }, 0, -EINVAL },
	{ "an unregistered handler", A, "new", 1,
	  { { LKST_ETYPE_USER_MARK, FREE_HANDLER } }, 0, -EINVAL },
	{ "an unregistered handler in the last entry", A, "new", 3,
	  { { LKST_ETYPE_USER_MARK, LOG }, { LKST_ETYPE_LKST_INIT, LOG },
	    { LKST_ETYPE_LKST_CLOCK, FREE_HANDLER } }, 0, -EINVAL },
	{ "recording an unregistered type", A, "new", 1, { { FREE_ETYPE, LOG } }, 0, -EINVAL },
	{ "the same type twice", A, "new", 2,
	  { { LKST_ETYPE_USER_MARK, LOG }, { LKST_ETYPE_USER_MARK, LOG } }, 0, -EINVAL },
	{ "masking the same type twice", A, "new", 3,
	  { { FREE_ETYPE, 0 }, { LKST_ETYPE_USER_MARK, 0 }, { FREE_ETYPE, 0 } }, 0, -EINVAL },
};

static struct lkst_maskset_param case_param(const struct write_case *row, struct small_body *body)
{
	*body = (struct small_body) { .len = row->len };
	memcpy(body->name, row->name, min(strlen(row->name), sizeof(body->name)));
	memcpy(body->entry, row->entry, sizeof(body->entry));
	return param_of(row->id, body, row->size ?: LKST_MASKSET_SIZE(row->len));
}

static void writing_new_masksets(struct kunit *test)
{
	struct lkst_maskset_param param;
	struct small_body body;
	u64 memory = lkst_memory_used();

	for (int i = 0; i < ARRAY_SIZE(write_cases); i++) {
		const struct write_case *row = &write_cases[i];

		param = case_param(row, &body);
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_write(&param), row->want, "%s", row->what);
		KUNIT_EXPECT_EQ_MSG(test, param.id, row->id, "%s", row->what);
		KUNIT_EXPECT_EQ_MSG(test, status().maskset_num, row->want ? 3 : 4, "%s", row->what);
		if (!row->want)
			KUNIT_EXPECT_EQ(test, lkst_maskset_delete(row->id), 0);
		KUNIT_EXPECT_EQ_MSG(test, lkst_memory_used(), memory, "%s", row->what);
	}
	param = param_of(A, NULL, LKST_MASKSET_SIZE(0));
	KUNIT_EXPECT_EQ(test, lkst_maskset_write(&param), -EINVAL);
}

/* If overwriting fails, the old maskset is unchanged. */
static void failed_overwrite_changes_nothing(struct kunit *test)
{
	struct lkst_maskset_param param;
	struct lkst_maskset_body *before;
	struct small_body body;

	KUNIT_ASSERT_EQ(test, PUT(A, "before", { LKST_ETYPE_USER_MARK, LOG },
				  { LKST_ETYPE_LKST_INIT, LKST_EVHANDLER_ID_STATIC_LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set(A), 0);
	before = read_maskset(test, A);
	for (int i = 0; i < ARRAY_SIZE(write_cases); i++) {
		const struct write_case *row = &write_cases[i];

		if (!row->want || row->id != A || !*row->name)
			continue;
		param = case_param(row, &body);
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_write(&param), -EINVAL, "%s", row->what);
		KUNIT_EXPECT_EQ_MSG(test, memcmp(read_maskset(test, A), before, sizeof(*before)), 0,
				    "%s", row->what);
	}
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
}

static void free_ids_are_found(struct kunit *test)
{
	char name[16];

	for (int id = A; id <= LKST_MASKSET_ID_MAX; id++) {
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

static void what_was_read_can_be_written_back(struct kunit *test)
{
	struct lkst_maskset_body *body, *copy;
	lkst_maskset_id id;

	for (id = 0; id <= LKST_MASKSET_ID_RDEFAULT; id++) {
		body = read_maskset(test, id);
		strscpy(body->name, "copy", sizeof(body->name));
		KUNIT_EXPECT_EQ(test, write_body(A, body), 0);
		copy = read_maskset(test, A);
		KUNIT_EXPECT_EQ(test, memcmp(body, copy, LKST_MASKSET_SIZE_MAX), 0);
	}
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

/* Whatever is written to it, the maskset with id 2 stays the default one. */
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
	KUNIT_EXPECT_EQ(test, status().maskset_num, 4);
	lkst_memory_uncharge(left - size);
	KUNIT_EXPECT_EQ(test, lkst_maskset_delete(A), 0);
	KUNIT_EXPECT_EQ(test, lkst_memory_max() - lkst_memory_used(), left);
}

static void deleting(struct kunit *test)
{
	static const struct {
		lkst_maskset_id id;
		int want;
	} rows[] = {
		{ LKST_MASKSET_ID_RNOTHING, -EINVAL }, { LKST_MASKSET_ID_RALL, -EINVAL },
		{ LKST_MASKSET_ID_RDEFAULT, -EINVAL }, { A, -EBUSY }, { C, -EINVAL },
		{ -1, -EINVAL }, { LKST_MASKSET_ID_VOID, -EINVAL }, { INT_MAX, -EINVAL },
		{ B, 0 }, { B, -EINVAL },
	};

	KUNIT_ASSERT_EQ(test, PUT(A, "a", { LKST_ETYPE_USER_MARK, LOG }), A);
	KUNIT_ASSERT_EQ(test, PUT(B, "b"), B);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set(A), 0);
	for (int i = 0; i < ARRAY_SIZE(rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_delete(rows[i].id), rows[i].want, "id %d",
				    rows[i].id);
	KUNIT_EXPECT_EQ(test, marks_recorded(), 1);
	KUNIT_EXPECT_EQ(test, lkst_maskset_set(B), -EINVAL);
}

static void reading(struct kunit *test)
{
	struct lkst_maskset_body *body = read_maskset(test, LKST_MASKSET_ID_RALL);
	size_t size = LKST_MASKSET_SIZE(body->len);
	struct lkst_maskset_param param = param_of(LKST_MASKSET_ID_VOID, body, size);
	struct lkst_maskset_param bad[] = {
		param_of(LKST_MASKSET_ID_RALL, body, size - 1),
		param_of(LKST_MASKSET_ID_RALL, body, LKST_MASKSET_SIZE(0) - 1),
		param_of(LKST_MASKSET_ID_RALL, NULL, size),
		param_of(A, body, size),
		param_of(-1, body, size),
	};

	KUNIT_EXPECT_STREQ(test, body->name, "all");
	for (int i = 1; i < body->len; i++)
		KUNIT_EXPECT_LT(test, body->entry[i - 1].event_type, body->entry[i].event_type);
	KUNIT_EXPECT_EQ(test, lkst_maskset_read(&param), 0);
	KUNIT_EXPECT_EQ(test, param.id, LKST_MASKSET_ID_RDEFAULT);
	KUNIT_EXPECT_STREQ(test, body->name, "default");

	for (int i = 0; i < ARRAY_SIZE(bad); i++)
		KUNIT_EXPECT_EQ_MSG(test, lkst_maskset_read(&bad[i]), -EINVAL, "row %d", i);
}

static int list(struct lkst_maskset_listparam *param, void *area, u64 size)
{
	*param = (struct lkst_maskset_listparam) {
		.listent = (unsigned long)area,
		.listent_size = size,
	};
	return lkst_maskset_list(param);
}

static void listing(struct kunit *test)
{
	static const lkst_maskset_id ids[] = { 0, 1, 2, B, LKST_MASKSET_ID_MAX };
	struct lkst_maskset_listent entries[ARRAY_SIZE(ids) + 1];
	struct lkst_maskset_listparam param;
	int i;

	KUNIT_ASSERT_EQ(test, PUT(LKST_MASKSET_ID_MAX, "last"), LKST_MASKSET_ID_MAX);
	KUNIT_ASSERT_EQ(test, PUT(B, thirty_two + 1), B);
	memset(entries, 0xff, sizeof(entries));
	KUNIT_EXPECT_EQ(test, list(&param, entries, sizeof(entries)), 0);
	KUNIT_EXPECT_EQ(test, param.current_id, LKST_MASKSET_ID_RDEFAULT);
	for (i = 0; i < ARRAY_SIZE(ids); i++) {
		KUNIT_EXPECT_EQ(test, entries[i].id, ids[i]);
		KUNIT_EXPECT_EQ(test, entries[i].len, read_maskset(test, ids[i])->len);
		KUNIT_EXPECT_STREQ(test, entries[i].name, read_maskset(test, ids[i])->name);
	}
	KUNIT_EXPECT_EQ(test, entries[i].id, -1);

	memset(entries, 0xff, sizeof(entries));
	KUNIT_EXPECT_EQ(test, list(&param, entries, LKST_MASKSET_LISTENT_SIZE(2) - 1), 0);
	KUNIT_EXPECT_EQ(test, entries[0].id, 0);
	KUNIT_EXPECT_EQ(test, entries[1].id, -1);
	KUNIT_EXPECT_EQ(test, list(&param, entries, 0), 0);
	KUNIT_EXPECT_EQ(test, list(&param, NULL, sizeof(entries)), -EINVAL);
	KUNIT_EXPECT_EQ(test, list(&param, entries, -1), -EINVAL);
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
		 * A jump sends requests to other CPUs, which raise interrupts.
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

/* Simulate a kernel that lacks a tracepoint. */
static void absent_type_cannot_be_recorded(struct kunit *test)
{
	struct lkst_source *source = &lkst_sources_irq[0];
	struct tracepoint *tp = source->tp;

	KUNIT_ASSERT_EQ(test, source->etypes[0], LKST_ETYPE_INT_HARDWARE_ENTRY);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RNOTHING), 0);
	source->tp = NULL;
	KUNIT_EXPECT_EQ(test, PUT(A, "a", { LKST_ETYPE_INT_HARDWARE_ENTRY, LOG }), -EINVAL);
	KUNIT_EXPECT_EQ(test, PUT(A, "a", { LKST_ETYPE_INT_HARDWARE_ENTRY, 0 }), A);
	source->tp = tp;
	KUNIT_EXPECT_EQ(test, PUT(A, "a", { LKST_ETYPE_INT_HARDWARE_ENTRY, LOG }), A);
}

static void static_buffer_counts_records(struct kunit *test)
{
	u64 next = lkst_static_buffer_next();

	/* At least LKST_INIT has been recorded. */
	KUNIT_EXPECT_GE(test, next, 1);
	lkst_evhandlers[LKST_EVHANDLER_ID_STATIC_LOG]->func(NULL, LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	KUNIT_EXPECT_EQ(test, lkst_static_buffer_next(), next + 1);
}

static struct kunit_case maskset_test_cases[] = {
	KUNIT_CASE(special_masksets_exist),
	KUNIT_CASE(names_are_found),
	KUNIT_CASE(writing_new_masksets),
	KUNIT_CASE(failed_overwrite_changes_nothing),
	KUNIT_CASE(free_ids_are_found),
	KUNIT_CASE(overwrite_keeps_or_changes_the_name),
	KUNIT_CASE(what_was_read_can_be_written_back),
	KUNIT_CASE(overwriting_the_current_maskset_takes_effect),
	KUNIT_CASE(default_maskset_can_be_written),
	KUNIT_CASE(memory_is_limited),
	KUNIT_CASE(deleting),
	KUNIT_CASE(reading),
	KUNIT_CASE(listing),
	KUNIT_CASE(endless_pairings_are_refused),
	KUNIT_CASE(absent_type_cannot_be_recorded),
	KUNIT_CASE(static_buffer_counts_records),
	{}
};

LKST_TEST_SUITE("lkst-maskset", maskset_test_cases, .exit = forget_masksets);
