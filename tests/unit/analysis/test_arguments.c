// SPDX-License-Identifier: GPL-2.0
/* The command line of an analysis: options of the analysis, operands, and contradictions. */
#include "cli/options.h"
#include "lkstla/arguments.h"
#include "tap.h"

struct own {
	int64_t first;
	bool second;
};

static const struct option_row own_rows[] = {
	OPT_NUMBER('x', "first", "NUMBER", struct own, first, 1, 100, NULL, "a number"),
	OPT_FLAG(0, "second", struct own, second, "a flag"),
};

static const struct analysis plain = { .name = "plain", .about = "Prints.\n" };
static const struct analysis with_own = {
	.name = "own",
	.about = "Prints.\n",
	.row = own_rows,
	.rows = 2,
	.own_size = sizeof(struct own),
	.operands = "BEGIN END",
};
static const struct analysis selecting = {
	.name = "selecting",
	.about = "Prints.\n",
	.operands = "PROCESS...",
	.operands_select = true,
};

static const struct analysis refusing = {
	.name = "refusing",
	.about = "Prints.\n",
	.refuses = {
		[ANALYSIS_PROCESSES] = "it has no processes",
		[ANALYSIS_CPU] = "it has no CPUs",
		[ANALYSIS_OVER] = "it has no durations",
		[ANALYSIS_TOP] = "it has no rows",
		[ANALYSIS_SORT] = "it has no columns",
		[ANALYSIS_JSON] = "it is a picture",
	},
};

static const struct option_row printing_rows[] = {
	OPT_FLAG(
		0, "folded", struct { bool folded; }, folded, "a form for another program"),
};

static const struct analysis printing = {
	.name = "printing",
	.about = "Prints.\n",
	.row = printing_rows,
	.rows = 1,
	.own_size = sizeof(bool),
	.prints = "--folded",
};

static struct arguments *args;

static void teardown(void)
{
	arguments_free(args);
	args = NULL;
}

TESTS(.teardown = teardown);

/* Parse and check a command line, which ends with NULL. */
static int take(const struct analysis *analysis, const char *const *words)
{
	struct arguments_form form;
	static char *argv[16];
	int argc = 0;

	args = arguments_new(analysis, &err);
	assert_made(args);
	arguments_form(analysis, &form);
	argv[argc++] = (char *)analysis->name;
	for (; *words; words++)
		argv[argc++] = (char *)*words;
	argv[argc] = NULL;
	if (options_read(&form.syntax, argc, argv, args, &err) != OPTIONS_READ)
		return -1;
	return arguments_take(analysis, args, argv + optind, &err);
}

/* @says: expected error message, or NULL if the command line is accepted */
static const struct {
	const char *name;
	const char *word[8];
	const char *says;
} lines[] = {
	{ "nothing", { NULL }, NULL },
	{ "json and csv", { "--json", "--csv" }, "--json and --csv cannot be combined" },
	{ "last and since",
	  { "--last", "5s", "--since", "12:00" },
	  "--last cannot be combined with --since" },
	{ "last and until", { "--last", "5s", "--until", "12:00" }, NULL },
	{ "children", { "--children" }, "--children requires -p" },
	{ "children of processes", { "--children", "-p", "1" }, NULL },
	{ "file and previous",
	  { "-f", "/no/such", "--previous" },
	  "-f cannot be combined with --previous" },
	{ "operand and previous",
	  { "/dev/null", "--previous" },
	  "-f cannot be combined with --previous" },
	{ "boot of the kernel", { "--boot", "1" }, "--boot and --symbols require an image" },
	{ "symbols of the kernel", { "--symbols", "1" }, "--boot and --symbols require an image" },
	{ "boot of a previous boot", { "--previous", "--boot", "1" }, NULL },
	{ "boot of two files",
	  { "-f", "a", "-f", "b", "--boot", "1" },
	  "--boot and --symbols require an image" },
	{ "symbols of two files",
	  { "-f", "a", "-f", "b", "--symbols", "s" },
	  "--boot and --symbols require an image" },
	{ "standard input and a file",
	  { "-f", "-", "-f", "b" },
	  "-f: standard input cannot be combined with other files" },
	{ "no such file", { "/no/such" }, "no such file \"/no/such\"" },
	{ "since", { "--since", "yesterday" }, "--since \"yesterday\"" },
	{ "until", { "--until", "x" }, "--until \"x\"" },
	{ "last", { "--last", "x" }, "--last \"x\" is not a span of time" },
	{ "last 0", { "--last", "0" }, "--last \"0\" is not a span of time" },
	{ "over", { "--over", "-1s" }, "--over \"-1s\" is not a span of time" },
	{ "top", { "--top", "0" }, "number of rows \"0\" is out of range" },
	{ "cpu", { "-c", "-1" }, "CPU \"-1\"" },
	{ "option of another analysis", { "--second" }, "unknown option \"--second\"" },
};

