// SPDX-License-Identifier: LGPL-2.1
/*
 * Collects the names of values on the running kernel: those in /proc/lkst_values, and the names of
 * interrupt handlers and block devices.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/put.h"
#include "lib/text/text.h"
#include "lib/text/values.h"
#include "lib/trace/payload.h"
#include "system_values.h"

#define NAME_SIZE 64 /* longest name that lkst_values_parse() accepts, with its 0 byte */

/* Replace characters that lkst_values_parse() does not accept. */
static void system_values_clean(char *name)
{
	for (size_t n; *name; name += n) {
		n = put_printable_length(name, strlen(name));
		if (!n || *name == '"' || *name == '\\')
			*name = '?';
		n += !n;
	}
}

/* Read the names of interrupt handlers: DIR/24/actions contains "virtio0-input.0". */
static void system_values_put_irqs(FILE *to, const char *dir)
{
	DIR *irqs = opendir(dir);
	struct dirent *entry;

	while (irqs && (entry = readdir(irqs)) != NULL) {
		char path[PATH_MAX + 64], name[NAME_SIZE];

		if (strspn(entry->d_name, "0123456789") != strlen(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%.20s/actions", dir, entry->d_name);
		text_first_line(path, name, sizeof(name));
		system_values_clean(name);
		if (*name)
			fprintf(to, "irq enum 0x%lx %s\n", strtoul(entry->d_name, NULL, 10), name);
	}
	if (irqs)
		closedir(irqs);
}

/* Read the names of block devices: DIR/8:0 is a link to ".../block/sda". */
static void system_values_put_devices(FILE *to, const char *dir)
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
		system_values_clean(name);
		/* sysfs writes "!" for the slash in names such as /dev/cciss/c0d0. */
		for (char *p = name; *p; p++)
			*p = *p == '!' ? '/' : *p;
		fprintf(to, "dev enum 0x%lx %s\n", major << LKST_DEV_MINOR_BITS | minor, name);
	}
	if (devices)
		closedir(devices);
}

/**
 * lkst_values_system() - get the names of values on the running kernel
 * @root: prefix for /proc and /sys; NULL: none
 * @len: length of the result in bytes
 * @err: set on failure; a missing file is not an error
 *
 * Return: text in the format of /proc/lkst_values, to be freed by the caller; NULL on failure.
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
		fputs(LKST_VALUES_HEADER "\n", to);
	free(kernel);
	snprintf(path, sizeof(path), "%s/sys/kernel/irq", root);
	system_values_put_irqs(to, path);
	snprintf(path, sizeof(path), "%s/sys/dev/block", root);
	system_values_put_devices(to, path);
	failed = ferror(to);
	if (fclose(to) || failed) {
		free(text);
		lkst_error_memory(err, "the names of values");
		return NULL;
	}
	return text;
}

/**
 * lkst_system_machine() - get the architecture of the running kernel
 *
 * Return: the architecture, on which the numbers of system calls depend.
 */
enum lkst_machine lkst_system_machine(void)
{
	struct utsname system;
	char arch[16] = "";

	if (!uname(&system))
		snprintf(arch, sizeof(arch), "%.15s", system.machine);
	return trace_machine_of(arch);
}
