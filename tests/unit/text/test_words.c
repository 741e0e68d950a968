// SPDX-License-Identifier: GPL-2.0
/* Words that name event types and event handlers, and masksets written with such words. */
#include <ctype.h>

#include "lib/text/classes.h"
#include "lib/text/etypes.h"
#include "lib/text/filter.h"
#include "lib/text/maskset.h"
#include "lib/text/words.h"
#include "sample.h"
#include "tap.h"

#define TYPE(number, mnemonic, state, name) \
	#number " " mnemonic " UNDEF " state " \"" name "\" \"\" \"\" \"\" \"\"\n"

/* The event types of a kernel with few events. 0x120 was registered by a module. */
static const char kernel[] =
	TYPE(0x010, "INT_HARDWARE_ENTRY", "- present", "int_hardware_entry")
	TYPE(0x011, "INT_HARDWARE_EXIT", "- present", "int_hardware_exit")
	TYPE(0x030, "SYSCALL_ENTRY", "- present", "system_call_entry")
	TYPE(0x080, "SPIN_LOCK", "- present", "spin_lock")
	TYPE(0x0c0, "CPU_FREQ", "- present", "cpu_freq")
	TYPE(0x0c6, "CPU_IPI_SEND", "- absent", "cpu_ipi_send")
	TYPE(0x120, "OWN", "- present", "event of my own")
	TYPE(0xf01, "LKST_BUFF_OVFLOW", "- present", "lkst_buff_ovflow");

static struct lkst_evhandler_listent handler_ent[] = {
	{ 0, "none" }, { 1, "entry_log" }, { 3, "buffer_shift_dw" }, { 6, "buffer_jump" },
	{ 0x20, "my handler" },
};

static struct lkst_evhandler_list handlers = { .num = NUM(handler_ent), .ent = handler_ent };

static struct lkst_etypes *types;
static struct lkst_maskset_body *body;

static void setup(void)
{
	types = etypes_of(kernel);
	body = calloc(1, LKST_MASKSET_SIZE_MAX);
}

static void teardown(void)
{
	lkst_etypes_free(types);
	free(body);
}

/* Return the ranges of a set as text, such as "0x010-0x011 0x030". */
static const char *set_text(const struct lkst_etype_set *set)
{
	static char text[256];
	char *to = text;

	*text = 0;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		unsigned int first = i;

		if (!lkst_etype_set_has(set, i))
			continue;
		while (i + 1 < LKST_ETYPE_NUM && lkst_etype_set_has(set, i + 1))
			i++;
		to += sprintf(to, to > text ? " 0x%03x" : "0x%03x", first);
		if (i > first)
			to += sprintf(to, "-0x%03x", i);
	}
	return text;
}

static const struct { const char *word, *set; } good[] = {
	/* single events */
	{ "system_call_entry", "0x030" }, { "System_Call_Entry", "0x030" },
	{ "SYSCALL_ENTRY", "0x030" }, { "LKST_ETYPE_SYSCALL_ENTRY", "0x030" },
	{ "lkst_etype_syscall_entry", "0x030" }, { "event of my own", "0x120" },
	{ "0x030", "0x030" }, { "0X30", "0x030" }, { "48", "0x030" },
	{ "0x123", "0x123" }, /* numbers need not be registered */
	{ "user_0x123", "0x123" }, /* a user-defined type, by its number */
	{ "USER_0x1ff", "0x1ff" }, { "user_0x120", "0x120" }, { "0", "0x000" },
	{ "0xfff", "0xfff" },
	/* ranges */
	{ "0x010-0x011", "0x010-0x011" }, { "16-0x1f", "0x010-0x01f" },
	{ "0x200-0x2ff", "0x200-0x2ff" }, { "5-5", "0x005" }, { "0-0xfff", "0x000-0xfff" },
	/* classes */
	{ "class:interrupt", "0x010-0x01f" }, { "CLASS:Memory", "0x040-0x05f" },
	{ "class:lkst", "0xf00-0xfff" },
	/* the word "all", and patterns */
	{ "all", "0x000-0xfff" }, { "ALL", "0x000-0xfff" },
	{ "*", "0x010-0x011 0x030 0x080 0x0c0 0x0c6 0x120 0xf01" },
	{ "int_*", "0x010-0x011" }, { "INT_*", "0x010-0x011" }, { "*_entry", "0x010 0x030" },
	{ "cpu_????", "0x0c0" }, { "cpu_[a-h]*", "0x0c0" }, { "cpu_[!a-h]*", "0x0c6" },
	{ "event*", "0x120" },
};

