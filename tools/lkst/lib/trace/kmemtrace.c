// SPDX-License-Identifier: LGPL-2.1
/*
 * Makes a trace from files of kmemtrace, one for each CPU (Documentation/lkst/kmemtrace.rst).
 *
 * The files are read twice. The first pass reports damage, and finds the last sequence number of
 * each CPU. Because they wrap around, the numbers of two CPUs can only be compared after this pass.
 * The second pass writes the events.
 *
 * LKST's kernel derives sequence numbers from the time, so a gap between them is not a loss. If
 * events are lost, the files do not show it, except where they are damaged.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format.h"
#include "kmemtrace.h"
#include "lib/base/error.h"
#include "lib/base/etype_ids.h"
#include "lib/base/kmemtrace_event.h"
#include "lib/base/printable.h"
#include "lib/device/run.h"
#include "lib/text/addresses.h"
#include "lib/text/etypes.h"
#include "lib/text/symbols.h"
#include "messages.h"
#include "trace.h"
#include "write.h"

#define ROOM		(16 * KMEMTRACE_EVENT_MAX) /* bytes of a file that are in memory */
#define REPORTS_MAX	16 /* reports about a file */
#define PAGE_BYTES	4096 /* for the order of an allocation of pages */
#define NO_NODE		UINT32_MAX

/* Unit of sequence numbers. */
#define SEQUENCE_NS	256

/*
 * A sequence number that is lower than the previous one of the CPU by at most this value, which is
 * a second, is from an earlier time. If it is lower by more, it has wrapped around.
 */
#define SEQUENCE_BACK	(1u << 22)

/* The clock of a record is this value plus the time. Clock 0 would mean that there is no record. */
#define CLOCK_START	(1ull << 62)

/* ---- reading a file, which may be a live file of the kernel: these cannot seek ---- */

struct kmem_reader {
	const char *name;
	int fd;
	bool swapped;
	bool end;	/* no byte follows those in @data */
	uint64_t offset; /* of the next byte in the file */
	size_t at;	/* of the next byte in @data */
	size_t len;
	uint8_t data[ROOM];
};

enum kmem_kind {
	KMEM_EVENT,
	KMEM_UNKNOWN,	/* an event with an unknown id */
	KMEM_DAMAGE,
	KMEM_CUT,	/* a part of an event at the end of the file */
};

/* An event, or bytes that are not an event */
struct kmem_item {
	enum kmem_kind kind;
	struct kmemtrace_event event;
	uint64_t offset;
	uint64_t bytes;
};

