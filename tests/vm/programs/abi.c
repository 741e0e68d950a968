// SPDX-License-Identifier: GPL-2.0
/* also: -m32 */
/* Tests the rules of /dev/lkst_user_events. Each row of a table is a test of one rule. */
#include <limits.h>
#include <sys/mman.h>

#include "user.h"

/* Address of a page that must not be accessed */
static char *bad_address;

/* A word that no other registration uses */
static uint64_t *fresh(void)
{
	static unsigned int used;

	return &user_words[used++];
}

/* Errors of LKST_USER_REG that do not depend on the text */
static const struct {
	const char *what;
	unsigned int size, bit, enable_size, flags, misaligned;
	int error;
} reg_rows[] = {
	{ "size 28", 28, 0, 4, 0, 0, 0 },
	{ "size 0", 0, 0, 4, 0, 0, EINVAL },
	{ "size 27", 27, 0, 4, 0, 0, EINVAL },
	{ "size 29, rest 0", 29, 0, 4, 0, 0, 0 },
	{ "size 4096, rest 0", 4096, 0, 4, 0, 0, 0 },
	{ "size 4097", 4097, 0, 4, 0, 0, E2BIG },
	{ "flag 4", 28, 0, 4, 4, 0, EINVAL },
	{ "flag 0x8000", 28, 0, 4, 0x8000, 0, EINVAL },
	{ "word of 0 bytes", 28, 0, 0, 0, 0, EINVAL },
	{ "word of 1 byte", 28, 0, 1, 0, 0, EINVAL },
	{ "word of 2 bytes", 28, 0, 2, 0, 0, EINVAL },
	{ "word of 3 bytes", 28, 0, 3, 0, 0, EINVAL },
	{ "word of 8 bytes", 28, 0, 8, 0, 0, 0 },
	{ "word of 16 bytes", 28, 0, 16, 0, 0, EINVAL },
	{ "bit 31 of 4 bytes", 28, 31, 4, 0, 0, 0 },
	{ "bit 32 of 4 bytes", 28, 32, 4, 0, 0, EINVAL },
	{ "bit 63 of 8 bytes", 28, 63, 8, 0, 0, 0 },
	{ "bit 64 of 8 bytes", 28, 64, 8, 0, 0, EINVAL },
	{ "bit 255", 28, 255, 8, 0, 0, EINVAL },
	{ "word of 4 bytes at 4 modulo 8", 28, 0, 4, 0, 4, 0 },
	{ "word of 8 bytes at 4 modulo 8", 28, 0, 8, 0, 4, EINVAL },
	{ "word at 1 modulo 4", 28, 0, 4, 0, 1, EINVAL },
	{ "word at 2 modulo 4", 28, 0, 4, 0, 2, EINVAL },
};

