/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of user events: parsing, comparing and printing them, and checking
 * payloads. The rules are as for the kernel's own user_events. This file and
 * format.c also compile in user space.
 */
#ifndef _LKST_USER_FORMAT_H
#define _LKST_USER_FORMAT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <linux/types.h>
#include <stdbool.h>
#endif

/* Maximum number of bytes of a command "name fields", with the NUL. */
#define LKST_FORMAT_COMMAND_MAX	512

/*
 * The shortest field is "u8 ;", so a command has fewer fields than this. The
 * printed form has a space after each ';', so it is longer than the command by
 * at most one byte for each field.
 */
#define LKST_FORMAT_FIELDS_MAX	(LKST_FORMAT_COMMAND_MAX / 4)
#define LKST_FORMAT_TEXT_MAX	(LKST_FORMAT_COMMAND_MAX + LKST_FORMAT_FIELDS_MAX)

/* Bytes of ftrace's header, which __data_loc includes in its offsets. */
#define LKST_FORMAT_ENTRY	8

/* Bytes of a payload that fit in one record. */
#define LKST_FORMAT_RECORD	32

enum lkst_field_kind {
	LKST_FIELD_INTEGER,	/* s8 to u64, int, short, char; maybe unsigned */
	LKST_FIELD_CHARS,	/* char[N] or unsigned char[N] */
	LKST_FIELD_STRUCT,	/* struct X, bytes without a known meaning */
	/* Locations: a u32 that gives size and position of the data */
	LKST_FIELD_DATA_LOC,	/* __data_loc T */
	LKST_FIELD_REL_LOC,	/* __rel_loc T */
};

/**
 * struct lkst_format_field - a field of a user event
 * @offset: position in the payload, in bytes
 * @size: size of the fixed part, in bytes, at least 1; 4 for a location
 * @type: position of the type in the text of the format; the type includes
 *	"unsigned", "struct X" or "__rel_loc T"
 * @type_len: length of the type
 * @name: position of the name in the text of the format
 * @name_len: length of the name, which may be 0
 * @kind: enum lkst_field_kind
 * @is_signed: whether an integer is signed
 * @is_text: whether the type contains "char", so that a field of kind
 *	%LKST_FIELD_CHARS or a location is text. The text to which a location
 *	points must end in NUL
 * @is_kernel: whether the type is one that only events of the kernel can have:
 *	x8 to x64, or symbol, which say how to print a number
 */
struct lkst_format_field {
	__u32 offset;
	__u32 size;
	__u16 type;
	__u16 type_len;
	__u16 name;
	__u16 name_len;
	__u8 kind;
	__u8 is_signed;
	__u8 is_text;
	__u8 is_kernel;
};

/**
 * struct lkst_format - the fields of a user event
 * @min_size: size of all fixed parts, in bytes: the minimum size of a payload
 * @num: number of fields
 * @chain: whether the event is recorded as a chain, which can take several
 *	records: it has a location, or @min_size is over %LKST_FORMAT_RECORD
 * @kernel: whether a field has a type that only events of the kernel have
 * @text_len: length of @text
 * @text: the fields as the kernel prints them: "u32 code; char[16] text"
 * @field: the fields in their order in the payload; only @num of them are valid
 *
 * A copy needs only the first lkst_format_bytes() bytes.
 */
struct lkst_format {
	__u32 min_size;
	__u16 num;
	__u16 text_len;
	__u8 chain;
	__u8 kernel;
	char text[LKST_FORMAT_TEXT_MAX];
	struct lkst_format_field field[LKST_FORMAT_FIELDS_MAX];
};

/* Return the number of bytes that a copy of @format needs. */
static inline __u32 lkst_format_bytes(const struct lkst_format *format)
{
	return (__u32)((const char *)&format->field[format->num] - (const char *)format);
}

int lkst_format_split(char *command, char **fields);
int lkst_format_parse(struct lkst_format *format, const char *fields);
bool lkst_format_matches(const struct lkst_format *format, const char *fields);
int lkst_format_validate(const struct lkst_format *format, const void *payload, __u32 bytes);
bool lkst_format_range(const struct lkst_format_field *field, const void *payload, __u32 bytes,
		       __u32 *offset, __u32 *size);

#endif
