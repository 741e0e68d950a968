// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "conf.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "lib/text/text.h"
#include "messages.h"
#include "options.h"

#ifndef LKST_SYSCONFDIR
#define LKST_SYSCONFDIR "/etc"
#endif

#define BLANKS	" \t\r"
#define DAEMON	"lkstlogd"
#define MASKSET "maskset"
#define FROM	"from"
#define SUFFIX	".conf"

const char conf_file[] = LKST_SYSCONFDIR "/lkst.conf";
const char conf_dir[] = LKST_SYSCONFDIR "/lkst.d";

/* ---- growing arrays ---- */

/*
 * Append a zeroed entry to an array. Returns NULL if the allocation fails. @array is the address
 * of the array pointer.
 */
static void *conf_grow(void *array, size_t *num, size_t size, struct lkst_error *err)
{
	char *grown;

	memcpy(&grown, array, sizeof(grown));
	grown = reallocarray(grown, *num + 1, size);
	if (!grown) {
		lkst_error_memory(err, "the configuration");
		return NULL;
	}
	memcpy(array, &grown, sizeof(grown));
	return memset(grown + (*num)++ * size, 0, size);
}

/**
 * conf_add_error() - add an error to the list in @conf
 * @conf: configuration
 * @at: file and line; NULL: @why already names the file
 * @why: the error
 * @err: set if an allocation fails
 */
int conf_add_error(struct conf *conf, const struct conf_location *at, const struct lkst_error *why,
		   struct lkst_error *err)
{
	char **error = conf_grow(&conf->error, &conf->errors, sizeof(*error), err);
	int ret;

	if (!error)
		return -1;
	ret = at ? asprintf(error, MSG_CONF_AT, at->file, at->line, why->text) :
		   asprintf(error, "%s", why->text);
	if (ret < 0) {
		conf->errors--;
		lkst_error_memory(err, "the configuration");
		return -1;
	}
	/* Each error is printed as one line. */
	for (char *p = *error; (p = strchr(p, '\n')) != NULL;)
		*p = ' ';
	return 0;
}

/* Copy a string; the copy is freed with the configuration. */
static char *conf_keep(struct conf *conf, const char *text, size_t len, struct lkst_error *err)
{
	char **kept = conf_grow(&conf->text, &conf->texts, sizeof(*kept), err);

	if (!kept)
		return NULL;
	*kept = text_copy(text, len);
	if (!*kept)
		lkst_error_memory(err, "the configuration");
	return *kept;
}

/* ---- masksets ---- */

/**
 * conf_find_maskset() - find a maskset that the configuration defines
 * @conf: configuration
 * @name: name
 *
 * Return: the maskset; NULL if the configuration does not define it.
 */
const struct conf_maskset *conf_find_maskset(const struct conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->masksets; i++)
		if (!strcmp(conf->maskset[i].name, name))
			return &conf->maskset[i];
	return NULL;
}

/*
 * Start the definition of a maskset or, if an earlier section began it, continue it. Sets @index to
 * the index of the maskset, or sets @why and leaves @index unchanged.
 */
static int conf_begin_maskset(struct conf *conf, const char *name, const struct conf_location *at,
			      ssize_t *index, struct lkst_error *why, struct lkst_error *err)
{
	static const char *const own[] = { "nothing", "all", "default", "lkstlogd" };
	const struct conf_maskset *old = conf_find_maskset(conf, name);
	struct conf_maskset *maskset;
	size_t len = strlen(name);
	bool good = len && len < LKST_MASKSET_NAME_LEN;

	for (size_t i = 0; i < len; i++)
		good &= !iscntrl((unsigned char)name[i]);
	if (!good)
		lkst_error_set(why, LKST_ERR_FORMAT, MSG_MASKSET_NAME, name,
			       LKST_MASKSET_NAME_LEN - 1);
	for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
		if (!strcmp(own[i], name))
			lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_MASKSET_OWN, name, name);
	if (why->code)
		return 0;
	if (!old) {
		maskset = conf_grow(&conf->maskset, &conf->masksets, sizeof(*maskset), err);
		if (!maskset)
			return -1;
		maskset->name = name;
		maskset->at = *at;
		old = maskset;
	}
	*index = old - conf->maskset;
	return 0;
}

static int conf_add_rule(struct conf_maskset *maskset, const char *key, const char *value,
			 const struct conf_location *at, struct lkst_error *why,
			 struct lkst_error *err)
{
	struct conf_rule *rule;

