/* SPDX-License-Identifier: GPL-2.0 */
/* Writes texts with line breaks. */
#ifndef _LKSTLA_WRAP_H
#define _LKSTLA_WRAP_H

#include <stddef.h>
#include <stdio.h>

void wrap_text(const char *text, size_t column, unsigned int width, FILE *to);

#endif
