// SPDX-License-Identifier: GPL-2.0
/* Symbols: the text, looking up, and what is taken of the kernel's long list. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/etype_ids.h"
#include "lib/liblkst.h"
#include "sample.h"
#include "tap.h"

#define HEAD "# lkst_symbols 1\n"

static struct lkst_symbols *parse(const char *text, struct lkst_error *err)
{
	return lkst_symbols_parse(text, strlen(text), "FILE", err);
}

/* "name+0xoffset[module]", "-" for none. */
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

START_TEST(test_find)
{
	struct lkst_error err = { 0 };
	struct lkst_symbols *symbols = parse(HEAD "1000 1100 first\n"
						  "# a comment\n"
						  "1100 1200 second\n"
						  "2000 2001 alone\t[mod]\n"
						  "fffffffffffffff0 ffffffffffffffff last\n",
					     &err);

	ck_assert_msg(symbols != NULL, "%s", err.text);
	ck_assert_str_eq(found(symbols, 0), "-");
	ck_assert_str_eq(found(symbols, 0xfff), "-");
	ck_assert_str_eq(found(symbols, 0x1000), "first+0x0");
	ck_assert_str_eq(found(symbols, 0x10ff), "first+0xff");
	ck_assert_str_eq(found(symbols, 0x1100), "second+0x0");
	ck_assert_str_eq(found(symbols, 0x1200), "-");
	ck_assert_str_eq(found(symbols, 0x2000), "alone+0x0[mod]");
	ck_assert_str_eq(found(symbols, 0x2001), "-");
	ck_assert_str_eq(found(symbols, UINT64_MAX - 1), "last+0xe");
	ck_assert_str_eq(found(symbols, UINT64_MAX), "-");
	lkst_symbols_free(symbols);
	symbols = parse(HEAD, &err);
	ck_assert_str_eq(found(symbols, 0x1000), "-");
	lkst_symbols_free(symbols);
	ck_assert_str_eq(found(NULL, 0x1000), "-");
	lkst_symbols_free(NULL);
}
END_TEST

static const struct {
	const char *text, *says;
} bad[] = {
	{ "", "FILE: not a list of symbols: its first line is not \"# lkst_symbols 1\"" },
	{ "# lkst_symbols 2\n", "first line" },
	{ HEAD "x 2 a\n", "FILE:2: address expected: \"x 2 a\"" },
	{ HEAD "-1 2 a\n", "address expected" },
	{ HEAD "10000000000000000 2 a\n", "address expected" },
	{ HEAD "1 x a\n", "greater address expected" },
	{ HEAD "2 2 a\n", "greater address expected" },
	{ HEAD "2 1 a\n", "greater address expected" },
	{ HEAD "1\n", "greater address expected" },
	{ HEAD "1 2\n", "name of 1 to 511 bytes expected" },
	{ HEAD "1 2 a\033b\n", "name of 1 to 511 bytes expected" },
	{ HEAD "1 2 a b\n", "[MODULE] of 1 to 63 bytes expected" },
	{ HEAD "1 2 a []\n", "[MODULE] of 1 to 63 bytes expected" },
	{ HEAD "1 2 a [b\n", "[MODULE] of 1 to 63 bytes expected" },
	{ HEAD "1 2 a [b] c\n", "too many fields" },
	{ HEAD "1 3 a\n2 4 b\n", "FILE:3: addresses that rise expected" },
	{ HEAD "5 6 a\n1 2 b\n", "FILE:3: addresses that rise expected" },
};

START_TEST(test_bad)
{
	struct lkst_error err = { 0 };

	ck_assert_ptr_null(parse(bad[_i].text, &err));
	ck_assert_int_eq(err.code, LKST_ERR_FORMAT);
	if (!strstr(err.text, bad[_i].says))
		ck_abort_msg("\"%s\" lacks \"%s\"", err.text, bad[_i].says);
}
END_TEST

