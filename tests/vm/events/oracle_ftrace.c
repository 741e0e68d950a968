// SPDX-License-Identifier: GPL-2.0
/*
 * The ftrace side of the oracle: record the same events as LKST, and decode the pages of ftrace's
 * ring buffers.
 */
#include <fcntl.h>
#include <limits.h>
#include <time.h>
#include <unistd.h>

#include "oracle_ftrace.h"
#include "tap.h"

#define TRACING		"/sys/kernel/tracing/"
#define BUFFER_KB	"65536"
#define PAGE_LEN	4096
#define EVENT_TYPES	4096

/* Bits of common_flags and common_preempt_count, which each record of ftrace has. */
#define FTRACE_NEED_RESCHED	0x04
#define FTRACE_HARDIRQ		0x08
#define FTRACE_SOFTIRQ		0x10
#define FTRACE_NMI		0x40
#define FTRACE_PREEMPT_COUNT	0x0f

/* For each of ftrace's event numbers, the number of the source plus 1, or 0 for no source. */
static unsigned short source_of[EVENT_TYPES];

/* Time of day minus CLOCK_MONOTONIC, which is ftrace's clock here, in ns. */
static int64_t wall_offset;

/* Setting ftrace up */

static void put(const char *path, const char *value)
{
	char full[PATH_MAX];
	int fd;

	snprintf(full, sizeof(full), TRACING "%s", path);
	fd = open(full, O_WRONLY | O_TRUNC);
	bail_if(fd < 0 || (*value && write(fd, value, strlen(value)) < 0), full);
	close(fd);
}

char *ftrace_get(const char *path)
{
	static char buffer[256 << 10];
	char full[PATH_MAX];
	size_t len = 0;
	ssize_t n;
	int fd;

	snprintf(full, sizeof(full), TRACING "%s", path);
	fd = open(full, O_RDONLY);
	bail_if(fd < 0, full);
	while ((n = read(fd, buffer + len, sizeof(buffer) - 1 - len)) > 0)
		len += n;
	close(fd);
	buffer[len] = 0;
	return buffer;
}

static int64_t ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

/*
 * Set wall_offset. Read CLOCK_MONOTONIC, CLOCK_REALTIME, and CLOCK_MONOTONIC again, many times. Use
 * the round in which the two readings of CLOCK_MONOTONIC are closest together.
 */
static void measure_wall_offset(void)
{
	int64_t best = INT64_MAX;

	for (unsigned int i = 0; i < 1000; i++) {
		int64_t before = ns(CLOCK_MONOTONIC), wall = ns(CLOCK_REALTIME);
		int64_t took = ns(CLOCK_MONOTONIC) - before;

		if (took >= best)
			continue;
		best = took;
		wall_offset = wall - before - took / 2;
	}
}

static void enable_events(enum group group)
{
	const char *name;
	char path[PATH_MAX];
	unsigned int id;

	memset(source_of, 0, sizeof(source_of));
	for (unsigned int i = 0; i < SOURCES; i++) {
		name = source_enable(i, &id);
		if (!name || !source_in_group(i, group))
			continue;
		bail_if(id >= EVENT_TYPES, name);
		source_of[id] = i + 1;
		snprintf(path, sizeof(path), "events/%s/enable", name);
		put(path, "1");
	}
}

void ftrace_begin(enum group group)
{
	complete_begin();
	measure_wall_offset();
	put("tracing_on", "0");
	put("current_tracer", "nop");
	put("trace_clock", "mono");
	put("buffer_size_kb", BUFFER_KB);
	put("events/enable", "0");
	enable_events(group);
	put("trace", "");
	put("tracing_on", "1");
}

void ftrace_end(void)
{
	put("tracing_on", "0");
}

void ftrace_restore(void)
{
	put("events/enable", "0");
	put("trace", "");
	put("buffer_size_kb", "1408");
	put("trace_clock", "local");
	put("tracing_on", "1");
}

/* Reading ftrace's buffers */

