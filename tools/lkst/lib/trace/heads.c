// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds out which event types are heads of chains. A chain is an event that takes several records:
 * a head, and parts (linux/lkst_buffer.h).
 */
#include "heads.h"

#include "lib/text/etypes.h"
#include "reader.h"
#include "source.h"

/**
 * trace_heads_of() - find out which event types are heads of chains
 * @types: event types
 * @heads: result, a bitmap
 */
void trace_heads_of(const struct lkst_etypes *types, uint64_t heads[HEADS_WORDS])
{
	for (unsigned int i = 0; i < HEADS_WORDS; i++)
		heads[i] = 0;
	for (unsigned int i = 0; i < LKST_ETYPE_NUM; i++)
		if (types->type[i] && types->type[i]->chain && i != LKST_ETYPE_LKST_MORE)
			heads[i / 64] |= 1ull << (i % 64);
}

/*
 * Get the event types that a file lists. If the list is missing or damaged, use the event types of
 * this version of LKST.
 */
static struct lkst_etypes *heads_types(const struct source *source, struct lkst_error *err)
{
	struct lkst_etypes *types = NULL;
	struct lkst_error why;

	if (source->etypes)
		types = lkst_etypes_parse(source->etypes, source->etypes_len, source->name, &why);
	return types ? types : lkst_etypes_embedded(err);
}

/**
 * trace_find_heads() - find out which events of a trace are heads of chains
 * @trace: trace, after the scan
 * @err: set if an allocation fails
 */
int trace_find_heads(struct lkst_trace *trace, struct lkst_error *err)
{
	for (size_t i = 0; i < trace->sources; i++) {
		struct source *source = &trace->source[i];
		struct lkst_etypes *types = heads_types(source, err);

		if (!types)
			return -1;
		trace_heads_of(types, source->heads);
		lkst_etypes_free(types);
		for (uint32_t type = 0; type < LKST_ETYPE_NUM; type++)
			trace->in_chains[type] |= trace_is_head(source->heads, type);
	}
	trace->in_chains[LKST_ETYPE_LKST_MORE] = true;
	return 0;
}
