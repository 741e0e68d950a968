// SPDX-License-Identifier: GPL-2.0
/* The configuration of lkstlogd: parsing its settings, and the errors for invalid lines. */
#include "cli/conf.h"
#include "cli/logd_options.h"
#include "cli/options.h"
#include "tap.h"

static struct logd_options opt;
static struct conf conf;

static void set_up(void)
{
	logd_options_init(&opt);
	conf_init(&conf, &logd_syntax, &opt);
}

static void tear_down(void)
{
	conf_free(&conf);
	conf = (struct conf){ 0 };
}

/* Parse @text as if it were the contents of @file. */
static void parse(const char *file, const char *text)
{
	assert_ok(conf_parse(&conf, file, text, strlen(text), &err));
}

/*
 * Return the configuration as text: "KEY=VALUE@LINE ..." for the keys that are set, then
 * "[MASKSET@LINE FROM EVENTS=HANDLER@LINE ...]" for each maskset.
 */
static const char *read_text(void)
{
	static char text[4096];
	char value[256], *to = text;

	text[0] = 0;
	for (size_t i = 0; i < conf.rows; i++) {
		if (!conf.key[i].file)
			continue;
		option_text(&conf.row[i], &opt, value, sizeof(value));
		to += sprintf(to, " %s=%s@%u", conf.row[i].name, value, conf.key[i].line);
	}
	for (size_t i = 0; i < conf.masksets; i++) {
		const struct conf_maskset *maskset = &conf.maskset[i];

		to += sprintf(to, " [%s@%u %s", maskset->name, maskset->at.line,
			      maskset->from ? maskset->from : "-");
		for (size_t j = 0; j < maskset->rules; j++)
			to += sprintf(to, " %s=%s@%u", maskset->rule[j].events,
				      maskset->rule[j].handler, maskset->rule[j].at.line);
		to += sprintf(to, "]");
	}
	return *text ? text + 1 : text;
}

/* Return all errors about invalid lines, each followed by a newline. */
static const char *error_text(void)
{
	static char text[4096];
	char *to = text;

	text[0] = 0;
	for (size_t i = 0; i < conf.errors; i++)
		to += sprintf(to, "%s\n", conf.error[i]);
	return text;
}

static const struct { const char *text, *read, *errors; } cases[] = {
	{ "", "", "" },
	{ "\n\n# nothing\n \t# at all\n", "", "" },
	{ "[lkstlogd]\nstart = yes\n", "start=yes@2", "" },
	/* whitespace, comments, newlines */
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
	{ "[lkstlogd]\nopen-files = no\nmaskset = mine\nreport = no\n",
	  "report=no@4 open-files=no@2 maskset=mine@3", "" },
	/* the last value applies, and a section can be repeated */
	{ "[lkstlogd]\nnumber=3\n[maskset a]\n[lkstlogd]\nnumber=4\n", "number=4@5 [a@3 -]", "" },
	/* a line with an error does not change the value that an earlier line set */
	{ "[lkstlogd]\nnumber=3\nnumber=1\n", "number=3@2",
	  "f:3: number \"1\" is out of range: 2 to 254\n" },
	{ "[lkstlogd]\nlimit = 2T\nstart = maybe\nnumber = x\nbuffer-size = 1K\n", "",
	  "f:2: limit \"2T\" is not a valid size (bytes, or with K, M or G: 2M)\n"
	  "f:3: start \"maybe\" is not one of yes, no\n"
	  "f:4: number \"x\" is not a number (decimal, or hexadecimal with 0x)\n"
	  "f:5: buffer-size \"1K\" is out of range: 4K to 1G\n" },
	{ "[lkstlogd]\nstart =\nnumber = # 3\n", "",
	  "f:2: \"start\" has no value\nf:3: \"number\" has no value\n" },
	{ "[lkstlogd]\ncompres = no\nxyzzy = 1\nnumber = 3\n", "number=3@4",
	  "f:2: unknown key \"compres\"; did you mean \"compress\"?\n"
	  "f:3: unknown key \"xyzzy\"\n" },
	/* options that exist only on the command line are not keys */
	{ "[lkstlogd]\nforeground = yes\nconfig = /x\nversion = yes\nhelp = 1\n", "",
	  "f:2: unknown key \"foreground\"\nf:3: unknown key \"config\"\n"
	  "f:4: unknown key \"version\"\nf:5: unknown key \"help\"\n" },
	{ "[lkstlogd]\nstart\n= 3\n[lkstlogd\n", "",
	  "f:2: \"start\" is not \"key = value\"\nf:3: unknown key \"\"\n"
	  "f:4: \"[lkstlogd\" is not \"key = value\"\n" },
	/* sections */
	{ "start = yes\n", "",
	  "f:1: \"start\" is not in a section ([lkstlogd] or [maskset NAME])\n" },
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
	  "f:2: unknown event \"proces_wakeup\"; did you mean \"process_wakeup\" or \"process_waking\"?\n"
	  "f:3: empty event name in \"user_mark,,\" (separate names with single commas)\n" },
	/* the lines of an error message are joined into one */
	{ "[maskset mine]\nclass:memry = on\n", "[mine@1 - class:memry=on@2]",
	  "f:2: unknown class of events \"memry\"; did you mean \"memory\"? The classes are "
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
	  "f:2: maskset \"a\" cannot be a copy of itself (from = default)\n" },
};

