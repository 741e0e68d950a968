/* SPDX-License-Identifier: LGPL-2.1 */
/* Errors and reports about trace files. */
#ifndef _LKST_LIB_TRACE_MESSAGES_H
#define _LKST_LIB_TRACE_MESSAGES_H

#define MSG_EMPTY_PROCESS						\
	"empty process name in \"%s\" (separate names and numbers with single commas)"

#define MSG_DIRECTORY		"%s: is a directory, not a trace file"
#define MSG_COMPRESSED							\
	"compressed data is damaged or truncated: only what precedes it is read"
#define MSG_EMPTY_FILE							\
	"%s: is empty, not a trace file (\"lkstbuf read -f FILE\" writes one)"
#define MSG_FOREIGN		"%s: not an LKST trace file: it looks like %s"
#define MSG_SHORT_HEADER						\
	"%s: truncated after %llu bytes, in the file header: nothing to read"
#define MSG_HEADER_DAMAGED	"%s: the file header is damaged (%s)"
#define MSG_VERSION							\
	"%s: trace file version %u; this tool reads up to version %u (use a newer one)"
#define MSG_WRITE		"%s: cannot write the trace: %s%s"
#define MSG_TEMPORARY		"temporary file in %s"
#define MSG_TMPDIR		"; TMPDIR can name another directory"
#define MSG_INTERRUPTED		"interrupted: nothing was written to %s"

#define MSG_IMAGE_FROM		"from an image (%.*s): argument bytes carry no checksum"
#define MSG_IMAGE_MISSING	"records are missing in the buffers, as their pages are not in the image"
#define MSG_IMAGE_IMPLAUSIBLE						\
	"records were left out, as their event type, lap or clock is implausible"
#define MSG_IMAGE_UNKNOWN						\
	"buffers whose session headers are lost: records are in clock order, and recids count from 0"
#define MSG_IMAGE_FRAGMENTS						\
	"extents of buffers are not in the image, or their headers are lost: more records may be missing"
#define MSG_IMAGE_UNFINISHED						\
	"records had not been finished when the machine was stopped, or had been dropped"
#define MSG_IMAGE_HISTORY							\
	"chunks of the compressed history are damaged and were left out"
#define MSG_IMAGE_HISTORY_MISSING						\
	"bytes of the compressed history are not in the image: more events may be missing"

#define MSG_GAP								\
	"CPU %d: %llu events between the end of %s and the start of this file are missing"
#define MSG_GAPS							\
	"CPU %d: %llu events in %llu gaps between the files are missing"
#define MSG_KMEMTRACE_FOREIGN	"%s: is not a file of kmemtrace"
#define MSG_KMEMTRACE_TWICE						\
	"%s: like %s, its name says that it is from CPU %d (name the files of one recording)"
#define MSG_KMEMTRACE_ORDER						\
	"%s: has another byte order than %s (name the files of one machine)"
#define MSG_KMEMTRACE_CPU						\
	"%s: its name has no CPU (want cpu0, cpu1 and so on): it is read as CPU %d"
#define MSG_KMEMTRACE_DAMAGE						\
	"%s: offset %llu: %llu bytes are damaged, and what they contained is lost"
#define MSG_KMEMTRACE_CUT						\
	"%s: is truncated: the last %llu bytes are a part of an event"
#define MSG_KMEMTRACE_UNKNOWN						\
	"%s: offset %llu: an event with unknown ids (event %u, type %u) is left out"
#define MSG_KMEMTRACE_MORE	"%s: further damage is not reported individually"
#define MSG_KMEMTRACE_ABI						\
	"abi_version: the files have version %llu of kmemtrace's format; this tool knows version %d"
#define MSG_KMEMTRACE_SYMBOLS	"%s: has no symbols of these call sites"

#define MSG_PARTS							\
	"%llu records of type lkst_more were skipped: the events that they continue are missing"
#define MSG_CUT_BOOTS							\
	"--trace: the files are from different boots (extract from one boot at a time)"

#endif
