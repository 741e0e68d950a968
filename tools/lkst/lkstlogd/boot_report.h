/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a report about a saved boot to the directory of the saved file. */
#ifndef _LKSTLOGD_BOOT_REPORT_H
#define _LKSTLOGD_BOOT_REPORT_H

#include <limits.h>

#include "lib/device/previous.h"
#include "lib/lkst.h"

struct logd_previous_args;

/**
 * struct logd_saved - a previous boot that is in a file
 * @boot: UUID of the boot
 * @serial: serial number of the file
 * @name: name of the file, without its directory
 */
struct logd_saved {
	char boot[LKST_BOOT_TEXT];
	uint32_t serial;
	char name[NAME_MAX + 1];
};

void logd_boot_report(struct logd_previous_args *args, const struct logd_saved *saved);

#endif