TEST_ROWS(test_lines, lines)
{
	int ret = take(&plain, lines[_i].word);

	if (lines[_i].says) {
		ck_assert_int_eq(ret, -1);
		ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
		assert_begins(err.text, lines[_i].says);
	} else {
		assert_ok(ret);
	}
}
END_TEST

/* An analysis that reads files of kmemtrace accepts --symbols for several files. */
static const struct analysis with_kmemtrace = {
	.name = "with_kmemtrace",
	.about = "Prints.\n",
	.kmemtrace = true,
};

static const struct {
	const char *name;
	const char *word[8];
	const char *says;
} kmemtrace_lines[] = {
	{ "symbols of two files", { "-f", "a", "-f", "b", "--symbols", "s" }, NULL },
	{ "symbols of no file", { "--symbols", "s" }, "--boot and --symbols require an image" },
	{ "boot of two files",
	  { "-f", "a", "-f", "b", "--boot", "1" },
	  "--boot and --symbols require an image" },
};

TEST_ROWS(test_kmemtrace_lines, kmemtrace_lines)
{
	int ret = take(&with_kmemtrace, kmemtrace_lines[_i].word);

	if (kmemtrace_lines[_i].says) {
		ck_assert_int_eq(ret, -1);
		assert_begins(err.text, kmemtrace_lines[_i].says);
	} else {
		assert_ok(ret);
		ck_assert(args->common.input.kmemtrace);
	}
}
END_TEST

static const struct {
	const char *name;
	const char *word[3];
	const char *says;
} refused[] = {
	{ "processes", { "-p", "1" }, "-p does not apply to this analysis (it has no processes)" },
	{ "cpu", { "-c", "0" }, "-c does not apply to this analysis (it has no CPUs)" },
	{ "over",
	  { "--over", "1ms" },
	  "--over does not apply to this analysis (it has no durations)" },
	{ "top", { "--top", "3" }, "--top does not apply to this analysis (it has no rows)" },
	{ "sort",
	  { "--sort", "at" },
	  "--sort does not apply to this analysis (it has no columns)" },
	{ "json", { "--json" }, "--json does not apply to this analysis (it is a picture)" },
};