START_TEST(test_long_names)
{
	struct lkst_error err = { 0 };
	struct lkst_symbols *symbols;
	char text[1024];

	snprintf(text, sizeof(text), HEAD "1 2 %0511d [%063d]\n", 1, 2);
	symbols = parse(text, &err);
	ck_assert_msg(symbols != NULL, "%s", err.text);
	lkst_symbols_free(symbols);
	snprintf(text, sizeof(text), HEAD "1 2 %0512d\n", 1);
	ck_assert_ptr_null(parse(text, &err));
	snprintf(text, sizeof(text), HEAD "1 2 a [%064d]\n", 1);
	ck_assert_ptr_null(parse(text, &err));
}
END_TEST

/* Of several texts the one that was added last counts. */
START_TEST(test_add_up)
{
	static const char *const texts[] = {
		HEAD "1000 1100 first\n2000 2100 old [a]\n2100 2200 stays [a]\n",
		HEAD "1100 1200 second\n",
		HEAD "1000 1100 first\n2000 2080 new [b]\n3000 3100 third\n",
		HEAD "2150 2300 newest [c]\n",
	};
	struct lkst_error err = { 0 };
	struct lkst_symbols *symbols = lkst_symbols_new();

	for (size_t i = 0; i < 4; i++)
		ck_assert_int_eq(lkst_symbols_add(symbols, texts[i], strlen(texts[i]), "T", &err),
				 0);
	/* Of one that is wrong nothing is added. */
	ck_assert_int_eq(lkst_symbols_add(symbols, HEAD "1 2 a\n3 4\n", 27, "T", &err), -1);
	lkst_symbols_finalize(symbols);
	ck_assert_str_eq(found(symbols, 1), "-");
	ck_assert_str_eq(found(symbols, 0x1001), "first+0x1");
	ck_assert_str_eq(found(symbols, 0x1101), "second+0x1");
	ck_assert_str_eq(found(symbols, 0x2001), "new+0x1[b]");
	ck_assert_str_eq(found(symbols, 0x2101), "stays+0x1[a]");
	ck_assert_str_eq(found(symbols, 0x2160), "newest+0x10[c]");
	ck_assert_str_eq(found(symbols, 0x3001), "third+0x1");
	lkst_symbols_free(symbols);
}
END_TEST

/* ---- the kernel's list ---- */

static char path[] = "/tmp/lkst-kallsyms-XXXXXX";
static struct lkst_addresses *addresses;

static void setup(void)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	int fd;

	strcpy(path + sizeof(path) - 7, "XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	close(fd);
	addresses = lkst_addresses_new(types, &err);
	ck_assert_ptr_nonnull(addresses);
	lkst_etypes_free(types);
}

static void teardown(void)
{
	lkst_addresses_free(addresses);
	unlink(path);
}

static void use_record(uint32_t type, uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4)
{
	const uint64_t arg[4] = { a1, a2, a3, a4 };
	struct lkst_log_record record = sample_record(0, 1, SAMPLE_NS, type, 1, arg);
	struct lkst_error err;

	ck_assert_int_eq(lkst_addresses_add(addresses, &record, 1, &err), 0);
}

/* spin_lock(lock, caller) */
static void use(uint64_t address)
{
	use_record(LKST_ETYPE_LOCK_SPIN_LOCK, 0xffff888000000000, address, 0, 0);
}

static void kallsyms(const char *text)
{
	FILE *to = fopen(path, "w");

	fputs(text, to);
	fclose(to);
}

static char *resolve(void)
{
	struct lkst_error err = { 0 };
	size_t len;
	char *text = lkst_addresses_resolve(addresses, path, &len, &err);

	ck_assert_msg(text != NULL, "%s", err.text);
	ck_assert_uint_eq(strlen(text), len);
	return text;
}

static void resolves_to(const char *expected)
{
	char *text = resolve();

	ck_assert_str_eq(text, expected);
	free(text);
}

#define KERNEL                                   \
	"0000000000000000 A fixed_percpu_data\n" \
	"0000000000001000 A cpu_debug_store\n"   \
	"ffffffff81000000 T _text\n"             \
	"ffffffff81000000 T startup_64\n"        \
	"ffffffff81000100 t do_it\n"             \
	"ffffffff81000100 T do_it_too\n"         \
	"ffffffff81000200 W weakly\n"            \
	"ffffffff81000300 T last_one\n"          \
	"ffffffff81000400 T _etext\n"            \
	"ffffffff82000000 D data\n"              \
	"ffffffff82000100 T _sinittext\n"        \
	"ffffffff82000200 B _end\n"

