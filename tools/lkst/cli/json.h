/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Builds the output of --json. JSON members have the same names as the members of the UAPI
 * structures. An id that means "none" becomes null, and bytes that are not valid UTF-8 become
 * U+FFFD.
 *
 * Only json_print*() and json_take_text() return errors. They fail if any of these functions ran
 * out of memory.
 */
#ifndef _JSON_H
#define _JSON_H

#include "lib/lkst.h"

struct json_object;

/* A value belongs to the caller until it is freed, printed, or added to an object or a list. */
struct json_object *json_new(void);
struct json_object *json_list(void);
struct json_object *json_of_int(int64_t value);
struct json_object *json_of_uint(uint64_t value);
struct json_object *json_of_real(double value);
struct json_object *json_of_text(const char *text);
void json_free(struct json_object *value);

/* Add members to an object. */
void json_put(struct json_object *object, const char *name, struct json_object *value);
void json_put_copy(struct json_object *object, const char *name, struct json_object *value);
void json_int(struct json_object *object, const char *name, int64_t value);
void json_uint(struct json_object *object, const char *name, uint64_t value);
void json_real(struct json_object *object, const char *name, double value);
void json_id(struct json_object *object, const char *name, int32_t id, int32_t none);
void json_flag(struct json_object *object, const char *name, bool value);
void json_text(struct json_object *object, const char *name, const char *text);
void json_etype(struct json_object *object, const struct lkst_etypes *types, uint32_t type);

/* Add elements to a list. */
void json_add(struct json_object *list, struct json_object *value);
void json_add_text(struct json_object *list, const char *text);

char *json_take_text(struct json_object *value);
int json_print(struct json_object *value, struct lkst_error *err);
int json_print_line(struct json_object *value, struct lkst_error *err);

#endif
