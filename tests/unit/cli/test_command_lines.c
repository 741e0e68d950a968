// SPDX-License-Identifier: GPL-2.0
/* Finding processes by the arguments in their command lines. */
#include "cli/command_lines.h"
#include "lib/text/files.h"
#include "sample.h"
#include "tap.h"

#define PROCESS(tgid, command) "process " #tgid " 1000 1001\ncommand - - " command "\n"

/* Process 120 was read twice. */
static const char text[] = LKST_FILES_HEADER "\nread 1000 2000\n" PROCESS(
	110, "nginx:\\040master\\040process /usr/sbin/nginx -c /etc/nginx/nginx.conf")
	PROCESS(120, "python3 /opt/jobs/backup.py --full") PROCESS(
		130, "python3 -u report.py a\\134b C:\\134x\\040y /srv/") PROCESS(140, "")
		PROCESS(150, "java -jar /opt/reports.jar")
			PROCESS(160, "sudo /usr/sbin/lkstla sched -p nothing.py") PROCESS(
				170,
				"sh -c cd\\040/tmp;\\040/bin/lkstbuf\\040print\\040-p\\040nothing.py")
				PROCESS(180, "ruby report.py") PROCESS(190, "perl report.py");
static const char again[] = LKST_FILES_HEADER
	"\nread 3000 4000\n" PROCESS(120, "python3 /opt/jobs/backup.py --full");

static struct lkst_files *files;
static struct command_lines lines;

static void setup(void)
{
	files = lkst_files_new();
	ck_assert(files);
	assert_ok(lkst_files_add(files, text, strlen(text), &err));
	assert_ok(lkst_files_add(files, again, strlen(again), &err));
	lkst_files_start(files, NULL);
	lines = (struct command_lines){ 0 };
	assert_ok(command_lines_add(&lines, NULL));
	assert_ok(command_lines_add(&lines, files));
}

static void teardown(void)
{
	command_lines_free(&lines);
	lkst_files_free(files);
}

TESTS(.setup = setup, .teardown = teardown);

static const struct {
	const char *name;
	bool similar;
	const char *found;
} words[] = {
	{ "backup.py", false, "120 /opt/jobs/backup.py" },
	{ "/opt/jobs/backup.py", false, "120 /opt/jobs/backup.py" },
	{ "BACKUP", false, "120 /opt/jobs/backup.py" },
	{ "jobs", false, "120 /opt/jobs/backup.py" },
	{ "*.jar", false, "150 /opt/reports.jar" },
	{ "-u", false, "130 -u" },
	{ "-x", true, "" },
	{ "nginx.conf", false, "110 /etc/nginx/nginx.conf" },
	{ "master process", false, "110 nginx: master process" },
	{ "x y", false, "130 C:\\x y" },
	{ "a\\\\b", false, "130 a\\b" },
	{ "/srv/", false, "130 /srv/" },
	{ "report.py", false, "130 report.py, 180 report.py, 190 report.py" },
	{ "report*", false, "130 report.py, 150 /opt/reports.jar, 180 report.py" },
	{ "backpu.py", true, "120 /opt/jobs/backup.py" },
	{ "backpu.py", false, "" },
	{ "reprots.jar", true, "150 /opt/reports.jar" },
	{ "nothing.py", true, "" },
	{ "sched", true, "" },
	{ "py", false, "" },
};

TEST_ROWS(test_find, words)
{
	const struct command_word *found[COMMAND_LINES_FOUND];
	size_t n = command_lines_find(&lines, words[_i].name, words[_i].similar, found), len = 0;
	char result[256] = "";

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(result + len, sizeof(result) - len, "%s%u %s",
					i ? ", " : "", found[i]->tgid, found[i]->text);
	ck_assert_str_eq(result, words[_i].found);
}

TEST(test_empty)
{
	const struct command_word *found[COMMAND_LINES_FOUND];
	struct command_lines none = { 0 };

	ck_assert_uint_eq(command_lines_find(&none, "cat", true, found), 0);
	command_lines_free(&none);
}
