/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LKST_DEVICE_H
#define _LKST_DEVICE_H

int lkst_device_start(void);
void lkst_device_stop(void);

#endif
