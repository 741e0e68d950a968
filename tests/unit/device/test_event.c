// SPDX-License-Identifier: GPL-2.0
/*
 * The header lkst/event.h: how LKST_EVENT() registers events and what it writes. The test replaces
 * syscall(), ioctl() and fcntl() with a file that keeps the last registration and the last write.
 */
#include <linux/futex.h>
#include <signal.h>

#include "lkst/event.h"
#include "tap.h"

#define FD 1000

static struct {
	bool no_file; /* open() fails */
	int conflicts; /* this many registrations fail with EADDRINUSE */
	bool on; /* events are on as soon as they have been registered */
	int low; /* the descriptor that open() returns; 0: FD */
	int opened, closed, registered, detached, writes, waits;
	char path[64], declaration[512];
	uint16_t flags;
	uint32_t *word;
	uint32_t index; /* of the next event */
	unsigned char data[LKST_EVENT_BYTES + 4];
	size_t size;
	int fd; /* of the last write or close */
} file;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);
int __wrap_ioctl(int fd, unsigned long request, void *arg);
int __wrap_fcntl(int fd, int cmd, ...);
int __wrap_fcntl64(int fd, int cmd, ...);

static long open_file(const char *path)
{
	file.opened++;
	if (file.no_file) {
		errno = ENOENT;
		return -1;
	}
	snprintf(file.path, sizeof(file.path), "%s", path);
	return file.low ? file.low : FD;
}

static long write_file(int fd, const void *data, size_t size)
{
	file.writes++;
	file.fd = fd;
	file.size = size;
	memcpy(file.data, data, size);
	errno = EBADF;
	return -1;
}

/* Stands in for FUTEX_WAIT, and pretends that the lock is not released in time. */
static long wait_for_lock(const long *timeout)
{
	file.waits++;
	ck_assert_ptr_nonnull(timeout);
	ck_assert_int_gt(timeout[0], 0);
	errno = ETIMEDOUT;
	return -1;
}

