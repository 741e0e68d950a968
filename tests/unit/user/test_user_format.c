// SPDX-License-Identifier: GPL-2.0
/*
 * The fields of user events (kernel/lkst/user/format.c): which texts are valid, how they are
 * printed and compared, and which payloads are valid.
 */
#include <errno.h>
#include <stdint.h>

#include "tap.h"
#include "user/format.h"
#include "user_sizes.h"

static struct lkst_format format;

/* Valid fields, how they are printed, and their size. */
static const struct {
	const char *fields, *text;
	unsigned int num, size;
	int chain;
} valid[] = {
	/* no fields */
	{ "", "", 0, 0, 0 },
	{ " ", "", 0, 0, 0 },
	{ ";", "", 0, 0, 0 },
	{ " ; ;\t;", "", 0, 0, 0 },
	/* all types */
	{ "s64 a", "s64 a", 1, 8, 0 },
	{ "u64 a", "u64 a", 1, 8, 0 },
	{ "s32 a", "s32 a", 1, 4, 0 },
	{ "u32 a", "u32 a", 1, 4, 0 },
	{ "int a", "int a", 1, 4, 0 },
	{ "unsigned int a", "unsigned int a", 1, 4, 0 },
	{ "s16 a", "s16 a", 1, 2, 0 },
	{ "u16 a", "u16 a", 1, 2, 0 },
	{ "short a", "short a", 1, 2, 0 },
	{ "unsigned short a", "unsigned short a", 1, 2, 0 },
	{ "s8 a", "s8 a", 1, 1, 0 },
	{ "u8 a", "u8 a", 1, 1, 0 },
	{ "char a", "char a", 1, 1, 0 },
	{ "unsigned char a", "unsigned char a", 1, 1, 0 },
	{ "char[20] a", "char[20] a", 1, 20, 0 },
	{ "unsigned char[20] a", "unsigned char[20] a", 1, 20, 0 },
	{ "__data_loc char[] a", "__data_loc char[] a", 1, 4, 1 },
	{ "__data_loc unsigned char[] a", "__data_loc unsigned char[] a", 1, 4, 1 },
	{ "__rel_loc char[] a", "__rel_loc char[] a", 1, 4, 1 },
	{ "__rel_loc unsigned char[] a", "__rel_loc unsigned char[] a", 1, 4, 1 },
	{ "__rel_loc x a", "__rel_loc x a", 1, 4, 1 },
	{ "struct x a 20", "struct x a 20", 1, 20, 0 },
	/* types of events of the kernel */
	{ "x8 a; x16 b; x32 c; x64 d", "x8 a; x16 b; x32 c; x64 d", 4, 15, 0 },
	{ "symbol a", "symbol a", 1, 8, 0 },
	/* several fields */
	{ "u32 a;u16 b", "u32 a; u16 b", 2, 6, 0 },
	{ "u32 a; u16 b;", "u32 a; u16 b", 2, 6, 0 },
	{ " u32 a;\t u16 b; ", "u32 a; u16 b", 2, 6, 0 },
	{ "u32 a;;u16 b", "u32 a; u16 b", 2, 6, 0 },
	{ "struct x a 20;struct y b 12", "struct x a 20; struct y b 12", 2, 32, 0 },
	{ "struct x a 20;struct y b 13", "struct x a 20; struct y b 13", 2, 33, 1 },
	{ "char[32] a", "char[32] a", 1, 32, 0 },
	{ "char[33] a", "char[33] a", 1, 33, 1 },
	/* numbers */
	{ "char[0x10] a", "char[0x10] a", 1, 16, 0 },
	{ "char[0X1f] a", "char[0X1f] a", 1, 31, 0 },
	{ "char[010] a", "char[010] a", 1, 8, 0 },
	{ "char[+9] a", "char[+9] a", 1, 9, 0 },
	{ "char[9\n] a", "char[9\n] a", 1, 9, 0 },
	{ "char[1024] a", "char[1024] a", 1, 1024, 1 },
	{ "char[9]x a", "char[9]x a", 1, 9, 0 },
	{ "char[001024] a", "char[001024] a", 1, 532, 1 },
	{ "char[02000] a", "char[02000] a", 1, 1024, 1 },
	{ "struct x a 010", "struct x a 10", 1, 10, 0 },
	{ "struct x a +10", "struct x a 10", 1, 10, 0 },
	{ "struct x a 2147483647", "struct x a 2147483647", 1, 2147483647, 1 },
	/* names that look wrong */
	{ "u8 ", "u8 ", 1, 1, 0 },
	{ "u8 ;u8 ;u8 b", "u8 ; u8 ; u8 b", 3, 3, 0 },
	{ "u8 a\tb", "u8 a\tb", 1, 1, 0 },
	{ "u8 \"", "u8 \"", 1, 1, 0 },
	{ "u8 a; u8 a", "u8 a; u8 a", 2, 2, 0 },
	{ "__data_loc  x", "__data_loc  x", 1, 4, 1 },
	{ "struct  a 3", "struct  a 3", 1, 3, 0 },
	{ "__data_loc struct x", "__data_loc struct x", 1, 4, 1 },
	{ "__rel_loc unsigned  x", "__rel_loc unsigned  x", 1, 4, 1 },
};

