// SPDX-License-Identifier: LGPL-2.1
/* Reading the kernel's buffers out into a trace. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "messages.h"
#include "snapshot.h"

#define TRIES 5 /* the writer may catch up with a read */

/**
 * lkst_temporary_dir() - where lkst_temporary_file() makes its files
 */
const char *lkst_temporary_dir(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

/**
 * lkst_temporary_file() - a file without a name, gone when it is closed
 * @err: why not
 *
 * Return: file descriptor, -1 on an error.
 */
int lkst_temporary_file(struct lkst_error *err)
{
	int fd;

	fd = open(lkst_temporary_dir(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd < 0)
		fd = memfd_create("lkst", MFD_CLOEXEC);
	if (fd < 0)
		lkst_error_system(err, errno, "temporary file", "create");
	return fd;
}

static int write_system(struct lkst_trace_writer *writer, uint32_t cpus, struct lkst_error *err)
{
	char text[SNAPSHOT_SYSTEM_MAX];

	snapshot_system(cpus, text);
	return lkst_trace_write_system(writer, text, err);
}

/* Where the records go, and what is learnt on the way. */
struct sink {
	const struct lkst_capture *what;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
};

/* The event types; from now on it is known where addresses are. */
static int write_etypes(struct sink *sink, struct lkst_error *err)
{
	const char *path = sink->what->etypes_path;
	struct lkst_etypes *types;
	char *text = NULL;
	size_t len;
	int ret = -1;

	types = path ? lkst_etypes_load(path, err) : lkst_etypes_system(err);
	if (types)
		text = lkst_etypes_text(types, &len, err);
	if (text)
		sink->addresses = lkst_addresses_new(types, err);
	if (sink->addresses)
		ret = lkst_trace_write_etypes(sink->writer, text, len, err);
	free(text);
	lkst_etypes_free(types);
	return ret;
}

static int write_values(const struct sink *sink, struct lkst_error *err)
{
	size_t len;
	char *text = lkst_values_system(sink->what->root, &len, err);
	int ret = text ? lkst_trace_write_values(sink->writer, text, len, err) : -1;

	free(text);
	return ret;
}

/* After the records, which tell what symbols are needed. */
static int write_symbols(const struct sink *sink, struct lkst_error *err)
{
	const char *root = sink->what->root;
	char path[PATH_MAX], *text;
	size_t len;
	int ret;

	snprintf(path, sizeof(path), "%s%s", root ? root : "", LKST_SYMBOLS_PATH);
	text = lkst_addresses_resolve(sink->addresses, path, &len, err);
	ret = text ? lkst_trace_write_symbols(sink->writer, text, len, err) : -1;
	free(text);
	return ret;
}

static int write_processes(struct lkst_trace_writer *writer, struct lkst_error *err)
{
	size_t num;
	struct lkst_process *process = snapshot_processes(&num, err);
	int ret = process ? lkst_trace_write_processes(writer, process, num, err) : -1;

	free(process);
	return ret;
}

/* ---- buffers ---- */

/* Memory that the kernel copies to, two of them: the best read so far and the next. */
struct area {
	struct lkst_log_record *record;
	size_t bytes;
};

static int area_room(struct area *area, size_t bytes, struct lkst_error *err)
{
	void *p;

	if (area->bytes >= bytes)
		return 0;
	if (area->record)
		munmap(area->record, area->bytes);
	area->record = NULL;
	area->bytes = 0;
	/* Populated: a page fault in the copy gives the writer time to catch up. */
	p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		 -1, 0);
	if (p == MAP_FAILED) {
		lkst_error_memory(err, "the records of a buffer");
		return -1;
	}
	area->record = p;
	area->bytes = bytes;
	return 0;
}

static void area_free(struct area *area)
{
	if (area->record)
		munmap(area->record, area->bytes);
}

static uint64_t records_read(const struct lkst_log_buffer *buffer)
{
	return buffer->result_read_size / sizeof(struct lkst_log_record);
}

/* All that the buffer held, or all that was asked for? */
static bool complete(const struct lkst_log_buffer *buffer)
{
	uint64_t held = buffer->recorded - buffer->overwritten - buffer->dropped;

	return buffer->result_read_size == buffer->read_size || records_read(buffer) >= held;
}

/* Returns 1, 0 when the buffer was deleted meanwhile, -1 on an error. */
static int read_best(struct lkst_device *dev, int32_t cpu, lkst_buffer_id id, uint64_t records,
		     struct area area[2], struct lkst_log_buffer *best,
		     const struct lkst_log_record **record, struct lkst_error *err)
{
	size_t bytes = (size_t)records * sizeof(struct lkst_log_record);
	struct lkst_error why;
	int next = 0;

	*record = NULL;
	memset(best, 0, sizeof(*best));
	for (int try = 0; try < TRIES; try++) {
		struct lkst_log_buffer buffer = { .cpu = cpu, .id = id, .read_size = bytes };

		if (area_room(&area[next], bytes ? bytes : 4096, err))
			return -1;
		buffer.buffer = (uint64_t)(uintptr_t)area[next].record;
		if (lkst_buffer_read(dev, &buffer, &why)) {
			if (why.code == LKST_ERR_NOT_FOUND)
				break;
			if (err)
				*err = why;
			return -1;
		}
		if (buffer.result_read_size > bytes)
			buffer.result_read_size = bytes;
		if (!try || records_read(&buffer) > records_read(best)) {
			*best = buffer;
			*record = area[next].record;
			next = !next;
		}
		if (complete(&buffer))
			break;
	}
	best->cpu = cpu;
	best->id = id;
	return *record != NULL;
}

/* Returns 1, 0 when there is no such buffer any more, -1 on an error. */
static int capture_buffer(struct lkst_device *dev, const struct sink *sink, int32_t cpu,
			  lkst_buffer_id id, uint64_t size, struct area area[2],
			  struct lkst_error *err)
{
	const struct lkst_capture *what = sink->what;
	uint64_t records = size / LKST_SIZEOF_LKST_EVENT_RECORD;
	const struct lkst_log_record *record;
	struct lkst_log_buffer buffer;
	int ret;

	if (what->stop && *what->stop) {
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, "the trace file");
		return -1;
	}
	if (what->max && what->max < records)
		records = what->max;
	ret = read_best(dev, cpu, id, records, area, &buffer, &record, err);
	if (ret > 0 &&
	    (lkst_trace_write_records(sink->writer, &buffer, record, records_read(&buffer), err) ||
	     lkst_addresses_add(sink->addresses, record, records_read(&buffer), err)))
		ret = -1;
	return ret;
}

