// SPDX-License-Identifier: GPL-2.0
/* Processes that wait for files and for a block device. */
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "why_load.h"

#define READ_BYTES (4 << 20)

/* ---- locks of files ---- */

static int locked;

static void flock_holder(void)
{
	await_asleep("flock-waiter");
	nap(NAP_MS);
	flock(locked, LOCK_UN);
}

static void flock_waiter(void)
{
	int fd = open("why_flock", O_RDWR);

	bail_if(fd < 0 || flock(fd, LOCK_EX), "flock");
}

/* The holder inherits the lock, so it has the lock before the waiter begins. */
static void file_lock(void)
{
	locked = open("why_flock", O_RDWR | O_CREAT, 0600);
	bail_if(locked < 0 || flock(locked, LOCK_EX), "flock");
	actor("flock-holder", -1, 0, flock_holder);
	actor("flock-waiter", -1, 0, flock_waiter);
}

/* ---- a block device ---- */

static int open_file(int flags)
{
	int fd = open(why_file ? why_file : "", flags);

	bail_if(fd < 0, "open the block device");
	return fd;
}

static void direct_reader(void)
{
	void *buffer = mmap(NULL, READ_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			    0);

	memset(buffer, 1, READ_BYTES);
	bail_if(read(open_file(O_RDONLY | O_DIRECT), buffer, READ_BYTES) != READ_BYTES, "read");
}

static void disk(void)
{
	actor("direct-reader", -1, 0, direct_reader);
}

static void disk_syncer(void)
{
	static const char text[65536];
	int fd = open_file(O_RDWR);

	for (int i = 0; i < 32; i++)
		bail_if(write(fd, text, sizeof(text)) < 0, "write");
	fsync(fd);
}

static void sync_file(void)
{
	actor("disk-syncer", -1, 0, disk_syncer);
}

/*
 * Read all pages of this executable. why.t has dropped the caches, so most reads cause a page fault
 * that waits for the disk.
 */
static void fault_reader(void)
{
	int fd = open("/proc/self/exe", O_RDONLY);
	const volatile char *map;
	struct stat stat;

	bail_if(fd < 0 || fstat(fd, &stat), "/proc/self/exe");
	map = mmap(NULL, (size_t)stat.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	bail_if(map == MAP_FAILED, "mmap");
	for (off_t i = 0; i < stat.st_size; i += 4096)
		(void)map[i];
}

static void fault(void)
{
	actor("fault-reader", -1, 0, fault_reader);
}

/* ---- a page fault that another thread resolves ---- */

static char *uffd_page;
static int uffd;

static void *uffd_resolver(void *unused)
{
	static char zeros[4096] __attribute__((aligned(4096)));
	struct uffdio_copy copy = { .dst = (uintptr_t)uffd_page,
				    .src = (uintptr_t)zeros,
				    .len = 4096 };
	struct pollfd wait = { .fd = uffd, .events = POLLIN };

	prctl(PR_SET_NAME, "uffd-resolver");
	poll(&wait, 1, -1);
	nap(NAP_MS);
	bail_if(ioctl(uffd, UFFDIO_COPY, &copy), "UFFDIO_COPY");
	return unused;
}

static void uffd_victim(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .range.len = 4096, .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t thread;

	uffd_page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (uintptr_t)uffd_page;
	uffd = (int)syscall(SYS_userfaultfd, 0);
	bail_if(uffd < 0 || ioctl(uffd, UFFDIO_API, &api) || ioctl(uffd, UFFDIO_REGISTER, &area) ||
			pthread_create(&thread, NULL, uffd_resolver, NULL),
		"userfaultfd");
	*(volatile char *)uffd_page = 1;
	pthread_join(thread, NULL);
}

static void userfault(void)
{
	actor("uffd-victim", -1, 0, uffd_victim);
}

const struct scenario file_scenarios[] = {
	{ "flock", file_lock }, { "disk", disk },	    { "sync", sync_file },
	{ "fault", fault },	{ "userfault", userfault }, { NULL, NULL },
};