static void check_registering(void)
{
	static struct {
		struct lkst_user_reg reg;
		char rest[5000];
	} big;
	struct lkst_user_reg *reg = &big.reg;
	uint64_t *word = fresh();
	int fd = user_open();

	for (unsigned int i = 0; i < ARRAY_SIZE(reg_rows); i++) {
		memset(&big, 0, sizeof(big));
		*reg = (struct lkst_user_reg){
			.size = reg_rows[i].size,
			.enable_bit = reg_rows[i].bit,
			.enable_size = reg_rows[i].enable_size,
			.flags = reg_rows[i].flags,
			.enable_addr = (uintptr_t)word + reg_rows[i].misaligned,
			.name_args = (uintptr_t) "abi_reg u32 a",
		};
		gives(ioctl_errno(fd, LKST_USER_REG, &big), reg_rows[i].error, "register: %s",
		      reg_rows[i].what);
		if (!reg_rows[i].error)
			need(user_unregister_bit(fd, (char *)word + reg_rows[i].misaligned,
						 reg_rows[i].bit), "unregister");
	}
	memset(&big, 0, sizeof(big));
	*reg = (struct lkst_user_reg){ .size = 40, .enable_size = 4,
				       .enable_addr = (uintptr_t)word,
				       .name_args = (uintptr_t) "abi_reg u32 a" };
	big.rest[40 - sizeof(*reg) - 1] = 1;
	gives(ioctl_errno(fd, LKST_USER_REG, &big), E2BIG, "register: size 40, rest not 0");

	*reg = (struct lkst_user_reg){ .size = sizeof(*reg), .enable_size = 4,
				       .enable_addr = (uintptr_t)word,
				       .name_args = (uintptr_t)bad_address };
	gives(ioctl_errno(fd, LKST_USER_REG, reg), EFAULT, "register: wrong address of the text");
	reg->name_args = (uintptr_t) "abi_reg u32 a";
	reg->enable_addr = (uintptr_t)bad_address;
	gives(ioctl_errno(fd, LKST_USER_REG, reg), EFAULT, "register: wrong address of the word");
	reg->enable_addr = ~7ull;
	gives(ioctl_errno(fd, LKST_USER_REG, reg), EFAULT,
	      "register: address of the word above all addresses");
	gives(ioctl_errno(fd, LKST_USER_REG, bad_address), EFAULT,
	      "register: wrong address of the structure");
	gives(ioctl_errno(fd, LKST_USER_REG, NULL), EFAULT, "register: no structure");

	need(user_register(fd, "abi_reg u32 a", 0, word, NULL), "register");
	gives(user_register(fd, "abi_reg u32 a", 0, word, NULL), EADDRINUSE,
	      "register: the same bit again");
	gives(user_register(fd, "bad:name u32 a", 0, word, NULL), EADDRINUSE,
	      "register: the same bit again, with a wrong text");
	*reg = (struct lkst_user_reg){ .size = sizeof(*reg), .enable_size = 4, .enable_bit = 1,
				       .enable_addr = (uintptr_t)word,
				       .name_args = (uintptr_t) "abi_reg u32 a" };
	gives(ioctl_errno(fd, LKST_USER_REG, reg), 0, "register: another bit of the word");
	gives(ioctl_errno(fd, _IOWR('*', 3, void *), reg), ENOTTY, "unknown request");
	gives(ioctl_errno(fd, LKST_IOC_TRC_STATUS, reg), ENOTTY, "request of /dev/lkst");
	gives(user_unregister_bit(fd, word, 1), 0, "unregister: another bit of the word");
	need(user_unregister(fd, word), "unregister");
	close(fd);
}

/*
 * Texts to register. The test inserts the name of the event, abi_text and a number, before each
 * text. If @error is 0, the event must have @fields in /proc/lkst_etypes, and @chain says whether
 * its records are chains.
 */
static const struct {
	const char *text;
	int error;
	bool chain;
	const char *fields;
} text_rows[] = {
	{ "", 0, false, "" },
	{ " ", 0, false, "" },
	{ ":flag", EINVAL, false, NULL },
	{ ":", EINVAL, false, NULL },
	{ ": u32 a", EINVAL, false, NULL },
	{ " u8 a", 0, false, "u8 a" },
	{ " s8 a", 0, false, "s8 a" },
	{ " u16 a", 0, false, "u16 a" },
	{ " s16 a", 0, false, "s16 a" },
	{ " u32 a", 0, false, "u32 a" },
	{ " s32 a", 0, false, "s32 a" },
	{ " u64 a", 0, false, "u64 a" },
	{ " s64 a", 0, false, "s64 a" },
	{ " int a", 0, false, "int a" },
	{ " unsigned int a", 0, false, "unsigned int a" },
	{ " short a", 0, false, "short a" },
	{ " unsigned short a", 0, false, "unsigned short a" },
	{ " char a", 0, false, "char a" },
	{ " unsigned char a", 0, false, "unsigned char a" },
	{ " char[20] a", 0, false, "char[20] a" },
	{ " unsigned char[20] a", 0, false, "unsigned char[20] a" },
	{ " char[32] a", 0, false, "char[32] a" },
	{ " char[33] a", 0, true, "char[33] a" },
	{ " char[1024] a", 0, true, "char[1024] a" },
	{ " char[1025] a", EINVAL, false, NULL },
	{ " char[0] a", EINVAL, false, NULL },
	{ " char[x] a", EINVAL, false, NULL },
	{ " char[20 a", EINVAL, false, NULL },
	{ " char[] a", EINVAL, false, NULL },
	{ " long a", EINVAL, false, NULL },
	{ " unsigned long a", EINVAL, false, NULL },
	{ " u128 a", EINVAL, false, NULL },
	{ " float a", EINVAL, false, NULL },
	{ " x64 a", EINVAL, false, NULL },
	{ " symbol a", EINVAL, false, NULL },
	{ " u32", EINVAL, false, NULL },
	{ " u32 a 4", EINVAL, false, NULL },
	{ " u32 a b c", EINVAL, false, NULL },
	{ " struct x a 20", 0, false, "struct x a 20" },
	{ " struct x a 40", 0, true, "struct x a 40" },
	{ " struct x a", EINVAL, false, NULL },
	{ " struct x a 0", EINVAL, false, NULL },
	{ " struct x a y", EINVAL, false, NULL },
	{ " struct x", EINVAL, false, NULL },
	{ " struct", EINVAL, false, NULL },
	{ " __data_loc char[] a", 0, true, "__data_loc char[] a" },
	{ " __rel_loc char[] a", 0, true, "__rel_loc char[] a" },
	{ " __rel_loc unsigned char[] a", 0, true, "__rel_loc unsigned char[] a" },
	{ " __rel_loc u8[] a", 0, true, "__rel_loc u8[] a" },
	{ " __rel_loc a", EINVAL, false, NULL },
	{ " u32 a;u32 b", 0, false, "u32 a; u32 b" },
	{ " u32 a; u32 b", 0, false, "u32 a; u32 b" },
	{ " u32 a; u32 b;", 0, false, "u32 a; u32 b" },
	{ " u64 a;u64 b;u64 c;u64 d", 0, false, "u64 a; u64 b; u64 c; u64 d" },
	{ " u64 a;u64 b;u64 c;u64 d;u8 e", 0, true, "u64 a; u64 b; u64 c; u64 d; u8 e" },
	{ " u32 a;long b", EINVAL, false, NULL },
	{ " u32 a;;u32 b", 0, false, "u32 a; u32 b" },
	{ " u32 caf\303\251", 0, false, "u32 caf\\303\\251" },
	{ " u32 a\"b\\", 0, false, "u32 a\\042b\\134" },
};

