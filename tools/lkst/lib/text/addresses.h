/* SPDX-License-Identifier: LGPL-2.1 */
/* Collects the code addresses in records, to find their symbols. */
#ifndef _LKST_LIB_TEXT_ADDRESSES_H
#define _LKST_LIB_TEXT_ADDRESSES_H

#include "lib/lkst.h"

struct lkst_addresses;

struct lkst_addresses *lkst_addresses_new(const struct lkst_etypes *types,
					  struct lkst_error *err);
int lkst_addresses_add(struct lkst_addresses *addresses, const struct lkst_log_record *record,
		       size_t num, struct lkst_error *err);
char *lkst_addresses_resolve(const struct lkst_addresses *addresses, const char *path,
			     size_t *len, struct lkst_error *err);
void lkst_addresses_free(struct lkst_addresses *addresses);

int lkst_addresses_add_raw(struct lkst_addresses *addresses, const struct lkst_event_record *record,
			   size_t num, struct lkst_error *err);
const uint64_t *lkst_addresses_list(const struct lkst_addresses *addresses, size_t *num);

#endif
