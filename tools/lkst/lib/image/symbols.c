// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds the symbols of the kernel whose memory is in an image: in the image itself, or in a
 * separate list of the symbols of this kernel. The addresses in a separate list are shifted, so
 * that _text has the address that it had in the boot of the image.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "image.h"
#include "kernel.h"
#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "lib/text/context.h"
#include "lib/text/kallsyms.h"
#include "messages.h"
#include "symbols.h"
#include "selection.h"

#define LINE_SIZE 1024

/* A line of /proc/kallsyms or System.map. */
struct line {
	uint64_t address;
	char kind;
	const char *name; /* name and the rest of the line */
	bool module;
};

static bool symbols_split_line(char *text, struct line *line)
{
	char *p;

	errno = 0;
	line->address = strtoull(text, &p, 16);
	if (errno || p == text || p[0] != ' ' || !p[1] || p[2] != ' ')
		return false;
	line->kind = p[1];
	line->name = p + 3;
	line->module = strchr(line->name, '[') != NULL;
	return true;
}

/* Compute by how much the address of this boot's text exceeds the address of _text in the list. */
static int symbols_find_shift(FILE *from, const char *path, uint64_t text, uint64_t *shift,
			      struct lkst_error *err)
{
	char buf[LINE_SIZE];
	struct line line;

	while (fgets(buf, sizeof(buf), from)) {
		if (!symbols_split_line(buf, &line) || strcmp(line.name, "_text\n") ||
		    !line.address)
			continue;
		*shift = text - line.address;
		rewind(from);
		return 0;
	}
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_SYMBOLS_TEXT, path);
	return -1;
}

static void symbols_copy_lines(FILE *from, FILE *to, uint64_t shift, bool modules)
{
	char buf[LINE_SIZE];
	struct line line;

	while (fgets(buf, sizeof(buf), from)) {
		if (!symbols_split_line(buf, &line) || !line.address || (line.module && !modules))
			continue;
		fprintf(to, "%016llx %c %s", (unsigned long long)(line.address + shift), line.kind,
			line.name);
	}
}

/*
 * Write a list with shifted addresses to a temporary file. Returns the descriptor of the file; -1
 * on error. If @modules is set and the shift is 0, the symbols of modules are written as well. With
 * any other shift, they are not valid.
 */
static int symbols_move_list(const char *path, uint64_t text, bool modules, struct lkst_error *err)
{
	FILE *from = fopen(path, "re"), *to = NULL;
	uint64_t shift;
	int fd = -1;

	if (!from) {
		lkst_error_system(err, errno, path, "open");
		return -1;
	}
	if (!symbols_find_shift(from, path, text, &shift, err))
		fd = lkst_temporary_file(err);
	if (fd >= 0)
		to = fdopen(dup(fd), "w");
	if (to) {
		symbols_copy_lines(from, to, shift, modules && !shift);
		if (fclose(to)) {
			lkst_error_system(err, errno, "temporary file", "write");
			close(fd);
			fd = -1;
		}
	}
	fclose(from);
	return fd;
}

static bool symbols_metadata_is(const struct image_boot *boot, const char *key, const char *value)
{
	size_t len;
	const char *found = image_metadata(boot, key, &len);

	return found && strlen(value) == len && !memcmp(found, value, len);
}

/*
 * Find a symbol list of the boot's kernel on this machine, and shift its addresses. Returns the
 * descriptor of a temporary file; -1 on error.
 */
static int image_symbols_find_list(const struct image_boot *boot, const char *root, uint64_t text,
				   struct lkst_error *err)
{
	const char *release;
	char path[PATH_MAX];
	struct utsname uts;
	size_t len;
	int fd = -1;

	release = image_metadata(boot, "release", &len);
	if (release && !memchr(release, '/', len)) {
		snprintf(path, sizeof(path), "%s/boot/System.map-%.*s", root, (int)len, release);
		fd = symbols_move_list(path, text, false, err);
	}
	uname(&uts);
	if (fd >= 0 || !symbols_metadata_is(boot, "release", uts.release) ||
	    !symbols_metadata_is(boot, "version", uts.version))
		return fd;
	snprintf(path, sizeof(path), "%s" LKST_SYMBOLS_PATH, root);
	return symbols_move_list(path, text, false, err);
}

/**
 * image_symbols() - get the symbols of the kernel in an image
 * @image: image
 * @selection: boot, and where to look for symbols
 * @kernel: memory of the kernel; may be NULL
 * @err: set if not found
 *
 * Return: descriptor of a file in the format of /proc/kallsyms; -1 if there are no symbols.
 */
int image_symbols(const struct image *image, const struct image_selection *selection,
		  struct image_kernel *kernel, struct lkst_error *err)
{
	const struct image_boot *boot = &image->boot[selection->boot];
	struct lkst_error why;
	uint64_t text;
	int fd;

	if (!selection->symbols && kernel) {
		fd = image_kernel_symbols(kernel, err);
		if (fd >= 0)
			return fd;
	}
	if (!image_metadata_u64(boot, "text", &text)) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND,
			       "the image does not contain the address of the kernel's text");
		return -1;
	}
	if (selection->symbols)
		return symbols_move_list(selection->symbols, text, true, err);
	/* If the image was searched for symbols, @err already has the more useful error. */
	fd = image_symbols_find_list(boot, selection->root ? selection->root : "", text,
				     kernel ? &why : err);
	return fd;
}
