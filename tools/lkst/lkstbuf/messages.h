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

#define MSG_INTERRUPTED_PART						\
	"interrupted: the trace on %s is complete up to that point"

#define MSG_PREVIOUS_PART							\
	"the boot stays unread, because only a part was read: \"lkstbuf previous --done BOOT\" marks it as read"
#define MSG_PREVIOUS_NO_FILE							\
	"the boot stays unread, because the reader may not have got everything:\n" \
	"\"lkstbuf previous --done BOOT\" marks it as read"
#define MSG_ONLY		"--only requires -p"
#define MSG_FOLLOW_OLDEST						\
	"--since \"%s\": --follow has no oldest event (-5s means five seconds ago)"

#endif