static void decode(struct trace *trace, const unsigned char *data, uint64_t time, int cpu)
{
	uint8_t flags = data[2], preempt_count = data[3] & FTRACE_PREEMPT_COUNT;
	struct event event = {};
	int32_t thread;
	uint16_t type;

	memcpy(&type, data, sizeof(type));
	memcpy(&thread, data + 4, sizeof(thread));
	if (type >= EVENT_TYPES || !source_of[type])
		return;
	event.time = time + wall_offset;
	event.thread = thread;
	event.context = flags & FTRACE_NMI ? IN_NMI :
			flags & FTRACE_HARDIRQ ? IN_HARDIRQ :
			flags & FTRACE_SOFTIRQ ? IN_SOFTIRQ : IN_TASK;
	event.preempt_off = preempt_count;
	event.need_resched = flags & FTRACE_NEED_RESCHED;
	source_decode(source_of[type] - 1, &event, data, cpu);

	/* Keep the records from the first mark to the second. */
	if (trace->num ? !is_mark(&trace->events[trace->num - 1], MARK_END) :
			 is_mark(&event, MARK_BEGIN))
		trace_add(trace, &event);
}

/*
 * Decode a page: a timestamp, the length of the data, and the data (see events/header_page in
 * tracefs). Return NULL, or a message that says what is wrong.
 */
static const char *decode_page(struct trace *trace, const unsigned char *page, int cpu)
{
	const unsigned char *data = page + 16, *end;
	uint64_t time, commit;

	memcpy(&time, page, sizeof(time));
	memcpy(&commit, page + 8, sizeof(commit));
	if (commit & (3UL << 30))
		return "ftrace lost events";
	end = data + (commit & 0xfffff);
	while (data < end) {
		uint32_t words[2];
		unsigned int type;
		uint64_t delta;

		memcpy(words, data, sizeof(words));
		data += 4;
		type = words[0] & 0x1f;
		delta = words[0] >> 5;
		switch (type) {
		case 29: /* padding, which fills the rest of the page if its time is 0 */
			if (!delta)
				return NULL;
			time += delta;
			data += words[1];
			break;
		case 30: /* time extension */
			time += delta + ((uint64_t)words[1] << 27);
			data += 4;
			break;
		case 31: /* absolute time without its highest bits, which do not change for years */
			time = (time & ~((1UL << 59) - 1)) | (delta + ((uint64_t)words[1] << 27));
			data += 4;
			break;
		default: /* a record; if the type is 0, its length is in the second word */
			time += delta;
			decode(trace, data + (type ? 0 : 4), time, cpu);
			data += type ? type * 4 : words[1];
		}
	}
	return NULL;
}

static const char *check_room(int cpu)
{
	static const char *const counters[] = { "\noverrun: ", "\ncommit overrun: ",
						"\ndropped events: " };
	char path[PATH_MAX], *stats;

	snprintf(path, sizeof(path), "per_cpu/cpu%d/stats", cpu);
	stats = ftrace_get(path);
	for (unsigned int i = 0; i < 3; i++) {
		const char *value = strstr(stats, counters[i]);

		if (!value || atol(value + strlen(counters[i])))
			return "ftrace's buffer was too small, or it lost events";
	}
	return NULL;
}

static const char *load_cpu(int cpu, struct trace *trace)
{
	static unsigned char page[PAGE_LEN] __attribute__((aligned(8)));
	const char *problem = check_room(cpu);
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), TRACING "per_cpu/cpu%d/trace_pipe_raw", cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK);
	bail_if(fd < 0, path);
	while (!problem && read(fd, page, sizeof(page)) > 0)
		problem = decode_page(trace, page, cpu);
	close(fd);
	if (!problem && (!trace->num || !is_mark(&trace->events[trace->num - 1], MARK_END)))
		problem = "ftrace does not have both marks";
	return problem;
}

const char *ftrace_load(struct trace traces[ORACLE_CPUS])
{
	const char *problem = NULL;

	for (int cpu = 0; cpu < ORACLE_CPUS && !problem; cpu++)
		problem = load_cpu(cpu, &traces[cpu]);
	if (!problem)
		complete(traces);
	return problem;
}
