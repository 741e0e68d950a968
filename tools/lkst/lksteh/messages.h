/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lksteh. */
#ifndef _LKSTEH_MESSAGES_H
#define _LKSTEH_MESSAGES_H

#define MSG_CTRL_FILE		"%s: larger than %d bytes, the limit for an event handler"
#define MSG_CTRL_FILE_SIZE	"%s: %zu bytes are more than the size of the data, %llu"
#define MSG_CTRL_FAILED		"event handler \"%s\": its control function failed with %d (%s)"
#define MSG_CTRL_NO_VALUE						\
	"event handler \"%s\" has no number (-v is for stop_after and buffer_jump)"
#define MSG_BPF_NO_PROGRAM	"%s: no BPF program or section \"%s\""
#define MSG_BPF_EMPTY		"%s: contains no BPF program"
#define MSG_BPF_SEVERAL		"%s: contains %zu BPF programs (select one with -p)"
#define MSG_BPF_WRONG_TYPE							\
	"%s: the BPF program \"%s\" has the type %s (want raw_tracepoint, section \"raw_tp\")"
#define MSG_BPF_REFUSED		"%s: the kernel refuses the BPF program \"%s\": %s"

#endif
