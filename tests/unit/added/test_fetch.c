// SPDX-License-Identifier: GPL-2.0
/*
 * Definitions of added events (kernel/lkst/added/fetch_parse.c): which definitions are valid, what
 * they are compiled to, and where an error is reported.
 */
#include <errno.h>

#include "tap.h"
#include "added/fetch.h"

static bool symbol(const char *name, __u64 *address)
{
	*address = 0xffffffff81000000;
	return !strcmp(name, "jiffies");
}

static int reg(const char *name, size_t len)
{
	if (len != 2)
		return -ENOENT;
	return !memcmp(name, "di", 2) ? 112 : !memcmp(name, "ax", 2) ? 80 : -ENOENT;
}

static const struct lkst_fetch_scope scope = {
	.symbol = symbol, .reg = reg, .args = 6, .dentry_name = 40, .file_dentry = 24,
};
static char shown[4096];
static struct lkst_fetch_parser parser;

static bool parse(const char *text)
{
	memset(&parser, 0, sizeof(parser));
	parser.text = text;
	parser.scope = &scope;
	parser.shown = shown;
	parser.shown_size = sizeof(shown);
	return lkst_fetch_parse(&parser);
}

/* Definitions, how they are listed, and their fields */
static const struct {
	const char *text, *listed, *fields;
	unsigned int bytes;
	bool chain;
} valid[] = {
	{ "p vfs_read", "p:kprobes/p_vfs_read_0 vfs_read", "", 0, false },
	{ "p:read vfs_read", "p:kprobes/read vfs_read", "", 0, false },
	{ "p:mine/read  vfs_read ", "p:mine/read vfs_read", "", 0, false },
	{ "p:mine.read vfs_read", "p:mine/read vfs_read", "", 0, false },
	{ "p:mine/ vfs_read+0x10", "p:mine/p_vfs_read_16 vfs_read+16", "", 0, false },
	{ "p ext4:ext4_sync", "p:kprobes/p_ext4_ext4_sync_0 ext4:ext4_sync", "", 0, false },
	{ "p 0xffffffff81000010", "p:kprobes/p_0xffffffff81000010 0xffffffff81000010", "", 0,
	  false },
	{ "p:x f%return $retval", "r:kprobes/x f arg1=$retval", "x64 arg1", 8, false },
	{ "r vfs_read", "r:kprobes/r_vfs_read_0 vfs_read", "", 0, false },
	{ "r20:x vfs_read n=$retval:s32", "r20:kprobes/x vfs_read n=$retval:s32", "s32 n", 4,
	  false },
	{ "r:x f a=$arg2 $retval", "r:kprobes/x f a=$arg2 arg2=$retval", "x64 a; x64 arg2", 16,
	  false },
	{ "f vfs_read", "f:fprobes/vfs_read__entry vfs_read", "", 0, false },
	{ "f:mine/x ext4:f $arg1", "f:mine/x ext4:f arg1=$arg1", "x64 arg1", 8, false },
	{ "f vfs_read%return a=$arg1 $retval",
	  "f:fprobes/vfs_read__exit vfs_read%return a=$arg1 arg2=$retval", "x64 a; x64 arg2", 16,
	  false },
	{ "t sched_switch", "t:tracepoints/sched_switch sched_switch", "", 0, false },
	{ "t:x sched_switch $arg10:u8", "t:tracepoints/x sched_switch arg1=$arg10:u8", "u8 arg1", 1,
	  false },
	{ "p:x f $arg1 $arg6:x16", "p:kprobes/x f arg1=$arg1 arg2=$arg6:x16",
	  "x64 arg1; x16 arg2", 10, false },
	{ "p:x f a=%di b=%ax:s8", "p:kprobes/x f a=%di b=%ax:s8", "x64 a; s8 b", 9, false },
	{ "p:x f $stack s=$stack3:symbol", "p:kprobes/x f arg1=$stack s=$stack3:symbol",
	  "x64 arg1; symbol s", 16, false },
	{ "p:x f c=$comm d=$comm:string", "p:kprobes/x f c=$comm d=$comm:string",
	  "char[16] c; char[16] d", 32, false },
	{ "p:x f c=$comm d=$comm e=\\1:u8", "p:kprobes/x f c=$comm d=$comm e=\\1:u8",
	  "char[16] c; char[16] d; u8 e", 33, true },
	{ "p:x f @jiffies @jiffies+8:u32 @0x1000:u8", "p:kprobes/x f arg1=@jiffies "
	  "arg2=@jiffies+8:u32 arg3=@0x1000:u8", "x64 arg1; u32 arg2; u8 arg3", 13, false },
	{ "p:x f \\-3:s8 \\0x10", "p:kprobes/x f arg1=\\-3:s8 arg2=\\0x10", "s8 arg1; x64 arg2", 9,
	  false },
	{ "p:x f s=+0(%di):string", "p:kprobes/x f s=+0(%di):string", "__rel_loc char[] s", 4,
	  true },
	{ "p:x f s=+0(+8(%di)):ustring u=+u0(%di):string",
	  "p:kprobes/x f s=+0(+8(%di)):ustring u=+u0(%di):string",
	  "__rel_loc char[] s; __rel_loc char[] u", 8, true },
	{ "p:x f a=+4(%di):u16[2] b=+0(%di):u8[1]", "p:kprobes/x f a=+4(%di):u16[2] b=+0(%di):u8[1]",
	  "u16 a_0; u16 a_1; u8 b", 5, false },
	{ "p:x f a=+4(%di):char[8]", "p:kprobes/x f a=+4(%di):char[8]", "char[8] a", 8, false },
	{ "p:x f a=+4(%di):string[2]", "p:kprobes/x f a=+4(%di):string[2]",
	  "__rel_loc char[] a_0; __rel_loc char[] a_1", 8, true },
	{ "p:x f d=$arg1:%pd +8(%di):%pD", "p:kprobes/x f d=$arg1:%pd arg2=+8(%di):%pD",
	  "__rel_loc char[] d; __rel_loc char[] arg2", 8, true },
	{ "p:x f a=+0($arg1):b3@5/32 b=$arg1:b64@0/64", "p:kprobes/x f a=+0($arg1):b3@5/32 "
	  "b=$arg1:b64@0/64", "u32 a; u64 b", 12, false },
	{ "p:x f $comm +0(%di):u8[2] %ax", "p:kprobes/x f arg1=$comm arg2=+0(%di):u8[2] arg3=%ax",
	  "char[16] arg1; u8 arg2_0; u8 arg2_1; x64 arg3", 26, false },
	{ "s:lat u64 lat", "s:synthetic/lat u64 lat", "u64 lat", 8, false },
	{ "s:mine/lat  u64 lat ;pid_t  pid;char comm[16] ; ",
	  "s:mine/lat u64 lat; pid_t pid; char comm[16]", "u64 lat; s32 pid; char[16] comm", 28,
	  false },
	{ "s:x unsigned int a; long b; unsigned long c; char d; bool e; unsigned char f; int g",
	  "s:synthetic/x unsigned int a; long b; unsigned long c; char d; bool e; unsigned char f; int g",
	  "u32 a; s64 b; u64 c; char d; u8 e; u8 f; s32 g", 27, false },
	{ "s:x char a[128];", "s:synthetic/x char a[128]", "char[128] a", 128, true },
};

