// SPDX-License-Identifier: GPL-2.0
/* Writing a trace: a file is replaced by a whole one, or stays. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sample.h"
#include "tap.h"

static char dir[] = "/tmp/lkst-test-XXXXXX";
static char path[64];

/* In place of the C library's: how often files and directories came to the disk. */
static unsigned int files_synced, directories_synced;

int fsync(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	*(S_ISDIR(st.st_mode) ? &directories_synced : &files_synced) += 1;
	return 0;
}

static void setup_dir(void)
{
	strcpy(dir + sizeof(dir) - 7, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/trace", dir);
}

/* Until teardown_dir(), a write beyond SIZE bytes of a file fails with EFBIG. */
static void limit_files(rlim_t size)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size == RLIM_INFINITY ? limit.rlim_max : size;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
}

static int files_in_dir(void)
{
	char command[128];
	FILE *from;
	int num;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", dir);
	from = popen(command, "r");
	ck_assert_int_eq(fscanf(from, "%d", &num), 1);
	pclose(from);
	return num;
}

static void teardown_dir(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
	limit_files(RLIM_INFINITY);
	unsetenv("TMPDIR");
}

static void put(const char *text)
{
	FILE *to = fopen(path, "w");

	fputs(text, to);
	fclose(to);
}

static void holds(const char *text)
{
	char line[64] = "";
	FILE *from = fopen(path, "r");

	ck_assert_ptr_nonnull(from);
	ck_assert_ptr_nonnull(fgets(line, sizeof(line), from));
	ck_assert_str_eq(line, text);
	fclose(from);
}

START_TEST(test_write_replaces)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;
	struct lkst_error err;

	put("old");
	writer = lkst_trace_writer_create(path, &err);
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	holds("old");
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	/* With its name: what was saved may be given up then. */
	ck_assert_uint_eq(files_synced, 1);
	ck_assert_uint_eq(directories_synced, 1);
	ck_assert_int_eq(files_in_dir(), 1);
	trace = lkst_trace_open(path, NULL, &err);
	ck_assert_uint_eq(lkst_trace_records(trace), SAMPLE_RECORDS);
	lkst_trace_close(trace);
}
END_TEST

START_TEST(test_write_aborted)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;

	put("old");
	writer = lkst_trace_writer_create(path, &err);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	lkst_trace_writer_abort(writer);
	holds("old");
	ck_assert_int_eq(files_in_dir(), 1);
}
END_TEST

START_TEST(test_write_full_disk)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };

	put("old");
	writer = lkst_trace_writer_create(path, &err);
	limit_files(1000);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_int_eq(err.sys_errno, EFBIG);
	ck_assert_ptr_nonnull(strstr(err.text, path));
	ck_assert_ptr_nonnull(strstr(err.text, "unchanged"));
	lkst_trace_writer_abort(writer);
	holds("old");
	ck_assert_int_eq(files_in_dir(), 1);
}
END_TEST

START_TEST(test_write_full_disk_new_file)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };

	writer = lkst_trace_writer_create(path, &err);
	limit_files(1000);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "; nothing was left behind"));
	lkst_trace_writer_abort(writer);
	ck_assert_int_eq(files_in_dir(), 0);
}
END_TEST

START_TEST(test_write_full_temporary)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };
	int fd;

	setenv("TMPDIR", dir, 1);
	fd = lkst_temporary_file(&err);
	writer = lkst_trace_writer_temporary(fd, &err);
	limit_files(1000);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, dir));
	ck_assert_ptr_nonnull(strstr(err.text, "TMPDIR can name another directory"));
	lkst_trace_writer_abort(writer);
	close(fd);
}
END_TEST

START_TEST(test_write_dangling_link)
{
	struct lkst_error err = { 0 };
	struct stat st;

	ck_assert_int_eq(symlink("none", path), 0);
	ck_assert_ptr_null(lkst_trace_writer_create(path, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "symbolic link to a file that is not there"));
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(files_in_dir(), 1);
}
END_TEST

START_TEST(test_write_through_link)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err;
	char link[80];
	struct stat st;

	put("old");
	snprintf(link, sizeof(link), "%s/link", dir);
	ck_assert_int_eq(symlink("trace", link), 0);
	writer = lkst_trace_writer_create(link, &err);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_gt(st.st_size, 1000);
}
END_TEST

START_TEST(test_write_device)
{
	struct lkst_trace_writer *writer;
	struct lkst_error err = { 0 };

	/* A device stays one. */
	writer = lkst_trace_writer_create("/dev/null", &err);
	ck_assert_ptr_nonnull(writer);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	ck_assert_ptr_null(lkst_trace_writer_create("/dev/full", &err));
	ck_assert_ptr_nonnull(strstr(err.text, "No space left on device"));
	ck_assert_ptr_null(lkst_trace_writer_create("/nonexistent/x", &err));
	ck_assert_str_eq(err.text, "/nonexistent/x: cannot be created: No such file or directory");
	ck_assert_ptr_null(lkst_trace_writer_create("", &err));
	ck_assert_str_eq(err.text, "\"\": cannot be created: No such file or directory");
	ck_assert_ptr_null(lkst_trace_writer_create(dir, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "Is a directory"));
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("trace_write");
	TCase *tc = tcase_create("trace_write");

	tcase_add_checked_fixture(tc, setup_dir, teardown_dir);
	check_id(tc, test_write_replaces);
	check_id(tc, test_write_aborted);
	check_id(tc, test_write_full_disk);
	check_id(tc, test_write_full_disk_new_file);
	check_id(tc, test_write_full_temporary);
	check_id(tc, test_write_dangling_link);
	check_id(tc, test_write_through_link);
	check_id(tc, test_write_device);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
