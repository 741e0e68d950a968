/* SPDX-License-Identifier: GPL-2.0 */
/* What lkstlogd can be told: on its command line, and in the configuration, which has the same names. */
#ifndef _LOGD_OPTIONS_H
#define _LOGD_OPTIONS_H

#include "conf.h"

/**
 * struct logd_options - what lkstlogd is told
 * @start: write from the beginning
 * @buffer_size: of each buffer of the ring
 * @limit: of a file; 0: by the file system
 * @total: of all files; 0: by the file system, or if @limit is given, LOGD_TOTAL_FILES of them for
 *	each CPU
 * @number: of buffers in the ring
 * @name: of files, without CPU and serial
 * @compress: with zstd
 * @previous: save what previous boots have left
 * @maskset: to be selected; NULL: the one that is
 * @foreground: do not become a daemon
 * @config: file that is read instead of the system's; NULL: those
 * @version: only print the version
 */
struct logd_options {
	bool start;
	uint64_t buffer_size;
	uint64_t limit;
	uint64_t total;
	int64_t number;
	const char *name;
	bool compress;
	bool previous;
	const char *maskset;
	bool foreground;
	const char *config;
	bool version;
};

/**
 * struct logd_settings - what holds
 * @argc: of the command line
 * @argv: the command line, which overrides the configuration
 * @opt: both together
 * @conf: configuration, which @opt points into
 */
struct logd_settings {
	int argc;
	char **argv;
	struct logd_options opt;
	struct conf conf;
};

extern const struct syntax logd_syntax;

void logd_options_init(struct logd_options *opt);
int logd_options_read(struct logd_options *opt, struct conf *conf, const char *file,
		      struct lkst_error *err);
int logd_settings_read(struct logd_settings *settings, struct lkst_error *err);
void logd_settings_free(struct logd_settings *settings);

#endif
