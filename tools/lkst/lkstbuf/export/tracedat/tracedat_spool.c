// SPDX-License-Identifier: GPL-2.0
/*
 * Keeps the pages of all CPUs in a temporary file, in slots of equal size. A slot contains a page
 * and the number of the slot with the next page of the CPU. So a CPU's next slot is assigned when
 * its previous page is written, and the memory use does not depend on the number of pages.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "tracedat.h"

#define SPOOL_SLOT (DAT_PAGE + sizeof(uint64_t))

static int spool_fail(const char *what, int failed, struct lkst_error *err)
{
	lkst_error_system(err, failed, "temporary file", what);
	return -1;
}

/**
 * dat_spool_add() - add a page to the pages of a CPU
 * @spool: pages
 * @chain: the CPU's pages. Initialize all members to 0
 * @page: page
 * @err: set on failure
 */
int dat_spool_add(struct dat_spool *spool, struct dat_chain *chain, const uint8_t page[DAT_PAGE],
		  struct lkst_error *err)
{
	uint8_t slot[SPOOL_SLOT];
	ssize_t len;

	if (!chain->num)
		chain->first = chain->next = spool->slots++;
	memcpy(slot, page, DAT_PAGE);
	memcpy(slot + DAT_PAGE, &spool->slots, sizeof(spool->slots));
	len = pwrite(spool->fd, slot, sizeof(slot), (off_t)(chain->next * SPOOL_SLOT));
	if (len != (ssize_t)sizeof(slot))
		return spool_fail("write", len < 0 ? errno : ENOSPC, err);
	chain->next = spool->slots++;
	chain->num++;
	return 0;
}

/**
 * dat_spool_copy() - write the pages of a CPU to the output
 * @spool: pages
 * @chain: the CPU's pages
 * @out: output
 * @err: set on failure
 */
int dat_spool_copy(const struct dat_spool *spool, const struct dat_chain *chain,
		   struct lkst_out *out, struct lkst_error *err)
{
	uint64_t next = chain->first;
	uint8_t slot[SPOOL_SLOT];

	for (uint64_t i = 0; i < chain->num && !out->error; i++) {
		ssize_t len = pread(spool->fd, slot, sizeof(slot), (off_t)(next * SPOOL_SLOT));
		char *p = out_room(out);

		if (len != (ssize_t)sizeof(slot))
			return spool_fail("read", len < 0 ? errno : EIO, err);
		memcpy(p, slot, DAT_PAGE);
		out_end(out, p + DAT_PAGE);
		memcpy(&next, slot + DAT_PAGE, sizeof(next));
	}
	return 0;
}