/* Read up to ROOM bytes. Returns their number; -1 on error, with errno set. */
static ssize_t kmem_read(int fd, uint8_t *data, size_t room)
{
	size_t len = 0;

	while (len < room) {
		ssize_t n = read(fd, data + len, room - len);

		if (n < 0 && errno == EINTR)
			continue;
		/* A live file needs room for a whole event. */
		if (n < 0 && errno == EINVAL && len)
			break;
		if (n < 0)
			return -1;
		if (!n)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

/* Make sure that @reader->data has all bytes up to the end of the file, or enough to go on. */
static int kmem_fill(struct kmem_reader *reader, struct lkst_error *err)
{
	size_t left = reader->len - reader->at;
	ssize_t n;

	if (reader->end || left > KMEMTRACE_LOOK + KMEMTRACE_EVENT_MAX)
		return 0;
	memmove(reader->data, reader->data + reader->at, left);
	reader->at = 0;
	n = kmem_read(reader->fd, reader->data + left, ROOM - left);
	if (n < 0) {
		lkst_error_system(err, errno, reader->name, "read");
		return -1;
	}
	reader->len = left + (size_t)n;
	reader->end = reader->len < ROOM - KMEMTRACE_ALLOC_SIZE;
	return 0;
}

static void kmem_skip(struct kmem_reader *reader, size_t bytes)
{
	reader->at += bytes;
	reader->offset += bytes;
}

/* Move to the next event after damage, or to the end of the file. */
static int kmem_skip_damage(struct kmem_reader *reader, struct lkst_error *err)
{
	size_t skip = 1;
	bool found;

	do {
		kmem_skip(reader, skip);
		if (kmem_fill(reader, err))
			return -1;
		found = kmemtrace_event_find(reader->data + reader->at, reader->len - reader->at,
					     reader->swapped, &skip);
	} while (!found && skip);
	kmem_skip(reader, skip);
	return 0;
}

/* Return whether the file ends after the next @bytes bytes, or another event begins there. */
static bool kmem_continues(const struct kmem_reader *reader, size_t bytes)
{
	size_t at = reader->at + bytes;
	struct kmemtrace_event event;

	return at == reader->len ||
	       kmemtrace_event_get(reader->data + at, reader->len - at, reader->swapped, &event) !=
		       KMEMTRACE_BAD;
}

/* Return whether an event begins after the next byte. The rest of the file must be in memory. */
static bool kmem_has_more(const struct kmem_reader *reader)
{
	size_t skip;

	return kmemtrace_event_find(reader->data + reader->at + 1, reader->len - reader->at - 1,
				    reader->swapped, &skip);
}

/* Get the next event, or bytes that are not an event. Returns 1; 0 at the end; -1 on error. */
static int kmem_next(struct kmem_reader *reader, struct kmem_item *item, struct lkst_error *err)
{
	enum kmemtrace_state state;

	if (kmem_fill(reader, err))
		return -1;
	if (reader->at == reader->len)
		return 0;
	item->offset = reader->offset;
	state = kmemtrace_event_get(reader->data + reader->at, reader->len - reader->at,
				    reader->swapped, &item->event);
	if (state == KMEMTRACE_KNOWN ||
	    (state == KMEMTRACE_UNKNOWN && kmem_continues(reader, item->event.size))) {
		item->kind = state == KMEMTRACE_KNOWN ? KMEM_EVENT : KMEM_UNKNOWN;
		kmem_skip(reader, item->event.size);
	} else if (state == KMEMTRACE_CUT && !kmem_has_more(reader)) {
		item->kind = KMEM_CUT;
		kmem_skip(reader, reader->len - reader->at);
	} else {
		item->kind = KMEM_DAMAGE;
		if (kmem_skip_damage(reader, err))
			return -1;
	}
	item->bytes = reader->offset - item->offset;
	return 1;
}

static int kmem_open(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = EINVAL;
		return -1;
	}
	return fd;
}

/**
 * kmemtrace_kind() - find out whether a file is one of kmemtrace
 * @path: name of the file
 *
 * The file of a CPU that has no events is empty.
 */
enum kmemtrace_kind kmemtrace_kind(const char *path)
{
	enum kmemtrace_kind kind = KMEMTRACE_OTHER;
	uint8_t head[KMEMTRACE_EVENT_MAX];
	struct stat st;
	ssize_t len;
	int fd;

	/* Opening a FIFO would disturb its writer. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return kind;
	fd = kmem_open(path);
	if (fd < 0)
		return kind;
	len = kmem_read(fd, head, sizeof(head));
	if (!len)
		kind = KMEMTRACE_EMPTY;
	else if (len > 0 && kmemtrace_order(head, (size_t)len) != KMEMTRACE_NONE)
		kind = KMEMTRACE_EVENTS;
	close(fd);
	return kind;
}

/* ---- the files of a recording ---- */

/**
 * struct kmem_sequence - sequence numbers of a CPU
 * @known: there was one
 * @last: the latest one
 * @value: the latest one, without wraparounds
 */
struct kmem_sequence {
	bool known;
	uint32_t last;
	int64_t value;
};

/**
 * struct kmem_cpu - a file
 * @name: name of the file
 * @cpu: CPU that recorded the events
 * @order: byte order; KMEMTRACE_NONE if the file is empty
 * @reports: number of reports
 * @start: first sequence number, without the wraparounds before the oldest one of all CPUs
 * @sequence: after the first pass, the last sequence number
 */
struct kmem_cpu {
	const char *name;
	int32_t cpu;
	enum kmemtrace_order order;
	unsigned int reports;
	int64_t start;
	struct kmem_sequence sequence;
};

struct kmem_job {
	const struct kmemtrace_files *files;
	struct lkst_trace_writer *writer;
	struct kmem_cpu *cpu;
	struct kmem_reader reader;
	struct lkst_addresses *addresses;
	int64_t oldest; /* sequence number, without wraparounds */
	uint64_t recid;
	struct lkst_run run;
	struct lkst_event_record record[LKST_CHUNK_RECORDS];
};

static void kmem_report(const struct kmem_job *job, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void kmem_report(const struct kmem_job *job, const char *format, ...)
{
	const struct lkst_trace_hooks *hooks = job->files->hooks;
	char text[600], shown[4 * sizeof(text)];
	va_list args;

	if (!hooks || !hooks->report)
		return;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	hooks->report(hooks->ctx, lkst_printable(text, strlen(text), shown, sizeof(shown)));
}

/* Return the number in a name like "cpu3" or "saved-cpu3.bin"; -1 if the name has none. */
static int32_t kmem_cpu_in(const char *path)
{
	const char *name = strrchr(path, '/'), *cpu = NULL;
	unsigned long number;
	char *end;

	for (name = name ? name + 1 : path; (name = strstr(name, "cpu")) != NULL; name += 3)
		if (name[3] >= '0' && name[3] <= '9')
			cpu = name + 3;
	number = cpu ? strtoul(cpu, &end, 10) : LKST_TRACE_CPUS;
	return number < LKST_TRACE_CPUS ? (int32_t)number : -1;
}

static struct kmem_cpu *kmem_file_of(const struct kmem_job *job, int32_t cpu)
{
	for (size_t i = 0; i < job->files->num; i++)
		if (job->cpu[i].cpu == cpu)
			return &job->cpu[i];
	return NULL;
}

/* Set the CPU of each file: the number in its name or, if it has none, one that is left. */
static int kmem_set_cpus(struct kmem_job *job, struct lkst_error *err)
{
	int32_t next = 0;

	for (size_t i = 0; i < job->files->num; i++)
		job->cpu[i].cpu = -1;
	for (size_t i = 0; i < job->files->num; i++) {
		int32_t cpu = kmem_cpu_in(job->files->path[i]);
		const struct kmem_cpu *other = cpu < 0 ? NULL : kmem_file_of(job, cpu);

		job->cpu[i].name = job->files->path[i];
		if (other) {
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_KMEMTRACE_TWICE,
				       job->cpu[i].name, other->name, cpu);
			return -1;
		}
		job->cpu[i].cpu = cpu;
	}
	for (size_t i = 0; i < job->files->num; i++) {
		if (job->cpu[i].cpu >= 0)
			continue;
		while (kmem_file_of(job, next))
			next++;
		job->cpu[i].cpu = next;
		kmem_report(job, MSG_KMEMTRACE_CPU, job->cpu[i].name, next);
	}
	return 0;
}

/* Note the sequence number of the next event of a CPU. */
static void kmem_follow(struct kmem_sequence *sequence, uint32_t next)
{
	uint32_t back = sequence->last - next, forward = next - sequence->last;

	if (!sequence->known)
		sequence->value = next;
	else if (back <= SEQUENCE_BACK)
		sequence->value -= back;
	else
		sequence->value += forward;
	sequence->known = true;
	sequence->last = next;
}

static int kmem_start(struct kmem_job *job, struct kmem_cpu *cpu, struct lkst_error *err)
{
	struct kmem_reader *reader = &job->reader;

	*reader = (struct kmem_reader){ .name = cpu->name, .fd = kmem_open(cpu->name) };
	if (reader->fd < 0) {
		lkst_error_system(err, errno, cpu->name, "open");
		return -1;
	}
	if (kmem_fill(reader, err)) {
		close(reader->fd);
		return -1;
	}
	cpu->order = kmemtrace_order(reader->data, reader->len);
	reader->swapped = cpu->order == KMEMTRACE_SWAPPED;
	if (cpu->order != KMEMTRACE_NONE || !reader->len)
		return 0;
	close(reader->fd);
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_KMEMTRACE_FOREIGN, cpu->name);
	return -1;
}

/* ---- the first pass ---- */

/* Report bytes that are not an event. */
static void kmem_report_item(struct kmem_job *job, struct kmem_cpu *cpu,
			     const struct kmem_item *item)
{
	unsigned long long bytes = item->bytes, offset = item->offset;

	if (item->kind == KMEM_EVENT || cpu->reports > REPORTS_MAX)
		return;
	if (cpu->reports++ == REPORTS_MAX)
		kmem_report(job, MSG_KMEMTRACE_MORE, cpu->name);
	else if (item->kind == KMEM_UNKNOWN)
		kmem_report(job, MSG_KMEMTRACE_UNKNOWN, cpu->name, offset, item->event.event_id,
			    item->event.type_id);
	else if (item->kind == KMEM_CUT)
		kmem_report(job, MSG_KMEMTRACE_CUT, cpu->name, bytes);
	else
		kmem_report(job, MSG_KMEMTRACE_DAMAGE, cpu->name, offset, bytes);
}

static int kmem_survey_file(struct kmem_job *job, struct kmem_cpu *cpu, struct lkst_error *err)
{
	struct kmem_item item;
	int ret;

	if (kmem_start(job, cpu, err))
		return -1;
	while ((ret = kmem_next(&job->reader, &item, err)) > 0) {
		kmem_report_item(job, cpu, &item);
		if (item.kind != KMEM_EVENT)
			continue;
		if (!cpu->sequence.known)
			cpu->start = item.event.sequence;
		kmem_follow(&cpu->sequence, item.event.sequence);
	}
	close(job->reader.fd);
	return ret;
}

/* All files must be from the same machine. */
static int kmem_check_orders(const struct kmem_job *job, struct lkst_error *err)
{
	const struct kmem_cpu *first = NULL;

	for (size_t i = 0; i < job->files->num; i++) {
		const struct kmem_cpu *cpu = &job->cpu[i];

		if (cpu->order == KMEMTRACE_NONE)
			continue;
		if (!first)
			first = cpu;
		if (cpu->order == first->order)
			continue;
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_KMEMTRACE_ORDER, cpu->name, first->name);
		return -1;
	}
	return 0;
}

