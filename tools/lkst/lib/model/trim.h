/* SPDX-License-Identifier: LGPL-2.1 */
/* Bounds the memory of a model that follows the running kernel. */
#ifndef _LKST_LIB_MODEL_TRIM_H
#define _LKST_LIB_MODEL_TRIM_H

#include "lib/model.h"

void lkst_model_trim(struct lkst_model *model);

#endif
