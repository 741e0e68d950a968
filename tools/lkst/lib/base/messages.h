/* SPDX-License-Identifier: LGPL-2.1 */
/* Error messages that several parts of the library use. */
#ifndef _LKST_LIB_BASE_MESSAGES_H
#define _LKST_LIB_BASE_MESSAGES_H

#define MSG_SYSTEM		"%s: %s: %s"	/* thing, what was tried, strerror() */
#define MSG_MEMORY		"not enough memory for %s"

#define MSG_CREATE		"%s: cannot be created: %s"
#define MSG_DANGLING							\
	"%s: is a symbolic link to a file that does not exist (name that file)"

#endif
