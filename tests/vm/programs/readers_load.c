// SPDX-License-Identifier: GPL-2.0
/*
 * readers_load [other] [stay] [FD]: register the events rd_start and rd_stop, print "registered",
 * and wait for a line on standard input. Then print whether each event is enabled, record each
 * enabled event three times, and print "recorded". FD is an open file for user events; by default,
 * the program opens LKST's. "other": the events are other_start and other_stop. "stay": wait until
 * killed.
 *
 * readers_load nobody COMMAND...: run the command as a user without privileges.
 */
#include <linux/lkst_user_events.h>
#include <fcntl.h>
#include <grp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include "tap.h"

#define ROUNDS 3

struct event {
	const char *text;
	uint32_t enabled;
	uint32_t index;
};

static struct event start = { .text = "rd_start u32 id; char[16] kind; s64 size" };
static struct event stop = { .text = "rd_stop u32 id; s32 result; __rel_loc char[] msg" };

static void add(int fd, struct event *event)
{
	struct lkst_user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(event->enabled),
		.enable_addr = (uintptr_t)&event->enabled,
		.name_args = (uintptr_t)event->text,
	};

	bail_if(ioctl(fd, LKST_USER_REG, &reg), event->text);
	event->index = reg.write_index;
}

static void put(int fd, struct event *event, void *payload, size_t size)
{
	struct iovec part[] = { { &event->index, sizeof(event->index) }, { payload, size } };

	if (*(volatile uint32_t *)&event->enabled)
		bail_if(writev(fd, part, 2) < 0, event->text);
}

int main(int argc, char **argv)
{
	bool stay = false;
	char line[16];
	int fd = -1;

	if (argc > 2 && !strcmp(argv[1], "nobody")) {
		bail_if(setgroups(0, NULL) || setgid(65534) || setuid(65534), "nobody");
		execvp(argv[2], argv + 2);
		bail_if(true, argv[2]);
	}
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "stay")) {
			stay = true;
		} else if (!strcmp(argv[i], "other")) {
			start.text = "other_start u32 id; char[16] kind; s64 size";
			stop.text = "other_stop u32 id; s32 result; __rel_loc char[] msg";
		} else {
			fd = atoi(argv[i]);
		}
	}
	if (fd < 0)
		fd = open("/dev/lkst_user_events", O_RDWR);

	bail_if(fd < 0, "/dev/lkst_user_events");
	add(fd, &start);
	add(fd, &stop);
	printf("registered\n");
	fflush(stdout);
	bail_if(!fgets(line, sizeof(line), stdin), "no line");
	printf("start %u stop %u\n", *(volatile uint32_t *)&start.enabled,
	       *(volatile uint32_t *)&stop.enabled);
	for (uint32_t id = 1; id <= ROUNDS; id++) {
		struct {
			uint32_t id;
			char kind[16];
			int64_t size;
		} __attribute__((packed)) begin = { id, "read", -(int64_t)id };
		struct {
			uint32_t id;
			int32_t result;
			uint32_t loc;
			char msg[48];
		} __attribute__((packed)) end = { id, -(int32_t)id, sizeof(end.msg) << 16,
						  "the request has been answered: a long text" };

		put(fd, &start, &begin, sizeof(begin));
		put(fd, &stop, &end, sizeof(end));
	}
	printf("recorded\n");
	fflush(stdout);
	if (stay)
		pause();
	return 0;
}
