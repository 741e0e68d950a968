/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Metadata of this kernel, for readers of a memory image.
 */
#ifndef _LKST_IMAGE_METADATA_H
#define _LKST_IMAGE_METADATA_H

#include <linux/types.h>

unsigned long lkst_text(void);
void lkst_metadata_write(char *text, size_t size, const u8 *boot);

#endif
