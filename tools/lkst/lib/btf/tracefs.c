// SPDX-License-Identifier: LGPL-2.1
/*
 * Reads which events ftrace has. BTF contains neither the system to which a tracepoint belongs, nor
 * which fields the events of a class have. tracefs has both, but need not be mounted.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "tracefs.h"

struct tracefs_event {
	char *name;
	char *system;
};

/**
 * struct tracefs - events of ftrace
 * @directory: directory with a folder for each system
 * @num: number of events; 0 if tracefs is not mounted
 * @event: the events, in the order of their names
 */
struct tracefs {
	char *directory;
	size_t num;
	struct tracefs_event *event;
};

static int tracefs_compare(const void *a, const void *b)
{
	return strcmp(((const struct tracefs_event *)a)->name,
		      ((const struct tracefs_event *)b)->name);
}

static int tracefs_add(struct tracefs *tracefs, const char *system, const char *name)
{
	struct tracefs_event *grown, *event;

	/* Double the memory whenever the number reaches a power of 2. */
	if (!(tracefs->num & (tracefs->num - 1))) {
		grown = reallocarray(tracefs->event, tracefs->num ? 2 * tracefs->num : 1,
				     sizeof(*grown));
		if (!grown)
			return -1;
		tracefs->event = grown;
	}
	event = &tracefs->event[tracefs->num];
	event->name = strdup(name);
	event->system = strdup(system);
	if (event->name && event->system) {
		tracefs->num++;
		return 0;
	}
	free(event->name);
	free(event->system);
	return -1;
}

/* Call @visit for each folder in a folder. */
static int tracefs_folders(const char *path, int (*visit)(void *ctx, const char *name), void *ctx)
{
	DIR *dir = opendir(path);
	struct dirent *entry;
	int ret = 0;

	while (dir && !ret && (entry = readdir(dir)) != NULL)
		if (entry->d_type == DT_DIR && *entry->d_name != '.')
			ret = visit(ctx, entry->d_name);
	if (dir)
		closedir(dir);
	return ret;
}

struct tracefs_list {
	struct tracefs *tracefs;
	const char *system;
};

static int tracefs_add_event(void *ctx, const char *name)
{
	const struct tracefs_list *list = ctx;

	return tracefs_add(list->tracefs, list->system, name);
}

static int tracefs_add_system(void *ctx, const char *name)
{
	struct tracefs_list list = { .tracefs = ctx, .system = name };
	char *path;
	int ret;

	if (asprintf(&path, "%s/%s", list.tracefs->directory, name) < 0)
		return -1;
	ret = tracefs_folders(path, tracefs_add_event, &list);
	free(path);
	return ret;
}

/**
 * tracefs_open() - read which events there are
 * @directory: directory with a folder for each system
 * @err: set on failure
 *
 * Return: the events, of which there are none if tracefs is not mounted; NULL on error.
 */
struct tracefs *tracefs_open(const char *directory, struct lkst_error *err)
{
	struct tracefs *tracefs = calloc(1, sizeof(*tracefs));

	if (tracefs)
		tracefs->directory = strdup(directory);
	if (!tracefs || !tracefs->directory ||
	    tracefs_folders(directory, tracefs_add_system, tracefs)) {
		tracefs_close(tracefs);
		lkst_error_memory(err, "the list of tracepoints");
		return NULL;
	}
	if (tracefs->num)
		qsort(tracefs->event, tracefs->num, sizeof(*tracefs->event), tracefs_compare);
	return tracefs;
}

/**
 * tracefs_close() - free what tracefs_open() returned
 * @tracefs: may be NULL
 */
void tracefs_close(struct tracefs *tracefs)
{
	if (!tracefs)
		return;
	for (size_t i = 0; i < tracefs->num; i++) {
		free(tracefs->event[i].name);
		free(tracefs->event[i].system);
	}
	free(tracefs->event);
	free(tracefs->directory);
	free(tracefs);
}

/**
 * tracefs_exists() - return whether tracefs is mounted
 * @tracefs: events
 */
bool tracefs_exists(const struct tracefs *tracefs)
{
	return tracefs->num;
}

/**
 * tracefs_directory() - return the directory of the events
 * @tracefs: events
 */
const char *tracefs_directory(const struct tracefs *tracefs)
{
	return tracefs->directory;
}

/**
 * tracefs_system() - return the system of a tracepoint
 * @tracefs: events
 * @name: name of the tracepoint
 *
 * Return: the system; NULL: unknown.
 */
const char *tracefs_system(const struct tracefs *tracefs, const char *name)
{
	const struct tracefs_event key = { .name = (char *)name }, *event = NULL;

	if (tracefs->num)
		event = bsearch(&key, tracefs->event, tracefs->num, sizeof(key), tracefs_compare);
	return event ? event->system : NULL;
}

/**
 * tracefs_format() - read the format of an event
 * @tracefs: events
 * @name: name of the tracepoint
 *
 * Return: the content of its file "format", to be freed; NULL: unknown.
 */
char *tracefs_format(const struct tracefs *tracefs, const char *name)
{
	const char *system = tracefs_system(tracefs, name);
	char *path, *text = NULL;
	size_t size = 0;
	FILE *file;

	if (!system || asprintf(&path, "%s/%s/%s/format", tracefs->directory, system, name) < 0)
		return NULL;
	file = fopen(path, "re");
	free(path);
	if (file && getdelim(&text, &size, 0, file) < 0) {
		free(text);
		text = NULL;
	}
	if (file)
		fclose(file);
	return text;
}
