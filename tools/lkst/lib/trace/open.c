// SPDX-License-Identifier: LGPL-2.1
/* Opens a trace, and provides information about it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "file_names.h"
#include "heads.h"
#include "kmemtrace.h"
#include "lanes.h"
#include "lib/base/cpuset.h"
#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/files.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "messages.h"
#include "payload.h"
#include "reader.h"
#include "scan.h"
#include "source.h"
#include "trace.h"
#include "unpack.h"

/*
 * Return whether two files are from the same run of LKST. LKST may be unloaded and loaded again in
 * one run of the kernel. If a file does not name its run of LKST, compare the runs of the kernel.
 */
static bool open_is_same(const struct boot *one, const struct boot *other)
{
	return *one->lkst && *other->lkst ? !strcmp(one->lkst, other->lkst) :
					    *one->id && !strcmp(one->id, other->id);
}

static int open_find_boot(struct lkst_trace *trace, struct source *source, struct lkst_error *err)
{
	struct boot *boot = trace->boot, own;
	size_t i;

	if (trace_find_boot(source, &own, err))
		return -1;
	for (i = 0; i < trace->boots; i++)
		if (open_is_same(&boot[i], &own))
			break;
	source->boot = (uint32_t)i;
	if (i < trace->boots) {
		if (!*boot[i].lkst)
			memcpy(boot[i].lkst, own.lkst, sizeof(own.lkst));
		free(own.id);
	} else {
		own.names = lkst_names_new();
		own.files = lkst_files_new();
		boot[trace->boots++] = own;
	}
	source->context.names = boot[i].names;
	source->context.files = boot[i].files;
	if (boot[i].names && boot[i].files)
		return 0;
	lkst_error_memory(err, source->name);
	return -1;
}

/* Parse the names of values. If that fails, numbers are printed instead. */
static void open_parse_values(struct lkst_trace *trace, struct source *source)
{
	struct lkst_context *context = &source->context;
	struct lkst_error why;

	if (context->symbols)
		lkst_symbols_finalize(context->symbols);
	if (!source->values)
		return;
	context->values =
		lkst_values_parse(source->values, strlen(source->values), "names of values", &why);
	if (!context->values)
		trace_report(trace, source, "%s: numbers are shown", why.text);
}

static uint64_t open_system_number(const struct source *source, const char *key)
{
	size_t len;
	const char *value = trace_system(source, key, &len);

	return value ? strtoull(value, NULL, 10) : 0;
}

/* Report what was missing in the memory image, if the trace was made from one. */
static void open_report_image(struct lkst_trace *trace, struct source *source)
{
	static const struct {
		const char *key;
		bool damage;
		bool lacks;
		const char *text;
	} counts[] = {
		{ "missing", true, true, MSG_IMAGE_MISSING },
		{ "implausible", true, true, MSG_IMAGE_IMPLAUSIBLE },
		{ "unknown", true, false, MSG_IMAGE_UNKNOWN },
		{ "pieces", true, true, MSG_IMAGE_FRAGMENTS },
		{ "unfinished", false, false, MSG_IMAGE_UNFINISHED },
		{ "history_damaged", true, false, MSG_IMAGE_HISTORY },
		{ "history_missing", true, false, MSG_IMAGE_HISTORY_MISSING },
	};
	size_t len;
	const char *form = trace_system(source, "image", &len);

	if (!form)
		return;
	trace_notice(trace, source, MSG_IMAGE_FROM, (int)len, form);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		char text[256], key[64];
		uint64_t num;

		snprintf(key, sizeof(key), "image_%s%s", trace->long_rings ? "long_" : "",
			 counts[i].key);
		num = open_system_number(source, key);
		if (!num)
			continue;
		snprintf(text, sizeof(text), "%llu %s", (unsigned long long)num, counts[i].text);
		source->image_reports += counts[i].damage;
		source->image_lacks |= counts[i].lacks;
		if (counts[i].damage)
			trace_report(trace, source, "%s", text);
		else
			trace_notice(trace, source, "%s", text);
	}
}

/* The damage of files of kmemtrace was reported when the trace was made from them. */
static void open_count_kmemtrace(struct source *source)
{
	source->reports += open_system_number(source, KMEMTRACE_SYSTEM_DAMAGES) != 0;
}

