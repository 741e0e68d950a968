// SPDX-License-Identifier: GPL-2.0
/* The configuration: what a text sets, and what is said of lines that are wrong. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "logd_options.h"
#include "tap.h"

#define NUM(array) (sizeof(array) / sizeof(*(array)))

static struct logd_options opt;
static struct conf conf;
static struct lkst_error err;

static void tear_down(void)
{
	conf_free(&conf);
	conf = (struct conf){ 0 };
}

static void parse(const char *text)
{
	logd_options_init(&opt);
	conf_init(&conf, &logd_syntax, &opt);
	ck_assert_int_eq(conf_parse(&conf, "f", text, strlen(text), &err), 0);
	ck_assert_int_eq(conf_masksets_check(&conf, NULL, &err), 0);
}

/* "KEY=VALUE@LINE ..." of keys that are set, then "[MASKSET@LINE FROM EVENTS=HANDLER@LINE ...]". */
static const char *read_text(void)
{
	static char text[4096];
	char value[256];
	int len = 0;

	text[0] = 0;
	for (size_t i = 0; i < conf.rows; i++) {
		if (!conf.key[i].file)
			continue;
		option_text(&conf.row[i], &opt, value, sizeof(value));
		len += sprintf(text + len, "%s%s=%s@%u", len ? " " : "", conf.row[i].name, value,
			       conf.key[i].line);
	}
	for (size_t i = 0; i < conf.masksets; i++) {
		const struct conf_maskset *maskset = &conf.maskset[i];

		len += sprintf(text + len, "%s[%s@%u %s", len ? " " : "", maskset->name,
			       maskset->at.line, maskset->from ? maskset->from : "-");
		for (size_t j = 0; j < maskset->rules; j++)
			len += sprintf(text + len, " %s=%s@%u", maskset->rule[j].events,
				       maskset->rule[j].handler, maskset->rule[j].at.line);
		len += sprintf(text + len, "]");
	}
	return text;
}

/* Lines that are wrong, each with its end. */
static const char *error_text(void)
{
	static char text[4096];

	text[0] = 0;
	for (size_t i = 0; i < conf.errors; i++) {
		strcat(text, conf.error[i]);
		strcat(text, "\n");
	}
	return text;
}

