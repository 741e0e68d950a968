// SPDX-License-Identifier: LGPL-2.1
/*
 * What values are called on the running kernel: what the kernel says itself, and what user
 * space knows: the drivers behind interrupts, the names of block devices.
 */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "put.h"
#include "text.h"

#define NAME_SIZE 64 /* that lkst_values_parse() takes, with the 0 */

/* A name as it can stand in the text; "" when it is none. */
static void clean(char *name)
{
	for (size_t n; *name; name += n) {
		n = put_printable_length(name, strlen(name));
		if (!n || *name == '"' || *name == '\\')
			*name = '?';
		n += !n;
	}
}

/* DIR/24/actions holds "virtio0-input.0". */
static void put_irqs(FILE *to, const char *dir)
{
	DIR *irqs = opendir(dir);
	struct dirent *entry;

	while (irqs && (entry = readdir(irqs)) != NULL) {
		char path[PATH_MAX + 64], name[NAME_SIZE];

		if (strspn(entry->d_name, "0123456789") != strlen(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%.20s/actions", dir, entry->d_name);
		text_first_line(path, name, sizeof(name));
		clean(name);
		if (*name)
			fprintf(to, "irq enum 0x%lx %s\n", strtoul(entry->d_name, NULL, 10), name);
	}
	if (irqs)
		closedir(irqs);
}

/* DIR/8:0 leads to ".../block/sda". */
static void put_devices(FILE *to, const char *dir)
{
	DIR *devices = opendir(dir);
	struct dirent *entry;

	while (devices && (entry = readdir(devices)) != NULL) {
		char path[PATH_MAX + 64], target[PATH_MAX], *name;
		unsigned long major, minor;
		ssize_t n;

		if (sscanf(entry->d_name, "%lu:%lu", &major, &minor) != 2)
			continue;
		snprintf(path, sizeof(path), "%s/%.40s", dir, entry->d_name);
		n = readlink(path, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = 0;
		name = strrchr(target, '/');
		if (!name || !*++name || strlen(name) >= NAME_SIZE)
			continue;
		clean(name);
		/* As in /dev: sysfs has no room for a slash. */
		for (char *p = name; *p; p++)
			*p = *p == '!' ? '/' : *p;
		fprintf(to, "dev enum 0x%lx %s\n", major << LKST_DEV_MINOR_BITS | minor, name);
	}
	if (devices)
		closedir(devices);
}

/**
 * lkst_values_system() - what values are called on the running kernel
 * @root: what stands before /proc and /sys; NULL: nothing
 * @len: bytes of the result
 * @err: why not; that a file is missing is no error
 *
 * Return: text in the format of /proc/lkst_values, to be freed.
 */
char *lkst_values_system(const char *root, size_t *len, struct lkst_error *err)
{
	char path[PATH_MAX], *kernel, *text = NULL;
	FILE *to = open_memstream(&text, len);
	size_t kernel_len;
	bool failed;

	root = root ? root : "";
	if (!to) {
		lkst_error_memory(err, "the names of values");
		return NULL;
	}
	snprintf(path, sizeof(path), "%s%s", root, LKST_VALUES_PATH);
	kernel = text_read(path, &kernel_len, NULL);
	if (kernel)
		fwrite(kernel, 1, kernel_len, to);
	else
		fputs(LKST_VALUES_HEAD "\n", to);
	free(kernel);
	snprintf(path, sizeof(path), "%s/sys/kernel/irq", root);
	put_irqs(to, path);
	snprintf(path, sizeof(path), "%s/sys/dev/block", root);
	put_devices(to, path);
	failed = ferror(to);
	if (fclose(to) || failed) {
		free(text);
		lkst_error_memory(err, "the names of values");
		return NULL;
	}
	return text;
}
