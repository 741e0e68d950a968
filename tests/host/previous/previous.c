// SPDX-License-Identifier: GPL-2.0
/*
 * Runs in the VM of tests/host/previous_kernel.t. Lists and reads previous boots with the ioctls of
 * the device. The program checks the headers without LKST's library, which has its own tests. It
 * uses the library only to compute checksums.
 *
 * previous list                prints the number of slots, and each previous boot
 * previous mark NUMBER         records a mark
 * previous look BOOT           prints the headers and the marks in the memory of a boot
 * previous was-read BOOT       acknowledges a boot, so that a later boot may take its slot
 * previous errors BOOT         tests which requests are refused (prints TAP)
 */
#include <stddef.h>
#include <sys/mman.h>

#include <linux/lkst_previous.h>

#include "../../vm/buffers.h"
#include "lib/base/crc32c.h"

static uint64_t address(const void *at)
{
	return (uintptr_t)at;
}

/* The id of a boot, which the command line gives in hexadecimal digits. */
static __u8 boot[LKST_IMAGE_BOOT_LEN];

static void parse_boot(const char *text)
{
	for (int i = 0; i < LKST_IMAGE_BOOT_LEN; i++)
		bail_if(sscanf(text + 2 * i, "%2hhx", &boot[i]) != 1, text);
}

static int list(void)
{
	struct lkst_previous_listent ent[LKST_IMAGE_BOOT_SLOTS_MAX];
	struct lkst_previous_listparam param = {
		.listent = address(ent),
		.listent_num = LKST_IMAGE_BOOT_SLOTS_MAX,
	};

	need(lkst(LKST_IOC_PREVIOUS_LIST, &param), "PREVIOUS_LIST");
	printf("parts %d size %llu own %d boots %d\n", param.slot_num, (ull)param.slot_size,
	       param.own, param.boot_num);
	for (int i = 0; i < param.boot_num; i++) {
		for (int byte = 0; byte < LKST_IMAGE_BOOT_LEN; byte++)
			printf("%02x", ent[i].boot[byte]);
		printf(" number %llu part %u size %llu %s\n", (ull)ent[i].number, ent[i].slot,
		       (ull)ent[i].size, ent[i].state == LKST_BOOT_SLOT_READ ? "read" : "unread");
	}
	return 0;
}

static int was_read(void)
{
	struct lkst_previous_doneparam param;

	memcpy(param.boot, boot, sizeof(boot));
	need(lkst(LKST_IOC_PREVIOUS_DONE, &param), "PREVIOUS_DONE");
	return 0;
}

/* --- The memory of a boot */

static bool is_whole(const struct lkst_image_header *header)
{
	return !memcmp(header->magic, LKST_IMAGE_MAGIC, sizeof(header->magic)) &&
	       !memcmp(header->boot, boot, sizeof(header->boot)) &&
	       header->checksum ==
		       lkst_crc32c(&header->version,
				   (const char *)(&header->metadata + 1) - (const char *)&header->version);
}

/* Print the marks among the records in the @size bytes at @data. */
static void print_marks(const char *data, size_t size)
{
	const struct lkst_event_record *record = (const void *)data,
				       *end = (const void *)(data + size);

	for (; record < end; record++)
		if (record->event_type == USER_MARK && record->clock)
			printf("mark %llu\n", (ull)record->arg[0]);
}

static int look(void)
{
	const size_t room = 1 << 26;
	char *part = malloc(room);
	struct lkst_previous_readparam param = { .length = room, .buffer = address(part) };
	size_t size;

	bail_if(!part, "malloc");
	memcpy(param.boot, boot, sizeof(boot));
	need(lkst(LKST_IOC_PREVIOUS_READ, &param), "PREVIOUS_READ");
	size = param.result_length;
	printf("size %zu\n", size);
	for (size_t at = 0; at < size; at += LKST_IMAGE_PAGE) {
		const struct lkst_image_header *header = (const void *)(part + at);

		if (!is_whole(header))
			continue;
		printf("kind %u copy %u cpu %d length %llu at %zu\n", header->kind, header->copy,
		       header->cpu, (ull)header->length, at);
		if (header->kind == LKST_IMAGE_BUFFER && !header->copy &&
		    header->length <= size - at - LKST_IMAGE_PAGE)
			print_marks(part + at + LKST_IMAGE_PAGE, header->length);
	}
	free(part);
	return 0;
}

/* --- Requests that are refused */

