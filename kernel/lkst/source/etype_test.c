// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the event types and hooks of modules, and of the table of
 * event types. The tests of the table find mistakes in new rows.
 */
#include <linux/string.h>
#include <linux/lkst_hook.h>
#include <linux/lkst_private.h>

#include "../base/compat.h"
#include "etype.h"
#include "../dispatch/maskset_test.h"
#include "source.h"

static const char *const formats[] = {
	"dec", "udec", "hex", "ptr", "sym", "text", "tid", "state", "sig", "err", "sys", "abi",
	"clone", "wstatus", "irq", "vec", "trap", "softirq", "pfcode", "fault", "gfp", "migrate",
	"dev", "blkop", "etype", "drop", "tcp", "af", "ipproto", "ipcflg", "msgflg", "shmflg",
	"lcb", "level", "detector", "lockup", "reg", "dump", "cpu", "clock", "sec", "nsec",
	"mset", "evh", "buf", "code", "chain",
};

/* Whether @len characters at @field are a valid "label:format". */
static bool field_is_good(const char *field, size_t len)
{
	const char *colon = memchr(field, ':', len);

	if (!colon || colon == field)
		return false;
	len -= colon + 1 - field;
	for (unsigned int i = 0; i < ARRAY_SIZE(formats); i++)
		if (strlen(formats[i]) == len && !memcmp(formats[i], colon + 1, len))
			return true;
	return false;
}

static void arguments_have_known_formats(struct kunit *test)
{
	for (int etype = 0; etype < LKST_ETYPE_NUM; etype++) {
		for (int i = 0; lkst_etypes_builtin[etype] && i < 4; i++) {
			const char *arg = lkst_etypes_builtin[etype]->args[i];
			const char *comma = strchrnul(arg, ',');

			if (!*arg)
				continue;
			KUNIT_EXPECT_TRUE_MSG(test, field_is_good(arg, comma - arg),
					      "0x%03x %s", etype, arg);
			if (*comma)
				KUNIT_EXPECT_TRUE_MSG(test,
						      field_is_good(comma + 1, strlen(comma + 1)),
						      "0x%03x %s", etype, arg);
		}
	}
}

static void names_are_unique(struct kunit *test)
{
	for (int a = 0; a < LKST_ETYPE_NUM; a++) {
		if (!lkst_etypes_builtin[a])
			continue;
		for (int b = 0; b < a; b++) {
			if (!lkst_etypes_builtin[b])
				continue;
			KUNIT_EXPECT_STRNEQ(test, lkst_etypes_builtin[a]->name,
					    lkst_etypes_builtin[b]->name);
			KUNIT_EXPECT_STRNEQ(test, lkst_etypes_builtin[a]->mnemonic,
					    lkst_etypes_builtin[b]->mnemonic);
		}
	}
}

static void numbers_out_of_range_are_not_registered(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(-1));
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(0));
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(LKST_ETYPE_NUM));
	KUNIT_EXPECT_TRUE(test, lkst_etype_registered(LKST_ETYPE_PROCESS_CONTEXTSWITCH));
}

/*
 * Event types that exist only in some configurations, and whether they exist in
 * this one.
 */
