// SPDX-License-Identifier: GPL-2.0
/* Words for event types and event handlers, and the text of masksets that is made of them. */
#include <stdlib.h>
#include <string.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "tap.h"

#define TYPE(number, mnemonic, state, name) \
#number " " mnemonic " UNDEF - " state " \"" name "\" \"\" \"\" \"\" \"\"\n"

/* A kernel with few events; 0x120 is one of a module. */
static const char kernel[] = "# lkst_etypes 1\n" TYPE(0x010, "INT_HARDWARE_ENTRY", "present",
						      "int_hardware_entry") //
	TYPE(0x011, "INT_HARDWARE_EXIT", "present", "int_hardware_exit") //
	TYPE(0x030, "SYSCALL_ENTRY", "present", "system_call_entry") //
	TYPE(0x080, "SPIN_LOCK", "present", "spin_lock") //
	TYPE(0x0c0, "CPU_FREQ", "present", "cpu_freq") //
	TYPE(0x0c6, "CPU_IPI_SEND", "absent", "cpu_ipi_send") //
	TYPE(0x120, "OWN", "present", "event of my own") //
	TYPE(0xf01, "LKST_BUFF_OVFLOW", "present", "lkst_buff_ovflow");

static struct lkst_evhandler_listent handler_ent[] = {
	{ 0, "none" },
	{ 1, "entry_log" },
	{ 3, "buffer_shift_dw" },
	{ 6, "buffer_jump" },
	{ 0x20, "my handler" },
};

static struct lkst_evhandler_list handlers = {
	.num = sizeof(handler_ent) / sizeof(*handler_ent),
	.ent = handler_ent,
};

static struct lkst_etypes *types;
static struct lkst_error err;

static void setup(void)
{
	types = lkst_etypes_parse(kernel, sizeof(kernel) - 1, "kernel", &err);
	ck_assert_msg(types != NULL, "%s", err.text);
}

static void teardown(void)
{
	lkst_etypes_free(types);
}

/* The ranges of a set: "0x010-0x011 0x030". */
static const char *set_text(const struct lkst_etype_set *set)
{
	static char text[256];
	size_t len = 0;

	*text = 0;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++) {
		unsigned int first = i;

		if (!lkst_etype_set_has(set, i))
			continue;
		while (i + 1 < LKST_ETYPE_NUM && lkst_etype_set_has(set, i + 1))
			i++;
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s0x%03x", len ? " " : "",
					first);
		if (i > first)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "-0x%03x", i);
	}
	return text;
}

static const struct {
	const char *word, *set;
} good[] = {
	/* one */
	{ "system_call_entry", "0x030" },
	{ "System_Call_Entry", "0x030" },
	{ "SYSCALL_ENTRY", "0x030" },
	{ "LKST_ETYPE_SYSCALL_ENTRY", "0x030" },
	{ "lkst_etype_syscall_entry", "0x030" },
	{ "event of my own", "0x120" },
	{ "0x030", "0x030" },
	{ "0X30", "0x030" },
	{ "48", "0x030" },
	{ "0x123", "0x123" }, /* a number need not be known */
	{ "user_0x123", "0x123" }, /* and has a name if it is for users */
	{ "USER_0x1ff", "0x1ff" },
	{ "user_0x120", "0x120" },
	{ "0", "0x000" },
	{ "0xfff", "0xfff" },
	/* ranges */
	{ "0x010-0x011", "0x010-0x011" },
	{ "16-0x1f", "0x010-0x01f" },
	{ "0x200-0x2ff", "0x200-0x2ff" },
	{ "5-5", "0x005" },
	{ "0-0xfff", "0x000-0xfff" },
	/* classes */
	{ "class:interrupt", "0x010-0x01f" },
	{ "CLASS:Memory", "0x040-0x05f" },
	{ "class:lkst", "0xf00-0xfff" },
	/* all, and patterns */
	{ "all", "0x000-0xfff" },
	{ "ALL", "0x000-0xfff" },
	{ "*", "0x010-0x011 0x030 0x080 0x0c0 0x0c6 0x120 0xf01" },
	{ "int_*", "0x010-0x011" },
	{ "INT_*", "0x010-0x011" },
	{ "*_entry", "0x010 0x030" },
	{ "cpu_????", "0x0c0" },
	{ "cpu_[a-h]*", "0x0c0" },
	{ "cpu_[!a-h]*", "0x0c6" },
	{ "event*", "0x120" },
};