static void check_texts(void)
{
	char text[200], name[100];

	for (unsigned int i = 0; i < ARRAY_SIZE(text_rows); i++) {
		int fd = user_open(), error;
		uint64_t *word = fresh();
		struct user_line line;

		snprintf(name, sizeof(name), "abi_text%u", i);
		snprintf(text, sizeof(text), "%s%s", name, text_rows[i].text);
		error = user_register(fd, text, 0, word, NULL);
		gives(error, text_rows[i].error, "text \"%s\"", text);
		snprintf(name, sizeof(name), "user_events:abi_text%u", i);
		line = user_find(name);
		ok(line.present == !text_rows[i].error, "text \"%s\": the event %s", text,
		   text_rows[i].error ? "does not exist" : "exists");
		if (!text_rows[i].error) {
			ok(!strcmp(line.fields, text_rows[i].fields), "text \"%s\": fields", text);
			if (strcmp(line.fields, text_rows[i].fields))
				diag("got \"%s\"", line.fields);
			ok(line.chain == text_rows[i].chain, "text \"%s\": %s", text,
			   text_rows[i].chain ? "a chain" : "one record");
		}
		if (!error)
			need(user_unregister(fd, word), "unregister");
		close(fd);
	}
}

/* Register a text of @bytes bytes, including the NUL. The text is only a name. */
static int register_length(int fd, size_t bytes, uint64_t *word)
{
	char text[600];

	memset(text, 'n', sizeof(text));
	text[bytes - 1] = 0;
	return user_register(fd, text, 0, word, NULL);
}

static void check_lengths(void)
{
	uint64_t *word = fresh();
	int fd = user_open();

	gives(register_length(fd, 512, word), 0, "text of 512 bytes");
	need(user_unregister(fd, word), "unregister");
	gives(register_length(fd, 513, word), EINVAL, "text of 513 bytes");
	gives(user_register(fd, "", 0, word, NULL), EINVAL, "empty text");
	close(fd);
}

/*
 * Two registrations of one name: @first with flags @first_flags, then @second. @same says whether
 * both must be the same event.
 */
