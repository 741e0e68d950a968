// SPDX-License-Identifier: GPL-2.0
/* The command lkstbuf create. */
#include <stdio.h>
#include <stdlib.h>

#include "buffer.h"
#include "cli/command.h"
#include "cli/options.h"
#include "lib/base/cpuset.h"
#include "lib/device/device.h"

struct create_arguments {
	int64_t cpu;
	int64_t id;
	int64_t next;
	uint64_t size;
};

static const struct option_row rows[] = {
	OPT_SIZE('s', "size", "SIZE", struct create_arguments, size, LKST_BUFFER_SIZE_LEAST,
		 LKST_BUFFER_SIZE_MOST, "buffer size",
		 "bytes of records, 64 for each; K, M or G may follow, as in 2M"),
	OPT_NUMBER('c', "cpu", "CPU", struct create_arguments, cpu, 0, INT32_MAX, "CPU",
		   "CPU that records there; default: a buffer for each\nonline CPU"),
	OPT_NUMBER('b', "buffer", "ID", struct create_arguments, id, 0, LKST_BUFFER_ID_MAX,
		   "buffer id", "its id; default, and always without -c: the lowest free\nid"),
	OPT_NUMBER('n', "next", "ID", struct create_arguments, next, 0, LKST_BUFFER_ID_MAX,
		   "next buffer id", "buffer that a shift continues in; default: none"),
};

static const struct syntax syntax = {
	.usage = "-s SIZE [-c CPU [-b ID]] [-n ID]",
	.about = "Create a kernel event buffer. Nothing is recorded in it until a shift or jump\n"
		 "leads to it.\n",
	SYNTAX_ROWS(rows),
};

/* Print which CPUs got the buffer: the CPU given with -c or, without -c, all online CPUs. */
static void buffer_create_report(struct lkst_device *dev, const struct lkst_buffer_param *param)
{
	char where[256] = "all CPUs that are online";
	struct lkst_status status;

	if (param->cpu >= 0) {
		snprintf(where, sizeof(where), "CPU %d", param->cpu);
	} else if (!lkst_status_get(dev, &status, NULL)) {
		lkst_cpu_set_text(status.online, (size_t)status.trc.online_cpu_len * 8, where,
				  sizeof(where));
		lkst_status_free(&status);
	}
	printf("%s: buffer %d created, %llu bytes\n", where, param->id,
	       (unsigned long long)param->result_size);
}

int buffer_create(int argc, char **argv)
{
	struct create_arguments args = { .cpu = -1, .id = -1, .next = -1 };
	struct lkst_buffer_param param;
	struct lkst_device *dev;
	struct lkst_error err;
	int ret;

	if (arguments(&syntax, argc, argv, &args) == OPTION_STOP)
		return option_status;
	if (!args.size)
		return usage("-s is missing (the size of the buffer: -s 2M)");
	if (args.cpu < 0 && args.id >= 0) {
		print_note("-b is ignored without -c: the buffers for all CPUs get a free id");
		args.id = -1;
	}
	param = (struct lkst_buffer_param){
		.cpu = (int32_t)args.cpu,
		.id = args.id < 0 ? LKST_BUFFER_ID_VOID : (lkst_buffer_id)args.id,
		.next = args.next < 0 ? LKST_BUFFER_ID_VOID : (lkst_buffer_id)args.next,
		.size = args.size,
	};
	dev = lkst_device_open(&err);
	if (!dev)
		return fail(&err);
	ret = lkst_buffer_create(dev, &param, &err);
	if (!ret)
		buffer_create_report(dev, &param);
	lkst_device_close(dev);
	return ret ? fail(&err) : EXIT_SUCCESS;
}
