/* SPDX-License-Identifier: LGPL-2.1 */
/* Puts the events of a program into the trace. Functions return 0, or -1 with errno set. */
#ifndef _TRACEEVENT_INSERT_H
#define _TRACEEVENT_INSERT_H

#include <stdint.h>

int insert_event(uint32_t header, uint32_t stamp, int data0, int data1);
int insert_numbers(int event, int data0, int data1);
int insert_list(int class, int event, const unsigned int *data, unsigned int num);
int insert_text(int event, const char *text);

#endif
