// SPDX-License-Identifier: GPL-2.0
/* Names of descriptors and command lines of processes at a time. */
#include "format_case.h"
#include "lib/text/files.h"
#include "sample.h"
#include "tap.h"

#define MS(n)  ((int64_t)(n)*1000000)
#define OFFSET MS(1000000) /* wall clock minus monotonic clock */

#define WHEN(ms) "read " #ms "000000 100" #ms "000000\n"
#define CPU	 "cpu 0 50\n"

/* Process 100 was read twice, after 1000 ms and after 3000 ms. */
#define FIRST                                                   \
	LKST_FILES_HEADER "\n"                                  \
			  "read 1000000000 1001000000000\n" CPU \
			  "process 100 1000000000 1001000000\n" \
			  "command - - cat my\\040file\n"       \
			  "fd 9 - - socket:[2]\n"               \
			  "fd 7 - - /a\n"                       \
			  "fd 8 - - pipe:[1]\n"
#define SECOND                                                  \
	LKST_FILES_HEADER "\n"                                  \
			  "read 3000000000 1003000000000\n" CPU \
			  "process 100 3000000000 3001000000\n" \
			  "command - - cat my\\040file\n"       \
			  "fd 7 - - /a\n"                       \
			  "fd 8 - - pipe:[1]\n"                 \
			  "fd 9 - - socket:[2]\n"

static struct lkst_files *files;

static void setup(void)
{
	files = lkst_files_new();
	ck_assert(files);
}

static void teardown(void)
{
	lkst_files_free(files);
}

static void add(const char *text)
{
	assert_ok(lkst_files_add(files, text, strlen(text), &err));
}

/* An event of process 100 at @ms. */
static struct lkst_event event_at(int64_t ms, uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3,
				  uint64_t a4)
{
	struct lkst_event event = event_of(type, a1, a2, a3, a4);

	event.monotonic_ns = MS(ms);
	event.time_ns = MS(ms) + OFFSET;
	return event;
}

static const char *name_at(uint32_t fd, int64_t ms)
{
	struct lkst_event event = event_at(ms, 0, 0, 0, 0, 0);

	return lkst_files_name(files, &event, 100, fd);
}

static const char *command_at(int64_t ms)
{
	struct lkst_event event = event_at(ms, 0, 0, 0, 0, 0);

	return lkst_files_command(files, &event, 100);
}

static void observe(struct lkst_event event)
{
	if (lkst_files_concerns(files, event.machine, event.type, event.arg[0]))
		assert_ok(lkst_files_observe(files, &event));
}

/* The trace has all records of CPU 0 up to 5000 ms. */
static void finalize(void)
{
	assert_ok(lkst_files_lane(files, 0, 60, MS(5000) + OFFSET));
	lkst_files_finalize(files);
}

TESTS(.setup = setup, .teardown = teardown, .timeout = 60);

/* Numbers of system calls of x86-64 */
enum {
	READ = 0,
	CLOSE = 3,
	PIPE = 22,
	DUP2 = 33,
	SOCKET = 41,
	FORK = 57,
	EXECVE = 59,
	EXIT_GROUP = 231,
	OPENAT = 257,
	UNSHARE = 272,
	CLOSE_RANGE = 436,
};

#define ENTRY	     LKST_ETYPE_SYSCALL_ENTRY
#define EXIT	     LKST_ETYPE_SYSCALL_EXIT
#define CALL(number) U(number) << 32

/*
 * An event at 2000 ms, or at @ms. @known has a group of letters for each descriptor (7, 8, 9), with
 * a letter for each time (500, 1500, 2500, 3500 ms): "y" if the name is known at that time.
 */
