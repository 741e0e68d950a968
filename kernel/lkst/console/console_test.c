// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the console dump: which events a list of words selects, which
 * records are taken, and how lines are formatted.
 */
#include <linux/bitmap.h>
#include <linux/string.h>
#include <linux/lkst.h>

#include "console.h"
#include "../dispatch/chain.h"
#include "../dispatch/maskset_test.h"

/*
 * The word "all" means all event types except OOPS_PRINTK, OOPS_MESSAGE and
 * LKST_MORE.
 */
#define ALL	(LKST_ETYPE_NUM - 3)

static const struct {
	const char *words;
	unsigned int weight;
	int in;
	int out;
} good_words[] = {
	{ "all", ALL, 0xfff, LKST_ETYPE_LKST_MORE },
	{ "lock", 16, 0x080, 0x07f },
	{ "class:lock", 16, 0x08f, 0x090 },
	{ "Class:Lock", 16, 0x08f, 0x090 },
	{ "process_wakeup", 1, LKST_ETYPE_PROCESS_WAKEUP, 0 },
	{ "PROCESS_WAKEUP", 1, LKST_ETYPE_PROCESS_WAKEUP, 0 },
	{ "0xfff", 1, 0xfff, 0 },
	{ "0x10-0x1f", 16, 0x01f, 0x020 },
	{ "7", 1, 7, 8 },
	{ "lock,!0x080", 15, 0x081, 0x080 },
	{ "!0x080,lock", 16, 0x080, -1 },
	{ " lock , timer ", 32, 0x090, 0x0a0 },
	{ "!lock", ALL - 16, 0, 0x080 },
	{ "!lock,!timer", ALL - 32, 0, 0x090 },
	{ "!all", 0, -1, 0 },
	{ "!lock", ALL - 16, LKST_ETYPE_OOPS_PANIC, LKST_ETYPE_OOPS_PRINTK },
	{ "!lock", ALL - 16, LKST_ETYPE_OOPS_REGS, LKST_ETYPE_OOPS_MESSAGE },
	{ "oops", 14, LKST_ETYPE_OOPS_PANIC, LKST_ETYPE_OOPS_MESSAGE },
	{ "0x0b7-0x0b8", 0, -1, LKST_ETYPE_OOPS_PRINTK },
	{ "oops_message", 1, LKST_ETYPE_OOPS_MESSAGE, LKST_ETYPE_OOPS_PRINTK },
	{ "0x0b7", 1, LKST_ETYPE_OOPS_PRINTK, LKST_ETYPE_OOPS_MESSAGE },
	{ "oops_message,all", ALL + 1, LKST_ETYPE_OOPS_MESSAGE, LKST_ETYPE_OOPS_PRINTK },
	{ "oops_message,!oops", 0, -1, LKST_ETYPE_OOPS_MESSAGE },
	{ "!oops_printk", ALL, LKST_ETYPE_OOPS_PANIC, LKST_ETYPE_OOPS_PRINTK },
	{ "lkst_more", 0, -1, LKST_ETYPE_LKST_MORE },
	{ "0xf0a,lkst_init", 1, LKST_ETYPE_LKST_INIT, LKST_ETYPE_LKST_MORE },
};

static int parse(const char *words, unsigned long *etypes)
{
	return lkst_console_words("lkst.dump_events", words, etypes);
}

static void words_select_events(struct kunit *test)
{
	static DECLARE_BITMAP(etypes, LKST_ETYPE_NUM);

	for (int i = 0; i < ARRAY_SIZE(good_words); i++) {
		const char *words = good_words[i].words;

		KUNIT_EXPECT_EQ_MSG(test, parse(words, etypes), 0, "%s", words);
		KUNIT_EXPECT_EQ_MSG(test, bitmap_weight(etypes, LKST_ETYPE_NUM),
				    good_words[i].weight, "%s", words);
		if (good_words[i].in >= 0)
			KUNIT_EXPECT_TRUE_MSG(test, test_bit(good_words[i].in, etypes), "%s",
					      words);
		if (good_words[i].out >= 0)
			KUNIT_EXPECT_FALSE_MSG(test, test_bit(good_words[i].out, etypes), "%s",
					       words);
	}
}