/*
 * Add wraparounds to the sequence numbers of each CPU, so that the last ones of all CPUs are as
 * close together as possible: the files are saved at the same time, but a CPU may begin to record
 * later.
 */
static void kmem_align(struct kmem_job *job)
{
	const struct kmem_cpu *first = NULL;

	for (size_t i = 0; i < job->files->num; i++) {
		struct kmem_cpu *cpu = &job->cpu[i];

		if (!cpu->sequence.known)
			continue;
		if (!first)
			first = cpu;
		cpu->start += first->sequence.value +
			      (int32_t)(cpu->sequence.last - first->sequence.last) -
			      cpu->sequence.value;
		if (cpu == first || cpu->start < job->oldest)
			job->oldest = cpu->start;
	}
}

static int kmem_survey(struct kmem_job *job, struct lkst_error *err)
{
	if (kmem_set_cpus(job, err))
		return -1;
	for (size_t i = 0; i < job->files->num; i++)
		if (kmem_survey_file(job, &job->cpu[i], err))
			return -1;
	kmem_align(job);
	return kmem_check_orders(job, err);
}

/* ---- the second pass ---- */

/* Return the binary logarithm of a number of pages, rounded down. */
static uint64_t kmem_page_order(uint64_t bytes)
{
	uint64_t order = 0;

	while (order < 32 && bytes >> order > PAGE_BYTES)
		order++;
	return order;
}

