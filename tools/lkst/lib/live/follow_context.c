// SPDX-License-Identifier: LGPL-2.1
/*
 * Holds information about the running kernel while its events are followed. Event types, names of
 * values, symbols and names of processes are read at the start. Later names of processes are learnt
 * from events. Event types are read again if a program has registered a new one.
 */
#include <stdlib.h>

#include "follow_context.h"
#include "lib/base/error.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/kallsyms.h"
#include "lib/text/names.h"
#include "lib/text/symbols.h"
#include "lib/text/values.h"
#include "lib/trace/write.h"
#include "snapshot.h"
#include "system_values.h"

struct follow_context {
	struct lkst_context context;
	struct lkst_etypes *types;
	struct lkst_kallsyms *kallsyms;
	bool asked[LKST_ETYPE_NUM]; /* user events for which the event types were read again */
};

static int follow_context_load_names(struct follow_context *c, struct lkst_error *err)
{
	struct lkst_process *process;
	size_t num;
	int ret = 0;

	c->context.names = lkst_names_new();
	if (!c->context.names) {
		lkst_error_memory(err, "process names");
		return -1;
	}
	lkst_names_now(c->context.names);
	process = snapshot_processes(&num, err);
	if (!process)
		return -1;
	for (size_t i = 0; !ret && i < num; i++)
		ret = lkst_names_at_end(c->context.names, process[i].tid, process[i].name) ||
		      lkst_names_belongs(c->context.names, process[i].tid, process[i].tgid);
	free(process);
	if (ret)
		lkst_error_memory(err, "process names");
	return ret;
}

static int follow_context_load_values(struct follow_context *c, struct lkst_error *err)
{
	size_t len;
	char *text = lkst_values_system(NULL, &len, err);

	if (text)
		c->context.values = lkst_values_parse(text, len, LKST_VALUES_PATH, err);
	free(text);
	return c->context.values ? 0 : -1;
}

static int follow_context_load_symbols(struct follow_context *c, struct lkst_error *err)
{
	c->kallsyms = lkst_kallsyms_load(LKST_SYMBOLS_PATH, err);
	if (c->kallsyms)
		c->context.symbols = lkst_symbols_of_kernel(c->kallsyms, err);
	return c->context.symbols ? 0 : -1;
}

struct follow_context *follow_context_new(struct lkst_error *err)
{
	struct follow_context *c = calloc(1, sizeof(*c));

	if (!c) {
		lkst_error_memory(err, "following");
		return NULL;
	}
	c->types = lkst_etypes_system(err);
	if (c->types && !follow_context_load_values(c, err) &&
	    !follow_context_load_symbols(c, err) && !follow_context_load_names(c, err))
		return c;
	follow_context_free(c);
	return NULL;
}

/*
 * If a record belongs to a user event that was registered after the event types were read, read the
 * event types again. This is tried once for each type. Returns whether there may be new types.
 */
bool follow_context_learn(struct follow_context *c, uint32_t type)
{
	struct lkst_etypes *types;

	if (!lkst_etype_is_program(type) || lkst_etype(c->types, type) || c->asked[type])
		return false;
	c->asked[type] = true;
	types = lkst_etypes_system(NULL);
	if (!types)
		return false;
	lkst_etypes_adopt(c->types, types);
	lkst_etypes_free(types);
	return true;
}

/* Learn names from an event before it is returned. */
int follow_context_observe(struct follow_context *c, const struct lkst_event *event,
			   struct lkst_error *err)
{
	if (!lkst_names_observe(c->context.names, event))
		return 0;
	lkst_error_memory(err, "process names");
	return -1;
}

const struct lkst_context *follow_context_get(const struct follow_context *c)
{
	return &c->context;
}

const struct lkst_etypes *follow_context_etypes(const struct follow_context *c)
{
	return c->types;
}

void follow_context_free(struct follow_context *c)
{
	if (!c)
		return;
	lkst_symbols_free(c->context.symbols);
	lkst_kallsyms_free(c->kallsyms);
	lkst_values_free(c->context.values);
	lkst_names_free(c->context.names);
	lkst_etypes_free(c->types);
	free(c);
}
