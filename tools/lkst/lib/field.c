// SPDX-License-Identifier: LGPL-2.1
/*
 * One value of an event in words: what the formats of event types mean. Names come from the
 * trace where kernels differ, else from constants.c.
 */
#include <byteswap.h>

#include "constants.h"
#include "etype_ids.h"
#include "field.h"
#include "symbols.h"

/**
 * struct place - where a value stands
 * @number: the value as a signed number of the field's width
 */
struct place {
	struct lkst_out *out;
	const struct lkst_context *context;
	const struct lkst_event *event;
	const struct lkst_etype *type;
	const struct lkst_field *field;
	int64_t number;
};

/**
 * lkst_event_text() - text that an event carries
 * @event: event
 * @arg: first argument
 * @args: how many
 * @text: result, 8 bytes for each argument and one more
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

static void put_dec(const struct place *p, uint64_t value)
{
	(void)value;
	out_dec(p->out, p->number);
}

static void put_udec(const struct place *p, uint64_t value)
{
	out_udec(p->out, value);
}

static void put_hex(const struct place *p, uint64_t value)
{
	out_hex(p->out, value, 1);
}

static bool put_constant(const struct place *p, uint64_t value)
{
	const char *name = constant_name(p->field->format, value);

	if (name)
		out_text(p->out, name);
	return name != NULL;
}

/* A constant, or its number. */
static void put_named(const struct place *p, uint64_t value)
{
	if (!put_constant(p, value))
		out_dec(p->out, p->number);
}

static void put_packet_type(const struct place *p, uint64_t value)
{
	if (!put_constant(p, value))
		out_hex(p->out, value, 4);
}

static void put_trap(const struct place *p, uint64_t value)
{
	if (p->event->machine == LKST_MACHINE_OTHER)
		out_dec(p->out, p->number);
	else
		put_named(p, value);
}

static void put_buffer(const struct place *p, uint64_t value)
{
	if (value == LKST_BUFFER_ID_VOID)
		out_text(p->out, "none");
	else
		out_dec(p->out, p->number);
}

/* Some numbers mean something in one argument of one event only. */
static void put_number(const struct place *p, uint64_t value)
{
	static const char *const params[] = {
		[LKST_PARAM_BUFFER_SIZE] = "buffer_size",
		[LKST_PARAM_MASKSET] = "maskset",
		[LKST_PARAM_MEMORY] = "memory",
		[LKST_PARAM_DUMP] = "dump",
		[LKST_PARAM_DUMP_EVENTS] = "dump_events",
		[LKST_PARAM_RESERVED] = "reserved",
		[LKST_PARAM_BOOTS] = "boots",
	};
	const char *name = NULL;

	if (p->type->number == LKST_ETYPE_LKST_ERROR && p->field->arg == 1 &&
	    p->event->arg[0] == LKST_ERROR_BAD_PARAM && value < sizeof(params) / sizeof(*params))
		name = params[value];
	else if (p->type->number == LKST_ETYPE_MEM_PAGEALLOC && !p->field->arg && p->number == -1)
		name = "failed";
	if (name)
		out_text(p->out, name);
	else
		out_dec(p->out, p->number);
}

/* A result: errors by name; what is too great to be a count or a descriptor in hex. */
static void put_result(const struct place *p, uint64_t value)
{
	int64_t number = p->number;
	const char *name = number < 0 ? constant_error(-(uint64_t)number) : NULL;

	(void)value;
	if (name) {
		out_char(p->out, '-');
		out_text(p->out, name);
	} else if (number > UINT32_MAX || number < -4095) {
		out_hex(p->out, (uint64_t)number, 1);
	} else {
		out_dec(p->out, number);
	}
}

/* ---- flags ---- */

static void put_bar(struct lkst_out *out, bool *first)
{
	if (!*first)
		out_char(out, '|');
	*first = false;
}

/* What no flag of a value stands for. */
static void put_flags_rest(struct lkst_out *out, uint64_t value, uint64_t octal, bool first)
{
	if (value & octal || (first && octal && !value)) {
		put_bar(out, &first);
		out_octal(out, value & octal);
		value &= ~octal;
	}
	if (value || first) {
		put_bar(out, &first);
		out_hex(out, value, 1);
	}
}

