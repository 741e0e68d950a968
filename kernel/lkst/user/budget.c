// SPDX-License-Identifier: GPL-2.0
/*
 * The budget of a user without privileges: a number of records per second.
 * Without it, one program could overwrite all records of the kernel and of
 * other programs. Events that exceed the budget are dropped and counted.
 *
 * A budget belongs to a user, not to an open file. Otherwise a program could
 * open many files, each with a separate budget.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/cred.h>
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/user_namespace.h>

#include "../base/compat.h"
#include "../base/param.h"
#include "../base/stage.h"
#include "budget.h"

static unsigned int lkst_param_budget = 1000;
module_param_named(user_events_budget, lkst_param_budget, uint, 0644);
MODULE_PARM_DESC(user_events_budget,
		 "records per second that each user without privileges may write");

/**
 * struct lkst_budget - the budget of a user
 * @node: in lkst_budgets
 * @user: the user
 * @files: number of open files that use this budget, protected by
 *	lkst_budget_mutex
 * @start: start of the current second, in jiffies
 * @left: number of records left in this second; below 0 after an event that
 *	needed more records than were left
 */
struct lkst_budget {
	struct list_head node;
	kuid_t user;
	unsigned int files;
	unsigned long start;
	atomic_t left;
};

static DEFINE_MUTEX(lkst_budget_mutex);
static LIST_HEAD(lkst_budgets);		/* protected by lkst_budget_mutex */

/* Number of events that were not recorded because they were over a budget. */
static atomic_long_t lkst_budget_drops;

/**
 * lkst_budget_user() - the user to whom a process is charged
 * @cred: credentials of the process
 *
 * In a user namespace, a user may have many IDs. For all of them, the charged
 * user is the owner of the outermost enclosing namespace below the initial one.
 *
 * Context: any.
 */
kuid_t lkst_budget_user(const struct cred *cred)
{
	const struct user_namespace *ns = cred->user_ns;

	if (ns == &init_user_ns)
		return cred->euid;
	while (ns->parent != &init_user_ns)
		ns = ns->parent;
	return ns->owner;
}

/* Whether the current second of the budget has ended. */
static bool lkst_budget_elapsed(unsigned long start, unsigned long now)
{
	return now - start >= HZ;
}

/*
 * Free the budgets that no open file uses and whose current second has ended.
 * If a budget was freed earlier, a program could renew it by closing the file
 * and opening it again.
 */
static void lkst_budget_sweep(void)
{
	struct lkst_budget *budget, *next;

	list_for_each_entry_safe(budget, next, &lkst_budgets, node) {
		if (budget->files || !lkst_budget_elapsed(budget->start, jiffies))
			continue;
		list_del(&budget->node);
		kfree(budget);
	}
}

static struct lkst_budget *lkst_budget_find(kuid_t user)
{
	struct lkst_budget *budget;

	list_for_each_entry(budget, &lkst_budgets, node)
		if (uid_eq(budget->user, user))
			return budget;
	return NULL;
}

static struct lkst_budget *lkst_budget_new(kuid_t user)
{
	struct lkst_budget *budget = kzalloc_obj(*budget, GFP_KERNEL_ACCOUNT);

	if (!budget)
		return NULL;
	budget->user = user;
	budget->start = jiffies;
	atomic_set(&budget->left, min_t(unsigned int, READ_ONCE(lkst_param_budget), INT_MAX));
	list_add(&budget->node, &lkst_budgets);
	return budget;
}

/**
 * lkst_budget_get() - get the budget of a user
 * @user: the user
 *
 * Context: may sleep.
 *
 * Return: the budget, which the caller must drop with lkst_budget_put(), or
 * NULL if an allocation fails.
 */
struct lkst_budget *lkst_budget_get(kuid_t user)
{
	struct lkst_budget *budget;

	mutex_lock(&lkst_budget_mutex);
	lkst_budget_sweep();
	budget = lkst_budget_find(user) ?: lkst_budget_new(user);
	if (budget)
		budget->files++;
	mutex_unlock(&lkst_budget_mutex);
	return budget;
}

void lkst_budget_put(struct lkst_budget *budget)
{
	mutex_lock(&lkst_budget_mutex);
	budget->files--;
	mutex_unlock(&lkst_budget_mutex);
}

/**
 * lkst_budget_take() - take some records from a budget
 * @budget: the budget
 * @records: number of records to take, at least 1
 *
 * The first CPU that changes @start begins a new second. No lock is needed,
 * because the budget need not be exact. Until that CPU has also changed @left,
 * other CPUs use the old value of @left, and may drop events. If an event needs
 * more records than are left, it is dropped, and @left becomes negative.
 *
 * Context: any, with preemption off.
 *
 * Return: true if the records may be written. If false, the event has been
 * counted as dropped.
 */
bool lkst_budget_take(struct lkst_budget *budget, unsigned int records)
{
	unsigned long now = jiffies, start = READ_ONCE(budget->start);

	if (lkst_budget_elapsed(start, now) && cmpxchg(&budget->start, start, now) == start)
		atomic_set(&budget->left,
			   min_t(unsigned int, READ_ONCE(lkst_param_budget), INT_MAX));
	/*
	 * Without the first check, each dropped event would decrease @left
	 * further, until it overflows and becomes positive.
	 */
	if (atomic_read(&budget->left) > 0 && atomic_sub_return(records, &budget->left) >= 0)
		return true;
	atomic_long_inc(&lkst_budget_drops);
	return false;
}

/* Return the number of events that were over a budget. */
unsigned long lkst_budget_dropped(void)
{
	return atomic_long_read(&lkst_budget_drops);
}

static int lkst_budget_show_dropped(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%lu\n", lkst_budget_dropped());
}

static const struct kernel_param_ops lkst_budget_dropped_ops = {
	.set = lkst_param_refuse,
	.get = lkst_budget_show_dropped,
};

module_param_cb(user_events_dropped, &lkst_budget_dropped_ops, NULL, 0444);
MODULE_PARM_DESC(user_events_dropped, "number of events that were over the budget of their user");

/* Free all budgets. No file that uses a budget is open. */
void __lkst_exit lkst_budget_end(void)
{
	struct lkst_budget *budget, *next;

	list_for_each_entry_safe(budget, next, &lkst_budgets, node)
		kfree(budget);
}
