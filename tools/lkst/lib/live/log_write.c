// SPDX-License-Identifier: LGPL-2.1
/*
 * Writes a log file: records of one CPU. At the size limit, new records overwrite the oldest ones
 * (Documentation/lkst/trace-file.rst). Everything that is needed to print a record is in the
 * preamble of the lap or next to the record, so the rest of the file stays readable whatever is
 * overwritten.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/crc32c.h"
#include "lib/base/error.h"
#include "lib/base/messages.h"
#include "lib/device/previous.h"
#include "lib/device/run.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/trace/format.h"
#include "lib/trace/messages.h"
#include "lib/trace/pack.h"
#include "lib/trace/write.h"
#include "log.h"
#include "log_ring.h"
#include "log_symbols.h"
#include "snapshot.h"
#include "system_values.h"

#define END_SIZE	 (sizeof(struct lkst_chunk_header) + sizeof(struct trace_end))
#define BATCHES_AT_LEAST 8 /* per lap, so that overwriting a batch loses little */
#define REFRESH_MS	 10000 /* maximum age of the lists in a new preamble */
#define SHARE_MS	 100 /* maximum age of the lists when a log is opened or closed */

_Static_assert(LOG_RING_SKIP == sizeof(struct lkst_chunk_header), "header of a SKIP chunk");
_Static_assert(LOG_RING_SKIP == TRACE_PACK_SPARE, "room for it");

/*
 * The lists in the preamble at the start of each lap. Logs share them, because collecting them
 * takes a while on a machine with thousands of threads, and a process may open the logs of all CPUs
 * together.
 */
struct texts {
	unsigned int users;
	int64_t since; /* time at which the lists were collected, in ms */
	char *etypes_path;
	char *root;
	char *etypes;
	size_t etypes_len;
	uint64_t listed[LKST_ETYPE_NUM / 64]; /* bitmap of the event types in @etypes */
	char *values;
	size_t values_len;
	struct lkst_process *process;
	size_t processes;
};

struct lkst_log {
	char *name;
	char *etypes_path; /* NULL: the kernel's */
	char *root; /* "": none */
	struct log_ring ring;
	struct trace_packer packer;
	struct log_symbols *symbols;
	struct texts *texts;
	uint64_t asked[LKST_ETYPE_NUM / 64]; /* user events for which new lists were collected */
	const struct lkst_log_files *(*files)(void *ctx);
	void *files_ctx;
	uint64_t files_serial; /* of the files that were written last */
	size_t batch_records; /* maximum number of records in a batch */
	uint64_t next; /* next recid; all earlier events were written or reported as lost */
	uint64_t lost;
	bool preamble_due; /* the current lap has no preamble yet */
};

static int log_write_error(const struct lkst_log *log, int sys_errno, struct lkst_error *err)
{
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WRITE, log->name, strerror(sys_errno), "");
	if (err)
		err->sys_errno = sys_errno;
	return -1;
}

static int log_no_memory(const struct lkst_log *log, struct lkst_error *err)
{
	lkst_error_memory(err, log->name);
	return -1;
}

/* ---- the preamble ---- */

static bool log_bit(const uint64_t *bits, uint32_t number)
{
	return bits[number / 64] >> number % 64 & 1;
}

static void log_bit_set(uint64_t *bits, uint32_t number)
{
	bits[number / 64] |= 1ull << number % 64;
}

static struct texts *latest; /* the latest lists of any log; holds a reference to them (@users) */

static void log_write_put_texts(struct texts *texts)
{
	if (!texts || --texts->users)
		return;
	free(texts->etypes_path);
	free(texts->root);
	free(texts->etypes);
	free(texts->values);
	free(texts->process);
	free(texts);
}