static const struct {
	const char *first;
	unsigned int first_flags;
	const char *second;
	unsigned int second_flags;
	int error;
	bool same;
} same_rows[] = {
	{ "abi_same", 0, "abi_same", 0, 0, true },
	{ "abi_same u32 a", 0, "abi_same u32 a", 0, 0, true },
	{ "abi_same u32 a", 0, "abi_same u32 a;", 0, 0, true },
	{ "abi_same u32 a;u32 b", 0, "abi_same u32 a; u32 b", 0, 0, true },
	{ "abi_same u32 a; u32 b", 0, "abi_same u32 a;u32 b", 0, 0, true },
	{ "abi_same u32 a; u32 b", 0, "abi_same u32 a;  u32 b", 0, 0, true },
	{ "abi_same struct x a 20", 0, "abi_same struct x a 20", 0, 0, true },
	{ "abi_same u32 a", 0, "abi_same", 0, EADDRINUSE, false },
	{ "abi_same", 0, "abi_same u32 a", 0, EADDRINUSE, false },
	{ "abi_same u32 a", 0, "abi_same u32 b", 0, EADDRINUSE, false },
	{ "abi_same u32 a", 0, "abi_same s32 a", 0, EADDRINUSE, false },
	{ "abi_same u32 a", 0, "abi_same u32 a; u32 b", 0, EADDRINUSE, false },
	{ "abi_same u32 a; u32 b", 0, "abi_same u32 b; u32 a", 0, EADDRINUSE, false },
	{ "abi_same struct x a 20", 0, "abi_same struct x a 21", 0, EADDRINUSE, false },
	{ "abi_same u32 a", 0, "abi_same long a", 0, EADDRINUSE, false },
	{ "abi_same u32 a", 0, "abi_same:flag u32 a", 0, EINVAL, false },
	{ "abi_same u32 a", 2, "abi_same u32 a", 2, 0, true },
	{ "abi_same u32 a", 2, "abi_same u32 b", 2, 0, false },
	{ "abi_same u32 a", 2, "abi_same u32 a", 0, 0, false },
	{ "abi_same u32 a", 0, "abi_same u32 a", 2, 0, false },
	{ "abi_same u32 a", 2, "abi_same long a", 2, EINVAL, false },
};

static void check_same_names(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(same_rows); i++) {
		uint64_t *one = fresh(), *other = fresh();
		int fd = user_open(), first, second;

		need(user_register(fd, same_rows[i].first, same_rows[i].first_flags, one, &first),
		     "register");
		gives(user_register(fd, same_rows[i].second, same_rows[i].second_flags, other,
				    &second), same_rows[i].error, "\"%s\" (%u), then \"%s\" (%u)",
		      same_rows[i].first, same_rows[i].first_flags, same_rows[i].second,
		      same_rows[i].second_flags);
		if (!same_rows[i].error) {
			ok((first == second) == same_rows[i].same, "  they are %s",
			   same_rows[i].same ? "one event" : "two events");
			need(user_unregister(fd, other), "unregister");
		}
		need(user_unregister(fd, one), "unregister");
		close(fd);
		user_becomes("user_events:abi_same", false);
	}
}

static void check_indices(void)
{
	int one = user_open(), other = user_open(), index[6] = {}, again;
	uint64_t *words[8];
	char text[30];

	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++)
		words[i] = fresh();
	for (int i = 0; i < 6; i++) {
		snprintf(text, sizeof(text), "abi_index%d u32 a", i);
		need(user_register(one, text, 0, words[i], &index[i]), "register");
		equal(index[i], i, "event %d of a file has index %d", i, i);
	}
	need(user_register(one, "abi_index3 u32 a", 0, words[6], &again), "register");
	equal(again, 3, "an event has the same index again in the same file");
	need(user_register(other, "abi_index5 u32 a", 0, words[7], &again), "register");
	equal(again, 0, "another file has its own indices");
	for (unsigned int i = 0; i < ARRAY_SIZE(words); i++)
		need(user_unregister(one, words[i]), "unregister");
	close(one);
	close(other);
}

/* A write(): the index of an event with @fields, then @bytes bytes of @payload. */
struct payload_row {
	const char *fields;
	const char *payload;
	int bytes;
	int error;
};

