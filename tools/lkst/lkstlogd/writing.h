/* SPDX-License-Identifier: GPL-2.0 */
/* Opening and closing the files of all CPUs. */
#ifndef _LKSTLOGD_WRITING_H
#define _LKSTLOGD_WRITING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct logd;
struct logd_writer;

uint32_t logd_rings(const struct logd *logd);
uint64_t logd_total(const struct logd *logd);
void logd_watch_files(struct logd *logd);
uint32_t logd_take_serial(struct logd *logd);
void logd_new_serial(struct logd *logd);
void logd_open_file(struct logd *logd, struct logd_writer *writer);
void logd_open_files(struct logd *logd);
void logd_close_files(struct logd *logd);
void logd_begin_writing(struct logd *logd);
void logd_end_writing(struct logd *logd);
void logd_begin_previous(struct logd *logd);

#endif