static int64_t log_write_milliseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool log_same_path(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static struct lkst_etypes *log_load_etypes(const struct lkst_log *log, struct lkst_error *err)
{
	return log->etypes_path ? lkst_etypes_load(log->etypes_path, err) : lkst_etypes_system(err);
}

static int log_write_get_texts(const struct lkst_log *log, struct texts *texts,
			       struct lkst_error *err)
{
	struct lkst_etypes *types = log_load_etypes(log, err);

	if (types)
		texts->etypes = lkst_etypes_text(types, &texts->etypes_len, err);
	for (unsigned int i = 0; types && i < LKST_ETYPE_NUM; i++)
		if (lkst_etype(types, i))
			log_bit_set(texts->listed, i);
	lkst_etypes_free(types);
	if (texts->etypes)
		texts->values = lkst_values_system(log->root, &texts->values_len, err);
	if (texts->values)
		texts->process = snapshot_processes(&texts->processes, err);
	return texts->process ? 0 : -1;
}

static struct texts *log_new_texts(const struct lkst_log *log, struct lkst_error *err)
{
	struct texts *texts = calloc(1, sizeof(*texts));

	if (texts) {
		texts->users = 1;
		texts->root = strdup(log->root);
		texts->etypes_path = log->etypes_path ? strdup(log->etypes_path) : NULL;
	}
	if (!texts || !texts->root || (log->etypes_path && !texts->etypes_path)) {
		log_no_memory(log, err);
	} else if (!log_write_get_texts(log, texts, err)) {
		texts->since = log_write_milliseconds();
		return texts;
	}
	log_write_put_texts(texts);
	return NULL;
}

/*
 * Take the latest lists of any log if they are at most @ms old; otherwise collect new ones. On
 * error, the log keeps its old lists.
 */
static int log_take_texts(struct lkst_log *log, int64_t ms, struct lkst_error *err)
{
	if (!latest || log_write_milliseconds() - latest->since > ms ||
	    !log_same_path(latest->root, log->root) ||
	    !log_same_path(latest->etypes_path, log->etypes_path)) {
		struct texts *texts = log_new_texts(log, err);

		if (!texts)
			return -1;
		log_write_put_texts(latest);
		latest = texts;
	}
	latest->users++;
	log_write_put_texts(log->texts);
	log->texts = latest;
	return 0;
}

/* Set up the symbols of a log, and find out which arguments of events are addresses. */
static int log_write_take_symbols(struct lkst_log *log, const struct lkst_kallsyms *kallsyms,
				  struct lkst_error *err)
{
	struct lkst_etypes *types = log_load_etypes(log, err);
	char path[PATH_MAX];

	if (!types)
		return -1;
	snprintf(path, sizeof(path), "%s%s", log->root, LKST_SYMBOLS_PATH);
	log->symbols = log_symbols_new(types, kallsyms, path, err);
	lkst_etypes_free(types);
	return log->symbols ? 0 : -1;
}

/*
 * If records have user events that were registered after the lists of the log were collected, take
 * newer lists. This is tried once for each event type. Returns whether the log has other lists now.
 */
static bool log_take_new_etypes(struct lkst_log *log, const struct lkst_event_record *record,
				size_t num)
{
	bool changed = false;

	for (size_t i = 0; i < num; i++) {
		const uint32_t type = record[i].event_type;

		if (!record[i].clock || !lkst_etype_is_program(type) ||
		    log_bit(log->texts->listed, type) || log_bit(log->asked, type))
			continue;
		log_bit_set(log->asked, type);
		/* Another log may already have collected lists that contain this event type. */
		changed |= !log_take_texts(log, log_bit(latest->listed, type) ? REFRESH_MS : -1, NULL);
	}
	return changed;
}

/* Add a chunk, unless the packed chunks would then exceed @most bytes. */
static int log_pack_some(struct lkst_log *log, unsigned int type, const void *data, size_t len,
			 size_t most)
{
	size_t before = log->packer.len;

	if (trace_pack(&log->packer, type, NULL, 0, data, len))
		return -1;
	if (log->packer.len > most)
		log->packer.len = before;
	return 0;
}

static size_t log_ring_bytes(const struct lkst_log *log)
{
	uint64_t bytes = log->ring.end - log->ring.start;

	return bytes < SIZE_MAX ? (size_t)bytes : SIZE_MAX;
}

/*
 * Add the files of the processes, unless they would take too much of the ring. Returns -1 if an
 * allocation fails.
 */
static int log_write_pack_files(struct lkst_log *log)
{
	const struct lkst_log_files *files = log->files ? log->files(log->files_ctx) : NULL;

	if (!files || !files->text)
		return 0;
	log->files_serial = files->serial;
	return log_pack_some(log, TRACE_FILES, files->text, files->len,
			     log->packer.len + log_ring_bytes(log) / BATCHES_AT_LEAST);
}

static int log_write_preamble(struct lkst_log *log, struct lkst_error *err)
{
	const struct texts *texts = log->texts;
	size_t most = log_ring_bytes(log) / 2, len;
	const char *symbols;
	int ret;

	log->packer.len = 0;
	if (log_pack_some(log, TRACE_ETYPES, texts->etypes, texts->etypes_len, most) ||
	    log_pack_some(log, TRACE_VALUES, texts->values, texts->values_len, most) ||
	    log_pack_some(log, TRACE_PROCESSES, texts->process,
			  texts->processes * sizeof(*texts->process), most))
		return log_no_memory(log, err);
	if (log_symbols_text(log->symbols, true, most - log->packer.len, &symbols, &len, err))
		return -1;
	if ((len && log_pack_some(log, TRACE_SYMBOLS, symbols, len, most + LOG_RING_SKIP + 8)) ||
	    log_write_pack_files(log))
		return log_no_memory(log, err);
	ret = log_ring_write(&log->ring, log->packer.buf, log->packer.len, 0);
	if (ret)
		return log_write_error(log, ret, err);
	log_symbols_acknowledge(log->symbols);
	log->preamble_due = false;
	return 0;
}

static int log_begin_lap(struct lkst_log *log, struct lkst_error *err)
{
	int ret = log_ring_lap(&log->ring);

	if (ret)
		return log_write_error(log, ret, err);
	log->preamble_due = true;
	/* If the lists cannot be read again, the old ones are written. */
	log_take_texts(log, REFRESH_MS, NULL);
	return log_write_preamble(log, err);
}

/*
 * Write the event types again, before the records that need them. The preamble of the next lap
 * lists them, too, so they stay in the file when this chunk is overwritten.
 */
static int log_write_etypes(struct lkst_log *log, struct lkst_error *err)
{
	const struct texts *texts = log->texts;
	int ret;

	log->packer.len = 0;
	if (log_pack_some(log, TRACE_ETYPES, texts->etypes, texts->etypes_len,
			  log_ring_bytes(log) / 2))
		return log_no_memory(log, err);
	if (!log_ring_has_room(&log->ring, log->packer.len))
		return log_begin_lap(log, err);
	ret = log_ring_write(&log->ring, log->packer.buf, log->packer.len, 0);
	return ret ? log_write_error(log, ret, err) : 0;
}

/* ---- records ---- */

/* Pack the records, followed by the symbols that they need and that are not in the file yet. */
static int log_pack_records(struct lkst_log *log, const struct lkst_records_header *header,
			    const struct lkst_event_record *record, size_t num,
			    struct lkst_error *err)
{
	const char *symbols;
	size_t len;

	log->packer.len = 0;
	if (trace_pack(&log->packer, TRACE_RECORDS_RAW, header, sizeof(*header), record,
		       num * sizeof(*record)))
		return log_no_memory(log, err);
	if (log_symbols_text(log->symbols, false, log_ring_bytes(log) / BATCHES_AT_LEAST, &symbols,
			     &len, err))
		return -1;
	if (len && trace_pack(&log->packer, TRACE_SYMBOLS, NULL, 0, symbols, len))
		return log_no_memory(log, err);
	return 0;
}

static int write_batch(struct lkst_log *log, const struct lkst_records_header *header,
		       const struct lkst_event_record *record, size_t num, struct lkst_error *err)
{
	uint64_t records = 0;
	int ret;

	for (size_t i = 0; i < num; i++)
		records += record[i].clock != 0;
	if (log_symbols_observe(log->symbols, record, num, err) ||
	    (log->preamble_due && log_write_preamble(log, err)) ||
	    (log_take_new_etypes(log, record, num) && log_write_etypes(log, err)) ||
	    log_pack_records(log, header, record, num, err))
		return -1;
	if (!log_ring_has_room(&log->ring, log->packer.len) &&
	    (log_begin_lap(log, err) || log_pack_records(log, header, record, num, err)))
		return -1;
	ret = log_ring_write(&log->ring, log->packer.buf, log->packer.len, records);
	if (ret)
		return log_write_error(log, ret, err);
	log_symbols_acknowledge(log->symbols);
	return 0;
}

static int write_loss(struct lkst_log *log, const struct lkst_run *run, struct lkst_error *err)
{
	const struct trace_loss loss = {
		.cpu = run->cpu,
		.first_recid = run->first_recid - run->lost,
		.number = run->lost,
	};
	int ret;

	if (log->preamble_due && log_write_preamble(log, err))
		return -1;
	for (int try = 0;; try++) {
		log->packer.len = 0;
		if (trace_pack(&log->packer, TRACE_LOSS, NULL, 0, &loss, sizeof(loss)))
			return log_no_memory(log, err);
		if (try || log_ring_has_room(&log->ring, log->packer.len))
			break;
		if (log_begin_lap(log, err))
			return -1;
	}
	ret = log_ring_write(&log->ring, log->packer.buf, log->packer.len, 0);
	if (ret)
		return log_write_error(log, ret, err);
	log->lost += run->lost;
	log->next = run->first_recid;
	return 0;
}

/**
 * lkst_log_write() - append records
 * @log: log
 * @run: records; their recids increase from call to call
 * @err: set on failure
 *
 * After an error the file is still valid, and the caller may write the same run again: records that
 * have been written already are skipped.
 */
int lkst_log_write(struct lkst_log *log, const struct lkst_run *run, struct lkst_error *err)
{
	struct lkst_records_header header = trace_run_header(run);
	size_t done = 0;

	/*
	 * If the caller writes the same run again after an error, and the loss was already written,
	 * then @first_recid is at most @next, and the loss is not written again.
	 */
	if (run->lost && run->first_recid > log->next && write_loss(log, run, err))
		return -1;
	if (run->first_recid < log->next)
		done = log->next - run->first_recid < run->num ? log->next - run->first_recid :
								 run->num;
	while (done < run->num) {
		size_t left = run->num - done;

		header.count = left < log->batch_records ? left : log->batch_records;
		header.first_recid = run->first_recid + done;
		if (write_batch(log, &header, run->record + done, header.count, err))
			return -1;
		done += header.count;
		log->next = run->first_recid + done;
	}
	return 0;
}

/**
 * lkst_log_counts() - count the events that were kept, overwritten and lost
 * @log: log
 * @counts: result
 */
void lkst_log_counts(const struct lkst_log *log, struct lkst_log_counts *counts)
{
	*counts = (struct lkst_log_counts){
		.kept = log->ring.kept,
		.rewound = log->ring.rewound,
		.lost = log->lost,
		.next = log->next,
		.bytes = log->ring.size,
	};
}

/**
 * lkst_log_intact() - check whether the file seems to be unchanged since it was written
 * @log: log
 *
 * Another program may remove, truncate or change the file at any time. This checks that the file
 * still has a name, the right size, and the right first bytes: if another program truncated it to
 * 0, a later write may have restored its size, but not its first bytes. If this returns true after
 * a write, the records of that write are in a readable file.
 */
bool lkst_log_intact(const struct lkst_log *log)
{
	char magic[sizeof(((struct trace_file_header *)0)->magic)];
	struct stat st;

	if (fstat(log->ring.fd, &st) || !st.st_nlink || (uint64_t)st.st_size != log->ring.size)
		return false;
	return pread(log->ring.fd, magic, sizeof(magic), 0) != sizeof(magic) ||
	       !memcmp(magic, TRACE_MAGIC, sizeof(magic));
}

/* ---- begin and end ---- */

static void free_log(struct lkst_log *log)
{
	if (log->ring.fd >= 0)
		close(log->ring.fd);
	trace_packer_close(&log->packer);
	log_symbols_free(log->symbols);
	log_write_put_texts(log->texts);
	free(log->ring.batch);
	free(log->etypes_path);
	free(log->root);
	free(log->name);
	free(log);
}

static struct lkst_log *new_log(const char *name, const struct lkst_log_options *opt,
				struct lkst_error *err)
{
	struct lkst_log *log = calloc(1, sizeof(*log));

	if (!log) {
		lkst_error_memory(err, name);
		return NULL;
	}
	log->ring.fd = -1;
	log->name = strdup(name);
	log->root = strdup(opt->root ? opt->root : "");
	log->files = opt->files;
	log->files_ctx = opt->files_ctx;
	if (opt->etypes_path)
		log->etypes_path = strdup(opt->etypes_path);
	if (!log->name || !log->root || (opt->etypes_path && !log->etypes_path) ||
	    trace_packer_open(&log->packer, opt->compress ? TRACE_PACK_FAST : TRACE_PACK_PLAIN)) {
		lkst_error_memory(err, name);
		free_log(log);
		return NULL;
	}
	return log;
}

/* Create the file and lock it. The lock shows readers that the file is being written. */
static int log_open_locked(struct lkst_log *log, int dir, struct lkst_error *err)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	log->ring.fd =
		openat(dir, log->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (log->ring.fd < 0) {
		int failed = errno;

		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_CREATE, log->name, strerror(failed));
		if (err)
			err->sys_errno = failed;
		return -1;
	}
	if (!fcntl(log->ring.fd, F_OFD_SETLK, &lock))
		return 0;
	lkst_error_system(err, errno, log->name, "lock");
	return -1;
}

