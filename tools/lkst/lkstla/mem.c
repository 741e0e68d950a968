// SPDX-License-Identifier: GPL-2.0
/* lkstla mem: which code allocates kernel memory, and how much of it has not been freed. */
#include <stdlib.h>
#include <string.h>

#include "analysis.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "mem_objects.h"
#include "tally.h"
#include "value.h"

static const struct {
	const char *name;
	uint32_t free; /* event type */
} mem_kinds[MEM_KINDS] = {
	[MEM_KMALLOC] = { "kmalloc", LKST_ETYPE_MEM_KFREE },
	[MEM_CACHE] = { "cache", LKST_ETYPE_MEM_CACHEFREE },
	[MEM_VMALLOC] = { "vmalloc", LKST_ETYPE_MEM_VFREE },
};

struct mem_arguments {
	const char *grew_since;
	bool never_freed;
};

static const struct option_row mem_options[] = {
	OPT_TEXT(0, "grew-since", "TIME", struct mem_arguments, grew_since,
		 "by how much each call site grew from this time to the end"),
	OPT_FLAG(0, "never-freed", struct mem_arguments, never_freed,
		 "only call sites of which no object was freed"),
};

static void *mem_start(const struct run *run, struct lkst_error *err)
{
	struct mem *mem = calloc(1, sizeof(*mem));

	if (!mem) {
		lkst_error_memory(err, "allocations");
		return NULL;
	}
	mem_objects_init(mem, run);
	return mem;
}

static int mem_apply(void *ctx, const void *own, struct lkst_error *err)
{
	const struct mem_arguments *args = own;
	struct mem *mem = ctx;

	if (!args->grew_since)
		return 0;
	return value_moment(mem->run, "--grew-since", args->grew_since, &mem->grew_since_ns, err);
}

static void mem_event(void *ctx, const struct lkst_event *event)
{
	struct mem *mem = ctx;

	if (value_in_window(mem->run, event->time_ns) && mem_objects_take(mem, event))
		run_out_of_memory(mem->run);
}

static void mem_loss(void *ctx, const struct lkst_loss *loss)
{
	struct mem *mem = ctx;

	if (!mem->lost || loss->end_ns > mem->lost_ns)
		mem->lost_ns = loss->end_ns;
	mem->lost = true;
}

#define MEM_COLUMNS_MAX 16

/*
 * The columns. The first MEM_FIXED_COLUMNS are followed by MEM_GREW_COLUMNS for --grew-since. Each
 * column after them is left out if all its values are 0.
 */
static const struct column mem_columns[MEM_COLUMNS_MAX] = {
	{ "call site", "call_site", COLUMN_TEXT },  { "kind", "kind", COLUMN_TEXT },
	{ "allocs", "allocs", COLUMN_COUNT },	    { "frees", "frees", COLUMN_COUNT },
	{ "unseen", "unseen_frees", COLUMN_COUNT }, { "live", "live", COLUMN_COUNT },
	{ "requested", "requested_bytes", COLUMN_BYTES },
	{ "allocated", "allocated_bytes", COLUMN_BYTES },
	{ "waste", "waste_bytes", COLUMN_BYTES },   { "age p50 ms", "age_p50_ns", COLUMN_MS },
	{ "oldest ms", "oldest_ns", COLUMN_MS },    { "grew", "grew", COLUMN_NUMBER },
	{ "grew bytes", "grew_bytes", COLUMN_BYTES },
	{ "failed", "failed", COLUMN_COUNT },	    { "unsure", "unsure", COLUMN_COUNT },
	{ "unfollowed", "unfollowed", COLUMN_COUNT },
};

#define MEM_FIXED_COLUMNS 11
#define MEM_GREW_COLUMNS  2
#define MEM_RARE_COLUMNS  (MEM_FIXED_COLUMNS + MEM_GREW_COLUMNS)

static const struct column mem_early_columns[] = {
	{ "freed by", "freed_by", COLUMN_TEXT }, { "event", "event", COLUMN_TEXT },
	{ "cache", "cache", COLUMN_TEXT },	 { "frees", "frees", COLUMN_COUNT },
	{ "last", "last_ns", COLUMN_TIME },
};

#define NUM(array) (sizeof(array) / sizeof(*(array)))