static const struct {
	const char *text, *read, *says;
} cases[] = {
	{ "", "", "" },
	{ "\n\n# nothing\n \t# at all\n", "", "" },
	{ "[lkstlogd]\nstart = yes\n", "start=yes@2", "" },
	/* blanks, comments, ends of lines */
	{ " [ lkstlogd ] # c\n\tstart\t=  yes  # now\n", "start=yes@2", "" },
	{ "[lkstlogd]\r\nnumber=3\r\n", "number=3@2", "" },
	{ "[lkstlogd]\nnumber = 3", "number=3@2", "" },
	{ "[lkstlogd]\n#number = 3\nfile = /a#b", "file=/a#b@3", "" },
	{ "[lkstlogd]\nfile = /a b", "file=/a b@2", "" },
	/* each kind of value */
	{ "[lkstlogd]\nstart = On\ncompress=NO\nprevious = 0\n",
	  "start=yes@2 compress=no@3 previous=no@4", "" },
	{ "[lkstlogd]\nbuffer-size = 0x1000\nlimit = 1G\ntotal-limit=4194304\nnumber = 254\n",
	  "buffer-size=4K@2 number=254@5 limit=1G@3 total-limit=4M@4", "" },
	{ "[lkstlogd]\nmaskset = mine\n", "maskset=mine@2", "" },
	/* the last one holds, and a section can come again */
	{ "[lkstlogd]\nnumber=3\n[maskset a]\n[lkstlogd]\nnumber=4\n", "number=4@5 [a@3 -]", "" },
	/* a line that is wrong leaves what was before */
	{ "[lkstlogd]\nnumber=3\nnumber=1\n", "number=3@2",
	  "f:3: number \"1\" is out of range: 2 to 254\n" },
	{ "[lkstlogd]\nlimit = 2T\nstart = maybe\nnumber = x\nbuffer-size = 1K\n", "",
	  "f:2: limit \"2T\" is no size: a number of bytes, or of K, M or G, as in 2M\n"
	  "f:3: start \"maybe\" is none of yes, no\n"
	  "f:4: number \"x\" is not a number (decimal, or hexadecimal with 0x)\n"
	  "f:5: buffer-size \"1K\" is out of range: 4K to 1G\n" },
	{ "[lkstlogd]\nstart =\nnumber = # 3\n", "",
	  "f:2: \"start\" has no value\nf:3: \"number\" has no value\n" },
	{ "[lkstlogd]\ncompres = no\nxyzzy = 1\nnumber = 3\n", "number=3@4",
	  "f:2: unknown key \"compres\"; did you mean \"compress\"?\n"
	  "f:3: unknown key \"xyzzy\"\n" },
	/* what is only for the command line */
	{ "[lkstlogd]\nforeground = yes\nconfig = /x\nversion = yes\nhelp = 1\n", "",
	  "f:2: unknown key \"foreground\"\nf:3: unknown key \"config\"\n"
	  "f:4: unknown key \"version\"\nf:5: unknown key \"help\"\n" },
	{ "[lkstlogd]\nstart\n= 3\n[lkstlogd\n", "",
	  "f:2: \"start\" is not \"key = value\"\nf:3: unknown key \"\"\n"
	  "f:4: \"[lkstlogd\" is not \"key = value\"\n" },
	/* sections */
	{ "start = yes\n", "", "f:1: \"start\" is in no section ([lkstlogd] or [maskset NAME])\n" },
	{ "[lkstlog]\nstart = yes\nx\n[lkstlogd]\nnumber=3\n", "number=3@5",
	  "f:1: unknown section \"lkstlog\" ([lkstlogd] or [maskset NAME]); did you mean "
	  "\"lkstlogd\"?\nf:3: \"x\" is not \"key = value\"\n" },
	{ "[]\n[masksetx]\n[lkstlogd x]\n", "",
	  "f:1: unknown section \"\" ([lkstlogd] or [maskset NAME])\n"
	  "f:2: unknown section \"masksetx\" ([lkstlogd] or [maskset NAME]); did you mean "
	  "\"maskset\"?\n"
	  "f:3: unknown section \"lkstlogd x\" ([lkstlogd] or [maskset NAME]); did you mean "
	  "\"lkstlogd\"?\n" },
	/* masksets */
	{ "[maskset mine]\nfrom = default\nclass:memory, int_* = off\n0x010-0x01f = 2\n",
	  "[mine@1 default class:memory, int_*=off@3 0x010-0x01f=2@4]", "" },
	{ "[maskset a b]\nall=on\n[maskset c]\n[maskset\ta b]\nsystem_call_exit = off\n",
	  "[a b@1 - all=on@2 system_call_exit=off@5] [c@3 -]", "" },
	{ "[maskset mine]\nproces_wakeup = on\nuser_mark,, = on\n",
	  "[mine@1 - proces_wakeup=on@2 user_mark,,=on@3]",
	  "f:2: no event is called \"proces_wakeup\"; did you mean \"process_wakeup\"?\n"
	  "f:3: empty event name in \"user_mark,,\": separate names by one comma each\n" },
	/* an error of several lines becomes one */
	{ "[maskset mine]\nclass:memry = on\n", "[mine@1 - class:memry=on@2]",
	  "f:2: no class of events is called \"memry\"; did you mean \"memory\"? The classes are "
	  "*" },
	{ "[maskset]\nx = on\n[maskset default]\nx = on\n[maskset lkstlogd]\n", "",
	  "f:1: maskset name \"\": 1 to 31 bytes, without control characters\n"
	  "f:3: maskset \"default\" is LKST's own: define one with another name (\"from = "
	  "default\" copies it)\n"
	  "f:5: maskset \"lkstlogd\" is LKST's own: define one with another name (\"from = "
	  "lkstlogd\" copies it)\n" },
	{ "[maskset 1234567890123456789012345678901]\n[maskset 12345678901234567890123456789012]\n",
	  "[1234567890123456789012345678901@1 -]",
	  "f:2: maskset name \"12345678901234567890123456789012\": 1 to 31 bytes, without control "
	  "characters\n" },
	{ "[maskset a]\nfrom = a\nfrom = b\n", "[a@1 b]",
	  "f:2: maskset \"a\" cannot be made from itself (from = default)\n" },
};

/* Up to "*" in what is wanted. */
static bool says(const char *said, const char *wanted)
{
	const char *star = strchr(wanted, '*');

	return star ? !strncmp(said, wanted, (size_t)(star - wanted)) : !strcmp(said, wanted);
}

START_TEST(test_case)
{
	parse(cases[_i].text);
	ck_assert_str_eq(read_text(), cases[_i].read);
	ck_assert_msg(says(error_text(), cases[_i].says), "said: %s", error_text());
}
END_TEST