/*
 * Add the UUID that LKST generates each time it starts. Recids restart at 0 each time, so readers
 * must not compare the recids of files with different UUIDs.
 */
static void log_write_put_run(const struct lkst_log_options *opt, char system[SNAPSHOT_SYSTEM_MAX])
{
	size_t len = strlen(system);
	char run[LKST_BOOT_TEXT];

	if (!opt->run)
		return;
	lkst_boot_text(opt->run, run);
	snprintf(system + len, SNAPSHOT_SYSTEM_MAX - len, "lkst=%s\n", run);
}

static int write_header(struct lkst_log *log, const struct lkst_log_options *opt,
			struct lkst_error *err)
{
	const struct trace_log chunk = { opt->cpu, opt->serial, opt->limit };
	struct trace_file_header file = {
		.magic = TRACE_MAGIC,
		.byte_order = TRACE_BYTE_ORDER,
		.version = TRACE_VERSION,
		.header_size = sizeof(file),
	};
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	char system[SNAPSHOT_SYSTEM_MAX];
	struct log_ring *ring = &log->ring;
	uint64_t bytes;
	int ret;

	file.checksum = lkst_crc32c(&file, offsetof(struct trace_file_header, checksum));
	snapshot_system(cpus > 0 ? (uint32_t)cpus : 1, system);
	log_write_put_run(opt, system);
	if (trace_pack(&log->packer, TRACE_LOG, NULL, 0, &chunk, sizeof(chunk)) ||
	    trace_pack(&log->packer, TRACE_SYSTEM, NULL, 0, system, strlen(system)))
		return log_no_memory(log, err);
	ring->end = UINT64_MAX;
	ret = log_ring_write_header(ring, &file, sizeof(file));
	if (!ret)
		ret = log_ring_write_header(ring, log->packer.buf, log->packer.len);
	if (ret)
		return log_write_error(log, ret, err);
	if (opt->limit)
		ring->end = (opt->limit > LKST_LOG_LIMIT_MIN ? opt->limit : LKST_LOG_LIMIT_MIN) -
			    END_SIZE;
	bytes = (ring->end - ring->start) / BATCHES_AT_LEAST / 2;
	log->batch_records = bytes / sizeof(struct lkst_event_record) < LKST_CHUNK_RECORDS ?
				     bytes / sizeof(struct lkst_event_record) :
				     LKST_CHUNK_RECORDS;
	return 0;
}

