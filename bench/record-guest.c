// SPDX-License-Identifier: GPL-2.0
/*
 * The measurement of bench/record, in a VM whose clock counts instructions: record-guest TRACER...
 * prints a line for each tracer and each set of events that the tracer records:
 *
 *	LOAD EVENTS TRACER OFF ON RECORDED
 *
 * OFF and ON are the instructions of an iteration without and with the tracer, each from the sample
 * with the fewest instructions. RECORDED is the number of events that the tracer recorded per
 * iteration in the sample of ON. It must be equal to the number of events that occurred. For LTTng
 * it is the number of bytes, which must not be 0.
 */
#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

#include "loads.h"
#include "tap.h"
#include "tracers.h"

#define SAMPLES	 201
#define WARM_UPS 4

#define PARAMETERS "/sys/module/record_hook/parameters/"

struct load {
	const char *name;
	unsigned int
		iterations; /* number in a sample, which must be shorter than the timer interval */
	unsigned int events; /* number of events in an iteration */
	void (*run)(unsigned int iterations);
	uint64_t (*count)(void);
};

static void run_hook(unsigned int iterations)
{
	static int fd = -1;
	char text[16];

	if (fd < 0)
		fd = open(PARAMETERS "records", O_WRONLY);
	snprintf(text, sizeof(text), "%u", iterations);
	if (write(fd, text, strlen(text)) < 0)
		bail_out(PARAMETERS "records");
}

/* Returns the number of instructions that the loop with the hook has executed so far. */
static uint64_t hook_instructions(void)
{
	char text[32] = "";
	int fd = open(PARAMETERS "instructions", O_RDONLY);

	if (fd < 0 || read(fd, text, sizeof(text) - 1) < 0)
		bail_out(PARAMETERS "instructions");
	close(fd);
	return strtoull(text, NULL, 10);
}

static const struct load hook = { "hook", 1000, 1, run_hook, hook_instructions };
static const struct load getppid_load = { "getppid", 1000, 2, run_getppid, instructions };
static const struct load pingpong = { "pingpong", 64, 2, run_pingpong, instructions };

static const struct {
	const struct load *load;
	enum events events;
	const char *events_name;
	const struct tracer *tracer;
} rows[] = {
	{ &hook, EVENTS_HOOK, "hook", &lkst_tracer },
	{ &hook, EVENTS_RULE_1, "rule-1", &lkst_tracer },
	{ &hook, EVENTS_RULE_2, "rule-2", &lkst_tracer },
	{ &hook, EVENTS_RULE_3, "rule-3", &lkst_tracer },
	{ &getppid_load, EVENTS_GETPPID, "getppid", &lkst_tracer },
	{ &getppid_load, EVENTS_WATCH, "watch", &lkst_tracer },
	{ &getppid_load, EVENTS_GETPPID, "getppid", &ftrace_tracer },
	{ &getppid_load, EVENTS_SYSCALLS, "syscalls", &ftrace_tracer },
	{ &getppid_load, EVENTS_GETPPID, "getppid", &perf_tracer },
	{ &getppid_load, EVENTS_SYSCALLS, "syscalls", &perf_tracer },
	{ &getppid_load, EVENTS_GETPPID, "getppid", &lttng_tracer },
	{ &pingpong, EVENTS_SWITCH, "switch", &lkst_tracer },
	{ &pingpong, EVENTS_SWITCH, "switch", &ftrace_tracer },
	{ &pingpong, EVENTS_SWITCH, "switch", &perf_tracer },
	{ &pingpong, EVENTS_SWITCH, "switch", &lttng_tracer },
};

static uint64_t recorded(const struct tracer *tracer)
{
	return tracer ? tracer->recorded() : 0;
}

/* A sample. least() returns the one with the fewest instructions, which contains no interrupt. */
struct sample {
	uint64_t instructions;
	uint64_t recorded;
};

static struct sample least(const struct load *load, const struct tracer *tracer)
{
	struct sample best = { UINT64_MAX };
	uint64_t own, before;
	unsigned int i;

	for (i = 0; i < WARM_UPS; i++)
		load->run(load->iterations);
	recorded(tracer);
	before = recorded(tracer);
	own = recorded(tracer) - before; /* recorded() makes system calls, which are events */
	for (i = 0; i < SAMPLES; i++) {
		struct sample sample = { .recorded = recorded(tracer) };

		before = load->count();
		load->run(load->iterations);
		sample.instructions = load->count() - before;
		sample.recorded = recorded(tracer) - sample.recorded - own;
		if (sample.instructions < best.instructions)
			best = sample;
	}
	return best;
}

static void measure(const struct load *load, enum events events, const char *events_name,
		    const struct tracer *tracer)
{
	double each = load->iterations;
	struct sample off = least(load, NULL), on;

	tracer->on(events);
	on = least(load, tracer);
	tracer->off();
	if (tracer->in_bytes ? !on.recorded : on.recorded != load->iterations * load->events) {
		printf("%s: recorded %ju of %u events of %s\n", tracer->name,
		       (uintmax_t)on.recorded, load->iterations * load->events, load->name);
		exit(1);
	}
	printf("%s %s %s %.3f %.3f %.3f\n", load->name, events_name, tracer->name,
	       off.instructions / each, on.instructions / each, on.recorded / each);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	unsigned int i;
	int arg;

	pingpong_begin();
	for (arg = 1; arg < argc; arg++)
		for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			if (rows[i].tracer && !strcmp(rows[i].tracer->name, argv[arg]))
				measure(rows[i].load, rows[i].events, rows[i].events_name,
					rows[i].tracer);
	return 0;
}