static const char *const bad_words[] = {
	"", ",", "lock,", ",lock", "lock,,timer", "nonsense", "class:", "class:nonsense", "!",
	"0x1000", "-1", "0x20-0x10", "0x10-", "0x10-0x1000", "5x",
	"a_word_that_is_longer_than_any_that_means_something_here",
};

static void bad_words_change_nothing(struct kunit *test)
{
	static DECLARE_BITMAP(etypes, LKST_ETYPE_NUM);

	for (int i = 0; i < ARRAY_SIZE(bad_words); i++) {
		bitmap_zero(etypes, LKST_ETYPE_NUM);
		__set_bit(5, etypes);
		KUNIT_EXPECT_EQ_MSG(test, parse(bad_words[i], etypes), -EINVAL, "%s", bad_words[i]);
		KUNIT_EXPECT_EQ_MSG(test, bitmap_weight(etypes, LKST_ETYPE_NUM), 1U, "%s",
				    bad_words[i]);
	}
}

#define MARKS	5

/*
 * Record MARKS marks, numbered from 1. Before and after each of them, record a
 * message that takes several records.
 */
static void record_marks_and_messages(void)
{
	char text[200];
	int mark;

	memset(text, 'x', sizeof(text));
	for (mark = 1; mark <= MARKS; mark++) {
		lkst_event_message(4, sizeof(text), text, sizeof(text));
		lkst_event_nopreempt(LKST_ETYPE_USER_MARK, mark, 0, 0, 0);
		lkst_event_message(4, sizeof(text), text, sizeof(text));
	}
}

/*
 * Right after record_marks_and_messages(), gather from each CPU the newest MARKS
 * events that @words select. Check that the entries of this CPU have the type
 * @etype. Return the number of these entries.
 */
static unsigned int gather(struct kunit *test, const char *words, int etype, u64 *first_args)
{
	static DECLARE_BITMAP(etypes, LKST_ETYPE_NUM);
	/* No CPU is printing, so the dump has no owner. */
	struct lkst_console dump = { .owner = -1, .requested = MARKS, .etypes = etypes };
	unsigned int i, num = 0;
	unsigned long flags;
	int cpu;

	KUNIT_ASSERT_EQ(test, parse(words, etypes), 0);
	local_irq_save(flags);
	preempt_disable_notrace();
	record_marks_and_messages();
	cpu = raw_smp_processor_id();
	preempt_enable_notrace();
	rcu_read_lock();
	lkst_console_gather(&dump);
	rcu_read_unlock();
	local_irq_restore(flags);
	for (i = 0; i < dump.num; i++) {
		const struct lkst_console_entry *entry = &dump.entries[i];

		if (entry->cpu != cpu)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, entry->record.event_type, etype, "%s", words);
		if (num < MARKS)
			first_args[num] = entry->record.arg[0];
		num++;
	}
	return num;
}

/*
 * Unselected records do not count towards the number of events to print. So
 * messages, which take several records, do not displace older marks.
 */
static void messages_take_no_lines(struct kunit *test)
{
	u64 args[MARKS] = {};

	KUNIT_ASSERT_EQ(test, PUT(A, "console", { LKST_ETYPE_USER_MARK, LOG },
				  { LKST_ETYPE_OOPS_MESSAGE, LOG }), A);
	KUNIT_ASSERT_EQ(test, lkst_maskset_set_wait(A), 0);
	/* Leave out LKST's own events, which it may record at any time. */
	KUNIT_EXPECT_EQ(test, gather(test, "all,!lkst", LKST_ETYPE_USER_MARK, args), MARKS);
	for (int i = 0; i < MARKS; i++)
		KUNIT_EXPECT_EQ(test, args[i], i + 1);

	/*
	 * If the words name messages, each message is one event, no matter how
	 * many records it takes.
	 */
	KUNIT_EXPECT_EQ(test, gather(test, "oops_message,lkst_more", LKST_ETYPE_OOPS_MESSAGE,
				     args), MARKS);
	for (int i = 1; i < MARKS; i++)
		KUNIT_EXPECT_EQ(test, LKST_CHAIN_SERIAL(args[i]),
				LKST_CHAIN_SERIAL(args[i - 1]) + 1);
}

