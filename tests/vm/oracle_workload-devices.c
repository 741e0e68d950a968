// SPDX-License-Identifier: GPL-2.0
/*
 * The workload for the group devices: timers that expire and timers that do not, a block device,
 * modules, and going to sleep, which is called off.
 */
#include <linux/fs.h>
#include <linux/loop.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "oracle_workload.h"

/* Beside the program, whose directory is the parent of that for files. */
#define MODULE		"lkst_sample"

/* Waiting that ends with the time: timers in jiffies. */
static void work_timeouts(void)
{
	struct timeval wait = { 0, 5000 };
	int fds[2], i;
	char byte;

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) ||
	    setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)))
		die("socketpair");
	for_each_round(i, 300) {
		if (i % 3 == 0 && write(fds[1], "", 1) != 1)
			die("write");
		if (recv(fds[0], &byte, 1, 0) < 0 && errno != EAGAIN)
			die("recv");
	}
}

/* High-resolution timers that are set again before they expire, and some that do. */
static void work_alarms(void)
{
	struct itimerspec spec = {};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0), i;

	if (fd < 0)
		die("timerfd");
	for_each_round(i, 3000) {
		spec.it_value.tv_nsec = i % 10 ? 500000000 + i : 100000;
		timerfd_settime(fd, 0, &spec, NULL);
		if (i % 10 == 0)
			pause_us(300);
	}
	close(fd);
}

static void work_sleep(void)
{
	int i;

	for_each_round(i, 1000)
		pause_us(i % 20 * 100);
}

/* Waiting with a limit, for what comes before it: timers that are allowed to be late, and are deleted. */
static void work_poll(void)
{
	int ends[2], i;
	char byte;
	pid_t pid;

	if (pipe(ends))
		die("pipe");
	pid = start();
	if (!pid) {
		close(ends[0]);
		for_each_round(i, 500) {
			pause_us(300);
			if (write(ends[1], "", 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	close(ends[1]);
	do {
		struct pollfd readable = { .fd = ends[0], .events = POLLIN };

		if (poll(&readable, 1, 2000) < 0)
			die("poll");
	} while (read(ends[0], &byte, 1) == 1);
	if (finish(pid))
		die("poll");
	close(ends[0]);
}

/* A block device that is a file in memory. */
static int open_device(int *file)
{
	char path[32];
	int control = open("/dev/loop-control", O_RDWR), number, fd;

	*file = memfd_create("oracle", MFD_ALLOW_SEALING);
	if (control < 0 || *file < 0 || ftruncate(*file, 8 << 20))
		die("memfd");
	number = ioctl(control, LOOP_CTL_GET_FREE);
	close(control);
	snprintf(path, sizeof(path), "/dev/loop%d", number);
	fd = open(path, O_RDWR | O_DIRECT);
	if (number < 0 || fd < 0 || ioctl(fd, LOOP_SET_FD, *file))
		die(path);
	return fd;
}

static void work_block(void)
{
	static char data[65536] __attribute__((aligned(4096)));
	uint64_t range[2] = { 1 << 20, 1 << 18 };
	int file, fd = open_device(&file), i;

	for_each_round(i, 400) {
		off_t at = i * 4096L % (4 << 20);

		if (pwrite(fd, data, 4096 << i % 5, at) < 0 || pread(fd, data, 512 << i % 8, at) < 0)
			die("loop");
		if (i % 10 == 0 && fsync(fd))
			die("fsync");
		if (i % 40 == 0 && ioctl(fd, BLKDISCARD, range))
			die("BLKDISCARD");
		if (i % 40 == 20 && ioctl(fd, BLKZEROOUT, range))
			die("BLKZEROOUT");
	}
	/* Now it cannot be written any more. */
	if (fcntl(file, F_ADD_SEALS, F_SEAL_WRITE))
		die("F_SEAL_WRITE");
	for_each_round(i, 5)
		if (pwrite(fd, data, 4096, i * 4096L) >= 0)
			die("a write that must fail");
	ioctl(fd, LOOP_CLR_FD);
	close(fd);
	close(file);
}

static void work_modules(void)
{
	int i;

	for_each_round(i, 5) {
		int fd = open("../modules/" MODULE ".ko", O_RDONLY | O_CLOEXEC);

		if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
			die(MODULE ".ko");
		close(fd);
		if (syscall(SYS_delete_module, MODULE, O_NONBLOCK))
			die(MODULE);
	}
}

/* Something that keeps the machine awake happens after it was asked to sleep if nothing does. */
static void try_to_suspend(int event, int epoll)
{
	struct epoll_event happened;
	char count[32] = {};
	uint64_t one = 1;
	int fd = open("/sys/power/wakeup_count", O_RDONLY);

	if (fd < 0 || read(fd, count, sizeof(count) - 1) <= 0)
		die("/sys/power/wakeup_count");
	close(fd);
	put_file("/sys/power/wakeup_count", count);
	if (write(event, &one, sizeof(one)) != sizeof(one))
		die("eventfd");
	fd = open("/sys/power/state", O_WRONLY);
	if (fd < 0 || write(fd, "freeze", 6) >= 0 || errno != EBUSY)
		die("/sys/power/state");
	close(fd);

	/* It is seen, taken, and seen to be gone. */
	if (epoll_wait(epoll, &happened, 1, 0) != 1 || read(event, &one, sizeof(one)) < 0 ||
	    epoll_wait(epoll, &happened, 1, 0))
		die("epoll");
}

static void work_suspend(void)
{
	struct epoll_event wanted = { .events = EPOLLIN | EPOLLWAKEUP };
	int event = eventfd(0, 0), epoll = epoll_create1(0), i;

	if (event < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, event, &wanted))
		die("epoll");
	for_each_round(i, 3)
		try_to_suspend(event, epoll);
}

const struct workload devices_workload = {
	.together = {
		work_timeouts,	  work_alarms,	work_sleep, work_poll, work_block,
		work_connections, work_modules,
	},
	.last = { work_suspend },
};
