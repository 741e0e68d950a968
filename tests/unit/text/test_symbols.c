// SPDX-License-Identifier: GPL-2.0
/* Symbols: parsing a list, looking up addresses, and selecting symbols from the kernel's list. */
#include "dir.h"
#include "lib/text/addresses.h"
#include "lib/text/etypes.h"
#include "lib/text/symbols.h"
#include "sample.h"
#include "tap.h"

#define HEADER "# lkst_symbols 1\n"

static struct lkst_symbols *parse(const char *text)
{
	return lkst_symbols_parse(text, strlen(text), "FILE", &err);
}

/* Return the symbol at an address as "name+0xoffset[module]", or "-" if no symbol contains it. */
static const char *found(struct lkst_symbols *symbols, uint64_t address)
{
	static char text[700];
	struct lkst_symbol symbol;

	if (!lkst_symbols_find(symbols, address, &symbol))
		return "-";
	snprintf(text, sizeof(text), "%s+0x%llx%s%s%s", symbol.name,
		 (unsigned long long)symbol.offset, *symbol.module ? "[" : "", symbol.module,
		 *symbol.module ? "]" : "");
	return text;
}

/* Look up addresses. @expected lists them with the expected symbols, as "ADDRESS SYMBOL,...". */
static void check_found(struct lkst_symbols *symbols, const char *expected)
{
	char copy[512], *rest = copy, *row;

	ck_assert_uint_lt(strlen(expected), sizeof(copy));
	strcpy(copy, expected);
	assert_made(symbols);
	while ((row = strsep(&rest, ",")) != NULL) {
		char *end;
		const char *got = found(symbols, strtoull(row, &end, 16));

		ck_assert_msg(!strcmp(got, end + 1), "%s: %s", row, got);
	}
}

TESTS(.name = "text");

TEST(test_find)
{
	struct lkst_symbols *symbols = parse(HEADER "1000 1100 first\n"
						    "# a comment\n"
						    "1100 1200 second\n"
						    "2000 2001 alone\t[mod]\n"
						    "fffffffffffffff0 ffffffffffffffff last\n");

	check_found(symbols, "0 -,fff -,1000 first+0x0,10ff first+0xff,1100 second+0x0,1200 -,"
			     "2000 alone+0x0[mod],2001 -,fffffffffffffffe last+0xe,"
			     "ffffffffffffffff -");
	lkst_symbols_free(symbols);
	symbols = parse(HEADER);
	check_found(symbols, "1000 -");
	lkst_symbols_free(symbols);
	ck_assert_str_eq(found(NULL, 0x1000), "-");
	lkst_symbols_free(NULL);
}

/* Error messages about a line after the header, each with input that causes it. */
static const struct { const char *message, *text[4]; } bad[] = {
	{ "FILE:2: address expected: \"x 2 a\"", { "x 2 a\n" } },
	{ "FILE:2: address expected", { "-1 2 a\n", "10000000000000000 2 a\n" } },
	{ "greater address expected", { "1 x a\n", "2 2 a\n", "2 1 a\n", "1\n" } },
	{ "name of 1 to 511 bytes expected", { "1 2\n", "1 2 a\033b\n" } },
	{ "[MODULE] of 1 to 63 bytes expected", { "1 2 a b\n", "1 2 a []\n", "1 2 a [b\n" } },
	{ "too many fields", { "1 2 a [b] c\n" } },
	{ "FILE:3: addresses that rise expected", { "1 3 a\n2 4 b\n", "5 6 a\n1 2 b\n" } },
};

static void parse_bad(const char *text, const char *message)
{
	ck_assert_ptr_null(parse(text));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	assert_contains(err.text, message);
}

TEST_EACH(test_bad, bad)
{
	char text[128];

	for (int i = 0; i < NUM(bad[_i].text) && bad[_i].text[i]; i++) {
		snprintf(text, sizeof(text), HEADER "%s", bad[_i].text[i]);
		parse_bad(text, bad[_i].message);
	}
}

TEST(test_bad_header)
{
	parse_bad("", "FILE: not a list of symbols: its first line is not \"# lkst_symbols 1\"");
	parse_bad("# lkst_symbols 2\n", "first line");
}

