// SPDX-License-Identifier: GPL-2.0
/*
 * Writes images of memory.
 *   mkmemory FILE {raw | elf} [WHAT...]	an image for tests of commands
 *   mkmemory FILE {raw | elf} seed NAME	a small image, as an initial input for fuzzing
 *
 * Boot 1 has buffer 0 on CPU 0 and on CPU 1, with 1000 records each. The buffer of CPU 1 has
 * wrapped. WHAT is any of:
 *
 *	empty		the image contains no data from LKST
 *	boots		the image also contains boot 2, from a day before
 *	missing		a page of CPU 0's buffer is missing
 *	noise		a page of CPU 0's buffer is overwritten
 *	notes		the header pages of CPU 0's buffer do not describe its session
 *	unfinished	a record of CPU 0 is being written
 *	unused		CPU 0 also has buffer 1, which never recorded anything
 *	history		CPU 1 also has a compressed history, with its first 800 records
 *	broken		the same, but the second of the four chunks of the history is damaged
 *	panic		a thread of CPU 0 makes system calls, then a request to a disk, and the kernel panics
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/etype_ids.h"
#include "lib/text/etypes.h"
#include "mkchunk.h"
#include "mkimage.h"
#include "mkkernel.h"
#include "sample.h"

#define DAY_NS (86400ll * 1000000000)

static char **words;
static struct mkimage *memory;
static struct mkboot boot;
static struct mkregion buffer, region;

static bool is(const char *word)
{
	for (char **w = words; *w; w++)
		if (!strcmp(*w, word))
			return true;
	return false;
}

static void lay_buffer(int cpu, uint64_t length, uint64_t at, int64_t wall)
{
	mkregion_buffer(&buffer, memory, &boot,
			(struct mkbuffer){ .cpu = cpu, .at = at, .length = length,
					   .extent = 16 * KB, .wall = wall, .end = 1000 });
}

static void lay_unused(uint64_t at)
{
	mkregion_init(&region, memory, &boot, LKST_IMAGE_BUFFER, 0, 1);
	mkregion_lay(&region, at, 64 * KB, 16 * KB);
}

static void lay_texts(uint64_t at)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	size_t len;
	char *text = types ? lkst_etypes_text(types, &len, &err) : NULL;

	if (!text)
		abort();
	mkregion_single(&region, memory, &boot, LKST_IMAGE_TEXTS, at, len / 4096 * 4096 + 8 * KB);
	mkregion_text(&region,
		      mkregion_text(&region, 0, LKST_IMAGE_TEXT_VALUES, "# lkst_values 1\n"),
		      LKST_IMAGE_TEXT_ETYPES, text);
	free(text);
	lkst_etypes_free(types);
}

/* Store a chunk of a history at @at, with the records that the buffer has. Return its end. */
static uint64_t put_chunk(uint64_t at, uint64_t first, uint64_t num, unsigned int compression)
{
	static uint8_t chunk[LKST_HISTORY_CHUNK_MAX];
	struct lkst_event_record record[200];
	const struct mkchunk make = {
		.cpu = buffer.cpu,
		.buffer = buffer.id,
		.clock = buffer.session.clock,
		.first_recid = first,
		.num = num,
		.record = record,
		.tsc = buffer.session.clock_start,
		.khz = buffer.session.khz,
		.monotonic = buffer.session.monotonic,
		.wall = buffer.session.wall,
		.compression = compression,
		.swapped = boot.swapped,
	};
	size_t size;

	for (uint64_t i = 0; i < num; i++)
		record[i] = mkregion_expected(&buffer, first + i);
	size = mkchunk(chunk, &make);
	mkregion_put(&region, at, chunk, size);
	return at + size;
}

/* Lay out the history of the CPU of the buffer, with the records 0 to 799. */
static void lay_history(uint64_t at)
{
	uint64_t end = 0, chunk = 0;

	mkregion_init(&region, memory, &boot, LKST_IMAGE_HISTORY, buffer.cpu, LKST_BUFFER_ID_VOID);
	mkregion_lay(&region, at, 64 * KB, 16 * KB);
	for (uint64_t first = 0; first < 800; first += 200) {
		chunk = first == 200 ? end : chunk;
		end = put_chunk(end, first, 200, LKST_CHUNK_COLUMNS);
	}
	if (is("broken"))
		mkregion_put(&region, chunk + 100, "damage", 6);
}

static void damage(void)
{
	uint64_t page = mkregion_slot_at(&buffer, 128) / 4096;
	struct lkst_event_record record = mkregion_expected(&buffer, 500);

	if (is("missing"))
		memory->missing[page] = 1;
	if (is("noise"))
		memset(memory->data + page * 4096, 0x5a, 4096);
	if (is("notes"))
		mkregion_lose_sessions(&buffer);
	record.clock = 0;
	if (is("unfinished"))
		mkregion_record(&buffer, 500, record);
}

#define DYING_TID 42

