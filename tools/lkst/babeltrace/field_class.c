// SPDX-License-Identifier: LGPL-2.1
#include "field_class.h"

static bt_field_class *field_class_number(bt_trace_class *trace, const struct field_class *member)
{
	bt_field_class *class = member->kind == FIELD_SIGNED ?
					bt_field_class_integer_signed_create(trace) :
					bt_field_class_integer_unsigned_create(trace);

	if (!class)
		return NULL;
	bt_field_class_integer_set_field_value_range(class, member->bits);
	if (member->hex)
		bt_field_class_integer_set_preferred_display_base(
			class, BT_FIELD_CLASS_INTEGER_PREFERRED_DISPLAY_BASE_HEXADECIMAL);
	return class;
}

static bt_field_class *field_class_array(bt_trace_class *trace, bt_field_class *element)
{
	bt_field_class *class = NULL;

	if (element)
		class = bt_field_class_array_dynamic_create(trace, element, NULL);
	bt_field_class_put_ref(element);
	return class;
}

static bt_field_class *field_class_of(bt_trace_class *trace, const struct field_class *member)
{
	switch (member->kind) {
	case FIELD_STRING:
		return bt_field_class_string_create(trace);
	case FIELD_NUMBERS:
		return field_class_array(trace, field_class_number(trace, member));
	case FIELD_STRINGS:
		return field_class_array(trace, bt_field_class_string_create(trace));
	default:
		return field_class_number(trace, member);
	}
}

/**
 * field_class_structure() - make the class of a structure
 * @trace: trace class that will use the structure
 * @member: members, whose names differ
 * @num: number of members
 *
 * Return: the class, whose reference the caller must put; NULL if an allocation fails.
 */
bt_field_class *field_class_structure(bt_trace_class *trace, const struct field_class *member,
				      size_t num)
{
	bt_field_class *structure = bt_field_class_structure_create(trace);

	for (size_t i = 0; structure && i < num; i++) {
		bt_field_class *class = field_class_of(trace, &member[i]);

		if (!class ||
		    bt_field_class_structure_append_member(structure, member[i].name, class))
			BT_FIELD_CLASS_PUT_REF_AND_RESET(structure);
		bt_field_class_put_ref(class);
	}
	return structure;
}