TESTS(.setup = setup, .teardown = teardown);

TEST_EACH(test_select, good)
{
	const char *word = good[_i].word;
	struct lkst_etype_set set;
	long number = -1;

	memset(&set, 0xff, sizeof(set));
	assert_ok(lkst_etypes_select(types, word, &set, &err));
	ck_assert_str_eq(set_text(&set), good[_i].set);
	/* lkst_etypes_find() accepts only words for a single event. */
	if (strlen(good[_i].set) == strlen("0x030") && !strpbrk(word, "*?[-"))
		number = strtol(good[_i].set, NULL, 16);
	ck_assert_int_eq(lkst_etypes_find(types, word, &err), number);
}

#define EVENT	 "unknown event"
#define NAME	 "no event name matches"
#define LISTED	 "; \"lkstbuf print -h\" lists all events"
#define CLASS	 "unknown class of events"
#define CLASSES	 "\nThe classes are process, interrupt, "
#define NUMBER	 "event type"
#define TOO_HIGH " is out of range: 0x000 to 0xfff"

/* Invalid words, and their errors, which quote the word or its invalid part. */
static const struct { const char *word, *prefix, *quoted, *rest; } bad[] = {
#define BAD(word, prefix, rest) { word, prefix, word, rest }
	BAD("system_call_enter", EVENT, "; did you mean \"system_call_entry\"?"),
	BAD("LKST_ETYPE_SYSCALL_ENTRX", EVENT, "; did you mean \"SYSCALL_ENTRY\"?"),
	BAD("Memory", EVENT, "; did you mean \"class:Memory\"?"),
	BAD("xyzzy", EVENT, LISTED), BAD("", EVENT, LISTED), BAD("-1", EVENT, ""),
	BAD("user_0x0ff", EVENT, ""), BAD("user_0x200", EVENT, ""), BAD("user_", EVENT, ""),
	/* patterns match names only */
	BAD("SYSCALL_*", NAME, LISTED), BAD("0x01?", NAME, ""), BAD("[", NAME, ""),
	{ "class:memry", CLASS, "memry", "; did you mean \"memory\"?" },
	{ "class:irq", CLASS, "irq", CLASSES }, { "class:xyzzy", CLASS, "xyzzy", CLASSES },
	{ "class:", CLASS, "", "\nThe classes are " }, { "class:mem*", CLASS, "mem*", "" },
	BAD("0x1000", NUMBER, TOO_HIGH), BAD("4096", NUMBER, TOO_HIGH),
	BAD("0x010-0x1000", NUMBER, TOO_HIGH), BAD("12x", NUMBER, " is not a number"),
	BAD("0x10000000000000030", NUMBER, " is too large"),
	BAD("0x01f-0x010", "event types", ": the first number is larger than the last"),
	{ "0x010-", NUMBER, "", " is not a number" },
	{ "0x010-x", NUMBER, "x", " is not a number" },
	{ "1-2-3", NUMBER, "2-3", " is not a number" },
};

TEST_EACH(test_select_bad, bad)
{
	struct lkst_etype_set set;
	char message[128];

	snprintf(message, sizeof(message), "%s \"%s\"%s", bad[_i].prefix, bad[_i].quoted,
		 bad[_i].rest);
	ck_assert_int_eq(lkst_etypes_select(types, bad[_i].word, &set, &err), -1);
	assert_begins(err.text, message);
	ck_assert_int_eq(err.code,
			 strchr("nu", message[0]) ? LKST_ERR_NOT_FOUND : LKST_ERR_ARGUMENT);
	/* err may be NULL. */
	ck_assert_int_eq(lkst_etypes_select(types, bad[_i].word, &set, NULL), -1);
	ck_assert_int_eq(lkst_etypes_find(types, bad[_i].word, &err), -1);
	assert_begins(err.text, isdigit(bad[_i].word[0]) ? NUMBER : EVENT);
}

