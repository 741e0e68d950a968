// SPDX-License-Identifier: GPL-2.0
/* Conditions: errors with their positions, and comparisons of every format. */
#include "format_case.h"
#include "lib/text/filter.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "lib/text/where.h"
#include "lib/text/where_program.h"
#include "sample.h"
#include "tap.h"

static const struct lkst_context *contexts[] = { &context };
static struct lkst_filter filter;
static struct lkst_where_scope scope;

static const char values_text[] = LKST_VALUES_HEADER "\n"
	"gfp flags 0xcc0 GFP_KERNEL\n"
	"gfp flags 0x100 __GFP_ZERO\n"
	"gfp flags 0x400 __GFP_IO\n"
	"softirq enum 1 TIMER\n"
	"softirq enum 3 NET_RX\n"
	"blkop enum 1 WRITE\n"
	"dev enum 0xfe00000 vda\n"
	"irq enum 9 virtio0-input.0\n"
	"irq enum 10 eth0\n"
	"irq enum 11 eth0\n";

static void setup(void)
{
	format_setup();
	lkst_filter_init(&filter);
	scope = (struct lkst_where_scope){
		.types = types,
		.filter = &filter,
		.context = contexts,
		.contexts = 1,
	};
}

static void use_values(const char *text)
{
	lkst_values_free(context.values);
	context.values = lkst_values_parse(text, strlen(text), "FILE", &err);
	assert_made(context.values);
}

TESTS(.setup = setup, .teardown = format_teardown);

static bool holds(const char *text, const struct lkst_event *event)
{
	struct lkst_where *where = lkst_where_new(text, &scope, &err);
	bool ret;

	ck_assert_msg(where != NULL, "%s: %s", text, err.text);
	ret = lkst_where_holds(where, &context, event);
	lkst_where_free(where);
	return ret;
}

/* ---- syntax ---- */

/*
 * Conditions, and the events that match. The events have all combinations of a pid from 0 to 3 and
 * a tid from 0 to 3.
 */
static const struct {
	const char *text;
	const char *pids; /* for each pid, the tids for which the condition holds */
} grammar[] = {
	{ "pid == 1", "|0123||" },
	{ "!pid==1", "0123||0123|0123" },
	{ "!!pid==1", "|0123||" },
	{ "pid==1&&tid==2", "|2||" },
	{ "pid==1||tid==2", "2|0123|2|2" },
	{ "pid==1 || pid==2 && tid==3", "|0123|3|" },
	{ "(pid==1 || pid==2) && tid==3", "|3|3|" },
	{ "pid==2 && tid==3 || pid==1", "|0123|3|" },
	{ "!(pid==1 || pid==2) && !(tid==3)", "012|||012" },
	{ "!(pid==1 && tid==1)", "0123|023|0123|0123" },
	{ "!(!(pid==1) || !(tid==1 || tid==2))", "|12||" },
	{ "\n\t( ( (pid) == \"x\" ) )", NULL },
	{ "((((pid\t!=\n0))))", "|0123|0123|0123" },
	{ "pid<2&&tid>=1&&(tid<=1||pid>0&&tid>2)", "1|13||" },
	{ "pid==1..2", "|0123|0123|" },
	{ "pid!=1..2", "0123|||0123" },
	{ "pid==0x2", "||0123|" },
	{ "pid==02", "||0123|" },
	{ "pid & 1", "|0123||0123" },
	{ "pid & 3 && !(tid & 2)", "|01|01|01" },
};

TEST_EACH(test_grammar, grammar)
{
	struct lkst_where *where = lkst_where_new(grammar[_i].text, &scope, &err);
	char text[64], *p = text;

	if (!grammar[_i].pids) {
		ck_assert(!where);
		return;
	}
	assert_made(where);
	for (uint32_t pid = 0; pid < 4; pid++) {
		if (pid)
			*p++ = '|';
		for (uint32_t tid = 0; tid < 4; tid++) {
			struct lkst_event event = { .tgid = pid, .tid = tid };

			if (lkst_where_holds(where, &context, &event))
				*p++ = (char)('0' + tid);
		}
	}
	*p = 0;
	lkst_where_free(where);
	ck_assert_msg(!strcmp(text, grammar[_i].pids), "%s: %s", grammar[_i].text, text);
}

