// SPDX-License-Identifier: GPL-2.0
/* The operands of lkstla pair: BEGIN END by KEY [if LABEL=VALUE] [group LABEL]. */
#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "messages.h"
#include "pair.h"

/* The valid choices for a word, for error messages. */
struct pair_names {
	const char *name[2 * LKST_FIELDS_MAX + 3];
	size_t num;
};

static const char *pair_name_at(void *ctx, size_t i)
{
	const struct pair_names *names = ctx;

	return names->name[i];
}

static void pair_add_name(struct pair_names *names, const char *name)
{
	for (size_t i = 0; i < names->num; i++)
		if (!strcmp(names->name[i], name))
			return;
	names->name[names->num++] = name;
}

/* Write '; did you mean ...?' if a name is similar to a word. */
static void pair_suggest(struct pair_names *names, const char *word, char *text, size_t size)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	size_t n = lkst_suggest(word, pair_name_at, names, names->num, suggestions);

	lkst_suggestions_text(suggestions, n, text, size);
}

static void pair_list(const struct pair_names *names, char *text, size_t size)
{
	size_t len = 0;

	*text = 0;
	for (size_t i = 0; i < names->num && len < size; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s", i ? ", " : "",
					names->name[i]);
}

/* ---- arguments of the events ---- */

static bool pair_is_key(const struct lkst_field *field)
{
	return *field->label && !pair_is_string(field) && field->format != LKST_FMT_BYTES;
}

static bool pair_is_label(const struct lkst_field *field)
{
	return *field->label;
}

/* Add the names of those arguments of an event type for which @accepts returns true. */
static void pair_add_labels(struct pair_names *names, const struct lkst_etype *etype,
			    bool (*accepts)(const struct lkst_field *field))
{
	for (int i = 0; etype && i < etype->fields; i++)
		if (accepts(&etype->field[i]))
			pair_add_name(names, etype->field[i].label);
}

/* Return the argument with this name; NULL if the event has no such argument. */
static const struct lkst_field *pair_find(const struct lkst_etype *etype, const char *label,
					  bool (*accepts)(const struct lkst_field *field))
{
	for (int i = 0; etype && i < etype->fields; i++)
		if (!strcasecmp(etype->field[i].label, label) && accepts(&etype->field[i]))
			return &etype->field[i];
	return NULL;
}

/* ---- the words ---- */

static int pair_take_event(struct pair_side *side, const struct lkst_etypes *types,
			   const char *word, struct lkst_error *err)
{
	int number = lkst_etypes_find(types, word, err);

	if (number < 0)
		return -1;
	side->type = (uint32_t)number;
	side->etype = lkst_etypes_get(types, side->type);
	side->name = side->etype ? lkst_etype_name(side->etype) : word;
	return 0;
}

static int pair_take_side_key(struct pair_side *side, const char *key, struct lkst_error *err)
{
	struct pair_names names = { 0 };
	char text[256], all[512];

	side->key.field = pair_find(side->etype, key, pair_is_key);
	side->key.kind = !strcasecmp(key, "tid") ? PAIR_TID :
			 !strcasecmp(key, "cpu") ? PAIR_CPU :
						   PAIR_FIELD;
	if (side->key.kind != PAIR_FIELD || side->key.field)
		return 0;
	pair_add_name(&names, "tid");
	pair_add_name(&names, "cpu");
	pair_add_labels(&names, side->etype, pair_is_key);
	pair_suggest(&names, key, text, sizeof(text));
	pair_list(&names, all, sizeof(all));
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_PAIR_KEY, key, side->name, text, all);
	return -1;
}

#define PAIR_LABEL_SIZE 64 /* longer than any label */

/* Parse "KEY", or "A=B" if the key is A in the first event and B in the second one. */
static int pair_take_key(struct pair_spec *spec, const char *word, struct lkst_error *err)
{
	size_t len = strcspn(word, "=");
	char begin[PAIR_LABEL_SIZE];

	snprintf(begin, sizeof(begin), "%.*s", (int)(len < sizeof(begin) ? len : sizeof(begin)),
		 word);
	if (pair_take_side_key(&spec->side[PAIR_BEGIN], begin, err))
		return -1;
	return pair_take_side_key(&spec->side[PAIR_END], word[len] ? word + len + 1 : word, err);
}

/* Report that @label, after @word, is neither an argument of the events nor one of @names. */
static int pair_unknown_label(const struct pair_spec *spec, const char *word, const char *label,
			      struct pair_names *names, struct lkst_error *err)
{
	const struct pair_side *side = spec->side;
	char text[256], all[512];

