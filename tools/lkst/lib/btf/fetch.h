/* SPDX-License-Identifier: LGPL-2.1 */
/* Compiles expressions such as "file->f_path.dentry->d_name.name" to the kernel's syntax. */
#ifndef _LKST_LIB_BTF_FETCH_H
#define _LKST_LIB_BTF_FETCH_H

#include "lib/lkst.h"
#include "source.h"

/**
 * struct fetch - a value, and how to get it
 * @btf: BTF that contains its type
 * @type: id of its type
 * @base: the value in the kernel's syntax; if @memory is true, the address to which @offset is added
 * @memory: the value is in memory
 * @user: the value is in the memory of a program
 * @offset: offset of the value in bytes; 0 if @memory is false
 * @bit: offset of a bitfield in bits, in addition to @offset
 * @bits: size of a bitfield in bits; 0: no bitfield
 */
struct fetch {
	const struct btf *btf;
	uint32_t type;
	char *base;
	bool memory;
	bool user;
	int64_t offset;
	unsigned int bit;
	unsigned int bits;
};

/**
 * struct fetch_error - where an expression is wrong
 * @at: position in the expression in bytes
 * @err: what is wrong
 */
struct fetch_error {
	size_t at;
	struct lkst_error err;
};

enum fetch_place {
	FETCH_ENTRY,
	FETCH_RETURN
};

int fetch_compile(const struct btf_prototype *prototype, enum fetch_place place, const char *text,
		  size_t len, struct fetch *fetch, struct fetch_error *wrong);
int fetch_argument(const struct btf_prototype *prototype, unsigned int index, struct fetch *fetch,
		   struct lkst_error *err);
int fetch_arrow(struct fetch *fetch, struct lkst_error *err);
int fetch_member(struct fetch *fetch, const char *name, size_t len, struct lkst_error *err);
void fetch_free(struct fetch *fetch);
char *fetch_value(const struct fetch *fetch, struct lkst_error *err);
char *fetch_text(const struct fetch *fetch, const char *type, struct lkst_error *err);

#endif