TEST_EACH(test_valid, valid)
{
	ck_assert_msg(parse(valid[_i].text), "%s: %u: %s", valid[_i].text, parser.error_at,
		      parser.error);
	ck_assert_str_eq(shown, valid[_i].listed);
	ck_assert_str_eq(parser.fields, valid[_i].fields);
	ck_assert_uint_eq(parser.bytes, valid[_i].bytes);
	ck_assert_int_eq(lkst_fetch_is_chain(&parser), valid[_i].chain);
}

/* The listed form of a definition can be parsed again, and has the same fields. */
TEST_EACH(test_listed, valid)
{
	ck_assert(parse(valid[_i].listed));
	ck_assert_str_eq(shown, valid[_i].listed);
	ck_assert_str_eq(parser.fields, valid[_i].fields);
}


/* A definition of a single field, and what it is compiled to */
static const struct {
	const char *text;
	struct lkst_fetch_field field;
} compiled[] = {
	{ "$arg3:u16", { .source = LKST_FETCH_ARG, .value = 2, .size = 2 } },
	{ "%ax:s32", { .source = LKST_FETCH_REGISTER, .value = 80, .size = 4 } },
	{ "$stack", { .source = LKST_FETCH_STACK, .size = 8 } },
	{ "$stack2:u8", { .source = LKST_FETCH_STACK, .size = 1, .derefs = 1,
			  .deref = { { 16, false } } } },
	{ "$comm", { .source = LKST_FETCH_COMM_TEXT, .kind = LKST_FETCH_CHARS_KIND, .size = 16 } },
	{ "\\077", { .source = LKST_FETCH_VALUE, .value = 63, .size = 8 } },
	{ "@0x1234:u32", { .source = LKST_FETCH_VALUE, .value = 0x1234, .size = 4, .derefs = 1 } },
	{ "@jiffies-4", { .source = LKST_FETCH_VALUE, .value = 0xffffffff81000000, .size = 8,
			  .derefs = 1, .deref = { { -4, false } } } },
	{ "+8(@jiffies):u16", { .source = LKST_FETCH_VALUE, .value = 0xffffffff81000000, .size = 2,
				.derefs = 2, .deref = { { 0, false }, { 8, false } } } },
	{ "-1(+u2(+0x3(%di))):u64", { .source = LKST_FETCH_REGISTER, .value = 112, .size = 8,
				      .derefs = 3,
				      .deref = { { 3, false }, { 2, true }, { -1, false } } } },
	{ "+0(%di):ustring", { .source = LKST_FETCH_REGISTER, .value = 112, .size = 4,
			       .kind = LKST_FETCH_STRING, .derefs = 1, .deref = { { 0, true } } } },
	{ "$arg1:%pd", { .source = LKST_FETCH_ARG, .size = 4, .kind = LKST_FETCH_STRING,
			 .derefs = 2, .deref = { { 40, false }, { 0, false } } } },
	{ "+8(%di):%pD", { .source = LKST_FETCH_REGISTER, .value = 112, .size = 4,
			   .kind = LKST_FETCH_STRING, .derefs = 4,
			   .deref = { { 8, false }, { 24, false }, { 40, false },
				      { 0, false } } } },
	{ "+4(%di):char[256]", { .source = LKST_FETCH_REGISTER, .value = 112, .size = 256,
				 .kind = LKST_FETCH_CHARS_KIND, .derefs = 1,
				 .deref = { { 4, false } } } },
	{ "$arg1:b4@3/16", { .source = LKST_FETCH_ARG, .size = 2, .bits = 4, .shift = 3 } },
};

