// SPDX-License-Identifier: GPL-2.0
/*
 * Parse a rule: its condition, and its actions (action.h). Actions consist of
 * the same tokens as conditions, so filter_token.c reads both.
 */
#include "filter_compat.h"
#include "action.h"

#define ACTION_SHOWN		60
#define ACTION_WORD(word)	\
	(int)((word)->len < ACTION_SHOWN ? (word)->len : ACTION_SHOWN), (word)->at

static bool action_is_word(const struct lkst_filter_parser *parser, const char *text)
{
	const struct lkst_filter_word *word = &parser->word;

	return parser->token == LKST_TOKEN_WORD && !word->quoted && strlen(text) == word->len &&
	       !strncmp(word->at, text, word->len);
}

static bool action_is_comma(const struct lkst_filter_parser *parser)
{
	return parser->token == LKST_TOKEN_INVALID && *parser->word.at == ',';
}

static int action_unexpected(struct lkst_filter_parser *parser, const char *want)
{
	if (parser->token == LKST_TOKEN_END)
		lkst_filter_error(parser, parser->word.start, "the rule is incomplete (want %s)",
				  want);
	else
		lkst_filter_error(parser, parser->word.start, "unexpected \"%.*s\" (want %s)",
				  ACTION_WORD(&parser->word), want);
	return -EINVAL;
}

/**
 * lkst_action_number() - parse a number in the arguments of an action
 * @parser: the parser
 * @word: the number, possibly between blanks
 * @max: greatest value
 * @value: receives the number
 *
 * Return: 0, or -EINVAL after an error, which is in @parser.
 */
int lkst_action_number(struct lkst_action_parser *parser, const struct lkst_filter_word *word,
		       unsigned int max, unsigned int *value)
{
	const char *at = word->at, *end = word->at + word->len;
	bool wrong;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	wrong = at == end;
	for (*value = 0; !wrong && at < end; at++) {
		wrong = *at < '0' || *at > '9' || *value > (max - (*at - '0')) / 10;
		*value = *value * 10 + (*at - '0');
	}
	if (!wrong)
		return 0;
	lkst_filter_error(&parser->filter, word->start,
			  "\"%.*s\" is not a valid number (want at most %u)", ACTION_WORD(word),
			  max);
	return -EINVAL;
}

/* ---- conditions ---- */

/* Store the condition that has been parsed. Returns 0 or -ENOMEM. */
static int action_store(struct lkst_action_parser *parser, struct lkst_rule_filter **filter)
{
	size_t bytes = lkst_filter_bytes(&parser->filter);

	*filter = kvzalloc(bytes, GFP_KERNEL);
	if (!*filter)
		return -ENOMEM;
	lkst_filter_store(&parser->filter, *filter);
	parser->program->bytes += bytes;
	return 0;
}

/* Parse the condition that begins with the current token. */
static int action_condition(struct lkst_action_parser *parser, struct lkst_rule_filter **filter)
{
	return lkst_filter_parse_part(&parser->filter) ? action_store(parser, filter) : -EINVAL;
}

/* ---- actions ---- */

static int action_unknown(struct lkst_action_parser *parser, const struct lkst_filter_word *name)
{
	const struct lkst_action_type *type;
	char list[LKST_FILTER_ERROR] = "";
	size_t used = 0;

	for (type = parser->types; type->name && used < sizeof(list); type++)
		used += snprintf(list + used, sizeof(list) - used, "%s%s",
				 type == parser->types ? "" : type[1].name ? ", " : " or ",
				 type->name);
	lkst_filter_error(&parser->filter, name->start, "unknown action \"%.*s\" (want %s)",
			  ACTION_WORD(name), list);
	return -EINVAL;
}

/*
 * Split ":COUNT" from a word. If the word has no ":COUNT", @count becomes
 * empty.
 */
static void action_split(struct lkst_filter_word *name, struct lkst_filter_word *count)
{
	const char *colon = memchr(name->at, ':', name->len);

	*count = *name;
	count->len = 0;
	if (!colon)
		return;
	count->at = colon + 1;
	count->len = name->at + name->len - count->at;
	count->start = name->start + (count->at - name->at);
	name->len = colon - name->at;
}

/*
 * Take the arguments of an action, up to the ")" that belongs to the current
 * token, "(".
 */
static int action_take_args(struct lkst_filter_parser *parser, struct lkst_filter_word *args)
{
	const char *at = parser->next;
	unsigned int depth = 1;

	args->at = at;
	args->start = at - parser->text;
	args->quoted = false;
	for (; *at; at++) {
		if (*at == '"' || *at == '\'') {
			const char *end = strchr(at + 1, *at);

			if (!end)
				break;
			at = end;
		} else if (*at == '(') {
			depth++;
		} else if (*at == ')' && !--depth) {
			args->len = at - args->at;
			parser->next = at + 1;
			return 0;
		}
	}
	lkst_filter_error(parser, parser->word.start, "no closing \")\"");
	return -EINVAL;
}

