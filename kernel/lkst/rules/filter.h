/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters: conditions on the values of an event, such as
 * 'result < 0 && comm ~ "mysq*"'. Documentation/lkst/rules.rst describes the
 * syntax. A filter is compiled when it is written, and evaluated for each
 * event. filter_eval.h and the parser (the files that include filter_parse.h)
 * also compile in user space.
 */
#ifndef _LKST_RULES_FILTER_H
#define _LKST_RULES_FILTER_H

#ifdef __KERNEL__
#include <linux/compiler.h>
#include <linux/types.h>
#else
#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#endif

#define LKST_FILTER_TESTS	64	/* maximum number of comparisons */
#define LKST_FILTER_DEPTH	64	/* maximum depth of parentheses */
#define LKST_FILTER_NODES	(2 * LKST_FILTER_TESTS)

/* For each depth of parentheses: "||", "&&", "!" and "(" */
#define LKST_FILTER_OPERATORS	(4 * (LKST_FILTER_DEPTH + 1))

/* Maximum number of characters of a pattern, not counting '*' */
#define LKST_GLOB_LEN		63

/* Maximum number of bytes of a string in the memory of a program. */
#define LKST_FILTER_USTRING	1024

/* Bytes in the arguments of an event. */
#define LKST_FILTER_ARGS	32

/* Where a comparison finds a number. */
enum lkst_filter_load {
	LKST_LOAD_ARG1,
	LKST_LOAD_ARG2,
	LKST_LOAD_ARG3,
	LKST_LOAD_ARG4,
	LKST_LOAD_DATA,		/* in the data; 1, 2, 4 or 8 bytes */
	LKST_LOAD_PID,
	LKST_LOAD_TID,
	LKST_LOAD_UID,
	LKST_LOAD_GID,
	LKST_LOAD_CPU,
	LKST_LOAD_FLAGS,
};

/* Where a comparison finds a string. */
enum lkst_filter_text {
	LKST_TEXT_NONE,		/* the field is a number */
	LKST_TEXT_ARGS,		/* in the arguments */
	LKST_TEXT_DATA,		/* in the data */
	LKST_TEXT_CHAIN,	/* the rest of a chain's payload */
	LKST_TEXT_DATA_LOC,	/* where a __data_loc in the data points */
	LKST_TEXT_REL_LOC,	/* where a __rel_loc in the data points */
	LKST_TEXT_COMM,		/* name of the running thread */
	LKST_TEXT_USER,		/* in the memory of the program */
};

/**
 * struct lkst_filter_field - a field that a comparison can name
 * @name: its name
 * @format: its format in linux/lkst_etypes.h; NULL for an event of a program
 * @name_len: length of @name
 * @format_len: length of @format
 * @load: enum lkst_filter_load, if @text is LKST_TEXT_NONE
 * @text: enum lkst_filter_text
 * @shift: number of bits to the right of the number
 * @is_signed: whether the number is signed
 * @is_opaque: whether the field is neither a number nor a string
 * @size: size of the number or string in bytes
 * @offset: position in the data, or in the arguments, in bytes
 */
struct lkst_filter_field {
	const char *name;
	const char *format;
	__u16 name_len;
	__u16 format_len;
	__u8 load;
	__u8 text;
	__u8 shift;
	bool is_signed;
	bool is_opaque;
	__u32 size;
	__u32 offset;
};

/**
 * struct lkst_filter_scope - what the words of a filter refer to
 * @field: fields of the event
 * @fields: number of fields
 * @constant: find the number of a named constant of a field; returns whether
 *	the name is known
 * @function: find the address and the size of a function of the kernel
 * @ctx: passed to the functions
 */
struct lkst_filter_scope {
	const struct lkst_filter_field *field;
	unsigned int fields;
	bool (*constant)(void *ctx, const struct lkst_filter_field *field, const char *name,
			 size_t len, __u64 *value);
	bool (*function)(void *ctx, const char *name, size_t len, __u64 *address, __u64 *size);
	void *ctx;
};

