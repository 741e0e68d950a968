/* SPDX-License-Identifier: LGPL-2.1 */
/* Provides event types, names and symbols of the running kernel while its events are followed. */
#ifndef _LKST_FOLLOW_CONTEXT_H
#define _LKST_FOLLOW_CONTEXT_H

#include "lib/lkst.h"

struct follow_context;

struct follow_context *follow_context_new(struct lkst_error *err);
bool follow_context_learn(struct follow_context *context, uint32_t type);
int follow_context_observe(struct follow_context *context, const struct lkst_event *event,
			   struct lkst_error *err);
const struct lkst_context *follow_context_get(const struct follow_context *context);
const struct lkst_etypes *follow_context_etypes(const struct follow_context *context);
void follow_context_free(struct follow_context *context);

#endif
