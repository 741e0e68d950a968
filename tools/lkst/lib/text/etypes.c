// SPDX-License-Identifier: LGPL-2.1
/*
 * Tables of event types: the table that is built into the tools, and tables of kernels and of trace
 * files. Tables of kernels and trace files are text in the format of /proc/lkst_etypes
 * (Documentation/lkst/trace-file.rst).
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "etypes.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/base/put.h"
#include "text.h"

#define HEADER	   "# lkst_etypes 1"
/* Limits in bytes; OUT_ROOM depends on them. */
#define STRING_MAX	255 /* a description */
#define NAME_MAX_LEN	639 /* a name; for a user event SYSTEM:NAME, with up to 512 bytes for NAME */
#define LIST_MAX	2047 /* the list of a user event's fields, with escapes */
#define ARGUMENT_FIELDS 8 /* each argument has at most two fields */

static const char *const format_names[] = {
#define NAME(id, name) [LKST_FMT_##id] = #name,
	LKST_FIELD_FORMATS(NAME)
#undef NAME
};

/**
 * lkst_field_format_find() - find a format by its name
 * @name: as in descriptions of arguments
 *
 * Return: enum lkst_field_format; -1 if no format has this name.
 */
int lkst_field_format_find(const char *name)
{
	for (size_t i = 0; i < sizeof(format_names) / sizeof(*format_names); i++)
		if (!strcmp(name, format_names[i]))
			return (int)i;
	return -1;
}

/* Return whether two arguments with this format and the same label are parts of one value. */
static bool etypes_extends(const struct lkst_etype *type, enum lkst_field_format format)
{
	return format == LKST_FMT_TEXT || (format == LKST_FMT_SYM && type->chain);
}

static void etypes_add_field(struct lkst_etype *type, char *text, int arg,
			     enum lkst_field_part part)
{
	struct lkst_field *last = type->fields ? &type->field[type->fields - 1] : NULL;
	struct lkst_field *field = &type->field[type->fields];
	char *colon = strrchr(text, ':');

	field->format = LKST_FMT_HEX;
	if (colon) {
		int format = lkst_field_format_find(colon + 1);

		*colon = 0;
		if (format >= 0)
			field->format = (enum lkst_field_format)format;
	}
	field->label = text;
	field->label_len = (uint16_t)strlen(text);
	field->part = part;
	field->arg = arg;
	field->args = 1;
	if (last && etypes_extends(type, field->format) && last->format == field->format &&
	    part == LKST_PART_WHOLE && last->part == LKST_PART_WHOLE &&
	    !strcmp(last->label, text)) {
		last->args++;
		return;
	}
	type->fields++;
	type->chain |= !arg && part == LKST_PART_WHOLE && field->format == LKST_FMT_CHAIN;
}

/*
 * If the events of a type are chains, and their last value is a string or a stack, this value
 * continues in the other records of a chain. Mark it.
 */
static void etypes_find_continued(struct lkst_etype *type)
{
	struct lkst_field *last = &type->field[type->fields - 1];

	last->continues = type->chain && last->label_len && last->part == LKST_PART_WHOLE &&
			  (last->format == LKST_FMT_TEXT || last->format == LKST_FMT_SYM);
}

static enum lkst_field_shown etypes_shown(const struct lkst_field *field)
{
	if (!field->label_len || field->format == LKST_FMT_CHAIN)
		return LKST_SHOWN_VERBOSE;
	if (field->user)
		return LKST_SHOWN_UNLESS_VOID;
	return field->format == LKST_FMT_ABI || field->format == LKST_FMT_SYM ?
		       LKST_SHOWN_UNLESS_VOID :
		       LKST_SHOWN_ALWAYS;
}

