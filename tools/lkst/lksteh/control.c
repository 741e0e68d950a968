// SPDX-License-Identifier: GPL-2.0
/* lksteh control: call the control function of an event handler. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command.h"
#include "cli/options.h"
#include "evhandler.h"
#include "lib/base/error.h"
#include "lib/text/parse.h"
#include "messages.h"

/* The argument of -v that selects the number @none of struct value_handler. */
#define VALUE_NONE "none"

struct control_args {
	const char *handler;
	const char *in;
	const char *out;
	const char *value;
	uint64_t size;
};

/**
 * struct area - the data that the control function reads and writes
 * @size: size of the data in bytes; 0: no data is passed
 * @data: the data, which the control function may change
 * @before: copy of @data from before the call
 */
struct area {
	size_t size;
	unsigned char data[LKST_EVHANDLER_CTRL_SIZE_MAX + 1];
	unsigned char before[LKST_EVHANDLER_CTRL_SIZE_MAX];
};

static bool evhandler_is_standard(const char *file)
{
	return !strcmp(file, "-");
}

/*
 * Read the file into the area. The area has room for one byte more than the limit, so that a larger
 * file is detected.
 */
static int evhandler_fill_area(const struct control_args *args, struct area *area,
			       struct lkst_error *err)
{
	const char *name = evhandler_is_standard(args->in) ? "standard input" : args->in;
	FILE *from = evhandler_is_standard(args->in) ? stdin : fopen(args->in, "re");
	int failed;

	if (!from) {
		lkst_error_system(err, errno, name, "open");
		return -1;
	}
	errno = 0;
	area->size = fread(area->data, 1, sizeof(area->data), from);
	failed = ferror(from) ? errno : 0;
	if (from != stdin)
		fclose(from);
	if (failed)
		lkst_error_system(err, failed, name, "read");
	else if (area->size > LKST_EVHANDLER_CTRL_SIZE_MAX)
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_CTRL_FILE, name,
			       LKST_EVHANDLER_CTRL_SIZE_MAX);
	else if (args->size && area->size > args->size)
		lkst_error_set(err, LKST_ERR_FORMAT, MSG_CTRL_FILE_SIZE, name, area->size,
			       (unsigned long long)args->size);
	else
		return 0;
	return -1;
}

static int evhandler_make_area(const struct control_args *args, struct area *area,
			       struct lkst_error *err)
{
	if (args->in && evhandler_fill_area(args, area, err))
		return -1;
	if (args->size)
		area->size = args->size;
	memcpy(area->before, area->data, area->size);
	return 0;
}

static lkst_evhandler_id evhandler_find_handler(struct lkst_device *dev, const char *word,
						struct lkst_error *err)
{
	struct lkst_evhandler_list handlers;
	lkst_evhandler_id id;

	if (lkst_evhandler_list_get(dev, &handlers, err))
		return -1;
	id = lkst_evhandler_find(&handlers, word, err);
	lkst_evhandler_list_free(&handlers);
	return id;
}

/* Print a line of a hex dump: the offset, up to 16 bytes in hexadecimal, and their characters. */
static void evhandler_print_bytes(const unsigned char *data, size_t offset, size_t num)
{
	printf("%04zx ", offset);
	for (size_t i = 0; i < 16; i++)
		if (i < num)
			printf(" %02x", data[i]);
		else
			fputs("   ", stdout);
	fputs("  ", stdout);
	for (size_t i = 0; i < num; i++)
		putchar(data[i] < 0x80 && isprint(data[i]) ? data[i] : '.');
	putchar('\n');
}

static void evhandler_print_area(const struct area *area)
{
	for (size_t i = 0; i < area->size; i += 16)
		evhandler_print_bytes(area->data + i, i, area->size - i < 16 ? area->size - i : 16);
}

static int evhandler_write_area(const struct area *area, const char *file, struct lkst_error *err)
{
	FILE *to = evhandler_is_standard(file) ? stdout : fopen(file, "we");
	bool good;

	if (!to) {
		lkst_error_system(err, errno, file, "create");
		return -1;
	}
	errno = 0;
	good = fwrite(area->data, 1, area->size, to) == area->size;
	/* Errors of standard output are reported by program_end(). */
	if (to == stdout || (!fclose(to) && good))
		return 0;
	lkst_error_system(err, errno, file, "write");
	return -1;
}

/*
 * Print the return value. Write the data to the file given with -o or, without -o, print the data
 * if it has changed. If the data is written to standard output, the return value is printed on
 * standard error.
 */
static int evhandler_show_result(const struct control_args *args, const struct area *area,
				 int result, struct lkst_error *err)
{
	fprintf(args->out && evhandler_is_standard(args->out) ? stderr : stdout, "returned %d\n",
		result);
	if (args->out)
		return evhandler_write_area(area, args->out, err);
	if (memcmp(area->before, area->data, area->size) != 0)
		evhandler_print_area(area);
	return 0;
}

/* Set @err if the control function failed. */
static int evhandler_check_result(const struct control_args *args, int result,
				  struct lkst_error *err)
{
	if (result >= 0)
		return 0;
	lkst_error_set(err, LKST_ERR_SYSTEM, MSG_CTRL_FAILED, args->handler, result,
		       strerror(-result));
	return -1;
}