static const struct {
	const char *text;
	unsigned int at;
	const char *why;
} invalid[] = {
	{ "", 1, "the condition is incomplete (want the name of a field)" },
	{ "  ", 3, "the condition is incomplete" },
	{ "pid", 4, "the condition is incomplete (want ==, !=, <, <=, >, >=, & or ~)" },
	{ "pid ==", 7, "the condition is incomplete (want a value)" },
	{ "pid = 1", 5, "unexpected \"=\" (want ==, !=" },
	{ "pid == == 1", 8, "unexpected \"==\" (want a value)" },
	{ "pid 1", 5, "unexpected \"1\" (want ==, !=" },
	{ "pid == 1 tid == 2", 10, "unexpected \"tid\" (want && or ||)" },
	{ "pid == 1, tid == 2", 9, "unexpected \",\" (want && or ||)" },
	{ "pid == 1 | tid == 2", 10, "unexpected \"|\" (want && or ||)" },
	{ "pid == 1 & tid == 2", 10, "unexpected \"&\" (want && or ||)" },
	{ "pid == 1 &&", 12, "the condition is incomplete (want the name of a field)" },
	{ "&& pid == 1", 1, "unexpected \"&&\" (want the name of a field)" },
	{ "(pid == 1", 10, "the condition is incomplete (want &&, || or \")\")" },
	{ "pid == 1)", 9, "unexpected \")\" (want && or ||)" },
	{ "pid == 1 || (", 14, "the condition is incomplete" },
	{ "()", 2, "unexpected \")\" (want the name of a field)" },
	{ "!", 2, "the condition is incomplete" },
	{ "comm == \"ba", 9, "no closing \"" },
	{ "comm == 'ba\"", 9, "no closing '" },
	{ "comm == \"\xc3\xa4\xc3\xb6\" && pidd == 1", 17, "unknown field \"pidd\"; did you mean \"pid\"" },
	{ "sectr == 1", 1, "unknown field \"sectr\"; did you mean \"sector\" or \"vector\"?" },
	{ "common_pidd == 1", 1, "unknown field \"common_pidd\"" },
	{ "qwertz == 1", 1, "unknown field \"qwertz\"; \"lkstbuf print -h\" lists the fields of all events" },
	{ "pid == bash", 8, "\"bash\" is not a value of \"pid\" (want a number)" },
	{ "pid == 1x", 8, "\"1x\" is not a value of \"pid\"" },
	{ "pid == 09", 8, "\"09\" is not a value of \"pid\"" },
	{ "pid == \"1\"x", 11, "unexpected \"x\"" },
	{ "pid == -1", 8, "\"-1\": \"pid\" is never negative (want 0 or more)" },
	{ "pid == 18446744073709551616", 8, "\"18446744073709551616\" does not fit into 64 bits" },
	{ "result == 9223372036854775808", 11, "\"9223372036854775808\" does not fit" },
	{ "pid == ''", 8, "\"\" is not a value of \"pid\"" },
	{ "pid < ''", 7, "no value for \"pid\"" },
	{ "pid == 2..1", 8, "\"2..1\": the first number is larger than the last" },
	{ "result == 1..-1", 11, "the first number is larger" },
	{ "pid == 1..", 8, "\"\" is not a value" },
	{ "pid == 1..2..3", 8, "\"2..3\" is not a value" },
	{ "pid < 1..2", 5, "\"1..2\": a range can only be compared with == or !=" },
	{ "pid ~ 1*", 5, "\"pid\" is a number (want ==, !=, <, <=, >, >= or &)" },
	{ "comm < b", 6, "\"comm\" is a string (want ==, != or ~)" },
	{ "path & b", 6, "\"path\" is a string (want ==, != or ~)" },
	{ "prev_name == \"123456789\"", 14, "\"123456789\" is longer than any \"prev_name\" (at most 8" },
	{ "name == abcdefghijklmnopqrstuvwxyz", 9, "is longer than any \"name\" (at most 24" },
	{ "event == blok_issue", 10, "unknown event \"blok_issue\"; did you mean \"block_issue\"?" },
	{ "event > 1", 7, "\"event\" is a string" },
	{ "number == opnat", 11, "\"opnat\" is not a value of \"number\" (want a number or a name); did you mean \"openat" },
	{ "number < openat", 8, "\"openat\" is a name (want ==, != or ~, or a number)" },
	{ "result == ENOENT", 11, "; did you mean \"-ENOENT\"" },
	{ "signal == SIGKIL", 11, "; did you mean \"SIGKILL\"" },
	{ "gfp & GFP_KERNL", 7, "; did you mean \"GFP_KERNEL\"" },
	{ "gfp & GFP_KERNEL|__GFP_ZER", 7, "\"GFP_KERNEL|__GFP_ZER\" is not a value" },
	{ "gfp > GFP_KERNEL", 5, "\"GFP_KERNEL\" is a name" },
	{ "next > bash", 6, "\"bash\" is a name" },
	{ "operation == WRIT", 14, "; did you mean \"WRITE\"" },
	{ "migratetype == MOVABLE", 16, "(want a number) (the names of its values are not in the trace)" },
	{ "flags & hardrq", 9, "; did you mean \"hardirq\"" },
	{ "flags & CLONE_VN", 9, "; did you mean \"CLONE_VM\"" },
	{ "status == exited", 11, "\"exited\" is not a value of \"status\"" },
	{ "caller == vfs_read", 11, "\"vfs_read\" is not a number (want \"caller.function\" for" },
	{ "pid.function == vfs_read", 1, "\"pid\" is not an address of code" },
	{ "caller.functon == vfs_read", 7, "unknown suffix \".functon\" (want \".function\", or none)" },
	{ "caller.function < vfs_read", 17, "can only be compared with ==, != or ~" },
	{ "cpu & CPUS{}", 7, "\"CPUS{}\" is not a set of CPUs: CPUS{0-3,7}" },
	{ "cpu & CPUS{1-}", 7, "is not a set of CPUs" },
	{ "cpu & CPUS{1,}", 7, "is not a set of CPUs" },
	{ "cpu & CPUS{3-1}", 7, "is not a set of CPUs" },
	{ "cpu & CPUS{1", 7, "is not a set of CPUs" },
	{ "cpu & CPUS{8192}", 7, "the number of a CPU is too large (at most 8191)" },
	{ "cpu < CPUS{1}", 5, "a set of CPUs can only be compared with ==, != or &" },
};

