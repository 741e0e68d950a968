/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration: /etc/lkst.conf, then /etc/lkst.d/ *.conf in the order of their names.
 * [lkstlogd] has a key for each daemon option that takes a value or can be turned on and off
 * (--NAME, --no-NAME); the key has the name of the option. [maskset NAME] contains rules, EVENTS =
 * HANDLER, as for "lkstm config".
 *
 * An invalid line is ignored and recorded as an error. All other lines take effect.
 */
#ifndef _CONF_H
#define _CONF_H

#include "options.h"

#define CONF_KEYS_MAX 64

/**
 * struct conf_location - a line of a configuration file
 * @file: name of the file; NULL: the setting is not from a file
 * @line: line number, counted from 1
 */
struct conf_location {
	const char *file;
	unsigned int line;
};

/**
 * struct conf_rule - a rule of a maskset
 * @events: words that name events, separated by commas
 * @handler: name or id of the event handler for these events
 * @at: file and line of the rule
 */
struct conf_rule {
	const char *events;
	const char *handler;
	struct conf_location at;
};

/**
 * struct conf_maskset - a maskset that the configuration defines
 * @name: its name
 * @at: file and line where its definition begins
 * @from: name of the maskset that the rules start from; NULL: they start from an empty maskset
 * @from_at: file and line where @from is set
 * @rule: rules in order; if several name an event, the last one applies
 * @rules: number of rules
 */
struct conf_maskset {
	const char *name;
	struct conf_location at;
	const char *from;
	struct conf_location from_at;
	struct conf_rule *rule;
	size_t rules;
};

/**
 * struct conf - the parsed configuration
 * @row: keys allowed in [lkstlogd]: the option rows before the first flag
 * @rows: number of entries in @row
 * @to: structure that receives the values
 * @key: for each row, the file and line that set it last
 * @file: files that were read, in order
 * @files: number of files
 * @maskset: masksets that are defined, in order
 * @masksets: number of masksets
 * @error: error messages with file and line, in order
 * @errors: number of errors
 * @text: contents and names of the files; the other members point into these strings
 * @texts: number of strings in @text
 */
struct conf {
	const struct option_row *row;
	size_t rows;
	void *to;
	struct conf_location key[CONF_KEYS_MAX];
	const char **file;
	size_t files;
	struct conf_maskset *maskset;
	size_t masksets;
	char **error;
	size_t errors;
	char **text;
	size_t texts;
};

extern const char conf_file[], conf_dir[];

void conf_init(struct conf *conf, const struct syntax *syntax, void *to);
int conf_read(struct conf *conf, const char *file, struct lkst_error *err);
int conf_parse(struct conf *conf, const char *file, const char *text, size_t len,
	       struct lkst_error *err);
int conf_add_error(struct conf *conf, const struct conf_location *at, const struct lkst_error *why,
		   struct lkst_error *err);
const struct conf_maskset *conf_find_maskset(const struct conf *conf, const char *name);
void conf_free(struct conf *conf);

/* conf_maskset.c */
int conf_masksets_check(struct conf *conf, struct lkst_device *dev, struct lkst_error *err);
int conf_masksets_write(struct conf *conf, struct lkst_device *dev, struct lkst_error *err);

#endif
