// SPDX-License-Identifier: LGPL-2.1
/* Makes a trace from a memory image. */
#include <linux/lkst_image.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "image.h"
#include "join.h"
#include "kernel.h"
#include "lib/base/error.h"
#include "lib/base/version.h"
#include "lib/device/run.h"
#include "lib/text/addresses.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/trace/messages.h"
#include "lib/trace/trace.h"
#include "lib/trace/write.h"
#include "messages.h"
#include "records.h"
#include "ring.h"
#include "source.h"
#include "symbols.h"
#include "texts.h"
#include "trace.h"
#include "selection.h"

#define SYSTEM_MAX 4096

/* The counters of a buffer, which are written after the records of its CPU. */
struct counted {
	struct lkst_run run; /* describes the buffer; its records are not valid */
	struct lkst_trace_buffer buffer;
};

struct job {
	const struct image *image;
	const struct image_selection *selection;
	const struct image_hooks *hooks;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	struct lkst_etypes *types;
	struct image_kernel *kernel;
	struct image_counts total; /* of the buffers */
	struct image_counts long_total; /* of the long rings */
	uint64_t damaged; /* chunks of the history */
	uint64_t lacking; /* bytes of the history that are not in the image */
	uint64_t done; /* bytes of records that were read */
	uint64_t all;
	struct lkst_run run; /* the last run that was read */
	struct image_join join; /* the history of the CPU whose buffers are being read */
	const struct image_counts *counts; /* of the buffer that is being read, so far */
	struct counted *counted; /* counters that have not been written yet */
	size_t counted_num;
};

static void image_report(const struct image_hooks *hooks, const char *text)
{
	if (hooks && hooks->report)
		hooks->report(hooks->ctx, text);
}

static const struct image_boot *image_boot_of(const struct job *job)
{
	return &job->image->boot[job->selection->boot];
}

/* ---- SYSTEM chunks: at the start and, with counts of missing records, at the end ---- */

static void image_put_metadata(FILE *to, const struct image_boot *boot, const char *key,
			   const char *before)
{
	size_t len;
	const char *value = image_metadata(boot, key, &len);

	if (value)
		fprintf(to, "%s%.*s", before, (int)len, value);
}

