/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much users without privileges may record.
 */
#ifndef _LKST_USER_BUDGET_H
#define _LKST_USER_BUDGET_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct cred;
struct lkst_budget;

kuid_t lkst_budget_user(const struct cred *cred);
struct lkst_budget *lkst_budget_get(kuid_t user);
void lkst_budget_put(struct lkst_budget *budget);
bool lkst_budget_take(struct lkst_budget *budget, unsigned int records);
unsigned long lkst_budget_dropped(void);
void lkst_budget_end(void);

#endif
