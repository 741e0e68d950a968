// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "html_json.h"
#include "html_plots.h"

#define PLOTS_MAX  4096 /* a damaged trace can have any number of kinds of spans */
#define PLOTS_EACH 64 /* plots of a kind in the page */

void html_plots_init(struct hash *plots)
{
	*plots = (struct hash){ .size = sizeof(struct html_plot), .max = PLOTS_MAX };
}

void html_plots_free(struct hash *plots)
{
	struct html_plot *plot;
	size_t at = 0;

	while ((plot = hash_next(plots, &at)) != NULL)
		dist_free(&plot->dist);
	hash_free(plots);
}

/**
 * html_plots_add() - add the length of a span to a distribution
 * @plots: distributions
 * @kind: kind
 * @number: what the span is about
 * @second: second number, see struct html_plot
 * @duration_ns: length
 * @at_ns: a time within the span, relative to the start of the window
 *
 * Return: 0; -1 if an allocation fails.
 */
int html_plots_add(struct hash *plots, enum html_plot_kind kind, uint64_t number, uint64_t second,
		   int64_t duration_ns, int64_t at_ns)
{
	const uint64_t key[HASH_WORDS] = { kind, number, second };
	struct html_plot *plot;

	/*
	 * If there are too many distributions, further ones are left out. The distributions in the
	 * table stay correct.
	 */
	if (hash_add(plots, key, &plot) == HASH_FULL)
		return 0;
	return plot ? dist_add(&plot->dist, duration_ns, at_ns) : -1;
}

/* Order: by kind, then the longest total first */
static int plots_compare(const void *pa, const void *pb)
{
	const struct html_plot *a = *(const struct html_plot *const *)pa;
	const struct html_plot *b = *(const struct html_plot *const *)pb;

	if (a->head.key[0] != b->head.key[0])
		return a->head.key[0] < b->head.key[0] ? -1 : 1;
	if (a->dist.sum != b->dist.sum)
		return a->dist.sum > b->dist.sum ? -1 : 1;
	return hash_compare_keys(pa, pb);
}

static void plots_put_parts(const struct dist *dist, struct html_bytes *to)
{
	struct dist_part part;
	size_t at = 0;

	html_json_open(to, "buckets", '[');
	while (dist_next_part(dist, &at, &part)) {
		html_json_open(to, NULL, '[');
		html_json_int(to, NULL, (int64_t)part.from_ns);
		html_json_int(to, NULL, (int64_t)part.to_ns + 1);
		html_json_int(to, NULL, (int64_t)part.count);
		html_json_close(to, ']');
	}
	html_json_close(to, ']');
}

static void plots_put(const struct html_plot *plot, const char *name, struct html_bytes *to)
{
	static const char *const kinds[HTML_PLOT_KINDS] = {
		[HTML_PLOT_WAIT] = "wait",	 [HTML_PLOT_CALL] = "call",
		[HTML_PLOT_CONTEXT] = "context", [HTML_PLOT_DELAY] = "delay",
		[HTML_PLOT_REQUEST] = "request", [HTML_PLOT_LOCK] = "lock",
	};
	const struct dist *dist = &plot->dist;

	html_json_open(to, NULL, '{');
	html_json_text(to, "kind", kinds[plot->head.key[0]]);
	html_json_text(to, "name", name);
	html_json_int(to, "number", (int64_t)plot->head.key[1]);
	html_json_int(to, "count", (int64_t)dist->count);
	html_json_int(to, "total_ns", (int64_t)dist->sum);
	html_json_int(to, "p50_ns", (int64_t)dist_percentile(dist, 50));
	html_json_int(to, "p99_ns", (int64_t)dist_percentile(dist, 99));
	html_json_int(to, "max_ns", (int64_t)dist->max);
	html_json_int(to, "at", dist->max_at_ns);
	plots_put_parts(dist, to);
	html_json_close(to, '}');
}

/**
 * html_plots_put() - write the distributions with the longest totals
 * @plots: distributions
 * @name: writes their names
 * @ctx: argument of @name
 * @to: result: member of a JSON object
 *
 * Return: 0; -1 if an allocation fails.
 */
int html_plots_put(const struct hash *plots, html_plot_name *name, void *ctx, struct html_bytes *to)
{
	struct html_plot **sorted = (struct html_plot **)hash_sorted(plots, plots_compare);
	uint64_t kind = HTML_PLOT_KINDS;
	char text[HTML_PLOT_NAME];
	unsigned int num = 0;

	if (!sorted)
		return -1;
	html_json_open(to, "plots", '[');
	for (size_t i = 0; i < plots->num; i++) {
		num = sorted[i]->head.key[0] == kind ? num + 1 : 0;
		kind = sorted[i]->head.key[0];
		if (num >= PLOTS_EACH)
			continue;
		name(ctx, (enum html_plot_kind)kind, sorted[i]->head.key + 1, text);
		plots_put(sorted[i], text, to);
	}
	html_json_close(to, ']');
	free(sorted);
	return 0;
}