/* Take the ":COUNT" after the arguments, and read the next token. */
static int action_take_count(struct lkst_filter_parser *parser, struct lkst_filter_word *count)
{
	bool found = *parser->next == ':';

	if (!lkst_filter_read(parser))
		return -EINVAL;
	if (!found)
		return 0;
	*count = parser->word;
	count->at++;
	count->len--;
	count->start++;
	if (!count->len) {
		lkst_filter_error(parser, count->start, "a count is missing (want a number)");
		return -EINVAL;
	}
	return lkst_filter_read(parser) ? 0 : -EINVAL;
}

static int action_set_count(struct lkst_action_parser *parser, struct lkst_action *action,
			    const struct lkst_filter_word *count)
{
	unsigned int value;
	int ret = lkst_action_number(parser, count, INT_MAX, &value);

	if (!ret && !value) {
		lkst_filter_error(&parser->filter, count->start,
				  "the count is 0 (want 1 or more)");
		ret = -EINVAL;
	}
	action->left = value;
	return ret;
}

/* Parse the arguments of an action. If it has none, @args->at is NULL. */
static int action_parse_args(struct lkst_action_parser *parser, struct lkst_action *action,
			     const struct lkst_filter_word *name,
			     const struct lkst_filter_word *args)
{
	const struct lkst_action_type *type = action->type;

	if (!type->args && args->at) {
		lkst_filter_error(&parser->filter, args->start,
				  "\"%s\" has no arguments (want no parentheses)", type->name);
		return -EINVAL;
	}
	if (type->args && !args->at) {
		lkst_filter_error(&parser->filter, name->start,
				  "\"%s\" needs arguments (want %s(%s))", type->name, type->name,
				  type->args);
		return -EINVAL;
	}
	return type->parse ? type->parse(parser, action, type->args ? args : name) : 0;
}

static void action_note_recording(struct lkst_rule_program *program, unsigned int when)
{
	if (when == LKST_ACTION_RECORD)
		program->recording = LKST_RULE_IF_RECORD;
	else if (when == LKST_ACTION_DROP && program->recording == LKST_RULE_IF_MET)
		program->recording = LKST_RULE_UNLESS_DROP;
}

/* Parse the name, the arguments and the count of an action. */
static int action_head(struct lkst_action_parser *parser, struct lkst_action *action)
{
	struct lkst_filter_parser *filter = &parser->filter;
	struct lkst_filter_word name = filter->word, count, args = {};
	const struct lkst_action_type *type;
	bool colon;
	int ret;

	if (filter->token != LKST_TOKEN_WORD || name.quoted)
		return action_unexpected(filter, "an action");
	action_split(&name, &count);
	colon = name.len < filter->word.len;
	for (type = parser->types; type->name; type++)
		if (strlen(type->name) == name.len && !strncmp(type->name, name.at, name.len))
			break;
	if (!type->name)
		return action_unknown(parser, &name);
	if (!lkst_filter_read(filter))
		return -EINVAL;
	if (filter->token == LKST_TOKEN_OPEN && !colon) {
		ret = action_take_args(filter, &args) ?: action_take_count(filter, &count);
		if (ret)
			return ret;
		colon = count.len;
	}
	action->left = -1;
	action->target = -1;
	ret = colon ? action_set_count(parser, action, &count) : 0;
	if (ret)
		return ret;
	/* From here on, lkst_rule_program_free() frees the action. */
	action->type = type;
	parser->program->actions++;
	action_note_recording(parser->program, type->when);
	return action_parse_args(parser, action, &name, &args);
}

static int action_parse(struct lkst_action_parser *parser)
{
	struct lkst_rule_program *program = parser->program;
	struct lkst_filter_parser *filter = &parser->filter;
	struct lkst_action *action = &program->action[program->actions];
	int ret;

	if (program->actions == LKST_ACTIONS) {
		lkst_filter_error(filter, filter->word.start, "too many actions (at most %d)",
				  LKST_ACTIONS);
		return -EINVAL;
	}
	ret = action_head(parser, action);
	if (ret || !action_is_word(filter, "if"))
		return ret;
	if (!lkst_filter_read(filter))
		return -EINVAL;
	return action_condition(parser, &action->filter);
}

