/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the source files of lkst watch. */
#ifndef _LKST_WATCH_COMMAND_H
#define _LKST_WATCH_COMMAND_H

#include "lib/device/watches.h"
#include "lib/lkst.h"

/*
 * When lkst watch writes a rule for a masked event type, the rule begins with this text. The text
 * is what remains after all watches have been removed, and shows that the event type was masked
 * before. Users have no reason to write such a rule themselves, because the event type is recorded
 * in the same way without a rule.
 */
#define WATCH_TEXT_MASKED "do record"

/*
 * watch_text.c: the texts of rules. The caller must free the returned texts. NULL: an allocation
 * failed.
 */
char *watch_text_add(const char *rule, const char *name, const char *condition);
int watch_text_remove(const char *rule, const char *name, char **left);
char *watch_text_count(const char *actions, unsigned int count);

/* watch_show.c */
int watch_list(struct lkst_device *dev, const struct lkst_etypes *types, const char *name,
	       struct lkst_error *err);
int watch_list_json(struct lkst_device *dev, const struct lkst_etypes *types, const char *name,
		    struct lkst_error *err);

#endif