static void put_flags(const struct place *p, uint64_t value)
{
	const struct constant_flags *flags = constant_flags(p->field->format, p->type->number);
	bool first = true;

	for (size_t i = 0; i < flags->num; i++) {
		if (!(value & flags->flag[i].flag))
			continue;
		put_bar(p->out, &first);
		out_text(p->out, flags->flag[i].name);
		value &= ~flags->flag[i].flag;
	}
	put_flags_rest(p->out, value, flags->octal, first);
}

/* The lowest byte is the signal for the parent. */
static void put_clone(const struct place *p, uint64_t value)
{
	const char *name = constant_name(LKST_FMT_SIG, value & 0xff);

	if (name)
		value &= ~0xffull;
	if (value || !name)
		put_flags(p, value);
	if (value && name)
		out_char(p->out, '|');
	if (name)
		out_text(p->out, name);
}

static void put_captured_flags(const struct place *p, uint64_t value)
{
	const char *name;
	bool first = true;

	while ((name = lkst_values_take(p->context->values, p->field->format, &value)) != NULL) {
		put_bar(p->out, &first);
		out_quoted(p->out, name);
	}
	put_flags_rest(p->out, value, 0, first);
}

/* ---- what the trace tells ---- */

static const char *captured_name(const struct place *p, uint64_t value)
{
	return lkst_values_name(p->context->values, p->field->format, value);
}

static void put_captured(const struct place *p, uint64_t value)
{
	const char *name = captured_name(p, value);

	if (name)
		out_quoted(p->out, name);
	else if (lkst_values_are_flags(p->context->values, p->field->format))
		put_captured_flags(p, value);
	else
		put_named(p, value);
}

/* As put_captured(), for what are flags on all kernels. */
static void put_kernel_flags(const struct place *p, uint64_t value)
{
	if (lkst_values_are_flags(p->context->values, p->field->format))
		put_captured_flags(p, value);
	else
		out_hex(p->out, value, 1);
}

static void put_mobility(const struct place *p, uint64_t value)
{
	if ((uint32_t)value == UINT32_MAX)
		out_text(p->out, "unknown");
	else
		put_captured(p, value);
}

static void put_device(const struct place *p, uint64_t value)
{
	const char *name = captured_name(p, value);

	if (name) {
		out_quoted(p->out, name);
		return;
	}
	out_udec(p->out, value >> LKST_DEV_MINOR_BITS);
	out_char(p->out, ':');
	out_udec(p->out, value & ((1u << LKST_DEV_MINOR_BITS) - 1));
}

static bool has_name(const struct lkst_etype *type)
{
	for (int i = 0; i < type->fields; i++)
		if (type->field[i].format == LKST_FMT_TEXT && !strcmp(type->field[i].label, "name"))
			return true;
	return false;
}

/* The number tells more than the name; an event that has the name itself needs it no more. */
static void put_irq(const struct place *p, uint64_t value)
{
	const char *name = has_name(p->type) ? NULL : captured_name(p, value);

	out_dec(p->out, p->number);
	if (!name)
		return;
	out_char(p->out, '(');
	out_quoted(p->out, name);
	out_char(p->out, ')');
}

/* ---- addresses ---- */

/* @back: how far behind the code that is meant. Returns whether there was a name. */
static bool put_symbol(const struct place *p, uint64_t address, uint64_t back, const char *around)
{
	struct lkst_symbol symbol;

	if (p->field->part != LKST_PART_WHOLE ||
	    !lkst_symbols_find(p->context->symbols, address - back, &symbol))
		return false;
	if (*around)
		out_char(p->out, around[0]);
	out_text(p->out, symbol.name);
	symbol.offset += back;
	if (symbol.offset) {
		out_char(p->out, '+');
		out_hex(p->out, symbol.offset, 1);
	}
	if (*symbol.module) {
		out_char(p->out, '[');
		out_text(p->out, symbol.module);
		out_char(p->out, ']');
	}
	if (*around)
		out_char(p->out, around[1]);
	return true;
}

static void put_code(const struct place *p, uint64_t value)
{
	if (!put_symbol(p, value, lkst_address_back(p->type->number), ""))
		out_hex(p->out, value, 1);
}

