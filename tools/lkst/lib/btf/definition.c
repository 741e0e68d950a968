// SPDX-License-Identifier: LGPL-2.1
/*
 * Translates the definition of an added event to the kernel's syntax.
 *
 * Words that are already in the kernel's syntax are copied. Words that name arguments are compiled
 * with the help of BTF. The kernel reports errors at a position in the translation, so each part of
 * the translation remembers which part of the user's words it comes from.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "definition.h"
#include "fetch.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "messages.h"
#include "own_fields.h"
#include "types.h"

#define BLANKS " \t\n"

/**
 * struct definition_state - state of a translation
 * @source: BTF
 * @tracefs: events of ftrace
 * @words: what the user wrote
 * @to: the translation
 * @err: set on failure
 * @place: where in the function the event occurs
 * @tracepoint: the event is a tracepoint; otherwise it is a function
 * @known: @prototype has been found
 * @inside: the event occurs inside a function, where the arguments of the function are unknown
 * @symbol: position of the symbol in @words
 * @symbol_len: length of the symbol, without an offset
 * @prototype: arguments of the function or tracepoint
 */
struct definition_state {
	struct btf_source *source;
	struct tracefs *tracefs;
	const char *words;
	struct definition *to;
	struct lkst_error *err;
	enum fetch_place place;
	bool tracepoint;
	bool known;
	bool inside;
	size_t symbol;
	size_t symbol_len;
	struct btf_prototype prototype;
};

/* A word, or a part of a word */
struct definition_word {
	size_t at;
	size_t len;
};

/* ---- errors ---- */

/* Return the position of a byte in characters, from 1. */
static unsigned int definition_character(const char *text, size_t at)
{
	unsigned int position = 1;

	for (size_t i = 0; i < at && text[i]; i++)
		position += ((unsigned char)text[i] & 0xc0) != 0x80;
	return position;
}

static int definition_fail(struct definition_state *state, size_t at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int definition_fail(struct definition_state *state, size_t at, const char *format, ...)
{
	struct lkst_error plain;
	va_list args;

	va_start(args, format);
	lkst_error_vset(&plain, LKST_ERR_ARGUMENT, format, args);
	va_end(args);
	lkst_error_set(state->err, LKST_ERR_ARGUMENT, MSG_DEFINITION_AT,
		       definition_character(state->words, at), plain.text);
	return -1;
}

/* Pass on @err. If the user's words are wrong, add the position @at in these words. */
static int definition_fail_with(struct definition_state *state, size_t at,
				const struct lkst_error *err)
{
	if (err->code == LKST_ERR_ARGUMENT)
		return definition_fail(state, at, "%s", err->text);
	*state->err = *err;
	return -1;
}

/**
 * definition_wrong() - set an error at a position of a translation
 * @definition: the translation
 * @words: what the user wrote
 * @at: position in the translation in bytes
 * @text: what is wrong
 * @err: receives the error, with the position in @words
 */
void definition_wrong(const struct definition *definition, const char *words, size_t at,
		      const char *text, struct lkst_error *err)
{
	size_t from = 0;

	for (size_t i = 0; i < definition->parts && definition->part[i].at <= at; i++) {
		const struct definition_part *part = &definition->part[i];

		from = part->from;
		if (part->copied)
			from += at - part->at < part->len ? at - part->at : part->len;
	}
	lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_DEFINITION_AT, definition_character(words, from),
		       text);
}

/* ---- writing ---- */

static int definition_memory(struct definition_state *state)
{
	lkst_error_memory(state->err, "the definition of an event");
	return -1;
}

/* Append a part. @from is its place in the words of the user. */
static int definition_add(struct definition_state *state, const char *text, size_t len, size_t from,
			  bool copied)
{
	struct definition *to = state->to;
	struct definition_part *part = reallocarray(to->part, to->parts + 1, sizeof(*part));
	char *grown;

	if (!part)
		return definition_memory(state);
	to->part = part;
	grown = realloc(to->text, to->len + len + 1);
	if (!grown)
		return definition_memory(state);
	to->text = grown;
	memcpy(to->text + to->len, text, len);
	to->text[to->len + len] = 0;
	to->part[to->parts++] = (struct definition_part){
		.at = to->len,
		.len = len,
		.from = from,
		.copied = copied,
	};
	to->len += len;
	return 0;
}