static int capture_static(struct lkst_device *dev, const struct sink *sink,
			  const struct lkst_status *status, struct lkst_error *err)
{
	struct area area[2] = { { 0 } };
	int ret = capture_buffer(dev, sink, -1, LKST_BUFFER_ID_VOID, status->trc.static_buffer_size,
				 area, err);

	area_free(&area[0]);
	area_free(&area[1]);
	return ret < 0 ? -1 : 0;
}

struct progress {
	uint64_t done;
	uint64_t total;
};

/* The buffers of one CPU that are wanted. Returns how many, -1 on an error. */
static int capture_cpu(struct lkst_device *dev, const struct sink *sink,
		       const struct lkst_buffer_list *list, struct area area[2],
		       struct progress *progress, struct lkst_error *err)
{
	const struct lkst_capture *what = sink->what;
	int found = 0, ret;

	for (int i = 0; i < list->param.buffer_num; i++) {
		const struct lkst_buffer_listent *ent = &list->ent[i];

		if (what->id >= 0 && ent->id != what->id)
			continue;
		ret = capture_buffer(dev, sink, list->param.cpu, ent->id, ent->size, area, err);
		if (ret < 0)
			return -1;
		found += ret;
		progress->done += ent->size;
		if (what->progress)
			what->progress(what->ctx, progress->done, progress->total);
	}
	return found;
}