/* Write a record of the thread that dies. */
static void put_dying(uint64_t position, uint16_t type, const void *arg)
{
	struct lkst_event_record record = mkregion_expected(&buffer, position);

	record.event_type = type;
	record.flags = 0;
	record.thread = DYING_TID;
	record.pid = DYING_TID;
	memcpy(record.arg, arg, sizeof(record.arg));
	mkregion_record(&buffer, position, record);
}

static void panic(void)
{
	const struct {
		uint64_t prev, next;
		char comm[2][8];
	} in = { pack(0, 'R'), pack(DYING_TID, 120), { "swapper", "dying" } };
	const uint64_t call[4] = { pack(39, 0) }; /* getpid() */
	const uint64_t request[4] = { 8 << 20, 2048, 4096ull << 32 };
	const char text[32] = "Test of a page";

	put_dying(900, LKST_ETYPE_PROCESS_CONTEXTSWITCH, &in);
	for (uint64_t i = 901; i < 998; i += 2) {
		put_dying(i, LKST_ETYPE_SYSCALL_ENTRY, call);
		put_dying(i + 1, i < 997 ? LKST_ETYPE_SYSCALL_EXIT : LKST_ETYPE_BLOCK_ISSUE,
			  i < 997 ? call : request);
	}
	put_dying(999, LKST_ETYPE_OOPS_PANIC, text);
}

static void make(void)
{
	memory = mkimage_new(16 * MB);
	if (is("empty"))
		return;
	if (is("boots")) {
		mkboot_init(&boot, 2);
		lay_buffer(0, 64 * KB, 8 * MB, SAMPLE_NS - DAY_NS);
	}
	mkboot_init(&boot, 1);
	mkboot_fact(&boot, "text", "0xffffffff81000000");
	lay_texts(1 * MB);
	lay_buffer(1, 32 * KB, 5 * MB, SAMPLE_NS);
	if (is("history") || is("broken"))
		lay_history(7 * MB);
	lay_buffer(0, 64 * KB, 4 * MB, SAMPLE_NS);
	if (is("unused"))
		lay_unused(6 * MB);
	damage();
	if (is("panic"))
		panic();
}

/* ---- inputs for fuzzing ---- */

#define PAGE LKST_IMAGE_PAGE

/*
 * Lay out a buffer of CPU 0 that has two extents and has wrapped, and a buffer of CPU 1. Return the
 * offset of their end.
 */
static uint64_t lay_buffers(uint64_t at)
{
	at = mkregion_buffer(&buffer, memory, &boot,
			     (struct mkbuffer){ .at = at, .length = 2 * PAGE, .extent = PAGE,
						.wall = SAMPLE_NS, .end = 150 });
	return mkregion_buffer(&region, memory, &boot,
			       (struct mkbuffer){ .cpu = 1, .at = at, .length = PAGE,
						  .extent = PAGE, .first = 128, .first_recid = 40,
						  .wall = SAMPLE_NS, .from = 130, .end = 180 });
}

static void put_all(void)
{
	uint64_t at = lay_buffers(PAGE), next;

	at = mkregion_single(&region, memory, &boot, LKST_IMAGE_TEXTS, at, PAGE);
	next = mkregion_text(&region, 0, LKST_IMAGE_TEXT_ETYPES,
			     "# lkst_etypes 1\n"
			     "0x030 S - - present \"entry\" \"nr:sys\" \"a:hex\" \"b:hex\" \"c:hex\"\n"
			     "0x031 X - - present \"exit\" \"nr:sys\" \"ret:err\" \"\" \"\"\n");
	mkregion_text(&region, next, LKST_IMAGE_TEXT_VALUES,
		      "# lkst_values 1\nirq enum 0x1 i8042\n");
	mkregion_single(&region, memory, &boot, LKST_IMAGE_STATIC, at, PAGE);
	for (uint64_t i = 40; i < 80; i++)
		mkregion_static(&region, i, (int32_t)(i % 2), LKST_CLOCK_TSC,
				mkregion_expected(&buffer, i));
}

/*
 * Make an image with a long ring that has wrapped. A buffer and another long ring have lost their
 * sessions.
 */
static void put_long(void)
{
	uint64_t at = mkregion_buffer(&buffer, memory, &boot,
				      (struct mkbuffer){ .id = LKST_BUFFER_ID_LONG, .at = PAGE,
							 .length = 2 * PAGE, .extent = PAGE,
							 .wall = SAMPLE_NS, .end = 150 });

	for (int32_t id = 0; id <= LKST_BUFFER_ID_LONG; id += LKST_BUFFER_ID_LONG) {
		at = mkregion_buffer(&region, memory, &boot,
				     (struct mkbuffer){ .cpu = 1, .id = id, .at = at,
							.length = PAGE, .extent = PAGE,
							.wall = SAMPLE_NS, .end = 60 });
		mkregion_lose_sessions(&region);
	}
}

/*
 * Make an image with a history in two extents. Its chunks are not in the order of their recids. The
 * buffer contains the records of the newest chunk as well, and those of a gap.
 */