/* Order: the largest growth since --grew-since first, then the most live memory. */
static int mem_by_size(const void *a, const void *b)
{
	const struct mem_site *const *pa = a, *const *pb = b;

	if ((*pa)->grew_bytes != (*pb)->grew_bytes)
		return (int64_t)(*pa)->grew_bytes > (int64_t)(*pb)->grew_bytes ? -1 : 1;
	if ((*pa)->requested != (*pb)->requested)
		return (*pa)->requested > (*pb)->requested ? -1 : 1;
	if ((*pa)->allocs != (*pb)->allocs)
		return (*pa)->allocs > (*pb)->allocs ? -1 : 1;
	return (*pa > *pb) - (*pa < *pb);
}

static int mem_by_frees(const void *a, const void *b)
{
	const struct mem_early *const *pa = a, *const *pb = b;

	if ((*pa)->frees != (*pb)->frees)
		return (*pa)->frees > (*pb)->frees ? -1 : 1;
	return hash_compare_keys(a, b);
}

/* Get the values of the columns that may be left out. */
static void mem_rare(const struct mem_site *site, uint64_t value[3])
{
	value[0] = site->failed;
	value[1] = site->unsure;
	value[2] = site->unfollowed;
}

/* The columns of a report. @shown: which of the columns that may be left out are shown. */
struct mem_layout {
	struct column column[MEM_COLUMNS_MAX];
	size_t columns;
	bool shown[3];
};

static void mem_choose_columns(const struct mem *mem, struct mem_layout *layout)
{
	uint64_t value[3];

	*layout = (struct mem_layout){ .columns = MEM_FIXED_COLUMNS };
	if (mem->grew_since_ns != INT64_MAX)
		layout->columns = MEM_RARE_COLUMNS;
	memcpy(layout->column, mem_columns, sizeof(layout->column));
	for (size_t i = 0; i < mem->sites; i++) {
		mem_rare(&mem->site[i], value);
		for (int rare = 0; rare < 3; rare++)
			layout->shown[rare] |= value[rare] != 0;
	}
	for (int rare = 0; rare < 3; rare++)
		if (layout->shown[rare])
			layout->column[layout->columns++] = mem_columns[MEM_RARE_COLUMNS + rare];
}

/**
 * mem_knows_live() - check whether it is known which objects of a call site are alive
 * @mem: what is known about allocations
 * @site: call site
 *
 * If the trace lacks the events of the corresponding kind of free, this is not known.
 */
bool mem_knows_live(const struct mem *mem, const struct mem_site *site)
{
	return site->kind == MEM_KINDS ||
	       lkst_model_saw(mem->run->model, mem_kinds[site->kind].free);
}

/* Make a cell of the age, at the end of the window, of objects that were allocated at @time_ns. */
static struct cell mem_age(const struct mem *mem, const struct mem_site *site, int64_t time_ns)
{
	return mem_knows_live(mem, site) && site->live ?
		       CELL(tally_length(time_ns, mem->run->end_ns)) :
		       CELL_NONE;
}

static int mem_report_site(const struct mem *mem, const struct mem_site *site,
			   const struct mem_layout *layout, struct table *table,
			   struct lkst_error *err)
{
	const struct run *run = mem->run;
	bool rest = site->kind == MEM_KINDS, kmalloc = site->kind == MEM_KMALLOC;
	bool known = mem_knows_live(mem, site);
	char caller[VALUE_SIZE];
	struct cell cell[MEM_COLUMNS_MAX] = {
		CELL_TEXT(rest ? "(others)" :
				 run_symbol(run, 0, site->caller, caller, sizeof(caller))),
		rest ? CELL_NONE : CELL_TEXT(mem_kinds[site->kind].name),
		CELL(site->allocs),
		known ? CELL(site->frees) : CELL_NONE,
		CELL(site->unseen),
		known ? CELL(site->live) : CELL_NONE,
		known ? CELL(site->requested) : CELL_NONE,
		known && kmalloc ? CELL(site->allocated) : CELL_NONE,
		known && kmalloc ? CELL(site->allocated - site->requested) : CELL_NONE,
		mem_age(mem, site, site->median_ns),
		mem_age(mem, site, site->oldest_ns),
	};
	size_t columns = MEM_FIXED_COLUMNS;
	uint64_t value[3];