static int by_first_recid(const void *a, const void *b)
{
	uint64_t first = ((const struct lkst_buffer_listent *)a)->first_recid;
	uint64_t second = ((const struct lkst_buffer_listent *)b)->first_recid;

	return first < second ? -1 : first > second;
}

/*
 * The buffers of a CPU, oldest records first: in a ring the oldest are the next to be
 * written over.
 */
static int list_buffers(struct lkst_device *dev, int32_t cpu, struct lkst_buffer_list *list,
			struct lkst_error *err)
{
	if (lkst_buffer_list_get(dev, cpu, list, err))
		return -1;
	qsort(list->ent, (size_t)list->param.buffer_num, sizeof(*list->ent), by_first_recid);
	return 0;
}

static int no_buffer(const struct lkst_capture *what, struct lkst_error *err)
{
	char where[32] = "any CPU";

	if (what->cpu >= 0)
		snprintf(where, sizeof(where), "CPU %d", what->cpu);
	if (what->id >= 0) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_BUFFER, (long)what->id, where);
		return -1;
	}
	return 0;
}

static int capture_cpus(struct lkst_device *dev, const struct sink *sink,
			const struct lkst_status *status, struct lkst_error *err)
{
	const struct lkst_capture *what = sink->what;
	uint32_t cpus = status->trc.cpu_num, lists = 0;
	struct lkst_buffer_list *list = calloc(cpus + 1, sizeof(*list));
	struct progress progress = { 0 };
	struct area area[2] = { { 0 } };
	int found = 0, ret = -1;

	if (!list) {
		lkst_error_memory(err, "the lists of buffers");
		return -1;
	}
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		if (what->cpu >= 0 && cpu != (uint32_t)what->cpu)
			continue;
		if (list_buffers(dev, (int32_t)cpu, &list[lists], err))
			goto out;
		for (int i = 0; i < list[lists].param.buffer_num; i++)
			progress.total += list[lists].ent[i].size;
		lists++;
	}
	for (uint32_t i = 0; i < lists; i++) {
		int n = capture_cpu(dev, sink, &list[i], area, &progress, err);

		if (n < 0)
			goto out;
		found += n;
	}
	ret = found ? 0 : no_buffer(what, err);
out:
	area_free(&area[0]);
	area_free(&area[1]);
	for (uint32_t i = 0; i < lists; i++)
		lkst_buffer_list_free(&list[i]);
	free(list);
	return ret;
}

static int check_cpu(const struct lkst_capture *what, const struct lkst_status *status,
		     struct lkst_error *err)
{
	char range[32] = "CPU 0";

	if (what->cpu < 0 || (uint32_t)what->cpu < status->trc.cpu_num)
		return 0;
	if (status->trc.cpu_num > 1)
		snprintf(range, sizeof(range), "CPUs 0-%u", status->trc.cpu_num - 1);
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_CPU, (long)what->cpu, range);
	return -1;
}

/**
 * lkst_capture() - read the kernel's buffers into a trace
 * @dev: device
 * @what: which
 * @writer: stays the caller's, to commit or to abort
 * @err: why not
 */
int lkst_capture(struct lkst_device *dev, const struct lkst_capture *what,
		 struct lkst_trace_writer *writer, struct lkst_error *err)
{
	struct sink sink = { .what = what, .writer = writer };
	struct lkst_status status;
	int ret = -1;

	if (lkst_status_get(dev, &status, err))
		return -1;
	/* Before the records is what names them: a cut leaves it. */
	if (check_cpu(what, &status, err) || write_system(writer, status.trc.cpu_num, err) ||
	    write_etypes(&sink, err) || write_values(&sink, err) || write_processes(writer, err))
		goto out;
	ret = what->static_buffer ? capture_static(dev, &sink, &status, err) :
				    capture_cpus(dev, &sink, &status, err);
	if (!ret)
		ret = write_symbols(&sink, err);
	if (!ret)
		ret = lkst_trace_write_end(writer, err);
out:
	lkst_addresses_free(sink.addresses);
	lkst_status_free(&status);
	return ret;
}