/* All classes are listed, and each can be selected. Every number is in one of them. */
TEST(test_classes)
{
	struct lkst_etype_set set;
	unsigned int next = 0;
	char word[64];

	ck_assert_int_eq(lkst_etypes_select(types, "class:?", &set, &err), -1);
	for (size_t i = 0; i < lkst_classes_num; i++) {
		const struct lkst_class *class = &lkst_classes[i];
		unsigned int num = 0;

		ck_assert_uint_eq(class->first, next);
		next = class->last + 1u;
		ck_assert_ptr_nonnull(strstr(err.text, class->name));
		snprintf(word, sizeof(word), "class:%s", class->name);
		ck_assert_int_eq(lkst_etypes_select(types, word, &set, NULL), 0);
		for (unsigned int n = 0; n < LKST_ETYPE_NUM; n++)
			num += lkst_etype_set_has(&set, n);
		ck_assert_uint_eq(num, class->last - class->first + 1u);
		ck_assert(lkst_etype_set_has(&set, class->first));
		ck_assert(lkst_etype_set_has(&set, class->last));
	}
	ck_assert_uint_eq(next, LKST_ETYPE_NUM);
	ck_assert_str_eq(lkst_class_of(0x030)->name, "syscall");
	ck_assert_str_eq(lkst_class_of(0xfff)->name, "lkst");
	ck_assert_ptr_null(lkst_class_of(0x1000));
}

TEST(test_list)
{
	char text[] = " a, b c\t,,d ", *list = text;

	ck_assert_str_eq(lkst_next_word(&list), "a");
	ck_assert_str_eq(lkst_next_word(&list), "b c");
	ck_assert_str_eq(lkst_next_word(&list), "");
	ck_assert_str_eq(lkst_next_word(&list), "d");
	ck_assert_ptr_null(lkst_next_word(&list));
}

#define E     "int_hardware_entry"
#define X     "int_hardware_exit"
#define NOT_E "0x000-0x00f 0x011-0xfff"

/* Words for a filter, the events that it shows, and whether it shows numbers above 0xfff. */
static const struct { const char *words, *shown; bool others; } filters[] = {
	/* the examples of the LKST 2.01 specification */
	{ E "," X, "0x010-0x011", false }, { "all,!" E ",!" X, "0x000-0x00f 0x012-0xfff", true },
	{ "all,!" E, NOT_E, true }, { "!" E ",all", "0x000-0xfff", true },
	{ "ALL, ! " E "\t", NOT_E, true }, { " " E " , " X " ", "0x010-0x011", false },
	{ "!" E "," E, "0x010", false }, { E ",!" E, NOT_E, true },
	/* more examples of the same rule */
	{ E, "0x010", false }, { "!" E, NOT_E, true }, { E ",!" X, "0x010", false },
	{ "!" X "," E, "0x010", false }, { "all", "0x000-0xfff", true }, { "!all", "", false },
	{ "!all," E, "0x010", false }, { "all,!all", "", false }, { "0x030", "0x030", false },
	{ "!0x10", NOT_E, true }, { E "," E ",!" E "," E, "0x010", false },
	{ "class:interrupt", "0x010-0x01f", false },
	{ "class:interrupt,!" X, "0x010 0x012-0x01f", false },
	{ "!" X ",class:interrupt", "0x010-0x01f", false },
	{ "int_*,!*_entry", "0x011", false }, { "!*_entry,int_*", "0x010-0x011", false },
	{ "! 0x001-0xffe", "0x000 0xfff", true },
	{ "all,!class:process,!0x010-0xfff", "", true },
	{ "cpu_[!a-h]*,OWN", "0x0c6 0x120", false },
};

TEST_EACH(test_filter, filters)
{
	struct lkst_etype_set shown = { 0 };
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	assert_ok(lkst_filter_add(&filter, types, filters[_i].words, &err));
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_filter_shows(&filter, i))
			lkst_etype_set_add(&shown, i);
	ck_assert_str_eq(set_text(&shown), filters[_i].shown);
	ck_assert(lkst_filter_shows(&filter, LKST_ETYPE_NUM) == filters[_i].others);
}

