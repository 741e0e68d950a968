// SPDX-License-Identifier: GPL-2.0
/*
 * lksteh bpf: loads a BPF program, and makes it an event handler. The kernel keeps the program
 * until the event handler is deleted, so the command need not keep running.
 */
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "evhandler.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/device/bpf.h"
#include "messages.h"

/**
 * struct bpf_options - command line of lksteh bpf
 * @file: object file with the program
 * @name: name of the event handler; NULL: derived from the name of the file
 * @program: name of the program, or of its section; NULL: the only program
 * @actions: actions for LKST_BPF_ACT; NULL: none
 * @delete: event handler to delete, id or name
 */
struct bpf_options {
	const char *file;
	const char *name;
	const char *program;
	const char *actions;
	const char *delete;
};

/* Print the warnings of libbpf, which include the log of the kernel's verifier. */
static int bpf_print(enum libbpf_print_level level, const char *format, va_list args)
{
	return level == LIBBPF_WARN ? vfprintf(stderr, format, args) : 0;
}

/* Copy the name of the file, without its folder and without ".bpf.o" or ".o" at the end. */
static void bpf_name_of_file(const char *file, char *name, size_t size)
{
	static const char *const suffixes[] = { ".o", ".bpf" };
	const char *base = strrchr(file, '/');
	size_t len;

	base = base ? base + 1 : file;
	len = strlen(base);
	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t end = strlen(suffixes[i]);

		if (len > end && !strncmp(base + len - end, suffixes[i], end))
			len -= end;
	}
	snprintf(name, size, "%.*s", (int)len, base);
}

static bool bpf_is_wanted(const struct bpf_program *program, const char *word)
{
	return !word || !strcmp(bpf_program__name(program), word) ||
	       !strcmp(bpf_program__section_name(program), word);
}

/* Find the program that the command line names or, if it names none, the only program. */
static struct bpf_program *bpf_choose(struct bpf_object *object, const struct bpf_options *opt,
				      struct lkst_error *err)
{
	struct bpf_program *program, *found = NULL;
	size_t num = 0;

	bpf_object__for_each_program(program, object) {
		bpf_program__set_autoload(program, false);
		if (!bpf_is_wanted(program, opt->program))
			continue;
		found = program;
		num++;
	}
	if (!num && opt->program)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_BPF_NO_PROGRAM, opt->file,
			       opt->program);
	else if (!num)
		lkst_error_set(err, LKST_ERR_NOT_FOUND, MSG_BPF_EMPTY, opt->file);
	else if (num > 1)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_SEVERAL, opt->file, num);
	else if (bpf_program__type(found) != BPF_PROG_TYPE_RAW_TRACEPOINT)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_BPF_WRONG_TYPE, opt->file,
			       bpf_program__name(found),
			       libbpf_bpf_prog_type_str(bpf_program__type(found)) ?: "?");
	else
		return found;
	return NULL;
}

static int bpf_load(struct bpf_object *object, const struct bpf_options *opt,
		    struct lkst_error *err)
{
	struct bpf_program *program = bpf_choose(object, opt, err);
	int ret;

	if (!program)
		return -1;
	bpf_program__set_autoload(program, true);
	ret = bpf_object__load(object);
	if (!ret)
		return bpf_program__fd(program);
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_BPF_REFUSED, opt->file, bpf_program__name(program),
		       strerror(-ret));
	return -1;
}

static int bpf_register_with(struct lkst_device *dev, const struct bpf_options *opt,
			     struct bpf_object *object, struct lkst_error *err)
{
	struct lkst_bpf bpf = { .name = opt->name, .actions = opt->actions };
	char name[LKST_EVHANDLER_NAME_LEN * 2], shown[4 * LKST_EVHANDLER_NAME_LEN + 1];
	lkst_evhandler_id id;

	if (!bpf.name) {
		bpf_name_of_file(opt->file, name, sizeof(name));
		bpf.name = name;
	}
	bpf.fd = bpf_load(object, opt, err);
	if (bpf.fd < 0 || lkst_bpf_write(dev, &bpf, &id, err))
		return -1;
	printf("0x%03x  %s\n", (unsigned int)id,
	       lkst_printable(bpf.name, strlen(bpf.name), shown, sizeof(shown)));
	return 0;
}

static int bpf_register(const struct bpf_options *opt, struct bpf_object *object,
			struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	int ret;

	if (!dev)
		return -1;
	ret = bpf_register_with(dev, opt, object, err);
	lkst_device_close(dev);
	return ret;
}

static int bpf_add(const struct bpf_options *opt, struct lkst_error *err)
{
	struct bpf_object *object;
	int ret;

	libbpf_set_print(bpf_print);
	object = bpf_object__open_file(opt->file, NULL);
	if (!object) {
		lkst_error_system(err, errno, opt->file, "read");
		return -1;
	}
	ret = bpf_register(opt, object, err);
	bpf_object__close(object);
	return ret;
}

static int bpf_delete(const char *word, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	struct lkst_evhandler_list handlers;
	int id, ret = -1;

	if (!dev)
		return -1;
	if (!lkst_evhandler_list_get(dev, &handlers, err)) {
		id = lkst_evhandler_find(&handlers, word, err);
		lkst_evhandler_list_free(&handlers);
		if (id >= 0)
			ret = lkst_bpf_delete(dev, id, word, err);
	}
	lkst_device_close(dev);
	return ret;
}

int evhandler_bpf(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_TEXT('n', "name", "NAME", struct bpf_options, name,
			 "name of the event handler; default: that of FILE\n"
			 "A BPF program with this name is replaced"),
		OPT_TEXT('p', "program", "WORD", struct bpf_options, program,
			 "section or name of the program, if FILE has several"),
		OPT_TEXT(0, "do", "ACTIONS", struct bpf_options, actions,
			 "what to do if the program returns 2, as in \"lkstm rule\""),
		OPT_TEXT('d', "delete", "HANDLER", struct bpf_options, delete,
			 "delete this event handler, id or name"),
	};
	static const struct syntax syntax = {
		.usage = "FILE [-n NAME] [-p WORD] [--do ACTIONS]\n--delete HANDLER",
		.about = "Make a BPF program an event handler, which decides what is recorded.\n",
		SYNTAX_ROWS(rows),
		.operands = true,
		.more = "FILE is an object file with a program in the section \"raw_tp\".\n"
			"The event handler stays until it is deleted. \"lksteh list\" shows what it does.\n",
	};
	struct bpf_options opt = { 0 };
	struct lkst_error err;

	if (arguments(&syntax, argc, argv, &opt) == OPTION_STOP)
		return option_status;
	if (opt.delete && (opt.name || opt.program || opt.actions || optind < argc))
		return usage("--delete cannot be combined with FILE, -n, -p and --do");
	if (opt.delete)
		return bpf_delete(opt.delete, &err) ? fail(&err) : EXIT_SUCCESS;
	if (optind >= argc)
		return usage("FILE is missing (the object file with the program)");
	if (optind + 1 < argc)
		return usage("unexpected argument \"%s\"", argv[optind + 1]);
	opt.file = argv[optind];
	return bpf_add(&opt, &err) ? fail(&err) : EXIT_SUCCESS;
}
