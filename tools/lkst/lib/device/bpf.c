// SPDX-License-Identifier: LGPL-2.1
/* Event handlers that are BPF programs. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bpf.h"
#include "call.h"
#include "lib/base/error.h"
#include "messages.h"

/* What precedes the actions of a rule. */
#define BPF_DO	   "do "
#define BPF_DO_LEN (sizeof(BPF_DO) - 1)

/*
 * Set @err for the errno @ret of a call that registers a BPF program. @wrong says what is wrong with
 * the actions of the program; "": nothing.
 */
static void bpf_write_failed(int ret, const char *name, const char *wrong, unsigned int at,
			     struct lkst_error *err)
{
	switch (ret) {
	case ENOTTY:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BPF_OLD);
		break;
	case EOPNOTSUPP:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BPF_NONE);
		break;
	case EPROTOTYPE:
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_TYPE);
		break;
	case EEXIST:
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_NAME_TAKEN, name);
		break;
	case EINVAL:
		if (*wrong)
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_ACTIONS,
				       at < BPF_DO_LEN ? 1 : (unsigned int)(at - BPF_DO_LEN + 1),
				       wrong);
		else
			lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_NAME, name,
				       LKST_EVHANDLER_NAME_LEN - 1);
		break;
	case ENOSPC:
		lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BPF_MANY);
		break;
	default:
		break;
	}
}

/**
 * lkst_bpf_write() - make a BPF program an event handler
 * @dev: device
 * @bpf: the program
 * @id: receives the id of the event handler
 * @err: set on failure
 */
int lkst_bpf_write(struct lkst_device *dev, const struct lkst_bpf *bpf, lkst_evhandler_id *id,
		   struct lkst_error *err)
{
	size_t len = strlen(bpf->name), size = bpf->actions ? strlen(bpf->actions) : 0;
	char wrong[LKST_RULE_ERROR_LEN] = "", actions[LKST_RULE_TEXT_MAX + 1];
	struct lkst_evhandler_bpf_param param = {
		.fd = bpf->fd,
		.actions = address(actions),
		.error = address(wrong),
		.error_size = sizeof(wrong),
	};
	int ret;

	if (size + BPF_DO_LEN > LKST_RULE_TEXT_MAX) {
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_RULE_LONG, size, LKST_RULE_TEXT_MAX);
		return -1;
	}
	if (len >= sizeof(param.name)) {
		bpf_write_failed(EINVAL, bpf->name, "", 0, err);
		return -1;
	}
	if (bpf->actions)
		param.actions_size = (uint32_t)snprintf(actions, sizeof(actions), BPF_DO "%s",
							bpf->actions);
	memcpy(param.name, bpf->name, len);
	ret = CALL(dev, LKST_IOC_EVHANDLER_BPF, &param, err);
	if (ret) {
		bpf_write_failed(ret, bpf->name, wrong, param.error_at, err);
		return -1;
	}
	*id = param.id;
	return 0;
}

/**
 * lkst_bpf_read() - describe an event handler that is a BPF program
 * @dev: device
 * @id: id of the event handler
 * @info: receives the description
 * @actions: receives its actions, to be freed
 * @err: set on failure
 *
 * Return: 1; 0 if the event handler is not a BPF program; -1 on failure.
 */
int lkst_bpf_read(struct lkst_device *dev, lkst_evhandler_id id,
		  struct lkst_evhandler_bpf_info *info, char **actions, struct lkst_error *err)
{
	int ret;

	if (id < LKST_EVHANDLER_ID_USER_MIN)
		return 0;
	*actions = calloc(1, LKST_RULE_TEXT_MAX + 1);
	if (!*actions) {
		lkst_error_memory(err, "the actions");
		return -1;
	}
	*info = (struct lkst_evhandler_bpf_info){
		.id = id,
		.actions = address(*actions),
		.actions_size = LKST_RULE_TEXT_MAX,
	};
	ret = CALL(dev, LKST_IOC_EVHANDLER_BPF_READ, info, err);
	if (!ret)
		return 1;
	free(*actions);
	/* An older kernel has no BPF programs as event handlers. */
	return ret == ENOENT || ret == ENOTTY ? 0 : -1;
}

/**
 * lkst_bpf_delete() - unregister an event handler that is a BPF program
 * @dev: device
 * @id: id of the event handler
 * @name: its name, for messages
 * @err: set on failure
 */
int lkst_bpf_delete(struct lkst_device *dev, lkst_evhandler_id id, const char *name,
		    struct lkst_error *err)
{
	int ret = CALL(dev, LKST_IOC_EVHANDLER_BPF_DELETE, (void *)(intptr_t)id, err);

	if (ret == ENOENT || ret == ENOTTY)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_NOT, name);
	return ret ? -1 : 0;
}