static void image_put_counts(FILE *to, const char *prefix, const struct image_counts *total)
{
	const struct {
		const char *key;
		uint64_t num;
	} counts[] = {
		{ "missing", total->missing },	     { "implausible", total->implausible },
		{ "unfinished", total->unfinished }, { "unknown", total->unknown },
		{ "pieces", total->fragments },
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		fprintf(to, "%s%s=%llu\n", prefix, counts[i].key,
			(unsigned long long)counts[i].num);
}

/* Write a SYSTEM chunk. @end: the records have been written, so the counts are known. */
static int image_write_system(const struct job *job, bool end, struct lkst_error *err)
{
	const struct image_boot *boot = image_boot_of(job);
	char text[SYSTEM_MAX] = "";
	uint64_t cpus;
	FILE *to = fmemopen(text, sizeof(text), "w");

	if (!to) {
		lkst_error_memory(err, "a trace");
		return -1;
	}
	image_put_metadata(to, boot, "release", "kernel=Linux ");
	image_put_metadata(to, boot, "version", " ");
	image_put_metadata(to, boot, "machine", "\nmachine=");
	fprintf(to, "\nboot_id=%s\nlkst=%s\n", boot->id_text, boot->id_text);
	if (image_metadata_u64(boot, "cpus", &cpus))
		fprintf(to, "cpus=%llu\n", (unsigned long long)cpus);
	fprintf(to, "image=%s\ntools=%s\n", job->image->source->form, LKST_TOOLS_VERSION);
	if (end) {
		image_put_counts(to, "image_", &job->total);
		image_put_counts(to, "image_long_", &job->long_total);
		fprintf(to, "image_history_damaged=%llu\n", (unsigned long long)job->damaged);
		fprintf(to, "image_history_missing=%llu\n", (unsigned long long)job->lacking);
	}
	fclose(to);
	return lkst_trace_write_system(job->writer, text, err);
}

static int image_write_etypes(struct job *job, struct lkst_error *err)
{
	size_t len;
	char *text;
	int ret = -1;

	job->types = image_etypes(job->image, job->selection->boot, err);
	text = job->types ? lkst_etypes_text(job->types, &len, err) : NULL;
	if (text)
		job->addresses = lkst_addresses_new(job->types, err);
	if (job->addresses)
		ret = lkst_trace_write_etypes(job->writer, text, len, err);
	free(text);
	return ret;
}

static int image_write_values(const struct job *job, struct lkst_error *err)
{
	char *text;
	size_t len;
	int ret = image_text(job->image, job->selection->boot, LKST_IMAGE_TEXT_VALUES, &text, &len,
			     err);

	if (ret > 0)
		ret = lkst_trace_write_values(job->writer, text, len, err);
	free(text);
	return ret < 0 ? -1 : 0;
}

/* Write the names of processes. If they cannot be read, report why, but do not fail. */
static int image_write_processes(struct job *job, struct lkst_error *err)
{
	struct lkst_process *process;
	struct lkst_error why;
	char line[sizeof(why.text) + 64];
	size_t num;
	int ret = 0;

	process = job->kernel ? image_kernel_processes(job->kernel, &num, &why) : NULL;
	if (process) {
		ret = lkst_trace_write_processes(job->writer, process, num, err);
	} else if (job->kernel) {
		snprintf(line, sizeof(line), MSG_NO_PROCESSES, why.text);
		image_report(job->hooks, line);
	}
	free(process);
	return ret;
}

static int image_write_symbols(const struct job *job, struct lkst_error *err)
{
	struct lkst_error why;
	char path[64], *text, line[sizeof(why.text) + 64];
	size_t len, num;
	int fd, ret;

	lkst_addresses_list(job->addresses, &num);
	if (!num && !job->selection->symbols)
		return 0;
	fd = image_symbols(job->image, job->selection, job->kernel, &why);
	if (fd < 0) {
		/* A symbol file that the user named must be valid, even if no symbol is needed. */
		if (job->selection->symbols) {
			if (err)
				*err = why;
			return -1;
		}
		snprintf(line, sizeof(line), MSG_NO_SYMBOLS, why.text);
		image_report(job->hooks, line);
		return 0;
	}
	if (!num) {
		close(fd);
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	text = lkst_addresses_resolve(job->addresses, path, &len, err);
	ret = text ? lkst_trace_write_symbols(job->writer, text, len, err) : -1;
	free(text);
	close(fd);
	return ret;
}

/* ---- records ---- */

/* Report progress. Returns -1 if the user asked to stop. */
static int image_progress(struct job *job, uint64_t records, struct lkst_error *err)
{
	const struct image_hooks *hooks = job->hooks;

	job->done += records * sizeof(struct lkst_event_record);
	if (hooks && hooks->progress)
		hooks->progress(hooks->ctx, job->done < job->all ? job->done : job->all, job->all);
	if (!hooks || !hooks->stop || !*hooks->stop)
		return 0;
	lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, "the trace");
	return -1;
}

static int image_put_run(void *ctx, const struct lkst_run *run, struct lkst_error *err)
{
	struct job *job = ctx;

	job->run = *run;
	if (lkst_trace_write_run(job->writer, run, err) ||
	    lkst_addresses_add_raw(job->addresses, run->record, run->num, err))
		return -1;
	return image_progress(job, run->num, err);
}

/*
 * Write the records of a buffer that are not in the history of its CPU. If the session is unknown,
 * so are the recids, and all records are written.
 */
static int image_put_joined(void *ctx, const struct lkst_run *run, struct lkst_error *err)
{
	struct job *job = ctx;

	if (job->counts->unknown)
		return image_put_run(ctx, run, err);
	job->run = *run;
	return image_join_run(&job->join, run, err) ? -1 : image_progress(job, run->num, err);
}

static int image_put_static(void *ctx, const struct lkst_log_record *record, struct lkst_error *err)
{
	const struct lkst_log_buffer buffer = {
		.cpu = -1,
		.id = LKST_BUFFER_ID_VOID,
		.buf_ver = LKST_BUFFER_VERSION,
	};
	struct job *job = ctx;

	if (lkst_trace_write_records(job->writer, &buffer, record, 1, err) ||
	    lkst_addresses_add(job->addresses, record, 1, err))
		return -1;
	return image_progress(job, 1, err);
}

/*
 * Keep the counters of a buffer for image_write_counts(). Events that were overwritten in the
 * buffer, but are in the history, count as read. Events of earlier sessions, and events that are
 * newer than the records that were found, are in the same buffer of the trace.
 */
static void image_keep_counts(struct job *job, const struct image_counts *counts)
{
	const struct trace_history_parts *parts = &job->join.history.parts;
	lkst_buffer_id id = job->run.buffer;
	uint64_t first = counts->first_recid;
	uint64_t earlier = trace_history_events(parts, id, 0, first);
	uint64_t kept = trace_history_events(parts, id, first, first + counts->overwritten);
	uint64_t session = counts->records + counts->missing + counts->implausible +
			   counts->unfinished + counts->overwritten;
	uint64_t later = trace_history_events(parts, id, first + session, UINT64_MAX);

	if (counts->unknown || !counts->records)
		return;
	job->counted[job->counted_num++] = (struct counted){
		.run = job->run,
		.buffer = {
			.recorded = earlier + session + later,
			.overwritten = counts->overwritten - kept,
			.unfinished = counts->unfinished,
		},
	};
}

/*
 * Write the counters of the buffers that have been read. The last chunk of a buffer in the trace
 * must have its counters, and the history may contain newer records than the buffer.
 */
static int image_write_counts(struct job *job, struct lkst_error *err)
{
	for (size_t i = 0; i < job->counted_num; i++)
		if (lkst_trace_write_counts(job->writer, &job->counted[i].run,
					    &job->counted[i].buffer, err))
			return -1;
	job->counted_num = 0;
	return 0;
}

/* Add the counts of a buffer or of a long ring. */
static void image_add_counts(struct image_counts *total, const struct image_counts *counts)
{
	total->records += counts->records;
	total->missing += counts->missing;
	total->implausible += counts->implausible;
	total->unfinished += counts->unfinished;
	total->overwritten += counts->overwritten;
	total->unknown += counts->unknown;
	total->fragments += counts->fragments;
}

static int image_write_region(struct job *job, const struct image_region *region,
			      struct lkst_error *err)
{
	bool is_static = region->kind == LKST_IMAGE_STATIC;
	struct image_counts counts;
	int ret;

	job->counts = &counts;
	job->join.repeated = 0;
	if (is_static)
		ret = image_static_records(job->image, region, job->types, image_put_static, job,
					   &counts, err);
	else
		ret = image_records(job->image, region, job->types,
				    region->kind == LKST_IMAGE_LONG ? image_put_run :
								      image_put_joined,
				    job, &counts, err);
	image_add_counts(region->kind == LKST_IMAGE_LONG ? &job->long_total : &job->total,
			 &counts);
	job->total.records -= job->join.repeated;
	if (!ret && !is_static)
		image_keep_counts(job, &counts);
	return ret;
}

/* Write the rest of the history of the CPU whose buffers have been read, and the counters. */
static int image_end_cpu(struct job *job, struct lkst_error *err)
{
	int ret = image_join_end(&job->join, err);

	job->damaged += job->join.history.damaged;
	job->lacking += job->join.history.missing;
	job->total.records += job->join.history.events;
	return ret ? ret : image_write_counts(job, err);
}

/*
 * Begin with the history of a CPU if the CPU is not the one before. The history is left out if a
 * buffer is selected.
 */
static int image_begin_cpu(struct job *job, const struct image_region *region,
			   struct lkst_error *err)
{
	const struct image_selection *selection = job->selection;

	if (region->kind != LKST_IMAGE_BUFFER && region->kind != LKST_IMAGE_HISTORY)
		return 0;
	if (selection->id >= 0 || region->cpu == job->join.history.cpu)
		return 0;
	if (image_end_cpu(job, err))
		return -1;
	return image_join_begin(&job->join, selection->boot, region->cpu, err);
}

static bool image_is_selected(const struct image_selection *selection,
			      const struct image_region *region)
{
	if (region->boot != selection->boot)
		return false;
	if (selection->static_buffer)
		return region->kind == LKST_IMAGE_STATIC;
	if (region->kind == LKST_IMAGE_HISTORY && selection->id >= 0)
		return false;
	if (region->kind != LKST_IMAGE_BUFFER && region->kind != LKST_IMAGE_LONG &&
	    region->kind != LKST_IMAGE_HISTORY)
		return false;
	return (selection->cpu < 0 || region->cpu == selection->cpu) &&
	       (selection->id < 0 || region->id == selection->id);
}

static bool image_has_buffers(const struct job *job)
{
	for (size_t i = 0; i < job->image->regions; i++)
		if (job->image->region[i].boot == job->selection->boot &&
		    job->image->region[i].kind == LKST_IMAGE_BUFFER)
			return true;
	return false;
}

static int image_no_buffer(const struct job *job, struct lkst_error *err)
{
	const struct image_selection *selection = job->selection;
	char name[80] = "static buffer", cpu[32] = "any CPU", id[32] = "";

	if (selection->id >= 0)
		snprintf(id, sizeof(id), " %d", selection->id);
	if (selection->cpu >= 0)
		snprintf(cpu, sizeof(cpu), "CPU %d", selection->cpu);
	if (!selection->static_buffer)
		snprintf(name, sizeof(name), "buffer%s of %s", id, cpu);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_IMAGE_BUFFER, job->image->source->name, name,
		       image_has_buffers(job) ? "" : MSG_IMAGE_RESERVED);
	return -1;
}

