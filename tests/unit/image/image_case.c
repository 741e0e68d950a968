// SPDX-License-Identifier: GPL-2.0
#include "image_case.h"

struct mkimage *memory;
struct mkboot boot;
struct image *image;

void image_case_begin(size_t size)
{
	memory = mkimage_new(size);
	mkboot_init(&boot, 1);
}

void image_case_end(void)
{
	image_free(image);
	image = NULL;
	mkimage_free(memory);
}

void scan_source(struct image_source *source)
{
	const struct image_hooks image_hooks = { .report = hooks.report };

	image_free(image);
	reports[0] = 0;
	image = image_scan(source, &image_hooks, &err);
	assert_made(image);
}

void scan(void)
{
	scan_source(mkimage_source(memory));
}

void set_member(void *structure, const struct member *member)
{
	memcpy((char *)structure + member->offset, &member->value, member->size);
}
