// SPDX-License-Identifier: GPL-2.0
/*
 * load MS: spend MS milliseconds in each of these modes: user mode, a system call, a softirq, an
 * interrupt, and idle. The module tests/modules/spending.c spends the time of the system call, the
 * softirq and the interrupt. The program copies /proc/stat to the file stat1 before this, and to
 * stat2 after it. It records mark 1 before the first copy, and mark 2 after the second one.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include <linux/lkst.h>

#define USER_MARK 0x0e0

static void bail_if(bool failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	exit(1);
}

static void mark(int lkst, int number)
{
	struct lkst_entry_args args = { .event_type = USER_MARK, .log_arg1 = number };

	bail_if(ioctl(lkst, LKST_IOC_ENTRY_LOG, &args) < 0, "LKST_IOC_ENTRY_LOG");
}

static int64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/*
 * Execute a loop in user mode. In the VM of tests/host/lkstla_cpu_vm.t, clock_gettime() does not
 * enter the kernel.
 */
static void spend_user(int ms)
{
	int64_t end = now_ns() + ms * INT64_C(1000000);

	while (now_ns() < end)
		;
}

static void spend_kernel(int fd, const char *ms, size_t length)
{
	bail_if(write(fd, ms, length) != (ssize_t)length, "spending");
}

static void write_file(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(name, "w");

	bail_if(!file || fwrite(text, 1, length, file) != length || fclose(file), name);
}

int main(int argc, char **argv)
{
	static const char *const contexts[] = {
		"/sys/module/spending/parameters/thread",
		"/sys/module/spending/parameters/softirq",
		"/sys/module/spending/parameters/irq",
	};
	static char before[1 << 16], after[1 << 16], text[16];
	int lkst = open("/dev/lkst", O_RDWR), stat = open("/proc/stat", O_RDONLY), fd[3];
	int ms = argc == 2 ? atoi(argv[1]) : 0;
	int length = snprintf(text, sizeof(text), "%d", ms);
	ssize_t first, second;

	bail_if(lkst < 0 || stat < 0 || ms <= 0, "load");
	for (int i = 0; i < 3; i++) {
		fd[i] = open(contexts[i], O_WRONLY);
		bail_if(fd[i] < 0, contexts[i]);
	}
	mark(lkst, 1);
	first = pread(stat, before, sizeof(before), 0);
	spend_user(ms);
	for (int i = 0; i < 3; i++)
		spend_kernel(fd[i], text, length);
	nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
	second = pread(stat, after, sizeof(after), 0);
	mark(lkst, 2);
	bail_if(first <= 0 || second <= 0, "/proc/stat");
	write_file("stat1", before, first);
	write_file("stat2", after, second);
	return 0;
}
