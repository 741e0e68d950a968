// SPDX-License-Identifier: LGPL-2.1
/*
 * Writes selected events of a trace to a new trace, with the names and symbols that they need.
 *
 * The new records are STD, because their times are known. Each thread is listed with the name that
 * it had at the last selected event that involves it, because the event that gave the thread this
 * name might not be selected.
 *
 * LKST's own events and the state dump are written even if they are not selected. They show when
 * recording started and stopped, which events were recorded, and in which state the threads were,
 * so that an analysis of the new trace has this information, too.
 */
#include <byteswap.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cut.h"
#include "cut_heads.h"
#include "cut_losses.h"
#include "format.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/text/addresses.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/files.h"
#include "lib/text/kallsyms.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "messages.h"
#include "reader.h"
#include "select.h"
#include "source.h"
#include "write.h"

/*
 * Records of a CPU, or of the static buffer, that have yet to be written. All buffers of a CPU
 * share one struct cut_buffer, so that the recids of the CPU increase from chunk to chunk.
 */
struct cut_buffer {
	struct lkst_log_buffer header;
	struct cut_heads heads; /* chains whose parts may follow */
	size_t num;
	struct lkst_log_record record[LKST_CHUNK_RECORDS];
};

struct cut {
	struct lkst_trace *trace;
	const struct lkst_etypes *types;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	struct cut_buffer **buffer;
	size_t buffers;
	bool any; /* an event is selected */
	struct cut_losses losses;
	void *processes; /* search tree of struct lkst_process */
	struct lkst_process *list; /* the same threads as an array, made by cut_list() */
	size_t listed;
};

/* ---- records ---- */

static int cut_flush(const struct cut *cut, struct cut_buffer *buffer, struct lkst_error *err)
{
	if (buffer->num && (lkst_trace_write_records(cut->writer, &buffer->header, buffer->record,
						     buffer->num, err) ||
			    lkst_addresses_add(cut->addresses, buffer->record, buffer->num, err)))
		return -1;
	buffer->num = 0;
	return 0;
}

/* Find or add the buffer for the CPU of the event. Returns NULL if an allocation fails. */
static struct cut_buffer *cut_buffer_of(struct cut *cut, const struct lkst_event *event)
{
	static const char *const arch[] = {
		[LKST_MACHINE_X86_64] = "x86_64",
		[LKST_MACHINE_I386] = "i686",
		[LKST_MACHINE_ARM64] = "aarch64",
	};
	int32_t cpu = event->buffer == LKST_BUFFER_ID_VOID ? -1 : event->cpu;
	struct cut_buffer **grown, *buffer;

	for (size_t i = cut->buffers; i-- > 0;)
		if (cut->buffer[i]->header.cpu == cpu)
			return cut->buffer[i];
	grown = realloc(cut->buffer, (cut->buffers + 1) * sizeof(*grown));
	if (grown)
		cut->buffer = grown;
	buffer = grown ? malloc(sizeof(*buffer)) : NULL;
	if (!buffer)
		return NULL;
	buffer->num = 0;
	memset(&buffer->heads, 0, sizeof(buffer->heads));
	buffer->header = (struct lkst_log_buffer){
		.cpu = cpu,
		.id = event->buffer,
		.buf_ver = LKST_BUFFER_VERSION,
	};
	if (event->machine < sizeof(arch) / sizeof(*arch) && arch[event->machine])
		strcpy(buffer->header.arch, arch[event->machine]);
	return cut->buffer[cut->buffers++] = buffer;
}

static struct lkst_log_record cut_record(const struct lkst_event *event, const uint64_t arg[4])
{
	int64_t second = event->time_ns / 1000000000, ns = event->time_ns % 1000000000;

	return (struct lkst_log_record){
		.posix = {
			.log_magic = LKST_LOG_MAGIC,
			.log_format = LKST_LOG_FORMAT,
			.log_recid = event->recid,
			.log_size = LKST_LOG_SIZE,
			.log_event_type = (int32_t)event->type,
			.log_facility = LKST_LOG_FACILITY,
			.log_severity = LKST_LOG_SEVERITY,
			.log_uid = event->uid,
			.log_gid = event->gid,
			.log_pid = (int32_t)event->tgid,
			.log_pgrp = (int32_t)event->pgrp,
			.log_flags = event->flags,
			.log_time = { ns < 0 ? second - 1 : second, ns < 0 ? ns + 1000000000 : ns },
			.log_thread = event->tid,
			.log_processor = event->cpu,
		},
		.log_arg1 = arg[0],
		.log_arg2 = arg[1],
		.log_arg3 = arg[2],
		.log_arg4 = arg[3],
	};
}