static int definition_compiled(struct definition_state *state, const char *text, size_t from)
{
	return definition_add(state, text, strlen(text), from, false);
}

static int definition_copy(struct definition_state *state, size_t at, size_t len)
{
	return definition_add(state, state->words + at, len, at, true);
}

/* ---- the function or tracepoint ---- */

static const char *definition_name_at(void *ctx, size_t i)
{
	return ((const char **)ctx)[i];
}

struct definition_names {
	size_t num;
	const char **name;
};

static int definition_add_name(void *ctx, const char *module, const struct btf_prototype *prototype)
{
	struct definition_names *names = ctx;
	const char **grown = reallocarray(names->name, names->num + 1, sizeof(*grown));

	(void)module;
	if (!grown)
		return -1;
	names->name = grown;
	names->name[names->num++] = prototype->name;
	return 0;
}

static int definition_no_tracepoint(struct definition_state *state, const char *name)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	struct definition_names names = { 0 };
	char similar[256];
	size_t num;

	btf_source_each(state->source, definition_add_name, &names);
	num = lkst_suggest(name, definition_name_at, names.name, names.num, suggestions);
	lkst_suggestions_text(suggestions, num, similar, sizeof(similar));
	free(names.name);
	return definition_fail(state, state->symbol, MSG_NO_TRACEPOINT, name, similar);
}

static int definition_open(struct definition_state *state, const char *name)
{
	if (!btf_source_open(state->source, state->err))
		return 0;
	if (!*state->err->text)
		lkst_error_set(state->err, LKST_ERR_SYSTEM, MSG_BTF_NONE,
			       btf_source_kernel(state->source), state->tracepoint ? 't' : 'p',
			       name);
	return -1;
}

static int definition_find(struct definition_state *state, char *name)
{
	char *colon = state->tracepoint ? NULL : strchr(name, ':');

	if (state->tracepoint)
		return btf_source_tracepoint(state->source, name, &state->prototype) ?
			       0 :
			       definition_no_tracepoint(state, name);
	if (colon)
		*colon = 0;
	return btf_source_function(state->source, colon ? name : NULL, colon ? colon + 1 : name,
				   &state->prototype) ?
		       0 :
		       definition_fail(state, state->symbol, MSG_NO_FUNCTION,
				       colon ? colon + 1 : name);
}

/*
 * Look up the arguments of the function or tracepoint, because the word at @at names one of them.
 */
static int definition_need(struct definition_state *state, size_t at)
{
	char *name;
	int ret;

	if (state->known)
		return 0;
	if (state->inside)
		return definition_fail(state, at, MSG_DEFINITION_INSIDE, (int)state->symbol_len,
				       state->words + state->symbol);
	name = strndup(state->words + state->symbol, state->symbol_len);
	if (!name)
		return definition_memory(state);
	ret = definition_open(state, name) || definition_find(state, name) ? -1 : 0;
	state->known = !ret;
	free(name);
	return ret;
}

/* ---- fields ---- */

static bool definition_is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool definition_begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_';
}

/* Return the length of "NAME=" at the start of a word; 0 if the word has no name. */
static size_t definition_name_length(const char *word, size_t len)
{
	size_t i = 0;

	if (!len || !definition_begins_name(*word))
		return 0;
	while (i < len && definition_is_name(word[i]))
		i++;
	return i < len && word[i] == '=' ? i + 1 : 0;
}

/* Return the length of an expression, up to the ":" before its type. */
static size_t definition_expression_length(const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);

	return colon ? (size_t)(colon - text) : len;
}

/* Return whether a word is an expression that must be compiled to the kernel's syntax. */
static bool definition_is_expression(const char *text, size_t len)
{
	if (len && definition_begins_name(*text))
		return true;
	if (!len || *text != '$')
		return false;
	return strcspn(text, ".[-") < definition_expression_length(text, len);
}