START_TEST(test_select)
{
	struct lkst_etype_set set;

	memset(&set, 0xff, sizeof(set));
	ck_assert_msg(!lkst_etypes_select(types, good[_i].word, &set, &err), "%s", err.text);
	ck_assert_str_eq(set_text(&set), good[_i].set);
}
END_TEST

static const struct {
	const char *word, *says;
	enum lkst_err code;
} bad[] = {
	{ "system_call_enter",
	  "no event is called \"system_call_enter\"; did you mean \"system_call_entry\"?",
	  LKST_ERR_NOT_FOUND },
	{ "LKST_ETYPE_SYSCALL_ENTRX",
	  "no event is called \"LKST_ETYPE_SYSCALL_ENTRX\"; did you mean \"SYSCALL_ENTRY\"?",
	  LKST_ERR_NOT_FOUND },
	{ "xyzzy", "no event is called \"xyzzy\"; \"lkstbuf print -h\" lists all events",
	  LKST_ERR_NOT_FOUND },
	{ "", "no event is called \"\"; \"lkstbuf print -h\" lists all events",
	  LKST_ERR_NOT_FOUND },
	{ "-1", "no event is called \"-1\"", LKST_ERR_NOT_FOUND },
	{ "user_0x0ff", "no event is called \"user_0x0ff\"", LKST_ERR_NOT_FOUND },
	{ "user_0x200", "no event is called \"user_0x200\"", LKST_ERR_NOT_FOUND },
	{ "user_", "no event is called \"user_\"", LKST_ERR_NOT_FOUND },
	{ "Memory", "no event is called \"Memory\"; did you mean \"class:Memory\"?",
	  LKST_ERR_NOT_FOUND },
	/* patterns are for names */
	{ "SYSCALL_*", "no event name matches \"SYSCALL_*\"; \"lkstbuf print -h\" lists all events",
	  LKST_ERR_NOT_FOUND },
	{ "0x01?", "no event name matches \"0x01?\"", LKST_ERR_NOT_FOUND },
	{ "[", "no event name matches \"[\"", LKST_ERR_NOT_FOUND },
	{ "class:memry", "no class of events is called \"memry\"; did you mean \"memory\"?",
	  LKST_ERR_NOT_FOUND },
	{ "class:irq", "no class of events is called \"irq\"\nThe classes are process, interrupt, ",
	  LKST_ERR_NOT_FOUND },
	{ "class:xyzzy",
	  "no class of events is called \"xyzzy\"\nThe classes are process, interrupt, ",
	  LKST_ERR_NOT_FOUND },
	{ "class:", "no class of events is called \"\"\nThe classes are ", LKST_ERR_NOT_FOUND },
	{ "class:mem*", "no class of events is called \"mem*\"", LKST_ERR_NOT_FOUND },
	{ "0x1000", "event type \"0x1000\" is out of range: 0x000 to 0xfff", LKST_ERR_ARGUMENT },
	{ "4096", "event type \"4096\" is out of range: 0x000 to 0xfff", LKST_ERR_ARGUMENT },
	{ "0x10000000000000030", "event type \"0x10000000000000030\" does not fit",
	  LKST_ERR_ARGUMENT },
	{ "12x", "event type \"12x\" is not a number", LKST_ERR_ARGUMENT },
	{ "0x010-0x1000", "event type \"0x010-0x1000\" is out of range: 0x000 to 0xfff",
	  LKST_ERR_ARGUMENT },
	{ "0x01f-0x010", "event types \"0x01f-0x010\": the first number is greater than the last",
	  LKST_ERR_ARGUMENT },
	{ "0x010-", "event type \"\" is not a number", LKST_ERR_ARGUMENT },
	{ "0x010-x", "event type \"x\" is not a number", LKST_ERR_ARGUMENT },
	{ "1-2-3", "event type \"2-3\" is not a number", LKST_ERR_ARGUMENT },
};

