/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the source files that write the format trace.dat, version 6, of trace-cmd.
 *
 * A file consists of a header and, for each CPU, the pages of its ring buffer. The header describes
 * the events and lists the threads, so it can only be written at the end. Until then, the pages are
 * in a temporary file.
 *
 * tracedat.c implements the format. tracedat_plan.c determines which members the events of each
 * type have, and tracedat_encode.c writes them. tracedat_pages.c collects the events in pages, and
 * tracedat_spool.c stores the pages. tracedat_threads.c remembers the names of threads.
 * tracedat_header.c writes the header, and tracedat_describe.c the descriptions of events in it.
 */
#ifndef _LKSTBUF_EXPORT_TRACEDAT_H
#define _LKSTBUF_EXPORT_TRACEDAT_H

#include "lib/base/put.h"
#include "lib/trace/reader.h"
#include "lkstbuf/export/export.h"
#include "lkstbuf/export/steady.h"
#include "tracedat_plan.h"

/*
 * Size of a page in bytes. The longest string in an event has LKST_CHAIN_BYTES_MAX bytes, and an
 * event must fit into a page.
 */
#define DAT_PAGE      8192
#define DAT_PAGE_HEAD 16 /* bytes of a page before its events */
/* Maximum size of the data of an event. 24 bytes are for its header and a number of lost events. */
#define DAT_EVENT_MAX	(DAT_PAGE - DAT_PAGE_HEAD - 24)
#define DAT_DESCRIPTION 32768 /* room for the description of an event type */

struct dat_page;
struct dat_threads;

/**
 * struct dat_spool - pages in a temporary file
 * @fd: temporary file, or -1
 * @slots: number of slots that have been assigned
 */
struct dat_spool {
	int fd;
	uint64_t slots;
};

/**
 * struct dat_chain - the pages of a CPU in a spool
 * @first: slot of the first page
 * @next: slot of the next page to be added
 * @num: number of pages
 */
struct dat_chain {
	uint64_t first;
	uint64_t next;
	uint64_t num;
};

/**
 * struct tracedat - writer of a trace.dat file
 * @export: what is exported
 * @plans: members of the events
 * @clock: clock of the output
 * @offset_ns: wall clock minus the clock of the output, at the first event
 * @cpus: highest number of a CPU with events, plus 1
 * @page: page that each CPU fills; NULL: no events yet
 * @spool: full pages
 * @threads: names of threads
 * @event: the event that is being written
 * @text: room for a text
 */
struct tracedat {
	struct export *export;
	struct dat_plans *plans;
	struct steady clock;
	int64_t offset_ns;
	uint32_t cpus;
	struct dat_page *page[LKST_TRACE_CPUS];
	struct dat_spool spool;
	struct dat_threads *threads;
	uint8_t event[DAT_EVENT_MAX + PUT_SPARE];
	char *text;
};

/* tracedat_encode.c */
size_t dat_encode(struct tracedat *dat, const struct dat_plan *plan,
		  const struct lkst_event *event);

/* tracedat_pages.c */
int dat_pages_add(struct tracedat *dat, const struct lkst_event *event, uint64_t time, size_t len,
		  struct lkst_error *err);
int dat_pages_lose(struct tracedat *dat, int32_t cpu, uint64_t number, struct lkst_error *err);
int dat_pages_end(struct tracedat *dat, struct lkst_error *err);
const struct dat_chain *dat_pages_of(const struct tracedat *dat, uint32_t cpu);
void dat_pages_free(struct tracedat *dat);

/* tracedat_spool.c */
int dat_spool_add(struct dat_spool *spool, struct dat_chain *chain, const uint8_t page[DAT_PAGE],
		  struct lkst_error *err);
int dat_spool_copy(const struct dat_spool *spool, const struct dat_chain *chain,
		   struct lkst_out *out, struct lkst_error *err);

/* tracedat_threads.c */
struct dat_threads *dat_threads_new(struct lkst_error *err);
void dat_threads_see(struct tracedat *dat, const struct lkst_event *event);
void dat_threads_end(struct tracedat *dat);
uint64_t dat_threads_write(struct tracedat *dat, struct lkst_out *out);
void dat_threads_free(struct dat_threads *threads);

/* tracedat_header.c */
void dat_header_write(struct tracedat *dat);

/* tracedat_describe.c */
char *dat_describe(char *p, const struct dat_plan *plan);

#endif
