/* SPDX-License-Identifier: LGPL-2.1 */
/* Translates the definition of an added event to the kernel's syntax. */
#ifndef _LKST_LIB_BTF_DEFINITION_H
#define _LKST_LIB_BTF_DEFINITION_H

#include "lib/lkst.h"
#include "source.h"
#include "tracefs.h"

/**
 * struct definition_part - where a part of the translation comes from
 * @at: position in the translation in bytes
 * @len: length
 * @from: position, in the user's words, of the text that the part comes from
 * @copied: the part was copied; otherwise it was compiled
 */
struct definition_part {
	size_t at;
	size_t len;
	size_t from;
	bool copied;
};

/**
 * struct definition - a definition in the kernel's syntax
 * @text: the definition
 * @len: its length in bytes
 * @parts: number of parts
 * @part: the parts, in the order of their positions
 * @missing: names of the own fields of the tracepoint that cannot be derived; NULL or "": none
 */
struct definition {
	char *text;
	size_t len;
	size_t parts;
	struct definition_part *part;
	char *missing;
};

int definition_translate(struct btf_source *source, struct tracefs *tracefs, const char *words,
			 struct definition *definition, struct lkst_error *err);
void definition_free(struct definition *definition);
void definition_wrong(const struct definition *definition, const char *words, size_t at,
		      const char *text, struct lkst_error *err);

#endif
