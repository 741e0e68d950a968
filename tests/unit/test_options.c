// SPDX-License-Identifier: GPL-2.0
/* Command lines, read with a table of options, and the help that is printed of it. */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "tap.h"

#define NUM(array) (sizeof(array) / sizeof(*(array)))

struct arguments {
	bool flag, other, json, only_long, on;
	const char *file;
	int64_t number;
	uint64_t size;
	int color;
	struct option_words events;
};

static const char *const colors[] = { "never", "auto", "always", NULL };

static const struct option_row rows[] = {
	OPT_FLAG('v', "verbose", struct arguments, flag, "more"),
	OPT_FLAG('r', NULL, struct arguments, other, "the other way round"),
	OPT_TEXT('f', "file", "FILE", struct arguments, file, "trace file"),
	OPT_NUMBER('n', "number", "NUMBER", struct arguments, number, 1, 100, "number of events",
		   "so many,\nand no more"),
	OPT_NUMBER('c', NULL, "CPU", struct arguments, number, 0, INT64_MAX, NULL, "CPU"),
	OPT_SIZE(0, "size", "SIZE", struct arguments, size, 4096, 1 << 30, NULL, "size"),
	OPT_CHOICE(0, "color", "WHEN", struct arguments, color, colors, NULL, "colour"),
	OPT_WORDS('e', "event", "EVENTS", struct arguments, events, "events"),
	OPT_FLAG(0, "since-the-beginning", struct arguments, only_long, "a long name"),
	OPT_JSON(struct arguments, json),
};

static const struct syntax all = {
	.usage = "[OPTION...] [WORD...]\n--other FILE",
	.about = "Do things.\n",
	SYNTAX_ROWS(rows),
	.operands = true,
	.more = "More of it.\n",
};

static const struct option_row logger_rows[] = {
	OPT_TEXT(0, "ev", "TYPE", struct arguments, file, "event type"),
	OPT_TEXT(0, "a1", "DATA", struct arguments, events.word[0], "first argument"),
	OPT_TEXT(0, "a2", "DATA", struct arguments, events.word[1], "second argument"),
	OPT_FLAG('v', NULL, struct arguments, flag, "verbose"),
};

static const struct syntax logger = {
	.usage = "-ev TYPE",
	.about = "Tell of an event.\n",
	SYNTAX_ROWS(logger_rows),
	.single_dash = true,
};

static const struct option_row own_help_rows[] = {
	OPT_FLAG('h', NULL, struct arguments, flag, "help, and more"),
};

static const struct syntax own_help = {
	.about = "Has its own -h.\n",
	SYNTAX_ROWS(own_help_rows),
};

static const struct option_row switch_rows[] = {
	OPT_SWITCH('o', "on", struct arguments, on, "switch it on (no)"),
	OPT_SWITCH(0, "other", struct arguments, other, "the other"),
};

static const struct syntax switches = {
	.usage = "",
	.about = "Has switches.\n",
	SYNTAX_ROWS(switch_rows),
};

static const struct syntax nothing = { .usage = "", .about = "Takes nothing.\n" };
static const struct syntax file = { .usage = "", .about = "", .stray = "A file takes -f" };

static struct arguments args;
static struct lkst_error err;

/* Reads LINE, words separated by blanks; what is left of it is in operands. */
static char operands[256];

static enum options_result parse(const struct syntax *syntax, const char *line)
{
	static char copy[6 * OPTION_WORDS_MAX];
	char *argv[2 * OPTION_WORDS_MAX + 4] = { (char *)"command" };
	enum options_result result;
	int argc = 1;

	memset(&args, 0, sizeof(args));
	memset(&err, 0, sizeof(err));
	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	result = options_read(syntax, argc, argv, &args, &err);
	operands[0] = 0;
	for (int i = optind; result == OPTIONS_READ && i < argc; i++) {
		strcat(operands, operands[0] ? " " : "");
		strcat(operands, argv[i]);
	}
	return result;
}

static const char *text_of(const char *text)
{
	return text ? text : "-";
}

/* What was read: "verbose file number size color events|operands". */
static const char *read_text(void)
{
	static char text[1024];
	int len = snprintf(text, sizeof(text), "%d%d%d%d %s %lld %llu %d", args.flag, args.other,
			   args.json, args.only_long, text_of(args.file), (long long)args.number,
			   (unsigned long long)args.size, args.color);

	for (size_t i = 0; i < args.events.num; i++)
		len += snprintf(text + len, sizeof(text) - (size_t)len, " %s", args.events.word[i]);
	snprintf(text + len, sizeof(text) - (size_t)len, "|%s", operands);
	return text;
}

