// SPDX-License-Identifier: LGPL-2.1
/*
 * Formats a value of an event in the format that the event type specifies. Names that differ
 * between kernels are taken from the trace, all others from constants.c.
 */
#include <byteswap.h>
#include <stdio.h>
#include <string.h>

#include "constants.h"
#include "context.h"
#include "etypes.h"
#include "field.h"
#include "files.h"
#include "lib/base/etype_ids.h"
#include "lib/base/put.h"
#include "names.h"
#include "payload.h"
#include "symbols.h"
#include "values.h"

/**
 * lkst_event_text() - get a string from the arguments of an event
 * @event: event
 * @arg: index of the first argument
 * @args: number of arguments that the string occupies
 * @text: result; the caller provides 8 * @args + 1 bytes
 */
void lkst_event_text(const struct lkst_event *event, unsigned int arg, unsigned int args,
		     char *text)
{
	for (unsigned int i = 0; i < args; i++) {
		uint64_t word = event->arg[arg + i];

		if (event->swapped)
			word = bswap_64(word);
		memcpy(text + i * 8, &word, 8);
	}
	text[args * 8] = 0;
}

/* ---- numbers ---- */

/* Convert a value to a signed number of its field's width. */
static int64_t field_number_of(struct field_view *at, uint64_t value)
{
	return at->field->part == LKST_PART_WHOLE ? (int64_t)value : (int32_t)value;
}

/* Write a value as a decimal number without a name. */
static char *field_put_number(char *p, struct field_view *at, int64_t number)
{
	at->is_number = true;
	return put_dec(p, number);
}

static char *field_value_dec(char *p, struct field_view *at, uint64_t value)
{
	return field_put_number(p, at, field_number_of(at, value));
}

static char *field_value_udec(char *p, struct field_view *at, uint64_t value)
{
	at->is_number = true;
	return put_udec(p, value);
}

static char *field_value_hex(char *p, struct field_view *at, uint64_t value)
{
	(void)at;
	return put_hex(p, value, 1);
}

/* Write the name of a constant or, if it has no name, its number. */
static char *field_value_named(char *p, struct field_view *at, uint64_t value)
{
	const char *name = constant_name(at->field->format, value);

	return name ? put_text(p, name) : field_value_dec(p, at, value);
}

static char *field_value_packet_type(char *p, struct field_view *at, uint64_t value)
{
	const char *name = constant_name(at->field->format, value);

	return name ? put_text(p, name) : put_hex(p, value, 4);
}

static char *field_value_trap(char *p, struct field_view *at, uint64_t value)
{
	if (at->event->machine != LKST_MACHINE_X86_64 && at->event->machine != LKST_MACHINE_I386)
		return field_value_dec(p, at, value);
	return field_value_named(p, at, value);
}

static char *field_value_buffer(char *p, struct field_view *at, uint64_t value)
{
	return value == LKST_BUFFER_ID_VOID ? put_text(p, "none") : field_value_dec(p, at, value);
}

/* Write a number. In LKST_ERROR and MEM_PAGEALLOC, write certain numbers as names. */
static char *field_value_number(char *p, struct field_view *at, uint64_t value)
{
	static const char *const params[] = {
		[LKST_PARAM_BUFFER_SIZE] = "buffer_size",
		[LKST_PARAM_MASKSET] = "maskset",
		[LKST_PARAM_MEMORY] = "memory",
		[LKST_PARAM_DUMP] = "dump",
		[LKST_PARAM_DUMP_EVENTS] = "dump_events",
		[LKST_PARAM_RESERVED] = "reserved",
		[LKST_PARAM_BOOTS] = "boots",
		[LKST_PARAM_RULES] = "rules",
		[LKST_PARAM_LONG_SIZE] = "long_size",
		[LKST_PARAM_LONG_EVENTS] = "long_events",
		[LKST_PARAM_HISTORY_SIZE] = "history_size",
		[LKST_PARAM_HISTORY_SHARE] = "history_share",
	};
	int64_t number = field_number_of(at, value);
	const char *name = NULL;

	if (at->type->number == LKST_ETYPE_LKST_ERROR && at->field->arg == 1 &&
	    at->event->arg[0] == LKST_ERROR_BAD_PARAM && value < sizeof(params) / sizeof(*params))
		name = params[value];
	else if (at->type->number == LKST_ETYPE_MEM_PAGEALLOC && !at->field->arg && number == -1)
		name = "failed";
	return name ? put_text(p, name) : field_put_number(p, at, number);
}

