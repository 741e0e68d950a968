/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Uses the terminal in full-screen mode and reads single keys. The settings of the terminal are
 * always restored.
 */
#ifndef _LKSTLA_TERMINAL_H
#define _LKSTLA_TERMINAL_H

#include "lib/lkst.h"

void terminal_catch_signals(void);
bool terminal_stopping(void);
int terminal_enter(struct lkst_error *err);
void terminal_leave(void);
bool terminal_changed(void);
void terminal_size(unsigned int *width, unsigned int *height);
int terminal_read(char *bytes, size_t size, int timeout_ms);

#endif