static const struct {
	const char *line, *read;
} good[] = {
	{ "", "0000 - 0 0 0|" },
	{ "-v", "1000 - 0 0 0|" },
	{ "-v -v --verbose", "1000 - 0 0 0|" },
	/* letters together, the value of the last one as the next word or attached */
	{ "-vr", "1100 - 0 0 0|" },
	{ "-vrf file", "1100 file 0 0 0|" },
	{ "-rvffile", "1100 file 0 0 0|" },
	{ "-f=file", "0000 =file 0 0 0|" },
	{ "-f -v", "0000 -v 0 0 0|" },
	{ "-f -", "0000 - 0 0 0|" },
	{ "-n5", "0000 - 5 0 0|" },
	{ "-n 0x10", "0000 - 16 0 0|" },
	{ "-n 1 -n 100", "0000 - 100 0 0|" },
	{ "-c 9223372036854775807", "0000 - 9223372036854775807 0 0|" },
	/* long ones, with = and without */
	{ "--file file", "0000 file 0 0 0|" },
	{ "--file=file", "0000 file 0 0 0|" },
	{ "--file=", "0000  0 0 0|" },
	{ "--file=a=b", "0000 a=b 0 0 0|" },
	{ "--number 7 --number=8", "0000 - 8 0 0|" },
	{ "--size 8K", "0000 - 0 8192 0|" },
	{ "--size=1G", "0000 - 0 1073741824 0|" },
	{ "--color always", "0000 - 0 0 2|" },
	{ "--color=never", "0000 - 0 0 0|" },
	{ "--json --since-the-beginning", "0011 - 0 0 0|" },
	/* abbreviated */
	{ "--verb --js", "1010 - 0 0 0|" },
	{ "--fi x --sinc", "0001 x 0 0 0|" },
	{ "--nu=3", "0000 - 3 0 0|" },
	/* as often as they are given */
	{ "-e a --event=b,c -ed", "0000 - 0 0 0 a b,c d|" },
	/* operands stand anywhere; "--" ends the options */
	{ "a b", "0000 - 0 0 0|a b" },
	{ "a -v b --json c", "1010 - 0 0 0|a b c" },
	{ "-v -- -r --json", "1000 - 0 0 0|-r --json" },
	{ "a -- b", "0000 - 0 0 0|a b" },
	{ "- -v", "1000 - 0 0 0|-" },
};

START_TEST(test_good)
{
	ck_assert_msg(parse(&all, good[_i].line) == OPTIONS_READ, "%s", err.text);
	ck_assert_str_eq(read_text(), good[_i].read);
}
END_TEST