/* Return whether an event itself is selected. For parts of chains, cut_heads_select() decides. */
static bool cut_selects(const struct cut *cut, const struct lkst_selection *selection,
			const struct lkst_event *event)
{
	return lkst_selected(selection, lkst_trace_source_context(cut->trace, event->source),
			     event);
}

/*
 * Convert the arguments of an event for the new trace. If the machine that recorded the event has
 * the opposite byte order, the reader has swapped all arguments, so strings must be swapped back.
 */
static void cut_arguments(const struct cut *cut, struct cut_buffer *buffer,
			  const struct lkst_event *event, uint64_t arg[4])
{
	const struct lkst_etype *type = lkst_etype(cut->types, event->type);
	const struct cut_head *head = cut_heads_find(&buffer->heads, event);
	unsigned int texts = 0;

	memcpy(arg, event->arg, sizeof(event->arg));
	if (!event->swapped)
		return;
	if (head && head->text)
		texts = 0xe;
	else if (type)
		texts = lkst_etype_texts(type);
	for (int k = 0; k < 4; k++)
		if (texts & 1u << k)
			arg[k] = bswap_64(arg[k]);
}

/* ---- names of processes ---- */

static int cut_by_tid(const void *pa, const void *pb)
{
	const struct lkst_process *a = pa, *b = pb;

	return (a->tid > b->tid) - (a->tid < b->tid);
}

static int cut_name(struct cut *cut, struct lkst_names *names, uint32_t tid, int64_t time_ns)
{
	const char *name = tid && tid != UINT32_MAX ? lkst_names_get(names, tid, time_ns) : NULL;
	struct lkst_process key = { .tid = tid }, **node;

	if (!name)
		return 0;
	node = tsearch(&key, &cut->processes, cut_by_tid);
	if (!node)
		return -1;
	if (*node == &key) {
		struct lkst_process *process = malloc(sizeof(*process));

		if (!process) {
			tdelete(&key, &cut->processes, cut_by_tid);
			return -1;
		}
		*process = key;
		*node = process;
		cut->listed++;
	}
	(*node)->tgid = lkst_names_process(names, tid);
	memset((*node)->name, 0, sizeof((*node)->name));
	strncpy((*node)->name, name, sizeof((*node)->name) - 1);
	return 0;
}

/* Keep the names of the event's thread and process, and of the threads in its arguments. */
static int cut_names(struct cut *cut, const struct lkst_event *event)
{
	struct lkst_names *names = lkst_trace_source_context(cut->trace, event->source)->names;
	const struct lkst_etype *type = lkst_etype(cut->types, event->type);

	if (cut_name(cut, names, event->tid, event->time_ns) ||
	    cut_name(cut, names, event->tgid, event->time_ns))
		return -1;
	for (int i = 0; type && i < type->fields; i++)
		if (type->field[i].format == LKST_FMT_TID &&
		    cut_name(cut, names, (uint32_t)lkst_field_value(&type->field[i], event),
			     event->time_ns))
			return -1;
	return 0;
}

static void cut_list(const void *node, VISIT visit, void *ctx)
{
	struct cut *cut = ctx;

	if (visit == postorder || visit == leaf)
		cut->list[cut->listed++] = **(const struct lkst_process *const *)node;
}

static int cut_write_names(struct cut *cut, struct lkst_error *err)
{
	cut->list = malloc((cut->listed + 1) * sizeof(*cut->list));
	if (!cut->list) {
		lkst_error_memory(err, "process names");
		return -1;
	}
	cut->listed = 0;
	twalk_r(cut->processes, cut_list, cut);
	return lkst_trace_write_processes(cut->writer, cut->list, cut->listed, err);
}

static bool cut_is_listed(void *ctx, uint32_t tgid)
{
	const struct lkst_process key = { .tid = tgid };
	struct cut *cut = ctx;

	return tfind(&key, &cut->processes, cut_by_tid);
}

