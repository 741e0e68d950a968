/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What --json prints. Members are called as in the UAPI structures; numbers are numbers, an id
 * that stands for "none" is null, and bytes that are no UTF-8 become U+FFFD.
 *
 * Memory that is missing anywhere is an error of json_print() or json_line(), and of no other.
 */
#ifndef _JSON_H
#define _JSON_H

#include "lib/liblkst.h"

struct json_object;

/* Who puts a value into another or prints it has given it away. */
struct json_object *json_new(void);
struct json_object *json_list(void);
void json_free(struct json_object *value);

/* Members of an object. */
void json_put(struct json_object *object, const char *name, struct json_object *value);
void json_int(struct json_object *object, const char *name, int64_t value);
void json_uint(struct json_object *object, const char *name, uint64_t value);
void json_id(struct json_object *object, const char *name, int32_t id, int32_t none);
void json_flag(struct json_object *object, const char *name, bool value);
void json_text(struct json_object *object, const char *name, const char *text);
void json_etype(struct json_object *object, const struct lkst_etypes *types, uint32_t type);

/* Elements of a list. */
void json_add(struct json_object *list, struct json_object *value);
void json_add_int(struct json_object *list, int64_t value);
void json_add_text(struct json_object *list, const char *text);

int json_print(struct json_object *value, struct lkst_error *err);
char *json_line(struct json_object *value, struct lkst_error *err);

#endif
