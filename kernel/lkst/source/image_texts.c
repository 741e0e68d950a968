// SPDX-License-Identifier: GPL-2.0
/*
 * A copy of the lists /proc/lkst_etypes and /proc/lkst_values in a region of
 * kind LKST_IMAGE_TEXTS, for tools that read a memory image.
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

#include "../base/compat.h"
#include "etype.h"
#include "image_texts.h"
#include "../memory/memory.h"
#include "../base/stage.h"
#include "values.h"

static DEFINE_MUTEX(lkst_texts_mutex);
/* Protected by lkst_texts_mutex. */
static struct lkst_region lkst_texts_region;
static bool lkst_texts_enabled __ro_after_init;

static const struct {
	enum lkst_image_text_kind kind;
	int (*show)(struct seq_file *m, void *unused);
} lkst_texts[] = {
	{ LKST_IMAGE_TEXT_ETYPES, lkst_etypes_show },
	{ LKST_IMAGE_TEXT_VALUES, lkst_values_show },
};

#define LKST_TEXT_SIZE_MIN	SZ_16K
#define LKST_TEXT_SIZE_MAX	SZ_16M

/*
 * Return the list that @show prints, or NULL if an allocation fails or the list
 * is too long. The caller frees it with kvfree().
 *
 * The functions that print the /proc files take a struct seq_file. seq_open()
 * can set one up only for a struct file, so this function does it instead. The
 * printing functions use only the buffer, its size and the count.
 */
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

/* Return the size of a list with its header, rounded up for the next header. */
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

/*
 * Replace the region with a new one that contains the lists in @texts. Free the
 * old region only when the new one is complete, so that a complete region is
 * always in memory. Return 0 or -ENOMEM.
 */
static int lkst_texts_renew(char *const *texts, const size_t *lengths)
{
	/*
	 * Includes room for the end mark. Nothing writes the mark: a region is
	 * zeroed, and LKST_IMAGE_TEXT_END is 0.
	 */
	size_t size = sizeof(struct lkst_image_text);
	struct lkst_region region;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(lkst_texts); i++)
		size += lkst_text_size(lengths[i]);
	if (lkst_region_alloc(&region, size, NUMA_NO_NODE, false))
		return -ENOMEM;
	lkst_texts_copy(region.address, texts, lengths);
	lkst_region_sign(&region, LKST_IMAGE_TEXTS, -1, LKST_BUFFER_ID_VOID);
	if (lkst_texts_region.address)
		lkst_region_free(&lkst_texts_region);
	lkst_texts_region = region;
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
 * lkst_image_texts_changed() - copy the lists after event types have changed
 *
 * If an allocation fails, the old copies are kept. Tools can then show only the
 * numbers of the new event types.
 *
 * Context: may sleep. The caller does not hold lkst_etype_mutex.
 */
void lkst_image_texts_changed(void)
{
	mutex_lock(&lkst_texts_mutex);
	if (lkst_texts_enabled && lkst_texts_write())
		pr_warn_ratelimited("lkst: no memory for the names of event types in memory images\n");
	mutex_unlock(&lkst_texts_mutex);
}

/*
 * Copy the lists for the first time. Called as soon as memory can be allocated
 * and locks can be taken.
 */
void __init lkst_image_texts_start(void)
{
	lkst_texts_enabled = true;
	lkst_image_texts_changed();
}

void __lkst_exit lkst_image_texts_stop(void)
{
	mutex_lock(&lkst_texts_mutex);
	if (lkst_texts_region.address)
		lkst_region_free(&lkst_texts_region);
	mutex_unlock(&lkst_texts_mutex);
}
