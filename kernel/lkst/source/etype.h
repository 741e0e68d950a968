/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Event types and their descriptions.
 */
#ifndef _LKST_ETYPE_H
#define _LKST_ETYPE_H

#include <linux/lkst_etypes.h>
#include <linux/lkst.h>

struct lkst_etype_program;
struct seq_file;

/* Maximum length in bytes of a string, see Documentation/lkst/trace-file.rst */
#define LKST_ETYPE_TEXT_MAX	255

struct lkst_etype_desc {
	const char *mnemonic;
	const char *hook;		/* hook type */
	const char *name;
	const char *args[4];
	const char *fields;		/* event of a program, else NULL */
};

/* The event types of linux/lkst_etypes.h; NULL for unused numbers. */
extern const struct lkst_etype_desc *const lkst_etypes_builtin[LKST_ETYPE_NUM];

/* Whether an event type is in the range for modules and programs. */
static inline bool lkst_etype_in_user_range(int etype)
{
	return etype >= LKST_ETYPE_USER_MIN && etype <= LKST_ETYPE_USER_MAX;
}

bool lkst_etype_registered(int etype);
const struct lkst_etype_desc *lkst_etype_describe(int etype);
int lkst_etype_find(const char *word, size_t len);
bool lkst_etype_known(int etype);
bool lkst_etype_present(int etype);
int lkst_etypes_show(struct seq_file *m, void *unused);
struct lkst_etype_program *lkst_etype_program_new(int etype, const char *name, bool chain,
						  const char *fields, gfp_t gfp);
void lkst_etype_program_describe(int etype, struct lkst_etype_program *program);
void lkst_etype_program_set(int etype, bool registered);
int lkst_etype_start(void);
void lkst_etype_stop(void);
void lkst_etype_end(void);

#endif