/* Prepare the parts of an output line that are the same for all events of a type. */
static int etypes_compile_prefixes(struct lkst_etype *type)
{
	size_t name = strlen(type->name), size = LKST_NAME_WIDTH + name + PUT_SPARE;
	char *p;

	for (unsigned int i = 0; i < type->fields; i++)
		size += sizeof(" arg1=") + type->field[i].label_len;
	type->prefixes = p = calloc(1, size);
	if (!p)
		return -1;
	type->name_width = (uint16_t)(name > LKST_NAME_WIDTH ? name : LKST_NAME_WIDTH);
	memset(p, ' ', type->name_width);
	memcpy(p, type->name, name);
	p += type->name_width;
	for (unsigned int i = 0; i < type->fields; i++) {
		struct lkst_field *field = &type->field[i];

		field->prefix = p;
		field->prefix_len = (uint16_t)(field->label_len ?
						       sprintf(p, " %s=", field->label) :
						       sprintf(p, " arg%u=", field->arg + 1u));
		p += field->prefix_len;
		field->shown = etypes_shown(field);
		type->has_name |= field->format == LKST_FMT_TEXT && !strcmp(field->label, "name");
	}
	return 0;
}

/*
 * Parse the list of fields of a user event. These fields replace the fields of the arguments.
 * Only the first field of a chain, which describes the chain itself, stays. If the list is not
 * valid, the fields of the arguments are kept, and get names.
 */
static int etypes_compile_user_fields(struct lkst_etype *type, char *text)
{
	static const char *const labels[] = { "arg1", "arg2", "arg3", "arg4" };
	struct lkst_field before[ARGUMENT_FIELDS];
	const uint8_t num = type->fields;
	int ret;

	memcpy(before, type->field, sizeof(before));
	type->fields = type->chain;
	ret = user_fields_parse(type, text);
	if (ret > 0) {
		memcpy(type->field, before, sizeof(before));
		type->fields = num;
		for (uint8_t i = 0; i < num; i++) {
			if (type->field[i].label_len)
				continue;
			type->field[i].label = labels[type->field[i].arg];
			type->field[i].label_len = (uint16_t)strlen(type->field[i].label);
		}
	}
	return ret < 0 ? -1 : 0;
}

/* Parse the descriptions of the arguments. */
static int etypes_compile_fields(struct lkst_etype *type)
{
	size_t size = type->list ? strlen(type->list) + 1 : 0;
	char *p;

	for (int i = 0; i < 4; i++)
		size += strlen(type->arg[i]) + 1;
	type->labels = malloc(size);
	type->field = calloc(type->list ? LKST_FIELDS_MAX : ARGUMENT_FIELDS, sizeof(*type->field));
	if (!type->labels || !type->field)
		return -1;
	p = type->labels;
	for (int i = 0; i < 4; i++) {
		char *text = strcpy(p, type->arg[i]), *comma = strchr(text, ',');
		char *csv = calloc(1, strlen(text) + 1);

		if (!csv)
			return -1;
		type->csv[i] = csv;
		p += strlen(text) + 1;
		if (comma) {
			*comma = 0;
			etypes_add_field(type, text, i, LKST_PART_HIGH);
			etypes_add_field(type, comma + 1, i, LKST_PART_LOW);
			sprintf(csv, "%s:%s", text, comma + 1);
		} else {
			etypes_add_field(type, text, i, LKST_PART_WHOLE);
			strcpy(csv, text);
		}
	}
	if (type->list && etypes_compile_user_fields(type, strcpy(p, type->list)))
		return -1;
	if (!type->user)
		etypes_find_continued(type);
	return etypes_compile_prefixes(type);
}

static void etypes_free_type(struct lkst_etype *type)
{
	if (!type)
		return;
	free(type->mnemonic);
	free(type->hook);
	free(type->source);
	free(type->tracepoints);
	free(type->name);
	for (int i = 0; i < 4; i++) {
		free(type->arg[i]);
		free(type->csv[i]);
	}
	free(type->labels);
	free(type->prefixes);
	free(type->field);
	free(type->list);
	free(type->user);
	free(type);
}

/*
 * Get the tracepoints of a source such as "tp:sched_wakeup,tp:sched_wakeup_new", or of
 * "hook:sys_enter", a hook that replaces a tracepoint.
 */
static char *etypes_tracepoints_of(const char *source)
{
	static const char *const prefixes[] = { "tp:", "hook:", NULL };
	char *names = calloc(1, strlen(source) + 2), *to = names;
	size_t len, prefix;

	for (; names && *source; source += len + (source[len] == ',')) {
		len = strcspn(source, ",");
		for (size_t i = 0; prefixes[i]; i++) {
			prefix = strlen(prefixes[i]);
			if (len > prefix && !strncmp(source, prefixes[i], prefix))
				to = (char *)mempcpy(to, source + prefix, len - prefix) + 1;
		}
	}
	return names;
}

