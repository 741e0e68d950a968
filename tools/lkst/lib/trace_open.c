// SPDX-License-Identifier: LGPL-2.1
/* Opening a trace file, and what it says about itself. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crc32c.h"
#include "messages.h"
#include "trace_reader.h"

#define REPORTS_MAX 16

/**
 * trace_report() - tell of what is damaged, unknown or missing
 * @trace: trace
 * @format: as for printf()
 */
void trace_report(struct lkst_trace *trace, const char *format, ...)
{
	char text[512];
	va_list args;
	int len;

	if (trace->reports > REPORTS_MAX)
		return;
	len = snprintf(text, sizeof(text), "%s: ", trace->name);
	if (len < 0 || (size_t)len >= sizeof(text))
		len = 0;
	if (trace->reports++ == REPORTS_MAX) {
		snprintf(text + len, sizeof(text) - (size_t)len,
			 "more is damaged, which is not reported one by one");
	} else {
		va_start(args, format);
		vsnprintf(text + len, sizeof(text) - (size_t)len, format, args);
		va_end(args);
	}
	if (trace->hooks.report)
		trace->hooks.report(trace->hooks.ctx, text);
}

/**
 * trace_read_at() - read at a place of the file
 * @trace: trace
 * @buf: for the bytes
 * @len: how many
 * @offset: place
 * @err: why not
 *
 * Return: how many there were, up to @len; -1 on an error.
 */
ssize_t trace_read_at(struct lkst_trace *trace, void *buf, size_t len, uint64_t offset,
		      struct lkst_error *err)
{
	size_t done = 0;

	while (done < len) {
		ssize_t n =
			pread(trace->fd, (char *)buf + done, len - done, (off_t)(offset + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			lkst_error_system(err, errno, trace->name, "read");
			return -1;
		}
		if (!n)
			break;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

/* What a file that is no trace seems to be. */
static const char *looks_like(const uint8_t *head, size_t len, char *text, size_t size)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *what;
	} known[] = {
		{ "\177ELF", 4, "an ELF file (a program or a memory image)" },
		{ "KDUMP   ", 8, "a kdump-compressed memory image" },
		{ "\037\213", 2, "a gzip file (decompress it first)" },
		{ "\3757zXZ", 6, "an xz file (decompress it first)" },
		{ "\050\265\057\375", 4, "a zstd file (decompress it first)" },
		{ "BZh", 3, "a bzip2 file (decompress it first)" },
		{ "PK\003\004", 4, "a zip file" },
		{ "\027\010\104tracing", 10, "a trace.dat of trace-cmd" },
		{ "PERFILE2", 8, "a perf.data of perf" },
		{ "\301\037\374\301", 4, "a CTF stream (LTTng)" },
		{ "# lkst_etypes", 13, "a list of event types (option -E takes it)" },
	};
	size_t strange = 0; /* bytes beyond ASCII */
	bool printable = true;
	int n;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (len >= known[i].len && !memcmp(head, known[i].magic, known[i].len))
			return known[i].what;
	for (size_t i = 0; i < len; i++) {
		printable &= (head[i] >= 0x20 && head[i] != 0x7f) ||
			     (head[i] >= '\t' && head[i] <= '\r');
		strange += head[i] >= 0x80;
	}
	if (printable && strange <= len / 2)
		return "text (a trace that was printed cannot be read back)";
	n = snprintf(text, size, "something else: it begins with");
	for (size_t i = 0; i < len && i < 8 && n > 0 && (size_t)n < size; i++)
		n += snprintf(text + n, size - (size_t)n, " %02x", head[i]);
	return text;
}

static int check_head(struct lkst_trace *trace, const uint8_t *raw, size_t len,
		      uint64_t *first_chunk, struct lkst_error *err)
{
	struct trace_file_header head = { 0 };
	char text[80];

	memcpy(&head, raw, len < sizeof(head) ? len : sizeof(head));
	if (!len) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_EMPTY_FILE, trace->name);
		return -1;
	}
	if (memcmp(head.magic, TRACE_MAGIC, len < 8 ? len : 8)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_FOREIGN, trace->name,
			       looks_like(raw, len, text, sizeof(text)));
		return -1;
	}
	if (len < sizeof(head)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_SHORT_HEADER, trace->name,
			       (unsigned long long)len);
		return -1;
	}
	trace->swapped = head.byte_order == TRACE_BYTE_ORDER_SWAPPED;
	if (!trace->swapped && head.byte_order != TRACE_BYTE_ORDER) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, trace->name, "byte order");
		return -1;
	}
	if (trace->swapped) {
		TRACE_SWAP(head.version);
		TRACE_SWAP(head.header_size);
		TRACE_SWAP(head.checksum);
	}
	if (head.checksum != lkst_crc32c(raw, offsetof(struct trace_file_header, checksum))) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, trace->name, "checksum");
		return -1;
	}
	if (head.version > TRACE_VERSION) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_VERSION, trace->name, head.version,
			       TRACE_VERSION);
		return -1;
	}
	if (head.header_size < sizeof(head)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_HEADER_DAMAGED, trace->name, "size");
		return -1;
	}
	*first_chunk = trace_padded(head.header_size);
	return 0;
}

