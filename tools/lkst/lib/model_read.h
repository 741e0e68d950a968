/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * lkst_model_read() in single steps, for callers that stop between two events or read the events
 * themselves.
 */
#ifndef _LKST_LIB_MODEL_READ_H
#define _LKST_LIB_MODEL_READ_H

#include "lib/model.h"

struct model_read;

struct model_read *model_read_open(struct lkst_model *model, struct lkst_trace *trace,
				   struct lkst_model_window *window, struct lkst_error *err);
int model_read_step(struct model_read *read, struct lkst_error *err);
int model_read_push(struct model_read *read, struct lkst_event *event, struct lkst_error *err);
int model_read_end(struct model_read *read, struct lkst_error *err);
uint64_t model_read_done(const struct model_read *read);
void model_read_close(struct model_read *read);

#endif
