/* SPDX-License-Identifier: LGPL-2.1 */
/* The version of the commands and the library. */
#ifndef _LKST_LIB_BASE_VERSION_H
#define _LKST_LIB_BASE_VERSION_H

#define LKST_TOOLS_VERSION	"0.1.0"

#endif
