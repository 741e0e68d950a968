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
#include "pieces.h"
#include "snapshot.h"

#define PIECE_RECORDS 65536 /* 7 MB of them: not long to read, and larger than most buffers */

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

/* In bytes of buffers. */
struct progress {
	uint64_t done;
	uint64_t total;
};

/* Where the records go, and what is learnt on the way. */
struct sink {
	const struct lkst_capture *what;
	struct lkst_trace_writer *writer;
	struct lkst_addresses *addresses;
	struct progress progress;
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

	if (sink->what->no_symbols)
		return 0;
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

static int write_piece(const struct sink *sink, const struct pieces *pieces, size_t num,
		       struct lkst_error *err)
{
	if (lkst_trace_write_records(sink->writer, &pieces->counts, pieces->record, num, err))
		return -1;
	return sink->what->no_symbols ?
		       0 :
		       lkst_addresses_add(sink->addresses, pieces->record, num, err);
}

static bool is_stopped(const struct lkst_capture *what)
{
	return what->stop && *what->stop;
}

static void show_progress(const struct sink *sink, const struct pieces *pieces, uint64_t bytes)
{
	const struct lkst_capture *what = sink->what;
	uint64_t done = (pieces->next - pieces->begin) * LKST_SIZEOF_LKST_EVENT_RECORD;

	if (what->progress)
		what->progress(what->ctx, sink->progress.done + (done < bytes ? done : bytes),
			       sink->progress.total);
}

/*
 * @bytes: what it is expected to hold. Returns 1, 0 when there is no such buffer any more, -1 on an
 * error.
 */
static int capture_buffer(struct sink *sink, struct pieces *pieces, int32_t cpu, lkst_buffer_id id,
			  uint64_t bytes, struct lkst_error *err)
{
	uint64_t told = 0;
	size_t num;
	int ret;

	ret = pieces_begin(pieces, cpu, id, sink->what->max, err);
	while (ret > 0 && !is_stopped(sink->what)) {
		ret = pieces_next(pieces, &num, err);
		if (ret <= 0)
			break;
		if (write_piece(sink, pieces, num, err))
			return -1;
		told = pieces->counts.overwritten;
		show_progress(sink, pieces, bytes);
	}
	if (ret < 0)
		return -1;
	sink->progress.done += bytes;
	/* What was lost after the last piece is worth telling. */
	if (pieces->begun && pieces->counts.overwritten != told &&
	    write_piece(sink, pieces, 0, err))
		return -1;
	return pieces->begun;
}

static int capture_static(struct sink *sink, struct pieces *pieces,
			  const struct lkst_status *status, struct lkst_error *err)
{
	sink->progress.total = status->trc.static_buffer_size;
	return capture_buffer(sink, pieces, -1, LKST_BUFFER_ID_VOID, sink->progress.total, err) <
			       0 ?
		       -1 :
		       0;
}

static bool is_wanted(const struct lkst_capture *what, const struct lkst_buffer_listent *ent)
{
	return what->id < 0 || ent->id == what->id;
}

/* What a buffer is expected to hold, and as much of it as is wanted, in bytes. */
static uint64_t expected(const struct lkst_capture *what, const struct lkst_buffer_listent *ent)
{
	uint64_t room = ent->size / LKST_SIZEOF_LKST_EVENT_RECORD;
	uint64_t held = (uint64_t)ent->baseid + ent->write_offset - ent->first_recid;

	if (held > room)
		held = room;
	if (what->max && held > what->max)
		held = what->max;
	return held * LKST_SIZEOF_LKST_EVENT_RECORD;
}

/* The buffers of one CPU that are wanted. Returns how many, -1 on an error. */
static int capture_cpu(struct sink *sink, struct pieces *pieces,
		       const struct lkst_buffer_list *list, struct lkst_error *err)
{
	int found = 0, ret;

	for (int i = 0; i < list->param.buffer_num && !is_stopped(sink->what); i++) {
		const struct lkst_buffer_listent *ent = &list->ent[i];

		if (!is_wanted(sink->what, ent))
			continue;
		ret = capture_buffer(sink, pieces, list->param.cpu, ent->id,
				     expected(sink->what, ent), err);
		if (ret < 0)
			return -1;
		found += ret;
	}
	return found;
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

static int capture_cpus(struct lkst_device *dev, struct sink *sink, struct pieces *pieces,
			const struct lkst_status *status, struct lkst_error *err)
{
	const struct lkst_capture *what = sink->what;
	uint32_t cpus = status->trc.cpu_num, lists = 0;
	struct lkst_buffer_list *list = calloc(cpus + 1, sizeof(*list));
	int found = 0, ret = -1;

	if (!list) {
		lkst_error_memory(err, "the lists of buffers");
		return -1;
	}
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		if (what->cpu >= 0 && cpu != (uint32_t)what->cpu)
			continue;
		if (lkst_buffer_list_by_age(dev, (int32_t)cpu, &list[lists], err))
			goto out;
		for (int i = 0; i < list[lists].param.buffer_num; i++)
			if (is_wanted(what, &list[lists].ent[i]))
				sink->progress.total += expected(what, &list[lists].ent[i]);
		lists++;
	}
	for (uint32_t i = 0; i < lists; i++) {
		int n = capture_cpu(sink, pieces, &list[i], err);

		if (n < 0)
			goto out;
		found += n;
	}
	ret = found || is_stopped(what) ? 0 : no_buffer(what, err);
out:
	for (uint32_t i = 0; i < lists; i++)
		lkst_buffer_list_free(&list[i]);
	free(list);
	return ret;
}

static int capture_records(struct lkst_device *dev, struct sink *sink,
			   const struct lkst_status *status, struct lkst_error *err)
{
	struct pieces pieces;
	int ret;

	pieces_init(&pieces, dev, PIECE_RECORDS);
	ret = sink->what->static_buffer ? capture_static(sink, &pieces, status, err) :
					  capture_cpus(dev, sink, &pieces, status, err);
	pieces_free(&pieces);
	return ret;
}

/**
 * lkst_capture() - read the kernel's buffers into a trace
 * @dev: device
 * @what: which
 * @writer: stays the caller's, to commit or to abort
 * @err: why not. LKST_ERR_INTERRUPTED: @what->stop was set; the trace is whole, but for the
 *	records that were not read by then
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
	if ((what->cpu >= 0 && lkst_cpu_check(what->cpu, status.trc.cpu_num, err)) ||
	    write_system(writer, status.trc.cpu_num, err) || write_etypes(&sink, err) ||
	    write_values(&sink, err) || write_processes(writer, err) ||
	    capture_records(dev, &sink, &status, err) || write_symbols(&sink, err) ||
	    lkst_trace_write_end(writer, err))
		goto out;
	if (is_stopped(what))
		lkst_error_set(err, LKST_ERR_INTERRUPTED, MSG_INTERRUPTED, "the trace");
	else
		ret = 0;
out:
	lkst_addresses_free(sink.addresses);
	lkst_status_free(&status);
	return ret;
}
