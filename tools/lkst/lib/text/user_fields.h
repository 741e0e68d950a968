/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * The fields of user events: events that programs have registered with a list of typed fields
 * (Documentation/lkst/user-events.rst).
 */
#ifndef _LKST_LIB_TEXT_USER_FIELDS_H
#define _LKST_LIB_TEXT_USER_FIELDS_H

#include "lib/lkst.h"

struct lkst_etype;
struct lkst_field;

#define USER_FIELDS_MAX 128 /* a list that fits into 511 bytes has at most 86 fields */

/**
 * enum user_place - where the bytes of a value are
 * @USER_FIXED: in the field
 * @USER_DATA_LOC: elsewhere in the payload; the field has their offset from the start of the record
 *	that ftrace would write, which is USER_HEADER bytes before the payload
 * @USER_REL_LOC: elsewhere in the payload; the field has their offset from the end of the field
 */
enum user_place {
	USER_FIXED,
	USER_DATA_LOC,
	USER_REL_LOC,
};

#define USER_HEADER 8

/**
 * struct user_field - where a value is in the payload of a user event
 * @place: where its bytes are
 * @offset: offset of the field in the payload, in bytes
 * @size: size of the field in bytes
 * @is_signed: whether a number is signed
 * @chain: the payload is in a chain; otherwise it is in the four arguments
 */
struct user_field {
	enum user_place place;
	uint32_t offset;
	uint32_t size;
	bool is_signed;
	bool chain;
};

int user_fields_parse(struct lkst_etype *type, char *text);
uint64_t user_field_value(const struct lkst_field *field, const struct lkst_event *event);
bool user_field_exists(const struct lkst_field *field, const struct lkst_event *event);
bool user_fields_are_cut(const struct lkst_etype *type, const struct lkst_event *event);
size_t user_field_bytes(const struct lkst_field *field, const struct lkst_event *event,
			char bytes[LKST_CHAIN_BYTES_MAX]);

#endif
