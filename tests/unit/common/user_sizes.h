/* SPDX-License-Identifier: GPL-2.0 */
/* Sizes of arrays in the fields of user events, which the kernel and liblkst must read alike. */
#ifndef _USER_SIZES_H
#define _USER_SIZES_H

static const struct {
	const char *fields;
	unsigned int size;
} user_sizes[] = {
	{ "char[10] a", 10 },	  { "char[010] a", 8 },	   { "char[0x10] a", 16 },
	{ "char[0X1f] a", 31 },	  { "char[+4] a", 4 },	   { "char[+0xA] a", 10 },
	{ "char[9]x a", 9 },	  { "char[02000] a", 1024 }, { "unsigned char[012] a", 10 },
	{ "struct x a 010", 10 }, { "struct x a +10", 10 },
};

#endif