#define MODULES                                     \
	"ffffffffc0020000 t second_mod\t[second]\n" \
	"ffffffffc0000080 t b\t[first]\n"           \
	"ffffffffc0000000 t a\t[first]\n"           \
	"ffffffffc0002000 d data\t[first]\n"        \
	"ffffffffc0000100 t c\t[first]\n"           \
	"ffffffffc0100000 t bpf_prog_1\t[bpf]\n"

START_TEST(test_nearest)
{
	kallsyms(KERNEL);
	use(0xffffffff81000000); /* exactly, the first */
	use(0xffffffff810001ff); /* the last byte */
	use(0xffffffff81000180);
	use(0xffffffff81000180); /* twice */
	use(0xffffffff810003ff);
	resolves_to(HEAD "ffffffff81000000 ffffffff81000100 _text\n"
			 "ffffffff81000100 ffffffff81000200 do_it\n"
			 "ffffffff81000300 ffffffff81000400 last_one\n");
}
END_TEST

/* Looked up in the list itself, which is not read before that. */
START_TEST(test_list_when_asked)
{
	struct lkst_error err;
	struct lkst_symbol symbol;
	struct lkst_symbols *symbols = lkst_symbols_of_list(path, &err);

	ck_assert_msg(symbols != NULL, "%s", err.text);
	kallsyms(KERNEL MODULES);
	ck_assert(lkst_symbols_find(symbols, 0xffffffff81000180, &symbol));
	ck_assert_str_eq(symbol.name, "do_it");
	ck_assert_str_eq(symbol.module, "");
	ck_assert_uint_eq(symbol.offset, 0x80);
	/* And not again. */
	kallsyms("");
	ck_assert(lkst_symbols_find(symbols, 0xffffffffc0000081, &symbol));
	ck_assert_str_eq(symbol.name, "b");
	ck_assert_str_eq(symbol.module, "first");
	ck_assert_uint_eq(symbol.offset, 1);
	ck_assert(!lkst_symbols_find(symbols, 0x1800, &symbol));
	lkst_symbols_free(symbols);

	symbols = lkst_symbols_of_list("/nonexistent/kallsyms", &err);
	ck_assert_msg(symbols != NULL, "%s", err.text);
	ck_assert(!lkst_symbols_find(symbols, 0xffffffff81000180, &symbol));
	lkst_symbols_free(symbols);
	lkst_symbols_free(lkst_symbols_of_list(path, &err));
}
END_TEST

START_TEST(test_no_code)
{
	kallsyms(KERNEL);
	use(0xffffffff80ffffff); /* before the first */
	use(0xffffffff81000400); /* behind the code */
	use(0xffffffff81000500);
	use(0xffffffff82000010); /* data */
	use(0xffffffff82000200); /* behind the last */
	use(0xffffffffffffffff);
	use(0x1800); /* of a CPU's variables */
	use(0);
	use(0x7f1234567890); /* a program's */
	resolves_to(HEAD);
}
END_TEST

START_TEST(test_modules)
{
	kallsyms(KERNEL MODULES);
	use(0xffffffffc0000000);
	use(0xffffffffc00000ff);
	use(0xffffffffc0001fff); /* up to the module's data, however far */
	use(0xffffffffc0002000);
	use(0xffffffffc0020010);
	use(0xffffffffc002ffff);
	use(0xffffffffc0030000); /* too far behind the last of a module */
	use(0xffffffffc0100001);
	resolves_to(HEAD "ffffffffc0000000 ffffffffc0000080 a [first]\n"
			 "ffffffffc0000080 ffffffffc0000100 b [first]\n"
			 "ffffffffc0000100 ffffffffc0002000 c [first]\n"
			 "ffffffffc0020000 ffffffffc0030000 second_mod [second]\n"
			 "ffffffffc0100000 ffffffffc0110000 bpf_prog_1 [bpf]\n");
}
END_TEST

