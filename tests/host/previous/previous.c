// SPDX-License-Identifier: GPL-2.0
/*
 * For tests/host/previous-kernel.t, inside the VM: previous boots through the device, as it hands them
 * out, and what is in the memory that it hands out. The headers are checked here and not by LKST's
 * library, which has other tests.
 *
 * previous list                what there is
 * previous mark NUMBER         record it
 * previous look BOOT           the headers in the memory of a boot, and the marks
 * previous was-read BOOT       so a boot to come may have its part
 * previous errors BOOT         what the requests refuse (TAP)
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <linux/lkst_buffer.h>
#include <linux/lkst_previous.h>

#include "../../vm/tap.h"

#define USER_MARK 0x0e0

static int device;

static uint64_t address(const void *at)
{
	return (uintptr_t)at;
}

static void need(int ret, const char *what)
{
	if (ret)
		bail_out(what);
}

/* --- Boots by their ids: hexadecimal digits */

static void print_boot(const __u8 *boot)
{
	int i;

	for (i = 0; i < LKST_IMAGE_BOOT_LEN; i++)
		printf("%02x", boot[i]);
}

static void parse_boot(__u8 *boot, const char *text)
{
	int i;

	for (i = 0; i < LKST_IMAGE_BOOT_LEN; i++)
		if (sscanf(text + 2 * i, "%2hhx", &boot[i]) != 1)
			bail_out(text);
}

static int list(void)
{
	struct lkst_previous_listent boot[LKST_IMAGE_PARTS_MAX];
	struct lkst_previous_listparam param = {
		.listent = address(boot),
		.listent_num = LKST_IMAGE_PARTS_MAX,
	};
	int i;

	need(ioctl(device, LKST_IOC_PREVIOUS_LIST, &param), "PREVIOUS_LIST");
	printf("parts %d size %llu own %d boots %d\n", param.part_num,
	       (unsigned long long)param.part_size, param.own, param.boot_num);
	for (i = 0; i < param.boot_num; i++) {
		print_boot(boot[i].boot);
		printf(" number %llu part %u size %llu %s\n", (unsigned long long)boot[i].number,
		       boot[i].part, (unsigned long long)boot[i].size,
		       boot[i].state == LKST_PART_READ ? "read" : "unread");
	}
	return 0;
}

static int mark(const char *number)
{
	struct lkst_entry_args entry = { .event_type = USER_MARK, .log_arg1 = atoi(number) };

	need(ioctl(device, LKST_IOC_ENTRY_LOG, &entry), "ENTRY_LOG");
	return 0;
}

static int was_read(const char *text)
{
	struct lkst_previous_doneparam param;

	parse_boot(param.boot, text);
	need(ioctl(device, LKST_IOC_PREVIOUS_DONE, &param), "PREVIOUS_DONE");
	return 0;
}

/* --- What is in the memory of a boot */

