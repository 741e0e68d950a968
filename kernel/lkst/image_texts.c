// SPDX-License-Identifier: GPL-2.0
/*
 * What names event types and values, as /proc/lkst_etypes and /proc/lkst_values have it, where it
 * can be found in an image of memory: LKST_IMAGE_TEXTS.
 */
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/numa.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/lkst_buffer.h>

#include "compat.h"
#include "etype.h"
#include "image.h"
#include "memory.h"
#include "stage.h"
#include "values.h"

static DEFINE_MUTEX(lkst_texts_mutex);
static struct lkst_region lkst_texts_region;	/* protected by lkst_texts_mutex */
static bool lkst_texts_wanted __ro_after_init;

static const struct {
	enum lkst_image_text_kind kind;
	int (*show)(struct seq_file *m, void *unused);
} lkst_texts[] = {
	{ LKST_IMAGE_TEXT_ETYPES, lkst_etypes_show },
	{ LKST_IMAGE_TEXT_VALUES, lkst_values_show },
};

#define LKST_TEXT_SIZE_MIN	SZ_16K
#define LKST_TEXT_SIZE_MAX	SZ_1M

/* What @show prints, for kvfree(); NULL: no memory. */
static char *lkst_text_make(int (*show)(struct seq_file *m, void *unused), size_t *length)
{
	size_t size;

	for (size = LKST_TEXT_SIZE_MIN; size <= LKST_TEXT_SIZE_MAX; size *= 2) {
		struct seq_file m = { .size = size };

		m.buf = kvmalloc(size, GFP_KERNEL);
		if (!m.buf)
			return NULL;
		show(&m, NULL);
		*length = m.count;
		if (!seq_has_overflowed(&m))
			return m.buf;
		kvfree(m.buf);
	}
	return NULL;
}

/* Bytes of a text with what stands before it, so that the next one can follow. */
static size_t lkst_text_size(size_t length)
{
	return sizeof(struct lkst_image_text) + ALIGN(length, sizeof(u64));
}

static void lkst_texts_copy(void *to, char *const *texts, const size_t *lengths)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_texts); i++) {
		struct lkst_image_text *text = to;

		*text = (struct lkst_image_text) {
			.kind = lkst_texts[i].kind,
			.checksum = lkst_crc32c(texts[i], lengths[i]),
			.length = lengths[i],
		};
		memcpy(text + 1, texts[i], lengths[i]);
		to += lkst_text_size(lengths[i]);
	}
}

/* The old area goes when the new one is there: at each moment there is one. */
static int lkst_texts_renew(char *const *texts, const size_t *lengths)
{
	/* The area is 0 behind the last text, and LKST_IMAGE_TEXT_END is 0. */
	size_t size = sizeof(struct lkst_image_text);
	struct lkst_region area;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_texts); i++)
		size += lkst_text_size(lengths[i]);
	if (lkst_region_alloc(&area, size, NUMA_NO_NODE, false))
		return -ENOMEM;
	lkst_texts_copy(area.address, texts, lengths);
	lkst_region_sign(&area, LKST_IMAGE_TEXTS, -1, LKST_BUFFER_ID_VOID);
	if (lkst_texts_region.address)
		lkst_region_free(&lkst_texts_region);
	lkst_texts_region = area;
	return 0;
}

static int lkst_texts_write(void)
{
	char *texts[ARRAY_SIZE(lkst_texts)] = {};
	size_t lengths[ARRAY_SIZE(lkst_texts)];
	int ret = -ENOMEM;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_texts); i++) {
		texts[i] = lkst_text_make(lkst_texts[i].show, &lengths[i]);
		if (!texts[i])
			goto free;
	}
	ret = lkst_texts_renew(texts, lengths);
free:
	while (i--)
		kvfree(texts[i]);
	return ret;
}

/**
 * lkst_image_texts_changed() - the event types have changed
 *
 * If there is no memory the texts stay as they are: then an image tells of the new types' numbers
 * only.
 *
 * Context: may sleep; not with the lock of the event types.
 */
void lkst_image_texts_changed(void)
{
	mutex_lock(&lkst_texts_mutex);
	if (lkst_texts_wanted && lkst_texts_write())
		pr_warn("lkst: no memory to note the event types for a memory image\n");
	mutex_unlock(&lkst_texts_mutex);
}

/* Once memory can be had and locks can be taken: write the texts for the first time. */
void __init lkst_image_texts_start(void)
{
	lkst_texts_wanted = true;
	lkst_image_texts_changed();
}

void __lkst_exit lkst_image_texts_stop(void)
{
	mutex_lock(&lkst_texts_mutex);
	if (lkst_texts_region.address)
		lkst_region_free(&lkst_texts_region);
	mutex_unlock(&lkst_texts_mutex);
}
