// SPDX-License-Identifier: GPL-2.0
/* Formatting chains: events whose payload takes several records, a head and its parts. */
#include "format_case.h"
#include "lib/text/out.h"
#include "lib/text/symbols.h"
#include "sample.h"
#include "tap.h"

TESTS(.setup = format_setup, .teardown = format_teardown, .timeout = 60);

static struct lkst_payload payload;
static uint8_t data[LKST_CHAIN_BYTES_MAX];

/*
 * Return an event with this payload. The arguments of the event contain the first bytes of the
 * payload.
 */
static struct lkst_event chain_of(uint32_t type, const void *bytes, size_t size)
{
	struct lkst_event event = event_of(type, 0, 0, 0, 0);

	ck_assert_uint_le(size, sizeof(data));
	memset(data, 0, sizeof(data));
	memcpy(data, bytes, size);
	memcpy(event.arg + 1, data, LKST_CHAIN_BYTES);
	event.arg[0] = LKST_CHAIN_HEAD(7, LKST_CHAIN_PARTS_OF(size), 0, size);
	payload = (struct lkst_payload){ .data = data, .size = (uint32_t)size,
					 .bytes = (uint32_t)size };
	event.payload = &payload;
	return event;
}

/* Return a SYSCALL_PATH event of openat() with this path. */
static struct lkst_event path_of(const char *path)
{
	char bytes[LKST_CHAIN_BYTES_MAX];
	const uint64_t before[2] = { pack(257, 0), pack(2, (uint32_t)-100) };
	size_t len = strlen(path);

	ck_assert_uint_le(16 + len, sizeof(bytes));
	memcpy(bytes, before, 16);
	memcpy(bytes + 16, path, len);
	return chain_of(LKST_ETYPE_SYSCALL_PATH, bytes, 16 + len);
}

#define CODE 0xffffffff81000000

static void use_symbols(void)
{
	static const char text[] = SYMBOLS_HEADER "\n"
				   "0xffffffff81000000 0xffffffff81000100 futex_wait_queue\n"
				   "0xffffffff81000100 0xffffffff81000200 do_futex\n"
				   "0xffffffffa0000000 0xffffffffa0000100 my_wait [my_module]\n";

	context.symbols = lkst_symbols_parse(text, strlen(text), "test", NULL);
	ck_assert_ptr_nonnull(context.symbols);
}

/* Return the stack of a sleep: a return address that is the end of its function, and others. */
static struct lkst_event stack_of(void)
{
	static const uint64_t frames[] = { CODE + 0x100, CODE + 0x150, 0xffffffffa0000010, 0x1234 };

	return chain_of(LKST_ETYPE_PROCESS_BLOCK, frames, sizeof(frames));
}

#define BEFORE "number=openat argument=2 directory=-100 path="
#define LONG   "/a/path/that/takes/more/than/one/record/and/continues/in/others"

static const struct { const char *path, *text; } paths[] = {
	{ "", BEFORE "\"\"" },
	{ "/x", BEFORE "/x" },
	{ "/8bytes/", BEFORE "/8bytes/" },
	{ "/9-bytes/", BEFORE "/9-bytes/" },
	{ LONG, BEFORE LONG },
	{ "/tmp/with blank", BEFORE "\"/tmp/with blank\"" },
	{ "/tmp/\033[2J\n\xff", BEFORE "\"/tmp/\\033[2J\\012\\377\"" },
};

TEST_EACH(test_path, paths)
{
	ck_assert_str_eq(format_arguments(path_of(paths[_i].path)), paths[_i].text);
}

/* The longest string, of characters that take the most room in JSON */
TEST(test_longest)
{
	char path[LKST_CHAIN_BYTES_MAX - 16 + 1];
	const char *line;

	memset(path, 0x80, sizeof(path) - 1);
	path[sizeof(path) - 1] = 0;
	line = format_arguments(path_of(path));
	ck_assert_uint_eq(strlen(line), strlen(BEFORE "\"\"") + 4 * strlen(path));
	form = lkst_format_json;
	ck_assert_uint_gt(strlen(format_line(path_of(path))), 6 * strlen(path));
}

TEST(test_cut)
{
	struct lkst_event event = path_of(LONG);

	payload.size = 40;
	payload.cut = true;
	ck_assert_str_eq(format_arguments(event), BEFORE "/a/path/that/takes/more/ [cut]");
	/* Without the payload, only the part of the path in the head is shown. */
	event.payload = NULL;
	ck_assert_str_eq(format_arguments(event), BEFORE "/a/path/ [cut]");
	/* The kernel cut the path. */
	event = path_of("/x");
	event.arg[0] |= LKST_CHAIN_CUT << 16;
	event.payload = NULL;
	ck_assert_str_eq(format_arguments(event), BEFORE "/x [cut]");
}