	if (!strcmp(key, FROM) && !strcmp(value, maskset->name)) {
		lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_FROM_ITSELF, value);
		return 0;
	}
	if (!strcmp(key, FROM)) {
		maskset->from = value;
		maskset->from_at = *at;
		return 0;
	}
	rule = conf_grow(&maskset->rule, &maskset->rules, sizeof(*rule), err);
	if (!rule)
		return -1;
	*rule = (struct conf_rule){ key, value, *at };
	return 0;
}

/* ---- keys ---- */

static const char *conf_key_at(void *ctx, size_t i)
{
	return ((const struct conf *)ctx)->row[i].name;
}

static void conf_set_key(struct conf *conf, const char *key, const char *value,
			 const struct conf_location *at, struct lkst_error *why)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[256];
	size_t n;

	for (size_t i = 0; i < conf->rows; i++) {
		if (strcmp(conf->row[i].name, key) != 0)
			continue;
		if (!option_take(&conf->row[i], key, value, conf->to, why))
			conf->key[i] = *at;
		return;
	}
	n = lkst_suggest(key, conf_key_at, conf, conf->rows, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_KEY, key, text);
}

/* ---- lines ---- */

enum section {
	NONE, /* the line is before the first section */
	UNKNOWN, /* an invalid section: its lines are ignored */
	KEYS, /* [lkstlogd] */
	RULES, /* the definition of @maskset */
};

/**
 * struct parser - parser of a file
 * @conf: configuration to which the results are added
 * @at: current line
 * @section: current section
 * @maskset: index of the maskset that the current section defines
 */
struct parser {
	struct conf *conf;
	struct conf_location at;
	enum section section;
	ssize_t maskset;
};

/* Remove whitespace from both ends. */
static char *conf_trim(char *text)
{
	size_t len;

	text += strspn(text, BLANKS);
	for (len = strlen(text); len && strchr(BLANKS, text[len - 1]); len--)
		;
	text[len] = 0;
	return text;
}

/* Cut off a comment, which begins with "#" at the start of the line or after whitespace. */
static void conf_cut_comment(char *line)
{
	for (char *p = line; (p = strchr(p, '#')) != NULL; p++)
		if (p == line || strchr(BLANKS, p[-1])) {
			*p = 0;
			return;
		}
}

static const char *conf_section_at(void *ctx, size_t i)
{
	static const char *const names[] = { DAEMON, MASKSET };

	(void)ctx;
	return names[i];
}

static void conf_unknown_section(const char *name, struct lkst_error *why)
{
	const char *suggestions[LKST_SUGGESTIONS_MAX];
	char text[256], word[64];
	size_t n;

	snprintf(word, sizeof(word), "%.*s", (int)strcspn(name, BLANKS), name);
	n = lkst_suggest(word, conf_section_at, NULL, 2, suggestions);
	lkst_suggestions_text(suggestions, n, text, sizeof(text));
	lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_SECTION, name, text);
}

/* Start the section that a line "[@name]" begins. @why is set if @name is not a valid section. */
static int conf_begin_section(struct parser *parser, char *name, struct lkst_error *why,
			      struct lkst_error *err)
{
	size_t len = strlen(MASKSET);

	name = conf_trim(name);
	parser->section = UNKNOWN;
	if (!strcmp(name, DAEMON)) {
		parser->section = KEYS;
	} else if (!strncmp(name, MASKSET, len) && (!name[len] || strchr(BLANKS, name[len]))) {
		if (conf_begin_maskset(parser->conf, conf_trim(name + len), &parser->at,
				       &parser->maskset, why, err))
			return -1;
		if (!why->code)
			parser->section = RULES;
	} else {
		conf_unknown_section(name, why);
	}
	return 0;
}

/* Parse a line. @why is set if the line is invalid, @err if an allocation fails. */
static int conf_take_line(struct parser *parser, char *line, struct lkst_error *why,
			  struct lkst_error *err)
{
	struct conf *conf = parser->conf;
	char *value, *key;
	size_t len;

	conf_cut_comment(line);
	key = conf_trim(line);
	len = strlen(key);
	if (!len)
		return 0;
	if (*key == '[' && key[len - 1] == ']') {
		key[len - 1] = 0;
		return conf_begin_section(parser, key + 1, why, err);
	}
	value = strchr(key, '=');
	if (!value) {
		lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_LINE, key);
		return 0;
	}
	*value++ = 0;
	key = conf_trim(key);
	value = conf_trim(value);
	if (parser->section == NONE)
		lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_NO_SECTION, key);
	else if (parser->section != UNKNOWN && !*value)
		lkst_error_set(why, LKST_ERR_FORMAT, MSG_CONF_VALUE, key);
	else if (parser->section == KEYS)
		conf_set_key(conf, key, value, &parser->at, why);
	else if (parser->section == RULES)
		return conf_add_rule(&conf->maskset[parser->maskset], key, value, &parser->at, why,
				     err);
	return 0;
}

