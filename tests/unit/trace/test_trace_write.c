// SPDX-License-Identifier: GPL-2.0
/*
 * Writing a trace: an existing file is either replaced by a complete trace, or it stays unchanged.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "dir.h"
#include "lib/trace/write.h"
#include "sample.h"
#include "tap.h"

static char path[64];

/* Numbers of fsync() calls on files and directories. fsync() below replaces the C library's. */
static unsigned int files_synced, directories_synced;

int fsync(int fd)
{
	struct stat st;

	ck_assert_int_eq(fstat(fd, &st), 0);
	*(S_ISDIR(st.st_mode) ? &directories_synced : &files_synced) += 1;
	return 0;
}

static void setup(void)
{
	dir_make();
	strcpy(path, dir_path("trace"));
}

/* Make writes beyond @size bytes of a file fail with EFBIG, until teardown(). */
static void limit_files(rlim_t size)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size == RLIM_INFINITY ? limit.rlim_max : size;
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &limit);
}

static void teardown(void)
{
	dir_remove();
	limit_files(RLIM_INFINITY);
}

/* Write the sample to a file without committing it, and return the writer. */
static struct lkst_trace_writer *write_to(const char *name)
{
	struct lkst_trace_writer *writer = lkst_trace_writer_create(name, &err);

	assert_made(writer);
	ck_assert_int_eq(sample_write(writer, &err), 0);
	return writer;
}

/*
 * Check that writing the sample fails when the size of files is limited. The message must contain
 * @name and @message.
 */
static void write_to_full_disk(struct lkst_trace_writer *writer, const char *name,
			       const char *message)
{
	limit_files(1000);
	ck_assert_int_eq(sample_write(writer, &err), -1);
	ck_assert_int_eq(err.sys_errno, EFBIG);
	assert_contains(err.text, name);
	assert_contains(err.text, message);
	lkst_trace_writer_abort(writer);
}

TESTS(.setup = setup, .teardown = teardown);

TEST(test_write_replaces)
{
	struct lkst_trace_writer *writer;
	struct lkst_trace *trace;

	write_text(path, "old");
	writer = write_to(path);
	check_text(path, "old");
	ck_assert_int_eq(lkst_trace_writer_commit(writer, &err), 0);
	/*
	 * The directory is synchronised as well, so the caller may now delete the source of the
	 * data.
	 */
	ck_assert_uint_eq(files_synced, 1);
	ck_assert_uint_eq(directories_synced, 1);
	ck_assert_int_eq(dir_files(), 1);
	trace = lkst_trace_open(path, NULL, &err);
	ck_assert_uint_eq(lkst_trace_records(trace), SAMPLE_RECORDS);
	lkst_trace_close(trace);
}

TEST(test_write_aborted)
{
	write_text(path, "old");
	lkst_trace_writer_abort(write_to(path));
	check_text(path, "old");
	ck_assert_int_eq(dir_files(), 1);
}

TEST(test_write_full_disk)
{
	write_text(path, "old");
	write_to_full_disk(lkst_trace_writer_create(path, &err), path, "unchanged");
	check_text(path, "old");
	ck_assert_int_eq(dir_files(), 1);
}

TEST(test_write_full_disk_new_file)
{
	write_to_full_disk(lkst_trace_writer_create(path, &err), path,
			   "; no file was created");
	ck_assert_int_eq(dir_files(), 0);
}

TEST(test_write_dangling_link)
{
	struct stat st;

	ck_assert_int_eq(symlink("none", path), 0);
	ck_assert_ptr_null(lkst_trace_writer_create(path, &err));
	assert_contains(err.text, "symbolic link to a file that does not exist");
	ck_assert_int_eq(lstat(path, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(dir_files(), 1);
}

TEST(test_write_through_link)
{
	const char *link = dir_path("link");
	struct stat st;

	write_text(path, "old");
	ck_assert_int_eq(symlink("trace", link), 0);
	ck_assert_int_eq(lkst_trace_writer_commit(write_to(link), &err), 0);
	ck_assert_int_eq(lstat(link, &st), 0);
	ck_assert(S_ISLNK(st.st_mode));
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_gt(st.st_size, 1000);
}

/* A device is written to, and not replaced. */
TEST(test_write_device)
{
	static const char *const failures[][2] = {
		{ "/dev/full", "No space left on device" },
		{ "/none/x", "/none/x: cannot be created: No such file or directory" },
		{ "", "\"\": cannot be created: No such file or directory" },
		{ dir, "Is a directory" },
	};

	ck_assert_int_eq(lkst_trace_writer_commit(write_to("/dev/null"), &err), 0);
	for (int i = 0; i < NUM(failures); i++) {
		ck_assert_ptr_null(lkst_trace_writer_create(failures[i][0], &err));
		assert_contains(err.text, failures[i][1]);
	}
}