static void put_register(const struct place *p, uint64_t value)
{
	const struct constant_reg *reg = constant_reg(p->event, p->field->arg);

	if (reg && reg->kind == REG_SEGMENTS) {
		out_hex(p->out, value >> 32, 1);
		out_char(p->out, ':');
		out_hex(p->out, (uint32_t)value, 1);
		return;
	}
	out_hex(p->out, value, 1);
	if (!reg || reg->kind == REG_VALUE)
		put_symbol(p, value, 0, "()");
}

/* ---- processes and system calls ---- */

/**
 * lkst_put_process() - a thread, as name-number
 * @out: room was made
 * @names: names
 * @tid: thread
 * @cpu: whose idle thread 0 is
 * @time_ns: when
 */
void lkst_put_process(struct lkst_out *out, struct lkst_names *names, uint32_t tid, int32_t cpu,
		      int64_t time_ns)
{
	const char *name;

	if (!tid) {
		out_text(out, "swapper/");
		out_dec(out, cpu);
		out_text(out, "-0");
		return;
	}
	name = lkst_names_get(names, tid, time_ns);
	if (!name) {
		out_char(out, '<');
		out_udec(out, tid);
		out_char(out, '>');
		return;
	}
	for (; *name; name++)
		out_char(out, (unsigned char)*name < 0x20 || *name == 0x7f ? '?' : *name);
	out_char(out, '-');
	out_udec(out, tid);
}

static void put_thread(const struct place *p, uint64_t value)
{
	if ((uint32_t)value == UINT32_MAX) {
		out_char(p->out, '?');
		return;
	}
	lkst_put_process(p->out, p->context->names, (uint32_t)value, p->event->cpu,
			 p->event->time_ns);
}

static void put_text(const struct place *p, uint64_t value)
{
	char text[4 * 8 + 1];

	if (p->field->part != LKST_PART_WHOLE) {
		out_hex(p->out, value, 1);
		return;
	}
	lkst_event_text(p->event, p->field->arg, p->field->args, text);
	out_quoted(p->out, text);
}

static void put_state(const struct place *p, uint64_t value)
{
	unsigned char letter = value & 0xff;

	if (letter <= ' ' || letter >= 0x7f || value > 0x1ff) {
		out_hex(p->out, value, 1);
		return;
	}
	out_char(p->out, (char)letter);
	if (value & 0x100)
		out_char(p->out, '+');
}

static void put_signal(struct lkst_out *out, uint64_t value)
{
	const char *name = constant_name(LKST_FMT_SIG, value);

	if (name)
		out_text(out, name);
	else
		out_udec(out, value);
}

static void put_sig(const struct place *p, uint64_t value)
{
	put_signal(p->out, value);
}

static void put_wstatus(const struct place *p, uint64_t value)
{
	unsigned int signal = value & 0x7f;

	if (value > 0xffff) {
		out_hex(p->out, value, 1);
	} else if (!signal) {
		out_text(p->out, "exit(");
		out_udec(p->out, value >> 8);
		out_char(p->out, ')');
	} else {
		out_text(p->out, "killed(");
		put_signal(p->out, signal);
		out_text(p->out, value & 0x80 ? ",core)" : ")");
	}
}

static uint64_t abi_of(const struct place *p)
{
	for (int i = 0; i < p->type->fields; i++) {
		const struct lkst_field *field = &p->type->field[i];

		if (field->format == LKST_FMT_ABI && field->arg == p->field->arg)
			return (uint32_t)p->event->arg[field->arg];
	}
	return 0;
}

static void put_syscall(const struct place *p, uint64_t value)
{
	const char *name = constant_syscall(p->event->machine, abi_of(p), value);

	if (name)
		out_text(p->out, name);
	else
		out_dec(p->out, (int32_t)value);
}

/* ---- all formats ---- */

