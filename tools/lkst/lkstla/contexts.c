// SPDX-License-Identifier: GPL-2.0
/* Rows and names of interrupts, softirqs, timers and work items. */
#include <string.h>

#include "cli/state_names.h"
#include "contexts.h"

const char *const context_kinds[LKST_CONTEXT_NUM] = {
	[LKST_CONTEXT_IRQ] = "interrupt",
	[LKST_CONTEXT_TIMER_IRQ] = "timer interrupt",
	[LKST_CONTEXT_IPI] = "interprocessor interrupt",
	[LKST_CONTEXT_SOFTIRQ] = "softirq",
	[LKST_CONTEXT_TASKLET] = "tasklet",
	[LKST_CONTEXT_TIMER] = "timer",
	[LKST_CONTEXT_HRTIMER] = "hrtimer",
	[LKST_CONTEXT_WORK] = "work item",
	[LKST_CONTEXT_EXCEPTION] = "exception",
};

struct context_id context_id(const struct lkst_context_span *span)
{
	struct context_id id = { .source = span->source,
				 .kind = span->kind,
				 .number = span->number };

	if (span->kind == LKST_CONTEXT_IRQ)
		memcpy(id.name, span->name, strnlen(span->name, sizeof(id.name) - 1));
	return id;
}

/*
 * Hash a name (FNV-1a). Only names of contexts with the same number must have different hashes.
 * With 64 bits, such hashes do not collide in practice.
 */
static uint64_t context_hash(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
	return hash;
}

/**
 * context_row() - find or add a row
 * @rows: table of structures that begin with struct context_row
 * @id: what the row is about
 *
 * Return: the row, valid until the next call; NULL if an allocation failed.
 */
void *context_row(struct hash *rows, const struct context_id *id)
{
	const uint64_t key[HASH_WORDS] = { (uint64_t)id->source << 32 | (uint32_t)id->kind,
					   id->number, context_hash(id->name) };
	struct context_row *row;

	if (hash_add_row(rows, key, &row) == HASH_ADDED)
		row->id = *id;
	return row;
}

/**
 * context_cpu() - find or add the structure of a CPU
 * @cpus: table of structures that begin with struct hash_head
 * @source: index of the file in a trace of several files
 * @cpu: CPU
 *
 * Return: the structure, valid until the next call; NULL if an allocation failed, or there are too
 * many CPUs.
 */
void *context_cpu(struct hash *cpus, uint32_t source, int32_t cpu)
{
	const uint64_t key[HASH_WORDS] = { source, (uint32_t)cpu, 0 };
	void *entry;

	hash_add(cpus, key, &entry);
	return entry;
}

/**
 * context_name() - get the name of a context
 * @run: run
 * @row: row of the context
 * @text: buffer for the name
 *
 * Return: the name; "-" if it is unknown.
 */
const char *context_name(const struct run *run, const struct context_row *row,
			 char text[CONTEXT_NAME_SIZE])
{
	if (hash_is_rest(row))
		return "(others)";
	if (row->id.kind > LKST_CONTEXT_SOFTIRQ)
		return row->id.number ? run_symbol(run, row->id.source, row->id.number, text,
						   CONTEXT_NAME_SIZE) :
					"-";
	return state_context_name(run_context(run, row->id.source), row->id.kind, row->id.number,
				  row->id.name, text);
}

/* Compare the ids of two rows. No two rows have equal ids, so the order is unambiguous. */
int context_compare(const struct context_row *a, const struct context_row *b)
{
	if (a->id.kind != b->id.kind)
		return a->id.kind < b->id.kind ? -1 : 1;
	if (a->id.number != b->id.number)
		return a->id.number < b->id.number ? -1 : 1;
	if (a->id.source != b->id.source)
		return a->id.source < b->id.source ? -1 : 1;
	return strcmp(a->id.name, b->id.name);
}
