// SPDX-License-Identifier: GPL-2.0
/*
 * Collects the events of a CPU in pages with the format of the kernel's ring buffer.
 *
 * A page begins with the time of its first event, and the number of bytes that events occupy. Each
 * event begins with a word: its length, and the time since the previous event. A time that does not
 * fit into this word is in a separate entry. Time can only advance within a page. If records are
 * missing before the first event of a page, a flag says so, and their number follows the events.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "tracedat.h"

#define PAGE_DELTA_BITS 27
#define PAGE_DELTA_MAX	(1ull << PAGE_DELTA_BITS)
#define PAGE_EXTEND_MAX (1ull << (PAGE_DELTA_BITS + 32))
#define PAGE_SHORT_MAX	112 /* the longest event whose length is in the first word */
#define PAGE_LOST_BYTES 8

/* Types in the first word of an entry, besides the lengths of short events. */
enum {
	ENTRY_LONG = 0,
	ENTRY_EXTEND = 30,
};

/* Flags in the number of bytes of a page. */
#define COMMIT_LOST	   (1ull << 31)
#define COMMIT_LOST_STORED (1ull << 30)

/**
 * struct dat_page - the page that a CPU fills
 * @chain: pages before it
 * @pending: number of records that are missing before the next event
 * @lost: number of records that are missing before this page
 * @latest: time of the last event
 * @len: bytes of events; 0: the page is empty
 * @bytes: the page
 */
struct dat_page {
	struct dat_chain chain;
	uint64_t pending;
	uint64_t lost;
	uint64_t latest;
	size_t len;
	uint8_t bytes[DAT_PAGE];
};

static struct dat_page *page_of(struct tracedat *dat, int32_t cpu, struct lkst_error *err)
{
	struct dat_page *page;

	if (cpu < 0 || cpu >= LKST_TRACE_CPUS) {
		lkst_error_set(err, LKST_ERR_FORMAT,
			       "an event is from CPU %d (want 0 to %d; -c selects a CPU)", cpu,
			       LKST_TRACE_CPUS - 1);
		return NULL;
	}
	if (dat->page[cpu])
		return dat->page[cpu];
	page = calloc(1, sizeof(*page));
	if (!page) {
		lkst_error_memory(err, "the events of a CPU");
		return NULL;
	}
	dat->page[cpu] = page;
	return page;
}

static void page_put_word(struct dat_page *page, uint32_t word)
{
	memcpy(page->bytes + DAT_PAGE_HEAD + page->len, &word, sizeof(word));
	page->len += sizeof(word);
}

/* Write the first word of an entry. In the kernel, this word is a bit field. */
static void page_put_head(struct dat_page *page, uint32_t type, uint64_t delta)
{
	uint32_t low = (uint32_t)(delta % PAGE_DELTA_MAX);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	page_put_word(page, type << PAGE_DELTA_BITS | low);
#else
	page_put_word(page, type | low << (32 - PAGE_DELTA_BITS));
#endif
}

/* Pass a page on to the spool. */
static int page_flush(struct tracedat *dat, struct dat_page *page, struct lkst_error *err)
{
	uint64_t commit = page->len;
	uint8_t *end = page->bytes + DAT_PAGE_HEAD + page->len;

	if (!page->len)
		return 0;
	memset(end, 0, (size_t)(page->bytes + DAT_PAGE - end));
	if (page->lost) {
		commit |= COMMIT_LOST | COMMIT_LOST_STORED;
		memcpy(end, &page->lost, PAGE_LOST_BYTES);
	}
	memcpy(page->bytes + 8, &commit, sizeof(commit));
	page->len = 0;
	page->lost = 0;
	return dat_spool_add(&dat->spool, &page->chain, page->bytes, err);
}

/* Return how many bytes an event needs, with its length and the time entry that may precede it. */
static size_t page_need(uint64_t delta, size_t len)
{
	return (delta >= PAGE_DELTA_MAX ? 8 : 0) + (len > PAGE_SHORT_MAX ? 8 : 4) + len;
}

