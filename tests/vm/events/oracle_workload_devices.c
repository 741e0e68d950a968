// SPDX-License-Identifier: GPL-2.0
/*
 * The workload of the group "devices": timers that expire or are deleted, a block device, modules,
 * and suspends that are aborted.
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

/* A module in ../modules. The working directory is a subdirectory of the program's directory. */
#define MODULE		"lkst_sample"

/* Wait with timeouts, most of which expire. The kernel implements them with timers in jiffies. */
static void work_timeouts(void)
{
	struct timeval wait = { 0, 5000 };
	int fds[2];
	char byte;

	die_if(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds) ||
	       setsockopt(fds[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof(wait)), "socketpair");
	for_each_round(i, 300) {
		die_if(i % 3 == 0 && write(fds[1], "", 1) != 1, "write");
		die_if(recv(fds[0], &byte, 1, 0) < 0 && errno != EAGAIN, "recv");
	}
}

/* Set a high-resolution timer many times. It expires only every tenth time. */
void work_alarms(void)
{
	struct itimerspec spec = {};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);

	die_if(fd < 0, "timerfd");
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
	for_each_round(i, 1000)
		pause_us(i % 20 * 100);
}

/* Wait with timeouts that do not expire, so that the kernel deletes their timers. */
static void work_poll(void)
{
	int ends[2];
	char byte;
	pid_t pid;

	die_if(pipe(ends), "pipe");
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

		die_if(poll(&readable, 1, 2000) < 0, "poll");
	} while (read(ends[0], &byte, 1) == 1);
	die_if(finish(pid), "poll");
	close(ends[0]);
}

/* Open a block device that is backed by a file in memory. */
static int open_device(int *file)
{
	char path[32];
	int control = open("/dev/loop-control", O_RDWR), number, fd;

	*file = memfd_create("oracle", MFD_ALLOW_SEALING);
	die_if(control < 0 || *file < 0 || ftruncate(*file, 8 << 20), "memfd");
	number = ioctl(control, LOOP_CTL_GET_FREE);
	close(control);
	snprintf(path, sizeof(path), "/dev/loop%d", number);
	fd = open(path, O_RDWR | O_DIRECT);
	die_if(number < 0 || fd < 0 || ioctl(fd, LOOP_SET_FD, *file), path);
	return fd;
}

void work_block(void)
{
	static char data[65536] __attribute__((aligned(4096)));
	uint64_t range[2] = { 1 << 20, 1 << 18 };
	int file, fd = open_device(&file);

	for_each_round(i, 400) {
		off_t at = i * 4096L % (4 << 20);

		die_if(pwrite(fd, data, 4096 << i % 5, at) < 0, "loop: write");
		die_if(pread(fd, data, 512 << i % 8, at) < 0, "loop: read");
		die_if(i % 10 == 0 && fsync(fd), "fsync");
		die_if(i % 40 == 0 && ioctl(fd, BLKDISCARD, range), "BLKDISCARD");
		die_if(i % 40 == 20 && ioctl(fd, BLKZEROOUT, range), "BLKZEROOUT");
	}
	/* Make the file read-only, so that writes to the device fail. */
	die_if(fcntl(file, F_ADD_SEALS, F_SEAL_WRITE), "F_SEAL_WRITE");
	for_each_round(i, 5)
		die_if(pwrite(fd, data, 4096, i * 4096L) >= 0, "a write that must fail");
	ioctl(fd, LOOP_CLR_FD);
	close(fd);
	close(file);
}

static void work_modules(void)
{
	for_each_round(i, 5) {
		int fd = open("../modules/" MODULE ".ko", O_RDONLY | O_CLOEXEC);

		die_if(fd < 0 || syscall(SYS_finit_module, fd, "", 0), MODULE ".ko");
		close(fd);
		die_if(syscall(SYS_delete_module, MODULE, O_NONBLOCK), MODULE);
	}
}

/*
 * Try to suspend the machine after a wakeup event. The kernel must refuse, because the wakeup count
 * was written before the event.
 */
static void try_to_suspend(int event, int epoll)
{
	struct epoll_event happened;
	char count[32] = {};
	uint64_t one = 1;
	int fd = open("/sys/power/wakeup_count", O_RDONLY);

	die_if(fd < 0 || read(fd, count, sizeof(count) - 1) <= 0, "/sys/power/wakeup_count");
	close(fd);
	put_file("/sys/power/wakeup_count", count);
	die_if(write(event, &one, sizeof(one)) != sizeof(one), "eventfd");
	fd = open("/sys/power/state", O_WRONLY);
	die_if(fd < 0 || write(fd, "freeze", 6) >= 0 || errno != EBUSY, "/sys/power/state");
	close(fd);

	/* Consume the wakeup event, after which epoll must not report it again. */
	die_if(epoll_wait(epoll, &happened, 1, 0) != 1 || read(event, &one, sizeof(one)) < 0 ||
	       epoll_wait(epoll, &happened, 1, 0), "epoll");
}

static void work_suspend(void)
{
	struct epoll_event interest = { .events = EPOLLIN | EPOLLWAKEUP };
	int event = eventfd(0, 0), epoll = epoll_create1(0);

	die_if(event < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, event, &interest),
	       "epoll");
	for_each_round(i, 3)
		try_to_suspend(event, epoll);
}

const struct workload devices_workload = {
	.name = "devices",
	.together = {
		work_timeouts,	  work_alarms,	work_sleep, work_poll, work_block,
		work_connections, work_modules,
	},
	.last = { work_suspend },
};
