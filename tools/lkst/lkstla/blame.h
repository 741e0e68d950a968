/* SPDX-License-Identifier: GPL-2.0 */
/* Remembers what each CPU did most recently, to explain why something ran late on that CPU. */
#ifndef _LKSTLA_BLAME_H
#define _LKSTLA_BLAME_H

#include "hash.h"
#include "lib/model.h"

enum blame_cause {
	BLAME_IDLE,
	BLAME_IRQ,
	BLAME_SOFTIRQ,
	BLAME_THREAD,
	BLAME_UNKNOWN,
	BLAME_NUM,
};

/**
 * struct blame - what a CPU did for some time
 * @ns: time by cause, which adds up to the whole time
 * @thread: thread that ran longest; NULL: none
 * @thread_ns: how long it ran
 */
struct blame {
	int64_t ns[BLAME_NUM];
	const struct lkst_thread *thread;
	int64_t thread_ns;
};

/**
 * struct blame_history - what the CPUs did
 * @cpus: table of struct blame_cpu by source and CPU
 */
struct blame_history {
	struct hash cpus;
};

void blame_init(struct blame_history *history);
void blame_free(struct blame_history *history);
int blame_add(struct blame_history *history, const struct lkst_cpu_span *span);
void blame_find(struct blame_history *history, const struct lkst_cpu_span *now, int64_t from_ns,
		int64_t to_ns, struct blame *blame);
enum blame_cause blame_main(const struct blame *blame);

#endif
