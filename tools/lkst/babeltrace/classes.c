// SPDX-License-Identifier: LGPL-2.1
/*
 * Two files of one boot may describe an event type differently, for example if the module that
 * registers the event type was replaced before the second file was recorded. Each different
 * description is a form of the event type. Each form has an event class for each variant, that is,
 * for each name that LTTng gives to its events.
 */
#include "classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/printable.h"

/**
 * struct form - a description of an event type
 * @type: description, which belongs to the component; NULL: none
 * @known: what LTTng calls its events
 * @plan: the fields, which are the same in all event classes of the form
 * @variants: number of elements of @variant
 * @variant: event classes; those that have not been made are NULL
 * @next: next form of the same event type
 */
struct form {
	const struct lkst_etype *type;
	const struct lttng_event *known;
	struct plan plan;
	uint32_t variants;
	struct class **variant;
	struct form *next;
};

/* A list of forms for each event type, and one for all numbers that are out of range. */
#define CLASSES_FORMS (LKST_ETYPE_NUM + 1)

struct classes {
	bt_trace_class *trace;
	bt_stream_class *stream;
	struct form *form[CLASSES_FORMS];
};

/**
 * classes_new() - make an empty set of event classes
 * @trace: trace class
 * @stream: its only stream class
 *
 * Return: the set, NULL if an allocation fails.
 */
struct classes *classes_new(bt_trace_class *trace, bt_stream_class *stream)
{
	struct classes *classes = calloc(1, sizeof(*classes));

	if (!classes)
		return NULL;
	bt_trace_class_get_ref(trace);
	bt_stream_class_get_ref(stream);
	classes->trace = trace;
	classes->stream = stream;
	return classes;
}

static void form_free(struct form *form)
{
	for (uint32_t i = 0; i < form->variants; i++) {
		if (form->variant[i])
			bt_event_class_put_ref(form->variant[i]->class);
		free(form->variant[i]);
	}
	free(form->variant);
	free(form);
}

/**
 * classes_free() - free event classes
 * @classes: may be NULL
 */
void classes_free(struct classes *classes)
{
	if (!classes)
		return;
	for (size_t i = 0; i < CLASSES_FORMS; i++) {
		struct form *next;

		for (struct form *form = classes->form[i]; form; form = next) {
			next = form->next;
			form_free(form);
		}
	}
	bt_stream_class_put_ref(classes->stream);
	bt_trace_class_put_ref(classes->trace);
	free(classes);
}

static struct form *classes_form(struct classes *classes, const struct lkst_etype *type,
				 uint32_t number)
{
	struct form **at = &classes->form[number < LKST_ETYPE_NUM ? number : LKST_ETYPE_NUM];
	struct form *form;

	while (*at && !lkst_etype_is_same((*at)->type, type))
		at = &(*at)->next;
	if (*at)
		return *at;
	form = calloc(1, sizeof(*form));
	if (!form)
		return NULL;
	form->type = type;
	form->known = type ? lttng_event_find(number) : NULL;
	plan_make(&form->plan, type, form->known);
	*at = form;
	return form;
}

static void form_name(const struct form *form, uint32_t number, uint32_t variant,
		      char name[LTTNG_NAME_MAX])
{
	if (form->known)
		lttng_event_name(form->known, variant, name);
	else if (form->type)
		lkst_printable(form->type->name, strlen(form->type->name), name, LTTNG_NAME_MAX);
	else if (number >= LKST_ETYPE_NUM)
		snprintf(name, LTTNG_NAME_MAX, "unknown");
	else
		snprintf(name, LTTNG_NAME_MAX, "%s0x%03x",
			 lkst_etype_is_user(number) ? LKST_USER_PREFIX : "unknown_", number);
}

static bt_event_class *classes_make(const struct classes *classes, const struct form *form,
				    const char *name)
{
	bt_event_class *class = bt_event_class_create(classes->stream);
	bt_field_class *payload =
		field_class_structure(classes->trace, form->plan.class, form->plan.num);

	if (class && (!payload || bt_event_class_set_name(class, name) ||
		      bt_event_class_set_payload_field_class(class, payload)))
		BT_EVENT_CLASS_PUT_REF_AND_RESET(class);
	bt_field_class_put_ref(payload);
	return class;
}

static struct class *form_add(struct form *form, bt_event_class *made, uint32_t variant)
{
	struct class *class = malloc(sizeof(*class));

	if (!class)
		return NULL;
	*class = (struct class){ .class = made, .plan = &form->plan };
	form->variant[variant] = class;
	return class;
}

static int form_grow(struct form *form, uint32_t variant)
{
	struct class **grown;

	if (variant < form->variants)
		return 0;
	grown = realloc(form->variant, (variant + 1) * sizeof(*grown));
	if (!grown)
		return -1;
	form->variant = grown;
	while (form->variants <= variant)
		grown[form->variants++] = NULL;
	return 0;
}

/**
 * classes_find() - find the event class of an event, and create it if necessary
 * @classes: event classes
 * @types: event types of the file that the event is from; they must exist as long as @classes
 * @context: names of the kernel that recorded the event
 * @event: event
 * @err: set if an allocation fails
 */
const struct class *classes_find(struct classes *classes, const struct lkst_etypes *types,
				 const struct lkst_context *context, const struct lkst_event *event,
				 struct lkst_error *err)
{
	struct form *form = classes_form(classes, lkst_etype(types, event->type), event->type);
	uint32_t variant = form && form->known ? lttng_variant(context, event) : 0;
	char name[LTTNG_NAME_MAX];
	struct class *class = NULL;
	bt_event_class *made;

	if (form && variant < form->variants && form->variant[variant])
		return form->variant[variant];
	if (form && !form_grow(form, variant)) {
		form_name(form, event->type, variant, name);
		made = classes_make(classes, form, name);
		class = made ? form_add(form, made, variant) : NULL;
		if (!class)
			bt_event_class_put_ref(made);
	}
	if (!class)
		lkst_error_memory(err, "an event class");
	return class;
}