	pair_add_labels(names, side[PAIR_BEGIN].etype, pair_is_label);
	pair_add_labels(names, side[PAIR_END].etype, pair_is_label);
	pair_suggest(names, label, text, sizeof(text));
	pair_list(names, all, sizeof(all));
	if (names->num)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_PAIR_LABEL, word, label,
			       side[PAIR_BEGIN].name, side[PAIR_END].name, text, all);
	else
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_PAIR_LABEL_NONE, word, label,
			       side[PAIR_BEGIN].name, side[PAIR_END].name);
	return -1;
}

static int pair_take_condition(struct pair_spec *spec, const char *word, struct lkst_error *err)
{
	struct pair_names names = { 0 };
	size_t len = strcspn(word, "=");
	char label[PAIR_LABEL_SIZE];
	bool found = false;

	if (!word[len]) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_PAIR_CONDITION, word);
		return -1;
	}
	snprintf(label, sizeof(label), "%.*s", (int)(len < sizeof(label) ? len : sizeof(label)),
		 word);
	for (int i = 0; i < 2; i++) {
		struct pair_side *side = &spec->side[i];

		side->condition = pair_find(side->etype, label, pair_is_label);
		found |= side->condition != NULL;
	}
	if (!found)
		return pair_unknown_label(spec, "if", label, &names, err);
	spec->want = word + len + 1;
	spec->is_number = !lkst_parse_u64("if", spec->want, &spec->number, NULL);
	return 0;
}

static int pair_take_group(struct pair_spec *spec, const char *word, struct lkst_error *err)
{
	static const char *const own[] = { "tid", "cpu", "process" };
	static const enum pair_kind kind[] = { PAIR_TID, PAIR_CPU, PAIR_PROCESS };
	struct pair_names names = { 0 };

	spec->group = word;
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++) {
		if (!strcasecmp(word, own[i])) {
			spec->group_value.kind = kind[i];
			return 0;
		}
		pair_add_name(&names, own[i]);
	}
	for (int i = 0; i < 2; i++) {
		spec->group_side = i;
		spec->group_value.field = pair_find(spec->side[i].etype, word, pair_is_label);
		if (spec->group_value.field)
			return 0;
	}
	return pair_unknown_label(spec, "group", word, &names, err);
}

static const struct {
	const char *word;
	const char *value;
	int (*take)(struct pair_spec *spec, const char *value, struct lkst_error *err);
} pair_clauses[] = {
	{ "by", "tid, cpu, or an argument of both events", pair_take_key },
	{ "if", "LABEL=VALUE", pair_take_condition },
	{ "group", "tid, cpu, process, or an argument of one of the events", pair_take_group },
};

#define PAIR_CLAUSES (sizeof(pair_clauses) / sizeof(*pair_clauses))

static const char *pair_clause_at(void *ctx, size_t i)
{
	(void)ctx;
	return pair_clauses[i].word;
}

static int pair_take_clause(struct pair_spec *spec, const char *word, const char *value,
			    bool given[PAIR_CLAUSES], struct lkst_error *err)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[128];
	size_t i = 0;

	while (i < PAIR_CLAUSES && strcasecmp(word, pair_clauses[i].word))
		i++;
	if (i == PAIR_CLAUSES) {
		lkst_suggestions_text(suggestions,
				      lkst_suggest(word, pair_clause_at, NULL, PAIR_CLAUSES,
						   suggestions),
				      text, sizeof(text));
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_PAIR_WORD, word, text);
		return -1;
	}
	if (!value || given[i]) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, value ? MSG_PAIR_TWICE : MSG_PAIR_VALUE,
			       pair_clauses[i].word, pair_clauses[i].value);
		return -1;
	}
	given[i] = true;
	return pair_clauses[i].take(spec, value, err);
}

/**
 * pair_parse() - parse the operands
 * @spec: result, which refers to @types and to @operands
 * @types: event types
 * @operands: words, ending with NULL
 * @err: set if the operands do not have the syntax at the top of this file
 */
int pair_parse(struct pair_spec *spec, const struct lkst_etypes *types, char *const *operands,
	       struct lkst_error *err)
{
	bool given[PAIR_CLAUSES] = { false };

	*spec = (struct pair_spec){ 0 };
	for (int i = 0; i < 2; i++) {
		if (!operands || !*operands) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_PAIR_MISSING,
				       i ? "END" : "BEGIN");
			return -1;
		}
		if (pair_take_event(&spec->side[i], types, *operands++, err))
			return -1;
	}
	while (*operands) {
		if (pair_take_clause(spec, operands[0], operands[1], given, err))
			return -1;
		operands += 2;
	}
	if (!given[0]) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_PAIR_MISSING, "by KEY");
		return -1;
	}
	return 0;
}
