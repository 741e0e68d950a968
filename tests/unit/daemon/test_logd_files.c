// SPDX-License-Identifier: GPL-2.0
/*
 * The names of the daemon's files, and the limit on all files. The report of a previous boot is
 * deleted together with the file of that boot.
 */
#include <dirent.h>
#include <sys/stat.h>

#include "lkstlogd/files.h"
#include "lkstlogd/report.h"
#include "lkstlogd/state.h"
#include "tap.h"

static char dir[] = "/tmp/test_logd_files.XXXXXX";
static struct logd_files files;
static struct { struct logd_state state; struct logd_cpu cpu[1]; } state;

void logd_report(int priority, const char *format, ...)
{
	(void)priority;
	(void)format;
}

static void set_up(void)
{
	char name[PATH_MAX];

	memset(&state, 0, sizeof(state));
	state.state.cpus = 1;
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	ck_assert(mkdtemp(dir));
	snprintf(name, sizeof(name), "%s/log", dir);
	assert_ok(logd_files_init(&files, name, &err));
}

static int delete_entry(const struct dirent *entry)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", dir, entry->d_name);
	if (*entry->d_name != '.')
		remove(path);
	return 0;
}

static void tear_down(void)
{
	struct dirent **entry;

	ck_assert_int_eq(scandir(dir, &entry, delete_entry, NULL), 0);
	free(entry);
	ck_assert_int_eq(rmdir(dir), 0);
}

/* Create files of 10 bytes. @names are separated by spaces; a name that ends in / is a directory. */
static void create(const char *names)
{
	char copy[1024], path[PATH_MAX];

	snprintf(copy, sizeof(copy), "%s", names);
	for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (name[strlen(name) - 1] == '/')
			ck_assert_int_eq(mkdir(path, 0700), 0);
		else
			write_text(path, "0123456789");
	}
}

static int shown(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* Return the names of the files that exist, sorted, each followed by a space. */
static const char *left(void)
{
	static char text[1024];
	struct dirent **entry;
	int num = scandir(dir, &entry, shown, versionsort);

	text[0] = 0;
	for (int i = 0; i < num; i++) {
		strcat(strcat(text, entry[i]->d_name), " ");
		free(entry[i]);
	}
	free(entry);
	return text;
}

TESTS(.name = "limit", .setup = set_up, .teardown = tear_down);

static const struct {
	const char *name, *files;
	uint64_t max;
	const char *left;
} limits[] = {
	{ "enough room", "log0.1 logprevious.0 report-logprevious.0.txt", 30,
	  "log0.1 logprevious.0 report-logprevious.0.txt " },
	/*
	 * The files exceed the limit by a byte. Deleting the oldest trace would be enough, but its
	 * report must be deleted with it.
	 */
	{ "the report is deleted with its trace", "log0.1 logprevious.0 report-logprevious.0.txt",
	  29, "log0.1 " },
	{ "the report counts", "log0.1 log0.2 logprevious.0 report-logprevious.0.txt", 39,
	  "log0.1 log0.2 " },
	{ "several boots",
	  "log0.3 logprevious.0 logprevious.1 report-logprevious.0.txt report-logprevious.1.txt "
	  "logprevious.2 report-logprevious.2.txt",
	  49, "log0.3 logprevious.2 report-logprevious.2.txt " },
	{ "in numerical order",
	  "logprevious.9 report-logprevious.9.txt logprevious.10 report-logprevious.10.txt", 39,
	  "logprevious.10 report-logprevious.10.txt " },
	{ "a boot without a report", "logprevious.0 logprevious.1 report-logprevious.1.txt", 29,
	  "logprevious.1 report-logprevious.1.txt " },
	{ "a report whose trace is gone", "report-logprevious.0.txt log0.0 log0.1", 29,
	  "log0.0 log0.1 " },
	{ "a log file with the same number", "log0.0 logprevious.0 report-logprevious.0.txt", 15,
	  "log0.0 " },
	{ "snapshots count, but not one that is being written",
	  "log0.2 logsnapshot.0 logsnapshot.1 logsnapshot.2.Xa9k2L", 20,
	  "log0.2 logsnapshot.1 logsnapshot.2.Xa9k2L " },
	{ "all", "log0.0 logprevious.0 report-logprevious.0.txt", 0, "" },
	{ "other names",
	  "report-logprevious.0 logprevious.0.txt report-log0.0.txt report-logprevious.x.txt "
	  "report-logprevious.00.txt report-logprevious.0.txt.new report-logprevious.new "
	  "report-otherprevious.0.txt reportlogprevious.0.txt log0.0.txt",
	  0,
	  "log0.0.txt logprevious.0.txt report-log0.0.txt report-logprevious.00.txt "
	  "report-logprevious.0 report-logprevious.0.txt.new report-logprevious.new "
	  "report-logprevious.x.txt report-otherprevious.0.txt reportlogprevious.0.txt " },
	{ "a directory is not a report", "logprevious.0 report-logprevious.0.txt/", 0,
	  "report-logprevious.0.txt " },
};

TEST_ROWS(test_limit, limits)
{
	create(limits[_i].files);
	logd_files_limit(&files, limits[_i].max, 0, &state.state);
	ck_assert_str_eq(left(), limits[_i].left);
}

TEST(test_bytes)
{
	create("log0.0 logprevious.1 report-logprevious.1.txt report-logprevious.new");
	ck_assert_uint_eq(logd_files_bytes(&files), 30);
}

static const struct {
	const char *name, *files;
	int32_t cpu;
	uint32_t serial;
} serials[] = {
	{ "none", "", -1, 0 },
	{ "a report is in use", "log0.2 report-logprevious.7.txt", -1, 8 },
	{ "a directory, too", "report-logprevious.7.txt/", -1, 8 },
	{ "a snapshot", "log0.2 logsnapshot.7", -1, 8 },
	{ "but not for a CPU", "log0.2 report-logprevious.7.txt", 0, 3 },
};

TEST_ROWS(test_serial, serials)
{
	uint32_t serial;

	create(serials[_i].files);
	assert_ok(logd_files_serial(&files, serials[_i].cpu, &serial, &err));
	ck_assert_uint_eq(serial, serials[_i].serial);
}

TESTS(.name = "names");

/* The longest base name leaves room for each name that the daemon makes from it. */
TEST(test_longest_name)
{
	char base[NAME_MAX + 2] = "/", name[NAME_MAX + 1], wanted[NAME_MAX + 64];
	size_t len = NAME_MAX - LOGD_NAME_MORE;

	memset(base + 1, 'x', len + 1);
	ck_assert_int_eq(logd_files_init(&files, base, &err), -1);
	base[len + 1] = 0;
	assert_ok(logd_files_init(&files, base, &err));
	logd_files_report_name(&files, UINT32_MAX, name);
	snprintf(wanted, sizeof(wanted), "report-%sprevious.4294967295.txt", base + 1);
	ck_assert_str_eq(name, wanted);
}