static int open_read_sources(struct lkst_trace *trace, struct lkst_error *err)
{
	for (size_t i = 0; i < trace->sources; i++) {
		struct source *source = &trace->source[i];

		if (trace_source_open(source, err) || open_find_boot(trace, source, err))
			return -1;
		if (source->damaged)
			trace_report(trace, source, MSG_COMPRESSED);
		trace->total += source->size;
	}
	for (size_t i = 0; i < trace->sources; i++) {
		uint64_t size = trace->source[i].size;

		if (trace_scan(trace, &trace->source[i], err))
			return -1;
		trace->done += size;
	}
	trace_sort_syncs(trace);
	trace_files_start(trace);
	if (trace_make_lanes(trace, err) || trace_learn_raw(trace, err) ||
	    trace_set_floors(trace, err) || trace_find_gaps(trace, err) ||
	    trace_files_finish(trace, err) || trace_find_heads(trace, err))
		return -1;
	for (size_t i = 0; i < trace->sources; i++) {
		open_parse_values(trace, &trace->source[i]);
		open_report_image(trace, &trace->source[i]);
		open_count_kmemtrace(&trace->source[i]);
	}
	for (size_t i = 0; i < trace->boots; i++)
		lkst_names_finalize(trace->boot[i].names);
	return 0;
}

static struct lkst_trace *open_new_trace(size_t sources, const struct lkst_trace_hooks *hooks,
					 struct lkst_error *err)
{
	struct lkst_trace *trace = calloc(1, sizeof(*trace));

	if (trace) {
		trace->source = calloc(sources + 1, sizeof(*trace->source));
		trace->boot = calloc(sources + 1, sizeof(*trace->boot));
		if (hooks)
			trace->hooks = *hooks;
		trace->long_rings = trace->hooks.flags & LKST_TRACE_LONG_RINGS;
	}
	if (!trace || !trace->source || !trace->boot) {
		lkst_trace_close(trace);
		lkst_error_memory(err, "a trace");
		return NULL;
	}
	return trace;
}

/* Add a file to a trace. The trace takes ownership of @fd if @own_fd is set. */
static int open_add_source(struct lkst_trace *trace, int fd, bool own_fd, const char *name,
			   struct lkst_error *err)
{
	struct source *source = &trace->source[trace->sources++];

	source->fd = fd;
	source->own_fd = own_fd;
	source->name = strdup(name);
	if (source->name)
		return 0;
	lkst_error_memory(err, name);
	return -1;
}