TEST_EACH(test_valid, valid)
{
	int ret = lkst_format_parse(&format, valid[_i].fields);

	ck_assert_msg(!ret, "\"%s\" is not valid", valid[_i].fields);
	ck_assert_str_eq(format.text, valid[_i].text);
	ck_assert_uint_eq(format.text_len, strlen(format.text));
	ck_assert_uint_eq(format.num, valid[_i].num);
	ck_assert_uint_eq(format.min_size, valid[_i].size);
	ck_assert_int_eq(format.chain, valid[_i].chain);
}

TEST_EACH(test_size, user_sizes)
{
	ck_assert_int_eq(lkst_format_parse(&format, user_sizes[_i].fields), 0);
	ck_assert_uint_eq(format.min_size, user_sizes[_i].size);
}

static const char *const invalid[] = {
	"u32",
	"a",
	"u32\ta",
	"u32;",
	"u64",
	"long a",
	"unsigned long a",
	"bool a",
	"U32 a",
	"u128 a",
	"u3 a",
	"u322 a",
	"unsigned",
	"unsigned a",
	"unsigned  int a",
	"unsigned u32 a",
	"unsigned int",
	"signed int a",
	"void *a",
	"float a",
	"u32  a",
	"u32 a ",
	"u32 a b",
	"u32 a 4",
	"char[4] a 4",
	"u32 a;u32",
	"u32 a;b",
	"u32 a;u32 b 4",
	"u32 a;long b",
	"char[] a",
	"char[0] a",
	"char[x] a",
	"char[-1] a",
	"char[1025] a",
	"char[4 a",
	"char[4",
	"char[ 4] a",
	"char[++4] a",
	"char[0x] a",
	"char[09] a",
	"char[4\n\n] a",
	"char[\n] a",
	"char[+] a",
	"char[0x00004] a",
	"char[0001024] a",
	"char[4]xxxxxxx a",
	"char4] a",
	"unsigned char[] a",
	"u8[4] a",
	"unsigned char[1025] a",
	"__data_loc",
	"__data_loc a",
	"__data_loc char[]",
	"__data_loc char[] a 4",
	"__rel_loc a",
	"__rel_loc unsigned a",
	"__data_loc unsigned char[]",
	"__data_locchar[] a",
	"struct",
	"struct x",
	"struct x a",
	"struct x a 0",
	"struct x a -1",
	"struct x a 0x10",
	"struct x a ",
	"struct x a b",
	"struct x a 4 4",
	"struct x a 4 ",
	"struct x a 2147483648",
	"struct x a 4294967295",
	"struct x a 4294967296",
	"struct x a 18446744073709551617",
	"structx a 4",
	"unsigned struct x 4",
	"struct x a 2147483647; u8 b",
	"struct x a 1073741824; struct x b 1073741824",
};

TEST_EACH(test_invalid, invalid)
{
	ck_assert_msg(lkst_format_parse(&format, invalid[_i]) == -EINVAL, "\"%s\" is valid",
		      invalid[_i]);
}