/*
 * Write a result. An error is written by its name, a value that cannot be a count or a file
 * descriptor (such as an address) in hexadecimal, and any other value in decimal.
 */
static char *field_value_result(char *p, struct field_view *at, uint64_t value)
{
	int64_t number = field_number_of(at, value);
	const char *name = number < 0 ? constant_error(-(uint64_t)number) : NULL;

	if (name)
		return put_text(put_char(p, '-'), name);
	if (number > UINT32_MAX || number < -4095)
		return put_hex(p, (uint64_t)number, 1);
	return field_put_number(p, at, number);
}

/* ---- flags ---- */

static char *field_put_bar(char *p, bool *first)
{
	if (!*first)
		p = put_char(p, '|');
	*first = false;
	return p;
}

/*
 * Write the bits that are not known flags: those in @octal in octal, all others in hexadecimal.
 * @first is true if no known flag was written before them.
 */
static char *field_put_flags_rest(char *p, uint64_t value, uint64_t octal, bool first)
{
	if (value & octal || (first && octal && !value)) {
		p = put_octal(field_put_bar(p, &first), value & octal);
		value &= ~octal;
	}
	return value || first ? put_hex(field_put_bar(p, &first), value, 1) : p;
}

static char *field_value_flags(char *p, struct field_view *at, uint64_t value)
{
	const struct constant_flags *flags = constant_flags(at->field->format, at->type->number);
	bool first = true;

	for (size_t i = 0; i < flags->num; i++) {
		if (!(value & flags->flag[i].flag))
			continue;
		p = put_text(field_put_bar(p, &first), flags->flag[i].name);
		value &= ~flags->flag[i].flag;
	}
	return field_put_flags_rest(p, value, flags->octal, first);
}

/* Write clone flags. The lowest byte is the signal that the parent gets when the child exits. */
static char *field_value_clone(char *p, struct field_view *at, uint64_t value)
{
	const char *name = constant_name(LKST_FMT_SIG, value & 0xff);

	if (name)
		value &= ~0xffull;
	if (value || !name)
		p = field_value_flags(p, at, value);
	if (value && name)
		p = put_char(p, '|');
	return name ? put_text(p, name) : p;
}

static char *field_put_string(char *p, struct field_view *at, const char *text)
{
	return at->bare ? put_text(p, text) : put_quoted(p, text);
}

static char *field_put_captured_flags(char *p, struct field_view *at, uint64_t value)
{
	const char *name;
	bool first = true;

	while ((name = lkst_values_take(at->context->values, at->field->format, &value)) != NULL)
		p = field_put_string(field_put_bar(p, &first), at, name);
	return field_put_flags_rest(p, value, 0, first);
}

/* ---- values named in the trace ---- */

static const struct lkst_value *field_captured(struct field_view *at, uint64_t value)
{
	return lkst_values_find(at->context->values, at->field->format, value);
}

static char *field_put_captured(char *p, struct field_view *at, const struct lkst_value *captured)
{
	return captured->plain || at->bare ? put_spared(p, captured->name, captured->len) :
					     put_quoted(p, captured->name);
}

static char *field_value_captured(char *p, struct field_view *at, uint64_t value)
{
	const struct lkst_value *captured = field_captured(at, value);

	if (captured)
		return field_put_captured(p, at, captured);
	return lkst_values_are_flags(at->context->values, at->field->format) ?
		       field_put_captured_flags(p, at, value) :
		       field_value_named(p, at, value);
}

/*
 * Write a value that always consists of flags, although their names differ between kernels. If the
 * trace contains the names, write the names; otherwise write the value in hexadecimal.
 */
static char *field_value_kernel_flags(char *p, struct field_view *at, uint64_t value)
{
	return lkst_values_are_flags(at->context->values, at->field->format) ?
		       field_put_captured_flags(p, at, value) :
		       put_hex(p, value, 1);
}

static char *field_value_mobility(char *p, struct field_view *at, uint64_t value)
{
	return (uint32_t)value == UINT32_MAX ? put_text(p, "unknown") :
					       field_value_captured(p, at, value);
}

static char *field_value_device(char *p, struct field_view *at, uint64_t value)
{
	const struct lkst_value *captured = field_captured(at, value);

	if (captured)
		return field_put_captured(p, at, captured);
	p = put_char(put_udec(p, value >> LKST_DEV_MINOR_BITS), ':');
	return put_udec(p, value & ((1u << LKST_DEV_MINOR_BITS) - 1));
}

