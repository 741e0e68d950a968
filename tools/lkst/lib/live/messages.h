/* SPDX-License-Identifier: LGPL-2.1 */
/* Error messages for reading and following the running kernel. */
#ifndef _LKST_LIB_LIVE_MESSAGES_H
#define _LKST_LIB_LIVE_MESSAGES_H

#define MSG_BLOCK		"%s: read() returned a block that these tools do not understand"
#define MSG_HISTORY_FAILED	"the compressed history cannot be read: %s"
#define MSG_HISTORY_DAMAGED	"%llu chunks of the compressed history are damaged and were left out"

#endif