/**
 * conf_parse() - parse the text of a file
 * @conf: results and errors are added to it
 * @file: name of the file
 * @text: contents of the file
 * @len: length of @text in bytes
 * @err: set if an allocation fails; errors in the text are added to @conf instead
 */
int conf_parse(struct conf *conf, const char *file, const char *text, size_t len,
	       struct lkst_error *err)
{
	struct parser parser = { .conf = conf };
	char *line = conf_keep(conf, text, len, err), *next;
	const char **name;

	parser.at.file = line ? conf_keep(conf, file, strlen(file), err) : NULL;
	name = parser.at.file ? conf_grow(&conf->file, &conf->files, sizeof(*name), err) : NULL;
	if (!name)
		return -1;
	*name = parser.at.file;
	for (; line; line = next) {
		struct lkst_error why = { 0 };

		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		parser.at.line++;
		if (conf_take_line(&parser, line, &why, err) ||
		    (why.code && conf_add_error(conf, &parser.at, &why, err)))
			return -1;
	}
	return 0;
}

/* ---- files ---- */

/* Read and parse a file. A missing file is an error only if @must is set. */
static int conf_read_file(struct conf *conf, const char *file, bool must, struct lkst_error *err)
{
	struct lkst_error why = { 0 };
	size_t len;
	char *text = text_read(file, &len, &why);
	int ret = 0;

	if (text && strlen(text) != len) {
		lkst_error_set(&why, LKST_ERR_FORMAT, MSG_CONF_NOT_TEXT, file);
		ret = conf_add_error(conf, NULL, &why, err);
	} else if (text) {
		ret = conf_parse(conf, file, text, len, err);
	} else if (must || why.sys_errno != ENOENT) {
		ret = conf_add_error(conf, NULL, &why, err);
	}
	free(text);
	return ret;
}

static int conf_is_drop_in(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return *entry->d_name != '.' && len > strlen(SUFFIX) &&
	       !strcmp(entry->d_name + len - strlen(SUFFIX), SUFFIX);
}

/* Compare file names byte by byte, so that the order does not depend on the locale. */
static int conf_by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int conf_read_drop_ins(struct conf *conf, struct lkst_error *err)
{
	struct dirent **entry;
	int ret = 0, num = scandir(conf_dir, &entry, conf_is_drop_in, conf_by_name);

	if (num < 0 && errno != ENOENT) {
		struct lkst_error why = { 0 };

		lkst_error_system(&why, errno, conf_dir, "read");
		return conf_add_error(conf, NULL, &why, err);
	}
	for (int i = 0; i < num; i++) {
		char path[sizeof(conf_dir) + sizeof(entry[i]->d_name)];

		snprintf(path, sizeof(path), "%s/%s", conf_dir, entry[i]->d_name);
		if (!ret)
			ret = conf_read_file(conf, path, true, err);
		free(entry[i]);
	}
	if (num >= 0)
		free(entry);
	return ret;
}

/**
 * conf_init() - initialize a configuration
 * @conf: configuration
 * @syntax: options of lkstlogd; those before the first flag are the keys of [lkstlogd]
 * @to: structure that receives the values; the caller fills in the defaults
 */
void conf_init(struct conf *conf, const struct syntax *syntax, void *to)
{
	*conf = (struct conf){ .row = syntax->row, .to = to };
	while (conf->rows < syntax->rows && conf->rows < CONF_KEYS_MAX &&
	       syntax->row[conf->rows].kind != OPTION_FLAG)
		conf->rows++;
}

/**
 * conf_read() - read the configuration files
 * @conf: from conf_init()
 * @file: read only this file, which must exist; NULL: read the system's files, as far as they exist
 * @err: set if an allocation fails; errors in the files are added to @conf instead
 */
int conf_read(struct conf *conf, const char *file, struct lkst_error *err)
{
	if (file)
		return conf_read_file(conf, file, true, err);
	return conf_read_file(conf, conf_file, false, err) || conf_read_drop_ins(conf, err) ? -1 :
											      0;
}

/**
 * conf_free() - free the configuration, including the strings to which the values point
 * @conf: configuration
 */
void conf_free(struct conf *conf)
{
	for (size_t i = 0; i < conf->masksets; i++)
		free(conf->maskset[i].rule);
	for (size_t i = 0; i < conf->errors; i++)
		free(conf->error[i]);
	for (size_t i = 0; i < conf->texts; i++)
		free(conf->text[i]);
	free(conf->maskset);
	free(conf->error);
	free(conf->text);
	free(conf->file);
}