TEST_EACH(test_compiled, compiled)
{
	const struct lkst_fetch_field *want = &compiled[_i].field, *field = parser.field;
	char text[100];

	snprintf(text, sizeof(text), "p:x f %s", compiled[_i].text);
	ck_assert_msg(parse(text), "%s: %s", text, parser.error);
	ck_assert_uint_eq(parser.num, 1);
	ck_assert_int_eq(field->source, want->source);
	ck_assert_int_eq(field->kind, want->kind);
	ck_assert_int_eq(field->size, want->size);
	ck_assert_uint_eq(field->value, want->value);
	ck_assert_int_eq(field->bits, want->bits);
	ck_assert_int_eq(field->shift, want->shift);
	ck_assert_int_eq(field->derefs, want->derefs);
	for (int i = 0; i < want->derefs; i++) {
		ck_assert_int_eq(field->deref[i].offset, want->deref[i].offset);
		ck_assert_int_eq(field->deref[i].user, want->deref[i].user);
	}
}

/* The elements of arrays of numbers, of strings, and of strings in a program */
TEST(test_arrays)
{
	ck_assert(parse("p:x f n=+4(+8(%di)):u32[3] s=+16(%di):string[2] u=+u0(%di):ustring[1]"));
	ck_assert_uint_eq(parser.num, 6);
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(parser.field[i].offset, 4 * i);
		ck_assert_int_eq(parser.field[i].derefs, 2);
		ck_assert_int_eq(parser.field[i].deref[0].offset, 8);
		ck_assert_int_eq(parser.field[i].deref[1].offset, 4 + 4 * i);
	}
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(parser.field[3 + i].derefs, 2);
		ck_assert_int_eq(parser.field[3 + i].deref[0].offset, 16 + 8 * i);
		ck_assert_int_eq(parser.field[3 + i].deref[1].offset, 0);
		ck_assert(!parser.field[3 + i].deref[1].user);
	}
	ck_assert(parser.field[5].deref[0].user && parser.field[5].deref[1].user);
}

