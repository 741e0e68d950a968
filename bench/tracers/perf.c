// SPDX-License-Identifier: GPL-2.0
/*
 * perf, with the same parameters of perf_event_open() as "perf record --overwrite": each event is a
 * sample, and samples are written backward to one buffer.
 */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"
#include "tracers.h"

#define PAGE	   4096
#define DATA_PAGES 1024
#define DATA_SIZE  (DATA_PAGES * PAGE)

static int fds[TRACEPOINTS_MAX];
static unsigned int fd_num;
static struct perf_event_mmap_page *buffer;
static uint64_t last_head, sum;

static int open_event(const char *tracepoint)
{
	char id[32];
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			       PERF_SAMPLE_RAW,
		.write_backward = 1,
		.watermark = 1,
		.wakeup_watermark = DATA_SIZE,
	};
	int fd;

	read_tracefs(id, sizeof(id), "events/%s/id", tracepoint);
	attr.config = strtoull(id, NULL, 10);
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		bail_out("perf_event_open");
	return fd;
}

static void perf_on(enum events events)
{
	for (fd_num = 0; tracepoints[events][fd_num]; fd_num++) {
		fds[fd_num] = open_event(tracepoints[events][fd_num]);
		if (fd_num && ioctl(fds[fd_num], PERF_EVENT_IOC_SET_OUTPUT, fds[0]))
			bail_out("PERF_EVENT_IOC_SET_OUTPUT");
		if (fd_num)
			continue;
		buffer = mmap(NULL, PAGE + DATA_SIZE, PROT_READ, MAP_SHARED, fds[0], 0);
		if (buffer == MAP_FAILED)
			bail_out("mmap of perf's buffer");
	}
	last_head = 0;
	sum = 0;
}

static void perf_off(void)
{
	while (fd_num)
		close(fds[--fd_num]);
	munmap(buffer, PAGE + DATA_SIZE);
}

/*
 * Returns the number of samples since perf_on(). Counts the samples since the last call, beginning
 * with the newest. The buffer must have room for all of them.
 */
static uint64_t perf_recorded(void)
{
	uint64_t head = __atomic_load_n(&buffer->data_head, __ATOMIC_ACQUIRE), at = head;

	while (at != last_head) {
		const struct perf_event_header *header =
			(void *)((char *)buffer + PAGE + at % DATA_SIZE);

		sum += header->type == PERF_RECORD_SAMPLE;
		at += header->size;
	}
	last_head = head;
	return sum;
}

const struct tracer perf_tracer = { "perf", perf_on, perf_off, perf_recorded };
