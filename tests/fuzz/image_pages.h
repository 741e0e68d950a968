/* SPDX-License-Identifier: GPL-2.0 */
/* Images of memory by their pages: so that what was changed in one is signed again. */
#ifndef _IMAGE_PAGES_H
#define _IMAGE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/lkst_image.h>

/* A page that begins so is missing. */
#define MISSING_MAGIC "missing"

bool is_header(const uint8_t *page);
void sign_image(uint8_t *data, size_t size);
size_t mutate_image(uint8_t *data, size_t size, size_t max, unsigned int seed);

#endif
