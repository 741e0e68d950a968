// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the parser of lkstlogd's configuration. Whatever the text is, the parser does not fail,
 * but lists the errors in the text. Each error begins with the name of the file.
 */
#include <string.h>

#include "cli/conf.h"
#include "cli/logd_options.h"
#include "cli/options.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct logd_options opt;
	struct conf conf;
	char text[2048];

	if (memchr(data, 0, size))
		return -1;
	logd_options_init(&opt);
	conf_init(&conf, &logd_syntax, &opt);
	MUST(!conf_parse(&conf, "f", (const char *)data, size, NULL));
	for (size_t i = 0; i < conf.errors; i++)
		MUST(!strncmp(conf.error[i], "f:", 2) && !strchr(conf.error[i], '\n'));
	for (size_t i = 0; i < conf.masksets; i++)
		MUST(conf_find_maskset(&conf, conf.maskset[i].name) == &conf.maskset[i]);
	/* The value of each key that the file sets can be printed. */
	for (size_t i = 0; i < conf.rows; i++)
		MUST(!conf.key[i].file || option_text(&conf.row[i], &opt, text, sizeof(text)) > 0);
	conf_free(&conf);
	return 0;
}