/*
 * Words of a line: number mnemonic hook source state name arg1 arg2 arg3 arg4. A user event has a
 * further word, the list of its fields.
 */
enum {
	WORD_NAME = 5,
	WORD_LIST = 10,
	WORDS,
};

/* Check the length of the words. Returns why they are not valid; NULL if they are. */
static const char *etypes_check_lengths(char *word[WORDS], bool program)
{
	for (int i = 0; i < WORD_LIST; i++)
		if (strlen(word[i]) > STRING_MAX && !(program && i == WORD_NAME))
			return "name or description of more than 255 bytes";
	if (strlen(word[WORD_NAME]) > NAME_MAX_LEN ||
	    (word[WORD_LIST] && strlen(word[WORD_LIST]) > LIST_MAX))
		return "name or list of fields is too long";
	return NULL;
}

/*
 * Copy a name or description, and escape unprintable bytes. If it becomes longer than @most, it is
 * truncated. Returns NULL if an allocation fails.
 */
static char *etypes_printable(const char *word, size_t most)
{
	size_t len = strlen(word), size = 4 * len + 1;
	char *text;

	if (size > most + 1)
		size = most + 1;
	text = malloc(size);
	return text ? lkst_printable(word, len, text, size) : NULL;
}

static int etypes_add_type(struct lkst_etypes *types, unsigned int number, char *word[WORDS])
{
	struct lkst_etype *type = calloc(1, sizeof(*type));
	bool failed;

	if (!type)
		return -1;
	type->number = number;
	type->mnemonic = etypes_printable(word[1], STRING_MAX);
	type->hook = etypes_printable(word[2], STRING_MAX);
	type->source = etypes_printable(word[3], STRING_MAX);
	type->tracepoints = etypes_tracepoints_of(word[3]);
	type->present = !strcmp(word[4], "present");
	type->name = etypes_printable(word[WORD_NAME],
				      lkst_etype_is_program(number) ? NAME_MAX_LEN : STRING_MAX);
	if (word[WORD_LIST])
		type->list = etypes_printable(word[WORD_LIST], LIST_MAX);
	failed = !type->mnemonic || !type->hook || !type->source || !type->tracepoints ||
		 !type->name || (word[WORD_LIST] && !type->list);
	for (int i = 0; i < 4; i++) {
		type->arg[i] = etypes_printable(word[WORD_NAME + 1 + i], STRING_MAX);
		failed |= !type->arg[i];
	}
	if (failed || etypes_compile_fields(type)) {
		etypes_free_type(type);
		return -1;
	}
	types->type[number] = type;
	return 0;
}

struct embedded {
	uint16_t number;
	const char *hook, *mnemonic, *name, *arg[4];
};