static void (*const put[LKST_FMT_NUM])(const struct place *p, uint64_t value) = {
	[LKST_FMT_HEX] = put_hex,	    [LKST_FMT_DEC] = put_number,
	[LKST_FMT_UDEC] = put_udec,	    [LKST_FMT_PTR] = put_hex,
	[LKST_FMT_SYM] = put_code,	    [LKST_FMT_TEXT] = put_text,
	[LKST_FMT_TID] = put_thread,	    [LKST_FMT_STATE] = put_state,
	[LKST_FMT_SIG] = put_sig,	    [LKST_FMT_ERR] = put_result,
	[LKST_FMT_SYS] = put_syscall,	    [LKST_FMT_ABI] = put_named,
	[LKST_FMT_CLONE] = put_clone,	    [LKST_FMT_WSTATUS] = put_wstatus,
	[LKST_FMT_IRQ] = put_irq,	    [LKST_FMT_VEC] = put_captured,
	[LKST_FMT_TRAP] = put_trap,	    [LKST_FMT_SOFTIRQ] = put_captured,
	[LKST_FMT_PFCODE] = put_flags,	    [LKST_FMT_FAULT] = put_kernel_flags,
	[LKST_FMT_GFP] = put_kernel_flags,  [LKST_FMT_MIGRATE] = put_mobility,
	[LKST_FMT_DEV] = put_device,	    [LKST_FMT_BLKOP] = put_captured,
	[LKST_FMT_ETYPE] = put_packet_type, [LKST_FMT_DROP] = put_captured,
	[LKST_FMT_TCP] = put_captured,	    [LKST_FMT_AF] = put_named,
	[LKST_FMT_IPPROTO] = put_named,	    [LKST_FMT_IPCFLG] = put_flags,
	[LKST_FMT_MSGFLG] = put_flags,	    [LKST_FMT_SHMFLG] = put_flags,
	[LKST_FMT_LCB] = put_kernel_flags,  [LKST_FMT_LEVEL] = put_named,
	[LKST_FMT_DETECTOR] = put_captured, [LKST_FMT_LOCKUP] = put_named,
	[LKST_FMT_REG] = put_register,	    [LKST_FMT_DUMP] = put_captured,
	[LKST_FMT_CPU] = put_dec,	    [LKST_FMT_CLOCK] = put_named,
	[LKST_FMT_SEC] = put_udec,	    [LKST_FMT_NSEC] = put_udec,
	[LKST_FMT_MSET] = put_dec,	    [LKST_FMT_EVH] = put_hex,
	[LKST_FMT_BUF] = put_buffer,	    [LKST_FMT_CODE] = put_named,
};

/**
 * lkst_field_label() - what a value of an event is called
 * @event: event
 * @field: of its type
 */
const char *lkst_field_label(const struct lkst_event *event, const struct lkst_field *field)
{
	const struct constant_reg *reg = NULL;

	if (field->format == LKST_FMT_REG && field->part == LKST_PART_WHOLE)
		reg = constant_reg(event, field->arg);
	return reg ? reg->label : field->label;
}

/**
 * lkst_field_is_void() - whether a value says nothing, in an event where it could
 * @event: event
 * @field: of its type
 */
bool lkst_field_is_void(const struct lkst_event *event, const struct lkst_field *field)
{
	switch (field->format) {
	case LKST_FMT_ABI:
		/* Nearly every call has the native one. */
		return !(uint32_t)event->arg[field->arg];
	case LKST_FMT_SYM:
		/* A stack that ended. */
		return event->type == LKST_ETYPE_OOPS_STACK && !event->arg[field->arg];
	default:
		return false;
	}
}

/**
 * lkst_put_field() - a value of an event
 * @out: room was made
 * @context: what the trace tells of its kernel
 * @event: event
 * @type: its type
 * @field: of the type
 */
void lkst_put_field(struct lkst_out *out, const struct lkst_context *context,
		    const struct lkst_event *event, const struct lkst_etype *type,
		    const struct lkst_field *field)
{
	uint64_t value = event->arg[field->arg];
	struct place place = {
		.out = out,
		.context = context,
		.event = event,
		.type = type,
		.field = field,
	};

	if (field->part == LKST_PART_HIGH)
		value >>= 32;
	else if (field->part == LKST_PART_LOW)
		value = (uint32_t)value;
	place.number = field->part == LKST_PART_WHOLE ? (int64_t)value : (int32_t)value;
	put[field->format](&place, value);
}