START_TEST(test_select_bad)
{
	struct lkst_etype_set set;

	ck_assert_int_eq(lkst_etypes_select(types, bad[_i].word, &set, &err), -1);
	ck_assert_msg(!strncmp(err.text, bad[_i].says, strlen(bad[_i].says)), "%s", err.text);
	ck_assert_int_eq(err.code, bad[_i].code);
	/* Nobody need want to know why. */
	ck_assert_int_eq(lkst_etypes_select(types, bad[_i].word, &set, NULL), -1);
}
END_TEST

/* All classes are listed, and each is one. */
START_TEST(test_classes)
{
	struct lkst_etype_set set;
	char word[64];

	ck_assert_int_eq(lkst_etypes_select(types, "class:?", &set, &err), -1);
	for (size_t i = 0; i < lkst_classes_num; i++) {
		const struct lkst_class *class = &lkst_classes[i];
		unsigned int num = 0;

		ck_assert_ptr_nonnull(strstr(err.text, class->name));
		snprintf(word, sizeof(word), "class:%s", class->name);
		ck_assert_int_eq(lkst_etypes_select(types, word, &set, NULL), 0);
		for (unsigned int n = 0; n < LKST_ETYPE_NUM; n++)
			num += lkst_etype_set_has(&set, n);
		ck_assert_uint_eq(num, class->last - class->first + 1u);
		ck_assert(lkst_etype_set_has(&set, class->first));
		ck_assert(lkst_etype_set_has(&set, class->last));
	}
}
END_TEST

START_TEST(test_list)
{
	char text[] = " a, b c\t,,d ", *list = text;

	ck_assert_str_eq(lkst_next_word(&list), "a");
	ck_assert_str_eq(lkst_next_word(&list), "b c");
	ck_assert_str_eq(lkst_next_word(&list), "");
	ck_assert_str_eq(lkst_next_word(&list), "d");
	ck_assert_ptr_null(lkst_next_word(&list));
}
END_TEST

static const struct {
	const char *words, *shown;
} filters[] = {
	{ "class:interrupt", "0x010-0x01f" },
	{ "class:interrupt,!int_hardware_exit", "0x010 0x012-0x01f" },
	{ "!int_hardware_exit,class:interrupt", "0x010-0x01f" },
	{ "int_*,!*_entry", "0x011" },
	{ "!*_entry,int_*", "0x010-0x011" },
	{ "! 0x001-0xffe", "0x000 0xfff" },
	{ "all,!class:process,!0x010-0xfff", "" },
	{ "cpu_[!a-h]*,OWN", "0x0c6 0x120" },
};

START_TEST(test_filter)
{
	struct lkst_etype_set shown = { 0 };
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	ck_assert_msg(!lkst_filter_add(&filter, types, filters[_i].words, &err), "%s", err.text);
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (lkst_filter_shows(&filter, i))
			lkst_etype_set_add(&shown, i);
	ck_assert_str_eq(set_text(&shown), filters[_i].shown);
}
END_TEST