/* What a module was started with may be listed though it is gone; the kernel knows where the rest is. */
START_TEST(test_start_of_a_module)
{
	static const char *const names[] = { "kallsyms", "modules" };
	static const char *const texts[] = { KERNEL "ffffffffc0000000 t a\t[first]\n"
						    "ffffffffc0005000 T init_first\t[first]\n"
						    "ffffffffc0002000 d data\t[first]\n"
						    "ffffffffc0004000 t b\t[second]\n"
						    "ffffffffc0100000 t bpf_prog_1\t[bpf]\n",
					     "first 12288 0 - Live 0xffffffffc0000000 (OE)\n"
					     "second 8192 1 first, Live 0xffffffffc0004000\n"
					     "hidden 8192 1 first, Live 0x0000000000000000\n"
					     "no line of a module\n" };
	char dir[] = "/tmp/lkst-modules-XXXXXX", file[sizeof(dir) + 10];
	struct lkst_symbols *symbols;
	struct lkst_error err;
	FILE *to;

	ck_assert_ptr_nonnull(mkdtemp(dir));
	for (int i = 1; i >= 0; i--) {
		snprintf(file, sizeof(file), "%s/%s", dir, names[i]);
		to = fopen(file, "w");
		fputs(texts[i], to);
		fclose(to);
	}
	symbols = lkst_symbols_of_list(file, &err);
	ck_assert_str_eq(found(symbols, 0xffffffffc0000010), "a+0x10[first]");
	ck_assert_str_eq(found(symbols, 0xffffffffc0004fff), "b+0xfff[second]");
	ck_assert_str_eq(found(symbols, 0xffffffffc0005010), "b+0x1010[second]");
	ck_assert_str_eq(found(symbols, 0xffffffffc0100001), "bpf_prog_1+0x1[bpf]");
	ck_assert_str_eq(found(symbols, 0xffffffff81000180), "do_it+0x80");
	lkst_symbols_free(symbols);
	for (int i = 0; i < 2; i++) {
		snprintf(file, sizeof(file), "%s/%s", dir, names[i]);
		unlink(file);
	}
	rmdir(dir);
}
END_TEST

START_TEST(test_in_any_order)
{
	char *text, *again, *line, lines[64][80];
	size_t num = 0;
	char *copy = strdup(KERNEL MODULES), *rest = copy;
	FILE *to;

	while ((line = strsep(&rest, "\n")) != NULL && *line)
		strcpy(lines[num++], line);
	free(copy);
	kallsyms(KERNEL MODULES);
	for (uint64_t at = 0; at < 0x1000; at += 0x34) {
		use(0xffffffff81000000 + at);
		use(0xffffffffc0000000 + at);
	}
	text = resolve();
	to = fopen(path, "w");
	/* Backwards: but of two at one place another one comes first then. */
	while (num--)
		if (!strstr(lines[num], "startup_64") && !strstr(lines[num], "do_it_too"))
			fprintf(to, "%s\n", lines[num]);
	fclose(to);
	again = resolve();
	ck_assert_str_eq(text, again);
	free(text);
	free(again);
}
END_TEST

START_TEST(test_hidden)
{
	/* As kptr_restrict has it. */
	kallsyms("0000000000000000 T _text\n0000000000000000 T do_it\n"
		 "0000000000000000 t a\t[first]\n");
	use(0xffffffff81000000);
	use(0x100);
	resolves_to(HEAD);
}
END_TEST

START_TEST(test_empty_list)
{
	kallsyms("");
	use(0xffffffff81000000);
	resolves_to(HEAD);
}
END_TEST

START_TEST(test_no_list)
{
	use(0xffffffff81000000);
	unlink(path);
	resolves_to(HEAD);
}
END_TEST

START_TEST(test_odd_lines)
{
	kallsyms("\n"
		 "nonsense\n"
		 "ffffffff81000000\n"
		 "ffffffff81000000 T\n"
		 "ffffffff81000000 T \n"
		 "ffffffff81000000 T good\t[unended\n"
		 "ffffffff81000008 T bad\001name\n"
		 "ffffffff81000010 T better\t[]\n"
		 "ffffffff81000018 T also\177bad\t[module]\n"
		 "ffffffff81000020 T best");
	use(0xffffffff81000001);
	use(0xffffffff81000011);
	use(0xffffffff81000021);
	resolves_to(HEAD "ffffffff81000000 ffffffff81000010 good [unended]\n"
			 "ffffffff81000010 ffffffff81000020 better\n"
			 "ffffffff81000020 ffffffff81010020 best\n");
}
END_TEST