static const struct change {
	const char *name;
	uint32_t type;
	uint64_t arg[4];
	const char *known;
	int64_t ms;
} changes[] = {
	{ "nothing", ENTRY, { CALL(READ), 7 }, "yyyy yyyy yyyy", 0 },
	/*
	 * A name stays known after a close if the second table has the same name: the file must
	 * have been opened again before the second table was read.
	 */
	{ "close", ENTRY, { CALL(CLOSE), 7 }, "yyyy yyyy yyyy", 0 },
	{ "close of an unknown descriptor", ENTRY, { CALL(CLOSE), 100 }, "yyyy yyyy yyyy", 0 },
	{ "close, before all tables", ENTRY, { CALL(CLOSE), 7 }, "nyyy yyyy yyyy", 700 },
	{ "close, after all tables", ENTRY, { CALL(CLOSE), 8 }, "yyyy yyyn yyyy", 3400 },
	{ "close, just before the table", ENTRY, { CALL(CLOSE), 7 }, "nyyy yyyy yyyy", 995 },
	{ "close, while the table is read", ENTRY, { CALL(CLOSE), 7 }, "nyyy yyyy yyyy", 1000 },
	{ "close, just after the table", ENTRY, { CALL(CLOSE), 7 }, "yyyn yyyy yyyy", 3009 },
	{ "result of open", EXIT, { CALL(OPENAT), 9 }, "yyyy yyyy nyyy", 700 },
	{ "failed open", EXIT, { CALL(OPENAT), U(-2) }, "yyyy yyyy yyyy", 700 },
	{ "result of read", EXIT, { CALL(READ), 7 }, "yyyy yyyy yyyy", 700 },
	{ "result of socket", EXIT, { CALL(SOCKET), 7 }, "nyyy yyyy yyyy", 700 },
	{ "pipe", EXIT, { CALL(PIPE), 0 }, "yyyy nyyy yyyy", 700 },
	{ "dup2 from a descriptor", ENTRY, { CALL(DUP2), 7, 8 }, "yyyy nyyy yyyy", 700 },
	{ "result of dup2", EXIT, { CALL(DUP2), 8 }, "yyyy nyyy yyyy", 700 },
	{ "close_range", ENTRY, { CALL(CLOSE_RANGE), 8, UINT32_MAX, 0 }, "yyyy nyyy nyyy", 700 },
	{ "close_range on exec",
	  ENTRY,
	  { CALL(CLOSE_RANGE), 8, UINT32_MAX, 4 },
	  "yyyy yyyy yyyy",
	  700 },
	{ "close_range, unshare", ENTRY, { CALL(CLOSE_RANGE), 100, 100, 2 }, "nnnn nnnn nnnn", 700 },
	{ "unshare the table", ENTRY, { CALL(UNSHARE), 0x400 }, "nnnn nnnn nnnn", 700 },
	{ "unshare something else", ENTRY, { CALL(UNSHARE), 0x200 }, "yyyy yyyy yyyy", 700 },
	{ "execve", ENTRY, { CALL(EXECVE) }, "nyyy nyyy nyyy", 700 },
	{ "exit_group", ENTRY, { CALL(EXIT_GROUP) }, "nyyy nyyy nyyy", 700 },
	{ "process_exec", LKST_ETYPE_PROCESS_EXEC, { PACK(100, 100) }, "nyyy nyyy nyyy", 700 },
	{ "process_exit", LKST_ETYPE_PROCESS_EXIT, { PACK(100, 120) }, "nyyy nyyy nyyy", 700 },
	{ "exit of another thread",
	  LKST_ETYPE_PROCESS_EXIT,
	  { PACK(101, 120) },
	  "yyyy yyyy yyyy",
	  700 },
	{ "fork to this number", EXIT, { CALL(FORK), 100 }, "nyyy nyyy nyyy", 700 },
	{ "process_fork to this number",
	  LKST_ETYPE_PROCESS_FORK,
	  { PACK(100, 100), 17 },
	  "nyyy nyyy nyyy",
	  700 },
	{ "process_fork to another number",
	  LKST_ETYPE_PROCESS_FORK,
	  { PACK(200, 200), 17 },
	  "yyyy yyyy yyyy",
	  700 },
	{ "a new thread",
	  LKST_ETYPE_PROCESS_FORK,
	  { PACK(200, 100), 0x10400 },
	  "yyyy yyyy yyyy",
	  700 },
	{ "a thread with its own table",
	  LKST_ETYPE_PROCESS_FORK,
	  { PACK(200, 100), 0x10000 },
	  "nnnn nnnn nnnn",
	  700 },
	{ "a process that shares the table",
	  LKST_ETYPE_PROCESS_FORK,
	  { PACK(200, 200), 0x400 },
	  "nnnn nnnn nnnn",
	  700 },
	{ "another maskset", LKST_ETYPE_LKST_MASKSET_SET, { 1, 2 }, "nyyy nyyy nyyy", 700 },
	{ "another maskset at the end",
	  LKST_ETYPE_LKST_MASKSET_SET,
	  { 1, 2 },
	  "yyyn yyyn yyyn",
	  3400 },
	{ "recording stops while the table is read",
	  LKST_ETYPE_LKST_TRC_STOP,
	  { 1 },
	  "nyyy nyyy nyyy",
	  1000 },
};