static int control_data(struct lkst_device *dev, lkst_evhandler_id id,
			const struct control_args *args, struct area *area, struct lkst_error *err)
{
	int result;

	if (evhandler_make_area(args, area, err) ||
	    lkst_evhandler_ctrl(dev, id, area->size ? area->data : NULL, area->size, &result,
				err) ||
	    evhandler_show_result(args, area, result, err))
		return -1;
	return evhandler_check_result(args, result, err);
}

/**
 * struct value_handler - an event handler of LKST whose control function sets a number
 * @id: event handler
 * @max: maximum number
 * @none: number that means "none"; 0: "none" is not allowed
 */
struct value_handler {
	lkst_evhandler_id id;
	long max;
	uint32_t none;
};

static const struct value_handler value_handlers[] = {
	{ LKST_EVHANDLER_ID_STOP_AFTER, LKST_STOP_AFTER_MAX, 0 },
	{ LKST_EVHANDLER_ID_BUFFER_JUMP, LKST_BUFFER_ID_MAX, LKST_BUFFER_ID_VOID },
};

static const struct value_handler *evhandler_find_value_handler(lkst_evhandler_id id)
{
	for (size_t i = 0; i < sizeof(value_handlers) / sizeof(*value_handlers); i++)
		if (value_handlers[i].id == id)
			return &value_handlers[i];
	return NULL;
}

static int evhandler_parse_value(const struct value_handler *handler, const char *word,
				 uint32_t *value, struct lkst_error *err)
{
	long number;

	if (handler->none && !strcmp(word, VALUE_NONE)) {
		*value = handler->none;
		return 0;
	}
	if (lkst_parse_range("value", word, 0, handler->max, &number, err))
		return -1;
	*value = (uint32_t)number;
	return 0;
}

/* Set the number if -v is given. Print the number in either case. */
static int control_value(struct lkst_device *dev, const struct value_handler *handler,
			 const struct control_args *args, struct lkst_error *err)
{
	struct lkst_evhandler_value area = { .set = args->value != NULL };
	int result;

	if ((args->value && evhandler_parse_value(handler, args->value, &area.value, err)) ||
	    lkst_evhandler_ctrl(dev, handler->id, &area, sizeof(area), &result, err) ||
	    evhandler_check_result(args, result, err))
		return -1;
	if (handler->none && area.value == handler->none)
		puts(VALUE_NONE);
	else
		printf("%u\n", area.value);
	return 0;
}

static int control(const struct control_args *args, struct area *area, struct lkst_error *err)
{
	struct lkst_device *dev = lkst_device_open(err);
	const struct value_handler *handler;
	lkst_evhandler_id id;
	int ret = -1;

	if (!dev)
		return -1;
	id = evhandler_find_handler(dev, args->handler, err);
	handler = evhandler_find_value_handler(id);
	if (id >= 0 && handler && !args->in && !args->size)
		ret = control_value(dev, handler, args, err);
	else if (id >= 0 && args->value)
		lkst_error_set(err, LKST_ERR_ARGUMENT, MSG_CTRL_NO_VALUE, args->handler);
	else if (id >= 0)
		ret = control_data(dev, id, args, area, err);
	lkst_device_close(dev);
	return ret;
}

int evhandler_control(int argc, char **argv)
{
	static const struct option_row rows[] = {
		OPT_TEXT('e', NULL, "HANDLER", struct control_args, handler,
			 "event handler, id or name"),
		OPT_TEXT('f', NULL, "FILE", struct control_args, in,
			 "data for the function; \"-\": standard input; default: none"),
		OPT_SIZE('s', NULL, "SIZE", struct control_args, size, 1,
			 LKST_EVHANDLER_CTRL_SIZE_MAX, "size of the data",
			 "pass this many bytes: those of FILE, then zeros"),
		OPT_TEXT('o', NULL, "FILE", struct control_args, out,
			 "write the data to FILE after the call; \"-\": standard output"),
		OPT_TEXT('v', NULL, "NUMBER", struct control_args, value,
			 "set the number of stop_after (events), buffer_jump (buffer, none)"),
	};
	static const struct syntax syntax = {
		.usage = "-e HANDLER [-f FILE] [-s SIZE] [-o FILE]\n-e HANDLER [-v NUMBER]",
		.about =
			"Call the control function of an event handler. Print what it returned, and "
			"the\n"
			"data if the function changed it. A negative value is a failure.\n"
			"stop_after and buffer_jump have a number: show it, or set it with -v.\n",
		SYNTAX_ROWS(rows),
		.stray = "use -e HANDLER, -f FILE",
	};
	struct control_args args = { 0 };
	struct lkst_error err;
	struct area *area;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (!args.handler)
		return usage("-e is missing (the event handler)");
	if (args.value && (args.in || args.out || args.size))
		return usage("-v cannot be combined with -f, -s and -o");
	area = calloc(1, sizeof(*area));
	if (!area) {
		lkst_error_memory(&err, "the data");
		return fail(&err);
	}
	ret = control(&args, area, &err);
	free(area);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