#define LKST_ETYPE_DEF(number, hook, mnemonic, name, a1, a2, a3, a4) \
	{ number, #hook, #mnemonic, name, { a1, a2, a3, a4 } },
static const struct embedded embedded[] = {
#include "linux/lkst_etypes.h"
};
#undef LKST_ETYPE_DEF

/**
 * lkst_etypes_embedded() - get the event types that the tools were built with
 * @err: set if an allocation fails
 */
struct lkst_etypes *lkst_etypes_embedded(struct lkst_error *err)
{
	struct lkst_etypes *types = calloc(1, sizeof(*types));

	for (size_t i = 0; types && i < sizeof(embedded) / sizeof(*embedded); i++) {
		const struct embedded *e = &embedded[i];
		char *word[WORDS] = {
			NULL,
			(char *)e->mnemonic,
			(char *)e->hook,
			(char *)"-",
			(char *)"present",
			(char *)e->name,
			(char *)e->arg[0],
			(char *)e->arg[1],
			(char *)e->arg[2],
			(char *)e->arg[3],
			NULL,
		};

		if (etypes_add_type(types, e->number, word)) {
			lkst_etypes_free(types);
			types = NULL;
		}
	}
	if (!types)
		lkst_error_memory(err, "the event types");
	return types;
}

/* Decode the escape after a backslash. Returns the end of the escape; NULL if it is invalid. */
static char *etypes_unescape(char *p, char *to)
{
	unsigned int value = 0;
	int digits = 0;

	if (*p == '"' || *p == '\\') {
		*to = *p;
		return p + 1;
	}
	while (digits < 3 && *p >= '0' && *p <= '7') {
		value = value * 8 + (unsigned int)(*p++ - '0');
		digits++;
	}
	if (!digits || value > 0xff || !value)
		return NULL;
	*to = (char)value;
	return p;
}

/*
 * Split the next word off a line, in place. Returns the rest of the line; NULL if the line ends, or
 * the word is malformed.
 */
static char *etypes_next_word(char *p, char **word, bool quoted)
{
	char *to;

	while (*p == ' ' || *p == '\t')
		p++;
	if (!*p || (quoted != (*p == '"')))
		return NULL;
	if (!quoted) {
		*word = p;
		while (*p && *p != ' ' && *p != '\t')
			p++;
		if (*p)
			*p++ = 0;
		return p;
	}
	*word = to = ++p;
	while (*p && *p != '"') {
		if (*p != '\\') {
			if ((unsigned char)*p < 0x20 || *p == 0x7f)
				return NULL;
			*to++ = *p++;
			continue;
		}
		p = etypes_unescape(p + 1, to++);
		if (!p)
			return NULL;
	}
	if (!*p)
		return NULL;
	p++;
	*to = 0;
	return !*p || *p == ' ' || *p == '\t' ? p : NULL;
}

static const char *etypes_parse_line(void *ctx, char *line)
{
	static const char *const expected[] = {
		"number expected",
		"mnemonic expected",
		"hook type expected",
		"source expected",
		"\"present\" or \"absent\" expected",
		"name in double quotes expected",
		"description of argument 1 in double quotes expected",
		"description of argument 2 in double quotes expected",
		"description of argument 3 in double quotes expected",
		"description of argument 4 in double quotes expected",
		"fields in double quotes expected",
	};
	struct lkst_etypes *types = ctx;
	char *word[WORDS] = { NULL }, *p = line, *end;
	unsigned long value;
	const char *why;
	bool program;

	for (int i = 0; i < WORDS; i++) {
		if (i == WORD_LIST && !p[strspn(p, " \t")])
			break;
		p = etypes_next_word(p, &word[i], i >= WORD_NAME);
		if (!p)
			return expected[i];
	}
	value = strtoul(word[0], &end, 0);
	if (*end || end == word[0] || !isdigit((unsigned char)*word[0]))
		return expected[0];
	program = value < LKST_ETYPE_NUM && lkst_etype_is_program((uint32_t)value);
	why = etypes_check_lengths(word, program);
	if (why)
		return why;
	if (p[strspn(p, " \t")] || (word[WORD_LIST] && !program))
		return "too many fields";
	if (value >= LKST_ETYPE_NUM)
		return "event type out of range (0x000 to 0xfff)";
	if (types->type[value])
		return "event type listed twice";
	if (strcmp(word[4], "present") && strcmp(word[4], "absent"))
		return expected[4];
	return etypes_add_type(types, (unsigned int)value, word) ? text_no_memory : NULL;
}

/**
 * lkst_etypes_parse() - parse event types
 * @text: in the format of /proc/lkst_etypes, need not be 0-terminated
 * @len: length in bytes
 * @origin: file name, for error messages
 * @err: set if the text is invalid; names the line
 */
struct lkst_etypes *lkst_etypes_parse(const char *text, size_t len, const char *origin,
				      struct lkst_error *err)
{
	static const struct text_format format = { "a list of event types", HEADER,
						   etypes_parse_line };
	struct lkst_etypes *types = calloc(1, sizeof(*types));
	char *copy = text_copy(text, len);

	if (!copy || !types) {
		lkst_error_memory(err, "the event types");
		goto fail;
	}
	if (text_parse(&format, copy, origin, types, err))
		goto fail;
	free(copy);
	return types;

fail:
	free(copy);
	lkst_etypes_free(types);
	return NULL;
}

/**
 * lkst_etypes_load() - read event types from a file
 * @path: file in the format of /proc/lkst_etypes
 * @err: set on failure
 */
struct lkst_etypes *lkst_etypes_load(const char *path, struct lkst_error *err)
{
	struct lkst_etypes *types = NULL;
	size_t len;
	char *text = text_read(path, &len, err);

	if (text)
		types = lkst_etypes_parse(text, len, path, err);
	free(text);
	return types;
}

/**
 * lkst_etypes_system() - get the event types of the running kernel
 * @err: set on failure
 *
 * Return: the event types in /proc/lkst_etypes or, if that does not exist, the embedded ones.
 */
struct lkst_etypes *lkst_etypes_system(struct lkst_error *err)
{
	if (access(LKST_ETYPES_PATH, R_OK))
		return lkst_etypes_embedded(err);
	return lkst_etypes_load(LKST_ETYPES_PATH, err);
}

static void etypes_write_quoted(FILE *to, const char *text)
{
	fputs(" \"", to);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(to, "\\%c", c);
		else if (c < 0x20 || c == 0x7f)
			fprintf(to, "\\%03o", c);
		else
			putc(c, to);
	}
	putc('"', to);
}