/* Numbers that are none of the types: a trace may know better. */
START_TEST(test_filter_unknown)
{
	struct lkst_filter filter;

	lkst_filter_init(&filter);
	ck_assert_int_eq(
		lkst_filter_add(&filter, types, "0x110-0x12f,int_*,0x123,!0x200-0x20f", &err), 0);
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
END_TEST

#define FROM(number, mnemonic, source, name) \
#number " " mnemonic " UNDEF " source " present \"" name "\" \"\" \"\" \"\" \"\"\n"

/* What the kernel calls them: its tracepoints. */
START_TEST(test_tracepoints)
{
	static const char text[] = "# lkst_etypes 1\n" FROM(0x001, "SWITCH", "tp:sched_switch",
							    "process_contextswitch") //
		FROM(0x002, "WAKEUP", "tp:sched_wakeup,tp:sched_wakeup_new", "process_wakeup") //
		FROM(0x012, "SOFTIRQ", "tp:softirq_entry", "int_softirq_entry") //
		FROM(0x015, "TASKLET", "tp:softirq_entry,tp:tasklet_entry",
		     "int_tasklethi_entry") //
		FROM(0x017, "TASKLETHI", "tp:softirq_entry,tp:tasklet_entry",
		     "int_tasklet_entry") //
		FROM(0x030, "SYSCALL_ENTRY", "tp:sys_enter", "system_call_entry") //
		FROM(0x04c, "VMALLOC", "kprobe:vmalloc_node", "mem_vmalloc") //
		FROM(0x0c0, "IDLE", "tp:cpu_idle", "cpu_idle_entry") //
		FROM(0x0c1, "IDLE_EXIT", "tp:cpu_idle", "cpu_idle_exit") //
		FROM(0x120, "OWN", "tp:,hook", "sched_wakeup_new");
	static const struct {
		const char *word, *set;
		int one;
	} cases[] = {
		{ "sched_switch", "0x001", 0x001 },
		{ "sched_wakeup", "0x002", 0x002 },
		{ "sched_wakeup_new", "0x120", 0x120 }, /* a name of LKST's own goes first */
		{ "sys_enter", "0x030", 0x030 },
		{ "softirq_entry", "0x012", 0x012 },
		{ "tasklet_entry", "0x015 0x017", -1 },
		{ "cpu_idle", "0x0c0-0x0c1", -1 },
		{ "sched_swicth", NULL, -1 },
		{ "vmalloc_node", NULL, -1 },
		{ "", NULL, -1 },
	};
	struct lkst_etypes *own = lkst_etypes_parse(text, sizeof(text) - 1, "kernel", &err);
	struct lkst_etype_set set;

	ck_assert_msg(own != NULL, "%s", err.text);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int ret = lkst_etypes_select(own, cases[i].word, &set, &err);

		ck_assert_msg(!ret == !!cases[i].set, "%s", cases[i].word);
		if (cases[i].set)
			ck_assert_str_eq(set_text(&set), cases[i].set);
		ck_assert_int_eq(lkst_etypes_find(own, cases[i].word, &err), cases[i].one);
	}
	ck_assert_int_eq(lkst_etypes_select(own, "sched_swicth", &set, &err), -1);
	ck_assert_str_eq(err.text,
			 "no event is called \"sched_swicth\"; did you mean \"sched_switch\"?");
	lkst_etypes_free(own);
}
END_TEST

START_TEST(test_handlers)
{
	static struct lkst_evhandler_listent own_ent[] = { { 0x21, "off" } };
	struct lkst_evhandler_list own = { .num = 1, .ent = own_ent };

	ck_assert_int_eq(lkst_evhandler_find(&handlers, "on", &err), 1);
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "off", &err), 0);
	ck_assert_int_eq(lkst_evhandler_find(&own, "off", &err), 0x21);
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "none", &err), 0);
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "0", &err), 0);
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "0x003", &err), 3);
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "my handler", &err), 0x20);
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "entry_lgo", &err), -1);
	ck_assert_str_eq(err.text, "no event handler is called \"entry_lgo\"; did you mean "
				   "\"entry_log\"?");
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "2", &err), -1);
	ck_assert_str_eq(err.text,
			 "no event handler is called \"2\": \"lksteh list\" shows which there are");
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "0x1000", &err), -1);
	ck_assert_str_eq(err.text, "event handler \"0x1000\" is out of range: 0 to 4095");
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "1x", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "event handler \"1x\" is not a number"));
	ck_assert_int_eq(lkst_evhandler_find(&handlers, "", &err), -1);
}
END_TEST

