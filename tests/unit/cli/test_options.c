// SPDX-License-Identifier: GPL-2.0
/* Parsing command lines with a table of options, and the help text made from this table. */
#include <getopt.h>

#include "cli/options.h"
#include "tap.h"

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
		   "how many,\nat most"),
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

static const struct syntax own_help = { .about = "Has its own -h.\n", SYNTAX_ROWS(own_help_rows) };

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
static const struct syntax file = { .usage = "", .about = "", .stray = "a file takes -f" };

/* The option values that parse() starts from, and the values after its last call */
static struct arguments defaults, args;

/* The operands that the last call to parse() found, separated by spaces */
static char operands[256];

static enum options_result parse(const struct syntax *syntax, const char *line)
{
	static char copy[6 * OPTION_WORDS_MAX];
	char *argv[2 * OPTION_WORDS_MAX + 4] = { (char *)"command" };
	enum options_result result;
	int argc = 1;

	args = defaults;
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

static void parse_good(const struct syntax *syntax, const char *line)
{
	ck_assert_msg(parse(syntax, line) == OPTIONS_READ, "%s", err.text);
}

static void reset_defaults(void)
{
	memset(&defaults, 0, sizeof(defaults));
}

/* Return, as text, the values of all options and the operands from the last call to parse(). */
static const char *read_text(void)
{
	static char text[1024];
	char *to = text;

	to += sprintf(to, "%d%d%d%d %s %lld %llu %d", args.flag, args.other, args.json,
		      args.only_long, args.file ? args.file : "-", (long long)args.number,
		      (unsigned long long)args.size, args.color);
	for (size_t i = 0; i < args.events.num; i++)
		to += sprintf(to, " %s", args.events.word[i]);
	sprintf(to, "|%s", operands);
	return text;
}

TESTS(.setup = reset_defaults);

static const struct { const char *line, *read; } good[] = {
	{ "", "0000 - 0 0 0|" }, { "-v", "1000 - 0 0 0|" }, { "-v -v --verbose", "1000 - 0 0 0|" },
	/* several short options in one word; the last one may take a value from the next word */
	{ "-vr", "1100 - 0 0 0|" }, { "-rvffile", "1100 file 0 0 0|" },
	{ "-f -v", "0000 -v 0 0 0|" }, { "-n 0x10", "0000 - 16 0 0|" },
	{ "-n 1 -n 100", "0000 - 100 0 0|" },
	{ "-c 9223372036854775807", "0000 - 9223372036854775807 0 0|" },
	/* long options, with and without = */
	{ "--file=", "0000  0 0 0|" }, { "--file=a=b", "0000 a=b 0 0 0|" },
	{ "--number 7 --number=8", "0000 - 8 0 0|" }, { "--size 8K", "0000 - 0 8192 0|" },
	{ "--size=1G", "0000 - 0 1073741824 0|" }, { "--color always", "0000 - 0 0 2|" },
	{ "--json --since-the-beginning", "0011 - 0 0 0|" },
	/* abbreviations */
	{ "--verb --js", "1010 - 0 0 0|" }, { "--fi x --sinc", "0001 x 0 0 0|" },
	/* repeated options */
	{ "-e a --event=b,c -ed", "0000 - 0 0 0 a b,c d|" },
	/* operands between options; "--" ends the options */
	{ "a -v b --json c", "1010 - 0 0 0|a b c" }, { "a -- b", "0000 - 0 0 0|a b" },
	{ "-v -- -r --json", "1000 - 0 0 0|-r --json" }, { "- -v", "1000 - 0 0 0|-" },
};

TEST_EACH(test_good, good)
{
	parse_good(&all, good[_i].line);
	ck_assert_str_eq(read_text(), good[_i].read);
}

static const struct { const struct syntax *syntax; const char *line, *message; } bad[] = {
	{ &all, "-:", "unknown option \"-:\"" }, { &all, "a b -vxr", "unknown option \"-x\"" },
	{ &all, "a b --xyzzy c", "unknown option \"--xyzzy\"" },
	{ &all, "a --fiel=x b", "unknown option \"--fiel=x\"; did you mean \"--file\"?" },
	{ &all, "--hepl", "unknown option \"--hepl\"; did you mean \"--help\"?" },
	/* ambiguous abbreviations */
	{ &all, "--si=4",
	  "unknown option \"--si=4\"; did you mean \"--size\" or \"--since-the-beginning\"?" },
	/* missing and unexpected values */
	{ &all, "-vrf", "option \"-f\" needs a value" },
	{ &all, "a --fil", "option \"--fil\" needs a value" },
	{ &all, "a --verbose=2 b", "option \"--verbose=2\" takes no value" },
	{ &all, "--help=x", "option \"--help=x\" takes no value" },
	/* invalid values */
	{ &all, "-n 0", "number of events \"0\" is out of range: 1 to 100" },
	{ &all, "-n 101", "number of events \"101\" is out of range: 1 to 100" },
	{ &all, "-n -1", "number of events \"-1\" is out of range: 1 to 100" },
	{ &all,
	  "--number=", "number of events \"\" is not a number (decimal, or hexadecimal with 0x)" },
	{ &all, "-c x", "-c \"x\" is not a number (decimal, or hexadecimal with 0x)" },
	{ &all, "-c 9223372036854775808",
	  "-c \"9223372036854775808\" is out of range: 0 to 9223372036854775807" },
	{ &all, "--size=1K", "--size \"1K\" is out of range: 4K to 1G" },
	{ &all, "--size 2T", "--size \"2T\" is not a valid size (bytes, or with K, M or G: 2M)" },
	{ &all, "--color=alway", "--color \"alway\" is not one of never, auto, always" },
	/* long options with a single dash */
	{ &logger, "-e", "option \"-e\" needs a value" },
	{ &logger, "-ev x -a5 1", "unknown option \"-a5\"; did you mean \"-a1\" or \"-a2\"?" },
	{ &logger, "-ev x --a5=1", "unknown option \"--a5=1\"; did you mean \"-a1\" or \"-a2\"?" },
	{ &logger, "-xyz", "unknown option \"-xyz\"" },
	{ &logger, "-vx", "unknown option \"-x\"" },
	{ &logger, "-help=1", "option \"-help=1\" takes no value" },
	{ &logger, "-ev 1 more", "unexpected argument \"more\"" },
	/* unexpected operands */
	{ &nothing, "x", "unexpected argument \"x\"" },
	{ &nothing, "-- -x y", "unexpected argument \"-x\"" },
	{ &file, "x y", "unexpected argument \"x\": a file takes -f" },
	{ &nothing, "-v", "unknown option \"-v\"" }, { &own_help, "-hx", "unknown option \"-x\"" },
	/* switches */
	{ &switches, "--no-on=1", "option \"--no-on=1\" takes no value" },
	{ &switches, "--no-o",
	  "unknown option \"--no-o\"; did you mean \"--no-on\" or \"--no-other\"?" },
	{ &switches, "--no-onn", "unknown option \"--no-onn\"; did you mean \"--no-on\"?" },
	{ &all, "--no-verbose", "unknown option \"--no-verbose\"; did you mean \"--verbose\"?" },
};

TEST_EACH(test_bad, bad)
{
	ck_assert_int_eq(parse(bad[_i].syntax, bad[_i].line), OPTIONS_WRONG);
	ck_assert_str_eq(err.text, bad[_i].message);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	/* err may be NULL. */
	ck_assert_int_eq(options_read(bad[_i].syntax, 2, (char *[]){ "x", "--xyzzy", NULL }, &args,
				      NULL),
			 OPTIONS_WRONG);
}

static const struct { const char *line, *file, *word[2]; bool flag; } single[] = {
	{ "-ev user_mark -a1 -5 --a2=7", "user_mark", { "-5", "7" }, false },
	{ "--ev=x -v -a2=3", "x", { "", "3" }, true },
	{ "-e x", "x", { "", "" }, false },
};

TEST_EACH(test_single_dash, single)
{
	defaults.events.word[0] = defaults.events.word[1] = "";
	parse_good(&logger, single[_i].line);
	ck_assert_str_eq(args.file, single[_i].file);
	ck_assert_str_eq(args.events.word[0], single[_i].word[0]);
	ck_assert_str_eq(args.events.word[1], single[_i].word[1]);
	ck_assert_int_eq(args.flag, single[_i].flag);
}

static const struct { const char *line; bool before, on; } switched[] = {
	{ "", false, false }, { "", true, true }, { "-o", false, true }, { "--on", false, true },
	{ "--no-on", true, false }, { "-o --no-on", true, false }, { "--no-on -o", false, true },
	{ "--no-ot", true, true },
};

TEST_EACH(test_switch, switched)
{
	defaults = (struct arguments){ .on = switched[_i].before, .other = true };
	parse_good(&switches, switched[_i].line);
	ck_assert_int_eq(args.on, switched[_i].on);
	ck_assert_int_eq(args.other, !strstr(switched[_i].line, "--no-ot"));
}

static const struct { const struct syntax *syntax; const char *line; } helps[] = {
	{ &all, "-vh" }, { &all, "a -f x --he" }, { &nothing, "--help" }, { &nothing, "-h" },
	{ &own_help, "--help" }, { &logger, "-help" }, { &logger, "-h" },
};

TEST_EACH(test_help_requested, helps)
{
	ck_assert_int_eq(parse(helps[_i].syntax, helps[_i].line), OPTIONS_HELP);
}

TEST(test_own_help)
{
	parse_good(&own_help, "-h");
	ck_assert(args.flag);
}

TEST(test_too_often)
{
	char line[5 * OPTION_WORDS_MAX + 6] = "";

	for (int i = 0; i < OPTION_WORDS_MAX; i++)
		strcat(line, "-e x ");
	parse_good(&all, line);
	ck_assert_uint_eq(args.events.num, OPTION_WORDS_MAX);
	strcat(line, "-e x");
	ck_assert_int_eq(parse(&all, line), OPTIONS_WRONG);
	ck_assert_str_eq(err.text, "-e may be given at most 1024 times");
}

/* Options that are not on the command line keep their values. */
TEST(test_defaults)
{
	defaults = (struct arguments){ .number = -1, .file = "here", .size = 5, .color = 2 };
	parse_good(&all, "-v");
	ck_assert_str_eq(read_text(), "1000 here -1 5 2|");
}

static void check_help(const struct syntax *syntax, const char *expected)
{
	char text[4096];
	FILE *to = fmemopen(text, sizeof(text), "w");

	options_help(syntax, "lkst command", to);
	fclose(to);
	ck_assert_str_eq(text, expected);
}

TEST(test_help)
{
	check_help(&all, "Usage: lkst command [OPTION...] [WORD...]\n"
			 "       lkst command --other FILE\n"
			 "\nDo things.\n\n"
			 "  -v, --verbose        more\n"
			 "  -r                   the other way round\n"
			 "  -f, --file FILE      trace file\n"
			 "  -n, --number NUMBER  how many,\n"
			 "                       at most\n"
			 "  -c CPU               CPU\n"
			 "  --size SIZE          size\n"
			 "  --color WHEN         colour\n"
			 "  -e, --event EVENTS   events\n"
			 "  --since-the-beginning\n"
			 "                       a long name\n"
			 "  --json               the same as JSON, for programs\n"
			 "\nMore of it.\n");
	check_help(&nothing, "Usage: lkst command\n\nTakes nothing.\n");
	check_help(&logger, "Usage: lkst command -ev TYPE\n"
			    "\nTell of an event.\n\n"
			    "  -ev TYPE  event type\n"
			    "  -a1 DATA  first argument\n"
			    "  -a2 DATA  second argument\n"
			    "  -v        verbose\n");
	check_help(&switches, "Usage: lkst command\n"
			      "\nHas switches.\n\n"
			      "  -o, --[no-]on  switch it on (no)\n"
			      "  --[no-]other   the other\n");
}
