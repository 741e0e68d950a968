// SPDX-License-Identifier: GPL-2.0
/*
 * The library that lkst run-user-events preloads: each of its functions opens or finds LKST's files
 * instead of those of user_events. In this test, files in /proc/self take the place of LKST's
 * files.
 */
#define PRELOAD_DATA   "/proc/self/comm"
#define PRELOAD_STATUS "/proc/self/status"
#include "preload/user_events.c"
#include "tap.h"

TESTS();

/* Return whether a file is the one that is expected: its first line begins with @text. */
static bool begins(int fd, const char *text)
{
	char line[64] = "";
	bool same = fd >= 0 && read(fd, line, sizeof(line) - 1) >= 0 &&
		    !strncmp(line, text, strlen(text));

	close(fd);
	return same;
}

static bool is_status(int fd)
{
	return begins(fd, "Name:");
}

static bool stream_is_status(FILE *stream)
{
	char line[64] = "";
	bool same = stream && fgets(line, sizeof(line), stream) && !strncmp(line, "Name:", 5);

	if (stream)
		fclose(stream);
	return same;
}

#define STATUS "/nowhere/user_events_status"
#define DATA   "/sys/kernel/debug/tracing/user_events_data"

TEST(test_open)
{
	ck_assert(is_status(open(STATUS, O_RDONLY)));
	ck_assert(is_status(open64(STATUS, O_RDONLY)));
	ck_assert(is_status(openat(AT_FDCWD, STATUS, O_RDONLY)));
	ck_assert(is_status(openat64(-1, STATUS, O_RDONLY)));
	ck_assert(is_status(__open_2(STATUS, O_RDONLY)));
	ck_assert(is_status(__open64_2(STATUS, O_RDONLY)));
	ck_assert(is_status(__openat_2(AT_FDCWD, STATUS, O_RDONLY)));
	ck_assert(is_status(__openat64_2(AT_FDCWD, STATUS, O_RDONLY)));
	ck_assert(stream_is_status(fopen(STATUS, "r")));
	ck_assert(stream_is_status(fopen64(STATUS, "r")));
	ck_assert(stream_is_status(freopen(STATUS, "r", fopen("/dev/null", "r"))));
	ck_assert(stream_is_status(freopen64(STATUS, "r", fopen("/dev/null", "r"))));
	ck_assert(begins(open(DATA, O_RDWR), "test_preload"));
	ck_assert(begins(open("./user_events_data", O_RDWR), "test_preload"));
}

TEST(test_find)
{
	struct stat64 st64;
	struct statx stx;
	struct stat st;

	ck_assert_int_eq(access(STATUS, R_OK), 0);
	ck_assert_int_eq(eaccess(STATUS, R_OK), 0);
	ck_assert_int_eq(euidaccess(STATUS, R_OK), 0);
	ck_assert_int_eq(faccessat(AT_FDCWD, STATUS, R_OK, 0), 0);
	ck_assert_int_eq(stat(STATUS, &st), 0);
	ck_assert_int_eq(lstat(STATUS, &st), 0);
	ck_assert_int_eq(stat64(STATUS, &st64), 0);
	ck_assert_int_eq(lstat64(STATUS, &st64), 0);
	ck_assert_int_eq(fstatat(-1, STATUS, &st, 0), 0);
	ck_assert_int_eq(fstatat64(-1, STATUS, &st64, 0), 0);
	ck_assert_int_eq(statx(-1, STATUS, 0, STATX_MODE, &stx), 0);
}

#ifdef __GLIBC__
/* glibc no longer declares these functions. */
int __xstat(int version, const char *path, struct stat *st);
int __xstat64(int version, const char *path, struct stat64 *st);
int __lxstat(int version, const char *path, struct stat *st);
int __lxstat64(int version, const char *path, struct stat64 *st);
int __fxstatat(int version, int dir, const char *path, struct stat *st, int flags);
int __fxstatat64(int version, int dir, const char *path, struct stat64 *st, int flags);

#define VERSION 0 /* the kernel's struct stat; on 64-bit machines, that of glibc is the same */

TEST(test_find_old)
{
	struct stat64 st64;
	struct stat st;

	ck_assert_int_eq(__xstat(VERSION, STATUS, &st), 0);
	ck_assert(S_ISREG(st.st_mode));
	ck_assert_int_eq(__xstat64(VERSION, STATUS, &st64), 0);
	ck_assert_int_eq(__lxstat(VERSION, STATUS, &st), 0);
	ck_assert_int_eq(__lxstat64(VERSION, STATUS, &st64), 0);
	ck_assert_int_eq(__fxstatat(VERSION, -1, STATUS, &st, 0), 0);
	ck_assert(S_ISREG(st.st_mode));
	ck_assert_int_eq(__fxstatat64(VERSION, -1, STATUS, &st64, 0), 0);
}
#endif

/* A path may be missing. */
TEST(test_no_path)
{
	/*
	 * glibc declares that these paths are not NULL. Pointers keep gcc from noticing that they
	 * are.
	 */
	int (*volatile statx_of)(int, const char *, int, unsigned int, struct statx *) = statx;
	int (*volatile access_of)(const char *, int) = access;
	int (*volatile open_of)(const char *, int, ...) = open;
	const char *volatile none = NULL;
	FILE *stream = freopen(none, "r", fopen("/proc/self/status", "r"));
	struct statx stx;

	ck_assert(stream_is_status(stream));
	ck_assert_int_eq(open_of(none, O_RDONLY), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(access_of(none, F_OK), -1);
	ck_assert_int_eq(errno, EFAULT);
	ck_assert_int_eq(statx_of(AT_FDCWD, none, 0, STATX_MODE, &stx), -1);
}

/* Other paths are not changed. */
static const char *const others[] = {
	"user_events_status",
	"/nowhere/user_events",
	"/nowhere/my_user_events_status",
	"/nowhere/user_events_status2",
	"/nowhere/user_events_status/",
	"",
};

TEST_EACH(test_other, others)
{
	ck_assert_int_eq(open(others[_i], O_RDONLY), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_ptr_null(fopen(others[_i], "r"));
	ck_assert_int_eq(access(others[_i], F_OK), -1);
}

/* The mode of a new file is passed on. */
TEST(test_mode)
{
	char dir[] = "/tmp/test_preload.XXXXXX", path[64];
	struct stat st;
	int fd;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/new", dir);
	umask(0);
	fd = open(path, O_CREAT | O_WRONLY, 0640);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0640);
	close(fd);
	unlink(path);
	fd = openat(AT_FDCWD, path, O_CREAT | O_WRONLY, 0604);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fstat(fd, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0604);
	close(fd);
	unlink(path);
	fd = open(dir, O_TMPFILE | O_WRONLY, 0604);
	if (fd >= 0) {
		ck_assert_int_eq(fstat(fd, &st), 0);
		ck_assert_int_eq(st.st_mode & 0777, 0604);
		close(fd);
	} else {
		ck_assert_int_eq(errno, EOPNOTSUPP);
	}
	rmdir(dir);
}