/* The number of fields, and the length of the text, have a limit. */
TEST(test_limits)
{
	static char text[5 * LKST_FORMAT_FIELDS_MAX + 8];
	char *to = text;

	for (int i = 0; i < LKST_FORMAT_FIELDS_MAX; i++)
		to += sprintf(to, "u8 ;");
	ck_assert_int_eq(lkst_format_parse(&format, text), 0);
	ck_assert_uint_eq(format.num, LKST_FORMAT_FIELDS_MAX);
	ck_assert_uint_eq(lkst_format_bytes(&format), sizeof(format));
	/* The printed form is valid, too, although it is longer. */
	memcpy(text, format.text, format.text_len + 1u);
	ck_assert_int_eq(lkst_format_parse(&format, text), 0);
	ck_assert_str_eq(format.text, text);
	strcat(text, ";u8 a");
	ck_assert_int_eq(lkst_format_parse(&format, text), -EINVAL);

	memset(text, 'a', sizeof(text));
	memcpy(text, "u8 ", 3);
	text[LKST_FORMAT_TEXT_MAX - 1] = '\0';
	ck_assert_int_eq(lkst_format_parse(&format, text), 0);
	ck_assert_str_eq(format.text, text);
	text[LKST_FORMAT_TEXT_MAX - 1] = 'a';
	text[LKST_FORMAT_TEXT_MAX] = '\0';
	ck_assert_int_eq(lkst_format_parse(&format, text), -EINVAL);
}

/* The table of fields. */
TEST(test_fields)
{
	static const struct {
		const char *type, *name;
		unsigned int offset, size;
		int kind, is_signed, is_text;
	} fields[] = {
		{ "u32", "code", 0, 4, LKST_FIELD_INTEGER, 0, 0 },
		{ "char[16]", "text", 4, 16, LKST_FIELD_CHARS, 0, 1 },
		{ "short", "s", 20, 2, LKST_FIELD_INTEGER, 1, 0 },
		{ "struct my", "m", 22, 3, LKST_FIELD_STRUCT, 0, 0 },
		{ "unsigned char", "c", 25, 1, LKST_FIELD_INTEGER, 0, 0 },
		{ "char", "d", 26, 1, LKST_FIELD_INTEGER, 1, 0 },
		{ "__data_loc u8[]", "e", 27, 4, LKST_FIELD_DATA_LOC, 0, 0 },
		{ "__rel_loc char[]", "f", 31, 4, LKST_FIELD_REL_LOC, 0, 1 },
		{ "__data_loc unsigned char[]", "", 35, 4, LKST_FIELD_DATA_LOC, 0, 1 },
		{ "struct char", "g", 39, 1, LKST_FIELD_STRUCT, 0, 0 },
		{ "s8", "h", 40, 1, LKST_FIELD_INTEGER, 1, 0 },
		{ "u64", "i", 41, 8, LKST_FIELD_INTEGER, 0, 0 },
	};

	ck_assert_int_eq(
		lkst_format_parse(&format,
				  "u32 code;char[16] text; short s;struct my m 3;unsigned char c;"
				  "char d;__data_loc u8[] e;__rel_loc char[] f;"
				  "__data_loc unsigned char[] ;struct char g 1;s8 h;u64 i"),
		0);
	ck_assert_uint_eq(format.num, NUM(fields));
	ck_assert_uint_eq(format.min_size, 49);
	for (int i = 0; i < NUM(fields); i++) {
		const struct lkst_format_field *field = &format.field[i];

		ck_assert_uint_eq(field->type_len, strlen(fields[i].type));
		ck_assert_mem_eq(format.text + field->type, fields[i].type, field->type_len);
		ck_assert_uint_eq(field->name_len, strlen(fields[i].name));
		ck_assert_mem_eq(format.text + field->name, fields[i].name, field->name_len);
		ck_assert_uint_eq(field->offset, fields[i].offset);
		ck_assert_uint_eq(field->size, fields[i].size);
		ck_assert_int_eq(field->kind, fields[i].kind);
		ck_assert_int_eq(field->is_signed, fields[i].is_signed);
		ck_assert_int_eq(field->is_text, fields[i].is_text);
	}
	ck_assert_uint_eq(lkst_format_bytes(&format),
			  (uintptr_t)&format.field[NUM(fields)] - (uintptr_t)&format);
}

