// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text/constants.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "state_names.h"

/**
 * state_thread_name() - format a thread as name-number
 * @names: names of all threads of the trace
 * @thread: thread; NULL: idle or unknown
 * @text: result
 *
 * Return: @text; "-" if @thread is NULL, and only the number if the name is unknown.
 */
const char *state_thread_name(struct lkst_names *names, const struct lkst_thread *thread,
			      char text[STATE_THREAD_SIZE])
{
	const char *name;

	if (!thread)
		return strcpy(text, "-");
	name = thread->name;
	/* If the trace begins later than the thread, only later events may show its name. */
	if (!*name)
		name = lkst_names_get(names, thread->tid, thread->since_ns);
	if (name)
		snprintf(text, STATE_THREAD_SIZE, "%.*s-%u", LKST_COMM_LEN - 1, name, thread->tid);
	else
		snprintf(text, STATE_THREAD_SIZE, "%u", thread->tid);
	return text;
}

/**
 * state_symbol() - format an address of code as lkstbuf print does
 * @context: names and symbols of the kernel that the address is from
 * @address: address
 * @text: result, such as "do_it+0x10[module]", or the address if it has no symbol
 * @size: size of @text in bytes
 *
 * Return: @text.
 */
const char *state_symbol(const struct lkst_context *context, uint64_t address, char *text,
			 size_t size)
{
	struct lkst_symbol symbol;
	char offset[24] = "";

	if (!lkst_symbols_find(context->symbols, address, &symbol)) {
		snprintf(text, size, "0x%llx", (unsigned long long)address);
		return text;
	}
	if (symbol.offset)
		snprintf(offset, sizeof(offset), "+0x%llx", (unsigned long long)symbol.offset);
	if (*symbol.module)
		snprintf(text, size, "%s%s[%s]", symbol.name, offset, symbol.module);
	else
		snprintf(text, size, "%s%s", symbol.name, offset);
	return text;
}

/**
 * state_syscall_name() - format a system call as lkstbuf print does
 * @thread: thread that called it
 * @number: number of the call
 * @abi: ABI of the call
 * @text: result; the number if the call has no name
 *
 * Return: @text.
 */
const char *state_syscall_name(const struct lkst_thread *thread, int32_t number, uint8_t abi,
			       char text[STATE_CALL_SIZE])
{
	const char *name = number < 0 ? NULL :
					constant_syscall((enum lkst_machine)thread->machine, abi,
							 (uint32_t)number);

	if (name)
		snprintf(text, STATE_CALL_SIZE, "%s", name);
	else
		snprintf(text, STATE_CALL_SIZE, "%d", number);
	return text;
}

/* Return the name that lkstbuf prints for a value; NULL if the value has no name. */
static const char *state_value_name(const struct lkst_context *context,
				    enum lkst_field_format format, uint64_t number)
{
	const char *name = lkst_values_name(context->values, format, number);

	return name ? name : constant_name(format, number);
}

/**
 * state_context_name() - get the name of an interrupt, softirq or other lkst_context_kind
 * @context: names and symbols of the kernel that recorded the events
 * @kind: enum lkst_context_kind
 * @number: its number, see enum lkst_context_kind
 * @name: LKST_CONTEXT_IRQ: name of the handler; "" if unknown
 * @text: room for the name
 *
 * Return: the name; "-" if it is unknown.
 */
const char *state_context_name(const struct lkst_context *context, int kind, uint64_t number,
			       const char *name, char text[STATE_SYMBOL_SIZE])
{
	const char *what, *found;

	switch (kind) {
	case LKST_CONTEXT_IRQ:
		return *name ? name : "-";
	case LKST_CONTEXT_TIMER_IRQ:
	case LKST_CONTEXT_IPI:
		what = "vector";
		found = state_value_name(context, LKST_FMT_VEC, number);
		break;
	case LKST_CONTEXT_SOFTIRQ:
		what = "softirq";
		found = state_value_name(context, LKST_FMT_SOFTIRQ, number);
		break;
	default:
		if (!number)
			return "-";
		return state_symbol(context, number, text, STATE_SYMBOL_SIZE);
	}
	if (!found)
		snprintf(text, STATE_SYMBOL_SIZE, "%s %" PRIu64, what, number);
	return found ? found : text;
}

/* Name an exception; the numbers are those of x86. */
static const char *state_exception_name(uint64_t trap)
{
	const char *name = constant_name(LKST_FMT_TRAP, trap);

	return name ? name : "";
}

/**
 * state_context_text() - get the kind and name of a context: "irq ahci", "softirq TIMER"
 * @context: names and symbols of the kernel that recorded the events
 * @kind: enum lkst_context_kind
 * @number: its number, see enum lkst_context_kind
 * @name: LKST_CONTEXT_IRQ: name of the handler; "" if unknown
 * @text: result
 *
 * Return: @text.
 */
const char *state_context_text(const struct lkst_context *context, int kind, uint64_t number,
			       const char *name, char text[STATE_CONTEXT_SIZE])
{
	static const char *const kinds[LKST_CONTEXT_NUM] = {
		[LKST_CONTEXT_IRQ] = "irq",
		[LKST_CONTEXT_TIMER_IRQ] = "interrupt",
		[LKST_CONTEXT_IPI] = "IPI",
		[LKST_CONTEXT_SOFTIRQ] = "softirq",
		[LKST_CONTEXT_TASKLET] = "tasklet",
		[LKST_CONTEXT_TIMER] = "timer",
		[LKST_CONTEXT_HRTIMER] = "hrtimer",
		[LKST_CONTEXT_WORK] = "work",
		[LKST_CONTEXT_EXCEPTION] = "exception",
	};
	const char *what = kind >= 0 && kind < LKST_CONTEXT_NUM ? kinds[kind] : "context";
	char room[STATE_SYMBOL_SIZE];
	const char *found = kind == LKST_CONTEXT_EXCEPTION ?
				    state_exception_name(number) :
				    state_context_name(context, kind, number, name, room);

	if (!*found || !strcmp(found, "-"))
		snprintf(text, STATE_CONTEXT_SIZE, "%s %" PRIu64, what, number);
	else if (!strncmp(found, "softirq ", 8))
		snprintf(text, STATE_CONTEXT_SIZE, "%s", found);
	else
		snprintf(text, STATE_CONTEXT_SIZE, "%s %s", what, found);
	return text;
}
