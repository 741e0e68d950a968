/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstm. */
#ifndef _LKSTM_MESSAGES_H
#define _LKSTM_MESSAGES_H

#define MSG_MASKSET_FIXED	"maskset %d \"%s\" cannot be changed: it always records %s"
#define MSG_MASKSET_TAKEN	"maskset %d is already named \"%s\""
#define MSG_MASKSET_OVERWRITE	MSG_MASKSET_TAKEN ": \"lkstm write -m %d\" overwrites it"
#define MSG_STOPPED_SELECTED						\
	"LKST is stopped, so maskset 0 is selected, which cannot be changed: name another one\n" \
	"with -m or -n"
#define MSG_EVENT_MISSING	"these fields cannot be derived from the arguments: %s"
#define MSG_EVENT_REMOVE	"%s: %s"

#endif