/* Files one after the other: later ones change what earlier ones say, and places say which. */
START_TEST(test_files)
{
	static const char first[] = "[lkstlogd]\nnumber = 3\nlimit = 1M\n[maskset a]\nall = on\n",
			  second[] = "number = 5\n[maskset a]\nfrom = default\n[lkstlogd]\n"
				     "number = 4\n";

	logd_options_init(&opt);
	conf_init(&conf, &logd_syntax, &opt);
	ck_assert_int_eq(conf_parse(&conf, "1", first, strlen(first), &err), 0);
	ck_assert_int_eq(conf_parse(&conf, "2", second, strlen(second), &err), 0);
	ck_assert_str_eq(read_text(), "number=4@5 limit=1M@3 [a@4 default all=on@5]");
	/* The section of another file is not that of this one. */
	ck_assert_str_eq(error_text(),
			 "2:1: \"number\" is in no section ([lkstlogd] or [maskset NAME])\n");
	ck_assert_uint_eq(conf.files, 2);
	ck_assert_str_eq(conf.file[1], "2");
	ck_assert_str_eq(conf_find_maskset(&conf, "a")->from_at.file, "2");
	ck_assert_str_eq(conf_find_maskset(&conf, "a")->at.file, "1");
	ck_assert_ptr_null(conf_find_maskset(&conf, "b"));
}
END_TEST

static char path[64];

static void put(const char *text, size_t len)
{
	FILE *to;
	int fd;

	strcpy(path, "/tmp/lkst-conf.XXXXXX");
	fd = mkstemp(path);
	to = fdopen(fd, "w");
	ck_assert_ptr_nonnull(to);
	fwrite(text, 1, len, to);
	fclose(to);
}

/* The command line overrides the file, and reading again takes what changed. */
START_TEST(test_settings)
{
	static const char text[] = "[lkstlogd]\nnumber = 3\ncompress = no\nstart = yes\n"
				   "file = here\n[maskset a]\n";
	char *argv[] = { (char *)"lkstlogd", (char *)"--no-start", (char *)"-n", (char *)"7",
			 NULL };
	struct logd_settings settings = { .argc = 4, .argv = argv };

	put(text, strlen(text));
	settings.opt.config = path;
	ck_assert_int_eq(logd_settings_read(&settings, &err), 0);
	ck_assert(!settings.opt.start);
	ck_assert(!settings.opt.compress);
	ck_assert_int_eq(settings.opt.number, 7);
	ck_assert_uint_eq(settings.opt.buffer_size, 2 * 1024 * 1024);
	ck_assert_uint_eq(settings.conf.masksets, 1);
	/* The daemon leaves the working directory. */
	ck_assert_str_eq(settings.opt.name, "/var/log/lkst/sebuf");
	ck_assert_uint_eq(settings.conf.errors, 1);
	ck_assert_ptr_nonnull(strstr(settings.conf.error[0], ":5: file name \"here\" does not "
							     "begin with \"/\""));
	unlink(path);
	ck_assert_int_eq(logd_settings_read(&settings, &err), 0);
	ck_assert(settings.opt.compress);
	ck_assert_int_eq(settings.opt.number, 7);
	ck_assert_str_eq(settings.opt.config, path);
	ck_assert_uint_eq(settings.conf.masksets, 0);
	ck_assert_uint_eq(settings.conf.errors, 1);
	ck_assert_ptr_nonnull(strstr(settings.conf.error[0], "No such file"));
	logd_settings_free(&settings);
}
END_TEST

START_TEST(test_no_text)
{
	static const char text[] = "[lkstlogd]\nnumber = 3\n\0\n";

	put(text, sizeof(text));
	logd_options_init(&opt);
	ck_assert_int_eq(logd_options_read(&opt, &conf, path, &err), 0);
	unlink(path);
	ck_assert_int_eq(opt.number, 2);
	ck_assert_uint_eq(conf.errors, 1);
	ck_assert_ptr_nonnull(strstr(conf.error[0], "this is no text"));
}
END_TEST

/* Every value that is shown is one that can be written. */
START_TEST(test_shown)
{
	struct logd_options again;
	char text[256];

	logd_options_init(&opt);
	opt.limit = opt.total = 1 << 20;
	opt.maskset = "mine";
	conf_init(&conf, &logd_syntax, &opt);
	ck_assert_uint_eq(conf.rows, 9);
	for (size_t i = 0; i < conf.rows; i++) {
		memset(&again, 0, sizeof(again));
		ck_assert_int_gt(option_text(&conf.row[i], &opt, text, sizeof(text)), 0);
		ck_assert_int_eq(option_take(&conf.row[i], "x", text, &again, &err), 0);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("conf");
	TCase *tc = tcase_create("conf");

	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_loop_test(tc, test_case, 0, NUM(cases));
	check_id(tc, test_files);
	check_id(tc, test_settings);
	check_id(tc, test_no_text);
	check_id(tc, test_shown);
	suite_add_tcase(s, tc);
	return s;
}

int main(void)
{
	return run_suite(suite());
}
