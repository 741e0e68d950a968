/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstlogd. */
#ifndef _LKSTLOGD_MESSAGES_H
#define _LKSTLOGD_MESSAGES_H

#define MSG_CONF_STOPPED	"maskset \"%s\" is not selected, because LKST is stopped"

/* The daemon. */
#define MSG_LOGD_RUNS		"%s: lkstlogd is already running as process %ld"
#define MSG_LOGD_NAME							\
	"file name \"%s\": a name with or without a directory, shorter than 200 bytes, without\n" \
	"control characters; \"<cpu>.<serial>\" is appended to it"
#define MSG_LOGD_TOTAL							\
	"limit on all files: %llu bytes are too few for %u CPUs with files of %llu bytes each"
#define MSG_LOGD_PREVIOUS_SIZE						\
	"its file needs %llu bytes, but the limit on all files (-L) leaves %llu; it stays unread"
#define MSG_LOGD_SNAPSHOT_SIZE						\
	"its file needs %llu bytes, but the limit on all files (-L) leaves %llu; it was deleted"
#define MSG_LOGD_SNAPSHOT_HISTORY					\
	"snapshot %u: without the compressed history: it takes %llu bytes, and the limit on all files (-L) leaves %llu for it and the buffers"
#define MSG_LOGD_REPORT_SIZE						\
	"%zu bytes are needed, but the limit on all files (-L) leaves %llu"
#define MSG_LOGD_REPORT_EMPTY	"%s: exit status %d without a report%s%.*s"
#define MSG_LOGD_OUTPUT_MAX	"%s: more than %zu bytes of output, killed"
#define MSG_LOGD_OUTPUT_LATE	"%s: did not exit within %lld s, killed"
#define MSG_LOGD_OUTPUT_SIGNAL	"%s: killed by signal %d"
#define MSG_LOGD_OUTPUT_STOP	"%s: killed, because lkstlogd exits"
#define MSG_LOGD_REMOVE		"%s: cannot be deleted to stay within the limit on all files: %s"
#define MSG_LOGD_SERIAL		"%s/%s: no higher serial number is possible (move the file away)"

#endif
