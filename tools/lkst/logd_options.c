// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "lib/messages.h"
#include "logd_options.h"

#define MB	 (1024 * 1024)
#define LOG_NAME "/var/log/lkst/sebuf"

/* Rows up to the first flag are keys of the configuration, too: see conf_init(). */
static const struct option_row rows[] = {
	OPT_SWITCH('a', "start", struct logd_options, start,
		   "write from the start on, not only after SIGUSR1"),
	OPT_SIZE('b', "buffer-size", "SIZE", struct logd_options, buffer_size, 4096, 1024ll * MB,
		 "buffer size", "of each buffer in the kernel (2M)"),
	OPT_NUMBER('n', "number", "NUMBER", struct logd_options, number, 2, LKST_BUFFER_ID_MAX,
		   "number of buffers", "of buffers for each CPU (2)"),
	OPT_TEXT('f', "file", "NAME", struct logd_options, name,
		 "files are NAME<cpu>.<serial> (" LOG_NAME ")"),
	OPT_SIZE('l', "limit", "SIZE", struct logd_options, limit, LKST_LOG_LIMIT_MIN, 1ll << 46,
		 "limit on a file", "of a file, then the newest replace the oldest"),
	OPT_SIZE('L', "total-limit", "SIZE", struct logd_options, total, LKST_LOG_LIMIT_MIN,
		 1ll << 60, "limit on all files",
		 "of all files, the oldest go (a tenth of the disk)"),
	OPT_SWITCH('z', "compress", struct logd_options, compress,
		   "write compressed, with zstd (yes)"),
	OPT_SWITCH(0, "previous", struct logd_options, previous,
		   "save what previous boots have left in memory (yes)"),
	OPT_TEXT(0, "maskset", "MASKSET", struct logd_options, maskset,
		 "select this maskset (the one that is selected)"),
	OPT_FLAG('F', "foreground", struct logd_options, foreground,
		 "do not become a daemon, as systemd wants it"),
	OPT_TEXT('c', "config", "FILE", struct logd_options, config,
		 "read only this configuration (/etc/lkst.conf and .d)"),
	OPT_FLAG('v', "version", struct logd_options, version, "print version information"),
};

const struct syntax logd_syntax = {
	.usage = "[OPTION...]",
	.about = "Keep what LKST records in files, a file for each CPU.\n",
	SYNTAX_ROWS(rows),
	.more = "SIZE: bytes; K, M and G may follow. kill -SIGNAL `cat /var/run/lkstlogd.pid`:\n"
		"SIGUSR1 begins and ends writing, SIGUSR2 begins new files, SIGHUP all anew.\n",
};

/**
 * logd_options_init() - what holds when nothing is said
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
	};
}

/* The daemon has no working directory that a file could mean. */
static int check_name(struct logd_options *opt, struct conf *conf, struct lkst_error *err)
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
	conf->key[i] = (struct conf_place){ 0 };
	return 0;
}

/**
 * logd_options_read() - what the configuration says
 * @opt: result
 * @conf: result, to be freed with conf_free() in any case; @opt points into it
 * @file: only this one; NULL: those of the system
 * @err: no memory; what is wrong with the files is in @conf
 */
int logd_options_read(struct logd_options *opt, struct conf *conf, const char *file,
		      struct lkst_error *err)
{
	logd_options_init(opt);
	conf_init(conf, &logd_syntax, opt);
	return conf_read(conf, file, err) || check_name(opt, conf, err) ? -1 : 0;
}

/**
 * logd_settings_read() - what the configuration and the command line say
 * @settings: with a command line that was found right; the rest is replaced
 * @err: no memory: then everything is as before
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
