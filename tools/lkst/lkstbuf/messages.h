/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstbuf. */
#ifndef _LKSTBUF_MESSAGES_H
#define _LKSTBUF_MESSAGES_H

#include "lib/text/messages.h"

#define MSG_NO_EVENT_TYPE						\
	"no event has the number 0x%03x, neither in the list of event types nor in the trace" \
	MSG_ALL_EVENTS
#define MSG_NO_EVENT_TYPES						\
	"no event has a number from 0x%03x to 0x%03x, neither in the list of event types nor in\n" \
	"the trace" MSG_ALL_EVENTS
#define MSG_NOTHING		"no event matches; the trace is from %s to %s"
#define MSG_NO_EVENTS		"the trace contains no events"
#define MSG_NO_THREAD		"no thread in it is named \"%s\"%s"

#define MSG_NO_CPU_IN		"%s: no CPU %ld, only %s"

#define MSG_INTERRUPTED_PART						\
	"interrupted: the trace on %s is complete up to that point"

#define MSG_IMAGE_BESIDE						\
	"%s: is an image of memory, which cannot be printed together with other files; make a\n" \
	"trace file of it with \"lkstbuf read --image\""
#define MSG_IMAGE_OPTIONS	"%s: is not an image of memory (--boot and --symbols require one)"
#define MSG_PREVIOUS_PART							\
	"the boot stays unread, because only a part was read: \"lkstbuf previous --done BOOT\" marks it as read"
#define MSG_PREVIOUS_NO_FILE							\
	"the boot stays unread, because the reader may not have got everything:\n" \
	"\"lkstbuf previous --done BOOT\" marks it as read"
#define MSG_ONLY		"--only requires -p"
#define MSG_SPAN		"--since \"%s\" is later than --until \"%s\""
#define MSG_FOLLOW_OLDEST						\
	"--since \"%s\": --follow has no oldest event (-5s means five seconds ago)"

#endif