static const struct payload_row payload_rows[] = {
	{ "", "", 0, 0 },
	{ "", "more", 4, 0 },
	{ "u8 a", "x", 1, 0 },
	{ "u8 a", "", 0, EINVAL },
	{ "u32 a", "abcd", 4, 0 },
	{ "u32 a", "abc", 3, EINVAL },
	{ "u32 a", "abcde", 5, 0 },
	{ "u32 a", "abcdefgh", 8, 0 },
	{ "u64 a", "abcdefgh", 8, 0 },
	{ "u64 a", "abcdefg", 7, EINVAL },
	{ "u16 a; u8 b", "abc", 3, 0 },
	{ "char[31] a", "0123456789abcdefghijklmnopqrstu", 31, 0 },
	{ "char[32] a", "0123456789abcdefghijklmnopqrstuv", 32, 0 },
	{ "char[32] a", "0123456789abcdefghijklmnopqrstu", 31, EINVAL },
	{ "char[32] a", "0123456789abcdefghijklmnopqrstuv++++", 36, 0 },
	{ "char[33] a", "0123456789abcdefghijklmnopqrstuvw", 33, 0 },
	{ "char[33] a", "0123456789abcdefghijklmnopqrstuv", 32, EINVAL },
	{ "char[40] a", "0123456789abcdefghijklmnopqrstuvwxyzABCD", 40, 0 },
	{ "char[40] a", "0123456789abcdefghijklmnopqrstuvwxyzABCD and more, up to 64 byte", 64, 0 },
	/* __rel_loc: the offset from the end of the location, and the size */
	{ "__rel_loc char[] a", "\0\0\1\0", 5, 0 },
	{ "__rel_loc char[] a", "\0\0\6\0hello", 10, 0 },
	{ "__rel_loc char[] a", "\0\0\5\0hello", 9, EFAULT },
	{ "__rel_loc char[] a", "\0\0\6\0hello", 9, EFAULT },
	{ "__rel_loc char[] a", "\1\0\6\0.hello", 11, 0 },
	{ "__rel_loc char[] a", "\2\0\6\0.hello", 11, EFAULT },
	{ "__rel_loc char[] a", "\0\0\1\0", 3, EINVAL },
	{ "__rel_loc char[] a", "\377\377\377\377hello", 10, EFAULT },
	{ "__rel_loc u8[] a", "\0\0\5\0hello", 9, 0 },
	{ "__rel_loc u8[] a", "\0\0\6\0hello", 9, EFAULT },
	{ "u32 a; __rel_loc char[] b", "aaaa\0\0\6\0hello", 14, 0 },
	/* __data_loc: the offset from 8 bytes before the payload, and the size */
	{ "__data_loc char[] a", "\14\0\6\0hello", 10, 0 },
	{ "__data_loc char[] a", "\15\0\6\0hello", 10, EFAULT },
	{ "__data_loc char[] a", "\14\0\5\0hello", 10, EFAULT },
	{ "__data_loc u8[] a", "\14\0\5\0hello", 10, 0 },
};

static int write_row(int fd, int index, const struct payload_row *row, bool v)
{
	return v ? user_writev(fd, index, row->payload, row->bytes) :
		   user_write(fd, index, row->payload, row->bytes);
}

static void check_payload(const struct payload_row *row, unsigned int number, bool v)
{
	unsigned char got[LKST_CHAIN_BYTES_MAX], wanted[32] = {};
	const char *call = v ? "writev" : "write";
	char text[200], label[60];
	uint64_t *word = fresh();
	int fd = user_open(), index, bytes;
	struct user_line line;
	unsigned int flags;
	size_t num;

	snprintf(label, sizeof(label), "user_events:abi_data%u", number);
	snprintf(text, sizeof(text), "abi_data%u %s", number, row->fields);
	need(user_register(fd, text, 0, word, &index), "register \"%s\"", text);
	line = user_find(label);
	gives(write_row(fd, index, row, v), row->error == EINVAL ? EINVAL : EBADF,
	      "%s of %d bytes, \"%s\", not recorded", call, row->bytes, row->fields);
	user_record();
	gives(write_row(fd, index, row, v), row->error, "%s of %d bytes, \"%s\"", call,
	      row->bytes, row->fields);
	num = user_read();
	equal(user_count(num, line.etype), !row->error, "  %s", row->error ? "no record" :
	      line.chain ? "one chain" : "one record");
	bytes = user_payload(num, line.etype, line.chain, got, &flags);
	if (!row->error && line.chain) {
		equal(bytes, row->bytes, "  all bytes are there");
		ok(!flags && !memcmp(got, row->payload, row->bytes), "  the bytes are right");
	} else if (!row->error) {
		memcpy(wanted, row->payload, row->bytes < 32 ? row->bytes : 32);
		ok(bytes == 32 && !memcmp(got, wanted, 32), "  the bytes are right");
	}
	need(user_unregister(fd, word), "unregister");
	close(fd);
}