/* Parse the actions, up to the end of the rule. */
static int action_parse_all(struct lkst_action_parser *parser)
{
	struct lkst_filter_parser *filter = &parser->filter;
	bool more = true;
	int ret;

	while (more) {
		if (!lkst_filter_read(filter))
			return -EINVAL;
		ret = action_parse(parser);
		if (ret)
			return ret;
		more = action_is_comma(filter);
	}
	if (filter->token != LKST_TOKEN_END)
		return action_unexpected(filter, parser->program->action
					 [parser->program->actions - 1].filter ?
					 "&&, || or \",\"" : "if or \",\"");
	return 0;
}

static int action_parse_rule(struct lkst_action_parser *parser)
{
	struct lkst_filter_parser *filter = &parser->filter;
	int ret;

	filter->text = parser->program->text;
	filter->next = filter->text;
	if (!lkst_filter_read(filter))
		return -EINVAL;
	if (!action_is_word(filter, "do")) {
		ret = action_condition(parser, &parser->program->condition);
		if (ret || filter->token == LKST_TOKEN_END)
			return ret;
	}
	if (!action_is_word(filter, "do"))
		return action_unexpected(filter, "&&, || or do");
	return action_parse_all(parser);
}

/*
 * Compute what does not depend on the event, so that lkst_rule_apply() need not
 * do this for each event.
 */
static void action_note(struct lkst_rule_program *program)
{
	unsigned int i;

	program->simple = true;
	program->records[false] = program->recording == LKST_RULE_UNLESS_DROP;
	program->records[true] = true;
	for (i = 0; i < program->actions; i++) {
		const struct lkst_action *action = &program->action[i];
		unsigned int when = action->type->when;

		if (action->filter || action->left >= 0)
			program->simple = false;
		if (when == LKST_ACTION_DROP)
			program->records[true] = false;
		else if (when != LKST_ACTION_RECORD)
			program->fires |= 1U << i;
		program->early |= when == LKST_ACTION_START;
	}
}

/*
 * Find the only action of a rule besides "record". *@single is NULL if the rule
 * has no such action. Returns false if the rule has several such actions, if an
 * action has a count, or if "record" has a condition.
 */
static bool action_find_single(const struct lkst_rule_program *program,
			       const struct lkst_action **single)
{
	unsigned int i;

	*single = NULL;
	for (i = 0; i < program->actions; i++) {
		const struct lkst_action *action = &program->action[i];
		bool records = action->type->when == LKST_ACTION_RECORD;

		if (action->left >= 0 || (records ? !!action->filter : !!*single))
			return false;
		if (!records)
			*single = action;
	}
	return true;
}

/* Whether a condition is a single comparison of an argument with a number. */
static bool action_simple_condition(const struct lkst_rule_filter *filter)
{
	return filter->tests == 1 && filter->test[0].kind == LKST_FILTER_ARG;
}

/* Set @fast, @direct, @filter and @only of a program. */
static void action_note_fast(struct lkst_rule_program *program)
{
	const struct lkst_rule_filter *filter = program->condition;
	const struct lkst_watch_feed *feed = NULL;
	const struct lkst_action *action;

	if (!action_find_single(program, &action))
		return;
	if (action) {
		feed = action->type->direct ? action->type->direct(action->private) : NULL;
		if (!feed || (filter && action->filter))
			return;
		filter = filter ?: action->filter;
	}
	program->fast = true;
	program->direct = feed;
	program->filter = filter;
	if (filter && action_simple_condition(filter))
		program->only = &filter->test[0];
}

/**
 * lkst_rule_program_parse() - parse a rule
 * @parser: the caller has set @filter.scope, @types, @maskset and @etype, and
 *	the rest to 0
 * @text: the rule
 *
 * Context: may sleep.
 *
 * Return: 0; @program is the rule. -EINVAL if the rule is wrong; @filter says
 * why. -ENOMEM, or another errno of lkst_action_type.parse.
 */
int lkst_rule_program_parse(struct lkst_action_parser *parser, const char *text)
{
	size_t size = strlen(text) + 1, bytes = sizeof(*parser->program) + size;
	int ret;

	parser->program = kvzalloc(bytes, GFP_KERNEL);
	if (!parser->program)
		return -ENOMEM;
	parser->program->bytes = bytes;
	memcpy(parser->program->text, text, size);
	ret = action_parse_rule(parser);
	if (ret) {
		lkst_rule_program_free(parser->program);
		parser->program = NULL;
		return ret;
	}
	action_note(parser->program);
	action_note_fast(parser->program);
	return 0;
}

/* Free a program that no event can use. Context: may sleep. */
void lkst_rule_program_free(struct lkst_rule_program *program)
{
	unsigned int i;

	for (i = 0; i < program->actions; i++) {
		if (program->action[i].type->free && program->action[i].private)
			program->action[i].type->free(program->action[i].private);
		kvfree(program->action[i].filter);
	}
	kvfree(program->condition);
	kvfree(program);
}
