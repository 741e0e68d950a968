/* SPDX-License-Identifier: GPL-2.0 */
/* The writers of the formats of lkstbuf export. Each is in a file with the name of the format. */
#ifndef _LKSTBUF_EXPORT_FORMATS_H
#define _LKSTBUF_EXPORT_FORMATS_H

struct export_format;

extern const struct export_format export_chrome, export_folded, export_perfetto, export_tracedat;

#endif