static const struct {
	int first;
	int last;
	bool present;
} conditions[] = {
	{ LKST_ETYPE_SYSCALL_ENTRY, LKST_ETYPE_SYSCALL_PATH,
	  IS_ENABLED(CONFIG_HAVE_SYSCALL_TRACEPOINTS) },
	{ LKST_ETYPE_PROCESS_BLOCK, LKST_ETYPE_RULE_STACK, IS_ENABLED(CONFIG_STACKTRACE) },
	{ LKST_ETYPE_NET_PKTSEND, LKST_ETYPE_NET_SOCKSTATE, IS_ENABLED(CONFIG_NET) },
	{ LKST_ETYPE_IPC_SEMGET, LKST_ETYPE_IPC_SHMDT, IS_ENABLED(CONFIG_SYSVIPC) },
	{ LKST_ETYPE_LOCK_SPIN_LOCK, LKST_ETYPE_LOCK_WRITE_UNLOCK,
	  IS_ENABLED(CONFIG_LKST_LOCK_EVENTS) },
	{ LKST_ETYPE_BLOCK_ISSUE, LKST_ETYPE_BLOCK_COMPLETE, IS_ENABLED(CONFIG_BLOCK) },
	{ LKST_ETYPE_OOPS_LOCKUP, LKST_ETYPE_OOPS_LOCKUP,
	  IS_ENABLED(CONFIG_LOCKUP_DETECTOR) || IS_ENABLED(CONFIG_DETECT_HUNG_TASK) ||
	  IS_ENABLED(CONFIG_TREE_RCU) },
	{ LKST_ETYPE_OOPS_PRINTK, LKST_ETYPE_OOPS_MESSAGE, IS_ENABLED(CONFIG_PRINTK) },
	{ LKST_ETYPE_CPU_IPI_SEND, LKST_ETYPE_CPU_IPI_SEND, LKST_HAVE_IPI_SEND_CPU },
	{ LKST_ETYPE_MODULE_LOAD, LKST_ETYPE_MODULE_FREE, IS_ENABLED(CONFIG_MODULES) },
};

static bool is_expected(int etype)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(conditions); i++)
		if (etype >= conditions[i].first && etype <= conditions[i].last)
			return conditions[i].present;
	return true;
}

static void every_type_has_a_source(struct kunit *test)
{
	for (int etype = 0; etype < LKST_ETYPE_NUM; etype++)
		if (lkst_etypes_builtin[etype])
			KUNIT_EXPECT_EQ_MSG(test, lkst_source_present(etype), is_expected(etype),
					    "0x%03x %s", etype, lkst_etypes_builtin[etype]->name);
}

LKST_ETYPE_DEF_MODULE(0x100, NORMAL, TEST_HOOKED, "an event of a test", "one:dec", "two", "", "")
LKST_ETYPE_DEF_MODULE(0x1ff, UNDEF, TEST_BARE, "no hook", "", "", "", "")

/* How many times store_event() was called, and the last event it received. */
static struct {
	unsigned int num;
	int etype;
	lkst_arg_t arg[4];
} seen;

static void store_event(void *phookrec, int event_type, lkst_arg_t log_arg1, lkst_arg_t log_arg2,
			lkst_arg_t log_arg3, lkst_arg_t log_arg4)
{
	seen.num++;
	seen.etype = event_type;
	seen.arg[0] = log_arg1;
	seen.arg[1] = log_arg2;
	seen.arg[2] = log_arg3;
	seen.arg[3] = log_arg4;
}

static unsigned int evaluated;

static int evaluate(void)
{
	evaluated++;
	return -5;
}

/* Cause an event at a hook. */
static void cause_event(void)
{
	LKST_HOOK(TEST_HOOKED, LKST_ARG(evaluate()), LKST_ARG32(-1, 2), LKST_ARGP(&seen),
		  LKST_ARG(~0ULL));
}

static bool hook_is_on(void)
{
	return static_key_enabled(&LKST_ETYPE_HEADER(TEST_HOOKED).key);
}

/* Return the line of /proc/lkst_etypes that begins with @number, or "". */
static const char *line_of(struct kunit *test, const char *number)
{
	char *text = text_of_file(test, lkst_etypes_show), *line;

	while ((line = strsep(&text, "\n")))
		if (!strncmp(line, number, strlen(number)))
			return line;
	return "";
}

/*
 * If the table says that a type has no hook, no hook may be among its sources.
 */
static void types_without_hook_have_no_hook_source(struct kunit *test)
{
	char *text = text_of_file(test, lkst_etypes_show), *line;
	char hook[16], source[128];
	unsigned int num = 0;

	while ((line = strsep(&text, "\n"))) {
		if (sscanf(line, "%*s %*s %15s %127s", hook, source) != 2 || strcmp(hook, "UNDEF"))
			continue;
		KUNIT_EXPECT_FALSE_MSG(test, strstr(source, "hook"), "%s", line);
		num++;
	}
	KUNIT_EXPECT_GT(test, num, 0);
}

