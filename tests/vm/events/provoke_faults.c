// SPDX-License-Identifier: GPL-2.0
/*
 * Provoke page faults of each kind. The tests recognize them by their addresses, all of which have
 * the same upper bits. Only one page in each STRIDE is used, so that the kernel does not map
 * several pages in one fault.
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

/* Vector number of page faults, and bits of their error code. */
enum {
	PF = 14,
	PRESENT = 1,
	WRITE = 2,
	USER = 4,
	FETCH = 16
};

/* Flag that the kernel passes to its fault handler for a write access. */
#define FAULT_FLAG_WRITE 1

/* ---- steps that map memory for the other steps ---- */

static char *pages;

static void map(int protection, int flags, int fd)
{
	char *room = mmap(NULL, 2 * SIZE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	bail_if(room == MAP_FAILED, "mmap");
	pages = (char *)(((uintptr_t)room + SIZE - 1) & ~(SIZE - 1));
	munmap(room, 2 * SIZE);
	bail_if(mmap(pages, SIZE, protection, flags | MAP_FIXED, fd, 0) != pages, "mmap, aligned");
}

static void map_read_only(void)
{
	map(PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static void map_memory(void)
{
	map(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

/* Map a file from memfd_create(). Its pages are in memory already. */
static void map_file(int flags)
{
	int fd = memfd_create("provoke", MFD_CLOEXEC);

	bail_if(fd < 0 || ftruncate(fd, SIZE), "memfd");
	for (unsigned int i = 0; i < PAGES; i++)
		bail_if(pwrite(fd, "x", 1, i * STRIDE) != 1, "pwrite");
	map(PROT_READ | PROT_WRITE, flags, fd);
	close(fd);
}

static void map_private_file(void)
{
	map_file(MAP_PRIVATE);
}

static void map_shared_file(void)
{
	map_file(MAP_SHARED);
}

static void unmap(void)
{
	munmap(pages, SIZE);
}

/* ---- steps that access each page ---- */

/* Offset of the @ith address that is accessed. Its offset within the page also depends on @i. */
#define OFFSET(i) ((i) * (STRIDE + 1))

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

/* Access each page. Exactly @wanted of the accesses must end with a signal. */
static void each(void (*access)(char *at), unsigned int wanted)
{
	volatile unsigned int i, signals = 0;

	signal(SIGSEGV, handler);
	for (i = 0; i < PAGES; i++) {
		if (sigsetjmp(out, 1))
			signals++;
		else
			access(pages + OFFSET(i));
	}
	signal(SIGSEGV, SIG_DFL);
	bail_if(signals != wanted, "access to a page");
}

static void read_pages(void)
{
	each(read_one, 0);
}

static void write_pages(void)
{
	each(write_one, 0);
}

static void read_refused(void)
{
	each(read_one, PAGES);
}

static void write_refused(void)
{
	each(write_one, PAGES);
}

static void call_refused(void)
{
	each(call_one, PAGES);
}

static void write_in_child(void)
{
	values.child = in_child(write_pages);
	wait_for(values.child);
}

/* Make the kernel write a byte to each page. */
static void copy_to_pages(void)
{
	struct iovec bytes[PAGES];
	int ends[2];

	for (unsigned int i = 0; i < PAGES; i++)
		bytes[i] = (struct iovec){ pages + OFFSET(i), 1 };
	bail_if(pipe(ends) || write(ends[1], bytes, PAGES) != PAGES ||
		readv(ends[0], bytes, PAGES) != PAGES, "pipe");
	close(ends[0]);
	close(ends[1]);
}

/* Make the kernel try to write to each page while no memory is mapped. Each write must fail. */
static void copy_to_nowhere(void)
{
	for (unsigned int i = 0; i < PAGES; i++)
		bail_if(syscall(SYS_getcpu, pages + OFFSET(i), NULL, NULL) != -1 || errno != EFAULT,
			"getcpu");
}

static void fault(void)
{
	for (unsigned int i = 0; i < STEPS_MAX && current->steps[i]; i++)
		current->steps[i]();
	unmap();
	values.at[0] = (uintptr_t)pages;
}

/* Expectations */

#define WITHIN(n) .value[(n)-1] = 1, .mask[(n)-1] = ~(uint64_t)(SIZE - 1)
#define LAST(n)	  MORE(n, 0, OFFSET(PAGES - 1))

/* Expect one page fault with the error code @code in @thread for each page. */
#define FAULTS(code, thread)                                                                       \
	{ PAGES, "exception_pgfault", WITHIN(1), BOTH(3, code, !!((code) & USER)), .by = thread }, \
	{ 1, "exception_pgfault", LAST(1), BOTH(3, code, !!((code) & USER)), .by = thread },       \
	{ PAGES, "exception_entry", BOTH(1, PF, code), WITHIN(3), .by = thread },                  \
	{ 1, "exception_entry", BOTH(1, PF, code), LAST(3), .by = thread }

/*
 * Expect @kinds faults on each page, whatever their error code and thread. While the kernel handles
 * the faults on a page, it provides @found new pages and makes @copied copies.
 */
#define IN_TOTAL(kinds, found, copied)                                         \
	{ (kinds) * PAGES, "exception_pgfault", WITHIN(1) },                   \
	{ (kinds) * PAGES, "exception_entry", HIGH(1, PF), WITHIN(3) },        \
	{ (found) * PAGES, "mem_nopage", WITHIN(1) },                          \
	{ (copied) * PAGES, "mem_wppage", WITHIN(1) }

const struct test fault_tests[] = {
	{ "read-new-memory", .run = fault, .steps = { map_memory, read_pages }, .expected = {
	  FAULTS(USER, OWN), IN_TOTAL(1, 1, 0),
	  { PAGES, "mem_nopage", WITHIN(1), PART(2, FAULT_FLAG_WRITE, 0) } } },
	{ "write-new-memory", .run = fault, .steps = { map_memory, write_pages }, .expected = {
	  FAULTS(USER | WRITE, OWN), IN_TOTAL(1, 1, 0),
	  { PAGES, "mem_nopage", WITHIN(1), PART(2, FAULT_FLAG_WRITE, 1) } } },
	/* A page that has only been read is the zero page. */
	{ "write-zero-page", .run = fault, .steps = { map_memory, read_pages, write_pages },
	  .expected = {
	  FAULTS(USER, OWN), FAULTS(USER | WRITE | PRESENT, OWN), IN_TOTAL(2, 1, 1) } },
	{ "write-read-only", .run = fault, .steps = { map_read_only, read_pages, write_refused },
	  .expected = {
	  FAULTS(USER, OWN), FAULTS(USER | WRITE | PRESENT, OWN), IN_TOTAL(2, 1, 0) } },
	{ "read-no-memory", .run = fault, .steps = { map_read_only, unmap, read_refused },
	  .expected = {
	  FAULTS(USER, OWN), IN_TOTAL(1, 0, 0) } },
	{ "fetch-from-data", .run = fault, .steps = { map_memory, write_pages, call_refused },
	  .expected = {
	  FAULTS(USER | WRITE, OWN), FAULTS(USER | PRESENT | FETCH, OWN), IN_TOTAL(2, 1, 0),
	  { PAGES, "exception_exit", BOTH(1, PF, USER | PRESENT | FETCH), WITHIN(2), .by = OWN },
	  { PAGES, "exception_entry", WITHIN(2) },
	  { PAGES, "exception_pgfault", WITHIN(2) } } },
	/* Two processes share the pages. The first writer gets a copy. */
	{ "copy-on-write", .run = fault,
	  .steps = { map_memory, write_pages, write_in_child, write_pages }, .expected = {
	  FAULTS(USER | WRITE, OWN), FAULTS(USER | WRITE | PRESENT, CHILD),
	  FAULTS(USER | WRITE | PRESENT, OWN), IN_TOTAL(3, 1, 1),
	  { PAGES, "mem_wppage", WITHIN(1), .by = CHILD } } },
	{ "write-private-file", .run = fault, .steps = { map_private_file, write_pages },
	  .expected = {
	  FAULTS(USER | WRITE, OWN), IN_TOTAL(1, 1, 1) } },
	{ "read-and-write-private-file", .run = fault,
	  .steps = { map_private_file, read_pages, write_pages }, .expected = {
	  FAULTS(USER, OWN), FAULTS(USER | WRITE | PRESENT, OWN), IN_TOTAL(2, 1, 1) } },
	{ "write-shared-file", .run = fault, .steps = { map_shared_file, write_pages },
	  .expected = {
	  FAULTS(USER | WRITE, OWN), IN_TOTAL(1, 1, 0) } },
	{ "copy-to-user", .run = fault, .steps = { map_memory, copy_to_pages }, .expected = {
	  FAULTS(WRITE, OWN), IN_TOTAL(1, 1, 0) } },
	{ "copy-to-nowhere", .run = fault, .steps = { map_read_only, unmap, copy_to_nowhere },
	  .expected = {
	  FAULTS(WRITE, OWN), IN_TOTAL(1, 0, 0) } },
	{},
};
