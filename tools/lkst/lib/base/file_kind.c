// SPDX-License-Identifier: LGPL-2.1
/* Guesses the kind of a file that is not a trace, from its first bytes. */
#include <stdbool.h>
#include <string.h>

#include "file_kind.h"
#include "kmemtrace_event.h"

/**
 * file_kind() - guess the kind of a file that is not a trace
 * @head: first bytes of the file
 * @len: number of these bytes
 *
 * Return: description of the file, for messages; NULL if its kind is unknown.
 */
const char *file_kind(const uint8_t *head, size_t len)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *description;
	} known[] = {
		{ "\177ELF", 4, "an ELF file (a program or a memory image)" },
		{ "KDUMP   ", 8, "a kdump-compressed memory image" },
		{ "makedumpfile\0", 13, "a memory image in the flattened form of makedumpfile" },
		{ "\037\213", 2, "a gzip file (decompress it first)" },
		{ "\3757zXZ", 6, "an xz file (decompress it first)" },
		{ "\050\265\057\375", 4, "a zstd file (decompress it first)" },
		{ "BZh", 3, "a bzip2 file (decompress it first)" },
		{ "PK\003\004", 4, "a zip file" },
		{ "QFI\373", 4, "a disk image of QEMU (its dump-guest-memory writes memory)" },
		{ "\027\010\104tracing", 10, "a trace.dat of trace-cmd" },
		{ "PERFILE2", 8, "a perf.data of perf" },
		{ "\301\037\374\301", 4, "a CTF stream (LTTng)" },
		{ "# lkst_etypes", 13, "a list of event types (option -E takes it)" },
	};
	size_t strange = 0; /* number of non-ASCII bytes */
	bool printable = true;

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (len >= known[i].len && !memcmp(head, known[i].magic, known[i].len))
			return known[i].description;
	if (kmemtrace_order(head, len) != KMEMTRACE_NONE)
		return "a file of kmemtrace (only \"lkstla mem -f FILE\" reads it)";
	for (size_t i = 0; i < len; i++) {
		printable &= (head[i] >= 0x20 && head[i] != 0x7f) ||
			     (head[i] >= '\t' && head[i] <= '\r');
		strange += head[i] >= 0x80;
	}
	if (printable && strange <= len / 2)
		return "text (a trace that was printed cannot be read back)";
	return NULL;
}