/* Bit by bit, as it is defined. */
static uint32_t crc32c(const void *data, size_t len)
{
	const unsigned char *byte = data;
	uint32_t crc = ~0U;
	int bit;

	while (len--) {
		crc ^= *byte++;
		for (bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
	}
	return ~crc;
}

static char *read_all(const __u8 *boot, size_t *size)
{
	const size_t room = 1 << 26;
	struct lkst_previous_readparam param = { .length = room };
	char *part = malloc(room);

	if (!part)
		bail_out("malloc");
	memcpy(param.boot, boot, sizeof(param.boot));
	param.buffer = address(part);
	need(ioctl(device, LKST_IOC_PREVIOUS_READ, &param), "PREVIOUS_READ");
	*size = param.result_length;
	return part;
}

static bool is_whole(const struct lkst_image_header *header, const __u8 *boot)
{
	return !memcmp(header->magic, LKST_IMAGE_MAGIC, sizeof(header->magic)) &&
	       !memcmp(header->boot, boot, sizeof(header->boot)) &&
	       header->checksum ==
		       crc32c(&header->version,
			      offsetof(struct lkst_image_header, facts) + sizeof(header->facts) -
				      offsetof(struct lkst_image_header, version));
}

/* A mark is a record of its type that is where a record can be. */
static void print_marks(const char *data, size_t size)
{
	const struct lkst_event_record *record = (const void *)data,
				       *end = (const void *)(data + size);

	for (; record < end; record++)
		if (record->event_type == USER_MARK && record->clock)
			printf("mark %llu\n", (unsigned long long)record->arg[0]);
}

static int look(const char *text)
{
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	size_t size, at;
	char *part;

	parse_boot(boot, text);
	part = read_all(boot, &size);
	printf("size %zu\n", size);
	for (at = 0; at < size; at += LKST_IMAGE_PAGE) {
		const struct lkst_image_header *header = (const void *)(part + at);

		if (!is_whole(header, boot))
			continue;
		printf("kind %u copy %u cpu %d length %llu at %zu\n", header->kind, header->copy,
		       header->cpu, (unsigned long long)header->length, at);
		if (header->kind == LKST_IMAGE_BUFFER && !header->copy &&
		    header->length <= size - at - LKST_IMAGE_PAGE)
			print_marks(part + at + LKST_IMAGE_PAGE, header->length);
	}
	free(part);
	return 0;
}

/* --- What the requests refuse */

static void *map(int protection)
{
	void *page = mmap(NULL, LKST_IMAGE_PAGE, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		bail_out("mmap");
	return page;
}

static void is_errno(unsigned long request, void *arg, int want, const char *what)
{
	int got = ioctl(device, request, arg) ? errno : 0;

	if (!ok(got == want, "%s: %s", what, want ? strerrorname_np(want) : "0"))
		diag("got %s", got ? strerrorname_np(got) : "0");
}

static void list_errors(void)
{
	struct lkst_previous_listent one[2] = { { .number = 0 }, { .number = 4711 } };
	const struct {
		const char *what;
		struct lkst_previous_listparam param;
		int error;
	} row[] = {
		{ "LIST: no place for boots", { .listent_num = 1 }, EINVAL },
		{ "LIST: a place that is not there",
		  { .listent = address(map(PROT_NONE)), .listent_num = 1 },
		  EINVAL },
		{ "LIST: a place that cannot be written",
		  { .listent = address(map(PROT_READ)), .listent_num = 1 },
		  EINVAL },
		{ "LIST: a negative number",
		  { .listent = address(one), .listent_num = -1 },
		  EINVAL },
		{ "LIST: how many there are", { .listent_num = 0 }, 0 },
	};
	struct lkst_previous_listparam param = { .listent = address(one), .listent_num = 1 };
	size_t i;

	for (i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct lkst_previous_listparam arg = row[i].param;

		is_errno(LKST_IOC_PREVIOUS_LIST, &arg, row[i].error, row[i].what);
		if (!row[i].error)
			ok(arg.boot_num == 2, "LIST: it is told without a place");
	}
	is_errno(LKST_IOC_PREVIOUS_LIST, &param, 0, "LIST: a place for fewer");
	ok(param.boot_num == 2 && one[0].number && one[1].number == 4711,
	   "LIST: as many as there is a place for");
	is_errno(LKST_IOC_PREVIOUS_LIST, map(PROT_READ), EINVAL, "LIST: cannot be answered");
	is_errno(LKST_IOC_PREVIOUS_LIST, NULL, EINVAL, "LIST: nothing is asked");
}

static void read_errors(const __u8 *boot, uint64_t size)
{
	unsigned char bytes[64], all[64];
	struct lkst_previous_readparam good = {
		.length = sizeof(all),
		.buffer = address(all),
	}, param;

	memcpy(good.boot, boot, sizeof(good.boot));
	param = good;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, 0, "READ");
	ok(param.result_length == sizeof(all) && !memcmp(all, LKST_IMAGE_MAGIC, 8),
	   "READ: the part begins with its header");

	param = good;
	param.offset = 4;
	param.buffer = address(bytes);
	param.length = 4;
	memset(bytes, 0x55, sizeof(bytes));
	is_errno(LKST_IOC_PREVIOUS_READ, &param, 0, "READ: a piece");
	ok(param.result_length == 4 && !memcmp(bytes, all + 4, 4) && bytes[4] == 0x55,
	   "READ: no byte more");

	param = good;
	param.offset = size - 10;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, 0, "READ: over the end");
	ok(param.result_length == 10, "READ: ends at the end");
	param = good;
	param.offset = size;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, 0, "READ: at the end");
	ok(param.result_length == 0, "READ: there is nothing");
	param = good;
	param.offset = INT64_MAX;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, 0, "READ: far behind the end");
	param = good;
	param.length = 0;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, 0, "READ: nothing");

	param = good;
	param.offset = -1;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, EINVAL, "READ: from a negative place");
	param = good;
	param.length = -1;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, EINVAL, "READ: a negative length");
	param = good;
	param.boot[3] ^= 1;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, EINVAL, "READ: of no boot");
	param = good;
	param.buffer = 0;
	is_errno(LKST_IOC_PREVIOUS_READ, &param, EINVAL, "READ: to nowhere");
	param = good;
	param.buffer = address(map(PROT_NONE));
	is_errno(LKST_IOC_PREVIOUS_READ, &param, EINVAL, "READ: to what is not there");
	param.buffer = address(map(PROT_READ));
	is_errno(LKST_IOC_PREVIOUS_READ, &param, EINVAL, "READ: to what cannot be written");
}