static int definition_compile(struct definition_state *state, const struct definition_word *word,
			      struct fetch *fetch)
{
	struct fetch_error wrong;

	if (definition_need(state, word->at))
		return -1;
	if (!fetch_compile(&state->prototype, state->place, state->words + word->at, word->len,
			   fetch, &wrong))
		return 0;
	return definition_fail_with(state, word->at + wrong.at, &wrong.err);
}

/* Name a field after the last member in its expression, or after the argument. */
static int definition_add_own_name(struct definition_state *state,
				   const struct definition_word *expression)
{
	const char *text = state->words + expression->at;
	size_t end = expression->len, start;

	while (end && text[end - 1] == ']')
		while (end && text[--end] != '[')
			;
	for (start = end; start && definition_is_name(text[start - 1]); start--)
		;
	return definition_copy(state, expression->at + start, end - start) ||
	       definition_compiled(state, "=", expression->at);
}

/* Translate "EXPRESSION[:TYPE]". */
static int definition_expression(struct definition_state *state, const struct definition_word *word,
				 bool named)
{
	const char *text = state->words + word->at;
	struct definition_word expression = {
		.at = word->at,
		.len = definition_expression_length(text, word->len),
	};
	char *type = NULL, *value;
	struct lkst_error err;
	struct fetch fetch;
	int ret;

	if (expression.len + 1 == word->len)
		return definition_fail(state, word->at + word->len, MSG_EXPRESSION_TYPE);
	if (definition_compile(state, &expression, &fetch))
		return -1;
	if (expression.len < word->len) {
		type = strndup(text + expression.len + 1, word->len - expression.len - 1);
		if (!type) {
			fetch_free(&fetch);
			return definition_memory(state);
		}
	}
	value = fetch_text(&fetch, type, &err);
	fetch_free(&fetch);
	free(type);
	if (!value)
		return definition_fail_with(state, word->at, &err);
	ret = (!named && definition_add_own_name(state, &expression)) ||
	      definition_compiled(state, value, word->at);
	free(value);
	return ret ? -1 : 0;
}

/* Translate the expression between the innermost parentheses of a word such as "+8(+0(p->a)):u32". */
static int definition_inner(struct definition_state *state, const struct definition_word *word)
{
	const char *text = state->words + word->at;
	const char *open = memrchr(text, '(', word->len), *close;
	struct definition_word inner;
	struct lkst_error err;
	struct fetch fetch;
	char *value;
	int ret;

	close = open ? memchr(open, ')', (size_t)(text + word->len - open)) : NULL;
	if (!close || !definition_is_expression(open + 1, (size_t)(close - open - 1)))
		return definition_copy(state, word->at, word->len);
	inner = (struct definition_word){
		.at = word->at + (size_t)(open + 1 - text),
		.len = (size_t)(close - open - 1),
	};
	if (definition_compile(state, &inner, &fetch))
		return -1;
	value = fetch_value(&fetch, &err);
	fetch_free(&fetch);
	if (!value)
		return definition_fail_with(state, inner.at, &err);
	ret = definition_copy(state, word->at, inner.at - word->at) ||
	      definition_compiled(state, value, inner.at) ||
	      definition_copy(state, inner.at + inner.len, word->len - (size_t)(close - text));
	free(value);
	return ret ? -1 : 0;
}

/* Translate "$arg*": all arguments. */
static int definition_all_arguments(struct definition_state *state, size_t at)
{
	const struct btf_prototype *prototype = &state->prototype;

	if (definition_need(state, at))
		return -1;
	for (unsigned int i = 0; i < btf_prototype_arguments(prototype); i++) {
		const struct btf_param *param = btf_params(prototype->type) + prototype->first + i;
		const char *name = btf__name_by_offset(prototype->btf, param->name_off);
		struct lkst_error err;
		struct fetch fetch;
		char *value = NULL;
		int ret;

		if (!fetch_argument(prototype, i, &fetch, &err)) {
			value = fetch_text(&fetch, NULL, &err);
			fetch_free(&fetch);
		}
		if (!value)
			return definition_fail_with(state, at, &err);
		ret = definition_compiled(state, i ? " " : "", at) ||
		      definition_compiled(state, name, at) || definition_compiled(state, "=", at) ||
		      definition_compiled(state, value, at);
		free(value);
		if (ret)
			return -1;
	}
	return 0;
}

