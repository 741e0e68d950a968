/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits of masksets: a limited maskset records only the events of certain
 * processes, CPUs, users or cgroups. The rules of the maskset contain its
 * limit. Documentation/lkst/rules.rst describes the syntax.
 */
#ifndef _LKST_LIMIT_H
#define _LKST_LIMIT_H

#include <linux/compiler.h>
#include <linux/refcount.h>
#include <linux/threads.h>
#include <linux/types.h>

struct lkst_filter_record;
struct lkst_rule;
struct lkst_tid_set;

#define LKST_LIMIT_USERS	32	/* maximum number of users */
#define LKST_LIMIT_CGROUPS	16	/* maximum number of cgroups */

/**
 * struct lkst_limit_cgroup - a cgroup whose threads pass
 * @id: its ID, which the kernel does not reuse
 * @level: number of its ancestors
 */
struct lkst_limit_cgroup {
	u64 id;
	int level;
};

/**
 * struct lkst_limit - a limit
 * @masksets: number of references: one for each maskset that has the limit
 *	(several only while a maskset is replaced), and one for the code that is
 *	creating the limit
 * @rules: the rules of the limited maskset that only apply the limit, one for
 *	each event handler. They are freed with the limit. Protected by
 *	lkst_maskset_mutex
 * @tids: threads that pass; NULL: all
 * @not_tids: threads that do not pass; NULL: none
 * @users: number of elements of @user; 0: all users pass
 * @cgroups: number of elements of @cgroup; 0: all cgroups pass
 * @has_cpus: whether only CPUs in @cpus pass
 * @has_threads: whether @tids, @not_tids, @user or @cgroup exclude threads
 * @user: effective user IDs
 * @cgroup: cgroups of the default hierarchy
 * @cpus: a bit for each CPU
 * @charged: bytes charged with lkst_memory_charge()
 * @text: the limit as it was written
 */
struct lkst_limit {
	refcount_t masksets;
	struct lkst_rule *rules;
	struct lkst_tid_set *tids;
	struct lkst_tid_set *not_tids;
	unsigned int users;
	unsigned int cgroups;
	bool has_cpus;
	bool has_threads;
	u32 user[LKST_LIMIT_USERS];
	struct lkst_limit_cgroup cgroup[LKST_LIMIT_CGROUPS];
	unsigned long cpus[BITS_TO_LONGS(NR_CPUS)];
	size_t charged;
	char text[];
};

bool lkst_limit_passes(const struct lkst_limit *limit, int etype,
		       const struct lkst_filter_record *record);
struct lkst_limit *lkst_limit_new(const char *text, char *error, size_t error_size);
struct lkst_limit *lkst_limit_new_threads(const char *text, struct lkst_tid_set *tids,
					  struct lkst_tid_set *not_tids);
void lkst_limit_get(struct lkst_limit *limit);
void lkst_limit_put(struct lkst_limit *limit);
struct lkst_rule *lkst_limit_rule(struct lkst_limit *limit, unsigned int handler);
void lkst_limit_forget_evhandler(struct lkst_limit *limit, unsigned int handler);

#endif