/* A region that is selected, and its place in the trace. */
struct selected {
	const struct image_region *region;
	uint64_t first_recid; /* of the session of a buffer; 0: unknown */
	bool is_long;
};

/*
 * Sort the long rings last. Sort the other regions by CPU, and the buffers of a CPU by the recids
 * of their records.
 */
static int image_in_order(const void *a, const void *b)
{
	const struct selected *x = a, *y = b;

	if (x->is_long != y->is_long)
		return x->is_long - y->is_long;
	if (x->region->cpu != y->region->cpu)
		return x->region->cpu < y->region->cpu ? -1 : 1;
	if (x->first_recid != y->first_recid)
		return x->first_recid < y->first_recid ? -1 : 1;
	return x->region < y->region ? -1 : x->region > y->region;
}

static size_t image_select(struct job *job, struct selected *selected)
{
	const struct image *image = job->image;
	struct lkst_image_session session;
	size_t num = 0;

	for (size_t i = 0; i < image->regions; i++) {
		const struct image_region *region = &image->region[i];

		if (!image_is_selected(job->selection, region))
			continue;
		selected[num++] = (struct selected){
			.region = region,
			.first_recid = region->kind == LKST_IMAGE_BUFFER &&
						       image_session_read(image, region, &session) ?
					       session.first_recid :
					       0,
			.is_long = region->kind == LKST_IMAGE_LONG,
		};
		job->all += region->length;
	}
	qsort(selected, num, sizeof(*selected), image_in_order);
	return num;
}