TEST_EACH(test_invalid, invalid)
{
	char start[64];

	use_values(values_text);
	ck_assert_msg(!lkst_where_new(invalid[_i].text, &scope, &err), "%s", invalid[_i].text);
	ck_assert_int_eq(err.code, LKST_ERR_ARGUMENT);
	snprintf(start, sizeof(start), "--where, character %u: ", invalid[_i].at);
	assert_begins(err.text, start);
	assert_contains(err.text, invalid[_i].why);
}

/* Make a condition of @num comparisons in @depth parentheses. */
static const char *big(int num, int depth)
{
	static char text[4096];
	char *p = text;

	for (int i = 0; i < depth; i++)
		*p++ = '(';
	for (int i = 0; i < num; i++)
		p += sprintf(p, "%spid == %d", i ? " || " : "", i);
	for (int i = 0; i < depth; i++)
		*p++ = ')';
	*p = 0;
	return text;
}

TEST(test_limits)
{
	struct lkst_event event = { .tgid = WHERE_TESTS_MAX - 1 };

	ck_assert(holds(big(WHERE_TESTS_MAX, WHERE_DEPTH_MAX), &event));
	event.tgid++;
	ck_assert(!holds(big(WHERE_TESTS_MAX, WHERE_DEPTH_MAX), &event));
	ck_assert(!lkst_where_new(big(WHERE_TESTS_MAX + 1, 0), &scope, &err));
	assert_contains(err.text, "too many comparisons (at most 64)");
	ck_assert(!lkst_where_new(big(1, WHERE_DEPTH_MAX + 1), &scope, &err));
	assert_contains(err.text, "character 65: too many nested parentheses (at most 64)");
}