static void *map(int protection)
{
	void *page = mmap(NULL, LKST_IMAGE_PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	bail_if(page == MAP_FAILED, "mmap");
	return page;
}

static void list_errors(void)
{
	struct lkst_previous_listent one[2] = { { .number = 0 }, { .number = 4711 } };
	const struct {
		const char *desc;
		uint64_t listent;
		int listent_num, error, boots;
	} row[] = {
		{ "LIST: no buffer", 0, 1, EINVAL },
		{ "LIST: an inaccessible buffer", address(map(PROT_NONE)), 1, EINVAL },
		{ "LIST: a read-only buffer", address(map(PROT_READ)), 1, EINVAL },
		{ "LIST: a negative number", address(one), -1, EINVAL },
		{ "LIST: only the number of boots", 0, 0, 0, 2 },
		{ "LIST: a buffer for fewer boots", address(one), 1, 0, 2 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct lkst_previous_listparam param = { .listent = row[i].listent,
							 .listent_num = row[i].listent_num };

		gives(lkst(LKST_IOC_PREVIOUS_LIST, &param), row[i].error, "%s", row[i].desc);
		if (row[i].boots)
			ok(param.boot_num == row[i].boots, "%s: the number is returned", row[i].desc);
	}
	ok(one[0].number && one[1].number == 4711, "LIST: only as many as fit are written");
	gives(lkst(LKST_IOC_PREVIOUS_LIST, map(PROT_READ)), EINVAL, "LIST: a read-only argument");
	gives(lkst(LKST_IOC_PREVIOUS_LIST, NULL), EINVAL, "LIST: no argument");
}

static void read_errors(uint64_t size)
{
	unsigned char bytes[64], all[64], other[64];
	const struct {
		const char *desc;
		uint64_t offset, length, buffer;
		int error;
		uint64_t result_length;
		bool other_boot;
	} row[] = {
		{ "READ", 0, 64, address(all), 0, 64 },
		{ "READ: a piece", 4, 4, address(bytes), 0, 4 },
		{ "READ: across the end", size - 10, 64, address(other), 0, 10 },
		{ "READ: at the end", size, 64, address(other), 0, 0 },
		{ "READ: far beyond the end", INT64_MAX, 64, address(other), 0, 0 },
		{ "READ: no bytes", 0, 0, address(other), 0, 0 },
		{ "READ: a negative offset", -1, 64, address(other), EINVAL },
		{ "READ: a negative length", 0, -1, address(other), EINVAL },
		{ "READ: an unknown boot", 0, 64, address(other), EINVAL, .other_boot = true },
		{ "READ: no buffer", 0, 64, 0, EINVAL },
		{ "READ: an inaccessible buffer", 0, 64, address(map(PROT_NONE)), EINVAL },
		{ "READ: a read-only buffer", 0, 64, address(map(PROT_READ)), EINVAL },
	};

	memset(bytes, 0x55, sizeof(bytes));
	for (size_t i = 0; i < ARRAY_SIZE(row); i++) {
		struct lkst_previous_readparam param = { .offset = row[i].offset,
							 .length = row[i].length,
							 .buffer = row[i].buffer };

		memcpy(param.boot, boot, sizeof(boot));
		param.boot[3] ^= row[i].other_boot;
		gives(lkst(LKST_IOC_PREVIOUS_READ, &param), row[i].error, "%s", row[i].desc);
		if (!row[i].error)
			ok(param.result_length == row[i].result_length, "%s: %llu bytes",
			   row[i].desc, (ull)row[i].result_length);
	}
	ok(!memcmp(all, LKST_IMAGE_MAGIC, 8), "READ: the slot begins with its header");
	ok(!memcmp(bytes, all + 4, 4) && bytes[4] == 0x55, "READ: no byte beyond the length is written");
}

/* Test that the requests need permission even on a device that the superuser has opened. */
static void unprivileged_errors(void)
{
	struct lkst_previous_listparam list = { .listent_num = 0 };
	struct lkst_previous_readparam read = { .length = 0 };
	struct lkst_previous_doneparam done;

	memcpy(done.boot, boot, sizeof(boot));
	memcpy(read.boot, boot, sizeof(boot));
	need(setuid(1000), "setuid");
	gives(lkst(LKST_IOC_PREVIOUS_LIST, &list), EPERM, "LIST: not the superuser");
	gives(lkst(LKST_IOC_PREVIOUS_READ, &read), EPERM, "READ: not the superuser");
	gives(lkst(LKST_IOC_PREVIOUS_DONE, &done), EPERM, "DONE: not the superuser");
}

static int errors(void)
{
	struct lkst_previous_listparam param = { .listent_num = 0 };
	struct lkst_previous_doneparam other;

	need(lkst(LKST_IOC_PREVIOUS_LIST, &param), "PREVIOUS_LIST");
	list_errors();
	read_errors(param.slot_size);
	memcpy(other.boot, boot, sizeof(boot));
	other.boot[15] ^= 1;
	gives(lkst(LKST_IOC_PREVIOUS_DONE, &other), EINVAL, "DONE: an unknown boot");
	gives(lkst(LKST_IOC_PREVIOUS_DONE, NULL), EINVAL, "DONE: no argument");
	unprivileged_errors();
	return done_testing();
}

int main(int argc, char **argv)
{
	const char *command = argc > 1 ? argv[1] : "", *arg = argc > 2 ? argv[2] : "";

	open_lkst();
	if (!strcmp(command, "list"))
		return list();
	if (!strcmp(command, "mark"))
		return mark(atoi(arg), 0, 0, 0);
	parse_boot(arg);
	if (!strcmp(command, "look"))
		return look();
	if (!strcmp(command, "was-read"))
		return was_read();
	if (!strcmp(command, "errors"))
		return errors();
	fprintf(stderr, "previous list|mark NUMBER|look BOOT|was-read BOOT|errors BOOT\n");
	return 2;
}