/* Write the regions, and with the first region of each CPU the history of the CPU. */
static int image_write_selected(struct job *job, const struct selected *selected, size_t num,
				struct lkst_error *err)
{
	for (size_t i = 0; i < num; i++) {
		const struct image_region *region = selected[i].region;

		if (image_progress(job, 0, err) || image_begin_cpu(job, region, err))
			return -1;
		if (region->kind == LKST_IMAGE_HISTORY)
			job->done += region->length;
		else if (image_write_region(job, region, err))
			return -1;
	}
	return image_end_cpu(job, err);
}

static int image_write_regions(struct job *job, struct lkst_error *err)
{
	struct selected *selected = calloc(job->image->regions + 1, sizeof(*selected));
	size_t num;
	int ret = -1;

	job->counted = calloc(job->image->regions + 1, sizeof(*job->counted));
	if (!selected || !job->counted) {
		free(selected);
		lkst_error_memory(err, "an image");
		return -1;
	}
	job->join.writer = job->writer;
	job->join.addresses = job->addresses;
	num = image_select(job, selected);
	if (!num)
		ret = image_no_buffer(job, err);
	else if (!image_history_open(&job->join.history, job->image, job->types, job->hooks, err))
		ret = image_write_selected(job, selected, num, err);
	image_history_close(&job->join.history);
	free(selected);
	return ret;
}

/**
 * image_trace() - write the records of an image as a trace
 * @image: image
 * @selection: which records
 * @hooks: functions that report progress and missing data; may be NULL
 * @writer: the caller commits or aborts it
 * @total: set to the sums of the counts of all buffers that were read, without those of the
 *	long rings. @records also counts the events of the histories, each event once; may be NULL
 * @err: set on failure
 */
int image_trace(const struct image *image, const struct image_selection *selection,
		const struct image_hooks *hooks, struct lkst_trace_writer *writer,
		struct image_counts *total, struct lkst_error *err)
{
	struct job job = {
		.image = image, .selection = selection, .hooks = hooks, .writer = writer
	};
	struct lkst_error why;
	int ret = -1;

	job.kernel = image_kernel_open(image, &image->boot[selection->boot], &why);
	if (!job.kernel)
		image_report(hooks, why.text);
	/* Write the metadata first, so that a truncated trace still contains it. */
	if (!image_write_system(&job, false, err) && !image_write_etypes(&job, err) &&
	    !image_write_values(&job, err) && !image_write_processes(&job, err) &&
	    !image_write_regions(&job, err) && !image_write_symbols(&job, err) &&
	    !image_write_system(&job, true, err))
		ret = lkst_trace_write_end(writer, err);
	if (total)
		*total = job.total;
	image_kernel_close(job.kernel);
	free(job.counted);
	lkst_addresses_free(job.addresses);
	lkst_etypes_free(job.types);
	return ret;
}