static int open_source(struct lkst_trace *trace, const char *path, struct lkst_error *err)
{
	int fd;

	if (!strcmp(path, "-"))
		return open_add_source(trace, STDIN_FILENO, false, "standard input", err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return open_add_source(trace, fd, true, path, err);
	lkst_error_system(err, errno, path, "open");
	return -1;
}

/**
 * lkst_trace_open_files() - open trace files as one trace, merged by time
 * @path: names of the files; "-" is standard input
 * @num: number of files
 * @hooks: as for lkst_trace_open()
 * @err: set if a file cannot be read at all; names the file
 *
 * Files from the same run of LKST share process names. Their records of each CPU are returned in
 * order of recids. A record that several files contain is returned once.
 */
struct lkst_trace *lkst_trace_open_files(const char *const *path, size_t num,
					 const struct lkst_trace_hooks *hooks,
					 struct lkst_error *err)
{
	struct lkst_trace *trace = open_new_trace(num, hooks, err);

	for (size_t i = 0; trace && i < num; i++)
		if (open_source(trace, path[i], err))
			goto fail;
	if (!trace || !open_read_sources(trace, err))
		return trace;
fail:
	lkst_trace_close(trace);
	return NULL;
}

/**
 * lkst_trace_open() - open a trace file
 * @path: file; "-" is standard input
 * @hooks: functions that report damage and progress; may be NULL
 * @err: set if the file cannot be read at all
 *
 * A damaged or truncated file can be opened: everything that can be read is read.
 */
struct lkst_trace *lkst_trace_open(const char *path, const struct lkst_trace_hooks *hooks,
				   struct lkst_error *err)
{
	return lkst_trace_open_files(&path, 1, hooks, err);
}

/**
 * lkst_trace_open_fd() - open a trace on a file descriptor
 * @fd: descriptor, which the caller must keep open until the trace is closed
 * @name: for error messages
 * @hooks: as for lkst_trace_open()
 * @err: set if the file cannot be read at all
 */
struct lkst_trace *lkst_trace_open_fd(int fd, const char *name,
				      const struct lkst_trace_hooks *hooks, struct lkst_error *err)
{
	struct lkst_trace *trace = open_new_trace(1, hooks, err);

	if (!trace ||
	    (!open_add_source(trace, fd, false, name, err) && !open_read_sources(trace, err)))
		return trace;
	lkst_trace_close(trace);
	return NULL;
}

/**
 * lkst_trace_open_again() - open the files of an open trace once more
 * @trace: trace, which the caller must keep open until the result is closed
 * @hooks: as for lkst_trace_open()
 * @err: set if a file cannot be read at all
 *
 * Unlike the names of the files, the open files are still there if they were pipes or compressed:
 * their contents have been copied to temporary files.
 */
struct lkst_trace *lkst_trace_open_again(const struct lkst_trace *trace,
					 const struct lkst_trace_hooks *hooks,
					 struct lkst_error *err)
{
	struct lkst_trace *again = open_new_trace(trace->sources, hooks, err);

	for (size_t i = 0; again && i < trace->sources; i++)
		if (open_add_source(again, trace->source[i].fd, false, trace->source[i].name, err))
			goto fail;
	if (!again || !open_read_sources(again, err))
		return again;
fail:
	lkst_trace_close(again);
	return NULL;
}

/**
 * lkst_trace_close() - close a trace
 * @trace: may be NULL
 */
void lkst_trace_close(struct lkst_trace *trace)
{
	if (!trace)
		return;
	trace_drop_cursors(trace);
	for (size_t i = 0; trace->source && i < trace->sources; i++)
		trace_source_close(&trace->source[i]);
	for (size_t i = 0; trace->boot && i < trace->boots; i++) {
		lkst_names_free(trace->boot[i].names);
		lkst_files_free(trace->boot[i].files);
		free(trace->boot[i].id);
	}
	free(trace->source);
	free(trace->boot);
	free(trace->stream);
	free(trace->ref);
	free(trace->track);
	free(trace->lane);
	free(trace->clock);
	free(trace->clock_boot);
	free(trace->sync);
	free(trace->loss);
	free(trace->gap);
	free(trace->packed);
	free(trace->payload);
	trace_unpacker_close(&trace->unpacker);
	free(trace);
}

/* ---- information about the trace ---- */

/**
 * lkst_trace_sources() - get the number of files of a trace
 * @trace: trace
 */
size_t lkst_trace_sources(const struct lkst_trace *trace)
{
	return trace->sources;
}

/**
 * lkst_trace_source_etypes() - get the event types of a file of a trace
 * @trace: trace
 * @source: index of the file, less than lkst_trace_sources()
 * @err: set if an allocation fails
 *
 * Return: the event types in the file or, if none can be read from it, those embedded in the
 * library.
 */
struct lkst_etypes *lkst_trace_source_etypes(struct lkst_trace *trace, uint32_t source,
					     struct lkst_error *err)
{
	struct source *from = &trace->source[source];
	struct lkst_etypes *types = NULL;
	struct lkst_error why;

	if (from->etypes)
		types = lkst_etypes_parse(from->etypes, from->etypes_len, "event types", &why);
	if (types)
		return types;
	trace_report(trace, from,
		     "no event types in the file that can be read%s%s: those of this tool are used",
		     from->etypes ? ": " : "", from->etypes ? why.text : "");
	return lkst_etypes_embedded(err);
}

/**
 * lkst_trace_etypes() - get the event types of the first file of a trace
 * @trace: trace
 * @err: set if an allocation fails
 *
 * Return: as for lkst_trace_source_etypes().
 */
struct lkst_etypes *lkst_trace_etypes(struct lkst_trace *trace, struct lkst_error *err)
{
	return lkst_trace_source_etypes(trace, 0, err);
}

/**
 * lkst_trace_system() - look up a value in the SYSTEM chunk of the first file
 * @trace: trace
 * @key: for example "kernel"
 * @len: set to the length of the value in bytes
 *
 * Return: the value, not 0-terminated; NULL if not found.
 */
const char *lkst_trace_system(const struct lkst_trace *trace, const char *key, size_t *len)
{
	return trace_system(&trace->source[0], key, len);
}

/**
 * lkst_trace_boot_system() - look up a value in the SYSTEM chunks of the files of a boot
 * @trace: trace
 * @boot: boot, from lkst_trace_boot()
 * @key: for example "image"
 * @len: set to the length of the value in bytes
 *
 * Return: the first value, not 0-terminated; NULL if not found.
 */
const char *lkst_trace_boot_system(const struct lkst_trace *trace, uint32_t boot, const char *key,
				   size_t *len)
{
	for (size_t i = 0; i < trace->sources; i++) {
		const char *value = trace->source[i].boot == boot ?
					    trace_system(&trace->source[i], key, len) :
					    NULL;

		if (value)
			return value;
	}
	return NULL;
}

/**
 * lkst_trace_source_context() - get names and symbols of the kernel that recorded a file
 * @trace: trace; owns the result
 * @source: member @source of an event; 0 in a trace of one file
 */
const struct lkst_context *lkst_trace_source_context(const struct lkst_trace *trace,
						     uint32_t source)
{
	return &trace->source[source].context;
}

/**
 * lkst_trace_context() - get names and symbols of the kernel that recorded the first file
 * @trace: trace; owns the result
 */
const struct lkst_context *lkst_trace_context(const struct lkst_trace *trace)
{
	return &trace->source[0].context;
}

/**
 * lkst_trace_set_symbols() - replace the symbols of the first file
 * @trace: trace
 * @symbols: symbols; the trace takes ownership
 */
void lkst_trace_set_symbols(struct lkst_trace *trace, struct lkst_symbols *symbols)
{
	struct lkst_context *context = &trace->source[0].context;

	lkst_symbols_free(context->symbols);
	context->symbols = symbols;
}

/**
 * lkst_trace_drop_files() - forget the command lines and files of the processes
 * @trace: trace
 */
void lkst_trace_drop_files(struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->sources; i++)
		trace->source[i].context.files = NULL;
	for (size_t i = 0; i < trace->boots; i++) {
		lkst_files_free(trace->boot[i].files);
		trace->boot[i].files = NULL;
	}
}