TEST(test_long_names)
{
	struct lkst_symbols *symbols;
	char text[1024];

	snprintf(text, sizeof(text), HEADER "1 2 %0511d [%063d]\n", 1, 2);
	symbols = parse(text);
	assert_made(symbols);
	lkst_symbols_free(symbols);
	snprintf(text, sizeof(text), HEADER "1 2 %0512d\n", 1);
	ck_assert_ptr_null(parse(text));
	snprintf(text, sizeof(text), HEADER "1 2 a [%064d]\n", 1);
	ck_assert_ptr_null(parse(text));
}

/* If several lists contain an address, the symbol in the list that was added last is used. */
TEST(test_add_up)
{
	static const char *const texts[] = {
		HEADER "1000 1100 first\n2000 2100 old [a]\n2100 2200 stays [a]\n",
		HEADER "1100 1200 second\n",
		HEADER "1000 1100 first\n2000 2080 new [b]\n3000 3100 third\n",
		HEADER "2150 2300 newest [c]\n",
	};
	struct lkst_symbols *symbols = lkst_symbols_new();

	for (int i = 0; i < NUM(texts); i++)
		assert_ok(lkst_symbols_add(symbols, texts[i], strlen(texts[i]), "T", &err));
	/* A list with an error adds no symbols. */
	ck_assert_int_eq(lkst_symbols_add(symbols, HEADER "1 2 a\n3 4\n", 27, "T", &err), -1);
	lkst_symbols_finalize(symbols);
	check_found(symbols, "1 -,1001 first+0x1,1101 second+0x1,2001 new+0x1[b],2101 stays+0x1[a],"
			     "2160 newest+0x10[c],3001 third+0x1");
	lkst_symbols_free(symbols);
}

/* ---- the kernel's list, /proc/kallsyms ---- */

static char path[64];
static struct lkst_addresses *addresses;

static void setup(void)
{
	struct lkst_etypes *types = lkst_etypes_embedded(&err);

	dir_make();
	strcpy(path, dir_path("kallsyms"));
	addresses = lkst_addresses_new(types, &err);
	ck_assert_ptr_nonnull(addresses);
	lkst_etypes_free(types);
}

static void teardown(void)
{
	lkst_addresses_free(addresses);
	dir_remove();
}

static void use_record(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	const uint64_t arg[4] = { a1, a2, a3, a4 };
	struct lkst_log_record record = sample_record(0, 1, SAMPLE_NS, type, 1, arg);

	ck_assert_int_eq(lkst_addresses_add(addresses, &record, 1, &err), 0);
}

/* Add a record of spin_lock(lock, caller) whose caller is @address. */
static void use(uint64_t address)
{
	use_record(LKST_ETYPE_LOCK_SPIN_LOCK, 0xffff888000000000, address, 0, 0);
}

static char *resolve(void)
{
	size_t len;
	char *text = lkst_addresses_resolve(addresses, path, &len, &err);

	assert_made(text);
	ck_assert_uint_eq(strlen(text), len);
	return text;
}

static void resolves_to(const char *expected)
{
	char *text = resolve();

	ck_assert_str_eq(text, expected);
	free(text);
}

#define KERNEL \
	"0000000000000000 A fixed_percpu_data\n0000000000001000 A cpu_debug_store\n" \
	"ffffffff81000000 T _text\nffffffff81000000 T startup_64\nffffffff81000100 t do_it\n" \
	"ffffffff81000100 T do_it_too\nffffffff81000200 W weakly\nffffffff81000300 T last_one\n" \
	"ffffffff81000400 T _etext\nffffffff82000000 D data\nffffffff82000100 T _sinittext\n" \
	"ffffffff82000200 B _end\n"

#define MODULES \
	"ffffffffc0020000 t second_mod\t[second]\nffffffffc0000080 t b\t[first]\n" \
	"ffffffffc0000000 t a\t[first]\nffffffffc0002000 d data\t[first]\n" \
	"ffffffffc0000100 t c\t[first]\nffffffffc0100000 t bpf_prog_1\t[bpf]\n"

TESTS(.name = "list", .timeout = 60, .setup = setup, .teardown = teardown);

