// SPDX-License-Identifier: GPL-2.0
/*
 * added_control DEFINITION...: add or remove events. Prints the event type of each, or
 * "POSITION: MESSAGE" (positions from 1) or the name of the errno on standard error.
 * added_control --list: print each added event: event type, flags, faults and definition.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include <linux/lkst_event.h>

static int list(int fd)
{
	char text[LKST_EVENT_TEXT_MAX];
	struct lkst_event_param param = {};

	for (;;) {
		param.text = (uintptr_t)text;
		param.text_size = sizeof(text);
		if (ioctl(fd, LKST_IOC_EVENT_READ, &param))
			return errno != ENOENT;
		printf("0x%03x%s%s faults=%llu missed=%llu %.*s\n", param.event_type,
		       param.flags & LKST_EVENT_ON ? " on" : "",
		       param.flags & LKST_EVENT_GONE ? " gone" : "",
		       (unsigned long long)param.faults, (unsigned long long)param.missed,
		       (int)param.text_size, text);
		param.event_type++;
	}
}

static int control(int fd, const char *text)
{
	char error[LKST_EVENT_ERROR_LEN] = "";
	struct lkst_event_param param = {
		.text = (uintptr_t)text,
		.text_size = strlen(text),
		.error = (uintptr_t)error,
		.error_size = sizeof(error),
	};

	if (!ioctl(fd, LKST_IOC_EVENT_CONTROL, &param)) {
		printf("0x%03x\n", param.event_type);
		return 0;
	}
	if (errno == EINVAL && *error)
		fprintf(stderr, "%u: %s\n", param.error_at + 1, error);
	else
		fprintf(stderr, "%s\n", strerrorname_np(errno));
	return 1;
}

int main(int argc, char *argv[])
{
	int fd = open("/dev/lkst", O_RDWR), failed = 0;

	if (fd < 0) {
		perror("/dev/lkst");
		return 1;
	}
	if (argc == 2 && !strcmp(argv[1], "--list"))
		return list(fd);
	for (int i = 1; i < argc; i++)
		failed |= control(fd, argv[i]);
	return failed;
}
