/* SPDX-License-Identifier: GPL-2.0 */
/* Options of lkstlogd. The command line and the configuration use the same names. */
#ifndef _LOGD_OPTIONS_H
#define _LOGD_OPTIONS_H

#include "conf.h"
#include "lib/lkst.h"
#include "options.h"

/**
 * struct logd_options - options of lkstlogd
 * @start: start writing immediately, without waiting for SIGUSR1
 * @buffer_size: size of each buffer of the ring, in bytes
 * @limit: limit on the size of a file, in bytes; 0: derived from @total or, if @total is 0, from
 *	the size of the file system
 * @total: limit on all files together, in bytes; 0: derived from the size of the file system. If
 *	@limit is given, or the size of the file system is unknown, 0 means LOGD_TOTAL_FILES full
 *	files for each CPU
 * @number: number of buffers in the ring
 * @name: beginning of the file names, before CPU and serial number
 * @compress: compress with zstd
 * @previous: save the records of previous boots
 * @report: write a report of each previous boot that is saved
 * @snapshots: save each snapshot that a rule takes to a file of its own
 * @open_files: write the command lines and open files of the processes to the log files
 * @maskset: name of the maskset to select; NULL: keep the selected one
 * @foreground: do not become a daemon
 * @config: the only configuration file to read; NULL: read the system's configuration files
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
	bool report;
	bool snapshots;
	bool open_files;
	const char *maskset;
	bool foreground;
	const char *config;
	bool version;
};

/**
 * struct logd_settings - configuration and command line
 * @argc: number of entries in @argv
 * @argv: command line, which overrides the configuration
 * @opt: the resulting options
 * @conf: configuration; @opt points into it
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