/* Symbol lists, the addresses that records contain, and the symbols selected for them. */
static const struct { const char *name, *list; uint64_t use[10]; const char *symbols; } lists[] = {
	{ "nearest", KERNEL,
	  { 0xffffffff81000000, /* the exact address of the first symbol */
	    0xffffffff810001ff, /* the last byte of a symbol */
	    0xffffffff81000180, 0xffffffff81000180, /* the same address again */
	    0xffffffff810003ff },
	  HEADER "ffffffff81000000 ffffffff81000100 _text\n"
	  "ffffffff81000100 ffffffff81000200 do_it\n"
	  "ffffffff81000300 ffffffff81000400 last_one\n" },
	{ "no code", KERNEL,
	  { 0xffffffff80ffffff, /* before the first symbol */
	    0xffffffff81000400, 0xffffffff81000500, /* after the code */
	    0xffffffff82000010, /* data */
	    0xffffffff82000200, 0xffffffffffffffff, /* after the last symbol */
	    0x1800, /* an offset of a per-CPU variable */
	    0x7f1234567890, /* a user-space address */
	    0 }, HEADER },
	{ "modules", KERNEL MODULES,
	  { 0xffffffffc0000000, 0xffffffffc00000ff,
	    0xffffffffc0001fff, /* the last function extends to the module's data */
	    0xffffffffc0002000, 0xffffffffc0020010, 0xffffffffc002ffff,
	    0xffffffffc0030000, /* too far after the last symbol of a module */
	    0xffffffffc0100001 },
	  HEADER "ffffffffc0000000 ffffffffc0000080 a [first]\n"
	  "ffffffffc0000080 ffffffffc0000100 b [first]\n"
	  "ffffffffc0000100 ffffffffc0002000 c [first]\n"
	  "ffffffffc0020000 ffffffffc0030000 second_mod [second]\n"
	  "ffffffffc0100000 ffffffffc0110000 bpf_prog_1 [bpf]\n" },
	{ "hidden: with kptr_restrict, the list shows only addresses of 0",
	  "0000000000000000 T _text\n0000000000000000 T do_it\n0000000000000000 t a\t[first]\n",
	  { 0xffffffff81000000, 0x100 }, HEADER },
	{ "empty list", "", { 0xffffffff81000000 }, HEADER },
	{ "odd lines",
	  "\nnonsense\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \n"
	  "ffffffff81000000 T good\t[unended\n" "ffffffff81000008 T bad\001name\n"
	  "ffffffff81000010 T better\t[]\n" "ffffffff81000018 T also\177bad\t[module]\n"
	  "ffffffff81000019 T not\200utf8\nffffffff8100001a T \"quoted\"\t[module]\n"
	  "ffffffff81000020 T odd_module\t[\200]\nffffffff81000030 T best",
	  { 0xffffffff81000001, 0xffffffff81000011, 0xffffffff81000021, 0xffffffff81000031 },
	  HEADER "ffffffff81000000 ffffffff81000010 good [unended]\n"
	  "ffffffff81000010 ffffffff81000020 better\n"
	  "ffffffff81000020 ffffffff81000030 odd_module\n"
	  "ffffffff81000030 ffffffff81010030 best\n" },
	{ "32 bits", "c1000000 T _text\nc1000100 T do_it\nc1000200 T _etext\n",
	  { 0xc1000104, 0x8048000 /* a user-space address */ },
	  HEADER "c1000100 c1000200 do_it\n" },
	{ "in any order",
	  "ffffffff82000000 T _einittext\nffffffff81000400 T _etext\n"
	  "ffffffffc0000200 d data\t[first]\nffffffff81000300 D no_code\n"
	  "ffffffff81000300 T last_one\nffffffffc0000100 t c\t[first]\nffffffff81000100 t do_it\n"
	  "ffffffffc0000000 t a\t[first]\nffffffff81000000 T _text\n",
	  { 0xffffffff81000300, 0xffffffffc0000180, 0xffffffff81000080, 0xffffffffc0000010,
	    0xffffffff810001ff, 0xffffffff82000010 },
	  HEADER "ffffffff81000000 ffffffff81000100 _text\n"
	  "ffffffff81000100 ffffffff81000300 do_it\n"
	  "ffffffff81000300 ffffffff81000400 last_one\n"
	  "ffffffffc0000000 ffffffffc0000100 a [first]\n"
	  "ffffffffc0000100 ffffffffc0000200 c [first]\n" },
};

TEST_ROWS(test_list, lists)
{
	write_text(path, lists[_i].list);
	for (int i = 0; i < NUM(lists[_i].use); i++)
		use(lists[_i].use[i]);
	resolves_to(lists[_i].symbols);
}