static void unregistered_type_is_shown_as_absent(struct kunit *test)
{
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x1ff"), "");
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(LKST_ETYPE_TEST_BARE));
	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_BARE)), 0x1ff);
	KUNIT_EXPECT_TRUE(test, lkst_etype_registered(LKST_ETYPE_TEST_BARE));
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x1ff"),
			   "0x1ff TEST_BARE UNDEF - present \"no hook\" \"\" \"\" \"\" \"\"");
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_BARE));
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(LKST_ETYPE_TEST_BARE));
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x1ff"),
			   "0x1ff TEST_BARE UNDEF - absent \"no hook\" \"\" \"\" \"\" \"\"");
}

static void texts_are_copied(struct kunit *test)
{
	char name[] = "first", arg[] = "one:dec", mnemonic[] = "TEST_COPY";
	struct lkst_etype_info first = {
		.etype = 0x101,
		.mnemonic = mnemonic,
		.name = name,
		.args = { arg, "", "", "" },
	};
	struct lkst_etype_info second = {
		.etype = 0x101,
		.hook = &LKST_ETYPE_HEADER(TEST_HOOKED),
		.mnemonic = "TEST_2ND",
		.name = "caf\xc3\xa9",
		.args = { "", "a b", "c,d:dec", "" },
	};

	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&first), 0x101);
	memset(name, 'x', sizeof(name));
	memset(arg, 'x', sizeof(arg));
	memset(mnemonic, 'x', sizeof(mnemonic));
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x101"),
			   "0x101 TEST_COPY UNDEF - present \"first\" \"one:dec\" \"\" \"\" \"\"");
	lkst_hook_etype_unregister(&first);
	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&second), 0x101);
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x101"),
			   "0x101 TEST_2ND MODULE hook present \"caf\xc3\xa9\" \"\" \"a b\" \"c,d:dec\" \"\"");
	lkst_hook_etype_unregister(&second);
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x101"),
			   "0x101 TEST_2ND MODULE hook absent \"caf\xc3\xa9\" \"\" \"a b\" \"c,d:dec\" \"\"");
}

static void hook_types_are_shown(struct kunit *test)
{
	static const struct {
		const char *hook_type;
		const char *shown;
	} rows[] = {
		{ NULL, "MODULE" }, { "NORMAL", "NORMAL" }, { "MODULE", "MODULE" },
		{ "INLINE", "INLINE" },
	};
	struct lkst_etype_info info = {
		.etype = 0x103,
		.hook = &LKST_ETYPE_HEADER(TEST_HOOKED),
		.mnemonic = "TEST_HOOK_TYPE",
		.name = "hook",
		.args = { "", "", "", "" },
	};
	char line[80];

	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		info.hook_type = rows[i].hook_type;
		KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&info), 0x103);
		snprintf(line, sizeof(line),
			 "0x103 TEST_HOOK_TYPE %s hook present \"hook\" \"\" \"\" \"\" \"\"",
			 rows[i].shown);
		KUNIT_EXPECT_STREQ(test, line_of(test, "0x103"), line);
		lkst_hook_etype_unregister(&info);
	}
	KUNIT_EXPECT_STREQ(test, LKST_ETYPE_INFO(TEST_HOOKED).hook_type, "NORMAL");
	info.hook_type = "OTHER";
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&info), -EINVAL);
}

