/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of lkstla. */
#ifndef _LKSTLA_MESSAGES_H
#define _LKSTLA_MESSAGES_H

#define MSG_SORT_KEY		"--sort \"%s\": unknown key%s\nThe keys are %s."

#endif