TEST(test_removal)
{
	ck_assert(parse("-:mine/read"));
	ck_assert_int_eq(parser.probe, LKST_FETCH_REMOVE);
	ck_assert_str_eq(parser.group, "mine");
	ck_assert_str_eq(parser.name, "read");
	ck_assert(parse("-:read"));
	ck_assert_str_eq(parser.group, "");
}

/* Wrong definitions, the position of the error from 1, and the message */
static const struct {
	const char *text;
	unsigned int at;
	const char *error;
} wrong[] = {
	{ "", 1, "unknown kind of event \"\" (want p, r, f, t, s or -)" },
	{ "  q:x f", 3, "unknown kind of event \"q\" (want p, r, f, t, s or -)" },
	{ "px:x f", 2, "unexpected \"x\" (want \":\")" },
	{ "p1:x f", 2, "unexpected \"1\" (want \":\")" },
	{ "r5000:x f", 2, "too many calls in progress (at most 4096)" },
	{ "p: f", 3, "no name of an event" },
	{ "p:/x f", 3, "no name of a group" },
	{ "p:1x f", 3, "\"1x\" is not a name of an event (want letters, digits and _)" },
	{ "p:a-b/x f", 3, "\"a-b\" is not a name of a group (want letters, digits and _)" },
	{ "p:a.1/c f", 3, "\"a.1\" is not a name of a group (want letters, digits and _)" },
	{ "p:a.b.c f", 5, "\"b.c\" is not a name of an event (want letters, digits and _)" },
	{ "p:a/b/c f", 5, "\"b/c\" is not a name of an event (want letters, digits and _)" },
	{ "p:x", 4, "no function" },
	{ "t:x", 4, "no tracepoint" },
	{ "t:x sched:sched_switch", 5, "\"sched:sched_switch\" is not a tracepoint" },
	{ "p:x 0", 5, "0 is not an address of a function" },
	{ "p:x f+", 5, "\"+\" is not an offset" },
	{ "p:x f+x", 5, "\"+x\" is not an offset" },
	{ "p:x f+0x100000000", 5, "\"+0x100000000\" is not an offset" },
	{ "p:x +4", 5, "\"+4\" is not a function" },
	{ "p:x 7f", 5, "\"7f\" is not a function" },
	{ "p:x f%ret", 6, "unexpected \"%ret\" (want %return)" },
	{ "r:x f+4", 5, "a probe of a return has no offset in the function" },
	{ "-", 2, "no name of an event" },
	{ "-:", 3, "no name of an event" },
	{ "-:a/", 5, "no name of an event" },
	{ "-:x y", 5, "unexpected \"y\"" },
	{ "p:x f $arg0", 7, "no argument \"$arg0\" (want $arg1 to $arg6)" },
	{ "p:x f $arg7", 7, "no argument \"$arg7\" (want $arg1 to $arg6)" },
	{ "t:x f $arg11", 7, "no argument \"$arg11\" (want $arg1 to $arg10)" },
	{ "t:x sys_enter $arg6", 15, "no argument \"$arg6\" (want $arg1 to $arg5)" },
	{ "p:x f $arg", 7, "no argument \"$arg\" (want $arg1 to $arg6)" },
	{ "p:x f+1 $arg1", 9, "arguments exist only at the entry of a function" },
	{ "f1:x f", 2, "unexpected \"1\" (want \":\")" },
	{ "f:x f+4", 5, "\"f\" has no offset in the function (want \"p\")" },
	{ "f:x f+4%return", 5, "a probe of a return has no offset in the function" },
	{ "f:x 0xffffffff81000010", 5, "\"0xffffffff81000010\" is not a function" },
	{ "f:x f%ret", 6, "unexpected \"%ret\" (want %return)" },
	{ "f:x f $retval", 7, "$retval exists only when a function returns" },
	{ "r:x f a=$arg7", 9, "no argument \"$arg7\" (want $arg1 to $arg6)" },
	{ "p:x f $retval", 7, "$retval exists only when a function returns" },
	{ "t:x f $retval", 7, "$retval exists only when a function returns" },
	{ "t:x f $stack1", 7, "a tracepoint has no stack to fetch from" },
	{ "p:x f $stackx", 7, "no entry \"$stackx\" of the stack (want $stack0 to $stack2047)" },
	{ "p:x f $com", 7,
	  "unknown variable \"$com\" (want $argN, $retval, $stack, $stackN or $comm)" },
	{ "p:x f %xyz", 7, "unknown register \"%xyz\"" },
	{ "t:x f %di", 7, "a tracepoint has no registers" },
	{ "p:x f @nosuch", 7, "\"nosuch\" is neither an address nor a symbol of the kernel" },
	{ "p:x f @jiffies+x", 15, "\"+x\" is not an offset" },
	{ "p:x f \\x", 8, "\"x\" is not a number" },
	{ "p:x f x", 7, "unexpected \"x\" (want $, %, @, \\ or +OFFSET()" },
	{ "p:x f a=", 9, "unexpected \"\" (want $, %, @, \\ or +OFFSET()" },
	{ "p:x f =%di", 7, "\"\" is not a name of a field (want letters, digits and _)" },
	{ "p:x f a.b=%di", 7, "\"a.b\" is not a name of a field (want letters, digits and _)" },
	{ "p:x f common_pid=%di", 7, "the kernel reserves the name \"common_pid\"" },
	{ "p:x f a=%di a=%ax", 13, "there is another field \"a\"" },
	{ "p:x f +4", 7, "no \"(\" after the offset" },
	{ "p:x f +x(%di)", 7, "\"+x\" is not an offset" },
	{ "p:x f +8(+0(%di)", 16, "not enough \")\"" },
	{ "p:x f +8(%di)x", 14, "unexpected \"x\" (want \":\")" },
	{ "p:x f +8($comm)", 10, "$comm is not a pointer" },
	{ "p:x f +1(+1(+1(+1(+1(+1(+1(+1(+1(%di)))))))))", 31,
	  "too many pointers to follow (at most 8)" },
	{ "p:x f %di:u65", 11, "unknown type \"u65\" (want u8 to u64, s8 to s64, x8 to x64, char, "
	  "symbol, string, ustring, %pd, %pD or bN@N/N)" },
	{ "p:x f %di:", 11, "unknown type \"\" (want u8 to u64, s8 to s64, x8 to x64, char, "
	  "symbol, string, ustring, %pd, %pD or bN@N/N)" },
	{ "p:x f %di:%pd[2]", 11, "a name cannot be an array" },
	{ "p:x f $comm:%pd", 13, "$comm is a string" },
	{ "p:x f %di:b9@0/8", 11,
	  "\"b9@0/8\" is not a bit field (want bWIDTH@OFFSET/8, /16, /32 or /64)" },
	{ "p:x f %di:b1@8/8", 11,
	  "\"b1@8/8\" is not a bit field (want bWIDTH@OFFSET/8, /16, /32 or /64)" },
	{ "p:x f %di:b1@0/24", 11,
	  "\"b1@0/24\" is not a bit field (want bWIDTH@OFFSET/8, /16, /32 or /64)" },
	{ "p:x f %di:string", 11,
	  "a string is in memory (want +0(...) for what a pointer points to)" },
	{ "p:x f %di:u8[4]", 11, "an array is in memory (want +0(...) for what a pointer points to)" },
	{ "p:x f +0(%di):u8[65]", 18, "\"65\" is not a length (want 1 to 64)" },
	{ "p:x f +0(%di):u8[0]", 18, "\"0\" is not a length (want 1 to 64)" },
	{ "p:x f +0(%di):u8[", 18, "no \"]\"" },
	{ "p:x f +0(%di):u8[3", 19, "no \"]\"" },
	{ "p:x f +0(%di):u8[3]x", 20, "unexpected \"x\"" },
	{ "p:x f +0(%di):char[257]", 20, "\"257\" is not a length (want 1 to 256)" },
	{ "p:x f $comm:u8", 13, "$comm is a string" },
	{ "p:x f $comm:string[2]", 13, "$comm is a string" },
	{ "s u64 a", 2, "no name of an event" },
	{ "s:x", 4, "no field (want a type and a name)" },
	{ "s:x  ", 6, "no field (want a type and a name)" },
	{ "s:x ; u64 a", 5, "no field (want a type and a name)" },
	{ "s:x u64 a;; u64 b", 11, "no field (want a type and a name)" },
	{ "s:x u64 a; b", 12, "\"b\" is not a field (want a type and a name)" },
	{ "s:x u65 a", 5, "unknown type \"u65\" (want u8 to u64, s8 to s64, x8 to x64, symbol, int, "
	  "long, pid_t or char NAME[N])" },
	{ "s:x u64 b; string a", 12, "unknown type \"string\" (want u8 to u64, s8 to s64, x8 to x64, "
	  "symbol, int, long, pid_t or char NAME[N])" },
	{ "s:x u8 a[4]", 9, "only a char can be an array" },
	{ "s:x char a[]", 12, "\"\" is not a length (want 1 to 256)" },
	{ "s:x u64 a-b", 9, "\"a-b\" is not a name of a field (want letters, digits and _)" },
	{ "s:x u64 a; u8 a", 12, "there is another field \"a\"" },
	{ "s:x char a[129]", 5, "too many fields (at most 16, of 128 bytes)" },
	{ "s:x u8 a;u8 b;u8 c;u8 d;u8 e;u8 f;u8 g;u8 h;u8 i;u8 j;u8 k;u8 l;u8 m;u8 n;u8 o;u8 p;u8 q",
	  85, "too many fields (at most 16, of 128 bytes)" },
};