TEST_ROWS(test_changes, changes)
{
	static const char *const names[] = { "/a", "pipe:[1]", "socket:[2]" };
	const struct change *change = &changes[_i];
	char known[] = "???? ???? ????";

	add(SECOND);
	add(FIRST);
	lkst_files_start(files, NULL);
	observe(event_at(change->ms ? change->ms : 2000, change->type, change->arg[0],
			 change->arg[1], change->arg[2], change->arg[3]));
	finalize();
	for (uint32_t fd = 0; fd < 3; fd++)
		for (int i = 0; i < 4; i++) {
			const char *name = name_at(7 + fd, 500 + 1000 * i);

			if (name)
				ck_assert_str_eq(name, names[fd]);
			known[5 * fd + (uint32_t)i] = name ? 'y' : 'n';
		}
	ck_assert_str_eq(known, change->known);
}

static const struct {
	const char *name;
	const char *second; /* the second table; NULL: none */
	const char *known; /* name of descriptor 7 at 4 times: y: /a, n: unknown, *: another */
} tables[] = {
	{ "one table", NULL, "yyyy" },
	{ "closed unseen",
	  LKST_FILES_HEADER "\n" WHEN(3000) CPU "process 100 3000000000 3001000000\n"
						"command - - cat\nfd 8 - - /b\n",
	  "ynnn" },
	{ "replaced unseen",
	  LKST_FILES_HEADER "\n" WHEN(3000) CPU "process 100 3000000000 3001000000\n"
						"command - - cat\nfd 7 - - /b\n",
	  "ynn*" },
	{ "another process",
	  LKST_FILES_HEADER "\n" WHEN(3000) CPU "process 101 3000000000 3001000000\n"
						"command - - cat\nfd 7 - - /b\n",
	  "yyyy" },
	{ "the same table again", FIRST, "yyyy" },
};

TEST_ROWS(test_tables, tables)
{
	char known[] = "????";

	add(FIRST);
	if (tables[_i].second)
		add(tables[_i].second);
	lkst_files_start(files, NULL);
	finalize();
	for (int i = 0; i < 4; i++) {
		const char *name = name_at(7, 500 + 1000 * i);

		known[i] = !name ? 'n' : strcmp(name, "/a") ? '*' : 'y';
	}
	ck_assert_str_eq(known, tables[_i].known);
}

/*
 * The records in the trace: for each CPU, the recid that follows the last record's, and the time of
 * the last record. The table is FIRST: it was read after 1000 ms, and can be used only if the trace
 * has all records of CPU 0 before recid 50.
 */