/* The dump contains the newest events of the long ring of the only CPU. */
static void long_rings_are_gathered(struct kunit *test)
{
	static DECLARE_BITMAP(etypes, LKST_ETYPE_NUM);
	struct lkst_console dump = { .owner = -1, .requested = MARKS, .etypes = etypes };
	unsigned long flags;

	KUNIT_ASSERT_EQ(test, parse("user_mark", etypes), 0);
	local_irq_save(flags);
	for (int mark = 0; mark <= MARKS; mark++)
		lkst_event_rare_preemptible(LKST_ETYPE_USER_MARK, mark, 0, 0, 0);
	rcu_read_lock();
	lkst_console_gather_long(&dump);
	rcu_read_unlock();
	local_irq_restore(flags);
	KUNIT_ASSERT_EQ(test, dump.num, MARKS);
	for (int i = 0; i < MARKS; i++)
		KUNIT_EXPECT_EQ(test, dump.entries[i].record.arg[0], i + 1);
}

#define TEXT8(text)	({ char eight[8] = text; lkst_text8(eight); })

static void line_of(char *line, size_t size, u16 etype, u64 a1, u64 a2, u64 a3, u64 a4)
{
	const struct lkst_console_entry entry = {
		.record = {
			.event_type = etype,
			.flags = LKST_RECORD_HARDIRQ | LKST_RECORD_PREEMPT_OFF,
			.thread = 7,
			.pid = 6,
			.arg = { a1, a2, a3, a4 },
		},
		.ns = 12345678901,
		.cpu = 3,
		.comm = "sh",
	};

	lkst_console_line(line, size, &entry);
}

