/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where events come from, and turning that on and off.
 */
#ifndef _LKST_SOURCE_H
#define _LKST_SOURCE_H

#include <linux/tracepoint.h>
#include <linux/types.h>

struct hook;
struct lkst_maskset;
struct seq_file;

/**
 * struct lkst_source - a tracepoint and the probe that makes events of it
 * @tracepoint: its name
 * @probe: called by the tracepoint
 * @etypes: event types that need it; the unused ones are 0
 * @late: turned on by marking each process, which the first one has to be there for
 * @checked: the compiler saw that @probe fits the tracepoint
 * @tp: the tracepoint, once it was found; NULL: this kernel has none
 * @on: the probe is registered. Protected by lkst_source_mutex
 */
struct lkst_source {
	const char *tracepoint;
	void *probe;
	u16 etypes[4];
	bool late;
	size_t checked;
	struct tracepoint *tp;
	bool on;
};

/*
 * A tracepoint's prototype changes between kernels: a probe that does not fit must not
 * compile.
 */
#define __LKST_SOURCE(_tracepoint, _probe, _late, ...) {				\
	.tracepoint = #_tracepoint,							\
	.probe = (_probe),								\
	.etypes = { __VA_ARGS__ },							\
	.late = (_late),								\
	.checked = sizeof((check_trace_callback_type_##_tracepoint(_probe), 1)),	\
}

#define LKST_SOURCE(tracepoint, probe, ...)						\
	__LKST_SOURCE(tracepoint, probe, false, __VA_ARGS__)
#define LKST_SOURCE_LATE(tracepoint, probe, ...)					\
	__LKST_SOURCE(tracepoint, probe, true, __VA_ARGS__)

/* One list of sources per file in hooks/, ended by an empty entry. */
extern struct lkst_source lkst_sources_sched[];
extern struct lkst_source lkst_sources_irq[];
extern struct lkst_source lkst_sources_irq_x86[];
extern struct lkst_source lkst_sources_syscall[];

void lkst_source_init(void);
void lkst_source_allow_late(void);
void lkst_source_add_hook(int etype, struct hook *hook);
void lkst_source_remove_hook(int etype);
bool lkst_source_present(int etype);
void lkst_source_show(struct seq_file *m, int etype);
void lkst_source_enable(const struct lkst_maskset *maskset);
void lkst_source_disable(const struct lkst_maskset *maskset);

#endif
