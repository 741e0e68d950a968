// SPDX-License-Identifier: LGPL-2.1
/*
 * Finds functions and tracepoints in the BTF of the kernel and its modules.
 *
 * A tracepoint NAME has a typedef btf_trace_NAME for a pointer to its probes. The compiler does not
 * record the names of the arguments of such a type. The function that calls the probes,
 * __traceiter_NAME(), has the same arguments, with names.
 */
#include <bpf/libbpf.h>
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "messages.h"
#include "source.h"

#define TRACEPOINT_PREFIX "btf_trace_"
#define CALLER_PREFIX	  "__traceiter_"

/* BTF of a module. The numbers of its types continue those of the kernel. */
struct btf_module {
	char *name;
	struct btf *btf;
};

/**
 * struct btf_source - BTF of the kernel, and of the modules that were looked at
 * @directory: directory with a file "vmlinux", and a file for each module
 * @kernel: path of the file of the kernel
 * @base: BTF of the kernel; NULL: not opened yet
 * @modules: number of modules
 * @module: BTF of the modules
 * @loaded: the BTF of the modules has been read
 */
struct btf_source {
	char *directory;
	char *kernel;
	struct btf *base;
	size_t modules;
	struct btf_module *module;
	bool loaded;
};

/**
 * btf_source_new() - prepare to read BTF
 * @directory: directory with the files
 * @err: set on failure
 */
struct btf_source *btf_source_new(const char *directory, struct lkst_error *err)
{
	struct btf_source *source = calloc(1, sizeof(*source));

	if (!source || !(source->directory = strdup(directory)) ||
	    asprintf(&source->kernel, "%s/vmlinux", directory) < 0) {
		btf_source_free(source);
		lkst_error_memory(err, "BTF");
		return NULL;
	}
	libbpf_set_print(NULL);
	return source;
}

/**
 * btf_source_free() - free what btf_source_new() returned
 * @source: may be NULL
 */
void btf_source_free(struct btf_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->modules; i++) {
		free(source->module[i].name);
		btf__free(source->module[i].btf);
	}
	free(source->module);
	btf__free(source->base);
	free(source->kernel);
	free(source->directory);
	free(source);
}

/**
 * btf_source_kernel() - return the path of the kernel's BTF
 * @source: source
 */
const char *btf_source_kernel(const struct btf_source *source)
{
	return source->kernel;
}

/**
 * btf_source_open() - read the BTF of the kernel
 * @source: source
 * @err: set on failure, except that its text is "" if the kernel has no BTF
 */
int btf_source_open(struct btf_source *source, struct lkst_error *err)
{
	char reason[128];

	if (source->base)
		return 0;
	source->base = btf__parse(source->kernel, NULL);
	if (source->base)
		return 0;
	if (errno == ENOENT) {
		*err = (struct lkst_error){ .code = LKST_ERR_SYSTEM };
		return -1;
	}
	libbpf_strerror(errno, reason, sizeof(reason));
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BTF_READ, source->kernel, reason);
	return -1;
}

static void source_add_module(struct btf_source *source, const char *name)
{
	struct btf_module *grown =
		reallocarray(source->module, source->modules + 1, sizeof(*grown));
	struct btf_module module = { .name = strdup(name) };
	char *path;

	if (grown)
		source->module = grown;
	if (module.name && asprintf(&path, "%s/%s", source->directory, name) >= 0) {
		module.btf = btf__parse_split(path, source->base);
		free(path);
	}
	if (grown && module.btf) {
		source->module[source->modules++] = module;
		return;
	}
	btf__free(module.btf);
	free(module.name);
}

/* Read the BTF of all modules, except for those that are unloaded meanwhile. */
static void source_add_modules(struct btf_source *source)
{
	DIR *dir = source->loaded ? NULL : opendir(source->directory);
	struct dirent *entry;

	source->loaded = true;
	while (dir && (entry = readdir(dir)) != NULL)
		if (*entry->d_name != '.' && strcmp(entry->d_name, "vmlinux"))
			source_add_module(source, entry->d_name);
	if (dir)
		closedir(dir);
}

/* Find a type by its name among the types that @btf has in addition to the types of @base. */
static const struct btf_type *source_find(const struct btf *btf, const struct btf *base,
					  const char *name, unsigned int kind)
{
	for (uint32_t id = base ? btf__type_cnt(base) : 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (btf_kind(type) == kind &&
		    !strcmp(btf__name_by_offset(btf, type->name_off), name))
			return type;
	}
	return NULL;
}

static bool source_function_in(const struct btf *btf, const struct btf *base, const char *name,
			       struct btf_prototype *prototype)
{
	const struct btf_type *type = source_find(btf, base, name, BTF_KIND_FUNC);

	if (!type)
		return false;
	*prototype = (struct btf_prototype){
		.btf = btf,
		.type = btf__type_by_id(btf, type->type),
		.name = btf__name_by_offset(btf, type->name_off),
	};
	return btf_is_func_proto(prototype->type);
}

/* Return the prototype of probes: the type to which the typedef is a pointer. */
static const struct btf_type *source_probe(const struct btf *btf, const struct btf_type *type)
{
	type = btf__type_by_id(btf, type->type);
	if (type && btf_is_ptr(type))
		type = btf__type_by_id(btf, type->type);
	return type && btf_is_func_proto(type) && btf_vlen(type) ? type : NULL;
}

/* The functions that call the probes of tracepoints, in the order of their names */
struct source_callers {
	size_t num;
	struct source_caller {
		const char *name;
		const struct btf_type *prototype;
	} * caller;
};

