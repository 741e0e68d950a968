// SPDX-License-Identifier: GPL-2.0
/*
 * What is stepped through: events, handlers, shifts, what they note for an image of memory, and
 * readers as the kernel has them, on one CPU. Compiled with the kernel's flags.
 */
#include "shim/lkst.h"

#include "lkst/event.c"
#include "lkst/handlers.c"
#include "lkst/image_note.c"
#include "lkst/read.c"
#include "lkst/shift.c"
