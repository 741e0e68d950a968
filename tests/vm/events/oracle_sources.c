// SPDX-License-Identifier: GPL-2.0
/*
 * Compute LKST's arguments from the fields of ftrace's events. The format file of each event says
 * where its fields are.
 */
#include <limits.h>

#include "oracle_ftrace.h"
#include "tap.h"

struct field {
	unsigned int offset;
	unsigned int size;
	bool is_signed;
	bool elsewhere; /* whether this is a __data_loc, which holds the data's offset and length */
};

/* A record in ftrace's buffer, and the data that finish() of its source needs. */
struct raw {
	const unsigned char *data;
	const struct field *extra;
	int cpu;
};

/*
 * An event of ftrace. @args says how to compute each of LKST's arguments: "FIELD" is a number, and
 * "HIGH,LOW" are two halves. FIELD, HIGH and LOW may also be "?" (unknown to ftrace), "=NUMBER" (a
 * constant), or "" (0). "FIELD@N" are eight bytes of a string, starting at byte N, and "FIELD[N]"
 * is the Nth number of an array.
 */
struct source {
	const char *name; /* directory of the event in events/ of tracefs */
	const char *args[4];
	void (*finish)(struct event *event, const struct raw *raw); /* completes @event, or NULL */
	const char *extra; /* name of a field that @finish needs, or NULL */
};

/* Reading fields */

static int64_t number_in(const unsigned char *data, const struct field *field)
{
	const unsigned char *at = data + field->offset;
	int64_t value = 0;

	memcpy(&value, at, field->size);
	if (field->is_signed && field->size < 8 && at[field->size - 1] & 0x80)
		value |= (int64_t)(UINT64_MAX << (field->size * 8));
	return value;
}

static const char *text_in(const unsigned char *data, const struct field *field)
{
	uint32_t place;

	if (!field->elsewhere)
		return (const char *)data + field->offset;
	memcpy(&place, data + field->offset, sizeof(place));
	return (const char *)data + (place & 0xffff);
}

/* Return eight bytes of a string, starting at byte @from, in memory order and padded with 0. */
static uint64_t text_at(const char *string, size_t from)
{
	size_t len = strlen(string);
	uint64_t value = 0;

	if (from < len)
		memcpy(&value, string + from, len - from < 8 ? len - from : 8);
	return value;
}

static void set_low(uint64_t *arg, uint32_t value)
{
	*arg = pack(*arg >> 32, value);
}

/* Functions that compute what a row of the table cannot express */

/*
 * Convert prev_state of sched_switch, which has a bit for each state but the first, to LKST's
 * letter.
 */
static void finish_switch(struct event *event, const struct raw *raw)
{
	static const char letters[] = "RSDTtXZPI";
	uint32_t state = event->arg[0];

	(void)raw;
	set_low(&event->arg[0], state & 0x100 ? 'R' | 0x100 : letters[__builtin_ffs(state & 0xff)]);
}

/* Set the arguments to the last 24 bytes of the path. */
static void finish_exec(struct event *event, const struct raw *raw)
{
	const char *path = text_in(raw->data, raw->extra);
	size_t len = strlen(path), from = len > 24 ? len - 24 : 0;

	for (unsigned int i = 0; i < 3; i++)
		event->arg[1 + i] = text_at(path, from + 8 * i);
}

/* For each CPU, whether its last softirq was HI_SOFTIRQ, which runs high-priority tasklets. */
static bool tasklet_hi[ORACLE_CPUS];

static void finish_softirq_entry(struct event *event, const struct raw *raw)
{
	tasklet_hi[raw->cpu] = !event->arg[0];
}

static void finish_tasklet(struct event *event, const struct raw *raw)
{
	if (!tasklet_hi[raw->cpu])
		event->kind += TASKLET_ENTRY - TASKLETHI_ENTRY;
}

static void finish_syscall_entry(struct event *event, const struct raw *raw)
{
	(void)raw;
	set_low(&event->arg[0], event->arg[1] == ORACLE_IA32_MAGIC);
}

