/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The action trace(EVENT,FIELD...) of rules and watches.
 */
#ifndef _LKST_DISPATCH_ACTION_TRACE_H
#define _LKST_DISPATCH_ACTION_TRACE_H

#include "../rules/action.h"

void lkst_action_trace(int etype, const struct lkst_filter_record *record, void *private);

#endif
