// SPDX-License-Identifier: GPL-2.0
/* The last minute of a dead machine, at the head of the report. */
#include <stdlib.h>

#include "lib/base/error.h"
#include "report.h"

static void *death_start(const struct run *run, struct lkst_error *err)
{
	void *death = calloc(1, 1);

	(void)run;
	if (!death)
		lkst_error_memory(err, "the report");
	return death;
}

static int death_text(void *ctx, unsigned int width, FILE *to, struct lkst_error *err)
{
	(void)ctx;
	(void)width;
	(void)to;
	(void)err;
	return 0;
}

static struct json_object *death_json(void *ctx)
{
	(void)ctx;
	return NULL;
}

const struct report_head report_death = {
	.start = death_start,
	.text = death_text,
	.json = death_json,
	.free = free,
};