/* Translate a field: "[NAME=]EXPRESSION[:TYPE]", or the same in the kernel's syntax. */
static int definition_field(struct definition_state *state, const struct definition_word *word)
{
	const char *text = state->words + word->at;
	size_t name = definition_name_length(text, word->len);
	struct definition_word rest = { .at = word->at + name, .len = word->len - name };

	if (definition_compiled(state, " ", word->at) || definition_copy(state, word->at, name))
		return -1;
	text += name;
	if (!name && rest.len == strlen("$arg*") && !strncmp(text, "$arg*", rest.len))
		return definition_all_arguments(state, rest.at);
	if (definition_is_expression(text, rest.len))
		return definition_expression(state, &rest, name);
	return definition_inner(state, &rest);
}

/* Add the tracepoint's own fields, which are derived from BTF (own_fields.c). */
static int definition_own_fields(struct definition_state *state)
{
	struct own_fields fields;
	int ret = 0;

	if (definition_need(state, state->symbol) ||
	    own_fields_derive(&state->prototype, state->tracefs, &fields, state->err))
		return -1;
	for (size_t i = 0; !ret && i < fields.num; i++)
		ret = definition_compiled(state, " ", state->symbol) ||
		      definition_compiled(state, fields.field[i], state->symbol);
	if (!ret) {
		state->to->missing = fields.missing;
		fields.missing = NULL;
	}
	own_fields_free(&fields);
	return ret ? -1 : 0;
}

/* ---- the first words ---- */

static bool definition_next(const char *words, struct definition_word *word)
{
	word->at += word->len;
	word->at += strspn(words + word->at, BLANKS);
	word->len = strcspn(words + word->at, BLANKS);
	return word->len;
}

/* Return whether a word is "p", "r" or "t", perhaps followed by a number or by ":" and a name. */
static bool definition_is_kernels(const char *word, size_t len)
{
	size_t i = 1;

	if (!len || !strchr("prt", *word))
		return false;
	while (i < len && isdigit((unsigned char)word[i]))
		i++;
	return i == len || word[i] == ':';
}

/* Whether a word begins the definition of a synthetic event. */
static bool definition_is_synthetic(const char *word, size_t len)
{
	return *word == 's' && (len == 1 || word[1] == ':');
}

/* Store where the symbol is, and what "%return" or an offset after it says about the event. */
static void definition_set_symbol(struct definition_state *state,
				  const struct definition_word *symbol)
{
	static const char exit[] = "%return";
	const char *text = state->words + symbol->at;
	size_t len = strcspn(text, "+%");

	state->symbol = symbol->at;
	state->symbol_len = len < symbol->len ? len : symbol->len;
	if (len >= symbol->len)
		return;
	if (symbol->len - len == strlen(exit) && !strncmp(text + len, exit, strlen(exit)))
		state->place = FETCH_RETURN;
	else
		state->inside = strspn(text + len, "+0x") < symbol->len - len;
}

/*
 * Copy "p:NAME SYMBOL". Of "t:NAME SYSTEM:TRACEPOINT", leave out "SYSTEM:", which the kernel does
 * not expect.
 */