static ssize_t read_some(int fd, uint8_t *buf, size_t len)
{
	size_t done = 0;
	ssize_t n = 1;

	while (n && done < len) {
		n = read(fd, buf + done, len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		done += (size_t)n;
	}
	return (ssize_t)done;
}

static void temporary_error(int sys_errno, struct lkst_error *err)
{
	char name[512];

	snprintf(name, sizeof(name), MSG_TEMPORARY, lkst_temporary_dir());
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_WRITE, name, strerror(sys_errno), MSG_TMPDIR);
	if (err)
		err->sys_errno = sys_errno;
}

/* Put what comes from a pipe into a file that has no name. */
static int spill(struct lkst_trace *trace, const uint8_t *head, size_t len, struct lkst_error *err)
{
	size_t size = 256 * 1024;
	uint8_t *buf = malloc(size);
	int to = lkst_temporary_file(err);
	ssize_t n = (ssize_t)len;

	if (!buf || to < 0) {
		if (!buf)
			lkst_error_memory(err, trace->name);
		goto fail;
	}
	memcpy(buf, head, len);
	while (n > 0) {
		ssize_t done = 0;

		while (done < n) {
			ssize_t m = write(to, buf + done, (size_t)(n - done));

			if (m < 0 && errno != EINTR) {
				temporary_error(errno, err);
				goto fail;
			}
			done += m > 0 ? m : 0;
		}
		n = read_some(trace->fd, buf, size);
	}
	if (n < 0) {
		lkst_error_system(err, errno, trace->name, "read");
		goto fail;
	}
	free(buf);
	if (trace->own_fd)
		close(trace->fd);
	trace->fd = to;
	trace->own_fd = true;
	return 0;

fail:
	free(buf);
	if (to >= 0)
		close(to);
	return -1;
}

/* What cannot be understood is left out: numbers are printed then. */
static void parse_texts(struct lkst_trace *trace)
{
	struct lkst_context *context = &trace->context;
	struct lkst_error why;

	if (trace->values) {
		context->values = lkst_values_parse(trace->values, strlen(trace->values),
						    "names of values", &why);
		if (!context->values)
			trace_report(trace, "%s: numbers are shown", why.text);
	}
	if (trace->symbols) {
		context->symbols =
			lkst_symbols_parse(trace->symbols, strlen(trace->symbols), "symbols", &why);
		if (!context->symbols)
			trace_report(trace, "%s: addresses are shown", why.text);
	}
}

static int open_trace(struct lkst_trace *trace, struct lkst_error *err)
{
	uint8_t head[sizeof(struct trace_file_header)];
	uint64_t first_chunk;
	struct stat st;
	ssize_t n;

	if (fstat(trace->fd, &st)) {
		lkst_error_system(err, errno, trace->name, "stat");
		return -1;
	}
	if (S_ISDIR(st.st_mode)) {
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_DIRECTORY, trace->name);
		return -1;
	}
	n = S_ISREG(st.st_mode) ? trace_read_at(trace, head, sizeof(head), 0, err) :
				  read_some(trace->fd, head, sizeof(head));
	if (n < 0) {
		lkst_error_system(err, errno, trace->name, "read");
		return -1;
	}
	if (check_head(trace, head, (size_t)n, &first_chunk, err))
		return -1;
	if (!S_ISREG(st.st_mode) && (spill(trace, head, (size_t)n, err) || fstat(trace->fd, &st)))
		return -1;
	trace->size = (uint64_t)st.st_size;

	trace->context.names = lkst_names_new();
	if (!trace->context.names) {
		lkst_error_memory(err, trace->name);
		return -1;
	}
	if (trace_scan(trace, first_chunk, err) || trace_make_lanes(trace, err))
		return -1;
	parse_texts(trace);
	lkst_names_settle(trace->context.names);
	return 0;
}

static struct lkst_trace *new_trace(int fd, bool own_fd, const char *name,
				    const struct lkst_trace_hooks *hooks, struct lkst_error *err)
{
	struct lkst_trace *trace = calloc(1, sizeof(*trace));

	if (trace)
		trace->name = strdup(name);
	if (!trace || !trace->name) {
		free(trace);
		if (own_fd)
			close(fd);
		lkst_error_memory(err, name);
		return NULL;
	}
	trace->fd = fd;
	trace->own_fd = own_fd;
	if (hooks)
		trace->hooks = *hooks;
	if (open_trace(trace, err)) {
		lkst_trace_close(trace);
		return NULL;
	}
	return trace;
}

/**
 * lkst_trace_open() - open a trace file
 * @path: file; "-" is standard input
 * @hooks: whom to tell of damage and progress; may be NULL
 * @err: why it cannot be read at all
 *
 * A file that is damaged or cut off opens: what can be read of it is read.
 */