/* The filter keeps words that name unknown numbers, because a trace may define these types. */
TEST(test_filter_unknown)
{
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	assert_ok(lkst_filter_add(&filter, types, "0x110-0x12f,int_*,0x123,!0x200-0x20f", &err));
	ck_assert_uint_eq(filter.unknown[0x110].num, 0); /* 0x120 is known */
	ck_assert_uint_eq(filter.unknown[0x010].num, 0);
	ck_assert_uint_eq(filter.unknown[0x123].num, 1);
	ck_assert_uint_eq(filter.unknown[0x123].first, 0x123);
	ck_assert_uint_eq(filter.unknown[0x205].first, 0x200);
	ck_assert_uint_eq(filter.unknown[0x205].num, 0x10);
	ck_assert_int_eq(lkst_filter_add(&filter, types, "0x000-0xfff", &err), 0);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		ck_assert_uint_eq(filter.unknown[i].num, 0);
}

/* A kernel's event types with their sources: some tracepoints are sources of several types. */
static const char traced[] =
	TYPE(0x001, "SWITCH", "tp:sched_switch present", "process_contextswitch")
	TYPE(0x002, "WAKEUP", "tp:sched_wakeup,tp:sched_wakeup_new present", "process_wakeup")
	TYPE(0x012, "SOFTIRQ", "tp:softirq_entry present", "int_softirq_entry")
	TYPE(0x015, "TASKLET", "tp:softirq_entry,tp:tasklet_entry present", "int_tasklethi_entry")
	TYPE(0x017, "TASKLETHI", "tp:softirq_entry,tp:tasklet_entry present", "int_tasklet_entry")
	TYPE(0x030, "SYSCALL_ENTRY", "hook:sys_enter present", "system_call_entry")
	TYPE(0x04c, "VMALLOC", "kprobe:vmalloc_node present", "mem_vmalloc")
	TYPE(0x0c0, "IDLE", "tp:cpu_idle present", "cpu_idle_entry")
	TYPE(0x0c1, "IDLE_EXIT", "tp:cpu_idle present", "cpu_idle_exit")
	TYPE(0x120, "OWN", "tp:,hook present", "sched_wakeup_new");

/*
 * Words that name tracepoints. @set lists the events that the tracepoint is a source of, or is NULL
 * if the word is unknown. @one is the number of the event, or -1 if the word does not name exactly
 * one event.
 */
static const struct { const char *word, *set; int one; } tracepoints[] = {
	{ "sched_switch", "0x001", 0x001 }, { "sched_wakeup", "0x002", 0x002 },
	{ "sched_wakeup_new", "0x120", 0x120 }, /* LKST's own names take precedence */
	{ "sys_enter", "0x030", 0x030 }, { "softirq_entry", "0x012", 0x012 },
	{ "tasklet_entry", "0x015 0x017", -1 }, { "cpu_idle", "0x0c0-0x0c1", -1 },
	{ "sched_swicth", NULL, -1 }, { "vmalloc_node", NULL, -1 }, { "", NULL, -1 },
};

/* The name of a tracepoint selects the events that it is a source of. */
TEST_EACH(test_tracepoints, tracepoints)
{
	struct lkst_etypes *own = etypes_of(traced);
	const char *word = tracepoints[_i].word;
	struct lkst_etype_set set;

	ck_assert_int_eq(lkst_etypes_select(own, word, &set, &err), tracepoints[_i].set ? 0 : -1);
	if (tracepoints[_i].set)
		ck_assert_str_eq(set_text(&set), tracepoints[_i].set);
	if (!strcmp(word, "sched_swicth"))
		ck_assert_str_eq(err.text, "unknown event \"sched_swicth\"; "
					   "did you mean \"sched_switch\"?");
	ck_assert_int_eq(lkst_etypes_find(own, word, &err), tracepoints[_i].one);
	lkst_etypes_free(own);
}

static const struct { const char *word; int id; const char *message; } handler_words[] = {
	{ "on", 1, "" }, { "off", 0, "" }, { "none", 0, "" }, { "0", 0, "" }, { "0x003", 3, "" },
	{ "my handler", 0x20, "" },
	{ "entry_lgo", -1,
	  "unknown event handler \"entry_lgo\"; did you mean \"entry_log\"?" },
	{ "2", -1, "unknown event handler \"2\": \"lksteh list\" lists them" },
	{ "0x1000", -1, "event handler \"0x1000\" is out of range: 0 to 4095" },
	{ "1x", -1, "event handler \"1x\" is not a number" }, { "", -1, "" },
};

