/* SPDX-License-Identifier: LGPL-2.1 */
/* Describes event types: their names, sources and arguments, and the format of each argument. */
#ifndef _LKST_LIB_TEXT_ETYPES_H
#define _LKST_LIB_TEXT_ETYPES_H

#include "lib/lkst.h"
#include "user_fields.h"

#define LKST_ETYPES_PATH	"/proc/lkst_etypes"

/* Constant and name of each format. <linux/lkst_etypes.h> explains the formats. */
#define LKST_FIELD_FORMATS(X)						\
	X(HEX, hex)							\
	X(DEC, dec)							\
	X(UDEC, udec)							\
	X(PTR, ptr)							\
	X(SYM, sym)							\
	X(TEXT, text)							\
	X(TID, tid)							\
	X(STATE, state)							\
	X(SIG, sig)							\
	X(ERR, err)							\
	X(SYS, sys)							\
	X(ABI, abi)							\
	X(CLONE, clone)							\
	X(WSTATUS, wstatus)						\
	X(IRQ, irq)							\
	X(VEC, vec)							\
	X(TRAP, trap)							\
	X(SOFTIRQ, softirq)						\
	X(PFCODE, pfcode)						\
	X(FAULT, fault)							\
	X(GFP, gfp)							\
	X(MIGRATE, migrate)						\
	X(DEV, dev)							\
	X(BLKOP, blkop)							\
	X(ETYPE, etype)							\
	X(DROP, drop)							\
	X(TCP, tcp)							\
	X(AF, af)							\
	X(IPPROTO, ipproto)						\
	X(IPCFLG, ipcflg)						\
	X(MSGFLG, msgflg)						\
	X(SHMFLG, shmflg)						\
	X(LCB, lcb)							\
	X(LEVEL, level)							\
	X(DETECTOR, detector)						\
	X(LOCKUP, lockup)						\
	X(REG, reg)							\
	X(DUMP, dump)							\
	X(CPU, cpu)							\
	X(CLOCK, clock)							\
	X(SEC, sec)							\
	X(NSEC, nsec)							\
	X(MSET, mset)							\
	X(EVH, evh)							\
	X(BUF, buf)							\
	X(CODE, code)							\
	X(CHAIN, chain)

enum lkst_field_format {
#define LKST_FIELD_FORMAT(id, name) LKST_FMT_##id,
	LKST_FIELD_FORMATS(LKST_FIELD_FORMAT)
#undef LKST_FIELD_FORMAT
	LKST_FMT_BYTES, /* an array or structure in a user event; no description has this format */
	LKST_FMT_NUM
};

enum lkst_field_part {
	LKST_PART_WHOLE,	/* 64 bits */
	LKST_PART_HIGH,		/* the upper 32 bits */
	LKST_PART_LOW,
};

enum lkst_field_shown {
	LKST_SHOWN_ALWAYS,
	LKST_SHOWN_UNLESS_VOID,	/* omitted if it has its usual value */
	LKST_SHOWN_VERBOSE,	/* has no description: shown only in verbose output */
};

/**
 * struct lkst_field - a value that an event carries
 * @label: name of the value; "" if the argument is not described
 * @prefix: text before the value in the output, in at least PUT_SPARE bytes of readable memory, as
 *	put_spared() requires
 * @prefix_len: length of @prefix in bytes
 * @format: how to print the value
 * @part: which bits of the argument
 * @shown: when to print it
 * @arg: index of the first argument, 0 to 3
 * @args: for a string, or the stack of a chain, the number of arguments that it occupies; otherwise
 *	1
 * @continues: the last value of a chain, which continues in the other records of the chain
 * @label_len: length of @label in bytes
 * @user: where the value is in the payload of a user event; NULL: in the arguments. If it is set,
 *	@part is the whole argument, and @args is 0
 */
struct lkst_field {
	const char *label;
	const char *prefix;
	uint16_t prefix_len;
	enum lkst_field_format format;
	enum lkst_field_part part;
	enum lkst_field_shown shown;
	uint8_t arg;
	uint8_t args;
	bool continues;
	uint16_t label_len;
	const struct user_field *user;
};

/*
 * Get the value of a field. For a string, this is only its first argument, and for a string of a
 * user event it is 0.
 */
static inline uint64_t lkst_field_value(const struct lkst_field *field,
					const struct lkst_event *event)
{
	uint64_t value = event->arg[field->arg];

	if (field->user)
		return user_field_value(field, event);
	return field->part == LKST_PART_HIGH ? value >> 32 :
	       field->part == LKST_PART_LOW  ? (uint32_t)value :
					       value;
}

#define LKST_FIELDS_MAX (1 + USER_FIELDS_MAX)

struct lkst_etype {
	uint16_t number;
	bool present;
	uint8_t fields;
	char *mnemonic;
	char *hook;
	char *source;
	char *tracepoints;	/* tracepoints in @source, each 0-terminated; "" ends the list */
	char *name;
	char *arg[4];
	char *csv[4];		/* names of the arguments in CSV output */
	struct lkst_field *field;
	char *labels;		/* field[].label points into it */
	char *prefixes;		/* field[].prefix points into it; starts with the padded name */
	uint16_t name_width;	/* length of the padded name in bytes */
	bool has_name;		/* has a text field labelled "name" */
	bool chain;		/* its events are the heads of chains */
	char *list; /* fields of a user event; NULL: not a user event */
	struct user_field *user; /* field[].user points into it; NULL: @list is invalid, or NULL */
};

#define LKST_NAME_WIDTH	21	/* minimum width of the column for names of events */

struct lkst_etypes {
	struct lkst_etype *type[LKST_ETYPE_NUM];
};

struct lkst_etypes *lkst_etypes_parse(const char *text, size_t len, const char *origin,
				      struct lkst_error *err);
char *lkst_etypes_text(const struct lkst_etypes *types, size_t *len,
		       struct lkst_error *err);
int lkst_field_format_find(const char *name);
void lkst_etypes_adopt(struct lkst_etypes *types, struct lkst_etypes *from);
bool lkst_etype_is_same(const struct lkst_etype *a, const struct lkst_etype *b);
unsigned int lkst_etype_texts(const struct lkst_etype *type);

static inline const struct lkst_etype *lkst_etype(const struct lkst_etypes *types,
						  uint32_t number)
{
	return number < LKST_ETYPE_NUM ? types->type[number] : NULL;
}

/*
 * Prefix in names such as "user_0x100", for event types that programs may record although no
 * description of them is registered.
 */
#define LKST_USER_PREFIX "user_"

/* Return whether an event type with this number is a user event, which a program has registered. */
static inline bool lkst_etype_is_program(uint32_t number)
{
	return number >= LKST_ETYPE_PROGRAM_MIN && number <= LKST_ETYPE_PROGRAM_MAX;
}

static inline bool lkst_etype_is_user(uint32_t number)
{
	return number >= LKST_ETYPE_USER_MIN && number <= LKST_ETYPE_USER_MAX;
}

#endif
