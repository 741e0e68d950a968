// SPDX-License-Identifier: GPL-2.0
/*
 * Writes images of memory for tests of commands: mkmemory FILE {raw | elf} [WHAT...]
 *
 * Boot 1 has buffers 0 of CPU 0 and CPU 1, of 1000 records each, of which CPU 1's has gone round. WHAT:
 * "empty": nothing of LKST; "boots": boot 2, a day before; "missing": a page of CPU 0's buffer is not
 * there; "noise": a page of it holds something else; "notes": what CPU 0's records are is lost;
 * "unfinished": a record of CPU 0 is being written.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/image.h"
#include "mkimage.h"
#include "sample.h"

#define KB     1024ull
#define MB     (1024 * KB)
#define DAY_NS (86400ll * 1000000000)
#define NUM    1000

static char **words;

static bool is(const char *word)
{
	for (char **w = words; *w; w++)
		if (!strcmp(*w, word))
			return true;
	return false;
}

static void lay_buffer(struct mkimage *memory, struct mkboot *boot, struct mkarea *area, int cpu,
		       uint64_t length, uint64_t at, int64_t wall)
{
	mkarea_init(area, memory, boot, LKST_IMAGE_BUFFER, cpu, 0);
	mkarea_lay(area, at, length, 16 * KB);
	mkarea_session(area, 0, 0, wall);
	mkarea_records(area, 0, NUM);
}

static void lay_texts(struct mkimage *memory, struct mkboot *boot, uint64_t at)
{
	struct lkst_error err;
	struct lkst_etypes *types = lkst_etypes_embedded(&err);
	struct mkarea area;
	size_t len;
	char *text = types ? lkst_etypes_text(types, &len, &err) : NULL;

	if (!text)
		abort();
	mkarea_init(&area, memory, boot, LKST_IMAGE_TEXTS, -1, LKST_BUFFER_ID_VOID);
	mkarea_lay(&area, at, len / 4096 * 4096 + 8 * KB, 4 * MB);
	mkarea_text(&area, mkarea_text(&area, 0, LKST_IMAGE_TEXT_VALUES, "# lkst_values 1\n"),
		    LKST_IMAGE_TEXT_ETYPES, text);
	free(text);
	lkst_etypes_free(types);
}

static void damage(struct mkimage *memory, struct mkarea *area)
{
	uint64_t page = mkarea_slot_at(area, 128) / 4096;
	struct lkst_event_record record = mkarea_expected(area, 500);

	if (is("missing"))
		memory->missing[page] = 1;
	if (is("noise"))
		memset(memory->data + page * 4096, 0x5a, 4096);
	for (unsigned int copy = 0; copy < 2 && is("notes"); copy++)
		memset(mkimage_at(memory, mkarea_header_at(area, 0, copy)) + LKST_IMAGE_STATE, 0,
		       128);
	record.clock = 0;
	if (is("unfinished"))
		mkarea_record(area, 500, &record);
}

static struct mkimage *make(void)
{
	struct mkimage *memory = mkimage_new(16 * MB);
	struct mkarea area;
	struct mkboot boot;

	if (is("empty"))
		return memory;
	if (is("boots")) {
		mkboot_init(&boot, 2);
		lay_buffer(memory, &boot, &area, 0, 64 * KB, 8 * MB, SAMPLE_NS - DAY_NS);
	}
	mkboot_init(&boot, 1);
	mkboot_fact(&boot, "text", "0xffffffff81000000");
	lay_texts(memory, &boot, 1 * MB);
	lay_buffer(memory, &boot, &area, 1, 32 * KB, 5 * MB, SAMPLE_NS);
	lay_buffer(memory, &boot, &area, 0, 64 * KB, 4 * MB, SAMPLE_NS);
	damage(memory, &area);
	return memory;
}

int main(int argc, char **argv)
{
	struct mkimage *memory;
	struct stat st;
	int from, to;

	if (argc < 3) {
		fprintf(stderr, "usage: mkmemory FILE {raw | elf} [WHAT...]\n");
		return 2;
	}
	words = argv + 3;
	memory = make();
	from = strcmp(argv[2], "elf") ? mkimage_raw_fd(memory) : mkimage_elf_fd(memory);
	to = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (to < 0 || fstat(from, &st)) {
		perror(argv[1]);
		return 1;
	}
	for (off_t at = 0; at < st.st_size;)
		if (sendfile(to, from, &at, (size_t)(st.st_size - at)) <= 0) {
			perror(argv[1]);
			return 1;
		}
	mkimage_free(memory);
	return close(to) ? 1 : 0;
}