static void finish_idle(struct event *event, const struct raw *raw)
{
	(void)raw;
	if ((uint32_t)event->arg[0] == UINT32_MAX) {
		event->kind = IDLE_EXIT;
		event->arg[0] = 0;
	}
}

/*
 * Set the operation of a block request, a value of enum req_op. ftrace records a letter for it. The
 * letter may follow an 'F', which means that the cache is flushed first.
 */
static void finish_block(struct event *event, const struct raw *raw)
{
	static const char letters[] = "RWFD";
	const char *flags = text_in(raw->data, raw->extra), *letter;

	if (flags[0] == 'F' && flags[1] && strchr("RWFDN", flags[1]))
		flags++;
	letter = *flags ? strchr(letters, *flags) : NULL;
	if (!letter)
		event->unknown |= 1 << 4;
	else if (flags[1] == 'E')
		set_low(&event->arg[2], 5 /* secure erase */);
	else if (flags[0] == 'W' && flags[1] == 'Z')
		set_low(&event->arg[2], 9 /* write zeroes */);
	else
		set_low(&event->arg[2], letter - letters);
}

#define SECTOR_LEN	512

/*
 * Complete the event of a completed block request. If the request has no sector, ftrace records the
 * highest possible number, and LKST records 0. ftrace records the length in sectors, LKST in bytes.
 */
static void finish_block_complete(struct event *event, const struct raw *raw)
{
	if (event->arg[1] == UINT64_MAX)
		event->arg[1] = 0;
	event->arg[2] = pack((event->arg[2] >> 32) * SECTOR_LEN, 0);
	finish_block(event, raw);
}

/*
 * Set the arguments to the text of the action. ftrace records only a pointer to the text. The file
 * printk_formats lists the address and the text of each such string, in lines like
 * 0xffffffff81000000 : "text".
 */
static void finish_suspend(struct event *event, const struct raw *raw)
{
	uint64_t action = number_in(raw->data, raw->extra), address;
	char *line = ftrace_get("printk_formats"), text[64];

	for (; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "%lx : \"%63[^\"]", &address, text) != 2 || address != action)
			continue;
		event->arg[0] = text_at(text, 0);
		event->arg[1] = text_at(text, 8);
		return;
	}
	bail_out("printk_formats: an action is missing");
}

/* The table */

#define VECTOR(tracepoint)	{ "irq_vectors/" tracepoint, { "vector" } }

static const struct source sources[KINDS + 1][SOURCES_PER_KIND] = {
#define KIND(kind, group, flags, mnemonic, plural, ...) [kind] = { __VA_ARGS__ },
#include "oracle_kinds.h"
#undef KIND
	[PACKET_PROTOCOL] = {
		{ "net/net_dev_start_xmit", { "skbaddr", "protocol" } },
		{ "net/netif_rx_entry", { "skbaddr", "protocol" } },
		{ "net/netif_receive_skb_entry", { "skbaddr", "protocol" } },
	},
};

static enum kind kind_of_source(unsigned int n)
{
	return n / SOURCES_PER_KIND;
}

/* Parsing the table */

/* How to compute an argument, or one half of it, from a record of ftrace. */
struct part {
	enum { NOTHING, NUMBER, CONSTANT, TEXT, ELEMENT, UNKNOWN } type;
	struct field field;
	unsigned int n;
};

static struct layout {
	struct part part[4][2]; /* for each argument: upper half or all of it, and lower half */
	bool halves[4];
	struct field extra;
} layouts[SOURCES];

/*
 * Parse a line of a format file, such as "field:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;".
 * Return whether it describes the field @name.
 */
