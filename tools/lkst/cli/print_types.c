// SPDX-License-Identifier: GPL-2.0
/* Loads the event types of a trace. The files of the trace may come from different kernels. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/text/etypes.h"
#include "print.h"

/* Fill in @all. If files define an event type differently, the first of these files counts. */
static void print_types_unite(struct print_types *types)
{
	for (size_t i = types->num; i-- > 0;)
		for (unsigned int n = 0; n < LKST_ETYPE_NUM; n++)
			if (types->source[i]->type[n])
				types->all->type[n] = types->source[i]->type[n];
}

/**
 * print_types_load() - load the event types of a trace
 * @types: result; the caller must call print_types_free() even after an error
 * @trace: trace
 * @path: file with event types to use for all events; NULL: use the event types in the trace
 * @err: set on failure
 */
int print_types_load(struct print_types *types, struct lkst_trace *trace, const char *path,
		     struct lkst_error *err)
{
	size_t num = path ? 1 : lkst_trace_sources(trace);

	*types = (struct print_types){ 0 };
	types->source = calloc(num, sizeof(*types->source));
	types->all = calloc(1, sizeof(*types->all));
	if (!types->source || !types->all) {
		lkst_error_memory(err, "event types");
		return -1;
	}
	for (; types->num < num; types->num++) {
		struct lkst_etypes *own;

		own = path ? lkst_etypes_load(path, err) :
			     lkst_trace_source_etypes(trace, (uint32_t)types->num, err);
		if (!own)
			return -1;
		types->source[types->num] = own;
	}
	print_types_unite(types);
	return 0;
}

/**
 * print_types_of() - get the event types for an event
 * @types: event types
 * @source: member @source of the event
 */
const struct lkst_etypes *print_types_of(const struct print_types *types, uint32_t source)
{
	return types->source[types->num > 1 ? source : 0];
}

/**
 * print_types_free() - free event types
 * @types: from print_types_load()
 */
void print_types_free(struct print_types *types)
{
	for (size_t i = 0; i < types->num; i++)
		lkst_etypes_free(types->source[i]);
	free(types->source);
	free(types->all);
}