/* Write the command lines and files of the processes, with the times for which they are valid. */
static int cut_write_files(struct cut *cut, struct lkst_error *err)
{
	const struct lkst_files *files = lkst_trace_context(cut->trace)->files;
	char *text;
	size_t len;
	int ret;

	if (lkst_files_empty(files))
		return 0;
	text = lkst_files_text(files, cut_is_listed, cut, &len, err);
	ret = text ? lkst_trace_write_files(cut->writer, text, len, err) : -1;
	free(text);
	return ret;
}

/* ---- metadata for the records ---- */

static int cut_write_header(const struct cut *cut, const char *how, struct lkst_error *err)
{
	const struct source *source = &cut->trace->source[cut->trace->sources - 1];
	char *system = NULL, *etypes = NULL, shown[4096];
	size_t len;
	int ret = -1;

	lkst_printable(how, strlen(how), shown, sizeof(shown));
	if (asprintf(&system, "%sselected=%s\n", source->system ? source->system : "", shown) < 0) {
		system = NULL;
		lkst_error_memory(err, "the trace");
	}
	if (system)
		etypes = lkst_etypes_text(cut->types, &len, err);
	if (etypes && !lkst_trace_write_system(cut->writer, system, err) &&
	    !lkst_trace_write_etypes(cut->writer, etypes, len, err) &&
	    (!source->values ||
	     !lkst_trace_write_values(cut->writer, source->values, strlen(source->values), err)))
		ret = 0;
	free(etypes);
	free(system);
	return ret;
}

static bool cut_find(const struct cut *cut, uint64_t address, struct lkst_symbol *symbol)
{
	for (size_t i = 0; i < cut->trace->sources; i++)
		if (lkst_symbols_find(lkst_trace_source_context(cut->trace, (uint32_t)i)->symbols,
				      address, symbol))
			return true;
	return false;
}