TEST(test_stack)
{
	use_symbols();
	ck_assert_str_eq(format_arguments(stack_of()),
			 "stack=futex_wait_queue<-do_futex<-my_wait[my_module]<-0x1234");
	ck_assert_str_eq(format_arguments(chain_of(LKST_ETYPE_PROCESS_BLOCK, "", 0)), "stack=-");
}

/* A stack that is too long for a line ends with "...". */
TEST(test_long_stack)
{
	uint64_t frames[120];
	char name[400], text[600];
	const char *line;

	memset(name, 'f', sizeof(name) - 1);
	name[sizeof(name) - 1] = 0;
	snprintf(text, sizeof(text), SYMBOLS_HEADER "\n0xffffffff81000000 0xffffffff81000100 %s\n", name);
	context.symbols = lkst_symbols_parse(text, strlen(text), "test", NULL);
	for (size_t i = 0; i < sizeof(frames) / 8; i++)
		frames[i] = CODE + 8;
	line = format_arguments(chain_of(LKST_ETYPE_PROCESS_BLOCK, frames, sizeof(frames)));
	ck_assert_uint_lt(strlen(line), OUT_ROOM);
	ck_assert_uint_gt(strlen(line), 20000);
	ck_assert_str_eq(line + strlen(line) - 6, "f<-...");
	form = lkst_format_json;
	line = format_line(chain_of(LKST_ETYPE_PROCESS_BLOCK, frames, sizeof(frames)));
	ck_assert_uint_gt(strlen(line), 120 * strlen(name));
}

/* A trace in the other byte order: the reader swaps the arguments, but not the payload. */
TEST(test_swapped)
{
	struct lkst_event event = stack_of();

	use_symbols();
	for (int i = 0; i < 4; i++)
		((uint64_t *)(void *)data)[i] =
			__builtin_bswap64(((uint64_t *)(void *)data)[i]);
	event.swapped = true;
	ck_assert_str_eq(format_arguments(event),
			 "stack=futex_wait_queue<-do_futex<-my_wait[my_module]<-0x1234");
	payload.size = 16;
	ck_assert_str_eq(format_arguments(event), "stack=futex_wait_queue<-do_futex");
	event.payload = NULL;
	event.arg[0] = LKST_CHAIN_HEAD(7, 0, 0, 16);
	ck_assert_str_eq(format_arguments(event), "stack=futex_wait_queue<-do_futex");
}

TEST(test_verbose)
{
	opt.verbose = true;
	ck_assert_ptr_nonnull(strstr(format_arguments(path_of("/x")),
				     "chain=0x700000012 number=openat abi=native argument=2"));
}

static const char *fields_of(struct lkst_event event)
{
	form = lkst_format_json;
	return strstr(format_line(event), "\"fields\":");
}

TEST(test_json)
{
	struct lkst_event event = stack_of();

	use_symbols();
	event.parts_before = 3;
	form = lkst_format_json;
	ck_assert_ptr_nonnull(strstr(format_line(event), "],\"parts_before\":3,\"fields\":{"));
	ck_assert_str_eq(fields_of(event),
			 "\"fields\":{\"stack\":[\"futex_wait_queue\",\"do_futex\","
			 "\"my_wait[my_module]\",\"0x1234\"]},\"cut\":false}\n");
	payload.cut = true;
	payload.size = 8;
	ck_assert_str_eq(fields_of(event),
			 "\"fields\":{\"stack\":[\"futex_wait_queue\"]},\"cut\":true}\n");
	payload.size = 0;
	ck_assert_str_eq(fields_of(event), "\"fields\":{\"stack\":[]},\"cut\":true}\n");
	ck_assert_str_eq(fields_of(path_of("/tmp/\"x\"\n")),
			 "\"fields\":{\"number\":\"openat\",\"argument\":2,\"directory\":-100,"
			 "\"path\":\"/tmp/\\\"x\\\"\\u000a\"},\"cut\":false}\n");
}

TEST(test_csv)
{
	const char *line;

	use_symbols();
	form = lkst_format_csv;
	line = format_line(path_of("/a,b"));
	ck_assert_str_eq(strstr(line, ",path,\"/a"), ",path,\"/a,b\",0\n");
	line = format_line(stack_of());
	ck_assert_str_eq(strstr(line, ",stack,f"),
			 ",stack,futex_wait_queue<-do_futex<-my_wait[my_module]<-0x1234,0\n");
}
