/* SPDX-License-Identifier: GPL-2.0 */
/* The event of record-hook.ko. */
#ifndef RECORD_HOOK_H
#define RECORD_HOOK_H

#define RECORD_HOOK_ETYPE 0x1f0

#endif
