/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Derives the fields that a tracepoint itself defines, as its file "format" in tracefs lists them,
 * from its arguments.
 */
#ifndef _LKST_LIB_BTF_OWN_FIELDS_H
#define _LKST_LIB_BTF_OWN_FIELDS_H

#include "lib/lkst.h"
#include "source.h"
#include "tracefs.h"

/**
 * struct own_fields - the fields that a tracepoint itself defines
 * @num: number of fields that can be derived
 * @field: each as NAME=FETCH:TYPE in the kernel's syntax
 * @missing: names of the others, separated by ", "; "": none
 */
struct own_fields {
	size_t num;
	char **field;
	char *missing;
};

int own_fields_derive(const struct btf_prototype *prototype, const struct tracefs *tracefs,
		      struct own_fields *fields, struct lkst_error *err);
void own_fields_free(struct own_fields *fields);

#endif
