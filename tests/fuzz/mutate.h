/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MUTATE_H
#define _MUTATE_H

#include <stddef.h>
#include <stdint.h>

size_t mutate_trace(uint8_t *data, size_t size, size_t max, unsigned int seed);

#endif