/* A field that none of the events selected by -e has */
TEST(test_scope)
{
	assert_ok(lkst_filter_add(&filter, types, "block_issue,openat", &err));
	ck_assert(!lkst_where_new("status != 0", &scope, &err));
	assert_contains(err.text, "no event that -e selects has the field \"status\", but process_exit has");
	ck_assert(!lkst_where_new("sectr != 0", &scope, &err));
	assert_contains(err.text, "; did you mean \"sector\"?");
	lkst_where_free(lkst_where_new("sector != 0 || number == read", &scope, &err));
}

/* ---- patterns ---- */

static const struct { const char *pattern, *text; bool matches; } patterns[] = {
	{ "", "", true }, { "", "a", false }, { "a", "", false }, { "*", "", true },
	{ "*", "abc", true }, { "a*", "abc", true }, { "*c", "abc", true }, { "*b*", "abc", true },
	{ "*bc", "abcbc", true }, { "*bc", "abcb", false }, { "a*c*e", "abcde", true },
	{ "a*c*f", "abcde", false }, { "a?c", "abc", true }, { "a?c", "ac", false },
	{ "[ab]", "b", true }, { "[ab]", "c", false }, { "[a-c]x", "bx", true },
	{ "[!a-c]", "d", true }, { "[!a-c]", "b", false }, { "[^a]", "b", true },
	{ "[]a]", "]", true }, { "[a", "[a", true }, { "[a-]", "-", true }, { "\\*", "*", true },
	{ "\\*", "a", false }, { "[a", "a", false }, { "**a**", "a", true }, { "A", "a", false },
	{ "a\\", "a\\", true }, { "*[!x]", "xx", false }, { "*a*b*a*b*c", "abababab", false },
};

TEST_EACH(test_glob, patterns)
{
	ck_assert(where_glob(patterns[_i].pattern, patterns[_i].text) == patterns[_i].matches);
}

/* ---- formats ---- */

/*
 * Conditions on an argument "v" that has a certain format. Each condition must hold or, if "!"
 * precedes it, must not hold.
 */