static void lines_show_records(struct kunit *test)
{
	char line[LKST_CONSOLE_LINE_SIZE];

	line_of(line, sizeof(line), LKST_ETYPE_PROCESS_FORK, LKST_ARG32(0, 5), 0x11,
		TEXT8("a\033[31m b"), TEXT8("\nc"));
	KUNIT_EXPECT_TRUE(test, str_has_prefix(line,
					       "   12.345678 [003] sh-7/6               hp. "));
	KUNIT_EXPECT_STREQ(test, strstr(line, "process_fork"),
			   "process_fork          child=swapper/3-0 tgid=5 flags=0x11 name=\"a?[31m b?c\"");
	line_of(line, sizeof(line), LKST_ETYPE_PROCESS_CONTEXTSWITCH, LKST_ARG32(-1, 'S' | 0x100),
		LKST_ARG32(0, -5), TEXT8("one"), TEXT8("two"));
	KUNIT_EXPECT_STREQ(test, strstr(line, "prev="),
			   "prev=? prev_state=S+ next=swapper/3-0 next_prio=-5 prev_name=\"one\" next_name=\"two\"");
	line_of(line, sizeof(line), LKST_ETYPE_IPC_SEMOP, 4, 2, -EAGAIN, 0);
	KUNIT_EXPECT_STREQ(test, strstr(line, "id="),
			   IS_ENABLED(CONFIG_SYMBOLIC_ERRNAME) ? "id=4 count=2 result=-EAGAIN" :
								 "id=4 count=2 result=-11");
	line_of(line, sizeof(line), LKST_ETYPE_BLOCK_ISSUE, (8 << 20) | 3, 9, LKST_ARG32(512, 1),
		0);
	KUNIT_EXPECT_NOT_NULL(test, strstr(line, "device=8:3 sector=9 bytes=512 operation="));
	line_of(line, sizeof(line), LKST_ETYPE_INT_SOFTIRQ_ENTRY, 1, 0, 0, 0);
	KUNIT_EXPECT_STREQ(test, strstr(line, "vector="), "vector=TIMER");
	line_of(line, sizeof(line), LKST_ETYPE_OOPS_MESSAGE, LKST_CHAIN_HEAD(9, 2, 0, 60),
		LKST_ARG32(4, 52), TEXT8("16 bytes"), TEXT8(" in head"));
	KUNIT_EXPECT_STREQ(test, strstr(line, "oops_"),
			   "oops_message          level=4 length=52 text=\"16 bytes in head\" [cut]");
	line_of(line, sizeof(line), LKST_ETYPE_PROCESS_BLOCK, LKST_CHAIN_HEAD(9, 0, 0, 16), 1, 2,
		0);
	KUNIT_EXPECT_STREQ(test, strstr(line, "stack"), "stack=0x1 stack=0x2");
	line_of(line, sizeof(line), LKST_ETYPE_PROCESS_BLOCK,
		LKST_CHAIN_HEAD(9, 0, LKST_CHAIN_CUT, U16_MAX), 1, 2, 3);
	KUNIT_EXPECT_STREQ(test, strstr(line, "stack"), "stack=0x1 stack=0x2 stack=0x3 [cut]");
	line_of(line, sizeof(line), 0x1fe, 1, 2, 3, 4);
	KUNIT_EXPECT_STREQ(test, strstr(line, "user_"),
			   "user_0x1fe            arg1=0x1 arg2=0x2 arg3=0x3 arg4=0x4");
	line_of(line, sizeof(line), 0x2fe, 1, 2, 3, 4);
	KUNIT_EXPECT_STREQ(test, strstr(line, "0x2fe"),
			   "0x2fe                 arg1=0x1 arg2=0x2 arg3=0x3 arg4=0x4");
}

/*
 * Lines must not reveal more of an address than the kernel's own messages do.
 */
static void lines_do_not_leak_addresses(struct kunit *test)
{
	unsigned long address = (unsigned long)test;
	char line[LKST_CONSOLE_LINE_SIZE], raw[32];

	snprintf(raw, sizeof(raw), "%lx", address);
	line_of(line, sizeof(line), LKST_ETYPE_USER_MARK, address, 0, 0, 0);
	KUNIT_EXPECT_NULL(test, strstr(line, raw));
	line_of(line, sizeof(line), LKST_ETYPE_LOCK_SPIN_LOCK, address,
		(unsigned long)lkst_console_line, 0, 0);
	KUNIT_EXPECT_NULL(test, strstr(line, raw));
	KUNIT_EXPECT_NOT_NULL(test, strstr(line, "caller=lkst_console_line+0x0/"));
	line_of(line, sizeof(line), LKST_ETYPE_LOCK_SPIN_LOCK, address, address, 0, 0);
	KUNIT_EXPECT_NULL(test, strstr(line, raw));
}

static void long_lines_are_cut(struct kunit *test)
{
	char line[24];

	memset(line, 'x', sizeof(line));
	line_of(line, sizeof(line) - 1, LKST_ETYPE_USER_MARK, 1, 2, 3, 4);
	KUNIT_EXPECT_EQ(test, strlen(line), sizeof(line) - 2);
	KUNIT_EXPECT_EQ(test, line[sizeof(line) - 1], 'x');
}

static struct kunit_case dump_test_cases[] = {
	KUNIT_CASE(words_select_events),
	KUNIT_CASE(bad_words_change_nothing),
	KUNIT_CASE(messages_take_no_lines),
	KUNIT_CASE(long_rings_are_gathered),
	KUNIT_CASE(lines_show_records),
	KUNIT_CASE(lines_do_not_leak_addresses),
	KUNIT_CASE(long_lines_are_cut),
	{}
};

LKST_TEST_SUITE("lkst-console", dump_test_cases, .exit = forget_masksets);
