/* SPDX-License-Identifier: GPL-2.0 */
/* Names of threads, functions, system calls and contexts, the same in all commands. */
#ifndef _STATE_NAMES_H
#define _STATE_NAMES_H

#include "lib/lkst.h"
#include "lib/model.h"
#include "lib/text/context.h"

#define STATE_THREAD_SIZE  40
#define STATE_CALL_SIZE	   32
#define STATE_SYMBOL_SIZE  600 /* name of a function, including its module */
#define STATE_CONTEXT_SIZE (STATE_SYMBOL_SIZE + 32)

const char *state_thread_name(struct lkst_names *names, const struct lkst_thread *thread,
			      char text[STATE_THREAD_SIZE]);
const char *state_symbol(const struct lkst_context *context, uint64_t address, char *text,
			 size_t size);
const char *state_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
			       char text[STATE_CALL_SIZE]);
const char *state_context_name(const struct lkst_context *context, int kind, uint64_t number,
			       const char *name, char text[STATE_SYMBOL_SIZE]);
const char *state_context_text(const struct lkst_context *context, int kind, uint64_t number,
			       const char *name, char text[STATE_CONTEXT_SIZE]);

#endif
