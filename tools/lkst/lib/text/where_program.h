/* SPDX-License-Identifier: LGPL-2.1 */
/* Shared by the files that parse, bind and evaluate a condition (where.h). */
#ifndef _LKST_WHERE_PROGRAM_H
#define _LKST_WHERE_PROGRAM_H

#include <stdarg.h>

#include "etypes.h"
#include "lib/lkst.h"
#include "where.h"

#define WHERE_TESTS_MAX	64
#define WHERE_DEPTH_MAX	64

enum where_op {
	WHERE_EQ,
	WHERE_NE,
	WHERE_LT,
	WHERE_LE,
	WHERE_GT,
	WHERE_GE,
	WHERE_AND,	/* any of these bits is set */
	WHERE_GLOB,
};

/**
 * struct where_word - a word of the condition
 * @text: word, without quotes
 * @quoted: the word was in quotes
 * @at: position of its first character in the condition, from 1
 */
struct where_word {
	const char *text;
	bool quoted;
	unsigned int at;
};

/* Values of @yes and @no that end the evaluation: the whole condition is true, or false. */
#define WHERE_TRUE	0xff
#define WHERE_FALSE	0xfe

/**
 * struct where_test - a comparison
 * @field: name of the value
 * @function: ".function" follows: the value is the function that contains the address
 * @op: operator
 * @operator_at: its position
 * @value: what the value is compared with
 * @yes: index of the test to continue with if the comparison is true. It is greater than the index
 *	of this test, so that the evaluation cannot loop
 * @no: the same if the comparison is false
 */
struct where_test {
	struct where_word field;
	bool function;
	enum where_op op;
	unsigned int operator_at;
	struct where_word value;
	uint8_t yes;
	uint8_t no;
};

/**
 * struct where_program - a parsed condition
 * @words: memory that the words of the tests point into
 * @tests: number of tests, at least 1
 * @test: comparisons. The evaluation starts with the first one
 */
struct where_program {
	char *words;
	unsigned int tests;
	struct where_test test[WHERE_TESTS_MAX];
};

/* where_parse.c */
int where_parse(const char *text, struct where_program *program, struct lkst_error *err);
void where_error(struct lkst_error *err, unsigned int at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Values that the record of every event has, in addition to its arguments. */
enum where_member {
	WHERE_NOT_MEMBER,
	WHERE_EVENT,	/* name of the event */
	WHERE_PID,
	WHERE_TID,
	WHERE_COMM,
	WHERE_UID,
	WHERE_GID,
	WHERE_CPU,
	WHERE_FLAGS,
	WHERE_MEMBERS,
};

/* How to compare a value. */
enum where_kind {
	WHERE_ABSENT,	/* events of this type do not have the value: the comparison is false */
	WHERE_SIGNED,	/* a number from @low to @high */
	WHERE_UNSIGNED,
	WHERE_NAMED,	/* a number whose name, in the trace, is the operand */
	WHERE_CALL,	/* number of a system call: @call */
	WHERE_CPUS,	/* number of a CPU in @cpus */
	WHERE_EVENT_NAME,
	WHERE_TEXT,	/* a string */
	WHERE_THREAD,	/* name of a thread */
	WHERE_HANDLER,	/* name of an interrupt's handlers */
	WHERE_PRINTED,	/* the value as it is printed */
	WHERE_FUNCTION,	/* name of the function that contains an address */
};

#define WHERE_CPUS_MAX	8192
#define WHERE_CALLS	4	/* CONSTANT_CALL_TABLES */

struct where_cpus {
	uint64_t bits[WHERE_CPUS_MAX / 64];
	unsigned int num;
};

/**
 * struct where_ref - how a test applies to events of a type
 * @kind: how to compare
 * @member: value of the record; WHERE_NOT_MEMBER: @field
 * @type: event type
 * @field: argument of the event
 * @fields: number of arguments with the same name, from @field on; 1 for a value of the record
 * @abi: WHERE_CALL: argument with the ABI of the system call; NULL: the native one
 * @low: see @kind; WHERE_NAMED: number that has the name in @values
 * @high: see @kind
 * @call: WHERE_CALL: number of the call in each table of constants.h; -1: none
 * @cpus: WHERE_CPUS: CPUs
 * @values: WHERE_NAMED: the names for which @low and @known are valid, if @bound is set
 * @bound: WHERE_NAMED: @values, @low and @known are set
 * @known: WHERE_NAMED: @values has the name
 */
struct where_ref {
	enum where_kind kind;
	enum where_member member;
	const struct lkst_etype *type;
	const struct lkst_field *field;
	unsigned int fields;
	const struct lkst_field *abi;
	uint64_t low;
	uint64_t high;
	int16_t call[WHERE_CALLS];
	const struct where_cpus *cpus;
	const struct lkst_values *values;
	bool bound;
	bool known;
};

struct lkst_where {
	struct where_program program;
	struct where_cpus *cpus[WHERE_TESTS_MAX];	/* NULL: the operand is not a set of CPUs */
	struct where_ref *refs;				/* memory for @of and @other */
	struct where_ref *of[LKST_ETYPE_NUM];		/* refs of a type; NULL: @other */
	struct where_ref *other;			/* refs of events without a description */
};

/* where_bind.c */
int where_bind(struct lkst_where *where, const struct lkst_where_scope *scope,
	       struct lkst_error *err);
bool where_name_value(const struct where_ref *ref, const struct lkst_values *values,
		      const char *text, uint64_t *value);

/* where_names.c */
bool where_constant(const struct lkst_field *field, uint32_t type, const char *text,
		    uint64_t *value);
bool where_captured(const struct lkst_values *values, enum lkst_field_format format,
		    const char *text, uint64_t *value);
bool where_has_names(enum lkst_field_format format);
bool where_call(const char *name, int16_t call[WHERE_CALLS]);
bool where_flag(const char *text, uint64_t *value);
void where_suggest_constant(const struct lkst_where_scope *scope, const char *label,
			    const char *word, char *text, size_t size);
void where_suggest_field(const struct lkst_where_scope *scope, const char *word, char *text,
			 size_t size);
bool where_in_scope(const struct lkst_where_scope *scope, unsigned int type);
enum where_member where_member_find(const char *name);

/* where_glob.c */
bool where_glob(const char *pattern, const char *text);

#endif
