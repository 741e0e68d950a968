/* SPDX-License-Identifier: LGPL-2.1 */
/* Selects records of a memory image. */
#ifndef _LKST_LIB_IMAGE_SELECTION_H
#define _LKST_LIB_IMAGE_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct image_selection - which records, and where to find symbols
 * @boot: index of the boot
 * @cpu: only this CPU; -1: all
 * @id: only buffers with this id; -1: all
 * @static_buffer: only the static buffer
 * @symbols: file in the format of /proc/kallsyms or System.map; NULL: use the symbols in the image
 *	or, if they cannot be read, /boot/System.map-RELEASE or the running kernel's /proc/kallsyms
 * @root: prefix for /boot and /proc; NULL: none
 */
struct image_selection {
	uint32_t boot;
	int32_t cpu;
	int32_t id;
	bool static_buffer;
	const char *symbols;
	const char *root;
};

#endif