static int definition_kernels_head(struct definition_state *state, struct definition_word *word)
{
	size_t head = word->at, head_len = word->len;
	const char *colon;

	state->tracepoint = state->words[head] == 't';
	state->place = state->words[head] == 'r' ? FETCH_RETURN : FETCH_ENTRY;
	if (!definition_next(state->words, word))
		return definition_fail(state, word->at, MSG_DEFINITION_SYMBOL, state->words + head);
	colon = state->tracepoint ? memchr(state->words + word->at, ':', word->len) : NULL;
	if (colon) {
		size_t system = (size_t)(colon + 1 - state->words) - word->at;

		word->at += system;
		word->len -= system;
	}
	definition_set_symbol(state, word);
	return definition_copy(state, head, head_len) ||
	       definition_compiled(state, " ", word->at) ||
	       definition_copy(state, word->at, word->len);
}

/* Fail if the tracepoint @name is known to be in another system than @system. */
static int definition_check_system(struct definition_state *state, const char *system,
				   const char *name)
{
	const char *known = tracefs_system(state->tracefs, name);

	if (!known || !strcmp(known, system))
		return 0;
	return definition_fail(state, 0, MSG_TRACEPOINT_SYSTEM, system, name, known, name);
}

/* Translate "SYSTEM:TRACEPOINT" to "t:SYSTEM/TRACEPOINT TRACEPOINT". */
static int definition_tracepoint_head(struct definition_state *state, struct definition_word *word)
{
	char *system = strndup(state->words + word->at, word->len);
	char *name = system ? strchr(system, ':') : NULL;
	size_t before = name ? (size_t)(name - system) : 0, len;
	int ret;

	if (!system)
		return definition_memory(state);
	if (!before || !name[1] || strchr(name + 1, ':')) {
		ret = definition_fail(state, word->at, MSG_DEFINITION_EVENT, system);
		free(system);
		return ret;
	}
	*name++ = 0;
	len = word->len - before - 1;
	state->tracepoint = true;
	state->symbol = word->at + before + 1;
	state->symbol_len = len;
	ret = definition_check_system(state, system, name) ||
	      definition_compiled(state, "t:", word->at) ||
	      definition_copy(state, word->at, before) ||
	      definition_compiled(state, "/", word->at + before) ||
	      definition_copy(state, state->symbol, len) ||
	      definition_compiled(state, " ", state->symbol) ||
	      definition_copy(state, state->symbol, len);
	free(system);
	return ret ? -1 : 0;
}

static int definition_all(struct definition_state *state)
{
	struct definition_word word = { 0 };
	bool own;
	int ret;

	if (!definition_next(state->words, &word))
		return definition_fail(state, 0, MSG_DEFINITION_EMPTY);
	if (state->words[word.at] == '-')
		return definition_fail(state, word.at, MSG_DEFINITION_REMOVE);
	if (definition_is_synthetic(state->words + word.at, word.len))
		return definition_copy(state, word.at, strlen(state->words + word.at));
	own = !definition_is_kernels(state->words + word.at, word.len);
	ret = own ? definition_tracepoint_head(state, &word) :
		    definition_kernels_head(state, &word);
	if (ret)
		return -1;
	if (!definition_next(state->words, &word))
		return own ? definition_own_fields(state) : 0;
	do {
		if (definition_field(state, &word))
			return -1;
	} while (definition_next(state->words, &word));
	return 0;
}

/**
 * definition_translate() - translate a definition to the kernel's syntax
 * @source: BTF; it is read only if the definition names arguments
 * @tracefs: events of ftrace
 * @words: what the user wrote: "SYSTEM:TRACEPOINT [FIELD...]", or the kernel's syntax
 * @definition: receives the translation, to be freed
 * @err: set on failure
 */
int definition_translate(struct btf_source *source, struct tracefs *tracefs, const char *words,
			 struct definition *definition, struct lkst_error *err)
{
	struct definition_state state = {
		.source = source,
		.tracefs = tracefs,
		.words = words,
		.to = definition,
		.err = err,
	};

	*definition = (struct definition){ 0 };
	if (!definition_all(&state))
		return 0;
	definition_free(definition);
	return -1;
}

/**
 * definition_free() - free the members of a struct definition
 * @definition: the translation
 */
void definition_free(struct definition *definition)
{
	free(definition->text);
	free(definition->part);
	free(definition->missing);
	*definition = (struct definition){ 0 };
}
