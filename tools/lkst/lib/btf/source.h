/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds functions and tracepoints in the BTF of the kernel and its modules. */
#ifndef _LKST_LIB_BTF_SOURCE_H
#define _LKST_LIB_BTF_SOURCE_H

#include <bpf/btf.h>

#include "lib/lkst.h"

#define BTF_DIRECTORY "/sys/kernel/btf"

struct btf_source;

/**
 * struct btf_prototype - arguments and return value of a function or tracepoint
 * @btf: BTF that contains them
 * @type: function prototype
 * @first: number of arguments to skip: 1 for a tracepoint, because the first argument of its probes
 *	is a pointer to the data of the probe
 * @name: name of the function or tracepoint
 */
struct btf_prototype {
	const struct btf *btf;
	const struct btf_type *type;
	unsigned int first;
	const char *name;
};

static inline unsigned int btf_prototype_arguments(const struct btf_prototype *prototype)
{
	return btf_vlen(prototype->type) - prototype->first;
}

struct btf_source *btf_source_new(const char *directory, struct lkst_error *err);
void btf_source_free(struct btf_source *source);
int btf_source_open(struct btf_source *source, struct lkst_error *err);
const char *btf_source_kernel(const struct btf_source *source);
bool btf_source_tracepoint(struct btf_source *source, const char *name,
			   struct btf_prototype *prototype);
bool btf_source_function(struct btf_source *source, const char *module, const char *name,
			 struct btf_prototype *prototype);

typedef int (*btf_visit)(void *ctx, const char *module, const struct btf_prototype *prototype);
int btf_source_each(struct btf_source *source, btf_visit visit, void *ctx);

#endif
