/* SPDX-License-Identifier: LGPL-2.1 */
/* Creates temporary files. */
#ifndef _LKST_LIB_BASE_TEMPORARY_H
#define _LKST_LIB_BASE_TEMPORARY_H

#include "lib/lkst.h"

const char *lkst_temporary_dir(void);
int lkst_temporary_file(struct lkst_error *err);

#endif
