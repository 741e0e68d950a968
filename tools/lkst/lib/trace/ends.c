// SPDX-License-Identifier: LGPL-2.1
/* Finds the CPUs whose last records may be missing. */
#include <string.h>

#include "reader.h"

/* Return whether records may be missing at the end of a file. */
static bool ends_is_cut(const struct source *source)
{
	return source->end ? source->end_records != source->records : !source->growing;
}

/*
 * Return the file of a chunk of records; NULL if they do not belong to a CPU, or are from another
 * boot.
 */
static const struct source *ends_source(const struct lkst_trace *trace, const struct chunk_ref *ref,
					uint32_t boot)
{
	const struct file_buffer *buffer = &trace->stream[ref->stream];
	const struct source *source = &trace->source[buffer->source];

	return ref->count && buffer->info.cpu >= 0 && buffer->info.cpu < LKST_TRACE_CPUS &&
			       source->boot == boot ?
		       source :
		       NULL;
}

/* Return the file with the newest record of a boot if this file is complete, otherwise NULL. */
static const struct source *ends_newest(const struct lkst_trace *trace, uint32_t boot)
{
	const struct source *newest = NULL;
	int64_t newest_ns = INT64_MIN;

	for (size_t i = 0; i < trace->refs; i++) {
		const struct chunk_ref *ref = &trace->ref[i];
		const struct source *source = ends_source(trace, ref, boot);

		if (!source || ref->latest_ns < newest_ns)
			continue;
		if (!newest || ref->latest_ns > newest_ns || ends_is_cut(newest))
			newest = source;
		newest_ns = ref->latest_ns;
	}
	return newest && !ends_is_cut(newest) ? newest : NULL;
}

/**
 * lkst_trace_ends() - find the CPUs whose last records may be missing
 * @trace: trace
 * @boot: boot
 * @ends: result
 *
 * Records that are missing at the end of a file leave no gap in the recids, unless a later file has
 * records of the same CPU. The later file counts only if it contains the newest record of the boot
 * and is complete: if a newer file lacks its end, that file may lack records of any CPU.
 */
void lkst_trace_ends(const struct lkst_trace *trace, uint32_t boot, struct lkst_trace_ends *ends)
{
	const struct source *newest = ends_newest(trace, boot);
	uint64_t complete[LKST_TRACE_CPUS / 64] = {};

	memset(ends, 0, sizeof(*ends));
	for (size_t i = 0; i < trace->sources; i++)
		ends->cut |= trace->source[i].boot == boot && ends_is_cut(&trace->source[i]);
	for (size_t i = 0; i < trace->refs; i++) {
		const struct source *source = ends_source(trace, &trace->ref[i], boot);
		int32_t cpu = source ? trace->stream[trace->ref[i].stream].info.cpu : 0;

		if (source)
			ends->cpus[cpu / 64] |= 1ull << cpu % 64;
		if (source && source == newest)
			complete[cpu / 64] |= 1ull << cpu % 64;
	}
	for (size_t i = 0; ends->cut && i < LKST_TRACE_CPUS / 64; i++) {
		ends->lacking[i] = ends->cpus[i] & ~complete[i];
		ends->lacks |= ends->lacking[i];
	}
}