/**
 * lkst_trace_growing() - check whether a file was still being written when the trace was opened
 * @trace: trace
 */
bool lkst_trace_growing(const struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->sources; i++)
		if (trace->source[i].growing)
			return true;
	return false;
}

/**
 * lkst_trace_boot() - get the boot that a file is from
 * @trace: trace
 * @source: index of the file, less than lkst_trace_sources()
 *
 * Return: a number that is the same for all files of a boot.
 */
uint32_t lkst_trace_boot(const struct lkst_trace *trace, uint32_t source)
{
	return trace->source[source].boot;
}

/**
 * lkst_trace_lost() - count the events that the files report as lost
 * @trace: trace
 */
uint64_t lkst_trace_lost(const struct lkst_trace *trace)
{
	uint64_t lost = 0;

	for (size_t i = 0; i < trace->sources; i++)
		if (__builtin_add_overflow(lost, trace->source[i].lost, &lost))
			return UINT64_MAX;
	return lost;
}

/**
 * lkst_trace_has_cpu() - check whether a trace has records of a CPU
 * @trace: trace
 * @cpu: CPU
 */
bool lkst_trace_has_cpu(const struct lkst_trace *trace, int32_t cpu)
{
	return cpu >= 0 && cpu < LKST_TRACE_CPUS && (trace->cpus[cpu / 64] >> cpu % 64 & 1);
}

/**
 * lkst_trace_has_type() - check whether a trace has records of an event type
 * @trace: trace
 * @type: event type
 */
bool lkst_trace_has_type(const struct lkst_trace *trace, uint32_t type)
{
	return type < LKST_ETYPE_NUM && trace->types[type];
}

/**
 * lkst_trace_cpu_text() - format the CPUs of a trace, such as "CPUs 0-3,6"
 * @trace: trace
 * @text: result
 * @size: size of @text in bytes
 */
void lkst_trace_cpu_text(const struct lkst_trace *trace, char *text, size_t size)
{
	lkst_cpu_set_text(trace->cpus, LKST_TRACE_CPUS, text, size);
}

/**
 * lkst_trace_records() - count the records in all files; a record in two files counts twice
 * @trace: trace
 */
uint64_t lkst_trace_records(const struct lkst_trace *trace)
{
	uint64_t records = 0;

	for (size_t i = 0; i < trace->sources; i++)
		records += trace->source[i].records;
	return records;
}

/**
 * lkst_trace_incomplete() - check whether anything was reported as damaged, unknown or missing
 * @trace: trace
 */
bool lkst_trace_incomplete(const struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->sources; i++)
		if (trace->source[i].reports)
			return true;
	return false;
}

/**
 * lkst_trace_damaged() - check whether anything was reported about the files, and not only about
 * the memory images that they were made from
 * @trace: trace
 */
bool lkst_trace_damaged(const struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->sources; i++)
		if (trace->source[i].reports > trace->source[i].image_reports)
			return true;
	return false;
}

/**
 * lkst_trace_image_lacks() - check whether a file was made from a memory image that lacks records
 * @trace: trace
 */
bool lkst_trace_image_lacks(const struct lkst_trace *trace)
{
	for (size_t i = 0; i < trace->sources; i++)
		if (trace->source[i].image_lacks)
			return true;
	return false;
}

/**
 * lkst_trace_buffers() - count the buffers in all files; a buffer in two files counts twice
 * @trace: trace
 */
size_t lkst_trace_buffers(const struct lkst_trace *trace)
{
	return trace->streams;
}

/**
 * lkst_trace_buffer() - get a buffer of a trace
 * @trace: trace
 * @i: index, less than lkst_trace_buffers()
 * @buffer: result
 */
void lkst_trace_buffer(const struct lkst_trace *trace, size_t i, struct lkst_trace_buffer *buffer)
{
	*buffer = trace->stream[i].info;
}
