// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's configuration. An invalid line or section is reported and ignored. It never stops
 * the kernel from recording or the daemon from writing.
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "cli/conf.h"
#include "cli/logd_options.h"
#include "cli/messages.h"
#include "conf.h"
#include "files.h"
#include "lib/base/error.h"
#include "lib/device/messages.h"
#include "logd.h"
#include "messages.h"
#include "report.h"
#include "state.h"

/**
 * logd_conf_report() - report each error in the configuration that was not yet reported
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

/*
 * The daemon's maskset is a copy of a user's maskset. If the configuration defines the user's
 * maskset, the copy is stale, because the user's maskset has just been rewritten. In that case,
 * return the id of the user's maskset, so that it is selected and copied again. Otherwise, return
 * LKST_MASKSET_ID_VOID.
 */
static lkst_maskset_id conf_defined_before(const struct logd *logd,
					   const struct lkst_maskset_list *list)
{
	const struct logd_state *state = logd->state;

	for (size_t i = 0; i < list->num && state->maskset != LKST_MASKSET_ID_VOID; i++)
		if (list->ent[i].id == state->before &&
		    conf_find_maskset(&logd->settings->conf, list->ent[i].name))
			return list->ent[i].id;
	return LKST_MASKSET_ID_VOID;
}

static lkst_maskset_id logd_conf_maskset(const struct logd *logd,
					 const struct lkst_maskset_list *list,
					 struct lkst_error *err)
{
	const char *name = logd->opt->maskset;

	if (!name)
		return conf_defined_before(logd, list);
	for (size_t i = 0; i < list->num; i++)
		if (!strcmp(list->ent[i].name, name))
			return list->ent[i].id;
	lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_NO_MASKSET_NAME, name, MSG_ALL_MASKSETS);
	return LKST_MASKSET_ID_VOID;
}

static int conf_select_maskset(struct logd *logd, struct lkst_error *err)
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
	id = logd_conf_maskset(logd, &list, &why);
	lkst_maskset_list_free(&list);
	if (id != LKST_MASKSET_ID_VOID && running)
		return lkst_maskset_set(logd->dev, id, err);
	if (id != LKST_MASKSET_ID_VOID && logd->opt->maskset)
		lkst_error_set(&why, LKST_ERR_SYSTEM, MSG_CONF_STOPPED, logd->opt->maskset);
	return why.code ? conf_add_error(&logd->settings->conf, NULL, &why, err) : 0;
}

/**
 * logd_conf_masksets() - write the masksets that the configuration defines, and select the maskset
 * that its key "maskset" names
 * @logd: daemon
 */
void logd_conf_masksets(struct logd *logd)
{
	struct lkst_error err;

	if (conf_masksets_write(&logd->settings->conf, logd->dev, &err) ||
	    conf_select_maskset(logd, &err))
		logd_report_error(LOG_ERR, "the masksets of the configuration", &err);
	logd_conf_report(logd);
}

/* Use the new name of the log files, possibly in another directory. No log file may be open. */
static void conf_change_name(struct logd *logd)
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
 * @logd: daemon, with no file open; the caller applies new buffer sizes and limits
 */
void logd_conf_reload(struct logd *logd)
{
	char before[PATH_MAX];
	struct lkst_error err;

	/* A relative name can only be from the command line, so it does not change. */
	snprintf(before, sizeof(before), "%s", logd->opt->name);
	if (logd_settings_read(logd->settings, &err)) {
		logd_report_error(LOG_ERR, NULL, &err);
		return;
	}
	logd->reported = 0;
	if (strcmp(before, logd->opt->name) != 0)
		conf_change_name(logd);
	logd_conf_masksets(logd);
}
