// SPDX-License-Identifier: LGPL-2.1
/*
 * Functions of lkst.h that LKST's own commands rarely need: accessors for private structures, and
 * constructors of objects that the commands declare as variables. The functions are documented in
 * lkst.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/temporary.h"
#include "lib/base/version.h"
#include "lib/live/capture.h"
#include "lib/text/classes.h"
#include "lib/text/context.h"
#include "lib/text/etypes.h"
#include "lib/text/files.h"
#include "lib/text/filter.h"
#include "lib/text/format.h"
#include "lib/text/names.h"
#include "lib/text/out.h"
#include "lib/trace/write.h"

const char *lkst_library_version(void)
{
	return LKST_TOOLS_VERSION;
}

const struct lkst_etype *lkst_etypes_get(const struct lkst_etypes *types, uint32_t number)
{
	return lkst_etype(types, number);
}

const char *lkst_etype_name(const struct lkst_etype *type)
{
	return type->name;
}

const char *lkst_etype_mnemonic(const struct lkst_etype *type)
{
	return type->mnemonic;
}

bool lkst_etype_present(const struct lkst_etype *type)
{
	return type->present;
}

const char *lkst_etype_arg(const struct lkst_etype *type, unsigned int arg)
{
	return arg < 4 && type->arg[arg] ? type->arg[arg] : "";
}

const char *lkst_class_name(uint32_t event_type)
{
	const struct lkst_class *class = lkst_class_of(event_type);

	return class ? class->name : "";
}

const char *lkst_process_name(const struct lkst_context *context, const struct lkst_event *event)
{
	if (!event->tid)
		return "swapper";
	return lkst_names_get(context->names, event->tid, event->time_ns);
}

const char *lkst_process_command(const struct lkst_context *context, const struct lkst_event *event)
{
	return lkst_files_command(context->files, event, event->tgid);
}

const char *lkst_process_file(const struct lkst_context *context, const struct lkst_event *event,
			      uint32_t fd)
{
	return lkst_files_name(context->files, event, event->tgid, fd);
}

/* Copy the kernel's buffers to an unnamed temporary file. Returns its descriptor; -1 on error. */
static int public_capture(struct lkst_device *dev, int32_t cpu,
			  const struct lkst_trace_hooks *hooks, struct lkst_error *err)
{
	unsigned long flags = hooks ? hooks->flags : 0;
	struct lkst_capture options = {
		.cpu = cpu,
		.id = -1,
		.no_long_rings = !(flags & LKST_TRACE_LONG_RINGS),
		.no_history = flags & (LKST_TRACE_LONG_RINGS | LKST_TRACE_NO_HISTORY),
		.notice = hooks ? hooks->report : NULL,
		.progress = hooks ? hooks->progress : NULL,
		.ctx = hooks ? hooks->ctx : NULL,
	};
	struct lkst_trace_writer *writer;
	int fd = lkst_temporary_file(err);

	if (fd < 0)
		return -1;
	writer = lkst_trace_writer_temporary(fd, err);
	if (!writer)
		goto bad;
	if (lkst_capture(dev, &options, writer, err)) {
		lkst_trace_writer_abort(writer);
		goto bad;
	}
	if (lkst_trace_writer_commit(writer, err))
		goto bad;
	return fd;

bad:
	close(fd);
	return -1;
}

struct lkst_trace *lkst_trace_open_kernel(struct lkst_device *dev, int32_t cpu,
					  const struct lkst_trace_hooks *hooks,
					  struct lkst_error *err)
{
	struct lkst_trace *trace;
	char path[40];
	int fd = public_capture(dev, cpu, hooks, err);

	if (fd < 0)
		return NULL;
	/* Open the file by name, so that lkst_trace_close() closes it. */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	trace = lkst_trace_open(path, hooks, err);
	close(fd);
	return trace;
}

struct lkst_filter *lkst_filter_new(struct lkst_error *err)
{
	struct lkst_filter *filter = malloc(sizeof(*filter));

	if (filter)
		lkst_filter_init(filter);
	else
		lkst_error_memory(err, "the event filter");
	return filter;
}

bool lkst_filter_matches(const struct lkst_filter *filter, const struct lkst_event *event)
{
	return lkst_filter_shows_event(filter, event);
}

void lkst_filter_free(struct lkst_filter *filter)
{
	free(filter);
}

struct lkst_printer {
	struct lkst_out out; /* never flushed: each line starts at the beginning of the buffer */
	struct lkst_format format;
	bool csv;
};

struct lkst_printer *lkst_printer_new(unsigned int flags, struct lkst_error *err)
{
	const struct lkst_format_options opt = {
		.verbose = flags & LKST_PRINT_VERBOSE,
		.color = flags & LKST_PRINT_COLOR,
		.epoch = flags & LKST_PRINT_EPOCH,
	};
	struct lkst_printer *printer = calloc(1, sizeof(*printer));

	if (!printer) {
		lkst_error_memory(err, "the output");
		return NULL;
	}
	if (lkst_out_open(&printer->out, -1, err)) {
		free(printer);
		return NULL;
	}
	printer->csv = flags & LKST_PRINT_CSV;
	lkst_format_init(&printer->format, &printer->out, NULL, NULL, &opt);
	return printer;
}

const char *lkst_printer_line(struct lkst_printer *printer, const struct lkst_etypes *types,
			      const struct lkst_context *context, const struct lkst_event *event)
{
	printer->format.types = types;
	printer->format.context = context;
	printer->out.len = 0;
	if (printer->csv)
		lkst_format_csv(&printer->format, event);
	else
		lkst_format_event(&printer->format, event);
	printer->out.buf[printer->out.len] = '\0';
	return printer->out.buf;
}

void lkst_printer_free(struct lkst_printer *printer)
{
	if (!printer)
		return;
	lkst_out_close(&printer->out);
	free(printer);
}