/* lkst_symbols_of_list() does not read the list before the first lookup. */
TEST(test_list_on_request)
{
	struct lkst_symbols *symbols = lkst_symbols_of_list(path, &err);

	assert_made(symbols);
	write_text(path, KERNEL MODULES);
	check_found(symbols, "ffffffff81000180 do_it+0x80");
	/* Later lookups do not read the list again. */
	write_text(path, "");
	check_found(symbols, "ffffffffc0000081 b+0x1[first],1800 -");
	lkst_symbols_free(symbols);

	symbols = lkst_symbols_of_list("/nonexistent/kallsyms", &err);
	check_found(symbols, "ffffffff81000180 -");
	lkst_symbols_free(symbols);
	lkst_symbols_free(lkst_symbols_of_list(path, &err));
}

/*
 * /proc/kallsyms may still list the symbols of a module's init code, whose memory was freed.
 * /proc/modules has the address and size of the memory that a module still uses. Symbols of
 * the module at other addresses are ignored.
 */
TEST(test_start_of_a_module)
{
	struct lkst_symbols *symbols;

	write_text(path, KERNEL "ffffffffc0000000 t a\t[first]\n"
				"ffffffffc0005000 T init_first\t[first]\n"
				"ffffffffc0002000 d data\t[first]\n"
				"ffffffffc0004000 t b\t[second]\n"
				"ffffffffc0100000 t bpf_prog_1\t[bpf]\n");
	write_text(dir_path("modules"), "first 12288 0 - Live 0xffffffffc0000000 (OE)\n"
			    "second 8192 1 first, Live 0xffffffffc0004000\n"
			    "hidden 8192 1 first, Live 0x0000000000000000\n"
			    "no line of a module\n");
	symbols = lkst_symbols_of_list(path, &err);
	check_found(symbols, "ffffffffc0000010 a+0x10[first],ffffffffc0004fff b+0xfff[second],"
			     "ffffffffc0005010 b+0x1010[second],"
			     "ffffffffc0100001 bpf_prog_1+0x1[bpf],ffffffff81000180 do_it+0x80");
	lkst_symbols_free(symbols);
}

TEST(test_no_list)
{
	use(0xffffffff81000000);
	resolves_to(HEADER);
}

TEST(test_which_arguments)
{
	write_text(path, KERNEL);
	/* Arguments that are not code addresses, such as the address of a lock, are ignored. */
	use_record(LKST_ETYPE_LOCK_SPIN_LOCK, 0xffffffff81000180, 0, 0, 0);
	use_record(LKST_ETYPE_SYSCALL_ENTRY, 0, 0xffffffff81000180, 0, 0);
	use_record(0x123, 0xffffffff81000180, 0, 0, 0);
	use_record(UINT32_MAX, 0xffffffff81000180, 0, 0, 0);
	resolves_to(HEADER);
	use_record(LKST_ETYPE_OOPS_STACK, 0xffffffff81000100, 0, 0, 0);
	resolves_to(HEADER "ffffffff81000000 ffffffff81000100 _text\n");
	use_record(LKST_ETYPE_OOPS_REGS, 1, 2, 3, 0xffffffff81000201);
	resolves_to(HEADER "ffffffff81000000 ffffffff81000100 _text\n"
			   "ffffffff81000200 ffffffff81000300 weakly\n");
}

TEST(test_many)
{
	struct lkst_symbols *symbols;
	FILE *to = fopen(path, "w");
	char *text, name[32];

	for (uint64_t i = 0; i < 20000; i++)
		fprintf(to, "%llx t f%llu\n", 0xffffffff81000000ull + i * 64,
			(unsigned long long)i);
	fclose(to);
	for (uint64_t i = 20000; i-- > 0;)
		if (i % 3)
			use(0xffffffff81000000 + i * 64 + i % 64);
	text = resolve();
	symbols = parse(text);
	assert_made(symbols);
	for (uint64_t i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "f%llu+0x%llx", (unsigned long long)i,
			 (unsigned long long)(i % 64));
		ck_assert_str_eq(found(symbols, 0xffffffff81000000 + i * 64 + i % 64),
				 i % 3 ? name : "-");
	}
	lkst_symbols_free(symbols);
	free(text);
}

/*
 * Record far more callers than any kernel has. Memory must stay bounded, so only some of them are
 * looked up.
 */
TEST(test_far_too_many)
{
	write_text(path, KERNEL);
	use(0xffffffff81000001);
	for (uint64_t i = 0; i < 1 << 19; i++)
		use(0xffffffff90000000 + i);
	resolves_to(HEADER "ffffffff81000000 ffffffff81000100 _text\n");
}
