// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration in the daemon. What is wrong in it is reported and left out: whatever is in the
 * files, the kernel records, and the daemon writes.
 */
#include <string.h>

#include "lib/messages.h"
#include "logd.h"

/**
 * logd_conf_report() - say what is wrong with the configuration, each error once
 * @logd: daemon
 */
void logd_conf_report(struct logd *logd)
{
	const struct conf *conf = &logd->settings->conf;

	for (; logd->reported < conf->errors; logd->reported++) {
		char text[sizeof(((struct lkst_error *)0)->text)];

		logd_report_cut(text, sizeof(text), conf->error[logd->reported]);
		logd_report(LOG_WARNING, "%s (left out)", text);
	}
}

/* The one that the daemon's stands for, if it is defined: what was made of it is out of date. */
static lkst_maskset_id defined_before(const struct logd *logd, const struct lkst_maskset_list *list)
{
	const struct logd_state *state = logd->state;

	for (size_t i = 0; i < list->num && state->maskset != LKST_MASKSET_ID_VOID; i++)
		if (list->ent[i].id == state->before &&
		    conf_find_maskset(&logd->settings->conf, list->ent[i].name))
			return list->ent[i].id;
	return LKST_MASKSET_ID_VOID;
}

static lkst_maskset_id wanted(const struct logd *logd, const struct lkst_maskset_list *list,
			      struct lkst_error *err)
{
	const char *name = logd->opt->maskset;

	if (!name)
		return defined_before(logd, list);
	for (size_t i = 0; i < list->num; i++)
		if (!strcmp(list->ent[i].name, name))
			return list->ent[i].id;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, name, MSG_ALL_MASKSETS);
	return LKST_MASKSET_ID_VOID;
}

static int select_wanted(struct logd *logd, struct lkst_error *err)
{
	struct lkst_error why = { 0 };
	struct lkst_maskset_list list;
	struct lkst_status status;
	lkst_maskset_id id;
	bool running;

	if (lkst_status_get(logd->dev, &status, err))
		return -1;
	running = status.trc.state == LKST_TRC_RUNNING;
	lkst_status_free(&status);
	if (lkst_maskset_list_get(logd->dev, &list, err))
		return -1;
	id = wanted(logd, &list, &why);
	lkst_maskset_list_free(&list);
	if (id != LKST_MASKSET_ID_VOID && running)
		return lkst_maskset_set(logd->dev, id, err);
	if (id != LKST_MASKSET_ID_VOID && logd->opt->maskset)
		lkst_error_set(&why, LKST_ERR_SYSTEM, MSG_CONF_STOPPED, logd->opt->maskset);
	return why.code ? conf_add_error(&logd->settings->conf, NULL, &why, err) : 0;
}

/**
 * logd_conf_masksets() - write the masksets that the configuration defines, and select the one it wants
 * @logd: daemon
 */
void logd_conf_masksets(struct logd *logd)
{
	struct lkst_error err;

	if (conf_masksets_write(&logd->settings->conf, logd->dev, &err) ||
	    select_wanted(logd, &err))
		logd_report_error(LOG_ERR, "the masksets of the configuration", &err);
	logd_conf_report(logd);
}

/* Files may be elsewhere from now on. None is open. */
static void change_name(struct logd *logd)
{
	struct logd_files files;
	struct lkst_error err;

	if (logd_files_init(&files, logd->opt->name, &err))
		logd_report_error(LOG_ERR, NULL, &err);
	else
		logd->files = files;
}

/**
 * logd_conf_reload() - read the configuration again
 * @logd: daemon, with no file open. Buffers and limits are not yet changed to what it says
 */
void logd_conf_reload(struct logd *logd)
{
	char before[PATH_MAX];
	struct lkst_error err;

	/* One that is relative is the command line's, and stays. */
	snprintf(before, sizeof(before), "%s", logd->opt->name);
	if (logd_settings_read(logd->settings, &err)) {
		logd_report_error(LOG_ERR, NULL, &err);
		return;
	}
	logd->reported = 0;
	if (strcmp(before, logd->opt->name) != 0)
		change_name(logd);
	logd_conf_masksets(logd);
}
