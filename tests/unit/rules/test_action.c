// SPDX-License-Identifier: GPL-2.0
/* Rules with actions (kernel/lkst/rules/action_parse.c): what is parsed, and where errors are reported. */
#include "tap.h"
#include "filter_case.h"
#include "rules/action.h"

static const struct lkst_filter_field fields[] = {
	FIELD("number", .load = LKST_LOAD_ARG1, .size = 8),
	FIELD("name", .text = LKST_TEXT_ARGS, .offset = 24, .size = 8),
};

static const struct lkst_filter_scope scope = { fields, ARRAY_SIZE(fields), NULL, NULL, NULL };
static int open_actions;

/* Keep a copy of the arguments. Fail as if memory had run out if they are "memory". */
static int text_parse(struct lkst_action_parser *parser, struct lkst_action *action,
		      const struct lkst_filter_word *args)
{
	if (args->len == 6 && !strncmp(args->at, "memory", 6))
		return -ENOMEM;
	if (args->len == 5 && !strncmp(args->at, "wrong", 5)) {
		lkst_filter_error(&parser->filter, args->start, "that is wrong");
		return -EINVAL;
	}
	action->private = strndup(args->at, args->len);
	open_actions++;
	return 0;
}

static void text_free(void *private)
{
	open_actions--;
	free(private);
}

static int number_parse(struct lkst_action_parser *parser, struct lkst_action *action,
			const struct lkst_filter_word *args)
{
	unsigned int value;
	int ret = lkst_action_number(parser, args, 2000, &value);

	action->private = (void *)(uintptr_t)value;
	return ret;
}

static const struct lkst_action_type types[] = {
	{ .name = "record", .when = LKST_ACTION_RECORD },
	{ .name = "drop", .when = LKST_ACTION_DROP },
	{ .name = "off" },
	{ .name = "text", .args = "TEXT", .parse = text_parse, .free = text_free },
	{ .name = "stop", .args = "EVENTS", .parse = number_parse },
	{},
};

static struct lkst_action_parser parser;

static int parse(const char *text)
{
	memset(&parser, 0, sizeof(parser));
	parser.filter.scope = &scope;
	parser.types = types;
	return lkst_rule_program_parse(&parser, text);
}

/*
 * Write a program as text: '?' for its condition, how it records, "=UNMET,MET,FIRES" if all actions
 * take place each time, and its actions.
 */
static const char *shown(const struct lkst_rule_program *program)
{
	static const char *const recording[] = { "met", "record", "drop" };
	static char text[1024];
	size_t at = (size_t)sprintf(text, "%s%s", program->condition ? "?" : "",
				    recording[program->recording]);

	if (program->simple)
		at += (size_t)sprintf(text + at, "=%d,%d,%x", program->records[0],
				      program->records[1], program->fires);

	for (unsigned int i = 0; i < program->actions; i++) {
		const struct lkst_action *action = &program->action[i];

		at += (size_t)sprintf(text + at, " %s", action->type->name);
		if (action->type->parse == text_parse)
			at += (size_t)sprintf(text + at, "(%s)", (char *)action->private);
		else if (action->type->parse)
			at += (size_t)sprintf(text + at, "(%lu)", (uintptr_t)action->private);
		if (action->left >= 0)
			at += (size_t)sprintf(text + at, ":%d", action->left);
		if (action->filter)
			at += (size_t)sprintf(text + at, "?%u", action->filter->tests);
	}
	return text;
}

static const struct {
	const char *text;
	const char *expected;
} cases[] = {
	{ "number == 1", "?met=0,1,0" },
	{ "number == 1 do off", "?met=0,1,1 off" },
	{ "do off", "met=0,1,1 off" },
	{ " do  off ", "met=0,1,1 off" },
	{ "do record", "record=0,1,0 record" },
	{ "number == 1 do record:5, off:1", "?record record:5 off:1" },
	{ "do drop, off if number == 1 && name == x", "drop drop off?2" },
	{ "do drop, record", "record=0,0,0 drop record" },
	{ "number == 1 do drop, off", "?drop=1,0,2 drop off" },
	{ "do off, record, text(a)", "record=0,1,5 off record text(a)" },
	{ "do record if number < 5, drop if number > 2, off", "record record?1 drop?1 off" },
	{ "(number == 1)do off", "?met=0,1,1 off" },
	{ "name == do do off", "?met=0,1,1 off" },
	{ "name == 'do off'", "?met=0,1,0" },
	{ "do text(a)", "met=0,1,1 text(a)" },
	{ "do text()", "met=0,1,1 text()" },
	{ "do text( a, (b) 'c)' ):3 if name == \"x,\",off", "met text( a, (b) 'c)' ):3?1 off" },
	{ "do text (a):7", "met text(a):7" },
	{ "do stop(0)", "met=0,1,1 stop(0)" },
	{ "do stop( 2000 ):2147483647", "met stop(2000):2147483647" },
	{ "do off, text(a) if number == 1", "met off text(a)?1" },
	{ "do off,off,off,off,off,off,off,off", "met=0,1,ff off off off off off off off off" },
};

