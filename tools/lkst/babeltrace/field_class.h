/* SPDX-License-Identifier: LGPL-2.1 */
/* Makes field classes of Babeltrace from a table. */
#ifndef _BABELTRACE_FIELD_CLASS_H
#define _BABELTRACE_FIELD_CLASS_H

#include <babeltrace2/babeltrace.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_kind {
	FIELD_SIGNED,
	FIELD_UNSIGNED,
	FIELD_STRING,
	FIELD_NUMBERS, /* array of unsigned numbers */
	FIELD_STRINGS, /* array of strings */
};

/**
 * struct field_class - a member of a structure
 * @name: name; an identifier of CTF
 * @kind: type of the value
 * @bits: size of a number; 0: not a number
 * @hex: show numbers in hexadecimal
 */
struct field_class {
	const char *name;
	enum field_kind kind;
	uint8_t bits;
	bool hex;
};

bt_field_class *field_class_structure(bt_trace_class *trace, const struct field_class *member,
				      size_t num);

#endif