/**
 * lkst_log_create() - create a log file
 * @dir: directory, a file descriptor or AT_FDCWD
 * @name: name of the file in @dir, which must not exist yet
 * @opt: properties; a @limit that is not 0 but less than LKST_LOG_LIMIT_MIN is raised to that
 * @err: set on failure, in which case no file is left
 *
 * The whole file is locked for writing (F_OFD_SETLK) until the log is closed.
 */
struct lkst_log *lkst_log_create(int dir, const char *name, const struct lkst_log_options *opt,
				 struct lkst_error *err)
{
	struct lkst_log *log = new_log(name, opt, err);

	if (!log)
		return NULL;
	if (!log_open_locked(log, dir, err) && !write_header(log, opt, err) &&
	    !log_write_take_symbols(log, opt->kallsyms, err) &&
	    !log_take_texts(log, SHARE_MS, err) && !log_write_preamble(log, err))
		return log;
	if (log->ring.fd >= 0)
		unlinkat(dir, name, 0);
	free_log(log);
	return NULL;
}

/*
 * Write the names of the current threads, because there may be no event with the name of a new
 * thread.
 */
static void write_last_processes(struct lkst_log *log)
{
	const struct texts *texts;

	log->packer.len = 0;
	if (log->preamble_due || log_take_texts(log, SHARE_MS, NULL))
		return;
	texts = log->texts;
	if (!trace_pack(&log->packer, TRACE_PROCESSES, NULL, 0, texts->process,
			texts->processes * sizeof(*texts->process)) &&
	    log->packer.len < log_ring_bytes(log) / BATCHES_AT_LEAST &&
	    log_ring_has_room(&log->ring, log->packer.len))
		log_ring_write(&log->ring, log->packer.buf, log->packer.len, 0);
}

