// SPDX-License-Identifier: GPL-2.0
/* User events: the list of their fields, and their values in whole and damaged payloads. */
#include "format_case.h"
#include "lib/text/filter.h"
#include "lib/text/out.h"
#include "lib/text/where.h"
#include "lib/text/words.h"
#include "sample.h"
#include "tap.h"
#include "user_sizes.h"

TESTS(.setup = format_setup, .teardown = format_teardown, .timeout = 60);

static struct lkst_payload payload;
static uint8_t data[LKST_CHAIN_BYTES_MAX];

#define ONE   "PROGRAM tp:- present "
#define NO    " \"\" \"\" \"\" \"\" "
#define CHAIN " \"chain:chain\" \"\" \"\" \"\" "

/* Use an event user_events:test with these fields. */
static void use_fields(const char *fields, bool chain)
{
	char text[4096];

	snprintf(text, sizeof(text), "0x200 USER_EVENT_200 " ONE "\"user_events:test\"%s\"%s\"\n",
		 chain ? CHAIN : NO, fields);
	format_use_types(text);
}

/* Return an event that is one record with this payload. */
static struct lkst_event record_of(const void *bytes, size_t size)
{
	struct lkst_event event = event_of(0x200, 0, 0, 0, 0);

	ck_assert_uint_le(size, sizeof(event.arg));
	memcpy(event.arg, bytes, size);
	return event;
}

/* Return an event that is a chain with this payload. */
static struct lkst_event chain_of(const void *bytes, size_t size)
{
	struct lkst_event event = event_of(0x200, 0, 0, 0, 0);

	memset(data, 0, sizeof(data));
	memcpy(data, bytes, size);
	memcpy(event.arg + 1, data, LKST_CHAIN_BYTES);
	event.arg[0] = LKST_CHAIN_HEAD(7, LKST_CHAIN_PARTS_OF(size), 0, size);
	payload = (struct lkst_payload){ .data = data, .size = (uint32_t)size,
					 .bytes = (uint32_t)size };
	event.payload = &payload;
	return event;
}

#define B(text) text, sizeof(text) - 1

