/* SPDX-License-Identifier: LGPL-2.1 */
/* Finds names of values. The names differ between kernels, so each kernel lists its own names. */
#ifndef _LKST_LIB_TEXT_VALUES_H
#define _LKST_LIB_TEXT_VALUES_H

#include "etypes.h"
#include "lib/lkst.h"

struct lkst_values;

#define LKST_VALUES_PATH	"/proc/lkst_values"

#define LKST_VALUES_HEADER	"# lkst_values 1"
#define LKST_DEV_MINOR_BITS	20	/* bits of the minor number in the kernel's dev_t */

/**
 * struct lkst_value - the name of a value
 * @value: value
 * @name: 1 to 63 bytes, in at least PUT_SPARE bytes of readable memory, as put_spared() requires
 * @len: length of @name in bytes
 * @plain: @name needs no quotes
 */
struct lkst_value {
	uint64_t value;
	const char *name;
	uint8_t len;
	bool plain;
};

struct lkst_values *lkst_values_parse(const char *text, size_t len, const char *origin,
				      struct lkst_error *err);
bool lkst_values_are_flags(const struct lkst_values *values, enum lkst_field_format format);
const struct lkst_value *lkst_values_find(const struct lkst_values *values,
					  enum lkst_field_format format, uint64_t value);

const struct lkst_value *lkst_values_at(const struct lkst_values *values,
					enum lkst_field_format format, size_t i);

/* Return the name of an enumeration value; NULL if it has no name. */
static inline const char *lkst_values_name(const struct lkst_values *values,
					   enum lkst_field_format format, uint64_t value)
{
	const struct lkst_value *found = lkst_values_find(values, format, value);

	return found ? found->name : NULL;
}

const char *lkst_values_take(const struct lkst_values *values, enum lkst_field_format format,
			     uint64_t *value);
void lkst_values_free(struct lkst_values *values);

#endif