static const struct {
	const char *name;
	struct {
		int32_t cpu;
		uint64_t next;
		int64_t ms;
	} lane[2];
	struct {
		int64_t from, to;
	} gap[2];
	const char *known; /* whether the name of descriptor 7 is known at 4 times: y or n */
} covers[] = {
	{ "up to the table", { { 0, 50, 990 } }, { { 0, 0 } }, "ynnn" },
	{ "one record is missing before the table", { { 0, 49, 990 } }, { { 0, 0 } }, "nnnn" },
	{ "later records", { { 0, 51, 2600 } }, { { 0, 0 } }, "yyyn" },
	{ "the other CPU ends first", { { 0, 51, 2600 }, { 1, 10, 1600 } }, { { 0, 0 } }, "yynn" },
	{ "another CPU only", { { 1, 70, 2600 } }, { { 0, 0 } }, "nnnn" },
	{ "two runs", { { 0, 70, 2600 }, { 0, 70, 2600 } }, { { 0, 0 } }, "nnnn" },
	{ "a gap before", { { 0, 70, 2600 } }, { { 600, 700 } }, "nyyn" },
	{ "a gap at the beginning", { { 0, 70, 2600 } }, { { 300, 400 } }, "yyyn" },
	{ "a gap after", { { 0, 70, 2600 } }, { { 2000, 2100 } }, "yynn" },
	{ "a gap around the table", { { 0, 70, 2600 } }, { { 900, 1100 } }, "nnnn" },
	{ "a gap that contains others",
	  { { 0, 70, 2600 } },
	  { { 100, 800 }, { 200, 300 } },
	  "nyyn" },
};

TEST_ROWS(test_covers, covers)
{
	char known[] = "????";

	add(FIRST);
	lkst_files_start(files, NULL);
	for (int i = 0; i < 2 && covers[_i].lane[i].next; i++)
		assert_ok(lkst_files_lane(files, covers[_i].lane[i].cpu, covers[_i].lane[i].next,
					  MS(covers[_i].lane[i].ms) + OFFSET));
	for (int i = 0; i < 2 && covers[_i].gap[i].to; i++)
		assert_ok(lkst_files_break(files, MS(covers[_i].gap[i].from) + OFFSET,
					   MS(covers[_i].gap[i].to) + OFFSET));
	lkst_files_finalize(files);
	for (int i = 0; i < 4; i++)
		known[i] = name_at(7, 500 + 1000 * i) ? 'y' : 'n';
	ck_assert_str_eq(known, covers[_i].known);
}

TEST(test_partial)
{
	add(FIRST);
	lkst_files_partial(files);
	lkst_files_start(files, NULL);
	finalize();
	ck_assert(!name_at(7, 500));
	ck_assert_str_eq(command_at(500), "cat my\\040file");
}

/* If the wall clock was set, only monotonic times say which events came before a table. */
TEST(test_clock_set)
{
	struct lkst_event event = event_at(500, 0, 0, 0, 0, 0);

	add(FIRST);
	lkst_files_clock_set(files);
	lkst_files_start(files, NULL);
	finalize();
	event.time_ns = 0;
	ck_assert_str_eq(lkst_files_name(files, &event, 100, 7), "/a");
	event.time_ns = MS(500) + OFFSET;
	event.monotonic_ns = INT64_MIN;
	ck_assert(!lkst_files_name(files, &event, 100, 7));
}

/* STD records have only the time of the wall clock. */
TEST(test_wall_clock)
{
	struct lkst_event event = event_at(700, ENTRY, CALL(CLOSE), 7, 0, 0);
	const int64_t offset = OFFSET + MS(100);

	add(FIRST);
	lkst_files_start(files, NULL);
	event.monotonic_ns = INT64_MIN;
	observe(event);
	finalize();
	ck_assert(!name_at(7, 699));
	ck_assert(name_at(7, 701));
	event.time_ns = MS(701) + OFFSET;
	ck_assert(lkst_files_name(files, &event, 100, 7));
	lkst_files_start(files, &offset);
	ck_assert(!lkst_files_name(files, &event, 100, 7));
}

TEST(test_command)
{
	add(FIRST);
	add(SECOND);
	lkst_files_start(files, NULL);
	observe(event_at(700, LKST_ETYPE_PROCESS_EXEC, PACK(100, 100), 0, 0, 0));
	observe(event_at(4000, ENTRY, CALL(EXIT_GROUP), 0, 0, 0));
	finalize();
	ck_assert(!command_at(600));
	ck_assert_str_eq(command_at(800), "cat my\\040file");
	ck_assert_str_eq(command_at(2000), "cat my\\040file");
	ck_assert(!command_at(4001));
	ck_assert(!lkst_files_command(files, &(struct lkst_event){ 0 }, 99));
	ck_assert(!lkst_files_command(NULL, &(struct lkst_event){ 0 }, 100));
}