TEST_EACH(test_handlers, handler_words)
{
	ck_assert_int_eq(lkst_evhandler_find(&handlers, handler_words[_i].word, &err),
			 handler_words[_i].id);
	assert_begins(err.text, handler_words[_i].message);
}

/* If a handler is called "off", this word selects it. Otherwise the word means no handler. */
TEST(test_handler_off)
{
	struct lkst_evhandler_list own = {
		.num = 1, .ent = &(struct lkst_evhandler_listent){ 0x21, "off" },
	};

	ck_assert_int_eq(lkst_evhandler_find(&own, "off", &err), 0x21);
}

/* ---- masksets ---- */

static struct lkst_etype_set left_out;

static int parse(const char *text, size_t len)
{
	FILE *from = fmemopen((void *)text, len, "r");
	int ret;

	ck_assert_ptr_nonnull(from);
	ret = lkst_maskset_parse(from, "FILE", types, &handlers, body, &left_out, &err);
	fclose(from);
	return ret;
}

static void parse_file(const char *path, const char *message)
{
	FILE *from = fopen(path, "r");

	ck_assert_ptr_nonnull(from);
	ck_assert_int_eq(lkst_maskset_parse(from, path, types, &handlers, body, &left_out, &err),
			 -1);
	ck_assert_str_eq(err.text, message);
	fclose(from);
}

/* Return the entries of the maskset as text: "0x010=1 ...". */
static const char *body_text(void)
{
	static char text[512];
	char *to = text;

	*text = 0;
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		to += sprintf(to, i ? " 0x%03x=%d" : "0x%03x=%d",
			      (unsigned int)body->entry[i].event_type, body->entry[i].id);
	return text;
}

#define REST ": a line has two words, event type and event handler; \"#\" begins\na comment"

static const struct { const char *text, *message; } bad_masksets[] = {
	{ "0x010 1\n0x1000 1\n", "2:1: event type \"0x1000\" is out of range: 0x000 to 0xfff" },
	{ "  0x123 1\n", "1:3: event type 0x123 cannot be recorded: no event is registered with "
	  "this number" },
	{ "\n\ncpu_ipi_send entry_log\n", "3:1: event \"cpu_ipi_send\" (0x0c6) cannot be "
	  "recorded: it is absent in this kernel" },
	{ "0x030 0x1 1\n", "1:11: unexpected word \"1\"" REST },
	{ "0x030\n", "1:6: event handler expected after \"0x030\"" },
	{ "spin_lock  # 0x1\n", "1:12: event handler expected after \"spin_lock\"" },
	{ "spin_lok 1\n", "1:1: unknown event \"spin_lok\"; did you mean \"spin_lock\"?" },
	{ "xyz_* 1\n", "1:1: no event name matches \"xyz_*\"" LISTED },
	{ "0x30 1\n 0x1f-0x10 1\n", "2:2: event types \"0x1f-0x10\": the first number is larger "
	  "than the last" },
	{ "class:memory 1\n", "1:1: \"class:memory\" matches no event that is registered in this "
	  "kernel" },
	{ "0x0c6-0x0cf 1\n", "1:1: event \"cpu_ipi_send\" (0x0c6) cannot be recorded: it is "
	  "absent in this kernel" },
	{ "int_* 1\n0x10 1\nclass:interrupt 0\n0x10 0\n0x10 1\n",
	  "5:1: event type \"0x10\" appears again: first set in line 4" },
	{ "0x10 1\n0x30 9\n", "2:6: unknown event handler \"9\": \"lksteh list\" lists "
	  "them" },
	{ "0x10 1\n\nINT_HARDWARE_ENTRY 0\n", "3:1: event type \"INT_HARDWARE_ENTRY\" appears again: "
	  "first set in line 1" },
	{ "\"spin_lock 1\n", "1:1: no closing quote: \"spin_lock 1" },
	{ "class:interrupt 1\nspin_lock 4", "2:11: unknown event handler \"4\"" },
	{ "\"\" 1\n", "1:2: unknown event \"\"" LISTED },
	{ "", " no entries, so nothing is written" },
	{ "# a comment\n\n0x010 0x001  # int_hardware_entry(irq, name)\n"
	  "\tspin_lock\tentry_log#no\n",
	  "4:12: unknown event handler \"entry_log#no\"; did you mean \"entry_log\"?" },
	{ "# nothing\n\n", " no entries, so nothing is written" },
	{ "lkst_buff_ovflow buffer_shift_dw\n  spin_lock 1\n",
	  "2:3: lock events (\"spin_lock\") are not recorded while lkst_buff_ovflow has the event "
	  "handler\nbuffer_shift_dw, which takes locks: mask class:lock, or give it another one" },
	{ "spin_lock 1\nlkst_buff_ovflow buffer_jump\n",
	  "1:1: lock events (\"spin_lock\") are not recorded while lkst_buff_ovflow has the event "
	  "handler\nbuffer_jump, which takes locks: " },
	{ "spin_lock buffer_jump\n", "1:1: event \"spin_lock\" cannot have the event handler "
	  "buffer_jump, which causes" },
	{ "0x10 1\r0x30\r", "1:6: event handler \"1\\0150x30\" is not a number (decimal, or "
	  "hexadecimal with 0x)" },
	{ "\033[2J 1\n", "1:1: no event name matches \"\\033[2J\"" LISTED },
};

