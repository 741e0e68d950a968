/* SPDX-License-Identifier: LGPL-2.1 */
/* What the types in BTF mean, without their qualifiers and typedefs. */
#ifndef _LKST_LIB_BTF_TYPES_H
#define _LKST_LIB_BTF_TYPES_H

#include <bpf/btf.h>

#include "lib/lkst.h"

/**
 * struct btf_place - a member of a structure
 * @type: id of its type
 * @bit: offset from the start of the structure in bits
 * @bits: size of a bitfield in bits; 0: no bitfield
 */
struct btf_place {
	uint32_t type;
	uint64_t bit;
	unsigned int bits;
};

const struct btf_type *btf_plain(const struct btf *btf, uint32_t *id);
bool btf_is_user_memory(const struct btf *btf, uint32_t id);
bool btf_is_text(const struct btf *btf, uint32_t id);
bool btf_find_member(const struct btf *btf, const struct btf_type *type, const char *name,
		     size_t len, struct btf_place *place);
size_t btf_member_names(const struct btf *btf, const struct btf_type *type, const char **name,
			size_t max);
char *btf_declaration(const struct btf *btf, uint32_t id, const char *name);

#endif
