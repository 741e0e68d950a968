/* SPDX-License-Identifier: LGPL-2.1 */
/* Opens and reads the files of a trace, and reports problems with them. */
#ifndef _LKST_LIB_TRACE_SOURCE_H
#define _LKST_LIB_TRACE_SOURCE_H

#include <stdio.h>
#include <sys/types.h>

#include "heads.h"
#include "lib/device/previous.h"
#include "lib/lkst.h"
#include "lib/text/context.h"

struct lkst_files;
struct lkst_names;

/*
 * A run of LKST in a kernel. Several files may be from the same run. A file without UUIDs is taken
 * to be the only file of its run.
 */
struct boot {
	char *id;		/* UUID of the kernel's run; "": unknown */
	char lkst[LKST_BOOT_TEXT]; /* UUID of the LKST run; "": unknown */
	struct lkst_names *names;
	struct lkst_files *files;
	bool monotonic;		/* @offset_ns is known */
	int64_t newest_ns;	/* monotonic time at which @offset_ns was measured */
	int64_t offset_ns;	/* wall clock minus monotonic clock, the latest known value */
};

/* A file of a trace. */
struct source {
	int fd;
	bool own_fd;
	bool swapped;
	bool growing;		/* another program was writing to the file when it was opened */
	bool log;		/* has a LOG chunk: chunks wrap around, and END may be anywhere */
	bool previous_lap;	/* a log: the next chunks are left over from the previous lap */
	bool end;
	bool damaged;		/* the file was compressed, and the compressed data is damaged */
	char *name;
	uint32_t boot;
	unsigned int reports;
	unsigned int image_reports; /* the part of @reports that is about the memory image */
	bool image_lacks;	/* that image lacks records */
	uint64_t size;		/* of the trace, in bytes */
	uint64_t first_chunk;
	char *system;		/* text of the SYSTEM chunk */
	char *etypes;		/* text of the ETYPES chunk */
	size_t etypes_len;
	char *values;		/* text of the VALUES chunk */
	uint64_t symbols_len;	/* length of all SYMBOLS chunks so far, in bytes */
	bool bad_symbols;	/* an error in a SYMBOLS chunk was reported */
	bool bad_files;		/* an error in a FILES chunk was reported */
	struct lkst_context context;
	uint64_t heads[HEADS_WORDS]; /* bitmap of event types that are heads of chains */
	uint64_t records;
	uint64_t chunks;
	uint64_t compressed;	/* chunks skipped because of an unknown compression */
	uint64_t lost;		/* events reported by LOSS chunks */
	/*
	 * Valid if @end is set: number of records according to the END chunk; UINT64_MAX if that
	 * chunk is too short to say.
	 */
	uint64_t end_records;
};

void trace_report(struct lkst_trace *trace, struct source *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void trace_notice(struct lkst_trace *trace, const struct source *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
ssize_t trace_read_at(const struct source *source, void *buf, size_t len, uint64_t offset,
		      struct lkst_error *err);
int trace_resize(struct source *source, struct lkst_error *err);
int trace_source_open(struct source *source, struct lkst_error *err);
void trace_source_close(struct source *source);
const char *trace_system(const struct source *source, const char *key, size_t *len);

#endif