/* Return an interrupt's handlers; NULL if they are unknown, or the event itself contains a name. */
static const struct lkst_value *field_irq_handlers(struct field_view *at, uint64_t value)
{
	return at->type->has_name ? NULL : field_captured(at, value);
}

/*
 * Write the number of an interrupt, and the names of its handlers. The names are not enough,
 * because handlers of different interrupts can have the same name.
 */
static char *field_value_irq(char *p, struct field_view *at, uint64_t value)
{
	const struct lkst_value *captured = at->bare ? NULL : field_irq_handlers(at, value);

	p = field_value_dec(p, at, value);
	return captured ? put_char(field_put_captured(put_char(p, '('), at, captured), ')') : p;
}

/**
 * lkst_field_name() - get the name for a value that was written as a number
 * @view: the event, after lkst_put_field()
 *
 * Return: the name; NULL if not found.
 */
const char *lkst_field_name(struct field_view *view)
{
	const struct lkst_value *captured = NULL;

	if (view->field->format == LKST_FMT_IRQ)
		captured = field_irq_handlers(view, lkst_field_value(view->field, view->event));
	return captured ? captured->name : NULL;
}

/**
 * lkst_field_file() - get the file that a value stands for
 * @view: the event
 * @field: field of its event type
 *
 * Return: the name; NULL if the value is not a descriptor, or its file is unknown.
 */
const char *lkst_field_file(const struct field_view *view, const struct lkst_field *field)
{
	if (view->type->number != LKST_ETYPE_SYSCALL_ENTRY || field->arg != 1 ||
	    field->part != LKST_PART_WHOLE)
		return NULL;
	return lkst_files_first(view->context->files, view->event);
}

/* ---- addresses ---- */

/*
 * Write the symbol of a code address, or nothing if there is no symbol. @back is the number of
 * bytes to subtract from the address before looking it up. @around is "", or two characters: one to
 * write before the symbol, and one to write after it.
 */
static char *field_put_symbol(char *p, struct field_view *at, uint64_t address, uint64_t back,
			      const char *around)
{
	struct lkst_symbol symbol;

	if (at->field->part != LKST_PART_WHOLE ||
	    !lkst_symbols_find(at->context->symbols, address - back, &symbol))
		return p;
	if (*around)
		p = put_char(p, around[0]);
	p = put_text(p, symbol.name);
	symbol.offset += back;
	if (symbol.offset)
		p = put_hex(put_char(p, '+'), symbol.offset, 1);
	if (*symbol.module)
		p = put_char(put_text(put_char(p, '['), symbol.module), ']');
	return *around ? put_char(p, around[1]) : p;
}

static char *field_value_code(char *p, struct field_view *at, uint64_t value)
{
	char *end = field_put_symbol(p, at, value, lkst_address_back(at->type->number), "");

	return end > p ? end : put_hex(p, value, 1);
}

static char *field_value_register(char *p, struct field_view *at, uint64_t value)
{
	const struct constant_reg *reg = constant_reg(at->event, at->field->arg);

	if (reg && reg->kind == REG_SEGMENTS)
		return put_hex(put_char(put_hex(p, value >> 32, 1), ':'), (uint32_t)value, 1);
	p = put_hex(p, value, 1);
	return !reg || reg->kind == REG_VALUE ? field_put_symbol(p, at, value, 0, "()") : p;
}

/* ---- stacks ---- */

/* Number of bytes after which a stack ends with "...". OUT_ROOM depends on it. */
#define STACK_TEXT_MAX (24 * 1024)

/* Return the index of the first byte of the payload that belongs to the last value of a chain. */
static size_t field_payload_start(const struct lkst_field *field)
{
	return 8 * (field->arg - 1u);
}

/**
 * lkst_field_is_stack() - check whether a value is a list of code addresses
 * @field: field of an event type
 */
bool lkst_field_is_stack(const struct lkst_field *field)
{
	return field->continues && field->format == LKST_FMT_SYM;
}

/**
 * lkst_field_frames() - count the addresses in a stack
 * @event: event
 * @field: field for which lkst_field_is_stack() is true
 */
size_t lkst_field_frames(const struct lkst_event *event, const struct lkst_field *field)
{
	struct payload_head head;
	size_t size = payload_of(event, &head)->size, start = field_payload_start(field);

	return size > start ? (size - start) / 8 : 0;
}

