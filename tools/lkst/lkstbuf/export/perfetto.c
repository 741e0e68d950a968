// SPDX-License-Identifier: GPL-2.0
/* The format of Perfetto (ui.perfetto.dev). */
#include <stdlib.h>

#include "export.h"
#include "formats.h"
#include "lib/base/error.h"

static void *perfetto_open(struct export *export, struct lkst_error *err)
{
	(void)export;
	lkst_error_set(err, LKST_ERR_ARGUMENT, "not ready");
	return NULL;
}

const struct export_format export_perfetto = {
	.name = "perfetto",
	.suffix = ".pftrace",
	.open = perfetto_open,
};