enum lkst_filter_op {
	LKST_FILTER_RANGE,	/* low <= number <= low + span */
	LKST_FILTER_BITS,	/* any of the bits in mask is set */
	LKST_FILTER_EQUAL,	/* the string is equal */
	LKST_FILTER_GLOB,	/* the string matches the pattern */
};

/* Values of lkst_filter_test.yes and .no with which the evaluation ends. */
#define LKST_FILTER_FALSE	0
#define LKST_FILTER_TRUE	1

/* How to evaluate a comparison. */
enum lkst_filter_kind {
	LKST_FILTER_ARG,	/* a number in the arguments is in a range */
	LKST_FILTER_NUMBER,	/* another comparison, with a number that is not in the data */
	LKST_FILTER_SLOW,	/* a comparison with a string, or with a number in the data */
};

/**
 * struct lkst_filter_test - a comparison
 * @low: LKST_FILTER_RANGE: the lowest value
 * @span: LKST_FILTER_RANGE: the highest value minus @low
 * @mask: LKST_FILTER_RANGE: all bits of the number; LKST_FILTER_BITS: the bits
 *	that are tested
 * @op: enum lkst_filter_op
 * @load: enum lkst_filter_load
 * @shift: number of bits to the right of the number
 * @text: enum lkst_filter_text
 * @kind: enum lkst_filter_kind
 * @negated: LKST_FILTER_SLOW: whether the operator is "!=". For the other
 *	kinds, @yes and @no are exchanged instead
 * @yes: position, in the filter, of the comparison with which to continue if
 *	this one is true. It is greater than the position of this comparison, so
 *	that the evaluation always ends
 * @no: like @yes, if this comparison is false
 * @size: size of the number or string in bytes
 * @offset: position in the data, or in the arguments, in bytes
 * @operand: position of the string, or of the pattern, in the filter
 * @operand_len: length of the string
 *
 * All comparisons of a number with "==", "<" and the like become a range. The
 * subtraction wraps around at the width of the number, so a range works for
 * signed and for unsigned numbers.
 */
struct lkst_filter_test {
	__u64 low;
	__u64 span;
	__u64 mask;
	__u8 op;
	__u8 load;
	__u8 shift;
	__u8 text;
	__u8 kind;
	bool negated;
	__u16 yes;
	__u16 no;
	__u32 size;
	__u32 offset;
	__u32 operand;
	__u32 operand_len;
};

/**
 * struct lkst_glob - a compiled pattern
 * @match: for each value of a byte, a bit for each element that matches this
 *	value
 * @star: a bit for each element that a '*' precedes, and for the end
 * @end: the bit after the last element
 *
 * Element i of the pattern is the i-th character, '?' or set. The state of a
 * match is a set of bits: bit i is set if the text so far matches the first i
 * elements. So the evaluation reads each byte of the text once, whatever the
 * pattern is.
 */
struct lkst_glob {
	__u64 match[256];
	__u64 star;
	__u64 end;
};

/**
 * struct lkst_rule_filter - a compiled filter
 * @tests: number of comparisons
 * @pad: not used
 * @test: comparisons; the patterns and strings follow
 */
struct lkst_rule_filter {
	__u32 tests;
	__u32 pad;
	struct lkst_filter_test test[];
};

/* Longest message of an error, with the NUL. */
#define LKST_FILTER_ERROR	256

enum lkst_filter_token {
	LKST_TOKEN_END,
	LKST_TOKEN_WORD,
	LKST_TOKEN_OPEN,
	LKST_TOKEN_CLOSE,
	LKST_TOKEN_NOT,
	LKST_TOKEN_BOTH,
	LKST_TOKEN_EITHER,
	LKST_TOKEN_OPERATOR,
	LKST_TOKEN_INVALID,
};

