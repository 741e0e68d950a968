/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration: /etc/lkst.conf, then /etc/lkst.d/ *.conf in the order of their names. [lkstlogd]
 * has a key for each option of the daemon that takes a value or can be switched, of the same name;
 * [maskset NAME] has rules, EVENTS = HANDLER, as "lkstm config" takes them.
 *
 * A line that is wrong is left out, and is an error for those who want to know. All others hold.
 */
#ifndef _CONF_H
#define _CONF_H

#include "options.h"

#define CONF_KEYS_MAX 64

/**
 * struct conf_place - where something stands
 * @file: NULL: in no file
 * @line: from 1
 */
struct conf_place {
	const char *file;
	unsigned int line;
};

/**
 * struct conf_rule - a rule of a maskset
 * @events: words, separated by commas
 * @handler: name or id of the event handler that they get
 * @at: where it stands
 */
struct conf_rule {
	const char *events;
	const char *handler;
	struct conf_place at;
};

/**
 * struct conf_maskset - a maskset that is defined
 * @name: its name
 * @at: where it is defined first
 * @from: maskset that the rules change; NULL: one that records nothing
 * @from_at: where that stands
 * @rule: rules in order: of those that mean an event the last one counts
 * @rules: how many
 */
struct conf_maskset {
	const char *name;
	struct conf_place at;
	const char *from;
	struct conf_place from_at;
	struct conf_rule *rule;
	size_t rules;
};

/**
 * struct conf - what was read
 * @row: what may stand in [lkstlogd]: rows up to the first flag
 * @rows: how many
 * @to: the structure that their values go to
 * @key: by row, where it is set last
 * @file: files that were read, in order
 * @files: how many
 * @maskset: those that are defined, in order
 * @masksets: how many
 * @error: what is wrong, with file and line, in order
 * @errors: how many
 * @text: contents of the files, which everything points into
 * @texts: how many
 */
struct conf {
	const struct option_row *row;
	size_t rows;
	void *to;
	struct conf_place key[CONF_KEYS_MAX];
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
int conf_add_error(struct conf *conf, const struct conf_place *at, const struct lkst_error *why,
		   struct lkst_error *err);
const struct conf_maskset *conf_find_maskset(const struct conf *conf, const char *name);
void conf_free(struct conf *conf);

/* conf_maskset.c */
int conf_masksets_check(struct conf *conf, struct lkst_device *dev, struct lkst_error *err);
int conf_masksets_write(struct conf *conf, struct lkst_device *dev, struct lkst_error *err);

#endif