/* Return whether an event can be added to the page. */
static bool page_fits(const struct dat_page *page, uint64_t time, size_t len)
{
	size_t room = DAT_PAGE - DAT_PAGE_HEAD - page->len - (page->lost ? PAGE_LOST_BYTES : 0);

	return page->len && !page->pending && time >= page->latest &&
	       time - page->latest < PAGE_EXTEND_MAX && page_need(time - page->latest, len) <= room;
}

static void page_add(struct dat_page *page, uint64_t time, const uint8_t *event, size_t len)
{
	uint64_t delta = time - page->latest;

	if (delta >= PAGE_DELTA_MAX) {
		page_put_head(page, ENTRY_EXTEND, delta);
		page_put_word(page, (uint32_t)(delta >> PAGE_DELTA_BITS));
		delta = 0;
	}
	if (len > PAGE_SHORT_MAX) {
		page_put_head(page, ENTRY_LONG, delta);
		page_put_word(page, (uint32_t)(len + 4));
	} else {
		page_put_head(page, (uint32_t)len / 4, delta);
	}
	memcpy(page->bytes + DAT_PAGE_HEAD + page->len, event, len);
	page->len += len;
	page->latest = time;
}

/**
 * dat_pages_add() - add an event to its CPU
 * @dat: writer; @dat->event is the event
 * @event: event
 * @time: its time in the output
 * @len: length of @dat->event in bytes, at most DAT_EVENT_MAX
 * @err: set on failure
 */
int dat_pages_add(struct tracedat *dat, const struct lkst_event *event, uint64_t time, size_t len,
		  struct lkst_error *err)
{
	struct dat_page *page = page_of(dat, event->cpu, err);
	size_t whole = (len + 3) / 4 * 4;

	if (!page)
		return -1;
	memset(dat->event + len, 0, whole - len);
	if (!page_fits(page, time, whole)) {
		if (page_flush(dat, page, err))
			return -1;
		memcpy(page->bytes, &time, sizeof(time));
		page->latest = time;
		page->lost = page->pending;
		page->pending = 0;
	}
	page_add(page, time, dat->event, whole);
	if ((uint32_t)event->cpu >= dat->cpus)
		dat->cpus = (uint32_t)event->cpu + 1;
	return 0;
}

/**
 * dat_pages_lose() - record that records of a CPU are missing
 * @dat: writer
 * @cpu: CPU
 * @number: number of records
 * @err: set on failure
 */
int dat_pages_lose(struct tracedat *dat, int32_t cpu, uint64_t number, struct lkst_error *err)
{
	struct dat_page *page = page_of(dat, cpu, err);

	if (!page)
		return -1;
	if (__builtin_add_overflow(page->pending, number, &page->pending))
		page->pending = UINT64_MAX;
	return 0;
}

/**
 * dat_pages_end() - pass all pages on to the spool
 * @dat: writer
 * @err: set on failure
 */
int dat_pages_end(struct tracedat *dat, struct lkst_error *err)
{
	for (uint32_t cpu = 0; cpu < dat->cpus; cpu++)
		if (dat->page[cpu] && page_flush(dat, dat->page[cpu], err))
			return -1;
	return 0;
}

/**
 * dat_pages_of() - get the pages of a CPU
 * @dat: writer, after dat_pages_end()
 * @cpu: CPU
 */
const struct dat_chain *dat_pages_of(const struct tracedat *dat, uint32_t cpu)
{
	static const struct dat_chain none;

	return dat->page[cpu] ? &dat->page[cpu]->chain : &none;
}

/**
 * dat_pages_free() - free the pages
 * @dat: writer
 */
void dat_pages_free(struct tracedat *dat)
{
	for (uint32_t cpu = 0; cpu < LKST_TRACE_CPUS; cpu++)
		free(dat->page[cpu]);
}