/**
 * struct lkst_filter_word - a word of a filter
 * @at: its first character, which is not the quotation mark
 * @len: length in bytes
 * @start: position in the filter; of the opening quotation mark, if there is
 *	one
 * @quoted: whether it is in quotes
 */
struct lkst_filter_word {
	const char *at;
	__u32 len;
	__u32 start;
	bool quoted;
};

/* A comparison, or two nodes that are joined by "&&" or "||". */
struct lkst_filter_node {
	bool negated;
	bool both;		/* joined by "&&" */
	__u8 first;		/* the first comparison */
	__s16 left;		/* -1: the node is the comparison @first */
	__s16 right;
	__u16 yes;
	__u16 no;
};

/**
 * struct lkst_filter_parser - state of the parser, and its result
 * @scope: set by the caller
 * @text: set by the caller: the filter, which ends with NUL
 * @error_at: after an error, position of the offending token in bytes
 * @error: after an error, what is wrong and what would be right
 *
 * The rest is private. It takes several kilobytes, so allocate it.
 */
struct lkst_filter_parser {
	const struct lkst_filter_scope *scope;
	const char *text;
	__u32 error_at;
	char error[LKST_FILTER_ERROR];

	const char *next;
	struct lkst_filter_word word;
	enum lkst_filter_token token;
	__u8 relation;
	unsigned int depth;
	unsigned int tests;
	unsigned int globs;
	unsigned int bytes;
	struct lkst_filter_test test[LKST_FILTER_TESTS];
	const char *operand[LKST_FILTER_TESTS];
	unsigned int nodes;
	struct lkst_filter_node node[LKST_FILTER_NODES];
	unsigned int operators;
	__u8 operator[LKST_FILTER_OPERATORS];
	unsigned int values;
	__s16 value[LKST_FILTER_NODES];
};

/*
 * The value of a number that lkst_filter_set_field() describes, given a word
 * whose bits above the number are undefined.
 */
static inline __u64 lkst_filter_extend(const struct lkst_filter_test *field, bool is_signed,
				       __u64 word)
{
	unsigned int unused = 64 - field->size * 8;

	word <<= unused;
	return is_signed ? (__u64)((__s64)word >> unused) : word >> unused;
}

/*
 * Carry out a comparison of the kind LKST_FILTER_ARG. @arg is the argument
 * @test->load of the event.
 */
static __always_inline bool lkst_filter_in_range(const struct lkst_filter_test *test, __u64 arg)
{
	return (((arg >> test->shift) - test->low) & test->mask) <= test->span;
}

/*
 * Return the argument that a comparison or key of the kind LKST_FILTER_ARG
 * reads. The arguments are not in an array, so that they stay in registers.
 */
static __always_inline __u64 lkst_filter_argument(const struct lkst_filter_test *test, __u64 a1,
						  __u64 a2, __u64 a3, __u64 a4)
{
	if (test->load == LKST_LOAD_ARG1)
		return a1;
	if (test->load == LKST_LOAD_ARG2)
		return a2;
	return test->load == LKST_LOAD_ARG3 ? a3 : a4;
}

#ifndef __printf
#define __printf(a, b)
#endif

__printf(3, 4)
bool lkst_filter_error(struct lkst_filter_parser *parser, __u32 at, const char *format, ...);
bool lkst_filter_read(struct lkst_filter_parser *parser);
const struct lkst_filter_field *lkst_filter_find(const struct lkst_filter_parser *parser,
						 const char *at, size_t len);
bool lkst_filter_unknown(struct lkst_filter_parser *parser, __u32 start, const char *at,
			 size_t len);
void lkst_filter_set_field(struct lkst_filter_test *test, const struct lkst_filter_field *field);
bool lkst_filter_parse_part(struct lkst_filter_parser *parser);
bool lkst_filter_parse(struct lkst_filter_parser *parser);
size_t lkst_filter_bytes(const struct lkst_filter_parser *parser);
void lkst_filter_store(const struct lkst_filter_parser *parser, struct lkst_rule_filter *filter);

#endif