static const struct {
	const char *name; /* description of the argument */
	uint64_t arg;
	uint8_t machine;
	const char *conditions[16];
} formats[] = {
	{ "v:dec", (uint64_t)-5, 0, { "v == -5", "v < 0", "v < -4", "v <= -5", "v >= -5", "v > -6",
	  "v != 5", "v == -6..-4", "v != -4..4", "!v > 0", "v & 1",
	  "v ~ '-*'" } },
	{ "v:dec,w:dec", PACK(-5, 7), 0, { "v == -5", "w == 7", "v < 0 && w > 0", "v & 0x8",
	  "!v & 4", "v == -2147483648..-1" } },
	{ "w:udec,v:udec", PACK(7, 0xfffffffb), 0, { "v == 4294967291", "v > 4294967290", "!v < 5",
	  "v == 0xfffffffb", "w != 0", "v >= 0xfffffffb && v <= 0xfffffffb" } },
	{ "v:udec", UINT64_MAX, 0, { "v == 18446744073709551615", "v == 0xffffffffffffffff", "v > 1",
	  "!v < 1", "v == 1..0xffffffffffffffff" } },
	{ "v:hex", 0x8000000000000010, 0, { "v & 0x10", "!v & 0x20", "v & 0x30",
	  "v & 0x8000000000000000", "v > 0x7fffffffffffffff", "v ~ '0x8*10'" } },
	{ "v:ptr", 0xffff888000000000, 0, { "v >= 0xffff800000000000", "v == 0xffff888000000000" } },
	{ "v:sym", SAMPLE_CODE + 5, 0, { "v.function == alpha", "v.function != beta",
	  "v.function ~ 'al*'", "!v.function == alph", "v == 0xffffffff81000005", "v ~ 'alpha+0x5'" } },
	{ "v:sym", 1, 0, { "!v.function == alpha", "v.function != alpha", "!v.function ~ '*'" } },
	{ "v:tid", 100, 0, { "v == 100", "v == bash", "v ~ 'ba*'", "v == bash-100", "v != bash-101",
	  "!v == 'my prog'", "v == 99..101", "!v == '100'", "v != sh" } },
	{ "v:tid,w:tid", PACK(101, 0), 0, { "v == \"my prog\"", "v == 'my prog-101'", "w == 0",
	  "w == 'swapper/3'", "w ~ 'swapper*'", "!w ~ bash" } },
	{ "v:state", 'S', 0, { "v == S", "v != R", "v == 'S'", "!v == D", "v ~ '[SD]'" } },
	{ "v:state", 0x100 | 'R', 0, { "v == R+", "v != R", "v & 0x100", "v ~ 'R*'" } },
	{ "v:sig", 9, 0, { "v == SIGKILL", "v == 9", "v < SIGSEGV", "v == SIGHUP..SIGTERM",
	  "v != SIGTERM", "v ~ 'SIG*'", "!v == SIGINT..SIGABRT" } },
	{ "v:err", (uint64_t)-2, 0, { "v == -ENOENT", "v < 0", "v != -EPERM", "v == -2",
	  "v ~ '-E*'", "!v == -ENOMEM", "v == -ENOENT..-EPERM" } },
	{ "v:err", (uint64_t)-512, 0, { "v == -ERESTARTSYS" } },
	{ "v:sys,a:abi", PACK(257, 0), LKST_MACHINE_X86_64, { "v == openat", "!v == read",
	  "v != read", "v == 257", "a == native", "v ~ 'open*'", "v == 256..258", "v & 0x100" } },
	{ "v:sys,a:abi", PACK(3, 1), LKST_MACHINE_X86_64, { "v == read", "a == ia32", "!v == close",
	  "a != native", "v == 3" } },
	{ "v:sys,a:abi", PACK(56, 0), LKST_MACHINE_ARM64, { "v == openat", "!v == clone" } },
	{ "v:sys,a:abi", PACK(-1, 0), LKST_MACHINE_X86_64, { "v == -1", "v != openat", "v < 0" } },
	{ "v:clone", 0x1200011, 0, { "v & CLONE_CHILD_SETTID", "!v & CLONE_VM",
	  "v & CLONE_VM|CLONE_CHILD_SETTID", "v == CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|SIGCHLD",
	  "v ~ '*SIGCHLD'", "v == CLONE_CHILD_CLEARTID|CLONE_CHILD_SETTID|0x11" } },
	{ "v:wstatus", 0x100, 0, { "v != 0", "v == 'exit(1)'", "v == 0x100", "v ~ 'exit*'",
	  "!v == \"exit(2)\"", "v != 'killed(SIGSEGV)'" } },
	{ "v:wstatus", 11 | 0x80, 0, { "v == 'killed(SIGSEGV,core)'", "v ~ 'killed(*'" } },
	{ "v:irq", 9, 0, { "v == 9", "v == virtio0-input.0", "v ~ 'virtio*'", "v > 8" } },
	{ "v:irq", 11, 0, { "v == eth0", "v != virtio0-input.0", "!v == 9..10" } },
	{ "v:vec", 0xec, 0, { "v == 0xec", "v != 0" } },
	{ "v:trap", 14, LKST_MACHINE_X86_64, { "v == #PF", "v == 14", "v ~ '#P?'" } },
	{ "v:softirq", 3, 0, { "v == NET_RX", "v != TIMER", "v ~ 'NET_*'", "v == 3", "v < 4" } },
	{ "v:pfcode", 6, 0, { "v & WRITE", "v == WRITE|USER", "!v & PROT", "v ~ '*USER'" } },
	{ "v:gfp", 0xdc0, 0, { "v & __GFP_ZERO", "v == GFP_KERNEL|__GFP_ZERO", "v & 0x100",
	  "v != GFP_KERNEL", "v ~ '*ZERO*'", "!v & 0x1000", "v & __GFP_IO|__GFP_ZERO" } },
	{ "v:dev", 0xfe00000, 0, { "v == vda", "v == 254:0", "v != 8:0", "v ~ 'vd*'" } },
	{ "v:dev", 0x800001, 0, { "v == 8:1", "!v == vda", "v != vda", "v ~ '8:*'" } },
	{ "v:blkop", 1, 0, { "v == WRITE", "v == 1" } },
	{ "v:etype", 0x800, 0, { "v == IPv4", "v == 0x800", "v ~ 'IP*'" } },
	{ "v:etype", 0x8100, 0, { "v == 802.1Q", "v == '802.1Q'" } },
	{ "v:af", 2, 0, { "v == AF_INET", "v ~ 'AF_INET*'" } },
	{ "v:ipproto", 6, 0, { "v == IPPROTO_TCP" } },
	{ "v:ipcflg", 01644, 0, { "v & IPC_CREAT", "v == IPC_CREAT|0644", "!v & IPC_EXCL" } },
	{ "v:msgflg", 04000, 0, { "v & IPC_NOWAIT" } },
	{ "v:migrate,w:dec", PACK(-1, 0), 0, { "v == unknown" } },
	{ "v:level", 3, 0, { "v == err", "v < warning", "v <= err", "!v > warning",
	  "v == emerg..warning" } },
	{ "v:lockup", 1, 0, { "v == 1" } },
	{ "v:cpu", 3, 0, { "v == 3", "v & CPUS{0-3}", "!v & CPUS{0-2,4}", "v == CPUS{3}",
	  "!v == CPUS{2-3}", "v != CPUS{2-3}", "v != CPUS{2}", "!v != CPUS{3}" } },
	{ "v:cpu", (uint64_t)-1, 0, { "v == -1", "!v & CPUS{0-8191}" } },
	{ "v:clock", 1, 0, { "v == 1" } },
	{ "v:sec,w:nsec", PACK(0xffffffff, 5), 0, { "v == 4294967295", "w == 5" } },
	{ "v:mset", (uint64_t)-1, 0, { "v == -1", "v < 0" } },
	{ "v:evh", 0x10, 0, { "v == 0x10" } },
	{ "v:buf", (uint64_t)LKST_BUFFER_ID_VOID, 0, { "v == none", "v ~ none" } },
	{ "v:buf", 2, 0, { "v == 2", "v != none" } },
	{ "v:reg", 7, 0, { "v == 7", "v & 4" } },
	{ "v", 0x77, 0, { "v == 0x77" } },
};