TEST_EACH(test_maskset_bad, bad_masksets)
{
	ck_assert_int_eq(parse(bad_masksets[_i].text, strlen(bad_masksets[_i].text)), -1);
	assert_begins(err.text, "FILE:");
	assert_begins(err.text + strlen("FILE:"), bad_masksets[_i].message);
}

/*
 * Masksets, the entries that they result in, and the selected events that are left out, because the
 * kernel lacks them. A word can select several event types. The last line that selects a type
 * applies.
 */
static const struct { const char *text, *body, *left_out; } several[] = {
	/* an event can always be masked, even if it is unknown or absent */
	{ "\"event of my own\" \"my handler\"# quoted\r\n  SYSCALL_ENTRY 32\n"
	  "0x123 none\ncpu_ipi_send 0", "0x030=32 0x0c6=0 0x120=32 0x123=0", "" },
	{ "int_* 1", "0x010=1 0x011=1", "" },
	{ "all entry_log", "0x010=1 0x011=1 0x030=1 0x080=1 0x0c0=1 0x120=1 0xf01=1", "0x0c6" },
	{ "all 1\n0x010-0x07f none\nint_hardware_exit 32",
	  "0x010=0 0x011=32 0x030=0 0x080=1 0x0c0=1 0x120=1 0xf01=1", "0x0c6" },
	{ "all 1\ncpu_* 0", "0x010=1 0x011=1 0x030=1 0x080=1 0x0c0=0 0x0c6=0 0x120=1 0xf01=1", "" },
	{ "0x010 1\nall 0", "0x010=0 0x011=0 0x030=0 0x080=0 0x0c0=0 0x0c6=0 0x120=0 0xf01=0", "" },
	{ "cpu_* 1\n\"event *\" \"my handler\"", "0x0c0=1 0x120=32", "0x0c6" },
	{ "cpu_ipi_send 0\nclass:cpu 1", "0x0c0=1 0x0c6=0", "0x0c6" },
	{ "class:interrupt 1\nint_hardware_entry 0\n", "0x010=0 0x011=1", "" },
};

TEST_EACH(test_maskset_several, several)
{
	assert_ok(parse(several[_i].text, strlen(several[_i].text)));
	ck_assert_str_eq(body_text(), several[_i].body);
	ck_assert_str_eq(set_text(&left_out), several[_i].left_out);
	ck_assert_str_eq(body->name, "");
}

/* A long line is refused, so that a file without newlines does not take much memory. */
TEST(test_maskset_long_line)
{
	char line[5000];

	memset(line, 'x', sizeof(line));
	ck_assert_int_eq(parse(line, sizeof(line)), -1);
	ck_assert_str_eq(err.text,
			 "FILE:1:4096: a line of more than 4095 bytes: this is not a maskset");
	/* A comment may extend a line to the maximum length. */
	memcpy(line, "0x010 1 #", 9);
	line[4095] = '\n';
	assert_ok(parse(line, 4096));
	ck_assert_str_eq(body_text(), "0x010=1");
}