/**
 * lkst_etypes_text() - format event types as text
 * @types: event types
 * @len: set to the length of the text in bytes
 * @err: set if an allocation fails
 *
 * Return: text in the format of /proc/lkst_etypes, to be freed by the caller; NULL on failure.
 */
char *lkst_etypes_text(const struct lkst_etypes *types, size_t *len, struct lkst_error *err)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, len);
	bool failed;

	if (!to) {
		lkst_error_memory(err, "the event types");
		return NULL;
	}
	fputs(HEADER "\n", to);
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		const struct lkst_etype *type = types->type[i];

		if (!type)
			continue;
		fprintf(to, "0x%03x %s %s %s %s", type->number, type->mnemonic, type->hook,
			type->source, type->present ? "present" : "absent");
		etypes_write_quoted(to, type->name);
		for (int arg = 0; arg < 4; arg++)
			etypes_write_quoted(to, type->arg[arg]);
		if (type->list)
			etypes_write_quoted(to, type->list);
		putc('\n', to);
	}
	failed = ferror(to);
	if (fclose(to) || failed) {
		free(text);
		lkst_error_memory(err, "the event types");
		return NULL;
	}
	return text;
}

/**
 * lkst_etypes_adopt() - add event types that are missing
 * @types: event types
 * @from: event types that are moved to @types if it lacks them
 */
void lkst_etypes_adopt(struct lkst_etypes *types, struct lkst_etypes *from)
{
	for (int i = 0; i < LKST_ETYPE_NUM; i++) {
		if (types->type[i])
			continue;
		types->type[i] = from->type[i];
		from->type[i] = NULL;
	}
}

/**
 * lkst_etype_is_same() - check whether two event types have the same name and arguments
 * @a: event type; may be NULL
 * @b: event type; may be NULL
 */
bool lkst_etype_is_same(const struct lkst_etype *a, const struct lkst_etype *b)
{
	if (a == b)
		return true;
	if (!a || !b || strcmp(a->name, b->name) != 0)
		return false;
	for (int i = 0; i < 4; i++)
		if (strcmp(a->arg[i], b->arg[i]) != 0)
			return false;
	return !a->list || !b->list ? a->list == b->list : !strcmp(a->list, b->list);
}

/**
 * lkst_etypes_free() - free event types
 * @types: may be NULL
 */
void lkst_etypes_free(struct lkst_etypes *types)
{
	for (int i = 0; types && i < LKST_ETYPE_NUM; i++)
		etypes_free_type(types->type[i]);
	free(types);
}

/**
 * lkst_etype_texts() - find the arguments of an event type that do not depend on byte order
 * @type: event type
 *
 * These are strings and the payloads of user events.
 *
 * Return: a bit for each of these arguments; bit 0 is for the first argument.
 */
unsigned int lkst_etype_texts(const struct lkst_etype *type)
{
	unsigned int texts = 0;

	if (type->user)
		return type->chain ? 0xe : 0xf;
	for (int i = 0; i < type->fields; i++) {
		const struct lkst_field *field = &type->field[i];

		for (int arg = 0; field->format == LKST_FMT_TEXT && arg < field->args; arg++)
			texts |= 1u << (field->arg + arg);
	}
	return texts;
}