static void bad_types_are_refused(struct kunit *test)
{
	static const struct {
		const char *desc;
		struct lkst_etype_info info;
	} rows[] = {
#define ROW(desc, etype, mnemonic, name, arg)						\
		{ desc, { etype, NULL, {}, mnemonic, name, { "", arg, "", "" } } }
		ROW("below the range", 0x0ff, "M", "n", ""),
		ROW("above the range", 0x200, "M", "n", ""),
		ROW("one of LKST's own types", LKST_ETYPE_LKST_INIT, "M", "n", ""),
		ROW("type 0", 0, "M", "n", ""),
		ROW("type -1", -1, "M", "n", ""),
		ROW("type INT_MAX", INT_MAX, "M", "n", ""),
		ROW("no mnemonic", 0x102, NULL, "n", ""),
		ROW("an empty mnemonic", 0x102, "", "n", ""),
		ROW("a mnemonic with a blank", 0x102, "M N", "n", ""),
		ROW("a mnemonic with a line end", 0x102, "M\n", "n", ""),
		ROW("a mnemonic with a non-ASCII letter", 0x102, "\xc4", "n", ""),
		ROW("no name", 0x102, "M", NULL, ""),
		ROW("an empty name", 0x102, "M", "", ""),
		ROW("a name with a quotation mark", 0x102, "M", "n\"", ""),
		ROW("a name with a backslash", 0x102, "M", "n\\", ""),
		ROW("a name with a line end", 0x102, "M", "a\nb", ""),
		ROW("a name with an escape", 0x102, "M", "a\33b", ""),
		ROW("no argument", 0x102, "M", "n", NULL),
		ROW("an argument with a quotation mark", 0x102, "M", "n", "\""),
		ROW("an argument with a tab", 0x102, "M", "n", "\t"),
#undef ROW
	};
	struct lkst_etype_info info;
	char *text = test_alloc(test, 257);

	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(NULL), -EINVAL);
	for (int i = 0; i < ARRAY_SIZE(rows); i++) {
		info = rows[i].info;
		KUNIT_EXPECT_EQ_MSG(test, lkst_hook_etype_register(&info), -EINVAL, "%s",
				    rows[i].desc);
	}
	memset(text, 'x', 256);
	info = (struct lkst_etype_info) { 0x102, NULL, {}, "M", text, { "", "", "", "" } };
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&info), -EINVAL);
	info = (struct lkst_etype_info) { 0x102, NULL, {}, text, "n", { "", "", "", "" } };
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&info), -EINVAL);
	KUNIT_EXPECT_STREQ(test, line_of(test, "0x102"), "");
	text[255] = 0;
	info = (struct lkst_etype_info) { 0x102, NULL, {}, text, text, { text, text, text, text } };
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&info), 0x102);
	lkst_hook_etype_unregister(&info);
}

static void number_in_use_is_refused(struct kunit *test)
{
	struct lkst_etype_info other = LKST_ETYPE_INFO(TEST_HOOKED);

	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_HOOKED)), 0x100);
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_HOOKED)), -EBUSY);
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&other), -EBUSY);
	/*
	 * Unregistering "other", which could not be registered, must not remove
	 * the event type that has the same number.
	 */
	lkst_hook_etype_unregister(&other);
	lkst_hook_etype_unregister(NULL);
	KUNIT_EXPECT_TRUE(test, lkst_etype_registered(0x100));
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_HOOKED));
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_HOOKED));
	KUNIT_EXPECT_FALSE(test, lkst_etype_registered(0x100));
	KUNIT_EXPECT_EQ(test, lkst_hook_etype_register(&other), 0x100);
	lkst_hook_etype_unregister(&other);
	other.etype = LKST_ETYPE_PROCESS_FORK;
	lkst_hook_etype_unregister(&other);
	KUNIT_EXPECT_TRUE(test, lkst_etype_registered(LKST_ETYPE_PROCESS_FORK));
}

static void hook_is_on_while_recorded(struct kunit *test)
{
	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_HOOKED)), 0x100);
	KUNIT_EXPECT_FALSE(test, hook_is_on());
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RALL), 0);
	KUNIT_EXPECT_TRUE(test, hook_is_on());
	KUNIT_EXPECT_EQ(test, lkst_trc_stop_wait(), 0);
	KUNIT_EXPECT_FALSE(test, hook_is_on());
	KUNIT_EXPECT_EQ(test, lkst_trc_start_wait(), 0);
	KUNIT_EXPECT_TRUE(test, hook_is_on());
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_HOOKED));
	KUNIT_EXPECT_FALSE(test, hook_is_on());

	/*
	 * While the maskset "all" is selected, a new type is recorded
	 * immediately.
	 */
	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_HOOKED)), 0x100);
	KUNIT_EXPECT_TRUE(test, hook_is_on());
	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	KUNIT_EXPECT_FALSE(test, hook_is_on());
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_HOOKED));
}