/**
 * lkst_field_frame() - get an address in a stack
 * @event: event
 * @field: field for which lkst_field_is_stack() is true
 * @i: index, less than lkst_field_frames(); 0 is the innermost function
 */
uint64_t lkst_field_frame(const struct lkst_event *event, const struct lkst_field *field, size_t i)
{
	struct payload_head head;
	const struct lkst_payload *payload = payload_of(event, &head);

	return payload_word(event, payload, field_payload_start(field) + 8 * i);
}

/**
 * lkst_put_frame() - write the function of a return address, without the offset in it
 * @p: destination
 * @view: the event
 * @address: return address; if it has no symbol, it is written in hexadecimal
 */
char *lkst_put_frame(char *p, struct field_view *view, uint64_t address)
{
	struct lkst_symbol symbol;

	if (!lkst_symbols_find(view->context->symbols, address - LKST_STACK_BACK, &symbol))
		return put_hex(p, address, 1);
	p = put_text(p, symbol.name);
	return *symbol.module ? put_char(put_text(put_char(p, '['), symbol.module), ']') : p;
}

/* Write a stack, innermost function first: "futex_wait<-do_futex". */
static char *field_put_stack(char *p, struct field_view *at)
{
	size_t num = lkst_field_frames(at->event, at->field);
	const char *end = p + STACK_TEXT_MAX;

	for (size_t i = 0; i < num; i++) {
		if (i)
			p = put_text(p, "<-");
		if (p > end)
			return put_text(p, "...");
		p = lkst_put_frame(p, at, lkst_field_frame(at->event, at->field, i));
	}
	return num ? p : put_char(p, '-');
}

static char *field_value_address(char *p, struct field_view *at, uint64_t value)
{
	return at->field->continues ? field_put_stack(p, at) : field_value_code(p, at, value);
}

/* ---- processes and system calls ---- */

/**
 * lkst_put_process() - write a thread as name-number
 * @p: destination
 * @names: names
 * @tid: thread
 * @cpu: CPU of the idle thread if @tid is 0
 * @time_ns: time at which the thread had the name
 */
char *lkst_put_process(char *p, struct lkst_names *names, uint32_t tid, int32_t cpu,
		       int64_t time_ns)
{
	const char *text;
	size_t len;

	if (!tid)
		return put_text(put_dec(put_text(p, "swapper/"), cpu), "-0");
	text = lkst_names_text(names, tid, time_ns, &len);
	return text ? put_spared(p, text, len) : put_char(put_udec(put_char(p, '<'), tid), '>');
}

static char *field_value_thread(char *p, struct field_view *at, uint64_t value)
{
	if ((uint32_t)value == UINT32_MAX)
		return put_char(p, '?');
	return lkst_put_process(p, at->context->names, (uint32_t)value, at->event->cpu,
				at->event->time_ns);
}

/**
 * lkst_field_text() - get a string, even if it continues in the other records of a chain
 * @event: event
 * @field: field with the format text
 * @text: result
 */
void lkst_field_text(const struct lkst_event *event, const struct lkst_field *field,
		     char text[FIELD_TEXT_SIZE])
{
	const struct lkst_payload *payload;
	struct payload_head head;
	size_t start, len;

	if (field->user) {
		text[user_field_bytes(field, event, text)] = 0;
		return;
	}
	if (!field->continues) {
		lkst_event_text(event, field->arg, field->args, text);
		return;
	}
	payload = payload_of(event, &head);
	start = field_payload_start(field);
	len = payload->size > start ? payload->size - start : 0;
	memcpy(text, payload->data + start, len);
	text[len] = 0;
}

/* Return whether @len more bytes would be more than the payload of a user event can have. */
static bool field_is_too_much(struct field_view *at, size_t len)
{
	at->user_bytes += len;
	return at->user_bytes > LKST_CHAIN_BYTES_MAX;
}

static char *field_value_text(char *p, struct field_view *at, uint64_t value)
{
	char text[FIELD_TEXT_SIZE];

	if (at->field->part != LKST_PART_WHOLE)
		return put_hex(p, value, 1);
	lkst_field_text(at->event, at->field, text);
	if (at->field->user && field_is_too_much(at, strlen(text)))
		return put_text(p, "...");
	return field_put_string(p, at, text);
}