static uint64_t kmem_u32(uint64_t value)
{
	return value < UINT32_MAX ? value : UINT32_MAX;
}

/*
 * Convert an event to a record. Pages have an address instead of a page frame number, which depends
 * on the kernel. No analysis that reads files of kmemtrace uses it.
 */
static void kmem_convert(const struct kmemtrace_event *event, struct lkst_event_record *record)
{
	static const uint16_t types[][2] = {
		[KMEMTRACE_KMALLOC] = { LKST_ETYPE_MEM_KMALLOC, LKST_ETYPE_MEM_KFREE },
		[KMEMTRACE_CACHE] = { LKST_ETYPE_MEM_CACHEALLOC, LKST_ETYPE_MEM_CACHEFREE },
		[KMEMTRACE_PAGES] = { LKST_ETYPE_MEM_PAGEALLOC, LKST_ETYPE_MEM_PAGEFREE },
	};
	bool alloc = event->event_id == KMEMTRACE_ALLOC;
	uint64_t gfp = (uint64_t)event->flags << 32 | NO_NODE;

	record->event_type = types[event->type_id][event->event_id];
	record->arg[0] = event->caller;
	record->arg[1] = event->object;
	switch (event->type_id) {
	case KMEMTRACE_KMALLOC:
		record->arg[2] = kmem_u32(event->requested) << 32 | kmem_u32(event->allocated);
		record->arg[3] = alloc ? gfp : 0;
		break;
	case KMEMTRACE_CACHE:
		record->arg[2] = event->requested;
		record->arg[3] = alloc ? gfp : 0;
		break;
	case KMEMTRACE_PAGES:
		record->arg[0] = event->object ? event->object / PAGE_BYTES : UINT64_MAX;
		record->arg[1] = kmem_page_order(event->requested) << 32;
		record->arg[2] = event->flags;
		break;
	}
}

