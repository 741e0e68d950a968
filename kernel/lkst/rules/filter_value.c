// SPDX-License-Identifier: GPL-2.0
/* The fields that a comparison can name, and the values that they can have. */
#include "filter_compat.h"
#include "filter_parse.h"

/* ---- fields ---- */

#define FILTER_OWN(_name, _load) {							\
	.name = (_name), .name_len = sizeof(_name) - 1, .format = "", .load = (_load),	\
	.size = sizeof(__u32),								\
}

#define FILTER_OWN_COMM(_name) {							\
	.name = (_name), .name_len = sizeof(_name) - 1, .format = "",			\
	.text = LKST_TEXT_COMM, .size = 16,						\
}

/* Fields that all events have. An event's own fields take precedence. */
static const struct lkst_filter_field filter_own_fields[] = {
	FILTER_OWN("pid", LKST_LOAD_PID),
	FILTER_OWN("tid", LKST_LOAD_TID),
	FILTER_OWN_COMM("comm"),
	FILTER_OWN("uid", LKST_LOAD_UID),
	FILTER_OWN("gid", LKST_LOAD_GID),
	FILTER_OWN("cpu", LKST_LOAD_CPU),
	FILTER_OWN("flags", LKST_LOAD_FLAGS),
	/* Other names, for events whose own fields hide the names above */
	FILTER_OWN("common_pid", LKST_LOAD_PID),
	FILTER_OWN("common_tid", LKST_LOAD_TID),
	FILTER_OWN("common_cpu", LKST_LOAD_CPU),
	FILTER_OWN("CPU", LKST_LOAD_CPU),
	FILTER_OWN_COMM("COMM"),
};

/* As LKST_RECORD_* in linux/lkst_buffer.h */
static const char *const filter_flags[] = {
	"hardirq", "softirq", "nmi", "preempt_off", "need_resched",
};

/**
 * lkst_filter_is() - compare a part of a filter with a text
 * @at: the part
 * @len: its length in bytes
 * @text: the text
 *
 * Return: whether they are equal.
 */
bool lkst_filter_is(const char *at, size_t len, const char *text)
{
	return strlen(text) == len && !strncmp(at, text, len);
}

/**
 * lkst_filter_find() - find a field by name
 * @parser: its scope contains the fields of the event
 * @at: the name
 * @len: its length
 *
 * Return: a field of the event or of every event, or NULL.
 */
const struct lkst_filter_field *lkst_filter_find(const struct lkst_filter_parser *parser,
						 const char *at, size_t len)
{
	const struct lkst_filter_scope *scope = parser->scope;
	const struct lkst_filter_field *field;
	unsigned int i;

	for (i = 0; i < scope->fields; i++) {
		field = &scope->field[i];
		if (field->name_len == len && !strncmp(field->name, at, len))
			return field;
	}
	for (i = 0; i < ARRAY_SIZE(filter_own_fields); i++)
		if (lkst_filter_is(at, len, filter_own_fields[i].name))
			return &filter_own_fields[i];
	return NULL;
}

/**
 * lkst_filter_unknown() - report an unknown field
 * @parser: receives the error, which lists the fields
 * @start: position of the name in the text
 * @at: the name
 * @len: its length
 *
 * Return: false.
 */
bool lkst_filter_unknown(struct lkst_filter_parser *parser, __u32 start, const char *at,
			 size_t len)
{
	const struct lkst_filter_scope *scope = parser->scope;
	char list[LKST_FILTER_ERROR] = "";
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < scope->fields && used < sizeof(list); i++)
		used += snprintf(list + used, sizeof(list) - used, "%.*s, ",
				 (int)scope->field[i].name_len, scope->field[i].name);
	return lkst_filter_error(parser, start, "unknown field \"%.*s\" (want %s%s)",
				 (int)(len < LKST_FILTER_SHOWN ? len : LKST_FILTER_SHOWN), at, list,
				 "pid, tid, comm, uid, gid, cpu or flags");
}

/* ---- numbers ---- */

static unsigned int filter_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

enum filter_parsed {
	FILTER_NO_NUMBER,
	FILTER_NUMBER,
	FILTER_TOO_BIG,
};

/* Parse a number in decimal, in hexadecimal (0x) or in octal (0). */
static enum filter_parsed filter_digits(const char *at, size_t len, __u64 *value)
{
	unsigned int base = 10, digit;
	bool big = false;
	size_t i = 0;

	if (len > 2 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
		base = 16;
		i = 2;
	} else if (len > 1 && at[0] == '0') {
		base = 8;
		i = 1;
	}
	if (i == len)
		return FILTER_NO_NUMBER;
	for (*value = 0; i < len; i++) {
		digit = filter_digit(at[i]);
		if (digit >= base)
			return FILTER_NO_NUMBER;
		/* Avoid a division of 64 bits, which 32-bit kernels lack. */
		if (*value >> 60 && (base == 16 || *value > (~0ULL - digit) >> 3))
			big = true;
		if (base == 10 && (*value > 1844674407370955161ULL ||
				   (*value == 1844674407370955161ULL && digit > 5)))
			big = true;
		*value = *value * base + digit;
	}
	return big ? FILTER_TOO_BIG : FILTER_NUMBER;
}

