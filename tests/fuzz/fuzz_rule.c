// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes rules (kernel/lkst/rules/): their conditions and their actions. The input is a rule and,
 * after a NUL, the payload of an event. A rule without actions is a condition.
 */
#include "fuzz.h"
#include "../unit/rules/filter_case.h"
#include "rules/action.h"
#include "rules/hist.h"

/* Called by rules/hist.c */
static bool lkst_rule_number(const struct lkst_filter_test *from,
			     const struct lkst_filter_record *record, __u64 *value)
{
	return lkst_filter_number(from, record, value);
}

static const char *lkst_rule_string(const struct lkst_filter_test *from,
				    const struct lkst_filter_record *record, __u32 *size)
{
	return lkst_filter_string(from, record, size);
}

static void lkst_rule_string_done(const struct lkst_filter_test *from)
{
	MUST(from->text != LKST_TEXT_USER);
}

#include "rules/hist.c"

static const struct lkst_filter_field fields[] = {
	FIELD("a", FORMAT("sys"), .load = LKST_LOAD_ARG1, .shift = 32, .size = 4, .is_signed = true),
	FIELD("b", FORMAT("hex"), .load = LKST_LOAD_ARG2, .size = 8),
	FIELD("c", .load = LKST_LOAD_DATA, .offset = 3, .size = 2),
	FIELD("s", FORMAT("text"), .text = LKST_TEXT_ARGS, .offset = 16, .size = 16),
	FIELD("r", .text = LKST_TEXT_REL_LOC, .offset = 5),
	FIELD("l", .text = LKST_TEXT_DATA_LOC, .offset = 9),
	FIELD("p", FORMAT("text"), .text = LKST_TEXT_CHAIN, .offset = 16),
	FIELD("o", .is_opaque = true, .size = 12),
};

static bool constant(void *ctx, const struct lkst_filter_field *field, const char *name, size_t len,
		     __u64 *value)
{
	(void)ctx;
	*value = (__u64)(unsigned char)*name << 60 | field->size;
	return len == 1;
}

static bool function(void *ctx, const char *name, size_t len, __u64 *address, __u64 *size)
{
	(void)ctx;
	*address = (unsigned char)*name;
	*size = len;
	return len;
}

static void check(const struct lkst_rule_filter *filter, const uint8_t *data, size_t size)
{
	struct lkst_filter_record record = { .bytes = (uint32_t)size, .words = 8 };
	uint8_t *payload = malloc(size ? size : 1); /* so that AddressSanitizer finds overruns */

	MUST(payload);
	memcpy(payload, data, size);
	memcpy(record.arg, data, size < sizeof(record.arg) ? size : sizeof(record.arg));
	record.data = payload;
	lkst_rule_filter_matches(filter, &record);
	MUST(!user_texts_open);
	free(payload);
}

static int text_parse(struct lkst_action_parser *parser, struct lkst_action *action,
		      const struct lkst_filter_word *args)
{
	MUST(args->at[args->len] == ')');
	MUST(parser->filter.text + args->start == args->at);
	action->private = strndup(args->at, args->len);
	return 0;
}

static int number_parse(struct lkst_action_parser *parser, struct lkst_action *action,
			const struct lkst_filter_word *args)
{
	unsigned int value = 0;
	int ret = lkst_action_number(parser, args, 77, &value);

	(void)action;
	MUST(ret || value <= 77);
	return ret;
}

/* Count an event twice, and read the histogram. */
static void count(struct lkst_hist_def *def, const struct lkst_filter_record *record)
{
	struct lkst_hist_table *table;
	struct lkst_hist_merge merge = { .def = def, .table = &table, .tables = 1, .max = 1 };
	const char *list[1], *scratch[1];

	def->size = LKST_HIST_SIZE_MIN;
	table = calloc(1, lkst_hist_table_bytes(def));
	merge.entry = malloc(lkst_hist_entry_bytes(def));
	merge.list = list;
	merge.scratch = scratch;
	MUST(table && merge.entry);
	lkst_hist_table_init(def, table);
	lkst_hist_add(def, table, record);
	lkst_hist_add(def, table, record);
	lkst_hist_merge(&merge);
	MUST(merge.entries == 1 && merge.hits == 2 && !merge.drops && !merge.cut);
	free(merge.entry);
	free(table);
}

static int hist_parse(struct lkst_action_parser *parser, struct lkst_action *action,
		      const struct lkst_filter_word *args)
{
	struct lkst_hist_parser hist = { .filter = &parser->filter, .args = *args };
	struct lkst_filter_record record = { .arg = { 1, 2, 3, 4 }, .words = 8 };
	uint8_t payload[20];

	(void)action;
	if (!lkst_hist_parse(&hist))
		return -EINVAL;
	MUST(hist.def.keys && hist.def.keys <= LKST_HIST_KEYS);
	MUST(hist.def.vals && hist.def.vals <= LKST_HIST_VALS);
	memset(payload, 1, sizeof(payload));
	record.data = payload;
	for (record.bytes = 0; record.bytes <= sizeof(payload); record.bytes += 4)
		count(&hist.def, &record);
	return 0;
}

static const struct lkst_action_type types[] = {
	{ .name = "record", .when = LKST_ACTION_RECORD },
	{ .name = "drop", .when = LKST_ACTION_DROP },
	{ .name = "off" },
	{ .name = "text", .args = "TEXT", .parse = text_parse, .free = free },
	{ .name = "stop", .args = "EVENTS", .parse = number_parse },
	{ .name = "hist", .args = "keys=FIELD", .parse = hist_parse },
	{},
};

/*
 * Parse a rule. If @is_condition is set, @text is only a condition, which is a rule without
 * actions.
 */
static void check_rule(const struct lkst_filter_scope *scope, const char *text, bool is_condition,
		       const uint8_t *data, size_t size)
{
	static struct lkst_action_parser parser;
	struct lkst_rule_program *program;

	memset(&parser, 0, sizeof(parser));
	parser.filter.scope = scope;
	parser.types = types;
	if (lkst_rule_program_parse(&parser, text)) {
		MUST(!is_condition && !parser.program);
		MUST(*parser.filter.error && parser.filter.error_at <= strlen(text));
		return;
	}
	program = parser.program;
	MUST(!strcmp(program->text, text) && program->actions <= LKST_ACTIONS);
	MUST(is_condition == !program->actions);
	if (program->condition)
		check(program->condition, data, size);
	for (unsigned int i = 0; i < program->actions; i++)
		if (program->action[i].filter)
			check(program->action[i].filter, data, size);
	lkst_rule_program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct lkst_filter_scope scope = { fields, ARRAY_SIZE(fields), constant,
							function, NULL };
	static struct lkst_filter_parser parser;
	char *text = strndup((const char *)data, size);
	struct lkst_rule_filter *filter;
	size_t len;

	MUST(text);
	len = strlen(text);
	filter = compile(&parser, &scope, text);
	if (filter) {
		MUST(parser.tests <= LKST_FILTER_TESTS);
		check(filter, data + len, size - len);
		if (len < size)
			check(filter, data + len + 1, size - len - 1);
	} else {
		MUST(*parser.error && parser.error_at <= len);
	}
	check_rule(&scope, text, filter, data + len, size - len);
	free(filter);
	free(text);
	return 0;
}
