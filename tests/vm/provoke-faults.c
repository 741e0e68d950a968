// SPDX-License-Identifier: GPL-2.0
/*
 * Page faults of each kind. What is tested is told by the addresses, which share their upper bits:
 * one page in each STRIDE, so that the kernel does not map several at once.
 */
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include "provoke.h"

#define PAGES  8
#define PAGE   4096UL
#define STRIDE (64 * 1024UL)
#define SIZE   (PAGES * STRIDE) /* a power of two */

/* Vector of page faults; bits of their error code. */
enum {
	PF = 14,
	PRESENT = 1,
	WRITE = 2,
	USER = 4,
	FETCH = 16
};

/* Of the flags that the kernel handles a fault with. */
#define FAULT_FLAG_WRITE 1

/* Memory */

static char *map(int protection, int flags, int fd)
{
	char *room = mmap(NULL, 2 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *pages;

	if (room == MAP_FAILED)
		bail_out("mmap");
	pages = (char *)(((uintptr_t)room + SIZE - 1) & ~(SIZE - 1));
	munmap(room, 2 * SIZE);
	if (mmap(pages, SIZE, protection, flags | MAP_FIXED, fd, 0) != pages)
		bail_out("mmap, aligned");
	return pages;
}

static char *map_anonymous(int protection)
{
	return map(protection, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

/* A file whose pages are in memory. */
static char *map_file(int flags)
{
	int fd = memfd_create("provoke", MFD_CLOEXEC);
	unsigned int i;
	char *pages;

	if (fd < 0 || ftruncate(fd, SIZE))
		bail_out("memfd");
	for (i = 0; i < PAGES; i++)
		if (pwrite(fd, "x", 1, i * STRIDE) != 1)
			bail_out("pwrite");
	pages = map(PROT_READ | PROT_WRITE, flags, fd);
	close(fd);
	return pages;
}

/* In the page, too, each is somewhere else. */
static char *place(char *pages, unsigned int i)
{
	return pages + i * STRIDE + i;
}

static void read_each(char *pages)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		(void)*(volatile char *)place(pages, i);
}

static void write_each(char *pages)
{
	unsigned int i;

	for (i = 0; i < PAGES; i++)
		*(volatile char *)place(pages, i) = 1;
}

/* Accesses that end with a signal */

static sigjmp_buf out;

static void handler(int signal)
{
	(void)signal;
	siglongjmp(out, 1);
}

static void read_one(char *at)
{
	(void)*(volatile char *)at;
}

static void write_one(char *at)
{
	*(volatile char *)at = 1;
}

static void call_one(char *at)
{
	((void (*)(void))at)();
}

static void refused_each(void (*access)(char *at), char *pages)
{
	volatile unsigned int i, signals = 0;

	signal(SIGSEGV, handler);
	for (i = 0; i < PAGES; i++) {
		if (sigsetjmp(out, 1))
			signals++;
		else
			access(place(pages, i));
	}
	signal(SIGSEGV, SIG_DFL);
	if (signals != PAGES)
		bail_out("access to what must not be");
}

/* What is expected */

#define WITHIN(n, pages) PART(n, ~(uint64_t)(SIZE - 1), (uintptr_t)(pages))

/* As many faults with this error code in the pages as there are. */
static void expect_faults(char *pages, unsigned int error_code, uint32_t thread)
{
	const unsigned int user = !!(error_code & USER), last = PAGES - 1;

	expect(PAGES, "exception_pgfault", WITHIN(1, pages), BOTH(3, error_code, user),
	       .thread = thread);
	expect(1, "exception_pgfault", ARG(1, (uintptr_t)place(pages, last)),
	       BOTH(3, error_code, user), .thread = thread);
	expect(PAGES, "exception_entry", BOTH(1, PF, error_code), WITHIN(3, pages),
	       .thread = thread);
	expect(1, "exception_entry", BOTH(1, PF, error_code), ARG(3, (uintptr_t)place(pages, last)),
	       .thread = thread);
}

/* Of any kind, by anybody. */
static void expect_no_more(char *pages, unsigned int kinds)
{
	expect(kinds * PAGES, "exception_pgfault", WITHIN(1, pages));
	expect(kinds * PAGES, "exception_entry", HIGH(1, PF), WITHIN(3, pages));
}

/* How the kernel handled them: pages that it found, and that it copied. */
static void expect_handled(char *pages, unsigned int found, unsigned int copied)
{
	expect(found * PAGES, "mem_nopage", WITHIN(1, pages));
	expect(copied * PAGES, "mem_wppage", WITHIN(1, pages));
}

/* Tests */

static void read_new(void)
{
	char *pages = map_anonymous(PROT_READ | PROT_WRITE);

	read_each(pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 1, 0);
	expect(PAGES, "mem_nopage", WITHIN(1, pages), PART(2, FAULT_FLAG_WRITE, 0));
}

static void write_new(void)
{
	char *pages = map_anonymous(PROT_READ | PROT_WRITE);

	write_each(pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER | WRITE, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 1, 0);
	expect(PAGES, "mem_nopage", WITHIN(1, pages), PART(2, FAULT_FLAG_WRITE, 1));
}

/* What was only read so far is the page of zeros. */
static void write_zero_page(void)
{
	char *pages = map_anonymous(PROT_READ | PROT_WRITE);

	read_each(pages);
	write_each(pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER, gettid_own());
	expect_faults(pages, USER | WRITE | PRESENT, gettid_own());
	expect_no_more(pages, 2);
	expect_handled(pages, 1, 1);
}

static void write_read_only(void)
{
	char *pages = map_anonymous(PROT_READ);

	read_each(pages);
	refused_each(write_one, pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER, gettid_own());
	expect_faults(pages, USER | WRITE | PRESENT, gettid_own());
	expect_no_more(pages, 2);
	expect_handled(pages, 1, 0);
}

static void read_what_is_not(void)
{
	char *pages = map_anonymous(PROT_READ);

	munmap(pages, SIZE);
	refused_each(read_one, pages);
	expect_faults(pages, USER, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 0, 0);
}

static void fetch_from_data(void)
{
	char *pages = map_anonymous(PROT_READ | PROT_WRITE);

	write_each(pages);
	refused_each(call_one, pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER | WRITE, gettid_own());
	expect_faults(pages, USER | PRESENT | FETCH, gettid_own());
	expect_no_more(pages, 2);
	expect_handled(pages, 1, 0);
	expect(PAGES, "exception_pgfault", WITHIN(2, pages));
	expect(PAGES, "exception_entry", WITHIN(2, pages));
	expect(PAGES, "exception_exit", BOTH(1, PF, USER | PRESENT | FETCH), WITHIN(2, pages),
	       .thread = gettid_own());
}

static char *forked;

static void write_forked(void)
{
	write_each(forked);
}

/* The first who writes gets a copy, the last one keeps the page. */
static void copy_on_write(void)
{
	pid_t child;

	forked = map_anonymous(PROT_READ | PROT_WRITE);
	write_each(forked);
	child = in_child(write_forked);
	wait_for(child);
	write_each(forked);
	munmap(forked, SIZE);
	expect_faults(forked, USER | WRITE, gettid_own());
	expect_faults(forked, USER | WRITE | PRESENT, child);
	expect_faults(forked, USER | WRITE | PRESENT, gettid_own());
	expect_no_more(forked, 3);
	expect_handled(forked, 1, 1);
	expect(PAGES, "mem_wppage", WITHIN(1, forked), .thread = child);
}

static void write_private_file(void)
{
	char *pages = map_file(MAP_PRIVATE);

	write_each(pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER | WRITE, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 1, 1);
}

static void read_and_write_private_file(void)
{
	char *pages = map_file(MAP_PRIVATE);

	read_each(pages);
	write_each(pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER, gettid_own());
	expect_faults(pages, USER | WRITE | PRESENT, gettid_own());
	expect_no_more(pages, 2);
	expect_handled(pages, 1, 1);
}

static void write_shared_file(void)
{
	char *pages = map_file(MAP_SHARED);

	write_each(pages);
	munmap(pages, SIZE);
	expect_faults(pages, USER | WRITE, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 1, 0);
}

/* The kernel writes into a program's memory: a byte into each page. */
static void copy_to_user(void)
{
	char *pages = map_anonymous(PROT_READ | PROT_WRITE);
	struct iovec bytes[PAGES];
	unsigned int i;
	int ends[2];

	for (i = 0; i < PAGES; i++)
		bytes[i] = (struct iovec){ place(pages, i), 1 };
	if (pipe(ends) || write(ends[1], bytes, PAGES) != PAGES ||
	    readv(ends[0], bytes, PAGES) != PAGES)
		bail_out("pipe");
	close(ends[0]);
	close(ends[1]);
	munmap(pages, SIZE);
	expect_faults(pages, WRITE, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 1, 0);
}

/* It cannot: there is nothing. */
static void copy_to_nowhere(void)
{
	char *pages = map_anonymous(PROT_READ);
	unsigned int i;

	munmap(pages, SIZE);
	for (i = 0; i < PAGES; i++)
		if (syscall(SYS_getcpu, place(pages, i), NULL, NULL) != -1 || errno != EFAULT)
			bail_out("getcpu");
	expect_faults(pages, WRITE, gettid_own());
	expect_no_more(pages, 1);
	expect_handled(pages, 0, 0);
}

#define FAULT_EVENTS "exception_entry exception_pgfault mem_nopage mem_wppage"

const struct test fault_tests[] = {
	{ "read-new-memory", FAULT_EVENTS, read_new },
	{ "write-new-memory", FAULT_EVENTS, write_new },
	{ "write-zero-page", FAULT_EVENTS, write_zero_page },
	{ "write-read-only", FAULT_EVENTS, write_read_only },
	{ "read-no-memory", FAULT_EVENTS, read_what_is_not },
	{ "fetch-from-data", FAULT_EVENTS " exception_exit", fetch_from_data },
	{ "copy-on-write", FAULT_EVENTS, copy_on_write },
	{ "write-private-file", FAULT_EVENTS, write_private_file },
	{ "read-and-write-private-file", FAULT_EVENTS, read_and_write_private_file },
	{ "write-shared-file", FAULT_EVENTS, write_shared_file },
	{ "copy-to-user", FAULT_EVENTS, copy_to_user },
	{ "copy-to-nowhere", FAULT_EVENTS, copy_to_nowhere },
	{},
};
