// SPDX-License-Identifier: LGPL-2.1
/* Writes and reads rules. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "lib/base/error.h"
#include "messages.h"
#include "rules.h"

/* Return the position of a byte in characters, from 1. */
static unsigned int rule_position(const char *text, unsigned int at)
{
	unsigned int position = 1;

	for (unsigned int i = 0; i < at && text[i]; i++)
		position += ((unsigned char)text[i] & 0xc0) != 0x80;
	return position;
}

/* Set @err for the errno @ret of a call that writes a rule. */
static void rule_write_failed(int ret, const struct lkst_rule *rule,
			      const struct lkst_rule_param *param, const char *wrong,
			      struct lkst_error *err)
{
	switch (ret) {
	case EINVAL:
		if (*wrong && param->error_at == LKST_RULE_NO_POSITION)
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_RULE_WRONG, rule->name, wrong);
		else if (*wrong)
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_RULE_AT, rule->name,
				       rule_position(rule->text, param->error_at), wrong);
		else
			lkst_error_set(err, LKST_ERR_SYSTEM, MSG_RULE_REFUSED, rule->name);
		break;
	case ENODEV:
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_RULE_NO_EVENT, rule->name);
		break;
	case ENOENT:
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_RULE_NONE, rule->name, rule->maskset,
			       rule->maskset);
		break;
	case ENXIO:
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET, (long)rule->maskset);
		break;
	case ENOSPC:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_RULE_MANY, rule->name);
		break;
	case ENOMEM:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_RULE_MEMORY, rule->name);
		break;
	default:
		break;
	}
}

/**
 * lkst_rule_write() - write or delete a rule
 * @dev: device
 * @rule: the rule
 * @err: set on failure; if the condition is wrong, @err contains the position of the mistake
 */
int lkst_rule_write(struct lkst_device *dev, const struct lkst_rule *rule, struct lkst_error *err)
{
	size_t len = rule->text ? strlen(rule->text) : 0;
	size_t names_len = rule->names ? strlen(rule->names) : 0;
	char wrong[LKST_RULE_ERROR_LEN] = "";
	struct lkst_rule_param param = {
		.id = rule->maskset,
		.event_type = (int32_t)rule->etype,
		.text = address(rule->text),
		.names = address(rule->names),
		.error = address(wrong),
		.text_size = (uint32_t)len,
		.names_size = (uint32_t)names_len,
		.error_size = sizeof(wrong),
	};
	int ret;

	if (len > LKST_RULE_TEXT_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_RULE_LONG, len, LKST_RULE_TEXT_MAX);
		return -1;
	}
	if (names_len > LKST_RULE_NAMES_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_RULE_NAMES, rule->name);
		return -1;
	}
	ret = CALL(dev, LKST_IOC_RULE_WRITE, &param, err);
	if (ret > 0)
		rule_write_failed(ret, rule, &param, wrong, err);
	return ret ? -1 : 0;
}

/**
 * lkst_rule_next() - read the rule of an event type or, if it has none, of the next event type that
 * has a rule
 * @dev: device
 * @maskset: id of the maskset
 * @etype: number of the event type; receives the number of the event type whose rule was read
 * @text: receives the condition, to be freed; NULL: there is no further rule
 * @err: set on failure
 */
int lkst_rule_next(struct lkst_device *dev, lkst_maskset_id maskset, unsigned int *etype,
		   char **text, struct lkst_error *err)
{
	struct lkst_rule_param param = {
		.id = maskset,
		.event_type = (int32_t)*etype,
		.text_size = LKST_RULE_TEXT_MAX,
	};
	int ret;

	*text = calloc(1, LKST_RULE_TEXT_MAX + 1);
	if (!*text) {
		lkst_error_memory(err, "a rule");
		return -1;
	}
	param.text = address(*text);
	ret = CALL(dev, LKST_IOC_RULE_READ, &param, err);
	if (!ret) {
		*etype = (unsigned int)param.event_type;
		return 0;
	}
	free(*text);
	*text = NULL;
	return ret == ENOENT ? 0 : -1;
}