/**
 * lkst_filter_mask() - get the bits of a field
 * @field: the field
 *
 * Return: a number in which the bits that the field has are set.
 */
__u64 lkst_filter_mask(const struct lkst_filter_field *field)
{
	return field->size < sizeof(__u64) ? (1ULL << field->size * 8) - 1 : ~0ULL;
}

/**
 * lkst_filter_lowest() - get the smallest value of a field
 * @field: the field
 *
 * Return: the value, as the bits of a 64-bit integer.
 */
__u64 lkst_filter_lowest(const struct lkst_filter_field *field)
{
	return field->is_signed ? ~(lkst_filter_mask(field) >> 1) : 0;
}

/**
 * lkst_filter_highest() - get the greatest value of a field
 * @field: the field
 *
 * Return: the value, as the bits of a 64-bit integer.
 */
__u64 lkst_filter_highest(const struct lkst_filter_field *field)
{
	return lkst_filter_mask(field) >> field->is_signed;
}

static bool filter_flag(const char *at, size_t len, __u64 *value)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(filter_flags); i++)
		if (lkst_filter_is(at, len, filter_flags[i])) {
			*value = 1ULL << i;
			return true;
		}
	return false;
}

static bool filter_constant(struct lkst_filter_parser *parser,
			    const struct lkst_filter_field *field, const char *at, size_t len,
			    __u64 *value)
{
	const struct lkst_filter_scope *scope = parser->scope;

	if (field->load == LKST_LOAD_FLAGS)
		return filter_flag(at, len, value);
	return field->format_len && scope->constant &&
	       scope->constant(scope->ctx, field, at, len, value);
}

static bool filter_no_value(struct lkst_filter_parser *parser,
			    const struct lkst_filter_field *field,
			    const struct lkst_filter_word *word)
{
	const char *names = field->format_len ? " or a name" : "";

	if (field->load == LKST_LOAD_FLAGS)
		names = ", hardirq, softirq, nmi, preempt_off or need_resched";
	return lkst_filter_error(parser, word->start,
				 "\"%.*s\" is not a value of \"%.*s\" (want a number%s)",
				 LKST_FILTER_WORD(word), (int)field->name_len, field->name, names);
}

/*
 * Take a number or the name of a value: @len bytes at @at, which are a part of
 * @word.
 */
static bool filter_one_value(struct lkst_filter_parser *parser,
			     const struct lkst_filter_field *field,
			     const struct lkst_filter_word *word, const char *at, size_t len,
			     __u64 *value)
{
	bool negative = len && *at == '-';
	enum filter_parsed parsed = FILTER_NO_NUMBER;

	if (!word->quoted)
		parsed = filter_digits(at + negative, len - negative, value);
	if (parsed == FILTER_NO_NUMBER) {
		if (!filter_constant(parser, field, at, len, value))
			return filter_no_value(parser, field, word);
		*value &= lkst_filter_mask(field);
		if (field->is_signed && *value > lkst_filter_highest(field))
			*value |= ~lkst_filter_mask(field);
		return true;
	}
	if (negative && *value && !field->is_signed)
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\": \"%.*s\" is never negative (want 0 or more)",
					 LKST_FILTER_WORD(word), (int)field->name_len, field->name);
	if (parsed == FILTER_TOO_BIG || *value > lkst_filter_highest(field) + negative)
		return lkst_filter_error(parser, word->start,
					 "\"%.*s\": \"%.*s\" has only %u bits (want %lld to %llu)",
					 LKST_FILTER_WORD(word), (int)field->name_len, field->name,
					 field->size * 8, (long long)lkst_filter_lowest(field),
					 (unsigned long long)lkst_filter_highest(field));
	if (negative)
		*value = -*value;
	return true;
}

/**
 * lkst_filter_value() - take a value, or several names of flags joined by "|"
 * @parser: receives the error
 * @field: the field that is compared with the value
 * @word: the word that contains the value
 * @at: the value, which is a part of @word
 * @len: its length in bytes
 * @value: receives the value
 *
 * Return: whether the field can have this value.
 */
bool lkst_filter_value(struct lkst_filter_parser *parser, const struct lkst_filter_field *field,
		       const struct lkst_filter_word *word, const char *at, size_t len,
		       __u64 *value)
{
	__u64 one;
	size_t now;

	for (*value = 0;; at += now + 1, len -= now + 1) {
		for (now = 0; now < len && at[now] != '|'; now++)
			;
		if (!filter_one_value(parser, field, word, at, now, &one))
			return false;
		*value |= one;
		if (now == len)
			return true;
	}
}