static void check_payloads(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(payload_rows); i++)
		for (int v = 0; v < 2; v++)
			check_payload(&payload_rows[i], i, v);
}

/* Payloads that fill more than one record, and payloads that are longer than a chain can be */
static void check_long(void)
{
	static unsigned char got[LKST_CHAIN_BYTES_MAX];
	size_t sizes[] = { 24, 25, 4096, LKST_CHAIN_BYTES_MAX, LKST_CHAIN_BYTES_MAX + 1, 100000 };
	int fd = user_open(), index, etype;
	uint64_t *word = fresh();
	unsigned char *payload;
	unsigned int flags;

	need(user_register(fd, "abi_long char[24] a; __rel_loc u8[] b", 0, word, &index), "register");
	etype = user_find("user_events:abi_long").etype;
	for (unsigned int i = 0; i < ARRAY_SIZE(sizes); i++) {
		size_t bytes = sizes[i] + 4, num;
		size_t kept = bytes < LKST_CHAIN_BYTES_MAX ? bytes : LKST_CHAIN_BYTES_MAX;

		payload = calloc(1, bytes);
		bail_if(!payload, "memory");
		for (size_t at = 28; at < bytes; at++)
			payload[at] = at * 7;
		user_record();
		gives(user_write(fd, index, payload, bytes), 0, "write of %zu bytes", bytes);
		num = user_read();
		equal(user_payload(num, etype, true, got, &flags), kept, "  %zu bytes are there",
		      kept);
		ok(!memcmp(got, payload, kept), "  the bytes are right");
		equal(flags, bytes > kept ? LKST_CHAIN_CUT : 0, "  %s",
		      bytes > kept ? "marked as cut" : "not marked as cut");
		free(payload);
	}
	need(user_unregister(fd, word), "unregister");
	close(fd);
}

static void check_faults(void)
{
	size_t page = sysconf(_SC_PAGESIZE);
	int fd = user_open(), one, chain, index;
	uint64_t *words[2] = { fresh(), fresh() };
	char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t num;

	bail_if(pages == MAP_FAILED, "mmap");
	bail_if(mprotect(pages + 2 * page, page, PROT_NONE), "mprotect");
	need(user_register(fd, "abi_fault1 u64 a", 0, words[0], &one), "register");
	need(user_register(fd, "abi_fault2 u64 a; u64 b; u64 c; u64 d; u64 e", 0, words[1], &chain),
	     "register");
	user_record();
	for (int i = 0; i < 2; i++) {
		size_t bytes = i ? 44 : 12;

		index = i ? chain : one;
		/*
		 * The index is at the end of a page. The payload is in the next page, which is not
		 * present.
		 */
		memcpy(pages + page - 4, &index, 4);
		bail_if(madvise(pages + page, page, MADV_DONTNEED), "madvise");
		ok(write(fd, pages + page - 4, bytes) == (ssize_t)bytes,
		   "write of %zu bytes from a page that is faulted in", bytes);
		memcpy(pages + 2 * page - 8, &index, 4);
		ok(write(fd, pages + 2 * page - 8, bytes) < 0 && errno == EFAULT,
		   "write of %zu bytes that end in a wrong page", bytes);
		ok(write(fd, pages + 2 * page - 2, bytes) < 0 && errno == EFAULT,
		   "write of %zu bytes, index in a wrong page", bytes);
	}
	num = user_read();
	equal(user_count(num, user_find("user_events:abi_fault1").etype), 1, "one is recorded");
	equal(user_count(num, user_find("user_events:abi_fault2").etype), 1, "one is recorded");
	need(user_unregister(fd, words[0]), "unregister");
	need(user_unregister(fd, words[1]), "unregister");
	munmap(pages, 3 * page);
	close(fd);
}

