// SPDX-License-Identifier: GPL-2.0
/*
 * LTTng's kernel modules. This file controls them as lttng-sessiond does for a session with
 * snapshots. lttng/abi.h is part of the sources of the modules.
 */
#include <fcntl.h>
#include <stdint.h>
#include <lttng/abi.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tap.h"
#include "tracers.h"

/* From LTTng's ringbuffer/vfs.h, which user programs cannot include. */
#define SAMPLE_POSITIONS _IO(0xF6, 0x0E)
#define GET_PRODUCED	 _IOR(0xF6, 0x02, unsigned long)

#define SUBBUFFER_SIZE (1 << 20)
#define SUBBUFFERS     4

static const struct {
	const char *name;
	unsigned int instrumentation;
} events_of[EVENTS_NUM] = {
	[EVENTS_GETPPID] = { "getppid", LTTNG_KERNEL_ABI_SYSCALL }, /* entry and exit by default */
	[EVENTS_SWITCH] = { "sched_switch", LTTNG_KERNEL_ABI_TRACEPOINT },
};

static int session = -1, channel, stream, event;

static int need_fd(int fd, const char *msg)
{
	if (fd < 0)
		bail_out(msg);
	return fd;
}

static void lttng_on(enum events events)
{
	struct lttng_kernel_abi_channel channel_param = {
		.subbuf_size = SUBBUFFER_SIZE,
		.num_subbuf = SUBBUFFERS,
		.output = LTTNG_KERNEL_ABI_MMAP,
		.overwrite = 1,
	};
	struct lttng_kernel_abi_event event_param = {
		.instrumentation = events_of[events].instrumentation,
	};
	int lttng = need_fd(open("/proc/lttng", O_RDWR), "/proc/lttng");

	strcpy(event_param.name, events_of[events].name);
	session = need_fd(ioctl(lttng, LTTNG_KERNEL_ABI_SESSION), "LTTng's session");
	close(lttng);
	channel = need_fd(ioctl(session, LTTNG_KERNEL_ABI_CHANNEL, &channel_param),
			  "LTTng's channel");
	event = need_fd(ioctl(channel, LTTNG_KERNEL_ABI_EVENT, &event_param), "LTTng's event");
	stream = need_fd(ioctl(channel, LTTNG_KERNEL_ABI_STREAM), "LTTng's stream of CPU 0");
	need_fd(ioctl(event, LTTNG_KERNEL_ABI_ENABLE), "LTTng's event");
	need_fd(ioctl(session, LTTNG_KERNEL_ABI_SESSION_START), "LTTng's start");
}

static void lttng_off(void)
{
	need_fd(ioctl(session, LTTNG_KERNEL_ABI_SESSION_STOP), "LTTng's stop");
	close(event);
	close(stream);
	close(channel);
	close(session);
}

static uint64_t lttng_recorded(void)
{
	unsigned long produced;

	need_fd(ioctl(stream, SAMPLE_POSITIONS), "LTTng's position");
	need_fd(ioctl(stream, GET_PRODUCED, &produced), "LTTng's position");
	return produced;
}

const struct tracer lttng_tracer = { "lttng", lttng_on, lttng_off, lttng_recorded, 1 };