static const struct {
	const char *command, *name, *fields; /* name: NULL if the command is not valid */
} commands[] = {
	{ "name", "name", "" },
	{ "name ", "name", "" },
	{ "name u32 a", "name", "u32 a" },
	{ "name  u32 a", "name", " u32 a" },
	{ "name;", "name;", "" },
	{ "na\tme u32 a", "na\tme", "u32 a" },
	{ "name u32 a:b", "name", "u32 a:b" },
	{ "name:", NULL, NULL },
	{ "name:flag", NULL, NULL },
	{ "name:BPF_ITER u32 a", NULL, NULL },
	{ "name: u32 a", NULL, NULL },
	{ "", NULL, NULL },
	{ " u32 a", NULL, NULL },
};

TEST_EACH(test_split, commands)
{
	char command[32], *fields;
	int ret;

	strcpy(command, commands[_i].command);
	ret = lkst_format_split(command, &fields);
	if (!commands[_i].name) {
		ck_assert_int_eq(ret, -EINVAL);
		return;
	}
	ck_assert_int_eq(ret, 0);
	ck_assert_str_eq(command, commands[_i].name);
	ck_assert_str_eq(fields, commands[_i].fields);
}

static const struct {
	const char *first, *second; /* fields of an event, and of a later registration */
	int equal;
} pairs[] = {
	{ "", "", 1 },
	{ "", " ", 1 },
	{ "", ";", 0 },
	{ ";", ";", 0 },
	{ "", "u32 a", 0 },
	{ "u32 a", "", 0 },
	{ "u32 a", "u32 a", 1 },
	{ "u32 a", "u32 a;", 1 },
	{ "u32 a;", "u32 a", 1 },
	{ "u32 a", "u32 a; ", 1 },
	{ "u32 a", " u32  a", 1 },
	{ "u32 a", "u32\ta", 1 }, /* the second text is not valid */
	{ "u32 a", "u32 a;;", 0 },
	{ "u32 a", "u32 a ;", 0 },
	{ "u32 a", ";u32 a", 0 },
	{ "u32 a", "u32 b", 0 },
	{ "u32 a", "u32 ab", 0 },
	{ "u32 ab", "u32 a", 0 },
	{ "u32 ab", "u32 a;", 0 },
	{ "u32 a", "u32 A", 0 },
	{ "u32 a", "s32 a", 0 },
	{ "u32 a", "u32", 0 },
	{ "u32 a", "u32;", 0 },
	{ "u32 a", "u32 a u32", 0 },
	{ "u32 a", "u32 a; u32 b", 0 },
	{ "u32 a", "long a", 0 },
	{ "u32 a; u32 b", "u32 a; u32 b", 1 },
	{ "u32 a; u32 b", "u32 a;u32 b", 1 },
	{ "u32 a; u32 b", "u32 a;\tu32 b;", 1 },
	{ "u32 a;u32 b", "u32 a;  u32  b", 1 },
	{ "u32 a; u32 b", "u32 a", 0 },
	{ "u32 a; u32 b", "u32 a;", 0 },
	{ "u32 a; u32 b", "u32 a u32 b", 0 },
	{ "u32 a; u32 b", "u32 a ; u32 b", 0 },
	{ "u32 a; u32 b", "u32 a;; u32 b", 0 },
	{ "u32 a; u32 b", "u32 b; u32 a", 0 },
	{ "u32 a; u32 b", "u32 a; u32 b; u32 c", 0 },
	{ "u8 ; u8 a", "u8 ; u8 a", 1 },
	{ "u8 ; u8 a", "u8;u8 a", 0 },
	{ "u8 ", "u8 ;", 1 },
	{ "u8 ", "u8 ", 0 },
	{ "u8 a\tb", "u8 a\tb", 0 },
	{ "struct x a 20", "struct x a 20", 1 },
	{ "struct x a 20", "struct x a 20;", 1 },
	{ "struct x a 20", "struct x a 21", 0 },
	{ "struct x a 20", "struct x a 2", 0 },
	{ "struct x a 020", "struct x a 020", 0 },
	{ "struct x a 020", "struct x a 20", 1 },
	{ "char[16] a", "char[16] a", 1 },
	{ "char[16] a", "char[0x10] a", 0 },
	{ "__data_loc  a", "__data_loc  a", 0 },
	{ "unsigned int a", "unsigned  int a", 1 },
};

