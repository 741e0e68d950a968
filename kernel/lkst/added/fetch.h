/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The definition of an added event, compiled to a list of fields that are
 * fetched when the event occurs. This file and fetch_parse.c also compile in
 * user space.
 */
#ifndef _LKST_ADDED_FETCH_H
#define _LKST_ADDED_FETCH_H

#include <linux/types.h>
#ifdef __KERNEL__
#include <linux/string.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#endif

#define LKST_FETCH_FIELDS	64	/* maximum number of fields of an event */
#define LKST_FETCH_DEREFS	8	/* maximum number of pointers to follow */
#define LKST_FETCH_ARGS		10	/* maximum arguments of a tracepoint */
#define LKST_FETCH_SYSCALL_ARGS	5	/* the same, for tracepoints sys_* */
#define LKST_FETCH_CHARS	256	/* maximum length of an array of char */
#define LKST_FETCH_ARRAY	64	/* maximum length of any other array */
#define LKST_FETCH_NAME		64	/* names, including the terminating NUL */
#define LKST_FETCH_SYMBOL	256	/* symbols, including the terminating NUL */
#define LKST_FETCH_TEXT		512	/* text of the fields, including the NUL */
#define LKST_FETCH_ERROR	256	/* messages, including the terminating NUL */
#define LKST_FETCH_BYTES	2048	/* all fields without bytes of strings */
#define LKST_FETCH_COMM		16	/* size of $comm, in bytes */

/* Fields of a synthetic event, and the bytes that they take */
#define LKST_FETCH_SYNTHETIC_FIELDS	16
#define LKST_FETCH_SYNTHETIC_BYTES	128

/* Bytes of a payload that fit in one record. */
#define LKST_FETCH_RECORD	32

enum lkst_fetch_probe {
	LKST_FETCH_KPROBE,
	LKST_FETCH_KRETPROBE,
	LKST_FETCH_TRACEPOINT,
	LKST_FETCH_REMOVE,	/* not a probe: the text removes an event */
	LKST_FETCH_SYNTHETIC,	/* not a probe: the action trace() makes events */
};

/* Where the fetching of a field begins. */
enum lkst_fetch_source {
	LKST_FETCH_ARG,		/* an argument; the first one is 0 */
	LKST_FETCH_REGISTER,	/* a register: its offset in struct pt_regs */
	LKST_FETCH_RETVAL,	/* what the function returns */
	LKST_FETCH_STACK,	/* the stack pointer */
	LKST_FETCH_COMM_TEXT,	/* the name of the running thread */
	LKST_FETCH_VALUE,	/* a constant */
};

enum lkst_fetch_kind {
	LKST_FETCH_NUMBER,	/* a number of 1, 2, 4 or 8 bytes */
	LKST_FETCH_CHARS_KIND,	/* a fixed number of bytes */
	LKST_FETCH_STRING,	/* a string that ends in NUL, of any length */
};

/**
 * struct lkst_fetch_deref - follow a pointer
 * @offset: added to the pointer
 * @user: whether the memory belongs to the running program
 */
struct lkst_fetch_deref {
	__s64 offset;
	bool user;
};

/**
 * struct lkst_fetch_field - how to fetch a field
 * @source: enum lkst_fetch_source
 * @kind: enum lkst_fetch_kind
 * @size: number of bytes in the payload; 4 for a string, whose location says
 *	where its bytes are
 * @derefs: number of entries of @deref
 * @shift: position of a bit field in the number, in bits
 * @bits: width of a bit field, or 0 if the field is the whole number
 * @offset: position in the payload, in bytes
 * @value: number of the argument, offset of the register, or the constant
 * @deref: the pointers to follow, in this order. The last entry reads the field
 *	itself, and each entry before it reads the next pointer
 */
struct lkst_fetch_field {
	__u8 source;
	__u8 kind;
	__u16 size;
	__u8 derefs;
	__u8 shift;
	__u8 bits;
	__u16 offset;
	__u64 value;
	struct lkst_fetch_deref deref[LKST_FETCH_DEREFS];
};

/**
 * struct lkst_fetch_scope - what a definition may refer to
 * @symbol: finds the address of a symbol of the kernel. Returns whether there
 *	is such a symbol
 * @reg: finds the offset of a register in struct pt_regs. Returns -ENOENT if
 *	there is no such register
 * @args: number of arguments of a function that can be fetched at its entry
 * @dentry_name: position of the pointer to the name in struct dentry, in bytes
 * @file_dentry: position of the pointer to the struct dentry in struct file
 */
struct lkst_fetch_scope {
	bool (*symbol)(const char *name, __u64 *address);
	int (*reg)(const char *name, size_t len);
	unsigned int args;
	unsigned int dentry_name;
	unsigned int file_dentry;
};

/**
 * struct lkst_fetch_parser - a definition, and what it was compiled to
 * @text: the definition
 * @scope: what it may refer to
 * @shown: memory for the definition as listed: complete, with all names
 * @shown_size: size of this memory
 * @shown_len: length of the text in it
 * @at: the rest of @text, which has not been parsed yet
 * @probe: enum lkst_fetch_probe
 * @function: whether the letter is "f": a kprobe at the entry of a function, or
 *	a kretprobe
 * @maxactive: number of calls of the function that may be in progress; 0: the
 *	kernel's default
 * @group: group of the event, "" in a text that removes an event of any group
 * @name: name of the event
 * @symbol: the function or the tracepoint, "" if @address is set
 * @symbol_at: its position in @text
 * @offset: offset of the probe in the function
 * @address: address of the probe, or 0
 * @fields: the fields in the syntax of user events
 * @fields_len: length of @fields
 * @bytes: size of all fields, without the bytes of strings
 * @strings: number of strings
 * @reads: whether memory is read, so that fetching can fail
 * @words: number of FIELDs parsed so far, including the one in progress
 * @num: number of entries of @field
 * @error_at: if the definition is wrong, position of the error in @text
 * @error: what is wrong
 * @field: the fields
 */
struct lkst_fetch_parser {
	const char *text;
	const struct lkst_fetch_scope *scope;
	char *shown;
	unsigned int shown_size;
	unsigned int shown_len;
	const char *at;
	__u8 probe;
	bool function;
	unsigned int maxactive;
	char group[LKST_FETCH_NAME];
	char name[LKST_FETCH_NAME];
	char symbol[LKST_FETCH_SYMBOL];
	__u32 symbol_at;
	__u64 offset;
	__u64 address;
	char fields[LKST_FETCH_TEXT];
	unsigned int fields_len;
	unsigned int bytes;
	unsigned int strings;
	bool reads;
	unsigned int words;
	unsigned int num;
	__u32 error_at;
	char error[LKST_FETCH_ERROR];
	struct lkst_fetch_field field[LKST_FETCH_FIELDS];
};

/*
 * Whether a tracepoint is one of those of system calls. They need a probe of
 * their own.
 */
static inline bool lkst_fetch_is_syscall(const char *tracepoint)
{
	return !strncmp(tracepoint, "sys_", 4);
}

/* Whether the event is recorded as a chain, which can take several records. */
static inline bool lkst_fetch_is_chain(const struct lkst_fetch_parser *parser)
{
	return parser->strings || parser->bytes > LKST_FETCH_RECORD;
}

bool lkst_fetch_parse(struct lkst_fetch_parser *parser);

#endif
