// SPDX-License-Identifier: GPL-2.0
/*
 * LKST's module is loaded while memory runs out: each of the allocations that it makes fails once. It comes up or it
 * does not, and when it does not or has gone, nothing of it is left.
 */
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <linux/lkst.h>

#include "fault.h"

#define MODULE	"/tmp/lkst.ko"

/* Open all the time: opening it takes memory, too. */
static int module_file;

static int load(const char *parameters)
{
	return syscall(SYS_finit_module, module_file, parameters, 0);
}

static int unload(void)
{
	return syscall(SYS_delete_module, "lkst", O_NONBLOCK);
}

/* Whether a line of the file has the word. */
static bool find_line(const char *path, const char *word)
{
	FILE *file = fopen(path, "r");
	char line[256];
	bool found = false;

	if (!file)
		bail_out(path);
	while (!found && fgets(line, sizeof(line), file))
		found = strstr(line, word);
	fclose(file);
	return found;
}

static long per_cpu_memory(void)
{
	FILE *file = fopen("/proc/meminfo", "r");
	char line[256];
	long size = -1;

	if (!file)
		bail_out("/proc/meminfo");
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Percpu: %ld", &size) == 1)
			break;
	fclose(file);
	return size;
}

/* What is there of LKST, or NULL. */
static const char *left(void)
{
	static const char * const paths[] = {
		"/dev/lkst", "/proc/lkst_etypes", "/proc/lkst_values", "/sys/class/lkst", "/sys/module/lkst",
	};
	size_t i;

	for (i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		if (!access(paths[i], F_OK))
			return paths[i];
	if (find_line("/sys/devices/system/cpu/hotplug/states", "lkst"))
		return "a state of CPUs";
	return NULL;
}

static bool works(void)
{
	struct lkst_trc_status status = {};
	int fd = open("/dev/lkst", O_RDWR);
	bool good = fd >= 0 && !ioctl(fd, LKST_IOC_TRC_STATUS, &status);

	close(fd);
	return good;
}

/* How many allocations there are when LKST itself does nothing. */
static unsigned int others_allocations(void)
{
	unsigned int low = 0, high = 1, middle;
	bool done;

	for (;;) {
		middle = high > low + 1 && low ? (low + high) / 2 : high;
		fault_at(middle);
		done = !load("off=1") && !fault_was_reached();
		fault_at(0);
		unload();
		if (!done && middle == high) {
			low = high;
			high *= 2;
			if (high > 1 << 20)
				bail_out("allocations without an end");
			continue;
		}
		if (done)
			high = middle;
		else
			low = middle;
		if (high - low <= 1)
			return high;
	}
}

/**
 * struct tally - what came of it
 * @refused: the module did not come up
 * @made_up_for: it came up all the same
 * @wrong: neither, or not as it should
 */
struct tally {
	unsigned int refused, made_up_for, wrong;
};

/* Loads it with the @nth allocation failing. Returns whether there is an @nth. */
static bool load_with_fault(unsigned int nth, struct tally *tally)
{
	const char *rest;
	bool reached;
	int error;

	fault_at(nth);
	error = load("buffer_size=32K maskset=all") ? errno : 0;
	reached = fault_was_reached();
	fault_at(0);
	if (!error) {
		tally->made_up_for += reached;
		if (!works()) {
			diag("allocation %u: it is loaded and does not work", nth);
			tally->wrong++;
		}
		if (unload()) {
			diag("allocation %u: it cannot be unloaded: %s", nth, strerror(errno));
			tally->wrong++;
		}
	} else {
		tally->refused++;
		if (error != ENOMEM) {
			diag("allocation %u: %s", nth, strerror(error));
			tally->wrong++;
		}
	}
	rest = left();
	if (rest) {
		diag("allocation %u: %s is left", nth, rest);
		tally->wrong++;
	}
	return reached;
}

int main(void)
{
	unsigned int first, nth;
	struct tally tally = { 0 };
	long before;

	fault_init();
	if (!fault_possible()) {
		printf("1..0 # SKIP this kernel cannot let memory run out\n");
		return 0;
	}
	module_file = open(MODULE, O_RDONLY);
	if (module_file < 0)
		bail_out(MODULE);
	if (unload())
		bail_out("unload");
	first = others_allocations();
	/* They are not always as many. */
	first = first > 20 ? first - 20 : 1;
	before = per_cpu_memory();
	for (nth = first; load_with_fault(nth, &tally); nth++)
		if (tally.wrong > 20)
			break;
	ok(!tally.wrong, "each of %u allocations has failed: what it came up with works, and else nothing is left",
	   nth - first);
	diag("%u of them were made up for, %u loads were refused", tally.made_up_for, tally.refused);
	ok(nth - first > 50, "these were LKST's allocations");
	ok(tally.refused > 20, "some are needed");
	ok(per_cpu_memory() == before, "no memory of CPUs is gone");
	ok(!load("buffer_size=256K") && works(), "then it can be loaded, and works");
	return done_testing();
}