TEST_EACH(test_case, cases)
{
	int ret = parse(cases[_i].text);

	ck_assert_msg(!ret, "%s: %s", cases[_i].text, parser.filter.error);
	ck_assert_str_eq(shown(parser.program), cases[_i].expected);
	ck_assert_str_eq(parser.program->text, cases[_i].text);
	lkst_rule_program_free(parser.program);
	ck_assert_int_eq(open_actions, 0);
}

static const struct {
	const char *text;
	unsigned int at;
	const char *error;
} errors[] = {
	{ "", 0, "the condition is incomplete (want the name of a field)" },
	{ "number == 1 off", 12, "unexpected \"off\" (want &&, || or do)" },
	{ "number == 1, off", 11, "unexpected \",\" (want &&, || or do)" },
	{ "number == 1 do", 14, "the rule is incomplete (want an action)" },
	{ "do ", 3, "the rule is incomplete (want an action)" },
	{ "do off,", 7, "the rule is incomplete (want an action)" },
	{ "do ,", 3, "unexpected \",\" (want an action)" },
	{ "do 'off'", 3, "unexpected \"off\" (want an action)" },
	{ "do of", 3, "unknown action \"of\" (want record, drop, off, text or stop)" },
	{ "do off, offf:1", 8, "unknown action \"offf\" (want record, drop, off, text or stop)" },
	{ "do off record", 7, "unexpected \"record\" (want if or \",\")" },
	{ "do off:1:2", 7, "\"1:2\" is not a valid number (want at most 2147483647)" },
	{ "do off:", 7, "\"\" is not a valid number (want at most 2147483647)" },
	{ "do off:0", 7, "the count is 0 (want 1 or more)" },
	{ "do off:2147483648", 7, "\"2147483648\" is not a valid number (want at most 2147483647)" },
	{ "do text(a):", 11, "a count is missing (want a number)" },
	{ "do text(a):x", 11, "\"x\" is not a valid number (want at most 2147483647)" },
	{ "do text(a)b", 10, "unexpected \"b\" (want if or \",\")" },
	{ "do off(1)", 7, "\"off\" has no arguments (want no parentheses)" },
	{ "do text", 3, "\"text\" needs arguments (want text(TEXT))" },
	{ "do text:1", 3, "\"text\" needs arguments (want text(TEXT))" },
	{ "do text:1(a)", 3, "\"text\" needs arguments (want text(TEXT))" },
	{ "do text(a", 7, "no closing \")\"" },
	{ "do text('a)", 7, "no closing \")\"" },
	{ "do text(wrong)", 8, "that is wrong" },
	{ "do text(a), text(wrong)", 17, "that is wrong" },
	{ "do stop(2001)", 8, "\"2001\" is not a valid number (want at most 2000)" },
	{ "do stop(-1)", 8, "\"-1\" is not a valid number (want at most 2000)" },
	{ "do stop()", 8, "\"\" is not a valid number (want at most 2000)" },
	{ "do off if", 9, "the condition is incomplete (want the name of a field)" },
	{ "do off if nmber == 1", 10,
	  "unknown field \"nmber\" (want number, name, pid, tid, comm, uid, gid, cpu or flags)" },
	{ "do off if number == 1 x", 22, "unexpected \"x\" (want &&, || or \",\")" },
	{ "do off,off,off,off,off,off,off,off,record", 35, "too many actions (at most 8)" },
	{ "do 'off", 3, "no closing '" },
};

TEST_EACH(test_error, errors)
{
	ck_assert_int_eq(parse(errors[_i].text), -EINVAL);
	ck_assert_str_eq(parser.filter.error, errors[_i].error);
	ck_assert_uint_eq(parser.filter.error_at, errors[_i].at);
	ck_assert_ptr_eq(parser.program, NULL);
	ck_assert_int_eq(open_actions, 0);
}

/* ---- rules that have a fast path ---- */

static const struct lkst_filter_field direct_fields[] = {
	FIELD("first", .load = LKST_LOAD_ARG1, .size = 8),
	FIELD("part", .load = LKST_LOAD_ARG2, .offset = 4, .size = 4),
	FIELD("data", .load = LKST_LOAD_DATA, .offset = 8, .size = 8),
	FIELD("tid", .load = LKST_LOAD_TID, .size = 4),
	FIELD("name", .text = LKST_TEXT_ARGS, .offset = 24, .size = 8),
};

static const struct lkst_filter_scope direct_scope = {
	direct_fields, ARRAY_SIZE(direct_fields), NULL, NULL, NULL,
};

