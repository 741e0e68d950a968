// SPDX-License-Identifier: GPL-2.0
/*
 * Assigns numbers to functions. Some of Perfetto's messages refer to a function by its number, and
 * the trace lists the name for each number. Each name is written once.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/put.h"
#include "lib/text/context.h"
#include "lib/text/field.h"
#include "lib/text/symbols.h"
#include "perfetto.h"

#define FUNCTIONS     4096 /* a power of two */
#define FUNCTIONS_MAX (FUNCTIONS / 4 * 3)

enum {
	SEQUENCE_NEEDS_STATE = 2,
};

/*
 * A hash table of functions. The files of a trace can come from kernels with different functions at
 * the same address, so the key includes the symbols of the kernel.
 */
struct functions {
	size_t num;
	struct function {
		uint64_t address;
		const struct lkst_symbols *symbols;
		uint64_t number; /* 0: this entry is empty */
	} table[FUNCTIONS];
};

/**
 * functions_new() - make an empty table of functions
 * @err: set if an allocation fails
 */
struct functions *functions_new(struct lkst_error *err)
{
	struct functions *functions = calloc(1, sizeof(*functions));

	if (!functions)
		lkst_error_memory(err, "the functions");
	return functions;
}

/**
 * functions_free() - free a table of functions
 * @functions: may be NULL
 */
void functions_free(struct functions *functions)
{
	free(functions);
}

static struct function *functions_find(struct functions *functions, uint64_t address,
				       const struct lkst_symbols *symbols)
{
	size_t i = (size_t)(address * 0x9e3779b97f4a7c15 >> 40) % FUNCTIONS;

	while (functions->table[i].number &&
	       (functions->table[i].address != address || functions->table[i].symbols != symbols))
		i = (i + 1) % FUNCTIONS;
	return &functions->table[i];
}

static void functions_put_name(struct perfetto *pf, const struct lkst_field *field,
			       const struct lkst_event *event, uint64_t number)
{
	struct field_view view = {
		.context = pf->export->context,
		.event = event,
		.type = lkst_etype(pf->export->types, event->type),
		.bare = true,
	};
	Pf__TracePacket packet = PF__TRACE_PACKET__INIT;
	Pf__InternedData interned = PF__INTERNED_DATA__INIT;
	Pf__InternedString string = PF__INTERNED_STRING__INIT, *strings = &string;
	/*
	 * Use pf->packet as a buffer: it has room for any field, and no packet is being made. In a
	 * damaged trace, the name of the function can be any text, even invalid UTF-8.
	 */
	char *name = (char *)pf->packet;
	size_t len = (size_t)(lkst_put_field(name, &view, field) - name);

	string.has_iid = string.has_str = true;
	string.iid = number;
	string.str.data = pf->packet;
	string.str.len = (size_t)(put_utf8(name, name, len) - name);
	interned.n_kernel_symbols = 1;
	interned.kernel_symbols = &strings;
	packet.interned_data = &interned;
	packet.has_sequence_flags = true;
	packet.sequence_flags = SEQUENCE_NEEDS_STATE;
	perfetto_write(pf, &packet);
}

/**
 * functions_number() - get the number of a function, and write its name if it is new
 * @pf: writer
 * @field: argument with the address of the function
 * @event: event
 *
 * Return: the number; the address if there are too many functions.
 */
uint64_t functions_number(struct perfetto *pf, const struct lkst_field *field,
			  const struct lkst_event *event)
{
	struct functions *functions = pf->functions;
	const struct lkst_symbols *symbols = pf->export->context->symbols;
	uint64_t address = lkst_field_value(field, event);
	struct function *function = functions_find(functions, address, symbols);

	if (function->number)
		return function->number;
	if (functions->num == FUNCTIONS_MAX)
		return address;
	*function = (struct function){ address, symbols, ++functions->num };
	functions_put_name(pf, field, event, function->number);
	return function->number;
}