/* ---- masksets ---- */

static struct lkst_etype_set left_out;

static int parse(const char *text, size_t len, struct lkst_maskset_body *body)
{
	FILE *from = fmemopen((void *)text, len, "r");
	int ret;

	ck_assert_ptr_nonnull(from);
	ret = lkst_maskset_parse(from, "FILE", types, &handlers, body, &left_out, &err);
	fclose(from);
	return ret;
}

START_TEST(test_maskset)
{
	static const char text[] = "# a comment\n\n"
				   "0x010 0x001  # int_hardware_entry(irq, name)\n"
				   "\tspin_lock\tentry_log#no\n";
	static const char better[] = "\"event of my own\" \"my handler\"# quoted\r\n"
				     "  SYSCALL_ENTRY 32\n"
				     "0x123 none\n" /* masking is always possible */
				     "cpu_ipi_send 0";
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);

	ck_assert_int_eq(parse(text, strlen(text), body), -1);
	ck_assert_str_eq(err.text, "FILE:4:12: no event handler is called \"entry_log#no\"; did "
				   "you mean \"entry_log\"?");
	ck_assert_msg(!parse(better, strlen(better), body), "%s", err.text);
	ck_assert_uint_eq(body->len, 4);
	ck_assert_int_eq(body->entry[0].event_type, 0x030);
	ck_assert_int_eq(body->entry[0].id, 0x20);
	ck_assert_int_eq(body->entry[1].event_type, 0x0c6);
	ck_assert_int_eq(body->entry[1].id, 0);
	ck_assert_int_eq(body->entry[2].event_type, 0x120);
	ck_assert_int_eq(body->entry[2].id, 0x20);
	ck_assert_int_eq(body->entry[3].event_type, 0x123);
	ck_assert_str_eq(body->name, "");
	free(body);
}
END_TEST

#define REST " for? A line has two words, event type and event handler; \"#\" begins\na comment"

static const struct {
	const char *text, *says;
} bad_masksets[] = {
	{ "0x010 1\n0x1000 1\n",
	  "FILE:2:1: event type \"0x1000\" is out of range: 0x000 to 0xfff" },
	{ "  0x123 1\n",
	  "FILE:1:3: event type 0x123 cannot be recorded: no event is registered with this number" },
	{ "\n\ncpu_ipi_send entry_log\n",
	  "FILE:3:1: event \"cpu_ipi_send\" (0x0c6) cannot be recorded: it is absent in this kernel" },
	{ "0x030 0x1 1\n", "FILE:1:11: what is \"1\"" REST },
	{ "0x030\n", "FILE:1:6: event handler expected after \"0x030\"" },
	{ "spin_lock  # 0x1\n", "FILE:1:12: event handler expected after \"spin_lock\"" },
	{ "spin_lok 1\n",
	  "FILE:1:1: no event is called \"spin_lok\"; did you mean \"spin_lock\"?" },
	{ "xyz_* 1\n", "FILE:1:1: no event name matches \"xyz_*\"; "
		       "\"lkstbuf print -h\" lists all events" },
	{ "0x30 1\n 0x1f-0x10 1\n",
	  "FILE:2:2: event types \"0x1f-0x10\": the first number is greater than the last" },
	{ "class:memry 0\n", "FILE:1:1: no class of events is called \"memry\"; did you mean "
			     "\"memory\"?\nThe classes are " },
	{ "class:memory 1\n",
	  "FILE:1:1: \"class:memory\" means no event that is registered in this kernel" },
	{ "0x0c6-0x0cf 1\n", "FILE:1:1: event \"cpu_ipi_send\" (0x0c6) cannot be recorded: it is "
			     "absent in this kernel" },
	{ "Lock 1\n", "FILE:1:1: no event is called \"Lock\"; did you mean \"class:Lock\"?" },
	{ "int_* 1\n0x10 1\nclass:interrupt 0\n0x10 0\n0x10 1\n",
	  "FILE:5:1: event type \"0x10\" again: line 4 has it already" },
	{ "0x10 1\n0x30 9\n", "FILE:2:6: no event handler is called \"9\": "
			      "\"lksteh list\" shows which there are" },
	{ "0x10 1\n\nINT_HARDWARE_ENTRY 0\n",
	  "FILE:3:1: event type \"INT_HARDWARE_ENTRY\" again: line 1 has it already" },
	{ "\"spin_lock 1\n", "FILE:1:1: no closing quote: \"spin_lock 1" },
	{ "\"\" 1\n", "FILE:1:2: no event is called \"\"; \"lkstbuf print -h\" lists all events" },
	{ "", "FILE: no entries, so nothing is written" },
	{ "# nothing\n\n", "FILE: no entries, so nothing is written" },
	{ "lkst_buff_ovflow buffer_shift_dw\n  spin_lock 1\n",
	  "FILE:2:3: lock events (\"spin_lock\") are not recorded while lkst_buff_ovflow has the event "
	  "handler\nbuffer_shift_dw, which takes locks: mask class:lock, or give it another one" },
	{ "spin_lock 1\nlkst_buff_ovflow buffer_jump\n",
	  "FILE:1:1: lock events (\"spin_lock\") are not recorded while lkst_buff_ovflow has the event "
	  "handler\nbuffer_jump, which takes locks: " },
	{ "spin_lock buffer_jump\n",
	  "FILE:1:1: event \"spin_lock\" does not go with the event handler buffer_jump, which causes" },
	{ "0x10 1\r0x30\r", "FILE:1:6: event handler \"1\\0150x30\" is not a number (decimal, or "
			    "hexadecimal with 0x)" },
	{ "\033[2J 1\n", "FILE:1:1: no event name matches \"\\033[2J\"; "
			 "\"lkstbuf print -h\" lists all events" },
};