TEST_ROWS(test_refused, refused)
{
	ck_assert_int_eq(take(&refusing, refused[_i].word), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_str_eq(err.text, refused[_i].says);
}
END_TEST

/* --help does not show options that the analysis refuses. */
TEST(test_refused_help)
{
	struct arguments_form form;
	char text[4096] = "";
	FILE *to = fmemopen(text, sizeof(text), "w");

	ck_assert_ptr_nonnull(to);
	arguments_form(&refusing, &form);
	options_help(&form.syntax, "refusing", to);
	fclose(to);
	ck_assert_ptr_nonnull(strstr(text, "\n  --last SPAN "));
	ck_assert_ptr_null(strstr(text, "\n  --top "));
	ck_assert_ptr_null(strstr(text, "\n  --sort "));
	ck_assert_ptr_null(strstr(text, "\n  --json"));
	ck_assert_ptr_null(strstr(text, "\n  -p "));
	ck_assert_ptr_null(strstr(text, "\n  --children "));
	ck_assert_ptr_null(strstr(text, "\n  -c "));
	ck_assert_ptr_null(strstr(text, "\n  --over "));
}
END_TEST

TEST(test_no_operands)
{
	ck_assert_int_eq(take(&with_own, (const char *const[]){ "-x", "7", NULL }), -1);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	ck_assert_str_eq(err.text, "arguments are missing (want BEGIN END)");
}
END_TEST

TEST(test_own_form)
{
	assert_ok(take(&printing, (const char *const[]){ "/dev/null", "--folded", NULL }));
	arguments_free(args);
	assert_ok(take(&printing, (const char *const[]){ "/dev/null", "--json", NULL }));
	arguments_free(args);
	ck_assert_int_eq(take(&printing, (const char *const[]){ "--folded", "--json", NULL }), -1);
	ck_assert_str_eq(err.text, "--folded cannot be combined with --json");
}
END_TEST

TEST(test_common)
{
	assert_ok(take(&plain,
		       (const char *const[]){ "/dev/null", "--last", "2ms", "--over", "3us", "-c",
					      "4", "--top", "5", "--sort", "k", "--any", NULL }));
	ck_assert_uint_eq(args->common.input.from.num, 1);
	ck_assert_str_eq(args->common.input.from.path[0], "/dev/null");
	ck_assert_int_eq(args->common.last_ns, 2000000);
	ck_assert_int_eq(args->common.over_ns, 3000);
	ck_assert_int_eq(args->common.cpu, 4);
	ck_assert_int_eq(args->common.top, 5);
	ck_assert_str_eq(args->common.sort, "k");
	ck_assert(args->common.any);
}
END_TEST

TEST(test_own)
{
	const struct own *own;

	assert_ok(take(&with_own,
		       (const char *const[]){ "a", "-x", "7", "b", "--second", "--json", NULL }));
	own = (const void *)args->own;
	ck_assert_int_eq(own->first, 7);
	ck_assert(own->second);
	ck_assert(args->common.json);
	ck_assert_int_eq(args->common.cpu, -1);
	/* The operands are neither files nor threads. */
	ck_assert_uint_eq(args->common.input.from.num, 0);
	ck_assert_uint_eq(args->common.processes.num, 0);
}
END_TEST

TEST(test_operands_select)
{
	assert_ok(take(&selecting,
		       (const char *const[]){ "bash", "-p", "1", "!cat", "--children", NULL }));
	ck_assert_uint_eq(args->common.processes.num, 3);
	ck_assert_str_eq(args->common.processes.word[0], "1");
	ck_assert_str_eq(args->common.processes.word[1], "bash");
	ck_assert_str_eq(args->common.processes.word[2], "!cat");
	ck_assert_uint_eq(args->common.input.from.num, 0);
}
END_TEST

static const struct analysis of_cpu = { .name = "of_cpu", .about = "CPU.\n", .needs_cpu = true };

TEST(test_no_cpu)
{
	ck_assert_int_eq(take(&of_cpu, (const char *const[]){ "--csv", NULL }), -1);
	assert_begins(err.text, "no CPU is given");
}
END_TEST

TEST(test_cpu)
{
	assert_ok(take(&of_cpu, (const char *const[]){ "-c", "0", NULL }));
}
END_TEST

TEST(test_no_operand)
{
	ck_assert_int_eq(take(&selecting, (const char *const[]){ "--csv", NULL }), -1);
	assert_begins(err.text, "no process is given");
}
END_TEST

static const struct analysis screen = {
	.name = "screen",
	.about = "Screen.\n",
	.refuses = { [ANALYSIS_CSV] = "it is a screen" },
};

static const struct { const char *word, *error; } refused_by_screen[] = {
	{ "--csv", "--csv does not apply to this analysis (it is a screen)" },
	{ "--no-pager",
	  "--no-pager does not apply to this analysis (it is a screen)" },
};

TEST_EACH(test_no_csv, refused_by_screen)
{
	ck_assert_int_eq(take(&screen, (const char *const[]){ refused_by_screen[_i].word, NULL }),
			 -1);
	assert_begins(err.text, refused_by_screen[_i].error);
}
END_TEST

/*
 * The help normally describes --csv and --json on one line. If an analysis has no --csv, the line
 * describes only --json.
 */
TEST(test_help_without_csv)
{
	struct arguments_form form;
	size_t size;
	char *text;
	FILE *to = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(to);
	arguments_form(&screen, &form);
	options_help(&form.syntax, "screen", to);
	fclose(to);
	assert_contains(text, "\n  --json ");
	ck_assert_ptr_null(strstr(text, "--csv"));
	ck_assert_ptr_null(strstr(text, "--no-pager"));
	free(text);
}
END_TEST

static const struct analysis requiring = { .name = "requiring", .about = "X.\n", .required = "-o X" };

TEST(test_usage)
{
	struct arguments_form form;

	arguments_form(&plain, &form);
	ck_assert_str_eq(form.syntax.usage, "[-f FILE...] [OPTION...]");
	arguments_form(&requiring, &form);
	ck_assert_str_eq(form.syntax.usage, "[-f FILE...] -o X [OPTION...]");
	arguments_form(&with_own, &form);
	ck_assert_str_eq(form.syntax.usage, "BEGIN END [-f FILE...] [OPTION...]");
	/* The analysis's own options precede those that all analyses have. */
	ck_assert_int_eq(form.syntax.row[0].letter, 'x');
	ck_assert_int_eq(form.syntax.row[2].letter, 'f');
}
END_TEST