TEST_EACH(test_format_values, formats)
{
	static const char symbols[] = SYMBOLS_HEADER "\nffffffff81000000 ffffffff81000010 alpha\n"
				      "ffffffff81000010 ffffffff81000020 beta\n";
	struct lkst_event event = { .type = 0x100, .arg = { formats[_i].arg }, .cpu = 3 };
	char text[256];

	snprintf(text, sizeof(text), "0x100 M UNDEF - present \"m\" \"%s\" \"\" \"\" \"\"\n",
		 formats[_i].name);
	format_use_types(text);
	scope.types = types;
	use_values(values_text);
	context.symbols = lkst_symbols_parse(symbols, strlen(symbols), "FILE", &err);
	assert_made(context.symbols);
	event.machine = formats[_i].machine;
	for (int i = 0; i < 16 && formats[_i].conditions[i]; i++) {
		const char *condition = formats[_i].conditions[i];
		bool negated = *condition == '!';

		ck_assert_msg(holds(condition + negated, &event) == !negated, "%s: %s",
			      formats[_i].name, condition);
	}
}

/* Strings of one argument and of several, with and without a 0 at the end. */
TEST(test_text)
{
	struct lkst_event event = { .type = 0x100 };

	format_use_types("0x100 M UNDEF - present \"m\" \"a:text\" \"b:text\" \"b:text\" \"b:text\"\n");
	scope.types = types;
	event.arg[0] = text8("abcdefgh");
	event.arg[1] = text8("12345678");
	event.arg[2] = text8("9");
	for (int i = 0; i < 2; i++) {
		ck_assert(holds("a == abcdefgh", &event));
		ck_assert(!holds("a == abcdefg", &event));
		ck_assert(holds("a != abcdefg", &event));
		ck_assert(holds("b == 123456789", &event));
		ck_assert(holds("b == '123456789'", &event));
		ck_assert(holds("b ~ '12*9'", &event));
		ck_assert(holds("b ~ 12*9", &event));
		ck_assert(!holds("b ~ '12*8'", &event));
		ck_assert(!holds("b == ''", &event));
		ck_assert(holds("b != ''", &event));
		/* The same event of a machine with the opposite byte order */
		for (int k = 0; k < 4; k++)
			event.arg[k] = __builtin_bswap64(event.arg[k]);
		event.swapped = true;
	}
}

