// SPDX-License-Identifier: LGPL-2.1
/*
 * The symbols of the kernel that an image is of: from the image, or from a list of the same
 * kernel that is elsewhere, moved to where this boot had its text.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "image.h"
#include "messages.h"

#define LINE_SIZE 1024

/* A line of /proc/kallsyms or System.map. */
struct line {
	uint64_t address;
	char kind;
	const char *name; /* and what follows it */
	bool module;
};

static bool split_line(char *text, struct line *line)
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

/* How far this boot's text is behind the list's. */
static int find_shift(FILE *from, const char *path, uint64_t text, uint64_t *shift,
		      struct lkst_error *err)
{
	char buf[LINE_SIZE];
	struct line line;

	while (fgets(buf, sizeof(buf), from)) {
		if (!split_line(buf, &line) || strcmp(line.name, "_text\n") || !line.address)
			continue;
		*shift = text - line.address;
		rewind(from);
		return 0;
	}
	lkst_error_set(err, LKST_ERR_FORMAT, MSG_SYMBOLS_TEXT, path);
	return -1;
}

static void copy_lines(FILE *from, FILE *to, uint64_t shift, bool modules)
{
	char buf[LINE_SIZE];
	struct line line;

	while (fgets(buf, sizeof(buf), from)) {
		if (!split_line(buf, &line) || !line.address || (line.module && !modules))
			continue;
		fprintf(to, "%016llx %c %s", (unsigned long long)(line.address + shift), line.kind,
			line.name);
	}
}

/* A list, moved. @modules: they may be where it has them, if it need not be moved. */
static int move_list(const char *path, uint64_t text, bool modules, struct lkst_error *err)
{
	FILE *from = fopen(path, "re"), *to = NULL;
	uint64_t shift;
	int fd = -1;

	if (!from) {
		lkst_error_system(err, errno, path, "open");
		return -1;
	}
	if (!find_shift(from, path, text, &shift, err))
		fd = lkst_temporary_file(err);
	if (fd >= 0)
		to = fdopen(dup(fd), "w");
	if (to) {
		copy_lines(from, to, shift, modules && !shift);
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
	const char *fact = image_metadata(boot, key, &len);

	return fact && strlen(value) == len && !memcmp(fact, value, len);
}

/* Of the same kernel, wherever this machine has it. */
static int find_list(const struct image_boot *boot, const char *root, uint64_t text,
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
		fd = move_list(path, text, false, err);
	}
	uname(&uts);
	if (fd >= 0 || !symbols_metadata_is(boot, "release", uts.release) ||
	    !symbols_metadata_is(boot, "version", uts.version))
		return fd;
	snprintf(path, sizeof(path), "%s" LKST_SYMBOLS_PATH, root);
	return move_list(path, text, false, err);
}

/**
 * image_symbols() - the symbols of the kernel that an image is of
 * @image: image
 * @want: which boot, and where symbols are
 * @kernel: its memory; may be NULL
 * @err: why there are none
 *
 * Return: descriptor of a text as in /proc/kallsyms; -1: there is none.
 */
int image_symbols(const struct image *image, const struct image_want *want,
		  struct image_kernel *kernel, struct lkst_error *err)
{
	const struct image_boot *boot = &image->boot[want->boot];
	struct lkst_error why;
	uint64_t text;
	int fd;

	if (!want->symbols && kernel) {
		fd = image_kernel_symbols(kernel, err);
		if (fd >= 0)
			return fd;
	}
	if (!image_metadata_u64(boot, "text", &text)) {
		lkst_error_set(err, LKST_ERR_NOT_FOUND,
			       "the image does not tell where the kernel's text was");
		return -1;
	}
	if (want->symbols)
		return move_list(want->symbols, text, true, err);
	/* What the image lacks is the reason, if there is one. */
	fd = find_list(boot, want->root ? want->root : "", text, kernel ? &why : err);
	return fd;
}