/*
 * Whether @text is the same as @expected or, if @expected contains "*", begins with the part before
 * the "*".
 */
static bool matches(const char *text, const char *expected)
{
	const char *star = strchr(expected, '*');

	return star ? !strncmp(text, expected, (size_t)(star - expected)) : !strcmp(text, expected);
}

TESTS(.setup = set_up, .teardown = tear_down);

TEST_EACH(test_case, cases)
{
	parse("f", cases[_i].text);
	assert_ok(conf_masksets_check(&conf, NULL, &err));
	ck_assert_str_eq(read_text(), cases[_i].read);
	ck_assert_msg(matches(error_text(), cases[_i].errors), "errors: %s", error_text());
}

/* Later files override earlier ones. Locations name the file that set a value. */
TEST(test_files)
{
	parse("1", "[lkstlogd]\nnumber = 3\nlimit = 1M\n[maskset a]\nall = on\n");
	parse("2", "number = 5\n[maskset a]\nfrom = default\n[lkstlogd]\nnumber = 4\n");
	ck_assert_str_eq(read_text(), "number=4@5 limit=1M@3 [a@4 default all=on@5]");
	/* A section in one file does not continue in the next one. */
	ck_assert_str_eq(error_text(),
			 "2:1: \"number\" is not in a section ([lkstlogd] or [maskset NAME])\n");
	ck_assert_uint_eq(conf.files, 2);
	ck_assert_str_eq(conf.file[1], "2");
	ck_assert_str_eq(conf_find_maskset(&conf, "a")->from_at.file, "2");
	ck_assert_str_eq(conf_find_maskset(&conf, "a")->at.file, "1");
	ck_assert_ptr_null(conf_find_maskset(&conf, "b"));
}

static char path[64];

static void put(const char *text, size_t len)
{
	int fd;

	strcpy(path, "/tmp/lkst-conf.XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_eq(write(fd, text, len), len);
	close(fd);
}

/* The command line overrides the file. Reading the settings again reads the file again. */
TEST(test_settings)
{
	static const char text[] = "[lkstlogd]\nnumber = 3\ncompress = no\nstart = yes\n"
				   "file = here\n[maskset a]\n";
	char *argv[] = { (char *)"lkstlogd", (char *)"--no-start", (char *)"-n", (char *)"7",
			 NULL };
	struct logd_settings settings = { .argc = 4, .argv = argv };

	put(text, strlen(text));
	settings.opt.config = path;
	assert_ok(logd_settings_read(&settings, &err));
	ck_assert(!settings.opt.start);
	ck_assert(!settings.opt.compress);
	ck_assert_int_eq(settings.opt.number, 7);
	ck_assert_uint_eq(settings.opt.buffer_size, 2 * 1024 * 1024);
	ck_assert_uint_eq(settings.conf.masksets, 1);
	/*
	 * A relative path in the file is refused, because the daemon changes its working directory.
	 * The default remains in effect.
	 */
	ck_assert_str_eq(settings.opt.name, "/var/log/lkst/sebuf");
	ck_assert_uint_eq(settings.conf.errors, 1);
	assert_contains(settings.conf.error[0], ":5: file name \"here\" must begin with \"/\"");
	unlink(path);
	assert_ok(logd_settings_read(&settings, &err));
	ck_assert(settings.opt.compress);
	ck_assert_int_eq(settings.opt.number, 7);
	ck_assert_str_eq(settings.opt.config, path);
	ck_assert_uint_eq(settings.conf.masksets, 0);
	ck_assert_uint_eq(settings.conf.errors, 1);
	assert_contains(settings.conf.error[0], "No such file");
	logd_settings_free(&settings);
}

TEST(test_no_text)
{
	static const char text[] = "[lkstlogd]\nnumber = 3\n\0\n";

	put(text, sizeof(text));
	assert_ok(logd_options_read(&opt, &conf, path, &err));
	unlink(path);
	ck_assert_int_eq(opt.number, 2);
	ck_assert_uint_eq(conf.errors, 1);
	assert_contains(conf.error[0], "contains a 0 byte");
}

/* option_take() accepts the text that option_text() returns for each option. */
TEST(test_shown)
{
	struct logd_options again;
	char text[256];

	opt.limit = opt.total = 1 << 20;
	opt.maskset = "mine";
	ck_assert_uint_eq(conf.rows, 12);
	for (size_t i = 0; i < conf.rows; i++) {
		memset(&again, 0, sizeof(again));
		ck_assert_int_gt(option_text(&conf.row[i], &opt, text, sizeof(text)), 0);
		assert_ok(option_take(&conf.row[i], "x", text, &again, &err));
	}
}
