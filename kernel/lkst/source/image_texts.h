/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Make the names of event types and values available in memory images.
 */
#ifndef _LKST_IMAGE_TEXTS_H
#define _LKST_IMAGE_TEXTS_H

void lkst_image_texts_changed(void);
void lkst_image_texts_start(void);
void lkst_image_texts_stop(void);

#endif
