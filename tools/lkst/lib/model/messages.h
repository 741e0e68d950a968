/* SPDX-License-Identifier: LGPL-2.1 */
/* Error messages of the state model. */
#ifndef _LKST_LIB_MODEL_MESSAGES_H
#define _LKST_LIB_MODEL_MESSAGES_H

#define MSG_MODEL_SOURCE	"source %u of an event is out of range: 0 to %u"

#define MSG_HISTORY_LIMIT \
	"the history of %zu threads does not fit in %llu bytes: allow more memory, or choose a " \
	"shorter window"

#define MODEL_MEMORY		"the states of threads and CPUs"
#define HISTORY_MEMORY		"the history of threads and CPUs"

#endif