/*
 * Conditions on events that take several records. An event without the field does not match,
 * whatever the operator is.
 */
static const struct { const char *condition; bool path, stack; } chains[] = {
	{ "path==/a/path/that/takes/more/than/one/record", true, false },
	{ "path==/a/path/", false, false },
	{ "path!=/a/path/", true, false },
	{ "path~*/record", true, false },
	{ "stack.function==do_futex", false, true },
	{ "stack.function~futex_*", false, true },
	{ "stack.function==other", false, false },
	{ "stack.function!=other", false, true },
	{ "stack.function!=do_futex", false, false },
};

TEST_EACH(test_chain, chains)
{
	static const char symbols[] = SYMBOLS_HEADER "\n"
		"0xffffffff81000000 0xffffffff81000100 futex_wait\n"
		"0xffffffff81000100 0xffffffff81000200 do_futex\n"
		"0xffffffff81000200 0xffffffff81000300 other\n";
	/* The second address is the end of do_futex(), not the start of other(). */
	static const uint64_t frames[] = { 0xffffffff81000010, 0xffffffff81000200 };
	static const char text[] = "/a/path/that/takes/more/than/one/record";
	struct lkst_event path = event_of(LKST_ETYPE_SYSCALL_PATH, 0, pack(257, 0), 0, 0);
	struct lkst_event stack = event_of(LKST_ETYPE_PROCESS_BLOCK, 0, 0, 0, 0);
	uint8_t data[16 + sizeof(text)] = { 0 };
	const struct lkst_payload of_path = { .data = data, .size = sizeof(data) };
	const struct lkst_payload of_stack = { .data = (const uint8_t *)frames, .size = 16 };

	memcpy(data + 16, text, sizeof(text));
	path.payload = &of_path;
	stack.payload = &of_stack;
	context.symbols = lkst_symbols_parse(symbols, strlen(symbols), "FILE", &err);
	assert_made(context.symbols);
	ck_assert_int_eq(holds(chains[_i].condition, &path), chains[_i].path);
	ck_assert_int_eq(holds(chains[_i].condition, &stack), chains[_i].stack);
}

TEST(test_absent)
{
	struct lkst_event event = event_of(LKST_ETYPE_BLOCK_ISSUE, 0, 8, PACK(4096, 1), 0);
	struct lkst_event other = event_of(LKST_ETYPE_MEM_KFREE, 1, 2, 0, 0);
	struct lkst_event unknown = event_of(0x123, 1, 2, 3, 4);

	ck_assert(holds("sector == 8", &event));
	ck_assert(!holds("sector == 8", &other));
	ck_assert(!holds("sector != 8", &other));
	ck_assert(!holds("sector != 8", &unknown));
	ck_assert(holds("!(sector == 8)", &other));
	ck_assert(holds("!(sector == 8)", &unknown));
	ck_assert(holds("sector == 9 || cpu == 0", &unknown) == !unknown.cpu);
}