static void put_history(void)
{
	uint64_t at = mkregion_buffer(&buffer, memory, &boot,
				      (struct mkbuffer){ .at = PAGE, .length = PAGE, .extent = PAGE,
							 .wall = SAMPLE_NS, .end = 150 });

	mkregion_init(&region, memory, &boot, LKST_IMAGE_HISTORY, 0, LKST_BUFFER_ID_VOID);
	mkregion_lay(&region, at, 3 * PAGE, 2 * PAGE);
	at = put_chunk(0, 50, 40, LKST_CHUNK_COLUMNS);
	at = put_chunk(at, 95, 20, LKST_CHUNK_NONE);
	at = put_chunk(at + 64, 0, 30, LKST_CHUNK_ZSTD);
	put_chunk(at, 30, 20, LKST_CHUNK_COLUMNS);
}

static void put_boot_slot(void)
{
	mkregion_single(&region, memory, &boot, LKST_IMAGE_BOOT_SLOT, 0, 10 * PAGE);
	mkregion_boot_slot(&region, 0, 3, 5, LKST_BOOT_SLOT_UNREAD);
	lay_buffers(2 * PAGE);
}

static void put_hole(void)
{
	memory->hole = 8 * PAGE;
	memory->hole_length = (4ull << 30) - memory->hole;
	mkregion_init(&buffer, memory, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkregion_add(&buffer, PAGE, PAGE);
	mkregion_add(&buffer, 4ull << 30, PAGE);
	mkregion_sign(&buffer);
	mkregion_session(&buffer, 0, 0, SAMPLE_NS);
	mkregion_records(&buffer, 0, 200);
}

/* Make an image in which CPU 0's buffer and the first header of CPU 1's buffer appear twice. */
static void put_copies(void)
{
	lay_buffers(8 * PAGE);
	memcpy(memory->data, memory->data + 8 * PAGE, 7 * PAGE);
}

static void put_boots(void)
{
	struct mkboot second;

	lay_buffers(0);
	mkboot_init(&second, 2);
	/* This buffer overwrites a part of the first boot's memory. */
	mkregion_buffer(&region, memory, &second,
			(struct mkbuffer){ .id = 3, .at = 6 * PAGE, .length = 2 * PAGE,
					   .extent = 2 * PAGE, .wall = SAMPLE_NS + 1000000000,
					   .end = 100 });
}

/* Make an image with kernel memory: processes, a module, and symbols that some records refer to. */
static void put_kernel(void)
{
	mkkernel_lay(memory, &boot, 0, MKKERNEL_FROM_BASE);
	mkregion_buffer(&buffer, memory, &boot,
			(struct mkbuffer){ .at = MKKERNEL_PAGES * PAGE, .length = PAGE,
					   .extent = PAGE, .wall = SAMPLE_NS, .end = 20 });
	for (unsigned int i = 0; i < 2; i++) {
		struct lkst_event_record record = mkregion_expected(&buffer, 8 + i);

		record.event_type = 0x015; /* int_tasklethi_entry */
		record.arg[1] = i ? MKKERNEL_MODULE_SYMBOL : MKKERNEL_TEXT + 4800;
		mkregion_record(&buffer, 8 + i, record);
	}
}

static const struct {
	const char *name;
	void (*put)(void);
	bool swapped;
	uint32_t long_size;
	size_t pages;
} seeds[] = {
	{ "all", put_all, false, 8, 16 },
	{ "swapped", put_all, true, 8, 16 },
	{ "narrow", put_all, false, 4, 16 },
	{ "long", put_long, false, 8, 16 },
	{ "history", put_history, false, 8, 16 },
	{ "past", put_history, true, 8, 16 },
	{ "part", put_boot_slot, false, 8, 12 },
	{ "hole", put_hole, false, 8, 16 },
	{ "copies", put_copies, false, 8, 20 },
	{ "boots", put_boots, false, 8, 12 },
	{ "kernel", put_kernel, false, 8, MKKERNEL_PAGES + 3 },
};

static void make_seed(const char *name)
{
	for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++) {
		if (strcmp(seeds[i].name, name))
			continue;
		memory = mkimage_new(seeds[i].pages * PAGE);
		mkboot_init(&boot, 1);
		boot.swapped = seeds[i].swapped;
		boot.long_size = seeds[i].long_size;
		seeds[i].put();
	}
}

int main(int argc, char **argv)
{
	struct stat st;
	bool failed;
	int from, to;

	if (argc < 3) {
		fprintf(stderr, "usage: mkmemory FILE {raw | elf} [WHAT...]\n");
		return 2;
	}
	words = argv + 3;
	if (argc == 5 && is("seed"))
		make_seed(argv[4]);
	else
		make();
	if (!memory)
		abort();
	from = strcmp(argv[2], "elf") ? mkimage_raw_fd(memory) : mkimage_elf_fd(memory);
	to = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	failed = to < 0 || fstat(from, &st);
	for (off_t at = 0; !failed && at < st.st_size;)
		failed = sendfile(to, from, &at, (size_t)(st.st_size - at)) <= 0;
	failed = failed || close(to);
	if (failed)
		perror(argv[1]);
	mkimage_free(memory);
	return failed;
}
