// SPDX-License-Identifier: LGPL-2.1
/* Rules as users type them: names of values are replaced before the kernel gets the text. */
#include <stdlib.h>

#include "lib/device/rules.h"
#include "lib/live/rule_text.h"
#include "lib/live/system_values.h"
#include "lib/text/etypes.h"
#include "lib/text/rule_names.h"
#include "lib/text/values.h"

/**
 * lkst_rule_system_load() - load what the texts of rules can refer to on the running kernel
 * @system: receives the data; lkst_rule_system_free() frees it, also after a failure
 * @err: set on failure
 *
 * Return: 0; -1 on failure.
 */
int lkst_rule_system_load(struct lkst_rule_system *system, struct lkst_error *err)
{
	size_t len;
	char *text;

	*system = (struct lkst_rule_system){ .machine = lkst_system_machine() };
	system->types = lkst_etypes_system(err);
	text = system->types ? lkst_values_system(NULL, &len, err) : NULL;
	if (text)
		system->values = lkst_values_parse(text, len, "/proc/lkst_values", err);
	free(text);
	return system->values ? 0 : -1;
}

/**
 * lkst_rule_system_free() - free the data of lkst_rule_system_load()
 * @system: the data
 */
void lkst_rule_system_free(struct lkst_rule_system *system)
{
	lkst_values_free(system->values);
	lkst_etypes_free(system->types);
}

/**
 * lkst_rule_write_text() - write or delete the rule of an event type
 * @dev: device
 * @system: data of the running kernel
 * @maskset: id of the maskset
 * @etype: number of the event type
 * @text: condition and actions; NULL: delete the rule
 * @err: set on failure; if @text is wrong, @err contains the position of the mistake
 *
 * Return: 0; -1 on failure, and the previous rule remains.
 */
int lkst_rule_write_text(struct lkst_device *dev, const struct lkst_rule_system *system,
			 lkst_maskset_id maskset, unsigned int etype, const char *text,
			 struct lkst_error *err)
{
	const struct lkst_etype *type = lkst_etype(system->types, etype);
	char *names = NULL;
	struct lkst_rule rule = {
		.maskset = maskset,
		.etype = etype,
		.name = type->name,
		.text = text,
	};
	int ret;

	if (text) {
		names = lkst_rule_names(type, system->values, system->machine, text, err);
		if (!names)
			return -1;
	}
	rule.names = names;
	ret = lkst_rule_write(dev, &rule, err);
	free(names);
	return ret;
}