/* Payloads of one record, and how they are printed */
static const struct {
	const char *fields;
	const char *bytes;
	size_t size;
	const char *text;
} records[] = {
	{ "u32 code", B("\x01\x02\x03\x04"), "code=67305985" },
	{ "u8 a; s8 b; char c; unsigned char d", B("\xff\xff\xff\xff"), "a=255 b=-1 c=-1 d=255" },
	{ "u16 a; s16 b; short c; unsigned short d", B("\xfe\xff\xfe\xff\xfe\xff\xfe\xff"),
	  "a=65534 b=-2 c=-2 d=65534" },
	{ "u32 a; s32 b; int c; unsigned int d",
	  B("\xfd\xff\xff\xff\xfd\xff\xff\xff\xfd\xff\xff\xff\xfd\xff\xff\xff"),
	  "a=4294967293 b=-3 c=-3 d=4294967293" },
	{ "u64 a; s64 b", B("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
	  "a=18446744073709551615 b=-1" },
	/* Types of events of the kernel */
	{ "x8 a; x16 b; x32 c; x64 d", B("\x0f\xff\xff\x01\0\0\x80\xff\0\0\0\0\0\0\0"),
	  "a=0xf b=0xffff c=0x80000001 d=0xff" },
	{ "symbol a", B("\x10\0\0\0\0\0\0\0"), "a=0x10" },
	/* Fields are not aligned. */
	{ "u8 a; u64 b; u16 c", B("\x01\x02\0\0\0\0\0\0\0\x03\0"), "a=1 b=2 c=3" },
	{ "char[4] s; u8 n", B("abcd\x05"), "s=abcd n=5" },
	{ "char[8] s; u8 n", B("ab\0xxxxx\x05"), "s=ab n=5" },
	{ "unsigned char[3] s", B("x y"), "s=\"x y\"" },
	{ "char[4] s", B("\033[2J"), "s=\"\\033[2J\"" },
	{ "struct timeval t 4; u8 n", B("\xde\xad\xbe\xef\x07"), "t=deadbeef n=7" },
	{ "", B(""), "" },
	{ "u32 a;", B("\x01\0\0\0"), "a=1" },
	{ "u32 a;u32 b", B("\x01\0\0\0\x02\0\0\0"), "a=1 b=2" },
};

TEST_EACH(test_record, records)
{
	use_fields(records[_i].fields, false);
	ck_assert_str_eq(format_arguments(record_of(records[_i].bytes, records[_i].size)),
			 records[_i].text);
}

/* The same payloads, as chains. */
TEST_EACH(test_chain, records)
{
	use_fields(records[_i].fields, true);
	ck_assert_str_eq(format_arguments(chain_of(records[_i].bytes, records[_i].size)),
			 records[_i].text);
}

/*
 * Payloads of chains. A field __rel_loc or __data_loc says where in the payload its value is. Some
 * payloads are damaged.
 */
static const struct {
	const char *fields;
	const char *bytes;
	size_t size;
	const char *text;
} places[] = {
	{ "__rel_loc char[] msg", B("\0\0\x06\0hello\0"), "msg=hello" },
	{ "__rel_loc char[] msg; u32 n", B("\x04\0\x06\0\x09\0\0\0hello\0"), "msg=hello n=9" },
	/* The offset in __data_loc is 8 more than the offset from the start of the payload. */
	{ "u32 n; __data_loc char[] msg", B("\x09\0\0\0\x10\0\x03\0hi\0"), "n=9 msg=hi" },
	{ "__data_loc char msg", B("\x0c\0\x02\0hi"), "msg=6869" },
	{ "__rel_loc u8[] raw", B("\0\0\x03\0\x01\x02\xff"), "raw=0102ff" },
	{ "__rel_loc unsigned char[] s", B("\0\0\x02\0x\0"), "s=x" },
	{ "__rel_loc char[] msg", B("\0\0\0\0"), "msg=\"\"" },
	{ "__rel_loc u8[] raw", B("\0\0\0\0"), "raw=-" },
	/* Two fields may refer to the same bytes. */
	{ "__rel_loc char[] a; __rel_loc char[] b", B("\x04\0\x02\0\0\0\x02\0x\0"), "a=x b=x" },
	/* The string is longer than the payload. */
	{ "__rel_loc char[] msg", B("\0\0\xff\xffhel"), "msg=hel [cut]" },
	/* The string is outside of the payload. */
	{ "u8 n; __rel_loc char[] msg", B("\x01\xff\xff\x01\0"), "n=1 [cut]" },
	{ "u8 n; __data_loc char[] msg", B("\x01\xff\xff\xff\xff"), "n=1 [cut]" },
	/* The string is before the payload. */
	{ "u8 n; __data_loc char[] msg", B("\x01\x07\0\x01\0"), "n=1 [cut]" },
	/* A value of size 0 may be anywhere. */
	{ "u8 n; __data_loc char[] msg", B("\x01\0\0\0\0"), "n=1 msg=\"\"" },
	/* The field itself is not complete. */
	{ "u8 n; __data_loc char[] msg", B("\x01\x0d\0\x01"), "n=1 [cut]" },
	{ "u32 a; u32 b", B("\x01\0\0\0\x02\0\0"), "a=1 [cut]" },
	{ "char[8] s; u8 n", B("abc"), "s=abc [cut]" },
	{ "struct x y 4", B("\x01\x02"), "y=0102 [cut]" },
	{ "u32 a", B(""), "[cut]" },
};

TEST_EACH(test_place, places)
{
	use_fields(places[_i].fields, true);
	ck_assert_str_eq(format_arguments(chain_of(places[_i].bytes, places[_i].size)),
			 places[_i].text);
}

/* A chain has an argument before its fields. */
TEST_EACH(test_size, user_sizes)
{
	use_fields(user_sizes[_i].fields, true);
	ck_assert_uint_eq(lkst_etype(types, 0x200)->fields, 2);
	ck_assert_uint_eq(lkst_etype(types, 0x200)->field[1].user->size, user_sizes[_i].size);
}

/* Lists of fields that are not valid: the arguments are shown instead. */
static const char *const invalid[] = {
	"u32",
	"long a",
	"u32 a b",
	"u32 a 4",
	"unsigned u32 a",
	"unsigned a",
	"char[0] a",
	"char[] a",
	"char[x] a",
	"char[09] a",
	"char[0x] a",
	"char[++4] a",
	"char[+] a",
	"char[4 a",
	"char[70000] a",
	"char[99999999999] a",
	"struct a",
	"struct a b",
	"struct a b 0",
	"struct a b x",
	"struct a b 4 5",
	"__data_loc",
	"__data_loc char[]",
	"__rel_loc unsigned",
	"__rel_loc unsigned char[] a b",
	"u32 good; bad",
};

TEST_EACH(test_invalid, invalid)
{
	use_fields(invalid[_i], false);
	ck_assert_str_eq(format_arguments(record_of(B("\x01"))),
			 "arg1=0x1 arg2=0x0 arg3=0x0 arg4=0x0");
	use_fields(invalid[_i], true);
	ck_assert_str_eq(format_arguments(chain_of(B("\x01"))), "arg2=0x1 arg3=0x0 arg4=0x0");
}

/* As many fields as there can be, and one more */
TEST(test_many)
{
	char text[8 * USER_FIELDS_MAX + 16] = "", *p = text;

	for (int i = 0; i < USER_FIELDS_MAX; i++)
		p += sprintf(p, "u8 f%03d;", i);
	use_fields(text, true);
	ck_assert_ptr_nonnull(strstr(format_arguments(chain_of(text, USER_FIELDS_MAX)),
				     " f127="));
	strcpy(p, "u8 g");
	use_fields(text, true);
	ck_assert_ptr_null(strstr(format_arguments(chain_of(text, USER_FIELDS_MAX)), "f000"));
}

/* Every field of a damaged event refers to all bytes of the payload. */
TEST(test_overlap)
{
	char text[4096] = "", *p = text;
	uint32_t loc[50];

	for (int i = 0; i < 50; i++) {
		p += sprintf(p, "__data_loc char[] field%03d;", i);
		loc[i] = USER_HEADER | (uint32_t)LKST_CHAIN_BYTES_MAX << 16;
	}
	use_fields(text, true);
	memset(data, 0xff, sizeof(data));
	struct lkst_event event = chain_of(data, sizeof(data));
	memset(data, 0xff, sizeof(data));
	memcpy(data, loc, sizeof(loc));
	for (int i = 0; i < 4; i++)
		data[i] |= 1; /* the first bytes must not end the string */
	form = lkst_format_json;
	ck_assert_uint_lt(strlen(format_line(event)), OUT_ROOM);
	form = lkst_format_csv;
	ck_assert_uint_lt(strlen(format_line(event)), OUT_ROOM);
	form = lkst_format_event;
	ck_assert_uint_lt(strlen(format_line(event)), OUT_ROOM);
}

/* A trace in the other byte order: the reader swaps the arguments, but not the payload. */
TEST(test_swapped)
{
	struct lkst_event event;

	use_fields("u32 n; char[4] s; s16 m", false);
	event = record_of(B("\0\0\x01\x02" "text" "\xff\xfe"));
	for (int i = 0; i < 4; i++)
		event.arg[i] = __builtin_bswap64(event.arg[i]);
	event.swapped = true;
	ck_assert_str_eq(format_arguments(event), "n=258 s=text m=-2");
	use_fields("u32 n; __rel_loc char[] s", true);
	event = chain_of(B("\0\0\x01\x02\0\x04\0\0text"));
	event.swapped = true;
	ck_assert_str_eq(format_arguments(event), "n=258 s=text");
}

TEST(test_verbose)
{
	opt.verbose = true;
	use_fields("u32 a; u32 b", true);
	ck_assert_ptr_nonnull(strstr(format_arguments(chain_of(B("\x01\0\0\0"))),
				     "chain=0x700000004 a=1 [cut] | recid=42"));
}

TEST(test_json)
{
	struct lkst_event event;

	form = lkst_format_json;
	use_fields("u32 n; char[4] s; s64 m; struct x y 2", false);
	event = record_of(B("\x01\0\0\0" "a\"\0\0" "\xff\xff\xff\xff\xff\xff\xff\xff" "\x0a\x0b"));
	ck_assert_ptr_nonnull(strstr(format_line(event), "\"event_name\":\"user_events:test\""));
	ck_assert_ptr_nonnull(strstr(format_line(event),
				     "\"fields\":{\"n\":1,\"s\":\"a\\\"\",\"m\":-1,\"y\":\"0a0b\"}}"));
	use_fields("u32 n; __rel_loc char[] s", true);
	event = chain_of(B("\x01\0\0\0" "\0\0\x03\0" "hi"));
	ck_assert_ptr_nonnull(strstr(format_line(event),
				     "\"fields\":{\"n\":1,\"s\":\"hi\"},\"cut\":true}"));
}

TEST(test_csv)
{
	form = lkst_format_csv;
	use_fields("s32 n; char[4] s", false);
	ck_assert_ptr_nonnull(strstr(format_line(record_of(B("\xff\xff\xff\xff" "a,b"))),
				     ",n,-1,s,\"a,b\",0\n"));
	use_fields("u32 n; u32 m", true);
	ck_assert_ptr_nonnull(strstr(format_line(chain_of(B("\x01\0\0\0" "\x02"))), ",n,1,1\n"));
}

/* ---- conditions ---- */

static bool holds(const char *text, const struct lkst_event *event)
{
	static const struct lkst_context *contexts[] = { &context };
	struct lkst_where_scope scope = { .types = types, .context = contexts, .contexts = 1 };
	struct lkst_where *where = lkst_where_new(text, &scope, &err);
	bool ret;

	ck_assert_msg(where != NULL, "%s: %s", text, err.text);
	ret = lkst_where_holds(where, &context, event);
	lkst_where_free(where);
	return ret;
}

static const struct {
	const char *text;
	bool holds;
} conditions[] = {
	{ "code == 7", true }, { "code == 8", false }, { "code != 8", true },
	{ "code == 5..9", true }, { "code == 8..9", false }, { "code > 6", true },
	{ "code & 2", true }, { "delta == -5", true }, { "delta < 0", true },
	{ "delta == -9..-4", true }, { "delta > -5", false }, { "name == work", true },
	{ "name ~ \"w*\"", true }, { "name != work", false },
	{ "name == \"a name of more than 16 bytes\"", false }, { "msg == hello", true },
	{ "msg ~ \"*ell*\"", true }, { "raw == 0102", true }, { "raw != 0102", false },
	{ "raw ~ \"01*\"", true }, { "pid == 1", true }, { "common_pid == 100", true },
	{ "event == user_events:test && code == 7", true }, { "event == test", true },
};

#define WHERE_FIELDS "u32 code; s8 delta; char[16] name; struct x raw 2; u8 pid; __rel_loc char[] msg"
#define WHERE_BYTES "\x07\0\0\0" "\xfb" "work\0\0\0\0\0\0\0\0\0\0\0\0" "\x01\x02" "\x01" \
		    "\0\0\x06\0" "hello"

TEST_EACH(test_where, conditions)
{
	struct lkst_event event = chain_of(WHERE_BYTES, sizeof(WHERE_BYTES));

	use_fields(WHERE_FIELDS, true);
	ck_assert_msg(holds(conditions[_i].text, &event) == conditions[_i].holds, "%s",
		      conditions[_i].text);
}

/* A comparison with a value that is missing is false. */
TEST(test_where_missing)
{
	struct lkst_event event = chain_of(B("\x07\0\0"));

	use_fields(WHERE_FIELDS, true);
	ck_assert(!holds("code == 7", &event));
	ck_assert(!holds("code != 7", &event));
	ck_assert(!holds("code == 0", &event));
	ck_assert(!holds("msg == \"\"", &event));
}

/* ---- names ---- */

#define EVENTS \
	"0x001 A UNDEF tp:sched_wakeup present \"net_send\"" NO "\n" \
	"0x200 USER_EVENT_200 " ONE "\"user_events:net_test\"" NO "\"u32 a\"\n" \
	"0x201 USER_EVENT_201 " ONE "\"user_events:read\"" NO "\"u32 a\"\n" \
	"0x202 USER_EVENT_202 " ONE "\"user_events:sched_wakeup\"" NO "\"\"\n" \
	"0x203 USER_EVENT_203 " ONE "\"user_events:net_send\"" NO "\"\"\n" \
	"0x204 USER_EVENT_204 " ONE "\"user_events_multi:my.2a\"" NO "\"\"\n"

static const struct {
	const char *word;
	int number;
} names[] = {
	{ "user_events:net_test", 0x200 }, { "net_test", 0x200 }, { "NET_TEST", 0x200 },
	{ "USER_EVENT_200", 0x200 }, { "0x200", 0x200 }, { "read", 0x201 },
	/* Event type 1 has the name net_send, and comes from the tracepoint sched_wakeup. */
	{ "net_send", 1 }, { "sched_wakeup", 1 }, { "user_events:net_send", 0x203 },
	{ "user_events:sched_wakeup", 0x202 }, { "my.2a", 0x204 }, { "my", -1 },
	{ "user_events:", -1 }, { "", -1 },
};

TEST_EACH(test_name, names)
{
	format_use_types(EVENTS);
	ck_assert_int_eq(lkst_etypes_find(types, names[_i].word, &err), names[_i].number);
}

static const struct {
	const char *word;
	const char *set; /* last digits of the event types that the word selects */
} patterns[] = {
	{ "user_events:*", "0123" }, { "user_events*", "01234" }, { "*:net_*", "03" },
	/*
	 * The names of user events without "user_events:" are compared only if no other name
	 * matches.
	 */
	{ "net_*", "" }, { "net_t*", "0" }, { "my.*", "4" }, { "read", "1" },
};

TEST_EACH(test_pattern, patterns)
{
	struct lkst_etype_set set;
	char text[8] = "", *p = text;

	format_use_types(EVENTS);
	ck_assert_int_eq(lkst_etypes_select(types, patterns[_i].word, &set, &err), 0);
	for (unsigned int i = 0; i < 5; i++)
		if (lkst_etype_set_has(&set, 0x200 + i))
			*p++ = (char)('0' + i);
	ck_assert_str_eq(text, patterns[_i].set);
}

/* The filter prefers a system call to a user event with the same name. */
TEST(test_filter)
{
	struct lkst_filter filter;

	format_use_types(EVENTS);
	lkst_filter_init(&filter);
	ck_assert_int_eq(lkst_filter_add(&filter, types, "read", &err), 0);
	ck_assert(!lkst_filter_shows(&filter, 0x201));
	lkst_filter_init(&filter);
	ck_assert_int_eq(lkst_filter_add(&filter, types, "net_test", &err), 0);
	ck_assert(lkst_filter_shows(&filter, 0x200));
}

/* The text of a list of event types contains the fields. */
TEST(test_round_trip)
{
	struct lkst_etypes *again;
	char *text;
	size_t len;

	use_fields("u32 a; __rel_loc char[] \\001b", true);
	text = lkst_etypes_text(types, &len, &err);
	ck_assert_ptr_nonnull(text);
	again = lkst_etypes_parse(text, len, "text", &err);
	assert_made(again);
	ck_assert(lkst_etype_is_same(lkst_etype(types, 0x200), lkst_etype(again, 0x200)));
	ck_assert_str_eq(lkst_etype(again, 0x200)->field[2].label, "\\001b");
	lkst_etypes_free(again);
	free(text);
}