static int cut_by_value(const void *pa, const void *pb)
{
	const uint64_t *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/*
 * Write the symbols for the sorted array @address of @num addresses. Each symbol is written as if
 * it ended after the last of these addresses that it contains.
 */
static void cut_put_symbols(const struct cut *cut, const uint64_t *address, size_t num, FILE *to)
{
	char line[KALLSYM_LINE_MAX];
	struct lkst_symbol symbol, next;
	size_t last;

	fputs(SYMBOLS_HEADER "\n", to);
	for (size_t i = 0; i < num; i = last + 1) {
		struct kallsym range;

		last = i;
		if (!cut_find(cut, address[i], &symbol))
			continue;
		range.start = address[i] - symbol.offset;
		while (last + 1 < num && cut_find(cut, address[last + 1], &next) &&
		       address[last + 1] - next.offset == range.start)
			last++;
		range.end = address[last] + 1;
		range.name = symbol.name;
		range.module = symbol.module;
		kallsym_line(&range, line);
		fputs(line, to);
	}
}

static int cut_write_symbols(const struct cut *cut, struct lkst_error *err)
{
	size_t num, len;
	const uint64_t *list = lkst_addresses_list(cut->addresses, &num);
	uint64_t *sorted = malloc((num + 1) * sizeof(*sorted));
	char *text = NULL;
	FILE *to = sorted ? open_memstream(&text, &len) : NULL;
	int ret = -1;

	if (to) {
		memcpy(sorted, list, num * sizeof(*sorted));
		qsort(sorted, num, sizeof(*sorted), cut_by_value);
		cut_put_symbols(cut, sorted, num, to);
	}
	if (!to || ferror(to) | fclose(to))
		lkst_error_memory(err, "symbols");
	else
		ret = lkst_trace_write_symbols(cut->writer, text, len, err);
	free(text);
	free(sorted);
	return ret;
}

/* ---- the new trace ---- */

/* Return whether the selection includes the CPU and the time of an event. */
static bool cut_is_within(const struct lkst_selection *selection, const struct lkst_event *event)
{
	return (selection->cpu < 0 || event->cpu == selection->cpu) &&
	       event->time_ns >= selection->since_ns && event->time_ns <= selection->until_ns;
}

/*
 * Return whether an event is written even if it is not selected, because it is about the recording.
 */
static bool cut_keeps(const struct lkst_event *event)
{
	return event->type == LKST_ETYPE_PROCESS_STATE ||
	       (event->type >= LKST_ETYPE_LKST_MIN && event->type != LKST_ETYPE_LKST_MORE &&
		event->type < LKST_ETYPE_NUM);
}

/* Write an event if it is selected. @within: its CPU and time are selected. */
static int cut_take(struct cut *cut, const struct lkst_selection *selection,
		    const struct lkst_event *event, bool within, struct lkst_error *err)
{
	const struct lkst_etype *type = lkst_etype(cut->types, event->type);
	bool chain = event->type == LKST_ETYPE_LKST_MORE || (type && type->chain);
	bool selected = cut_selects(cut, selection, event);
	struct cut_buffer *buffer;
	uint64_t arg[4];

	if (!selected && !chain && !(within && cut_keeps(event)))
		return 0;
	buffer = cut_buffer_of(cut, event);
	if (buffer && chain) {
		selected = cut_heads_select(&buffer->heads, event, type, selected);
		if (!selected)
			return 0;
	}
	if (!buffer || cut_names(cut, event)) {
		lkst_error_memory(err, "the trace");
		return -1;
	}
	cut->any |= selected;
	if (buffer->header.id != event->buffer && cut_flush(cut, buffer, err))
		return -1;
	buffer->header.id = event->buffer;
	cut_arguments(cut, buffer, event, arg);
	buffer->record[buffer->num++] = cut_record(event, arg);
	return buffer->num < LKST_CHUNK_RECORDS ? 0 : cut_flush(cut, buffer, err);
}

static int cut_events(struct cut *cut, const struct lkst_selection *selection,
		      const volatile int *stop, struct lkst_error *err)
{
	struct lkst_event event;
	int ret = 0;

	if (lkst_trace_rewind(cut->trace, LKST_OLDEST_FIRST, err))
		return -1;
	while (!(stop && *stop)) {
		bool within;

		ret = lkst_trace_next(cut->trace, &event, err);
		if (ret <= 0)
			break;
		within = cut_is_within(selection, &event);
		if (cut_losses_take(&cut->losses, cut->trace, &event, within, cut->writer, err) ||
		    cut_take(cut, selection, &event, within, err))
			return -1;
	}
	for (size_t i = 0; ret >= 0 && i < cut->buffers; i++)
		if (cut_flush(cut, cut->buffer[i], err))
			return -1;
	return ret < 0 ? -1 : 0;
}

static void cut_free(struct cut *cut)
{
	for (size_t i = 0; i < cut->buffers; i++)
		free(cut->buffer[i]);
	free(cut->buffer);
	free(cut->list);
	tdestroy(cut->processes, free);
	cut_losses_free(&cut->losses);
	lkst_addresses_free(cut->addresses);
}

/**
 * lkst_trace_cut() - write the selected events of a trace to a new trace
 * @trace: trace, of one boot
 * @types: event types of the trace
 * @selection: events to write, in addition to those about the recording
 * @how: the options that selected the events, stored in the new trace
 * @stop: the function ends early when a signal handler sets this; may be NULL
 * @writer: the caller commits or aborts it
 * @err: set on failure; LKST_ERR_INTERRUPTED: @stop was set, and the new trace is valid, but ends
 *	with the records read so far
 *
 * Return: 0; 1 if no event is selected, so that the new trace contains no events; -1 on error.
 */
int lkst_trace_cut(struct lkst_trace *trace, const struct lkst_etypes *types,
		   const struct lkst_selection *selection, const char *how,
		   const volatile int *stop, struct lkst_trace_writer *writer,
		   struct lkst_error *err)
{
	struct cut cut = { .trace = trace, .types = types, .writer = writer };
	int ret = -1;

	if (trace->boots > 1) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_CUT_BOOTS);
		return -1;
	}
	/* Copy the records of chains one by one, with their recids. */
	lkst_trace_keep_parts(trace, true);
	cut.addresses = lkst_addresses_new(types, err);
	if (cut.addresses && !cut_write_header(&cut, how, err) &&
	    !cut_losses_copy(trace, selection->cpu, writer, err) &&
	    !cut_events(&cut, selection, stop, err) && !cut_write_names(&cut, err) &&
	    !cut_write_files(&cut, err) && !cut_write_symbols(&cut, err) &&
	    !lkst_trace_write_end(writer, err))
		ret = cut.any ? 0 : 1;
	cut_free(&cut);
	lkst_trace_keep_parts(trace, false);
	if (ret >= 0 && stop && *stop) {
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, "the trace");
		ret = -1;
	}
	return ret;
}