static bool parse_field(const char *line, const char *name, size_t len, struct field *field)
{
	const char *end = strchr(line, ';'), *start, *stop = end;
	int is_signed;

	if (!end)
		return false;
	if (end[-1] == ']')
		while (*stop != '[')
			stop--;
	start = stop;
	while (start[-1] != ' ')
		start--;
	if ((end[-1] == ']' && stop == start) || (size_t)(stop - start) != len ||
	    strncmp(start, name, len))
		return false;
	if (sscanf(end, "; offset:%u; size:%u; signed:%d;", &field->offset, &field->size,
		   &is_signed) != 3)
		return false;
	field->is_signed = is_signed;
	field->elsewhere = !strncmp(line, "field:__data_loc", 16);
	return true;
}

static void find_field(const char *format, const char *name, size_t len, struct field *field)
{
	const char *line;

	for (line = format; (line = strstr(line, "field:")); line++)
		if (parse_field(line, name, len, field))
			return;
	diag("no field %.*s in%s", (int)len, name, format);
	bail_out("ftrace");
}

static void parse_part(const char *format, const char *text, size_t len, struct part *part)
{
	size_t name_len = strcspn(text, "@[,");

	if (!len || *text == '?' || *text == '=') {
		part->type = !len ? NOTHING : *text == '?' ? UNKNOWN : CONSTANT;
		part->n = len ? atoi(text + 1) : 0;
		return;
	}
	part->type = name_len >= len ? NUMBER : text[name_len] == '@' ? TEXT : ELEMENT;
	if (part->type != NUMBER)
		part->n = atoi(text + name_len + 1);
	find_field(format, text, name_len, &part->field);
}

static void parse_arg(const char *format, const char *text, struct layout *layout, unsigned int i)
{
	size_t len = strcspn(text, ",");

	parse_part(format, text, len, &layout->part[i][0]);
	layout->halves[i] = text[len] == ',';
	if (layout->halves[i])
		parse_part(format, text + len + 1, strlen(text + len + 1), &layout->part[i][1]);
}

const char *source_enable(unsigned int n, unsigned int *id)
{
	const struct source *source = &sources[0][n];
	enum kind kind = kind_of_source(n);
	char path[PATH_MAX], *format, *line;

	if (!source->name || (kind < KINDS && !is_here(kind)))
		return NULL;
	snprintf(path, sizeof(path), "events/%s/format", source->name);
	format = ftrace_get(path);
	line = strstr(format, "\nID: ");
	bail_if(!line || sscanf(line, "\nID: %u", id) != 1, path);
	for (unsigned int i = 0; i < 4 && source->args[i]; i++)
		parse_arg(format, source->args[i], &layouts[n], i);
	if (source->extra)
		find_field(format, source->extra, strlen(source->extra), &layouts[n].extra);
	return source->name;
}

bool source_in_group(unsigned int n, enum group group)
{
	enum kind kind = kind_of_source(n);

	return kind == PACKET_PROTOCOL ? group == NETWORK : in_group(kind, group);
}

/* Decoding */

static uint64_t decode_part(const struct part *part, const unsigned char *data)
{
	uint64_t value;

	switch (part->type) {
	case NUMBER:
		return number_in(data, &part->field);
	case CONSTANT:
		return part->n;
	case TEXT:
		return text_at(text_in(data, &part->field), part->n);
	case ELEMENT:
		memcpy(&value, data + part->field.offset + part->n * sizeof(value), sizeof(value));
		return value;
	default:
		return 0;
	}
}

void source_decode(unsigned int n, struct event *event, const unsigned char *data, int cpu)
{
	const struct source *source = &sources[0][n];
	const struct layout *layout = &layouts[n];
	struct raw raw = { .data = data, .extra = &layout->extra, .cpu = cpu };

	event->kind = kind_of_source(n);
	for (unsigned int i = 0; i < 4; i++) {
		const struct part *part = layout->part[i];

		event->arg[i] = decode_part(&part[0], data);
		if (part[0].type == UNKNOWN)
			event->unknown |= (layout->halves[i] ? 2 : 3) << 2 * i;
		if (layout->halves[i])
			event->arg[i] = pack(event->arg[i], decode_part(&part[1], data));
		if (part[1].type == UNKNOWN)
			event->unknown |= 1 << 2 * i;
	}
	if (source->finish)
		source->finish(event, &raw);
}
