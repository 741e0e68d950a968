/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkst. */
#ifndef _LKST_MESSAGES_H
#define _LKST_MESSAGES_H

#define MSG_DUMP_STOPPED	"LKST is stopped, so it records nothing (run \"lkst start\" first)"
#define MSG_DUMP_MASKED							\
	"the selected maskset does not record process_state, which a state dump is made of:\n" \
	"\"lkstm config process_state entry_log\" changes that"
#define MSG_DUMP_CUT							\
	"state dump: %d threads left out, as it takes at most a quarter of a buffer " \
	"(lkst.buffer_size= makes buffers larger)"
#define MSG_RUN_PROGRAM	"no program was given (lkst run-user-events -- PROGRAM)"
#define MSG_RUN_DEVICE	"%s: %s: the program runs, but its events are not recorded"
#define MSG_RUN_ACCESS	"%s: no permission to read and write it: the program runs, but its events are " \
			"not recorded (only root and the group %s may; LKST's parameter " \
			"user_events_gid names another group)"
#define MSG_RUN_LIBRARY	"%s: %s (it belongs to this command; install LKST's tools again)"

#define MSG_WATCH_LONG	"the key and the actions are too long (at most %d bytes)"
#define MSG_WATCH_UNKNOWN	"%s: no such watch: \"lkst watch --list\" lists the watches"
#define MSG_WATCH_MASKSET	"no maskset \"%s\": \"lkstm list\" lists the masksets"
#define MSG_WATCH_FIXED							\
	"maskset %d is built in and has no rules: -n names another one, and \"lkstm set\" selects it"

#endif
