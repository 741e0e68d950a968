/* SPDX-License-Identifier: LGPL-2.1 */
/* Guesses the kind of a file that is not a trace. */
#ifndef _LKST_FILE_KIND_H
#define _LKST_FILE_KIND_H

#include <stddef.h>
#include <stdint.h>

const char *file_kind(const uint8_t *head, size_t len);

#endif
