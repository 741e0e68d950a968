// SPDX-License-Identifier: GPL-2.0
/* Fuzzes the parser of conditions (--where), and evaluates each valid one on events of all types. */
#include <string.h>

#include "fuzz.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/names.h"
#include "lib/text/values.h"
#include "lib/text/where.h"
#include "lib/text/where_program.h"

static const char names_text[] = LKST_VALUES_HEADER "\n"
	"gfp flags 0xcc0 GFP_KERNEL\ngfp flags 0x100 __GFP_ZERO\nsoftirq enum 3 NET_RX\n"
	"blkop enum 1 WRITE\ndev enum 0xfe00000 vda\nirq enum 9 virtio0-input.0\n";

static struct lkst_context context;
static struct lkst_etypes *types;

static void setup(void)
{
	struct lkst_error err = { 0 };

	types = lkst_etypes_embedded(&err);
	context.names = lkst_names_new();
	context.values = lkst_values_parse(names_text, strlen(names_text), "names", &err);
	MUST(types && context.names && context.values);
	lkst_names_at_end(context.names, 100, "bash");
	lkst_names_finalize(context.names);
}

/*
 * Each comparison must end the evaluation or continue with a later comparison, so that every
 * evaluation ends.
 */
static void check_program(const struct where_program *program)
{
	MUST(program->tests && program->tests <= WHERE_TESTS_MAX);
	for (unsigned int i = 0; i < program->tests; i++) {
		const uint8_t next[] = { program->test[i].yes, program->test[i].no };

		for (int k = 0; k < 2; k++)
			MUST(next[k] == WHERE_TRUE || next[k] == WHERE_FALSE ||
			     (next[k] > i && next[k] < program->tests));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint64_t values[] = { 0, 1, 9, 100ull << 32 | 100, UINT64_MAX, 0x61626364 };
	const struct lkst_context *contexts[] = { &context };
	char *text = strndup((const char *)data, size);
	struct lkst_where_scope scope = { .context = contexts, .contexts = 1 };
	struct lkst_error err = { 0 };
	struct lkst_where *where;

	if (!types)
		setup();
	MUST(text);
	scope.types = types;
	where = lkst_where_new(text, &scope, &err);
	if (!where) {
		MUST_EXPLAIN(err);
		MUST(!strncmp(err.text, "--where, character ", 19));
	} else {
		check_program(&where->program);
	}
	for (uint32_t type = 0; where && type <= LKST_ETYPE_NUM; type++) {
		struct lkst_event event = { .type = type, .tid = type % 2 * 100, .cpu = 1 };

		for (int i = 0; i < 4; i++)
			event.arg[i] = values[(type + (unsigned int)i) % 6];
		event.machine = type % 4;
		/* Event types without a description are all alike, so try only one of them. */
		if (type >= LKST_ETYPE_NUM - 1 || types->type[type])
			lkst_where_holds(where, &context, &event);
	}
	lkst_where_free(where);
	free(text);
	return 0;
}