static void check_writing(void)
{
	int fd = user_open(), other = user_open(), index;
	uint64_t *word = fresh();
	char data[8] = {};

	need(user_register(fd, "abi_write u32 a", 0, word, &index), "register");
	user_record();
	gives(user_write(fd, -1, "abcd", 4), EINVAL, "write: index -1");
	gives(user_write(fd, INT_MIN, "abcd", 4), EINVAL, "write: index INT_MIN");
	gives(user_write(fd, index + 1, "abcd", 4), ENOENT, "write: unknown index");
	gives(user_write(fd, INT_MAX, "abcd", 4), ENOENT, "write: index INT_MAX");
	gives(user_write(other, index, "abcd", 4), ENOENT, "write: index of another file");
	gives(user_write(fd, index + 1, "", 0), ENOENT, "write: unknown index comes before size");
	ok(write(fd, data, 0) < 0 && errno == EFAULT, "write: no bytes");
	ok(write(fd, data, 3) < 0 && errno == EFAULT, "write: three bytes");
	ok(write(fd, data, 4) < 0 && errno == EINVAL, "write: only an index");
	ok(write(fd, data, 8) == 8, "write: an index and the payload");
	ok(pwrite(fd, data, 8, 0) == 8, "pwrite: offset 0");
	ok(pwrite(fd, data, 8, 1) < 0 && errno == EFAULT, "pwrite: offset 1");
	ok(write(fd, bad_address, 8) < 0 && errno == EFAULT, "write: wrong address");
	ok(write(fd, (void *)-8l, 8) < 0 && errno == EFAULT, "write: address of the kernel");
	equal(user_count(user_read(), user_find("user_events:abi_write").etype), 2,
	      "only the two that were right are recorded");
	gives(user_write(fd, index, "abc", 3), EINVAL, "not recorded: size comes first");
	gives(user_write(fd, index, "abcd", 4), EBADF, "not recorded");
	need(user_unregister(fd, word), "unregister");
	close(other);
	close(fd);
}

static void check_unregistering(void)
{
	struct {
		struct lkst_user_unreg unreg;
		char rest[5000];
	} big = {};
	static const struct {
		const char *what;
		unsigned int size, bit, reserved, reserved2;
		int error;
	} rows[] = {
		{ "size 0", 0, 3, 0, 0, EINVAL },
		{ "size 15", 15, 3, 0, 0, EINVAL },
		{ "size 4097", 4097, 3, 0, 0, E2BIG },
		{ "reserved member", 16, 3, 1, 0, EINVAL },
		{ "second reserved member", 16, 3, 0, 1, EINVAL },
		{ "another bit", 16, 4, 0, 0, ENOENT },
		{ "bit 255", 16, 255, 0, 0, ENOENT },
		{ "size 16", 16, 3, 0, 0, 0 },
		{ "again", 16, 3, 0, 0, ENOENT },
	};
	uint32_t *word = (uint32_t *)fresh();
	struct lkst_user_reg reg = { .size = sizeof(reg), .enable_size = 4, .enable_bit = 3,
				     .enable_addr = (uintptr_t)word,
				     .name_args = (uintptr_t) "abi_unreg u32 a" };
	int fd = user_open();

	need(ioctl_errno(fd, LKST_USER_REG, &reg), "register");
	for (unsigned int i = 0; i < ARRAY_SIZE(rows); i++) {
		big.unreg = (struct lkst_user_unreg){ .size = rows[i].size,
						      .disable_bit = rows[i].bit,
						      .__reserved = rows[i].reserved,
						      .__reserved2 = rows[i].reserved2,
						      .disable_addr = (uintptr_t)word };
		gives(ioctl_errno(fd, LKST_USER_UNREG, &big), rows[i].error, "unregister: %s",
		      rows[i].what);
	}
	big.unreg = (struct lkst_user_unreg){ .size = 20, .disable_addr = (uintptr_t)word };
	big.rest[3] = 1;
	gives(ioctl_errno(fd, LKST_USER_UNREG, &big), E2BIG, "unregister: rest not 0");
	gives(ioctl_errno(fd, LKST_USER_UNREG, bad_address), EFAULT, "unregister: wrong address");
	gives(user_unregister(fd, (uint64_t *)bad_address), ENOENT,
	      "unregister: address that is not registered");
	close(fd);
}