static const struct {
	const struct syntax *syntax;
	const char *line, *says;
} bad[] = {
	{ &all, "-x", "unknown option \"-x\"" },
	{ &all, "-vxr", "unknown option \"-x\"" },
	{ &all, "-vx", "unknown option \"-x\"" },
	{ &all, "a b -vx", "unknown option \"-x\"" },
	{ &all, "-:", "unknown option \"-:\"" },
	{ &all, "-W", "unknown option \"-W\"" },
	{ &all, "--xyzzy", "unknown option \"--xyzzy\"" },
	{ &all, "a b --xyzzy c", "unknown option \"--xyzzy\"" },
	{ &all, "--jsno", "unknown option \"--jsno\"; did you mean \"--json\"?" },
	{ &all, "a --fiel=x b", "unknown option \"--fiel=x\"; did you mean \"--file\"?" },
	{ &all, "--hepl", "unknown option \"--hepl\"; did you mean \"--help\"?" },
	/* abbreviations of more than one */
	{ &all, "--si",
	  "unknown option \"--si\"; did you mean \"--size\" or \"--since-the-beginning\"?" },
	{ &all, "--si=4",
	  "unknown option \"--si=4\"; did you mean \"--size\" or \"--since-the-beginning\"?" },
	/* values that are missing, and such as are too many */
	{ &all, "-f", "option \"-f\" needs a value" },
	{ &all, "-vrf", "option \"-f\" needs a value" },
	{ &all, "a b -n", "option \"-n\" needs a value" },
	{ &all, "--file", "option \"--file\" needs a value" },
	{ &all, "a --fil", "option \"--fil\" needs a value" },
	{ &all, "--json=yes", "option \"--json=yes\" takes no value" },
	{ &all, "a --verbose=2 b", "option \"--verbose=2\" takes no value" },
	{ &all, "--help=x", "option \"--help=x\" takes no value" },
	/* wrong values */
	{ &all, "-n 0", "number of events \"0\" is out of range: 1 to 100" },
	{ &all, "-n 101", "number of events \"101\" is out of range: 1 to 100" },
	{ &all, "--number=x",
	  "number of events \"x\" is not a number (decimal, or hexadecimal with 0x)" },
	{ &all, "-n -1", "number of events \"-1\" is out of range: 1 to 100" },
	{ &all,
	  "--number=", "number of events \"\" is not a number (decimal, or hexadecimal with 0x)" },
	{ &all, "-c x", "-c \"x\" is not a number (decimal, or hexadecimal with 0x)" },
	{ &all, "-c 9223372036854775808",
	  "-c \"9223372036854775808\" is out of range: 0 to 9223372036854775807" },
	{ &all, "--size=1K", "--size \"1K\" is out of range: 4K to 1G" },
	{ &all, "--size 2T",
	  "--size \"2T\" is no size: a number of bytes, or of K, M or G, as in 2M" },
	{ &all, "--color=red", "--color \"red\" is none of never, auto, always" },
	{ &all, "--color=alway", "--color \"alway\" is none of never, auto, always" },
	/* with a single dash */
	{ &logger, "-ev", "option \"-ev\" needs a value" },
	{ &logger, "-e", "option \"-e\" needs a value" },
	{ &logger, "-a 1", "unknown option \"-a\"; did you mean \"-a1\" or \"-a2\"?" },
	{ &logger, "-ev x -a5 1", "unknown option \"-a5\"; did you mean \"-a1\" or \"-a2\"?" },
	{ &logger, "-ev x --a5=1", "unknown option \"--a5=1\"; did you mean \"-a1\" or \"-a2\"?" },
	{ &logger, "-xyz", "unknown option \"-xyz\"" },
	{ &logger, "-vx", "unknown option \"-x\"" },
	{ &logger, "-help=1", "option \"-help=1\" takes no value" },
	{ &logger, "-ev 1 more", "what is \"more\" for?" },
	/* words where there should be none */
	{ &nothing, "x", "what is \"x\" for?" },
	{ &nothing, "-- -x y", "what is \"-x\" for?" },
	{ &file, "x y", "what is \"x\" for? A file takes -f" },
	{ &nothing, "-v", "unknown option \"-v\"" },
	{ &own_help, "-hx", "unknown option \"-x\"" },
	/* switches */
	{ &switches, "--on=yes", "option \"--on=yes\" takes no value" },
	{ &switches, "--no-on=1", "option \"--no-on=1\" takes no value" },
	{ &switches, "--no-o",
	  "unknown option \"--no-o\"; did you mean \"--no-on\" or \"--no-other\"?" },
	{ &switches, "--no-onn", "unknown option \"--no-onn\"; did you mean \"--no-on\"?" },
	{ &all, "--no-verbose", "unknown option \"--no-verbose\"; did you mean \"--verbose\"?" },
};

START_TEST(test_bad)
{
	ck_assert_int_eq(parse(bad[_i].syntax, bad[_i].line), OPTIONS_WRONG);
	ck_assert_str_eq(err.text, bad[_i].says);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	/* Whoever does not want to know why need not. */
	ck_assert_int_eq(options_read(bad[_i].syntax, 2, (char *[]){ "x", "--xyzzy", NULL }, &args,
				      NULL),
			 OPTIONS_WRONG);
}
END_TEST

START_TEST(test_single_dash)
{
	ck_assert_int_eq(parse(&logger, "-ev user_mark -a1 -5 --a2=7"), OPTIONS_READ);
	ck_assert_str_eq(args.file, "user_mark");
	ck_assert_str_eq(args.events.word[0], "-5");
	ck_assert_str_eq(args.events.word[1], "7");
	ck_assert_int_eq(parse(&logger, "--ev=x -v -a2=3"), OPTIONS_READ);
	ck_assert_str_eq(args.file, "x");
	ck_assert(args.flag);
	ck_assert_ptr_null(args.events.word[0]);
	ck_assert_str_eq(args.events.word[1], "3");
	ck_assert_int_eq(parse(&logger, "-e x"), OPTIONS_READ);
	ck_assert_str_eq(args.file, "x");
}
END_TEST

static const struct {
	const char *line;
	bool before, on;
} switched[] = {
	{ "", false, false },	       { "", true, true },
	{ "-o", false, true },	       { "-oo", true, true },
	{ "--on", false, true },       { "--no-on", true, false },
	{ "-o --no-on", true, false }, { "--no-on -o", false, true },
	{ "--no-ot", true, true },
};

START_TEST(test_switch)
{
	char line[64], *argv[4] = { (char *)"x" }, *rest = line;
	struct arguments given = { .on = switched[_i].before, .other = true };
	int argc = 1;

	strcpy(line, switched[_i].line);
	while (*line && (argv[argc] = strsep(&rest, " ")) != NULL)
		argc++;
	ck_assert_int_eq(options_read(&switches, argc, argv, &given, &err), OPTIONS_READ);
	ck_assert_int_eq(given.on, switched[_i].on);
	ck_assert_int_eq(given.other, !strstr(line, "--no-ot"));
}
END_TEST