/* Write the records that are in memory. */
static int kmem_flush(struct kmem_job *job, struct lkst_error *err)
{
	struct lkst_run *run = &job->run;
	size_t num = run->num;

	run->first_recid = job->recid - num;
	run->num = 0;
	if (!num)
		return 0;
	run->num = num;
	if (lkst_trace_write_run(job->writer, run, err) ||
	    lkst_addresses_add_raw(job->addresses, run->record, num, err))
		return -1;
	run->num = 0;
	return 0;
}

static int kmem_put(struct kmem_job *job, const struct kmemtrace_event *event, int64_t sequence,
		    struct lkst_error *err)
{
	struct lkst_event_record *record = &job->record[job->run.num++];

	*record = (struct lkst_event_record){
		.clock = CLOCK_START + (uint64_t)(sequence - job->oldest) * SEQUENCE_NS,
	};
	kmem_convert(event, record);
	job->recid++;
	return job->run.num == LKST_CHUNK_RECORDS ? kmem_flush(job, err) : 0;
}

/*
 * Events are missing where the file is damaged. Without features, this many fit there. The gap
 * between the recids shows that they are missing.
 */
static int kmem_lose(struct kmem_job *job, uint64_t bytes, struct lkst_error *err)
{
	if (kmem_flush(job, err))
		return -1;
	job->recid += (bytes + KMEMTRACE_ALLOC_SIZE - 1) / KMEMTRACE_ALLOC_SIZE;
	return 0;
}

static int kmem_write_file(struct kmem_job *job, struct kmem_cpu *cpu, struct lkst_error *err)
{
	struct kmem_sequence sequence = { 0 };
	struct kmem_item item;
	int ret;

	job->run = (struct lkst_run){
		.cpu = cpu->cpu,
		.clock = LKST_CLOCK_NS,
		.record = job->record,
		.tsc = CLOCK_START,
		.freq_khz = 1000000,
	};
	/* With recid 0, no earlier record of the CPU would be missing. */
	job->recid = 1;
	if (kmem_start(job, cpu, err))
		return -1;
	while ((ret = kmem_next(&job->reader, &item, err)) > 0) {
		if (item.kind == KMEM_EVENT) {
			int64_t start = sequence.known ? 0 : cpu->start - item.event.sequence;

			kmem_follow(&sequence, item.event.sequence);
			sequence.value += start;
			ret = kmem_put(job, &item.event, sequence.value, err);
		} else if (item.kind == KMEM_DAMAGE) {
			ret = kmem_lose(job, item.bytes, err);
		}
		if (ret < 0)
			break;
	}
	close(job->reader.fd);
	return ret < 0 ? -1 : kmem_flush(job, err);
}

/* Read the number in a file in the same directory as the first file. Returns false if unknown. */
static bool kmem_number(const struct kmem_job *job, const char *name, unsigned long long *number)
{
	const char *path = job->files->path[0], *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) + 1 : 0;
	char text[PATH_MAX];
	bool known = false;
	FILE *from;

	if (snprintf(text, sizeof(text), "%.*s%s", dir, path, name) >= (int)sizeof(text))
		return false;
	from = fopen(text, "re");
	if (!from)
		return false;
	if (fgets(text, sizeof(text), from) && *text >= '0' && *text <= '9') {
		char *end;

		errno = 0;
		*number = strtoull(text, &end, 10);
		known = !errno && !end[strspn(end, "\n")];
	}
	fclose(from);
	return known;
}