/* Values of the record, and fields of the event that have the same name. */
TEST(test_record)
{
	struct lkst_event event = event_of(LKST_ETYPE_CPU_ONLINE, 7, 0, 0, 0);
	struct lkst_event fork = event_of(LKST_ETYPE_PROCESS_FORK, pack(101, 101), 0x100, 0, 0);
	struct lkst_event idle = { .type = LKST_ETYPE_USER_MARK, .cpu = 2 };

	event.cpu = 3;
	event.tid = 101;
	event.tgid = 100;
	event.uid = 1000;
	event.gid = 1001;
	event.flags = LKST_LOG_HARDIRQ | LKST_LOG_PREEMPT_OFF;
	ck_assert(holds("cpu == 7 && common_cpu == 3", &event));
	ck_assert(holds("tid == 101 && pid == 100 && uid == 1000 && gid == 1001", &event));
	ck_assert(holds("common_tid == 101 && common_pid == 100", &event));
	ck_assert(holds("comm == 'my prog' && comm ~ 'my*' && comm != bash", &event));
	ck_assert(!holds("comm == 'my prog-101'", &event));
	ck_assert(holds("comm == swapper/2 && comm ~ 'swapper/*'", &idle));
	ck_assert(holds("flags & hardirq && !(flags & softirq|nmi)", &event));
	ck_assert(holds("flags == hardirq|preempt_off", &event));
	ck_assert(holds("flags & CLONE_VM", &fork));
	ck_assert(!holds("common_flags & hardirq", &fork));
	ck_assert(holds("event == cpu_online && event != cpu_offline && event ~ 'cpu_*'", &event));
	ck_assert(holds("event == CPU_ONLINE && event == 0x0c2", &event));
	ck_assert(!holds("event == cpu_offline", &event));
	event.type = 0x123;
	ck_assert(holds("event == 0x123 && event ~ user_0x1?3 && event != cpu_online", &event));
}

/* If an event has several fields with the same name, it is enough if one of them matches. */
TEST(test_repeated)
{
	struct lkst_event event = { .type = 0x100, .arg = { 1, 2, 3 } };

	format_use_types("0x100 M UNDEF - present \"m\" \"v:sym\" \"v:sym\" \"v:sym\" \"\"\n");
	scope.types = types;
	ck_assert(holds("v == 1 && v == 2 && v == 3", &event));
	ck_assert(!holds("v == 4", &event));
	ck_assert(holds("v != 4", &event));
	ck_assert(!holds("v != 2", &event));
}

/* Two kernels give the same names to different values. */
TEST(test_kernels)
{
	struct lkst_context one = context, two = context;
	struct lkst_event event = event_of(LKST_ETYPE_INT_SOFTIRQ_ENTRY, 3, 0, 0, 0);
	const struct lkst_context *both[] = { &one, &two };
	struct lkst_where *where;

	use_values(values_text);
	one.values = context.values;
	context.values = NULL;
	use_values(LKST_VALUES_HEADER "\nsoftirq enum 3 OTHER\nsoftirq enum 5 NET_RX\n");
	two.values = context.values;
	scope.context = both;
	scope.contexts = 2;
	where = lkst_where_new("vector == NET_RX", &scope, &err);
	assert_made(where);
	for (int i = 0; i < 2; i++) {
		event.arg[0] = 3;
		ck_assert(lkst_where_holds(where, &one, &event));
		ck_assert(!lkst_where_holds(where, &two, &event));
		event.arg[0] = 5;
		ck_assert(!lkst_where_holds(where, &one, &event));
		ck_assert(lkst_where_holds(where, &two, &event));
	}
	lkst_where_free(where);
	where = lkst_where_new("vector == OTHER", &scope, &err);
	assert_made(where);
	event.arg[0] = 3;
	ck_assert(!lkst_where_holds(where, &one, &event));
	ck_assert(lkst_where_holds(where, &two, &event));
	lkst_where_free(where);
	lkst_values_free(one.values);
}
