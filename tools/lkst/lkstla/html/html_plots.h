/* SPDX-License-Identifier: GPL-2.0 */
/* Collects distributions of the lengths of spans. The page shows the distributions as plots. */
#ifndef _LKSTLA_HTML_PLOTS_H
#define _LKSTLA_HTML_PLOTS_H

#include "html_bytes.h"
#include "lkstla/dist.h"
#include "lkstla/hash.h"

#define HTML_PLOT_NAME 640

enum html_plot_kind {
	HTML_PLOT_WAIT, /* waits for a CPU */
	HTML_PLOT_CALL, /* system calls; number: the call */
	HTML_PLOT_CONTEXT, /* interrupts and other contexts; number: the context */
	HTML_PLOT_DELAY, /* softirqs: time since the raise; number: the context */
	HTML_PLOT_REQUEST, /* requests of a block device; number: the device */
	HTML_PLOT_LOCK, /* waits for locks of a kind; number: the name of the kind */
	HTML_PLOT_KINDS,
};

/**
 * struct html_plot - a distribution; its key is the kind, the number, and a second number
 * @head: key in the hash table
 * @dist: lengths
 */
struct html_plot {
	struct hash_head head;
	struct dist dist;
};

/* Writes the name of a plot */
typedef void html_plot_name(void *ctx, enum html_plot_kind kind, const uint64_t number[2],
			    char name[HTML_PLOT_NAME]);

void html_plots_init(struct hash *plots);
void html_plots_free(struct hash *plots);
int html_plots_add(struct hash *plots, enum html_plot_kind kind, uint64_t number, uint64_t second,
		   int64_t duration_ns, int64_t at_ns);
int html_plots_put(const struct hash *plots, html_plot_name *name, void *ctx,
		   struct html_bytes *to);

#endif