static void hook_passes_its_arguments(struct kunit *test)
{
	int handler = lkst_evhandler_register(LKST_EVHANDLER_ID_VOID, "note", store_event, NULL);

	KUNIT_ASSERT_GT(test, handler, 0);
	KUNIT_EXPECT_EQ(test, PUT(A, "one", { 0x100, handler }), -EINVAL);
	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_HOOKED)), 0x100);
	KUNIT_ASSERT_EQ(test, PUT(A, "one", { 0x100, handler }), A);
	cause_event();
	KUNIT_EXPECT_EQ(test, evaluated, 0);
	KUNIT_EXPECT_EQ(test, seen.num, 0);

	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	cause_event();
	KUNIT_EXPECT_EQ(test, evaluated, 1);
	KUNIT_EXPECT_EQ(test, seen.num, 1);
	KUNIT_EXPECT_EQ(test, seen.etype, 0x100);
	KUNIT_EXPECT_EQ(test, seen.arg[0], (u64)-5);
	KUNIT_EXPECT_EQ(test, seen.arg[1], 0xffffffff00000002);
	KUNIT_EXPECT_EQ(test, seen.arg[2], (unsigned long)&seen);
	KUNIT_EXPECT_EQ(test, seen.arg[3], U64_MAX);

	/*
	 * Unregistering removes the type from the maskset. Registering the type
	 * again does not add it to the maskset.
	 */
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_HOOKED));
	cause_event();
	lkst_hook(0x100, 1, 2, 3, 4);
	KUNIT_ASSERT_EQ(test, lkst_hook_etype_register(&LKST_ETYPE_INFO(TEST_HOOKED)), 0x100);
	cause_event();
	KUNIT_EXPECT_EQ(test, seen.num, 1);
	KUNIT_EXPECT_EQ(test, PUT(A, "one", { 0x100, handler }), A);
	cause_event();
	KUNIT_EXPECT_EQ(test, seen.num, 2);

	KUNIT_EXPECT_EQ(test, lkst_maskset_set_wait(LKST_MASKSET_ID_RDEFAULT), 0);
	cause_event();
	KUNIT_EXPECT_EQ(test, seen.num, 2);
	KUNIT_EXPECT_EQ(test, evaluated, 2);
	lkst_hook_etype_unregister(&LKST_ETYPE_INFO(TEST_HOOKED));
}

static void arguments_are_extended_to_64_bits(struct kunit *test)
{
	signed char small = -128;
	short negative = -2;
	unsigned int big = 0xffffffff;

	KUNIT_EXPECT_EQ(test, LKST_ARG(small), 0xffffffffffffff80);
	KUNIT_EXPECT_EQ(test, LKST_ARG(negative), (u64)-2);
	KUNIT_EXPECT_EQ(test, LKST_ARG(-1), U64_MAX);
	KUNIT_EXPECT_EQ(test, LKST_ARG(big), 0xffffffff);
	KUNIT_EXPECT_EQ(test, LKST_ARG(1ULL << 63), 1ULL << 63);
	KUNIT_EXPECT_EQ(test, LKST_ARG32(1, negative), 0x1fffffffe);
	KUNIT_EXPECT_EQ(test, LKST_ARG32(0, 1) + 1, 2);
	KUNIT_EXPECT_EQ(test, LKST_ARGP(NULL), 0);
	KUNIT_EXPECT_EQ(test, LKST_ARGP((void *)-1L), (unsigned long)-1L);
}

static struct kunit_case etype_test_cases[] = {
	KUNIT_CASE(arguments_have_known_formats),
	KUNIT_CASE(names_are_unique),
	KUNIT_CASE(numbers_out_of_range_are_not_registered),
	KUNIT_CASE(every_type_has_a_source),
	KUNIT_CASE(types_without_hook_have_no_hook_source),
	KUNIT_CASE(unregistered_type_is_shown_as_absent),
	KUNIT_CASE(texts_are_copied),
	KUNIT_CASE(hook_types_are_shown),
	KUNIT_CASE(bad_types_are_refused),
	KUNIT_CASE(number_in_use_is_refused),
	KUNIT_CASE(hook_is_on_while_recorded),
	KUNIT_CASE(hook_passes_its_arguments),
	KUNIT_CASE(arguments_are_extended_to_64_bits),
	{}
};

LKST_TEST_SUITE("lkst-etype", etype_test_cases, .exit = forget_masksets);