START_TEST(test_which_arguments)
{
	kallsyms(KERNEL);
	/* A lock is no code; a stack is where calls return to; registers may be code. */
	use_record(LKST_ETYPE_LOCK_SPIN_LOCK, 0xffffffff81000180, 0, 0, 0);
	use_record(LKST_ETYPE_SYSCALL_ENTRY, 0, 0xffffffff81000180, 0, 0);
	use_record(0x123, 0xffffffff81000180, 0, 0, 0);
	use_record(UINT32_MAX, 0xffffffff81000180, 0, 0, 0);
	resolves_to(HEAD);
	use_record(LKST_ETYPE_OOPS_STACK, 0xffffffff81000100, 0, 0, 0);
	resolves_to(HEAD "ffffffff81000000 ffffffff81000100 _text\n");
	use_record(LKST_ETYPE_OOPS_REGS, 1, 2, 3, 0xffffffff81000201);
	resolves_to(HEAD "ffffffff81000000 ffffffff81000100 _text\n"
			 "ffffffff81000200 ffffffff81000300 weakly\n");
}
END_TEST

START_TEST(test_thirty_two_bits)
{
	kallsyms("c1000000 T _text\nc1000100 T do_it\nc1000200 T _etext\n");
	use(0xc1000104);
	use(0x8048000); /* a program's */
	resolves_to(HEAD "c1000100 c1000200 do_it\n");
}
END_TEST

START_TEST(test_many)
{
	struct lkst_symbols *symbols;
	struct lkst_error err = { 0 };
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
	symbols = parse(text, &err);
	ck_assert_msg(symbols != NULL, "%s", err.text);
	for (uint64_t i = 0; i < 20000; i++) {
		snprintf(name, sizeof(name), "f%llu+0x%llx", (unsigned long long)i,
			 (unsigned long long)(i % 64));
		ck_assert_str_eq(found(symbols, 0xffffffff81000000 + i * 64 + i % 64),
				 i % 3 ? name : "-");
	}
	lkst_symbols_free(symbols);
	free(text);
}
END_TEST

START_TEST(test_far_too_many)
{
	char *text;

	/* No kernel calls from so many places: memory stays bounded. */
	kallsyms(KERNEL);
	use(0xffffffff81000001);
	for (uint64_t i = 0; i < 1 << 19; i++)
		use(0xffffffff90000000 + i);
	text = resolve();
	ck_assert_str_eq(text, HEAD "ffffffff81000000 ffffffff81000100 _text\n");
	free(text);
}
END_TEST

START_TEST(test_this_system)
{
	struct lkst_symbols *symbols;
	struct lkst_error err = { 0 };
	size_t len;
	char *text;

	use(0xffffffff81000001);
	text = lkst_addresses_resolve(addresses, LKST_SYMBOLS_PATH, &len, &err);
	ck_assert_ptr_nonnull(text);
	symbols = lkst_symbols_parse(text, len, "system", &err);
	ck_assert_msg(symbols != NULL, "%s", err.text);
	lkst_symbols_free(symbols);
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("symbols");
	TCase *tc = tcase_create("text"), *list = tcase_create("list");

	check_id(tc, test_find);
	tcase_add_loop_test(tc, test_bad, 0, sizeof(bad) / sizeof(*bad));
	check_id(tc, test_long_names);
	check_id(tc, test_add_up);
	suite_add_tcase(suite, tc);
	tcase_set_timeout(list, 60);
	tcase_add_checked_fixture(list, setup, teardown);
	check_id(list, test_nearest);
	check_id(list, test_list_when_asked);
	check_id(list, test_no_code);
	check_id(list, test_modules);
	check_id(list, test_start_of_a_module);
	check_id(list, test_in_any_order);
	check_id(list, test_hidden);
	check_id(list, test_no_list);
	check_id(list, test_empty_list);
	check_id(list, test_odd_lines);
	check_id(list, test_which_arguments);
	check_id(list, test_thirty_two_bits);
	check_id(list, test_many);
	check_id(list, test_far_too_many);
	check_id(list, test_this_system);
	suite_add_tcase(suite, list);
	return run_suite(suite);
}