static void check_bits(void)
{
	uint32_t *word = (uint32_t *)fresh();
	struct lkst_user_reg reg = { .size = sizeof(reg), .enable_size = 4, .enable_bit = 5,
				     .enable_addr = (uintptr_t)word,
				     .name_args = (uintptr_t) "abi_bits u32 a" };
	int fd = user_open();

	*word = 0xaaaaaaaa | 1 << 5;
	need(ioctl_errno(fd, LKST_USER_REG, &reg), "register");
	equal(*word, 0xaaaaaaaa & ~(1 << 5), "registering clears the bit: the event is not recorded");
	need(user_unregister_bit(fd, word, 5), "unregister");
	user_record();
	*word = 0x55555555 & ~(1 << 5);
	need(ioctl_errno(fd, LKST_USER_REG, &reg), "register");
	equal(*word, 0x55555555 | 1 << 5, "registering sets the bit: the event is recorded");
	need(user_unregister_bit(fd, word, 5), "unregister");
	equal(*word, 0x55555555 & ~(1 << 5), "unregistering clears the bit of a recorded event");
	user_read();
	close(fd);
}

static void check_deleting(void)
{
	int fd = user_open(), other = user_open();
	uint64_t *word = fresh(), *second = fresh();

	gives(user_delete(other, "abi_none"), ENOENT, "delete: unknown name");
	gives(user_delete(other, bad_address), EFAULT, "delete: wrong address");
	need(user_register(fd, "abi_delete u32 a", 0, word, NULL), "register");
	gives(user_delete(other, "abi_delete"), EBUSY, "delete: in use");
	need(user_unregister(fd, word), "unregister");
	gives(user_delete(other, "abi_delete"), EBUSY, "delete: the file is still open");
	close(fd);
	gives(user_delete(other, "abi_delete"), ENOENT, "delete: ended with the file");

	fd = user_open();
	need(user_register(fd, "abi_delete u32 a", LKST_USER_PERSIST, word, NULL), "register");
	gives(user_delete(other, "abi_delete"), EBUSY, "delete: persistent, in use");
	need(user_unregister(fd, word), "unregister");
	close(fd);
	ok(user_find("user_events:abi_delete").present, "a persistent event does not end");
	gives(value_in_child(drop_admin() ?: user_delete(other, "abi_delete")), 0,
	      "delete: with CAP_PERFMON");
	ok(!user_find("user_events:abi_delete").present, "deleting ends a persistent event");
	gives(user_delete(other, "abi_delete"), ENOENT, "delete: again");

	fd = user_open();
	gives(value_in_child(as_nobody() ?: user_register(fd, "abi_delete u32 a", LKST_USER_PERSIST,
							   word, NULL)), EPERM,
	      "register: persistent, without privileges");
	gives(value_in_child(as_nobody() ?: user_register(fd, "abi_delete long a",
							   LKST_USER_PERSIST, word, NULL)), EPERM,
	      "register: persistent, without privileges, wrong fields");
	gives(value_in_child(as_nobody() ?: user_register(fd, "abi_delete:x u32 a",
							   LKST_USER_PERSIST, word, NULL)), EINVAL,
	      "register: persistent, without privileges, wrong flags");
	need(user_register(fd, "abi_delete u32 a", LKST_USER_PERSIST, word, NULL), "register");
	need(user_unregister(fd, word), "unregister");
	close(fd);
	gives(value_in_child(as_nobody() ?: user_delete(other, "abi_delete")), EPERM,
	      "delete: without privileges");
	need(user_delete(other, "abi_delete"), "delete");

	fd = user_open();
	need(user_register(fd, "abi_delete u32 a", 3, word, NULL), "register");
	need(user_register(fd, "abi_delete u32 b", 3, second, NULL), "register");
	need(user_unregister(fd, word), "unregister");
	need(user_unregister(fd, second), "unregister");
	close(fd);
	gives(user_delete(other, "abi_delete"), 0, "delete: all formats of a name");
	gives(user_delete(other, "abi_delete"), ENOENT, "delete: all of them are deleted");
	close(other);
}

int main(void)
{
	user_begin();
	bad_address = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bail_if(bad_address == MAP_FAILED, "mmap");
	check_registering();
	check_texts();
	check_lengths();
	check_same_names();
	check_indices();
	check_writing();
	check_payloads();
	check_long();
	check_faults();
	check_unregistering();
	check_bits();
	check_deleting();
	user_finish();
	return done_testing();
}