TEST_EACH(test_matches, pairs)
{
	ck_assert_int_eq(lkst_format_parse(&format, pairs[_i].first), 0);
	ck_assert_msg(lkst_format_matches(&format, pairs[_i].second) == pairs[_i].equal,
		      "\"%s\", \"%s\"", pairs[_i].first, pairs[_i].second);
}

#define LOC(offset, size) (uint32_t)((offset) | (uint32_t)(size) << 16)

/*
 * Payloads of two fields: u32 a, and a location. "ab" and a NUL follow the location and end the
 * payload.
 */
static const struct {
	const char *type;
	uint32_t loc;
	int ret;
	uint32_t offset, size; /* of the field; size ~0: the field is not in the payload */
} locations[] = {
	/* __rel_loc counts from byte 8, where the text begins. */
	{ "__rel_loc char[]", LOC(0, 3), 0, 8, 3 },
	{ "__rel_loc char[]", LOC(0, 4), -EFAULT, 0, ~0u },
	{ "__rel_loc char[]", LOC(1, 2), 0, 9, 2 },
	{ "__rel_loc char[]", LOC(1, 3), -EFAULT, 0, ~0u },
	{ "__rel_loc char[]", LOC(2, 1), 0, 10, 1 },
	{ "__rel_loc char[]", LOC(3, 0), 0, 11, 0 },
	{ "__rel_loc char[]", LOC(4, 0), -EFAULT, 0, ~0u },
	{ "__rel_loc char[]", LOC(0, 2), -EFAULT, 8, 2 },
	{ "__rel_loc char[]", LOC(0, 0), 0, 8, 0 },
	{ "__rel_loc char[]", LOC(1, 0), -EFAULT, 9, 0 },
	{ "__rel_loc char[]", LOC(0xffff, 0), -EFAULT, 0, ~0u },
	{ "__rel_loc char[]", LOC(0xffff, 0xffff), -EFAULT, 0, ~0u },
	{ "__rel_loc char[]", LOC(0, 0xffff), -EFAULT, 0, ~0u },
	{ "__rel_loc unsigned char[]", LOC(0, 2), -EFAULT, 8, 2 },
	{ "__rel_loc u8[]", LOC(0, 2), 0, 8, 2 },
	{ "__rel_loc u8[]", LOC(0, 3), 0, 8, 3 },
	{ "__rel_loc u8[]", LOC(0, 4), -EFAULT, 0, ~0u },
	{ "__rel_loc u8[]", LOC(1, 0), 0, 9, 0 },
	/* __data_loc counts from the start of ftrace's header, 8 bytes before the payload. */
	{ "__data_loc char[]", LOC(16, 3), 0, 8, 3 },
	{ "__data_loc char[]", LOC(16, 4), -EFAULT, 0, ~0u },
	{ "__data_loc char[]", LOC(16, 2), -EFAULT, 8, 2 },
	{ "__data_loc char[]", LOC(18, 1), 0, 10, 1 },
	{ "__data_loc char[]", LOC(19, 0), 0, 11, 0 },
	{ "__data_loc char[]", LOC(20, 0), -EFAULT, 0, ~0u },
	{ "__data_loc char[]", LOC(18, 0), -EFAULT, 10, 0 },
	{ "__data_loc char[]", LOC(8, 0), 0, 0, 0 },
	{ "__data_loc char[]", LOC(8, 4), 0, 0, 4 }, /* the last byte of a is 0 */
	{ "__data_loc char[]", LOC(8, 3), -EFAULT, 0, 3 },
	{ "__data_loc char[]", LOC(7, 0), 0, 0, 0 },
	{ "__data_loc char[]", LOC(0, 0), 0, 0, 0 },
	{ "__data_loc char[]", LOC(7, 1), -EFAULT, 0, ~0u },
	{ "__data_loc char[]", LOC(0, 12), -EFAULT, 0, ~0u },
	{ "__data_loc u8[]", LOC(16, 2), 0, 8, 2 },
	{ "__data_loc u8[]", LOC(16, 4), -EFAULT, 0, ~0u },
	{ "__data_loc u8[]", LOC(0, 19), -EFAULT, 0, ~0u },
	{ "__data_loc u8[]", LOC(8, 11), 0, 0, 11 },
	{ "__data_loc u8[]", LOC(8, 12), -EFAULT, 0, ~0u },
	{ "__data_loc u8[]", LOC(0xffff, 0xffff), -EFAULT, 0, ~0u },
};

