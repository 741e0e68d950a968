/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluate a filter. The includer defines where the values of the running
 * thread come from: lkst_filter_context(), lkst_filter_comm(),
 * lkst_filter_user_text() and lkst_filter_user_done().
 */
#ifndef _LKST_RULES_FILTER_EVAL_H
#define _LKST_RULES_FILTER_EVAL_H

#include "filter.h"
#include "filter_record.h"

/* Bytes of ftrace's header, which __data_loc includes in its offsets. */
#define LKST_FILTER_ENTRY	8

static inline bool lkst_filter_load_data(const struct lkst_filter_test *test,
					 const struct lkst_filter_record *record, __u64 *value)
{
	const char *from = (const char *)record->data + test->offset;
	__u32 u32;
	__u16 u16;

	if (test->offset > record->bytes || test->size > record->bytes - test->offset)
		return false;
	switch (test->size) {
	case 1:
		*value = *(const __u8 *)from;
		return true;
	case 2:
		memcpy(&u16, from, sizeof(u16));
		*value = u16;
		return true;
	case 4:
		memcpy(&u32, from, sizeof(u32));
		*value = u32;
		return true;
	default:
		memcpy(value, from, sizeof(*value));
		return true;
	}
}

/*
 * Get the number that a comparison tests. Returns false if the data is too
 * short.
 */
static inline bool lkst_filter_number(const struct lkst_filter_test *test,
				      const struct lkst_filter_record *record, __u64 *value)
{
	if (test->load <= LKST_LOAD_ARG4)
		*value = record->arg[test->load];
	else if (test->load != LKST_LOAD_DATA)
		*value = lkst_filter_context(test->load);
	else if (!lkst_filter_load_data(test, record, value))
		return false;
	*value >>= test->shift;
	return true;
}

/* Find the string to which a location in the data points. */
static inline const char *lkst_filter_location(const struct lkst_filter_test *test,
					       const struct lkst_filter_record *record,
					       __u32 *size)
{
	__u32 location, at;

	if (test->offset > record->bytes || sizeof(location) > record->bytes - test->offset)
		return NULL;
	memcpy(&location, (const char *)record->data + test->offset, sizeof(location));
	*size = location >> 16;
	at = location & 0xffff;
	if (test->text == LKST_TEXT_REL_LOC)
		at += test->offset + sizeof(location);
	else if (at >= LKST_FILTER_ENTRY)
		at -= LKST_FILTER_ENTRY;
	else
		at = 0;
	if (at > record->bytes)
		return NULL;
	/* If a chain cut the payload, the string may extend beyond the data. */
	if (*size > record->bytes - at)
		*size = record->bytes - at;
	return (const char *)record->data + at;
}

/*
 * Find the string that a comparison tests. Sets @size to the maximum size of
 * the string. Returns NULL if the event has no such string.
 */
static inline const char *lkst_filter_string(const struct lkst_filter_test *test,
					     const struct lkst_filter_record *record, __u32 *size)
{
	__u64 address;
	__u32 at;

	*size = test->size;
	switch (test->text) {
	case LKST_TEXT_ARGS:
		return (const char *)record->arg + test->offset;
	case LKST_TEXT_DATA:
		if (test->offset > record->bytes || *size > record->bytes - test->offset)
			return NULL;
		return (const char *)record->data + test->offset;
	case LKST_TEXT_CHAIN:
		at = test->offset < record->words ? 0 : test->offset - record->words;
		if (at > record->bytes)
			return NULL;
		*size = record->bytes - at;
		return (const char *)record->data + at;
	case LKST_TEXT_DATA_LOC:
	case LKST_TEXT_REL_LOC:
		return lkst_filter_location(test, record, size);
	case LKST_TEXT_COMM:
		return lkst_filter_comm(size);
	case LKST_TEXT_USER:
		if (!lkst_filter_number(test, record, &address))
			return NULL;
		return lkst_filter_user_text(address, size);
	default:
		return NULL;
	}
}

static inline bool lkst_glob_matches(const struct lkst_glob *glob, const char *text, __u32 size)
{
	const __u8 *at = (const __u8 *)text, *end = at + size;
	__u64 state = 1;

	for (; at < end && *at; at++)
		state = (state & glob->match[*at]) << 1 | (state & glob->star);
	return state & glob->end;
}

static inline bool lkst_filter_compare(const struct lkst_filter_test *test, __u64 value)
{
	if (test->op == LKST_FILTER_RANGE)
		return ((value - test->low) & test->mask) <= test->span;
	return value & test->mask;
}

static inline bool lkst_filter_equal(const char *text, __u32 size, const char *operand, __u32 len)
{
	return len <= size && !memcmp(text, operand, len) && (len == size || !text[len]);
}

/*
 * Carry out a comparison with a string, or with a number in the data. If the
 * value cannot be read, the comparison is false, even with "!=".
 */
static noinline notrace bool lkst_filter_slow(const struct lkst_rule_filter *filter,
					      const struct lkst_filter_test *test,
					      const struct lkst_filter_record *record)
{
	const void *operand = (const char *)filter + test->operand;
	const char *text;
	__u64 value;
	__u32 size;
	bool ret;

	if (test->op == LKST_FILTER_RANGE || test->op == LKST_FILTER_BITS)
		return lkst_filter_number(test, record, &value) &&
		       lkst_filter_compare(test, value) != test->negated;
	text = lkst_filter_string(test, record, &size);
	if (!text)
		return false;
	ret = test->op == LKST_FILTER_GLOB ? lkst_glob_matches(operand, text, size) :
					     lkst_filter_equal(text, size, operand,
							       test->operand_len);
	if (test->text == LKST_TEXT_USER)
		lkst_filter_user_done();
	return ret != test->negated;
}

static __always_inline bool lkst_filter_test(const struct lkst_rule_filter *filter,
					     const struct lkst_filter_test *test,
					     const struct lkst_filter_record *record)
{
	__u64 value;

	/* Most comparisons are of this kind, and take about 15 instructions. */
	if (test->kind == LKST_FILTER_ARG)
		return lkst_filter_in_range(test, record->arg[test->load]);
	if (test->kind == LKST_FILTER_SLOW)
		return lkst_filter_slow(filter, test, record);
	value = test->load <= LKST_LOAD_ARG4 ? record->arg[test->load] :
					       lkst_filter_context(test->load);
	return lkst_filter_compare(test, value >> test->shift);
}

/*
 * Whether an event meets the condition of a filter.
 *
 * The loop ends after at most LKST_FILTER_TESTS steps, because a comparison
 * always continues with a later one.
 */
static __always_inline bool lkst_rule_filter_matches(const struct lkst_rule_filter *filter,
						     const struct lkst_filter_record *record)
{
	const struct lkst_filter_test *test = filter->test;
	unsigned int next;

	for (;;) {
		next = lkst_filter_test(filter, test, record) ? test->yes : test->no;
		if (next <= LKST_FILTER_TRUE)
			return next == LKST_FILTER_TRUE;
		test = (const void *)((const char *)filter + next);
	}
}

#endif