/* The first argument of system calls, by name: the numbers differ between machines. */
static const struct {
	const char *name;
	uint8_t machine;
	uint64_t number, first;
	const char *file;
} calls[] = {
	{ "read", LKST_MACHINE_X86_64, CALL(READ), 7, "/a" },
	{ "read, upper half of the register", LKST_MACHINE_X86_64, CALL(READ), PACK(1, 7), "/a" },
	{ "read of an unknown descriptor", LKST_MACHINE_X86_64, CALL(READ), 10, NULL },
	{ "openat of the current directory", LKST_MACHINE_X86_64, CALL(OPENAT), U(-100), NULL },
	{ "mmap", LKST_MACHINE_X86_64, CALL(9), 7, NULL },
	{ "ia32 read", LKST_MACHINE_X86_64, CALL(3) | 1, 7, "/a" },
	{ "ia32 open", LKST_MACHINE_X86_64, CALL(5) | 1, 7, NULL },
	{ "i386 read", LKST_MACHINE_I386, CALL(3), 7, "/a" },
	{ "arm64 read", LKST_MACHINE_ARM64, CALL(63), 7, "/a" },
	{ "arm64 io_setup", LKST_MACHINE_ARM64, CALL(0), 7, NULL },
	{ "unknown machine", LKST_MACHINE_OTHER, CALL(READ), 7, NULL },
	{ "unknown call", LKST_MACHINE_X86_64, CALL(UINT32_MAX), 7, NULL },
};

TEST_ROWS(test_calls, calls)
{
	struct lkst_event event = event_at(500, ENTRY, calls[_i].number, calls[_i].first, 0, 0);
	const char *name;

	add(FIRST);
	lkst_files_start(files, NULL);
	finalize();
	event.machine = calls[_i].machine;
	name = lkst_files_first(files, &event);
	ck_assert_msg(!name == !calls[_i].file && (!name || !strcmp(name, calls[_i].file)), "%s",
		      name);
	event.type = EXIT;
	ck_assert(!lkst_files_first(files, &event));
}

/* ---- text ---- */

static const struct {
	const char *name, *text, *error;
} bad[] = {
	{ "empty", "", "its first line is not" },
	{ "no time", "process 1 0 0\n", "not after the line" },
	{ "two times", WHEN(1) WHEN(2), "second line" },
	{ "invalid time", "read x 0\n", "invalid time" },
	{ "time too large", "read 9000000000000000000 0\n", "invalid time" },
	{ "no process", WHEN(1) "fd 1 - - /a\n", "not after a line" },
	{ "no process, command", WHEN(1) "command - - a\n", "not after a line" },
	{ "invalid process", WHEN(1) "process -1 0 0\n", "invalid number" },
	{ "process too large", WHEN(1) "process 4294967296 0 0\n", "invalid number" },
	{ "ends before it begins", WHEN(1) "process 1 2 1\n", "invalid time" },
	{ "invalid descriptor", WHEN(1) "process 1 0 0\nfd x - - /a\n", "invalid number" },
	{ "one time", WHEN(1) "process 1 0 0\ncommand - 5 a\n", "invalid time" },
	{ "times for a part", WHEN(1) "process 1 0 0\ncommand - - a\nfd 1 1 2 /a\n",
	  "invalid time" },
	{ "invalid CPU", WHEN(1) "cpu -1 0\n", "invalid number" },
};

TEST_ROWS(test_bad, bad)
{
	char text[256];

	snprintf(text, sizeof(text), "%s%s", *bad[_i].text ? LKST_FILES_HEADER "\n" : "",
		 bad[_i].text);
	ck_assert_int_eq(lkst_files_add(files, text, strlen(text), &err), -1);
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	assert_contains(err.text, bad[_i].error);
	ck_assert(lkst_files_empty(files));
}

