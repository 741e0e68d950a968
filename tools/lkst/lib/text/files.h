/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds the command line of a process, and the file to which a descriptor referred at a time. */
#ifndef _LKST_LIB_TEXT_FILES_H
#define _LKST_LIB_TEXT_FILES_H

#include "lib/lkst.h"

struct lkst_files;

#define LKST_FILES_HEADER "# lkst_files 1"

struct lkst_files *lkst_files_new(void);
void lkst_files_free(struct lkst_files *files);
int lkst_files_add(struct lkst_files *files, const char *text, size_t len, struct lkst_error *err);
void lkst_files_start(struct lkst_files *files, const int64_t *offset_ns);
void lkst_files_clock_set(struct lkst_files *files);
void lkst_files_partial(struct lkst_files *files);
bool lkst_files_empty(const struct lkst_files *files);
bool lkst_files_need_events(const struct lkst_files *files);
bool lkst_files_concerns(const struct lkst_files *files, unsigned int machine, uint32_t type,
			 uint64_t arg0);
int lkst_files_observe(struct lkst_files *files, const struct lkst_event *event);
int lkst_files_break(struct lkst_files *files, int64_t from_ns, int64_t to_ns);
int lkst_files_lane(struct lkst_files *files, int32_t cpu, uint64_t next_recid, int64_t latest_ns);
void lkst_files_finalize(struct lkst_files *files);

const char *lkst_files_name(const struct lkst_files *files, const struct lkst_event *event,
			    uint32_t tgid, uint32_t fd);
const char *lkst_files_first(const struct lkst_files *files, const struct lkst_event *event);
const char *lkst_files_command(const struct lkst_files *files, const struct lkst_event *event,
			       uint32_t tgid);
const char *lkst_files_next_command(const struct lkst_files *files, size_t *at, uint32_t *tgid);
char *lkst_files_text(const struct lkst_files *files, bool (*wanted)(void *ctx, uint32_t tgid),
		      void *ctx, size_t *len, struct lkst_error *err);

#endif
