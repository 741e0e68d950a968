/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstlogger. */
#ifndef _LKSTLOGGER_MESSAGES_H
#define _LKSTLOGGER_MESSAGES_H

#define MSG_ENTRY_DATA		"%s (use -s for text)"
#define MSG_ENTRY_NO_TEXT							\
	"event \"%s\" has no argument left for the text \"%.60s\": %u of its arguments are texts"
#define MSG_ENTRY_TEXT_LONG						\
	"the text \"%.60s\" has %zu bytes; event \"%s\" has room for %zu"
#define MSG_ENTRY_TEXT_AND_ARG						\
	"-a%u is part of the text \"%.60s\" of event \"%s\": give one of the two"

#endif
