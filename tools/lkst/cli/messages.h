/* SPDX-License-Identifier: GPL-2.0 */
/* Errors in options, operands and the configuration file. */
#ifndef _LKST_CLI_MESSAGES_H
#define _LKST_CLI_MESSAGES_H

#define MSG_OPTION_UNKNOWN	"unknown option \"%s\"%s"
#define MSG_OPTION_VALUE	"option \"%s\" needs a value"
#define MSG_OPTION_NO_VALUE	"option \"%s\" takes no value"
#define MSG_OPTION_OFTEN	"%s may be given at most %d times"
#define MSG_OPERAND		"unexpected argument \"%s\"%s%s"
#define MSG_CHOICE		"%s \"%s\" is not one of %s"

#define MSG_NO_MASKSET_NAME	"no maskset is named \"%s\"%s"
#define MSG_MASKSET_NAME	"maskset name \"%s\": 1 to %d bytes, without control characters"

#define MSG_NO_TRACE_IN		"%s: no trace file is in this directory"
#define MSG_NO_SUCH_FILE	"no such file \"%s\"%s"
#define MSG_EVENTS_FOLLOW	" (events follow -e, separated by commas)"
#define MSG_PROCESSES_FOLLOW	" (processes follow -p, separated by commas)"

#define MSG_NO_CPU_IN		"%s: no CPU %ld, only %s"

#define MSG_NOTHING		"%s; the trace is from %s to %s"
#define MSG_NO_EVENTS		"the trace contains no events"
#define MSG_NO_THREAD		"no thread in the trace is named \"%s\"%s"
#define MSG_NO_NUMBER		"no thread or process in the trace has the number %s"
#define MSG_COMMAND_LINE	"process %u has \"%.120s\" in its command line; did you mean -p %u?"
#define MSG_SPAN		"--since \"%s\" is later than --until \"%s\""

#define MSG_NO_LONG_RINGS	"there are no long rings to read"
#define MSG_IMAGE_BESIDE						\
	"%s: is an image of memory, which cannot be printed together with other files; make a\n" \
	"trace file of it with \"lkstbuf read --image\""
#define MSG_IMAGE_OPTIONS	"%s: is not an image of memory (--boot and --symbols require one)"
#define MSG_KMEMTRACE_BESIDE							\
	"%s: is not a file of kmemtrace, and cannot be read together with %s, which is one"
#define MSG_KMEMTRACE_BOOT	"%s: is a file of kmemtrace (--boot requires an image of memory)"

/* The configuration file. */
#define MSG_CONF_AT		"%s:%u: %s"
#define MSG_CONF_LINE		"\"%.60s\" is not \"key = value\""
#define MSG_CONF_VALUE		"\"%.60s\" has no value"
#define MSG_CONF_NO_SECTION	"\"%.60s\" is not in a section ([lkstlogd] or [maskset NAME])"
#define MSG_CONF_SECTION	"unknown section \"%.60s\" ([lkstlogd] or [maskset NAME])%s"
#define MSG_CONF_KEY		"unknown key \"%.60s\"%s"
#define MSG_CONF_MASKSET_OWN							\
	"maskset \"%s\" is LKST's own: define one with another name (\"from = %s\" copies it)"
#define MSG_CONF_FROM_ITSELF	"maskset \"%s\" cannot be a copy of itself (from = default)"
#define MSG_CONF_NOT_TEXT	"%s: contains a 0 byte (want a text file)"

#define MSG_OUTPUT_IS_INPUT							\
	"the output would replace the trace that is read (want another file name)"

#define MSG_LOGD_RELATIVE	"file name \"%s\" must begin with \"/\" in this file"
#define MSG_LOGD_STATUS		"%s: truncated: the status of lkstlogd is incomplete"

#define MSG_PAGER							\
	"the pager \"%s\" (LKST_PAGER, PAGER) cannot be run; nothing was shown"

#endif
