/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds the name that a process or thread had at the time of a record. */
#ifndef _LKST_LIB_TEXT_NAMES_H
#define _LKST_LIB_TEXT_NAMES_H

#include "lib/lkst.h"

struct lkst_names;

struct lkst_names *lkst_names_new(void);
void lkst_names_free(struct lkst_names *names);
int lkst_names_observe(struct lkst_names *names, const struct lkst_event *event);
int lkst_names_at_end(struct lkst_names *names, uint32_t tid, const char *name);
int lkst_names_belongs(struct lkst_names *names, uint32_t tid, uint32_t tgid);
uint32_t lkst_names_process(const struct lkst_names *names, uint32_t tid);
void lkst_names_now(struct lkst_names *names);
void lkst_names_finalize(struct lkst_names *names);
const char *lkst_names_next(const struct lkst_names *names, size_t *at);
const char *lkst_names_get(struct lkst_names *names, uint32_t tid, int64_t time_ns);
const char *lkst_names_text(struct lkst_names *names, uint32_t tid, int64_t time_ns, size_t *len);

#endif