/* Write bytes in hexadecimal, in the order in which they are in memory. */
static char *field_value_bytes(char *p, struct field_view *at, uint64_t value)
{
	static const char digits[] = "0123456789abcdef";
	char bytes[LKST_CHAIN_BYTES_MAX];
	size_t len = user_field_bytes(at->field, at->event, bytes);

	(void)value;
	if (field_is_too_much(at, len))
		return put_text(p, "...");
	for (size_t i = 0; i < len; i++) {
		p = put_char(p, digits[(unsigned char)bytes[i] >> 4]);
		p = put_char(p, digits[bytes[i] & 15]);
	}
	return len ? p : put_char(p, '-');
}

static char *field_value_state(char *p, struct field_view *at, uint64_t value)
{
	unsigned char letter = value & 0xff;

	(void)at;
	if (letter <= ' ' || letter >= 0x7f || value > 0x1ff)
		return put_hex(p, value, 1);
	p = put_char(p, (char)letter);
	return value & 0x100 ? put_char(p, '+') : p;
}

static char *field_value_signal(char *p, struct field_view *at, uint64_t value)
{
	const char *name = constant_name(LKST_FMT_SIG, value);

	return name ? put_text(p, name) : field_value_udec(p, at, value);
}

static char *field_value_wstatus(char *p, struct field_view *at, uint64_t value)
{
	unsigned int signal = value & 0x7f;

	if (value > 0xffff)
		return put_hex(p, value, 1);
	if (!signal)
		return put_char(put_udec(put_text(p, "exit("), value >> 8), ')');
	p = field_value_signal(put_text(p, "killed("), at, signal);
	at->is_number = false;
	return put_text(p, value & 0x80 ? ",core)" : ")");
}

static uint64_t field_abi_of(struct field_view *at)
{
	for (int i = 0; i < at->type->fields; i++) {
		const struct lkst_field *field = &at->type->field[i];

		if (field->format == LKST_FMT_ABI && field->arg == at->field->arg)
			return (uint32_t)at->event->arg[field->arg];
	}
	return 0;
}

static char *field_value_syscall(char *p, struct field_view *at, uint64_t value)
{
	const char *name = constant_syscall(at->event->machine, field_abi_of(at), value);

	return name ? put_text(p, name) : field_put_number(p, at, (int32_t)value);
}

/* ---- all formats ---- */

static char *(*const put[LKST_FMT_NUM])(char *p, struct field_view *at, uint64_t value) = {
	[LKST_FMT_HEX] = field_value_hex,
	[LKST_FMT_DEC] = field_value_number,
	[LKST_FMT_UDEC] = field_value_udec,
	[LKST_FMT_PTR] = field_value_hex,
	[LKST_FMT_SYM] = field_value_address,
	[LKST_FMT_TEXT] = field_value_text,
	[LKST_FMT_TID] = field_value_thread,
	[LKST_FMT_STATE] = field_value_state,
	[LKST_FMT_SIG] = field_value_signal,
	[LKST_FMT_ERR] = field_value_result,
	[LKST_FMT_SYS] = field_value_syscall,
	[LKST_FMT_ABI] = field_value_named,
	[LKST_FMT_CLONE] = field_value_clone,
	[LKST_FMT_WSTATUS] = field_value_wstatus,
	[LKST_FMT_IRQ] = field_value_irq,
	[LKST_FMT_VEC] = field_value_captured,
	[LKST_FMT_TRAP] = field_value_trap,
	[LKST_FMT_SOFTIRQ] = field_value_captured,
	[LKST_FMT_PFCODE] = field_value_flags,
	[LKST_FMT_FAULT] = field_value_kernel_flags,
	[LKST_FMT_GFP] = field_value_kernel_flags,
	[LKST_FMT_MIGRATE] = field_value_mobility,
	[LKST_FMT_DEV] = field_value_device,
	[LKST_FMT_BLKOP] = field_value_captured,
	[LKST_FMT_ETYPE] = field_value_packet_type,
	[LKST_FMT_DROP] = field_value_captured,
	[LKST_FMT_TCP] = field_value_captured,
	[LKST_FMT_AF] = field_value_named,
	[LKST_FMT_IPPROTO] = field_value_named,
	[LKST_FMT_IPCFLG] = field_value_flags,
	[LKST_FMT_MSGFLG] = field_value_flags,
	[LKST_FMT_SHMFLG] = field_value_flags,
	[LKST_FMT_LCB] = field_value_kernel_flags,
	[LKST_FMT_LEVEL] = field_value_named,
	[LKST_FMT_DETECTOR] = field_value_captured,
	[LKST_FMT_LOCKUP] = field_value_named,
	[LKST_FMT_REG] = field_value_register,
	[LKST_FMT_DUMP] = field_value_captured,
	[LKST_FMT_CPU] = field_value_dec,
	[LKST_FMT_CLOCK] = field_value_named,
	[LKST_FMT_SEC] = field_value_udec,
	[LKST_FMT_NSEC] = field_value_udec,
	[LKST_FMT_MSET] = field_value_dec,
	[LKST_FMT_EVH] = field_value_hex,
	[LKST_FMT_BUF] = field_value_buffer,
	[LKST_FMT_CODE] = field_value_named,
	[LKST_FMT_CHAIN] = field_value_hex,
	[LKST_FMT_BYTES] = field_value_bytes,
};