/* Write the files of the processes as they were when the last records were made. */
static void write_last_files(struct lkst_log *log)
{
	const uint64_t before = log->files_serial;

	log->packer.len = 0;
	if (!log->preamble_due && !log_write_pack_files(log) && log->packer.len &&
	    log->files_serial != before && log_ring_has_room(&log->ring, log->packer.len))
		log_ring_write(&log->ring, log->packer.buf, log->packer.len, 0);
}

/*
 * Write the END chunk. Returns 0 or an errno. The chunk is never compressed, so its size is known
 * in advance.
 */
static int write_end(struct lkst_log *log)
{
	struct lkst_chunk_header chunk = { .type = TRACE_END,
					    .length = sizeof(struct trace_end),
					    .raw_length = sizeof(struct trace_end) };
	const struct trace_end end = { .records = log_ring_kept(&log->ring, END_SIZE) };
	uint8_t data[END_SIZE + LOG_RING_SKIP];

	trace_seal(&chunk, lkst_crc32c(&end, sizeof(end)));
	memcpy(data, &chunk, sizeof(chunk));
	memcpy(data + sizeof(chunk), &end, sizeof(end));
	return log_ring_end(&log->ring, data, END_SIZE);
}

/* Complete the file, unless another program has changed it. Returns 0 or an errno. */
static int log_write_finish(struct lkst_log *log)
{
	if (!lkst_log_intact(log))
		return 0;
	if (log->preamble_due)
		log_write_preamble(log, NULL);
	write_last_processes(log);
	write_last_files(log);
	return write_end(log);
}

/**
 * lkst_log_close() - finish a log file
 * @log: freed, even on failure; may be NULL
 * @err: set if the END chunk could not be written; readers then treat the file as truncated
 *
 * If another program has changed the file, this function does not write to it.
 */
int lkst_log_close(struct lkst_log *log, struct lkst_error *err)
{
	int ret;

	if (!log)
		return 0;
	ret = log_write_finish(log);
	if (close(log->ring.fd) && !ret)
		ret = errno;
	log->ring.fd = -1;
	if (ret)
		log_write_error(log, ret, err);
	free_log(log);
	return ret ? -1 : 0;
}