	if (mem->grew_since_ns != INT64_MAX) {
		cell[columns++] = known ? CELL(site->grew) : CELL_NONE;
		cell[columns++] = known ? CELL(site->grew_bytes) : CELL_NONE;
	}
	mem_rare(site, value);
	for (int rare = 0; rare < 3; rare++)
		if (layout->shown[rare])
			cell[columns++] = CELL(value[rare]);
	return table_add(table, cell, err);
}

static int mem_report_sites(struct mem *mem, struct tables *to, struct lkst_error *err)
{
	const struct mem_arguments *own = mem->run->own;
	const struct mem_site **list = calloc(mem->sites + 1, sizeof(*list));
	struct mem_layout layout;
	struct table *table;
	int ret = 0;

	if (!list) {
		lkst_error_memory(err, "allocations");
		return -1;
	}
	mem_objects_sum(mem);
	if (mem_objects_ages(mem)) {
		lkst_error_memory(err, "allocations");
		free(list);
		return -1;
	}
	mem_choose_columns(mem, &layout);
	for (size_t i = 0; i < mem->sites; i++) {
		if (!mem_knows_live(mem, &mem->site[i]))
			mem->site[i].grew = mem->site[i].grew_bytes = 0;
		list[i] = &mem->site[i];
	}
	qsort(list, mem->sites, sizeof(*list), mem_by_size);
	table = value_table(to, "mem", "Allocations by call site", layout.column, layout.columns,
			    err);
	for (size_t i = 0; table && i < mem->sites && !ret; i++)
		if (!own->never_freed || (list[i]->live && !list[i]->frees && !list[i]->unseen))
			ret = mem_report_site(mem, list[i], &layout, table, err);
	free(list);
	return table ? ret : -1;
}

static int mem_report_early(const struct mem *mem, const struct mem_early *early,
			    struct table *table, struct lkst_error *err)
{
	const struct lkst_etype *type =
		lkst_etypes_get(mem->run->types, (uint32_t)early->head.key[0]);
	bool rest = hash_is_rest(early);
	char caller[VALUE_SIZE];

	return table_add(table,
			 (struct cell[]){
				 rest ? CELL_TEXT("(others)") :
					CELL_TEXT(run_symbol(mem->run, 0, early->head.key[1],
							     caller, sizeof(caller))),
				 type ? CELL_TEXT(lkst_etype_name(type)) : CELL_NONE,
				 *early->cache ? CELL_TEXT(early->cache) : CELL_NONE,
				 CELL(early->frees), CELL(early->last_ns) },
			 err);
}

static int mem_report(void *ctx, const struct run *run, struct tables *to, struct lkst_error *err)
{
	struct mem *mem = ctx;
	struct table *table;
	void **early;
	int ret = 0;

	(void)run;
	if (mem_report_sites(mem, to, err))
		return -1;
	table = value_table(to, "freed", "Frees of objects whose allocation is unknown",
			    mem_early_columns, NUM(mem_early_columns), err);
	early = table ? hash_sorted(&mem->early, mem_by_frees) : NULL;
	if (table && !early)
		lkst_error_memory(err, "allocations");
	if (!early)
		return -1;
	for (size_t i = 0; i < mem->early.num && !ret; i++)
		ret = mem_report_early(mem, early[i], table, err);
	free(early);
	return ret;
}

static void mem_free(void *ctx)
{
	mem_objects_free(ctx);
	free(ctx);
}

static const char *const mem_events[] = { "MEM_KMALLOC",   "MEM_KFREE",	  "MEM_CACHEALLOC",
					  "MEM_CACHEFREE", "MEM_VMALLOC", "MEM_VFREE",
					  NULL };

const struct analysis analysis_mem = {
	.name = "mem",
	.summary = "kernel memory by call site, and what was not freed",
	.about =
		"For each call site: objects that it allocated, objects that were freed (unseen:\n"
		"without an event), and objects that were live at the end, with their age. Then:\n"
		"frees of unknown objects. --over counts only live objects of at least that age.\n",
	.row = mem_options,
	.rows = NUM(mem_options),
	.own_size = sizeof(struct mem_arguments),
	.needs = mem_events,
	.needs_any = true,
	.kmemtrace = true,
	.helps = mem_events,
	.ops = { .event = mem_event, .loss = mem_loss },
	.start = mem_start,
	.apply = mem_apply,
	.report = mem_report,
	.free = mem_free,
};