struct lkst_trace *lkst_trace_open(const char *path, const struct lkst_trace_hooks *hooks,
				   struct lkst_error *err)
{
	int fd;

	if (!strcmp(path, "-"))
		return new_trace(STDIN_FILENO, false, "standard input", hooks, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		lkst_error_system(err, errno, path, "open");
		return NULL;
	}
	return new_trace(fd, true, path, hooks, err);
}

/**
 * lkst_trace_open_fd() - open a trace that is on a file descriptor
 * @fd: stays the caller's, must stay open
 * @name: for errors
 * @hooks: as for lkst_trace_open()
 * @err: likewise
 */
struct lkst_trace *lkst_trace_open_fd(int fd, const char *name,
				      const struct lkst_trace_hooks *hooks, struct lkst_error *err)
{
	return new_trace(fd, false, name, hooks, err);
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
	free(trace->stream);
	free(trace->ref);
	free(trace->lane);
	free(trace->clock);
	free(trace->system);
	free(trace->etypes);
	free(trace->values);
	free(trace->symbols);
	lkst_names_free(trace->context.names);
	lkst_values_free(trace->context.values);
	lkst_symbols_free(trace->context.symbols);
	if (trace->own_fd)
		close(trace->fd);
	free(trace->name);
	free(trace);
}

/* ---- what the trace says about itself ---- */

/**
 * lkst_trace_etypes() - the event types of a trace
 * @trace: trace
 * @err: no memory
 *
 * Return: those of the file; where it has none that can be read, the embedded ones.
 */
struct lkst_etypes *lkst_trace_etypes(struct lkst_trace *trace, struct lkst_error *err)
{
	struct lkst_etypes *types = NULL;
	struct lkst_error why;

	if (trace->etypes)
		types = lkst_etypes_parse(trace->etypes, trace->etypes_len, "event types", &why);
	if (types)
		return types;
	trace_report(trace,
		     "no event types in the file that can be read%s%s: those of this tool are used",
		     trace->etypes ? ": " : "", trace->etypes ? why.text : "");
	return lkst_etypes_embedded(err);
}

/**
 * lkst_trace_system() - what the SYSTEM chunk says
 * @trace: trace
 * @key: for example "kernel"
 * @len: of the value
 *
 * Return: the value, not ended by 0; NULL when there is none.
 */
const char *lkst_trace_system(const struct lkst_trace *trace, const char *key, size_t *len)
{
	const char *line = trace->system;
	size_t key_len = strlen(key);

	while (line) {
		if (!strncmp(line, key, key_len) && line[key_len] == '=') {
			line += key_len + 1;
			*len = strcspn(line, "\n");
			return line;
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return NULL;
}

/**
 * lkst_trace_context() - what a trace tells of the kernel that recorded
 * @trace: keeps it
 */
const struct lkst_context *lkst_trace_context(const struct lkst_trace *trace)
{
	return &trace->context;
}

/**
 * lkst_trace_has_cpu() - whether a trace has records of a CPU
 * @trace: trace
 * @cpu: CPU
 */
bool lkst_trace_has_cpu(const struct lkst_trace *trace, int32_t cpu)
{
	return cpu >= 0 && cpu < TRACE_CPUS && (trace->cpus[cpu / 64] >> cpu % 64 & 1);
}

/**
 * lkst_trace_has_type() - whether a trace has records of an event type
 * @trace: trace
 * @type: event type
 */
bool lkst_trace_has_type(const struct lkst_trace *trace, uint32_t type)
{
	return type < LKST_ETYPE_NUM && trace->types[type];
}

/**
 * lkst_trace_cpu_text() - the CPUs of a trace, as in "CPUs 0-3,6"
 * @trace: trace
 * @text: result
 * @size: of @text
 */
void lkst_trace_cpu_text(const struct lkst_trace *trace, char *text, size_t size)
{
	lkst_cpu_set_text(trace->cpus, TRACE_CPUS, text, size);
}

/**
 * lkst_trace_records() - how many records a trace has
 * @trace: trace
 */
uint64_t lkst_trace_records(const struct lkst_trace *trace)
{
	return trace->records;
}

/**
 * lkst_trace_incomplete() - whether anything was reported as damaged, unknown or missing
 * @trace: trace
 */
bool lkst_trace_incomplete(const struct lkst_trace *trace)
{
	return trace->reports;
}

/**
 * lkst_trace_buffers() - how many buffers a trace has records of
 * @trace: trace
 */
size_t lkst_trace_buffers(const struct lkst_trace *trace)
{
	return trace->streams;
}

/**
 * lkst_trace_buffer() - a buffer of a trace
 * @trace: trace
 * @i: below lkst_trace_buffers()
 * @buffer: result
 */
void lkst_trace_buffer(const struct lkst_trace *trace, size_t i, struct lkst_trace_buffer *buffer)
{
	*buffer = trace->stream[i].info;
}
