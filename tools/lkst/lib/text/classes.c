// SPDX-License-Identifier: LGPL-2.1
/* Divides the event types into classes. A class is a range of event types. */
#include "classes.h"

const struct lkst_class lkst_classes[] = {
#define LKST_ECLASS_DEF(first, last, name, title, ...) { first, last, name, title },
#include "linux/lkst_eclasses.h"
#undef LKST_ECLASS_DEF
};

const size_t lkst_classes_num = sizeof(lkst_classes) / sizeof(*lkst_classes);

/**
 * lkst_class_of() - get the class of an event type
 * @event_type: any number
 *
 * Return: the class; NULL if the number is not an event type.
 */
const struct lkst_class *lkst_class_of(uint32_t event_type)
{
	for (size_t i = 0; i < lkst_classes_num; i++)
		if (event_type >= lkst_classes[i].first && event_type <= lkst_classes[i].last)
			return &lkst_classes[i];
	return NULL;
}