TEST_EACH(test_locations, locations)
{
	static const uint32_t a = 0x111111;
	char fields[64], *payload = malloc(11);
	uint32_t offset, size;

	sprintf(fields, "u32 a;%s b", locations[_i].type);
	ck_assert_int_eq(lkst_format_parse(&format, fields), 0);
	memcpy(payload, &a, 4);
	memcpy(payload + 4, &locations[_i].loc, 4);
	memcpy(payload + 8, "ab", 3);
	ck_assert_int_eq(lkst_format_validate(&format, payload, 11), locations[_i].ret);
	ck_assert_int_eq(lkst_format_range(&format.field[1], payload, 11, &offset, &size),
			 locations[_i].size != ~0u);
	if (locations[_i].size != ~0u) {
		ck_assert_uint_eq(offset, locations[_i].offset);
		ck_assert_uint_eq(size, locations[_i].size);
	}
	free(payload);
}

/* All locations of a payload are checked. Other fields may contain any bytes. */
TEST(test_several_locations)
{
	struct {
		uint32_t a;
		char b[4];
		uint32_t c;
		char d;
	} __attribute__((packed)) payload = { LOC(8, 1), "xxxx", LOC(0, 1), '\0' };

	ck_assert_int_eq(
		lkst_format_parse(&format, "__rel_loc char[] a;char[4] b;__rel_loc char[] c"), 0);
	ck_assert_int_eq(lkst_format_validate(&format, &payload, 13), 0);
	payload.d = 'x';
	ck_assert_int_eq(lkst_format_validate(&format, &payload, 13), -EFAULT);
	payload.a = LOC(8, 0); /* empty, and the byte before it, the last byte of c, is 0 */
	ck_assert_int_eq(lkst_format_validate(&format, &payload, 13), -EFAULT);
	payload.c = LOC(0, 0);
	ck_assert_int_eq(lkst_format_validate(&format, &payload, 13), 0);
	payload.a = LOC(0, 4);
	ck_assert_int_eq(lkst_format_validate(&format, &payload, 13), -EFAULT);
}

/*
 * Where fields of a fixed size are in a payload, and whether a payload that is cut contains them.
 */
TEST(test_range)
{
	static const char payload[12];
	uint32_t offset, size;

	ck_assert_int_eq(lkst_format_parse(&format, "u32 a;char[8] b;__rel_loc char[] c"), 0);
	ck_assert(lkst_format_range(&format.field[0], payload, 12, &offset, &size));
	ck_assert_uint_eq(offset, 0);
	ck_assert_uint_eq(size, 4);
	ck_assert(lkst_format_range(&format.field[1], payload, 12, &offset, &size));
	ck_assert_uint_eq(offset, 4);
	ck_assert_uint_eq(size, 8);
	ck_assert(!lkst_format_range(&format.field[1], payload, 11, &offset, &size));
	ck_assert(!lkst_format_range(&format.field[1], payload, 0, &offset, &size));
	ck_assert(!lkst_format_range(&format.field[2], payload, 12, &offset, &size));
}

/*
 * The functions that use a format read only the first lkst_format_bytes() bytes of the struct,
 * which end after the last field in use.
 */
TEST(test_truncated_copy)
{
	struct lkst_format *copy;

	ck_assert_int_eq(lkst_format_parse(&format, "u32 a; __rel_loc char[] b"), 0);
	copy = malloc(lkst_format_bytes(&format));
	memcpy(copy, &format, lkst_format_bytes(&format));
	ck_assert(lkst_format_matches(copy, "u32 a;__rel_loc char[] b"));
	ck_assert_int_eq(lkst_format_validate(copy, "abcd\0\0\1\0", 9), 0);
	free(copy);
}