static int kmem_write_system(const struct kmem_job *job, struct lkst_error *err)
{
	unsigned long long number, damages = 0;
	char text[256];
	int len;

	for (size_t i = 0; i < job->files->num; i++)
		damages += job->cpu[i].reports;
	len = snprintf(text, sizeof(text), KMEMTRACE_SYSTEM "=1\n" KMEMTRACE_SYSTEM_DAMAGES "=%llu\n",
		       damages);
	if (kmem_number(job, "abi_version", &number)) {
		len += snprintf(text + len, sizeof(text) - (size_t)len,
				KMEMTRACE_SYSTEM_ABI "=%llu\n", number);
		if (number != KMEMTRACE_ABI)
			kmem_report(job, MSG_KMEMTRACE_ABI, number, KMEMTRACE_ABI);
	}
	if (kmem_number(job, "total_overruns", &number))
		snprintf(text + len, sizeof(text) - (size_t)len,
			 KMEMTRACE_SYSTEM_OVERRUNS "=%llu\n", number);
	return lkst_trace_write_system(job->writer, text, err);
}

static bool kmem_has_type(uint32_t type)
{
	return type >= LKST_ETYPE_MEM_KMALLOC && type <= LKST_ETYPE_MEM_PAGEFREE;
}

/* Write the event types, and mark the types of kmemtrace as present. */
static int kmem_write_etypes(struct kmem_job *job, struct lkst_error *err)
{
	struct lkst_etypes *types = lkst_etypes_embedded(err);
	char *text = NULL;
	size_t len;
	int ret = -1;

	for (uint32_t i = 0; types && i < LKST_ETYPE_NUM; i++)
		if (types->type[i])
			types->type[i]->present = kmem_has_type(i);
	if (types)
		text = lkst_etypes_text(types, &len, err);
	if (text)
		job->addresses = lkst_addresses_new(types, err);
	if (job->addresses)
		ret = lkst_trace_write_etypes(job->writer, text, len, err);
	free(text);
	lkst_etypes_free(types);
	return ret;
}

static int kmem_write_symbols(const struct kmem_job *job, struct lkst_error *err)
{
	const char *path = job->files->symbols;
	size_t len;
	char *text;
	int ret;

	if (!path)
		return 0;
	if (access(path, R_OK)) {
		lkst_error_system(err, errno, path, "open");
		return -1;
	}
	text = lkst_addresses_resolve(job->addresses, path, &len, err);
	if (text && !strcmp(text, SYMBOLS_HEADER "\n"))
		kmem_report(job, MSG_KMEMTRACE_SYMBOLS, path);
	ret = text ? lkst_trace_write_symbols(job->writer, text, len, err) : -1;
	free(text);
	return ret;
}

static int kmem_write(struct kmem_job *job, struct lkst_error *err)
{
	if (kmem_write_system(job, err) || kmem_write_etypes(job, err))
		return -1;
	for (size_t i = 0; i < job->files->num; i++)
		if (kmem_write_file(job, &job->cpu[i], err))
			return -1;
	return kmem_write_symbols(job, err) ? -1 : lkst_trace_write_end(job->writer, err);
}

/**
 * kmemtrace_trace() - write the events of files of kmemtrace as a trace
 * @files: files
 * @writer: the caller commits or aborts it
 * @err: set on failure
 *
 * The files have no time of day. In the trace, the oldest event has the time 0.
 */
int kmemtrace_trace(const struct kmemtrace_files *files, struct lkst_trace_writer *writer,
		    struct lkst_error *err)
{
	struct kmem_job *job = calloc(1, sizeof(*job));
	int ret = -1;

	if (job) {
		job->files = files;
		job->writer = writer;
		job->cpu = calloc(files->num + 1, sizeof(*job->cpu));
	}
	if (!job || !job->cpu)
		lkst_error_memory(err, "files of kmemtrace");
	else if (!kmem_survey(job, err))
		ret = kmem_write(job, err);
	if (job) {
		lkst_addresses_free(job->addresses);
		free(job->cpu);
	}
	free(job);
	return ret;
}