static int source_caller_compare(const void *a, const void *b)
{
	return strcmp(((const struct source_caller *)a)->name,
		      ((const struct source_caller *)b)->name);
}

static void source_callers_add(struct source_callers *callers, const struct btf *btf,
			       const struct btf_type *function)
{
	struct source_caller *grown;

	/* Double the memory whenever the number reaches a power of 2. */
	if (!(callers->num & (callers->num - 1))) {
		grown = reallocarray(callers->caller, callers->num ? 2 * callers->num : 1,
				     sizeof(*grown));
		if (!grown)
			return;
		callers->caller = grown;
	}
	callers->caller[callers->num++] = (struct source_caller){
		.name = btf__name_by_offset(btf, function->name_off) + strlen(CALLER_PREFIX),
		.prototype = btf__type_by_id(btf, function->type),
	};
}

static void source_callers_find(struct source_callers *callers, const struct btf *btf,
				const struct btf *base)
{
	for (uint32_t id = base ? btf__type_cnt(base) : 1; id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);

		if (btf_kind(type) == BTF_KIND_FUNC &&
		    !strncmp(btf__name_by_offset(btf, type->name_off), CALLER_PREFIX,
			     strlen(CALLER_PREFIX)))
			source_callers_add(callers, btf, type);
	}
	if (callers->num)
		qsort(callers->caller, callers->num, sizeof(*callers->caller),
		      source_caller_compare);
}

/*
 * Get the prototype of a tracepoint from its typedef, and the names of its arguments from the
 * function that calls its probes.
 */
static bool source_prototype(const struct btf *btf, const struct source_callers *callers,
			     const struct btf_type *type, struct btf_prototype *prototype)
{
	const char *name = btf__name_by_offset(btf, type->name_off) + strlen(TRACEPOINT_PREFIX);
	const struct source_caller key = { .name = name };
	const struct source_caller *caller = NULL;

	type = source_probe(btf, type);
	if (!type)
		return false;
	if (callers->num)
		caller = bsearch(&key, callers->caller, callers->num, sizeof(key),
				 source_caller_compare);
	if (caller && btf_is_func_proto(caller->prototype) &&
	    btf_vlen(caller->prototype) == btf_vlen(type))
		type = caller->prototype;
	*prototype = (struct btf_prototype){ .btf = btf, .type = type, .first = 1, .name = name };
	return true;
}

static int source_visit_in(const struct btf *btf, const struct btf *base, const char *module,
			   btf_visit visit, void *ctx)
{
	struct source_callers callers = { 0 };
	struct btf_prototype prototype;
	int ret = 0;

	source_callers_find(&callers, btf, base);
	for (uint32_t id = base ? btf__type_cnt(base) : 1; !ret && id < btf__type_cnt(btf); id++) {
		const struct btf_type *type = btf__type_by_id(btf, id);
		const char *name = btf__name_by_offset(btf, type->name_off);

		if (btf_kind(type) == BTF_KIND_TYPEDEF &&
		    !strncmp(name, TRACEPOINT_PREFIX, strlen(TRACEPOINT_PREFIX)) &&
		    source_prototype(btf, &callers, type, &prototype))
			ret = visit(ctx, module, &prototype);
	}
	free(callers.caller);
	return ret;
}

/**
 * btf_source_each() - call a function for each tracepoint
 * @source: source; it has been opened
 * @visit: called with the name of the module, or NULL. Its first result other than 0 ends the search
 * @ctx: passed to @visit
 *
 * Return: the result of @visit that ended the search; 0 if no result did.
 */
int btf_source_each(struct btf_source *source, btf_visit visit, void *ctx)
{
	int ret = source_visit_in(source->base, NULL, NULL, visit, ctx);

	if (!ret)
		source_add_modules(source);
	for (size_t i = 0; !ret && i < source->modules; i++)
		ret = source_visit_in(source->module[i].btf, source->base, source->module[i].name,
				      visit, ctx);
	return ret;
}

struct source_search {
	const char *name;
	struct btf_prototype *found;
};

static int source_compare(void *ctx, const char *module, const struct btf_prototype *prototype)
{
	struct source_search *search = ctx;

	(void)module;
	if (strcmp(prototype->name, search->name))
		return 0;
	*search->found = *prototype;
	return 1;
}

/**
 * btf_source_tracepoint() - find a tracepoint
 * @source: source; it has been opened
 * @name: name of the tracepoint, without its system
 * @prototype: receives its arguments
 *
 * Return: whether the kernel or a loaded module has this tracepoint.
 */
bool btf_source_tracepoint(struct btf_source *source, const char *name,
			   struct btf_prototype *prototype)
{
	struct source_search search = { .name = name, .found = prototype };

	return btf_source_each(source, source_compare, &search);
}

/**
 * btf_source_function() - find a function
 * @source: source; it has been opened
 * @module: name of its module; NULL: any, or none
 * @name: name of the function
 * @prototype: receives its arguments
 *
 * Return: whether the function is in the BTF. Functions that the compiler does not call in the
 * standard way are not in the BTF.
 */
bool btf_source_function(struct btf_source *source, const char *module, const char *name,
			 struct btf_prototype *prototype)
{
	if (!module && source_function_in(source->base, NULL, name, prototype))
		return true;
	source_add_modules(source);
	for (size_t i = 0; i < source->modules; i++)
		if ((!module || !strcmp(source->module[i].name, module)) &&
		    source_function_in(source->module[i].btf, source->base, name, prototype))
			return true;
	return false;
}