static void done_errors(const __u8 *boot)
{
	struct lkst_previous_doneparam param;

	memcpy(param.boot, boot, sizeof(param.boot));
	param.boot[15] ^= 1;
	is_errno(LKST_IOC_PREVIOUS_DONE, &param, EINVAL, "DONE: no boot");
	is_errno(LKST_IOC_PREVIOUS_DONE, NULL, EINVAL, "DONE: which?");
}

/* The descriptor is of one who may. */
static void unprivileged_errors(const __u8 *boot)
{
	struct lkst_previous_listparam list = { .listent_num = 0 };
	struct lkst_previous_readparam read = { .length = 0 };
	struct lkst_previous_doneparam done;

	memcpy(done.boot, boot, sizeof(done.boot));
	memcpy(read.boot, boot, sizeof(read.boot));
	need(setuid(1000), "setuid");
	is_errno(LKST_IOC_PREVIOUS_LIST, &list, EPERM, "LIST: not the superuser");
	is_errno(LKST_IOC_PREVIOUS_READ, &read, EPERM, "READ: not the superuser");
	is_errno(LKST_IOC_PREVIOUS_DONE, &done, EPERM, "DONE: not the superuser");
}

static int errors(const char *text)
{
	__u8 boot[LKST_IMAGE_BOOT_LEN];
	struct lkst_previous_listparam param = { .listent_num = 0 };

	parse_boot(boot, text);
	need(ioctl(device, LKST_IOC_PREVIOUS_LIST, &param), "PREVIOUS_LIST");
	list_errors();
	read_errors(boot, param.part_size);
	done_errors(boot);
	unprivileged_errors(boot);
	return done_testing();
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "", *arg = argc > 2 ? argv[2] : "";

	device = open("/dev/lkst", O_RDWR);
	if (device < 0)
		bail_out("/dev/lkst");
	if (!strcmp(what, "list"))
		return list();
	if (!strcmp(what, "mark"))
		return mark(arg);
	if (!strcmp(what, "look"))
		return look(arg);
	if (!strcmp(what, "was-read"))
		return was_read(arg);
	if (!strcmp(what, "errors"))
		return errors(arg);
	fprintf(stderr, "previous list|mark NUMBER|look BOOT|was-read BOOT|errors BOOT\n");
	return 2;
}