/* watch(simple) can be carried out on the fast path, other actions cannot. */
static const struct lkst_watch_feed *watch_direct(const void *private)
{
	return strcmp(private, "simple") ? NULL : private;
}

static const struct lkst_action_type direct_types[] = {
	{ .name = "record", .when = LKST_ACTION_RECORD },
	{ .name = "drop", .when = LKST_ACTION_DROP },
	{ .name = "off" },
	{ .name = "watch", .args = "NAME", .parse = text_parse, .free = text_free,
	  .direct = watch_direct },
	{},
};

/*
 * Rules, and their fast path: "direct" for the fast path of a watch, "record" if it only records;
 * the argument that the only comparison reads, or "filter" for any other condition; and "drops" if
 * the event is dropped when the condition is false. "": the rule has no fast path.
 */
static const struct {
	const char *text;
	const char *expected;
} direct_cases[] = {
	{ "do watch(simple)", "direct" },
	{ "do record, watch(simple)", "direct" },
	{ "do watch(simple), record", "direct" },
	{ "first == 1 do watch(simple)", "direct arg1 drops" },
	{ "first == 1 do record, watch(simple)", "direct arg1 drops" },
	{ "part != 1 do watch(simple)", "direct arg2 drops" },
	{ "do watch(simple) if first > 1", "direct arg1" },
	{ "do record, watch(simple) if !(part == 1..5)", "direct arg2" },
	{ "do record", "record" },
	{ "first == 1", "record arg1 drops" },
	{ "part == 1 do record", "record arg2 drops" },
	{ "first == 1 || name == x", "record filter drops" },
	{ "first == 1 && part == 1 do watch(simple)", "direct filter drops" },
	{ "do watch(simple) if first == 1 || first == 5", "direct filter" },
	{ "data == 1 do watch(simple)", "direct filter drops" },
	{ "do watch(simple) if data == 1", "direct filter" },
	{ "tid == 1 do watch(simple)", "direct filter drops" },
	{ "name == x do watch(simple)", "direct filter drops" },
	/* an action that needs more than the fast path */
	{ "do off", "" },
	{ "do drop", "" },
	{ "first == 1 do drop", "" },
	{ "do watch(other)", "" },
	{ "first == 1 do watch(other)", "" },
	/* several conditions */
	{ "first == 1 do watch(simple) if part == 1", "" },
	/* events that are not always recorded, and counts */
	{ "do record if first == 1, watch(simple)", "" },
	{ "do record:5, watch(simple)", "" },
	{ "do watch(simple):5", "" },
	{ "do drop, watch(simple)", "" },
	{ "do watch(simple), drop if first == 1", "" },
	/* a second action */
	{ "do watch(simple), off", "" },
	{ "do off if first == 1, watch(simple)", "" },
	{ "do watch(simple), watch(simple)", "" },
	{ "do watch(simple), watch(other)", "" },
};

/* Write the fast path of a rule as text. lkst_rule_assign() sets @drops as this function does. */
static const char *shown_direct(const struct lkst_rule_program *program)
{
	static char text[64];

	*text = 0;
	if (program->fast)
		strcpy(text, program->direct ? "direct" : "record");
	if (program->only)
		sprintf(text + strlen(text), " arg%d", program->only->load - LKST_LOAD_ARG1 + 1);
	else if (program->filter)
		strcat(text, " filter");
	if (program->filter && program->condition)
		strcat(text, " drops");
	return text;
}

TEST_EACH(test_direct, direct_cases)
{
	int ret;

	memset(&parser, 0, sizeof(parser));
	parser.filter.scope = &direct_scope;
	parser.types = direct_types;
	ret = lkst_rule_program_parse(&parser, direct_cases[_i].text);
	ck_assert_msg(!ret, "%s: %s", direct_cases[_i].text, parser.filter.error);
	ck_assert_msg(!strcmp(shown_direct(parser.program), direct_cases[_i].expected), "%s: %s",
		      direct_cases[_i].text, shown_direct(parser.program));
	lkst_rule_program_free(parser.program);
	ck_assert_int_eq(open_actions, 0);
}

TEST(test_no_memory)
{
	ck_assert_int_eq(parse("do text(a), text(memory)"), -ENOMEM);
	ck_assert_int_eq(open_actions, 0);
}

TEST(test_bytes)
{
	size_t plain;

	ck_assert_int_eq(parse("do off if number == 1"), 0);
	plain = parser.program->bytes;
	lkst_rule_program_free(parser.program);
	ck_assert_int_eq(parse("do off if number == 1 && number == 2"), 0);
	ck_assert_uint_eq(parser.program->bytes, plain + sizeof(struct lkst_filter_test) +
						 strlen(" && number == 2"));
	lkst_rule_program_free(parser.program);
}