/**
 * lkst_field_label() - get the label of a value
 * @event: event
 * @field: field of its event type
 */
const char *lkst_field_label(const struct lkst_event *event, const struct lkst_field *field)
{
	const struct constant_reg *reg = NULL;

	if (field->format == LKST_FMT_REG && field->part == LKST_PART_WHOLE)
		reg = constant_reg(event, field->arg);
	return reg ? reg->label : field->label;
}

/**
 * lkst_is_cut() - check whether a part of an event is missing: the event is a chain whose end is
 * missing, or a user event whose payload is shorter than its fields
 * @event: event
 * @type: its type
 */
bool lkst_is_cut(const struct lkst_event *event, const struct lkst_etype *type)
{
	struct payload_head head;

	return (type->chain && payload_of(event, &head)->cut) ||
	       (type->user && user_fields_are_cut(type, event));
}

/**
 * lkst_field_is_void() - check whether a value may be omitted because it is the usual one
 * @event: event
 * @field: field of its event type
 */
bool lkst_field_is_void(const struct lkst_event *event, const struct lkst_field *field)
{
	switch (field->format) {
	case LKST_FMT_ABI:
		/* Nearly every call uses the native ABI. */
		return !(uint32_t)event->arg[field->arg];
	case LKST_FMT_SYM:
		/* If the stack ends within the event, the remaining arguments are 0. */
		return event->type == LKST_ETYPE_OOPS_STACK && !event->arg[field->arg];
	default:
		return false;
	}
}

/*
 * Find the thread field that a name field belongs to: "next" for "next_name", and the first thread
 * field for "name".
 */
static const struct lkst_field *field_thread_of_name(const struct lkst_etype *type,
						     const struct lkst_field *field)
{
	const char *end = strstr(field->label, "name");
	size_t len;

	if (field->format != LKST_FMT_TEXT || field->continues || !end || strcmp(end, "name"))
		return NULL;
	len = end > field->label ? (size_t)(end - field->label) - 1 : 0;
	for (int i = 0; i < type->fields; i++) {
		const struct lkst_field *thread = &type->field[i];

		if (thread->format == LKST_FMT_TID &&
		    (!len ||
		     (thread->label_len == len && !strncmp(thread->label, field->label, len))))
			return thread;
	}
	return NULL;
}

/**
 * lkst_field_is_repeated() - check whether a string repeats the name that is printed for its thread
 * @view: the event
 * @field: field of its event type
 *
 * field_thread_of_name() finds the field with the thread. A string that fills its arguments may be
 * only the beginning of the name.
 */
bool lkst_field_is_repeated(const struct field_view *view, const struct lkst_field *field)
{
	const struct lkst_field *thread = field_thread_of_name(view->type, field);
	const struct lkst_event *event = view->event;
	char text[4 * 8 + 1], idle[32];
	const char *name = idle;
	uint32_t tid;

	if (!thread)
		return false;
	tid = (uint32_t)lkst_field_value(thread, event);
	if (tid)
		name = lkst_names_get(view->context->names, tid, event->time_ns);
	else
		snprintf(idle, sizeof(idle), "swapper/%d", event->cpu);
	lkst_event_text(event, field->arg, field->args, text);
	/*
	 * A string that is shorter than its arguments ends with a 0, which strncmp() compares as
	 * well. So such a string must be equal to the whole name.
	 */
	return name && *text && !strncmp(name, text, 8u * field->args);
}

/**
 * lkst_put_field() - write a value of an event
 * @p: destination
 * @view: the event
 * @field: field of its event type
 */
char *lkst_put_field(char *p, struct field_view *view, const struct lkst_field *field)
{
	view->field = field;
	view->is_number = false;
	return put[field->format](p, view, lkst_field_value(field, view->event));
}
