// SPDX-License-Identifier: GPL-2.0
/* Small images to begin fuzzing with: seed_image DIR writes them there. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../unit/mkimage.h"
#include "../unit/mkkernel.h"

#define PAGE LKST_IMAGE_PAGE
#define WALL 1767323045000000000

static struct mkimage *image;
static struct mkboot boot;
static struct mkarea buffer, other, texts, statics, part;

/* A buffer of two extents that went round, and one of another CPU. */
static uint64_t lay_buffers(uint64_t at)
{
	mkarea_init(&buffer, image, &boot, LKST_IMAGE_BUFFER, 0, 0);
	at = mkarea_lay(&buffer, at, 2 * PAGE, PAGE);
	mkarea_session(&buffer, 0, 0, WALL);
	mkarea_records(&buffer, 0, 150);
	mkarea_init(&other, image, &boot, LKST_IMAGE_BUFFER, 1, 0);
	at = mkarea_lay(&other, at, PAGE, PAGE);
	mkarea_session(&other, 128, 40, WALL);
	mkarea_records(&other, 130, 180);
	return at;
}

static void put_all(void)
{
	uint64_t at = lay_buffers(PAGE), next;

	mkarea_init(&texts, image, &boot, LKST_IMAGE_TEXTS, -1, LKST_BUFFER_ID_VOID);
	at = mkarea_lay(&texts, at, PAGE, PAGE);
	next = mkarea_text(
		&texts, 0, LKST_IMAGE_TEXT_ETYPES,
		"# lkst_etypes 1\n"
		"0x030 S - - present \"entry\" \"nr:sys\" \"a:hex\" \"b:hex\" \"c:hex\"\n"
		"0x031 X - - present \"exit\" \"nr:sys\" \"ret:err\" \"\" \"\"\n");
	mkarea_text(&texts, next, LKST_IMAGE_TEXT_VALUES, "# lkst_values 1\nirq enum 0x1 i8042\n");
	mkarea_init(&statics, image, &boot, LKST_IMAGE_STATIC, -1, LKST_BUFFER_ID_VOID);
	mkarea_lay(&statics, at, PAGE, PAGE);
	for (uint64_t i = 40; i < 80; i++) {
		struct lkst_event_record record = mkarea_expected(&buffer, i);

		mkarea_static(&statics, i, (int32_t)(i % 2), LKST_CLOCK_TSC, &record);
	}
}

static void put_part(void)
{
	mkarea_init(&part, image, &boot, LKST_IMAGE_PART, -1, LKST_BUFFER_ID_VOID);
	mkarea_lay(&part, 0, 10 * PAGE, 10 * PAGE);
	mkarea_part(&part, 0, 3, 5, LKST_PART_UNREAD);
	lay_buffers(2 * PAGE);
}

static void put_hole(void)
{
	image->hole = 8 * PAGE;
	image->hole_length = (4ull << 30) - image->hole;
	mkarea_init(&buffer, image, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkarea_add(&buffer, PAGE, PAGE);
	mkarea_add(&buffer, 4ull << 30, PAGE);
	mkarea_sign(&buffer);
	mkarea_session(&buffer, 0, 0, WALL);
	mkarea_records(&buffer, 0, 200);
}

/* What a memory image has, with copies of it by the way. */
static void put_copies(void)
{
	lay_buffers(8 * PAGE);
	memcpy(image->data, image->data + 8 * PAGE, 7 * PAGE);
}

static void put_boots(void)
{
	static struct mkboot second;

	lay_buffers(0);
	mkboot_init(&second, 2);
	mkarea_init(&texts, image, &second, LKST_IMAGE_BUFFER, 0, 3);
	mkarea_lay(&texts, 6 * PAGE, 2 * PAGE, 2 * PAGE); /* over what the first has */
	mkarea_session(&texts, 0, 0, WALL + 1000000000);
	mkarea_records(&texts, 0, 100);
}

/* With symbols, which some records have, processes and a module. */
static void put_kernel(void)
{
	struct lkst_event_record record;

	mkkernel_lay(image, &boot, 0);
	mkarea_init(&buffer, image, &boot, LKST_IMAGE_BUFFER, 0, 0);
	mkarea_lay(&buffer, MKKERNEL_PAGES * PAGE, PAGE, PAGE);
	mkarea_session(&buffer, 0, 0, WALL);
	mkarea_records(&buffer, 0, 20);
	for (unsigned int i = 0; i < 2; i++) {
		record = mkarea_expected(&buffer, 8 + i);
		record.event_type = 0x015; /* int_tasklethi_entry */
		record.arg[1] = i ? MKKERNEL_MODULE_SYMBOL : MKKERNEL_TEXT + 4800;
		mkarea_record(&buffer, 8 + i, &record);
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
	{ "part", put_part, false, 8, 12 },
	{ "hole", put_hole, false, 8, 16 },
	{ "copies", put_copies, false, 8, 20 },
	{ "boots", put_boots, false, 8, 12 },
	{ "kernel", put_kernel, false, 8, MKKERNEL_PAGES + 3 },
};

static int write_image(const char *dir, const char *name)
{
	char path[4096];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	ret = fd >= 0 && write(fd, image->data, image->size) == (ssize_t)image->size ? 0 : -1;
	if (ret || close(fd))
		perror(path);
	return ret;
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: seed_image DIR\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(seeds) / sizeof(*seeds); i++) {
		image = mkimage_new(seeds[i].pages * PAGE);
		mkboot_init(&boot, 1);
		boot.swapped = seeds[i].swapped;
		boot.long_size = seeds[i].long_size;
		seeds[i].put();
		if (write_image(argv[1], seeds[i].name))
			return 1;
		mkimage_free(image);
	}
	return 0;
}
