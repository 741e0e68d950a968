/* SPDX-License-Identifier: LGPL-2.1 */
/*
 * What constants are called that are the same on all kernels: fixed by hardware, by
 * networks, or by the interface of system calls.
 */
#ifndef _LKST_LIB_TEXT_CONSTANTS_H
#define _LKST_LIB_TEXT_CONSTANTS_H

#include "liblkst.h"

struct constant_flag {
	uint64_t flag;
	const char *name;
};

/**
 * struct constant_flags - flags in a value
 * @octal: bits that are a number in octal, as of file modes
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
	REG_VALUE,	/* may be an address of code */
	REG_NUMBER,
	REG_SEGMENTS,	/* two, in the halves */
};

struct constant_reg {
	const char *label;
	enum constant_reg_kind kind;
};

const struct constant_reg *constant_reg(const struct lkst_event *event, unsigned int arg);

#endif