START_TEST(test_maskset_bad)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	const char *text = bad_masksets[_i].text;
	FILE *from = *text ? fmemopen((void *)text, strlen(text), "r") : fopen("/dev/null", "r");

	ck_assert_int_eq(lkst_maskset_parse(from, "FILE", types, &handlers, body, &left_out, &err),
			 -1);
	fclose(from);
	ck_assert_msg(!strncmp(err.text, bad_masksets[_i].says, strlen(bad_masksets[_i].says)),
		      "%s", err.text);
	free(body);
}
END_TEST

/* "0x010=1 ...": the entries of a maskset. */
static const char *body_text(const struct lkst_maskset_body *body)
{
	static char text[512];
	size_t len = 0;

	*text = 0;
	for (lkst_maskset_table_len i = 0; i < body->len; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len, "%s0x%03x=%d", i ? " " : "",
					(unsigned int)body->entry[i].event_type, body->entry[i].id);
	return text;
}

/* Words for several event types: the last line that means one counts. */
static const struct {
	const char *text, *body, *left_out;
} several[] = {
	{ "int_* 1", "0x010=1 0x011=1", "" },
	{ "class:interrupt 1\nspin_lock 4", NULL, NULL }, /* no handler 4: see below */
	{ "all entry_log", "0x010=1 0x011=1 0x030=1 0x080=1 0x0c0=1 0x120=1 0xf01=1", "0x0c6" },
	{ "all 1\n0x010-0x07f none\nint_hardware_exit 32",
	  "0x010=0 0x011=32 0x030=0 0x080=1 0x0c0=1 0x120=1 0xf01=1", "0x0c6" },
	{ "all 1\ncpu_* 0", "0x010=1 0x011=1 0x030=1 0x080=1 0x0c0=0 0x0c6=0 0x120=1 0xf01=1", "" },
	{ "0x010 1\nall 0", "0x010=0 0x011=0 0x030=0 0x080=0 0x0c0=0 0x0c6=0 0x120=0 0xf01=0", "" },
	{ "cpu_* 1\n\"event *\" \"my handler\"", "0x0c0=1 0x120=32", "0x0c6" },
	{ "cpu_ipi_send 0\nclass:cpu 1", "0x0c0=1 0x0c6=0", "0x0c6" },
	{ "class:interrupt 1\nint_hardware_entry 0\n", "0x010=0 0x011=1", "" },
};

