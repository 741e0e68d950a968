// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "conf.h"
#include "lib/base/error.h"
#include "lib/live/log.h"
#include "logd_options.h"
#include "messages.h"
#include "options.h"

#define MB	 (1024 * 1024)
#define LOG_NAME "/var/log/lkst/sebuf"

/* The rows before the first flag are also keys of the configuration: see conf_init(). */
static const struct option_row rows[] = {
	OPT_SWITCH('a', "start", struct logd_options, start,
		   "write from the start, not only after SIGUSR1"),
	OPT_SIZE('b', "buffer-size", "SIZE", struct logd_options, buffer_size, 4096, 1024ll * MB,
		 "buffer size", "of each buffer in the kernel (2M)"),
	OPT_NUMBER('n', "number", "NUMBER", struct logd_options, number, 2, LKST_BUFFER_ID_MAX,
		   "number of buffers", "of buffers for each CPU (2)"),
	OPT_TEXT('f', "file", "NAME", struct logd_options, name,
		 "files are NAME<cpu>.<serial> (" LOG_NAME ")"),
	OPT_SIZE('l', "limit", "SIZE", struct logd_options, limit, LKST_LOG_LIMIT_MIN, 1ll << 46,
		 "limit on a file", "of a file; then new events overwrite the oldest"),
	OPT_SIZE('L', "total-limit", "SIZE", struct logd_options, total, LKST_LOG_LIMIT_MIN,
		 1ll << 60, "limit on all files",
		 "of all files; deletes the oldest (a tenth of the disk)"),
	OPT_SWITCH('z', "compress", struct logd_options, compress,
		   "write compressed, with zstd (yes)"),
	OPT_SWITCH(0, "previous", struct logd_options, previous,
		   "save the events of previous boots (yes)"),
	OPT_SWITCH(0, "report", struct logd_options, report,
		   "write a report of each previous boot (yes)"),
	OPT_SWITCH(0, "snapshots", struct logd_options, snapshots,
		   "save each snapshot to a file of its own (no)"),
	OPT_SWITCH(0, "open-files", struct logd_options, open_files,
		   "write command lines and names of open files (yes)"),
	OPT_TEXT(0, "maskset", "MASKSET", struct logd_options, maskset,
		 "select this maskset (the selected one)"),
	OPT_FLAG('F', "foreground", struct logd_options, foreground,
		 "do not become a daemon, as systemd requires"),
	OPT_TEXT('c', "config", "FILE", struct logd_options, config,
		 "read only this configuration (/etc/lkst.conf and .d)"),
	OPT_FLAG('v', "version", struct logd_options, version, "print version information"),
};

const struct syntax logd_syntax = {
	.usage = "[OPTION...]",
	.about = "Write what LKST records to files, a file for each CPU.\n",
	SYNTAX_ROWS(rows),
	.more = "SIZE: bytes; K, M and G may follow. kill -SIGNAL `cat /var/run/lkstlogd.pid`:\n"
		"SIGUSR1 starts and stops writing, SIGUSR2 starts new files, SIGHUP restarts.\n",
};

/**
 * logd_options_init() - set the defaults
 * @opt: result
 */
void logd_options_init(struct logd_options *opt)
{
	*opt = (struct logd_options){
		.buffer_size = 2 * MB,
		.number = 2,
		.name = LOG_NAME,
		.compress = true,
		.previous = true,
		.report = true,
		.open_files = true,
	};
}

/*
 * The name of the log files must be an absolute path, because the daemon has no useful working
 * directory. If the name is a relative path, add an error to @conf and use the default name.
 */
static int logd_options_check_name(struct logd_options *opt, struct conf *conf,
				   struct lkst_error *err)
{
	struct lkst_error why;
	size_t i = 0;

	while (conf->row[i].offset != offsetof(struct logd_options, name))
		i++;
	if (*opt->name == '/')
		return 0;
	lkst_error_set(&why, LKST_ERR_FORMAT, MSG_LOGD_RELATIVE, opt->name);
	if (conf_add_error(conf, &conf->key[i], &why, err))
		return -1;
	opt->name = LOG_NAME;
	conf->key[i] = (struct conf_location){ 0 };
	return 0;
}

/**
 * logd_options_read() - read the configuration
 * @opt: result
 * @conf: result, to be freed with conf_free(), even on error; @opt points into it
 * @file: read only this file; NULL: read the system's files
 * @err: set if an allocation fails; errors in the files are added to @conf instead
 */
int logd_options_read(struct logd_options *opt, struct conf *conf, const char *file,
		      struct lkst_error *err)
{
	logd_options_init(opt);
	conf_init(conf, &logd_syntax, opt);
	return conf_read(conf, file, err) || logd_options_check_name(opt, conf, err) ? -1 : 0;
}

/**
 * logd_settings_read() - combine the configuration and the command line
 * @settings: the caller has set @argc, @argv and @opt.config, and has checked that the command line
 *	is valid; all other members are replaced
 * @err: set if an allocation fails; @settings is then unchanged
 */
int logd_settings_read(struct logd_settings *settings, struct lkst_error *err)
{
	struct logd_settings new = { .argc = settings->argc, .argv = settings->argv };

	if (logd_options_read(&new.opt, &new.conf, settings->opt.config, err)) {
		conf_free(&new.conf);
		return -1;
	}
	options_read(&logd_syntax, new.argc, new.argv, &new.opt, NULL);
	new.opt.config = settings->opt.config;
	new.conf.to = &settings->opt;
	conf_free(&settings->conf);
	*settings = new;
	return 0;
}

/**
 * logd_settings_free() - free what logd_settings_read() has read
 * @settings: settings
 */
void logd_settings_free(struct logd_settings *settings)
{
	conf_free(&settings->conf);
}