TEST(test_too_many)
{
	char *text = malloc(1 << 20), *p = text;

	ck_assert(text);
	p += sprintf(p, LKST_FILES_HEADER "\n" WHEN(1) "process 1 0 0\ncommand - - a\n");
	for (int i = 0; i < 4097; i++)
		p += sprintf(p, "fd %d - - /a\n", i);
	ck_assert_int_eq(lkst_files_add(files, text, (size_t)(p - text), &err), -1);
	assert_contains(err.text, "too many");
	free(text);
}

/* Lines of later versions, and escapes */
TEST(test_text)
{
	add(LKST_FILES_HEADER "\n" WHEN(1000) CPU "something new\nleft_out 1 2\ndenied 3\n"
						  "process 100 1000000000 1001000000\ncommand - -\n"
						  "fd 1 - -  two\\012lines \\ \\9 \\000\n"
						  "fd 2 - - \xc3\xa4\xff\\134\n");
	lkst_files_start(files, NULL);
	finalize();
	ck_assert_str_eq(name_at(1, 500), " two\nlines \\ \\9 \\000");
	ck_assert_str_eq(name_at(2, 500), "\xc3\xa4\xff\\");
	ck_assert(!command_at(500));
}

static bool is_100(void *ctx, uint32_t tgid)
{
	(void)ctx;
	return tgid == 100;
}

/* The text for a trace with selected events states when the names are valid. */
TEST(test_written)
{
	struct lkst_files *again = lkst_files_new();
	struct lkst_event event = event_at(700, ENTRY, CALL(CLOSE), 7, 0, 0);
	size_t len;
	char *text;

	ck_assert(again);
	add(FIRST "process 101 1000000000 1001000000\ncommand - - other\n");
	lkst_files_start(files, NULL);
	observe(event);
	finalize();
	text = lkst_files_text(files, is_100, NULL, &len, &err);
	assert_made(text);
	assert_ok(lkst_files_add(again, text, len, &err));
	free(text);
	lkst_files_partial(again);
	lkst_files_start(again, NULL);
	ck_assert(!lkst_files_need_events(again));
	lkst_files_finalize(again);
	ck_assert_ptr_null(lkst_files_command(again, &event, 101));
	for (int64_t ms = 100; ms < 6000; ms += 100) {
		struct lkst_event at = event_at(ms, 0, 0, 0, 0, 0);

		for (uint32_t fd = 6; fd < 10; fd++) {
			const char *old = lkst_files_name(files, &at, 100, fd);
			const char *new = lkst_files_name(again, &at, 100, fd);

			ck_assert_msg(!old == !new && (!old || !strcmp(old, new)), "%d at %lld",
				      (int)fd, (long long)ms);
		}
		ck_assert_str_eq(lkst_files_command(again, &at, 100), "cat my\\040file");
	}
	lkst_files_free(again);
}

/* ---- output ---- */

TEST(test_format)
{
	struct lkst_event event = event_at(500, ENTRY, CALL(READ), 1, 0x10, 3);

	format_setup();
	add(LKST_FILES_HEADER "\n" WHEN(1000) CPU
	    "process 100 1000000000 1001000000\ncommand - - cat\n"
	    "fd 1 - - /plain\nfd 2 - - /two words\\012\n");
	lkst_files_start(files, NULL);
	finalize();
	context.files = files;
	ck_assert_str_eq(format_arguments(event),
			 "number=read arg1=0x1(/plain) arg2=0x10 arg3=0x3");
	event.arg[1] = 2;
	ck_assert_str_eq(format_arguments(event),
			 "number=read arg1=0x2(\"/two words\\012\") arg2=0x10 arg3=0x3");
	form = lkst_format_json;
	assert_contains(format_line(event),
			"\"arg1\":\"0x2\",\"arg1_name\":\"/two words\\u000a\",\"arg2\":\"0x10\"");
	event.arg[1] = 3;
	assert_contains(format_line(event), "\"arg1\":\"0x3\",\"arg2\":\"0x10\"");
	context.files = NULL;
	format_teardown();
}