TEST_EACH(test_wrong, wrong)
{
	ck_assert_msg(!parse(wrong[_i].text), "\"%s\" is valid", wrong[_i].text);
	ck_assert_str_eq(parser.error, wrong[_i].error);
	ck_assert_uint_eq(parser.error_at + 1, wrong[_i].at);
}

/* Long names, and too many or too large fields, are refused. */
TEST(test_limits)
{
	char text[8000] = "p:x f", name[400];

	memset(name, 'n', sizeof(name));
	snprintf(text, sizeof(text), "p:%.64s f", name);
	ck_assert(!parse(text));
	assert_contains(parser.error, "longer than 63 characters");
	snprintf(text, sizeof(text), "p %.100s", name);
	ck_assert(!parse(text));
	assert_contains(parser.error, "the event needs a name");
	snprintf(text, sizeof(text), "p:x %.256s", name);
	ck_assert(!parse(text));
	assert_contains(parser.error, "longer than 255 characters");
	snprintf(text, sizeof(text), "p:x f %.64s=%%di", name);
	ck_assert(!parse(text));
	assert_contains(parser.error, "longer than 63 characters");
	strcpy(text, "p:x f");
	for (int i = 0; i < 65; i++)
		sprintf(text + strlen(text), " f%d=%%di:u8", i);
	ck_assert(!parse(text));
	assert_contains(parser.error, "too many fields (at most 64)");
	strcpy(text, "p:x f");
	for (int i = 0; i < 50; i++)
		sprintf(text + strlen(text), " %.10s%d=%%di", name, i);
	ck_assert(!parse(text));
	assert_contains(parser.error, "the names and types of the fields are too long");
	strcpy(text, "p:x f");
	for (int i = 0; i < 9; i++)
		sprintf(text + strlen(text), " f%d=+0(%%di):char[256]", i);
	ck_assert(!parse(text));
	assert_contains(parser.error, "the fields take more than 2048 bytes");
}