START_TEST(test_maskset_several)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	const char *text = several[_i].text;
	int ret = parse(text, strlen(text), body);

	if (several[_i].body) {
		ck_assert_msg(!ret, "%s", err.text);
		ck_assert_str_eq(body_text(body), several[_i].body);
		ck_assert_str_eq(set_text(&left_out), several[_i].left_out);
	} else {
		ck_assert_int_eq(ret, -1);
		ck_assert_ptr_nonnull(
			strstr(err.text, "FILE:2:11: no event handler is called \"4\""));
	}
	free(body);
}
END_TEST

/* A file that has no lines takes no more memory than one that has. */
START_TEST(test_maskset_long_line)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	FILE *from = fopen("/dev/zero", "r");
	char line[5000];

	memset(line, 'x', sizeof(line));
	ck_assert_int_eq(parse(line, sizeof(line), body), -1);
	ck_assert_str_eq(err.text,
			 "FILE:1:4096: a line of more than 4095 bytes: this is no maskset");
	ck_assert_int_eq(lkst_maskset_parse(from, "zero", types, &handlers, body, &left_out, &err),
			 -1);
	ck_assert_str_eq(err.text, "zero:1:1: byte 0: this is no text");
	/* Comments may be as long as a line can be. */
	memcpy(line, "0x010 1 #", 9);
	line[4095] = '\n';
	ck_assert_msg(!parse(line, 4096, body), "%s", err.text);
	ck_assert_str_eq(body_text(body), "0x010=1");
	fclose(from);
	free(body);
}
END_TEST

/* With -E, the event types are not those of the kernel: what is recorded is shown all the same. */
START_TEST(test_maskset_shows)
{
	static const struct {
		struct lkst_maskset_entry entry;
		struct lkst_maskset_style style;
		bool shown;
	} cases[] = {
		{ { 0x010, 0 }, { 0 }, true },
		{ { 0x123, 1 }, { 0 }, true },
		{ { 0x123, 1 }, { .plain = true }, true },
		{ { 0x123, 0 }, { 0 }, false },
		{ { 0x123, 0 }, { .unregistered = true }, true },
		{ { 0x123, 0 }, { .unregistered = true, .plain = true }, false },
		{ { -1, 0 }, { 0 }, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_msg(lkst_maskset_shows(types, &cases[i].entry, &cases[i].style) ==
				      cases[i].shown,
			      "%zu", i);
}
END_TEST

START_TEST(test_maskset_complete)
{
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);

	body->entry[body->len++] = (struct lkst_maskset_entry){ 0x123, 4 };
	body->entry[body->len++] = (struct lkst_maskset_entry){ 0xfff, 1 };
	lkst_maskset_complete(body);
	ck_assert_uint_eq(body->len, LKST_ETYPE_NUM);
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		ck_assert_int_eq(body->entry[i].event_type, i);
		ck_assert_int_eq(body->entry[i].id, i == 0x123 ? 4 : i == 0xfff);
	}
	free(body);
}
END_TEST

START_TEST(test_maskset_binary)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);

	ck_assert_int_eq(parse("0x10 1\n0x30\0 1\n", 15, body), -1);
	ck_assert_str_eq(err.text, "FILE:2:5: byte 0: this is no text");
	free(body);
}
END_TEST

START_TEST(test_maskset_unreadable)
{
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	FILE *from = fopen("/", "r");

	ck_assert_ptr_nonnull(from);
	ck_assert_int_eq(lkst_maskset_parse(from, "/", types, &handlers, body, &left_out, &err),
			 -1);
	ck_assert_str_eq(err.text, "/: read: Is a directory");
	fclose(from);
	free(body);
}
END_TEST

