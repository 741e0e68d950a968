/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * Names of constants that are the same on all kernels, because hardware, network
 * protocols or the system call interface define them.
 */
#ifndef _LKST_LIB_TEXT_CONSTANTS_H
#define _LKST_LIB_TEXT_CONSTANTS_H

#include "etypes.h"
#include "lib/lkst.h"

/* Number of tables of system calls (constants.c), and limit on the number of entries in each. */
#define CONSTANT_CALL_TABLES	4
#define CONSTANT_CALLS_MAX	1024

struct constant_flag {
	uint64_t flag;
	const char *name;
};

/**
 * struct constant_flags - names of the flags in a value
 * @flag: flags
 * @num: number of entries in @flag
 * @octal: mask of bits that are printed as an octal number, such as file modes
 */
struct constant_flags {
	const struct constant_flag *flag;
	size_t num;
	uint64_t octal;
};

#define CONSTANT_SIGNAL_MAX	64

const char *constant_name(enum lkst_field_format format, uint64_t value);
const struct constant_flags *constant_flags(enum lkst_field_format format, uint32_t type);
const char *constant_error(uint64_t error);
int constant_call_table(enum lkst_machine machine, uint64_t abi, uint64_t *number);
const char *constant_call(int table, unsigned int number);
const char *constant_syscall(enum lkst_machine machine, uint64_t abi, uint64_t number);

enum constant_reg_kind {
	REG_VALUE,	/* may be a code address */
	REG_NUMBER,
	REG_SEGMENTS,	/* two segment registers, one in each half */
};

struct constant_reg {
	const char *label;
	enum constant_reg_kind kind;
};

const struct constant_reg *constant_reg(const struct lkst_event *event, unsigned int arg);

#endif