/* AddressSanitizer and libcheck may use syscall(), too. */
long __wrap_syscall(long number, ...)
{
	long arg[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_openat)
		return open_file((const char *)arg[1]);
	if (number == SYS_write)
		return write_file((int)arg[0], (const void *)arg[1], (size_t)arg[2]);
	if (number == SYS_close) {
		file.closed++;
		file.fd = (int)arg[0];
		return 0;
	}
	if (number == SYS_futex && arg[1] == FUTEX_WAIT_PRIVATE)
		return wait_for_lock((const long *)arg[3]);
	return __real_syscall(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

int __wrap_fcntl(int fd, int cmd, ...)
{
	if (cmd == F_DUPFD) {
		ck_assert_int_eq(fd, file.low);
		return FD;
	}
	ck_assert_int_eq(fd, FD);
	ck_assert_int_eq(cmd, F_SETFD);
	return 0;
}

int __wrap_fcntl64(int fd, int cmd, ...)
{
	return __wrap_fcntl(fd, cmd);
}

int __wrap_ioctl(int fd, unsigned long request, void *arg)
{
	struct lkst_event_reg *reg = arg;

	/*
	 * The last LKST_EVENT_IOCSUNREG comes when the program exits, after the last test, when
	 * assertions would come too late.
	 */
	if (request == LKST_EVENT_IOCSUNREG) {
		file.detached++;
		return 0;
	}
	ck_assert_int_eq(fd, FD);
	ck_assert_uint_eq(request, LKST_EVENT_IOCSREG);
	ck_assert_uint_eq(reg->size, 28);
	ck_assert_uint_eq(reg->enable_size, 4);
	ck_assert_uint_eq(reg->enable_bit, 0);
	if (file.conflicts-- > 0) {
		errno = EADDRINUSE;
		return -1;
	}
	file.registered++;
	file.flags = reg->flags;
	snprintf(file.declaration, sizeof(file.declaration), "%s",
		 (const char *)(uintptr_t)reg->name_args);
	file.word = (uint32_t *)(uintptr_t)reg->enable_addr;
	if (file.on)
		*file.word |= LKST_EVENT_ON;
	reg->write_index = file.index++;
	return 0;
}

static void setup(void)
{
	memset(&file, 0, sizeof(file));
	file.on = true;
	file.index = 7;
	lkst_event_state = (struct lkst_event_state){ .fd = -1 };
}

TESTS(.setup = setup);

static uint32_t word_at(size_t at)
{
	uint32_t word;

	memcpy(&word, file.data + at, sizeof(word));
	return word;
}

static void loop_event(int number)
{
	LKST_EVENT(loop, "number=%d", number);
}

TEST(test_once)
{
	errno = 77;
	for (int i = 0; i < 3; i++)
		loop_event(i);
	ck_assert_int_eq(errno, 77);
	ck_assert_str_eq(file.path, "/dev/lkst_user_events");
	ck_assert_str_eq(file.declaration, "loop s32 number");
	ck_assert_int_eq(file.opened, 1);
	ck_assert_int_eq(file.registered, 1);
	ck_assert_int_eq(file.writes, 3);
	ck_assert_uint_eq(file.size, 8);
	ck_assert_uint_eq(word_at(0), 7);
	ck_assert_uint_eq(word_at(4), 2);
	/* The kernel turns the event off and on again. */
	*file.word = 0;
	loop_event(5);
	ck_assert_int_eq(file.writes, 3);
	*file.word = LKST_EVENT_ON;
	loop_event(6);
	ck_assert_int_eq(file.writes, 4);
	ck_assert_uint_eq(word_at(4), 6);
	lkst_event_unregister();
	ck_assert_int_eq(file.detached, 2);
	ck_assert_int_eq(file.closed, 1);
	ck_assert_int_eq(file.fd, FD);
	ck_assert_int_eq(lkst_event_fd(), -1);
	ck_assert_uint_eq(*file.word, 0);
	loop_event(7);
	ck_assert_int_eq(file.writes, 4);
}

TEST(test_off)
{
	file.on = false;
	for (int i = 0; i < 2; i++)
		LKST_EVENT(off, "text=%s", "never used");
	ck_assert_int_eq(file.registered, 1);
	ck_assert_int_eq(file.writes, 0);
}

TEST(test_no_file)
{
	file.no_file = true;
	for (int i = 0; i < 2; i++)
		LKST_EVENT(none, "");
	LKST_EVENT(none_either, "");
	ck_assert_int_eq(file.opened, 3);
	ck_assert_int_eq(lkst_event_fd(), -1);
	ck_assert_int_eq(file.registered, 0);
}

/* If another program has registered the name with other fields, the event gets another name. */
TEST(test_conflict)
{
	file.conflicts = 1;
	LKST_EVENT(conflict, "number=%d", 1);
	ck_assert_uint_eq(file.flags, LKST_EVENT_MULTI_FORMAT);
	ck_assert_int_eq(file.writes, 1);
	file.conflicts = 2;
	LKST_EVENT(conflicts, "number=%d", 1);
	ck_assert_int_eq(file.writes, 1);
}

/* The child takes over a lock that its parent held at fork(). */
TEST(test_forked)
{
	lkst_event_state.lock = (int)getppid();
	LKST_EVENT(forked, "");
	ck_assert_int_eq(file.writes, 1);
	ck_assert_int_eq(lkst_event_state.lock, 0);
}

/*
 * The parent had registered the event, but not cleared LKST_EVENT_NEW, when it forked. The site is
 * in the list only once, even if the child registers another event first.
 */
TEST(test_forked_late)
{
	static struct lkst_event_site site = { LKST_EVENT_NEW, 0, 0, NULL, NULL };
	static struct lkst_event_site other = { LKST_EVENT_NEW, 0, 0, NULL, NULL };

	lkst_event_state.lock = (int)getppid();
	lkst_event_state.sites = &site;
	lkst_event_record(&other, "forked_first ");
	lkst_event_record(&site, "forked_late ");
	ck_assert_int_eq(file.registered, 2);
	ck_assert_int_eq(file.writes, 2);
	ck_assert_ptr_eq(lkst_event_state.sites, &other);
	ck_assert_ptr_eq(other.next, &site);
	ck_assert_ptr_null(site.next);
	lkst_event_unregister();
	ck_assert_int_eq(file.closed, 1);
}

static void same_pid_event(void)
{
	LKST_EVENT(same_pid, "");
}

/*
 * The parent held the lock at fork(), and the child has the same PID in another PID namespace: the
 * child waits for the lock only once. If the lock is then released, because it was held by a slow
 * thread after all, events are recorded again.
 */
TEST(test_forked_same_pid)
{
	sigset_t before, after;

	sigprocmask(SIG_SETMASK, NULL, &before);
	lkst_event_state.lock = (int)getpid();
	for (int i = 0; i < 2; i++) {
		same_pid_event();
		ck_assert_int_eq(file.waits, 1);
	}
	sigprocmask(SIG_SETMASK, NULL, &after);
	ck_assert_mem_eq(&before, &after, NSIG / 8);
	ck_assert_int_eq(file.registered, 0);
	lkst_event_state.lock = 0;
	same_pid_event();
	ck_assert_int_eq(file.writes, 1);
	lkst_event_state.lock = (int)getpid();
	lkst_event_unregister();
	ck_assert_int_eq(file.closed, 0);
}

/* An event at a site that another library has registered is written to the file of that library. */
TEST(test_other_library)
{
	static const int other = FD + 1;
	static struct lkst_event_site site = { LKST_EVENT_ON, 3, 0, NULL, &other };

	lkst_event_record(&site, "other ");
	ck_assert_int_eq(file.registered, 0);
	ck_assert_int_eq(file.fd, FD + 1);
	ck_assert_uint_eq(word_at(0), 3);
}

/* The file is closed even if no event could be registered. */
TEST(test_close)
{
	file.conflicts = 2;
	LKST_EVENT(unregistered, "");
	ck_assert_int_eq(file.registered, 0);
	lkst_event_unregister();
	ck_assert_int_eq(file.closed, 1);
	ck_assert_int_eq(file.fd, FD);
	LKST_EVENT(late, "");
	ck_assert_int_eq(file.opened, 1);
	ck_assert_int_eq(file.registered, 0);
}

/* The file does not get the descriptor of a standard stream (0 to 2). */
TEST(test_low)
{
	file.low = 2;
	LKST_EVENT(low, "");
	ck_assert_int_eq(file.closed, 1);
	ck_assert_int_eq(file.writes, 1);
	ck_assert_int_eq(file.fd, FD);
	ck_assert_int_eq(lkst_event_fd(), FD);
}

#define TEN_FIELDS  "%d%d%d%d%d%d%d%d%d%d"
#define TEN_NUMBERS 0, 1, 2, 3, 4, 5, 6, 7, 8, 9

/* An event whose declaration is too long is not recorded. */
TEST(test_long_declaration)
{
	for (int i = 0; i < 2; i++)
		LKST_EVENT(too_long, TEN_FIELDS TEN_FIELDS TEN_FIELDS TEN_FIELDS TEN_FIELDS,
			   TEN_NUMBERS, TEN_NUMBERS, TEN_NUMBERS, TEN_NUMBERS, TEN_NUMBERS);
	ck_assert_int_eq(file.registered, 0);
	ck_assert_int_eq(file.writes, 0);
	LKST_EVENT(long_enough, TEN_FIELDS TEN_FIELDS TEN_FIELDS, TEN_NUMBERS, TEN_NUMBERS,
		   TEN_NUMBERS);
	ck_assert_int_eq(file.writes, 1);
}

TEST(test_long_long)
{
	LKST_EVENT(long_long, "a=%Ld b=%Lx", -1LL, 0x123456789ULL);
	ck_assert_str_eq(file.declaration, "long_long s64 a; u64 b");
	ck_assert_uint_eq(word_at(12), 0x23456789);
	ck_assert_uint_eq(word_at(16), 1);
}

TEST(test_fields)
{
	static const uint8_t bytes[] = {
		7,    0,    0,	  0, /* index */
		0xfe, 0xff, 0xff, 0xff, /* a */
		0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01, /* b */
		'x', /* c */
		8,    0,    3,	  0, /* d: 3 bytes, 8 bytes from here */
		0x10, 0,    0,	  0, /* arg5 */
		3,    0,    4,	  0, /* f */
		'd',  'd',  0,	  '1',	'.',  '5',  0,
	};

	LKST_EVENT(fields, "a=%d, b=%#llx! c=%c %%d=%5s %u f=%3.1f", -2, 0x123456789abcdefULL, 'x',
		   "dd", 16, 1.5);
	ck_assert_str_eq(
		file.declaration,
		"fields s32 a; u64 b; char c; __rel_loc char[] d; u32 arg5; __rel_loc char[] f");
	ck_assert_uint_eq(file.size, sizeof(bytes));
	ck_assert_mem_eq(file.data, bytes, sizeof(bytes));
}

TEST(test_sizes)
{
	LKST_EVENT(sizes, "l=%ld z=%zu j=%jd t=%td hh=%hhd p=%p x=%x", -1L, (size_t)2, (intmax_t)3,
		   (ptrdiff_t)4, 5, (void *)6, 7);
	ck_assert_str_eq(file.declaration,
			 sizeof(long) == 8 ?
				 "sizes s64 l; u64 z; s64 j; s64 t; s32 hh; u64 p; u32 x" :
				 "sizes s32 l; u32 z; s64 j; s32 t; s32 hh; u32 p; u32 x");
	ck_assert_uint_eq(word_at(file.size - 4), 7);
	ck_assert_uint_eq(word_at(file.size - 4 - sizeof(void *)), 6);
	ck_assert_uint_eq(word_at(file.size - 8 - sizeof(void *)), 5);
}

TEST(test_strings)
{
	static char text[2 * LKST_EVENT_BYTES];
	const char *volatile none = NULL;

	LKST_EVENT(precise, "a=%.3s b=%.*s c=%s", "abcdef", 2, "xyz", none);
	ck_assert_uint_eq(file.size, 4 + 12 + 4 + 3 + 7);
	ck_assert_mem_eq(file.data + 16, "abc\0xy\0(null)", 14);
	memset(text, 'x', sizeof(text) - 1);
	LKST_EVENT(cut, "a=%s b=%s", text, text);
	ck_assert_uint_eq(file.size, 4 + LKST_EVENT_BYTES);
	ck_assert_uint_eq(file.data[file.size - 1], 0);
}

/* If a conversion of the format is not supported, only the fields before it are recorded. */
TEST(test_unsupported)
{
	LKST_EVENT(unsupported, "a=%d b=%ls c=%d", 1, L"wide", 2);
	ck_assert_str_eq(file.declaration, "unsupported s32 a");
	ck_assert_uint_eq(file.size, 8);
	LKST_EVENT(tick, "");
	ck_assert_str_eq(file.declaration, "tick");
	ck_assert_uint_eq(file.size, 4);
}

/*
 * Each string needs room for at least its final 0, so the first strings may not use all of the
 * room.
 */
TEST(test_many_strings)
{
	static char text[LKST_EVENT_BYTES];

	memset(text, 'x', sizeof(text) - 1);
	LKST_EVENT(strings, "%s%s%s%s", text, text, text, text);
	ck_assert_uint_le(file.size, sizeof(file.data));
	ck_assert_uint_eq(file.data[file.size - 1], 0);
}