/*
 * With "lkstm read -E", the event types may differ from those of the kernel. An entry of an unknown
 * type is still shown if it has a handler.
 */
static const struct {
	struct lkst_maskset_entry entry;
	struct lkst_maskset_style style;
	bool shown;
} shows[] = {
	{ { 0x010, 0 }, { 0 }, true }, { { 0x123, 1 }, { 0 }, true },
	{ { 0x123, 1 }, { .plain = true }, true }, { { 0x123, 0 }, { 0 }, false },
	{ { 0x123, 0 }, { .unregistered = true }, true },
	{ { 0x123, 0 }, { .unregistered = true, .plain = true }, false },
	{ { -1, 0 }, { 0 }, false },
};

TEST_EACH(test_maskset_shows, shows)
{
	ck_assert(lkst_maskset_shows(types, &shows[_i].entry, &shows[_i].style) == shows[_i].shown);
}

static void add(int32_t type, lkst_evhandler_id id)
{
	body->entry[body->len++] = (struct lkst_maskset_entry){ type, id };
}

TEST(test_maskset_complete)
{
	add(0x123, 4);
	add(0xfff, 1);
	lkst_maskset_complete(body);
	ck_assert_uint_eq(body->len, LKST_ETYPE_NUM);
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		ck_assert_int_eq(body->entry[i].event_type, i);
		ck_assert_int_eq(body->entry[i].id, i == 0x123 ? 4 : i == 0xfff);
	}
}

TEST(test_maskset_binary)
{
	ck_assert_int_eq(parse("0x10 1\n0x30\0 1\n", 15), -1);
	ck_assert_str_eq(err.text, "FILE:2:5: contains a 0 byte (want text)");
	parse_file("/dev/zero", "/dev/zero:1:1: contains a 0 byte (want text)");
	parse_file("/", "/: read: Is a directory");
}

static const struct lkst_maskset_style styles[] = {
	{ .plain = false }, { .unregistered = true }, { .plain = true },
};

/* lkst_maskset_parse() accepts what lkst_maskset_print() prints, in each style. */
TEST_EACH(test_maskset_round_trip, styles)
{
	struct lkst_maskset_body *again = body;
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	strcpy(body->name, "two\nlines");
	add(0x010, 1);
	add(0x0c6, 0);
	add(0x120, 0x20);
	if (styles[_i].unregistered)
		add(0x123, 0);
	lkst_maskset_print(to, 7, body, types, &styles[_i]);
	fclose(to);
	assert_begins(text, "# maskset 7 two\\012lines\n");
	body = calloc(1, LKST_MASKSET_SIZE_MAX);
	assert_ok(parse(text, size));
	ck_assert_uint_eq(again->len, body->len);
	ck_assert_mem_eq(again->entry, body->entry, body->len * sizeof(*body->entry));
	free(text);
	free(again);
}

/* An event handler that wakes the daemon may be used only if lock events are masked. */
TEST(test_maskset_locks)
{
	static const char text[] = "spin_lock 0\nlkst_buff_ovflow 3\nsystem_call_entry 1\n";
	int offender = -1;

	assert_ok(parse(text, strlen(text)));
	ck_assert_int_eq(LKST_ETYPE_LKST_BUFF_OVFLOW, 0xf01);
	body->entry[1].id = 4;
	ck_assert_int_eq(lkst_maskset_check_locks(types, body, &offender, &err), -1);
	ck_assert_int_eq(offender, 0x080);
	/*
	 * Lock events may be recorded if no handler wakes the daemon. A lock event itself must not
	 * have such a handler.
	 */
	body->entry[2].id = LKST_EVHANDLER_ID_ENTRY_LOG;
	assert_ok(lkst_maskset_check_locks(types, body, NULL, &err));
	body->entry[1].id = LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
	ck_assert_int_eq(lkst_maskset_check_locks(types, body, NULL, &err), -1);
	assert_contains(err.text, "\"spin_lock\" cannot have");
}