static const struct {
	const struct syntax *syntax;
	const char *line;
} helps[] = {
	{ &all, "--help" },	 { &all, "-h" },	 { &all, "-vh" },
	{ &all, "a -f x --he" }, { &nothing, "--help" }, { &nothing, "-h" },
	{ &own_help, "--help" }, { &logger, "-help" },	 { &logger, "--help" },
	{ &logger, "-h" },
};

START_TEST(test_asks_for_help)
{
	ck_assert_int_eq(parse(helps[_i].syntax, helps[_i].line), OPTIONS_HELP);
}
END_TEST

START_TEST(test_own_help)
{
	ck_assert_int_eq(parse(&own_help, "-h"), OPTIONS_READ);
	ck_assert(args.flag);
}
END_TEST

START_TEST(test_too_often)
{
	char line[5 * OPTION_WORDS_MAX + 6] = "";

	for (int i = 0; i < OPTION_WORDS_MAX; i++)
		strcat(line, "-e x ");
	ck_assert_int_eq(parse(&all, line), OPTIONS_READ);
	ck_assert_uint_eq(args.events.num, OPTION_WORDS_MAX);
	strcat(line, "-e x");
	ck_assert_int_eq(parse(&all, line), OPTIONS_WRONG);
	ck_assert_str_eq(err.text, "-e may be given 1024 times");
}
END_TEST

/* Values that nobody gave stay as they were. */
START_TEST(test_defaults)
{
	char *argv[] = { (char *)"x", (char *)"-v", NULL };
	struct arguments defaults = { .number = -1, .file = "here", .size = 5, .color = 2 };

	ck_assert_int_eq(options_read(&all, 2, argv, &defaults, &err), OPTIONS_READ);
	ck_assert(defaults.flag);
	ck_assert_int_eq(defaults.number, -1);
	ck_assert_str_eq(defaults.file, "here");
	ck_assert_uint_eq(defaults.size, 5);
	ck_assert_int_eq(defaults.color, 2);
}
END_TEST

static const char *help_text(const struct syntax *syntax)
{
	static char text[4096];
	FILE *to = fmemopen(text, sizeof(text), "w");

	options_help(syntax, "lkst command", to);
	fclose(to);
	return text;
}

START_TEST(test_help)
{
	ck_assert_str_eq(help_text(&all), "Usage: lkst command [OPTION...] [WORD...]\n"
					  "       lkst command --other FILE\n"
					  "\n"
					  "Do things.\n"
					  "\n"
					  "  -v, --verbose        more\n"
					  "  -r                   the other way round\n"
					  "  -f, --file FILE      trace file\n"
					  "  -n, --number NUMBER  so many,\n"
					  "                       and no more\n"
					  "  -c CPU               CPU\n"
					  "  --size SIZE          size\n"
					  "  --color WHEN         colour\n"
					  "  -e, --event EVENTS   events\n"
					  "  --since-the-beginning\n"
					  "                       a long name\n"
					  "  --json               the same as JSON, for programs\n"
					  "\n"
					  "More of it.\n");
	ck_assert_str_eq(help_text(&nothing), "Usage: lkst command\n\nTakes nothing.\n");
	ck_assert_str_eq(help_text(&logger), "Usage: lkst command -ev TYPE\n"
					     "\n"
					     "Tell of an event.\n"
					     "\n"
					     "  -ev TYPE  event type\n"
					     "  -a1 DATA  first argument\n"
					     "  -a2 DATA  second argument\n"
					     "  -v        verbose\n");
	ck_assert_str_eq(help_text(&switches), "Usage: lkst command\n"
					       "\n"
					       "Has switches.\n"
					       "\n"
					       "  -o, --[no-]on  switch it on (no)\n"
					       "  --[no-]other   the other\n");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("options");
	TCase *tc = tcase_create("options");

	tcase_add_loop_test(tc, test_good, 0, NUM(good));
	tcase_add_loop_test(tc, test_bad, 0, NUM(bad));
	check_id(tc, test_single_dash);
	tcase_add_loop_test(tc, test_switch, 0, NUM(switched));
	tcase_add_loop_test(tc, test_asks_for_help, 0, NUM(helps));
	check_id(tc, test_own_help);
	check_id(tc, test_too_often);
	check_id(tc, test_defaults);
	check_id(tc, test_help);
	suite_add_tcase(suite, tc);
	return run_suite(suite);
}