/* What print writes is what parse reads, in each style that has the entries. */
START_TEST(test_maskset_round_trip)
{
	static const struct lkst_maskset_style styles[] = {
		{ .plain = false },
		{ .unregistered = true },
		{ .plain = true },
	};
	struct lkst_maskset_body *body = calloc(1, LKST_MASKSET_SIZE_MAX);
	struct lkst_maskset_body *again = malloc(LKST_MASKSET_SIZE_MAX);
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	strcpy(body->name, "two\nlines");
	body->entry[body->len++] = (struct lkst_maskset_entry){ 0x010, 1 };
	body->entry[body->len++] = (struct lkst_maskset_entry){ 0x0c6, 0 };
	body->entry[body->len++] = (struct lkst_maskset_entry){ 0x120, 0x20 };
	if (styles[_i].unregistered)
		body->entry[body->len++] = (struct lkst_maskset_entry){ 0x123, 0 };
	lkst_maskset_print(to, 7, body, types, &styles[_i]);
	fclose(to);
	ck_assert_msg(!strncmp(text, "# maskset 7 two\\012lines\n", 25), "%s", text);
	ck_assert_msg(!parse(text, size, again), "%s", err.text);
	ck_assert_uint_eq(again->len, body->len);
	ck_assert_mem_eq(again->entry, body->entry, body->len * sizeof(*body->entry));
	free(text);
	free(body);
	free(again);
}
END_TEST

/* The handler that wakes the daemon goes with lock events that are masked. */
START_TEST(test_maskset_locks)
{
	static const char text[] = "spin_lock 0\nlkst_buff_ovflow 3\nsystem_call_entry 1\n";
	struct lkst_maskset_body *body = malloc(LKST_MASKSET_SIZE_MAX);
	int culprit = -1;

	ck_assert_msg(!parse(text, strlen(text), body), "%s", err.text);
	ck_assert_int_eq(LKST_ETYPE_LKST_BUFF_OVFLOW, 0xf01);
	body->entry[1].id = 4;
	ck_assert_int_eq(lkst_maskset_check_locks(types, body, &culprit, &err), -1);
	ck_assert_int_eq(culprit, 0x080);
	/* Nor may it be the handler of what waking causes itself. */
	body->entry[2].id = LKST_EVHANDLER_ID_ENTRY_LOG;
	ck_assert_msg(!lkst_maskset_check_locks(types, body, NULL, &err), "%s", err.text);
	body->entry[1].id = LKST_EVHANDLER_ID_BUFFER_SHIFT_DW;
	ck_assert_int_eq(lkst_maskset_check_locks(types, body, NULL, &err), -1);
	ck_assert_msg(strstr(err.text, "\"spin_lock\" does not go with"), "%s", err.text);
	free(body);
}
END_TEST

#define NUM(array) ((int)(sizeof(array) / sizeof(*(array))))

int main(void)
{
	Suite *suite = suite_create("words");
	TCase *tc = tcase_create("words");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_loop_test(tc, test_select, 0, NUM(good));
	tcase_add_loop_test(tc, test_select_bad, 0, NUM(bad));
	check_id(tc, test_classes);
	check_id(tc, test_list);
	tcase_add_loop_test(tc, test_filter, 0, NUM(filters));
	check_id(tc, test_filter_unknown);
	check_id(tc, test_tracepoints);
	check_id(tc, test_handlers);
	check_id(tc, test_maskset);
	tcase_add_loop_test(tc, test_maskset_bad, 0, NUM(bad_masksets));
	tcase_add_loop_test(tc, test_maskset_several, 0, NUM(several));
	check_id(tc, test_maskset_long_line);
	check_id(tc, test_maskset_shows);
	check_id(tc, test_maskset_complete);
	check_id(tc, test_maskset_binary);
	check_id(tc, test_maskset_unreadable);
	tcase_add_loop_test(tc, test_maskset_round_trip, 0, 3);
	check_id(tc, test_maskset_locks);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
