/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The digest: figures of each CPU and of the system, once a second.
 */
#ifndef _LKST_DIGEST_H
#define _LKST_DIGEST_H

int lkst_digest_start(void);
void lkst_digest_stop(void);

#endif
