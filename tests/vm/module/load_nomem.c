// SPDX-License-Identifier: GPL-2.0
/*
 * Load LKST's module many times, and make a different allocation fail in each load. Either the load
 * must succeed and LKST must work, or the load must fail with ENOMEM. After a failed load, and
 * after the module is unloaded, nothing of LKST may remain in the kernel.
 */
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include <linux/lkst.h>

#include "fault.h"

#define MODULE	"/tmp/lkst.ko"

/*
 * The open module file. It stays open because opening it allocates memory, and that allocation
 * could fail, too.
 */
static int module_file;

static int load(const char *parameters)
{
	return syscall(SYS_finit_module, module_file, parameters, 0);
}

static int unload(void)
{
	return syscall(SYS_delete_module, "lkst", O_NONBLOCK);
}

static char found_line[256];

/* Whether a line of the file @path contains @word. found_line is then the first of these lines. */
static bool find_line(const char *path, const char *word)
{
	FILE *file = fopen(path, "r");
	bool found = false;

	bail_if(!file, path);
	while (!found && fgets(found_line, sizeof(found_line), file))
		found = strstr(found_line, word);
	fclose(file);
	return found;
}

static long per_cpu_memory(void)
{
	long size = -1;

	if (find_line("/proc/meminfo", "Percpu:"))
		sscanf(found_line, "Percpu: %ld", &size);
	return size;
}

/*
 * Return the path or a description of the first part of LKST that remains, or NULL if nothing
 * remains.
 */
static const char *left(void)
{
	static const char * const paths[] = {
		"/dev/lkst", "/proc/lkst_etypes", "/proc/lkst_values", "/sys/class/lkst",
		"/sys/module/lkst",
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
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

/*
 * Load the module with "off=1" while the @nth allocation fails, and unload it. Return whether the
 * load succeeded with fewer than @nth allocations.
 */
static bool loads_off(unsigned int nth)
{
	bool done;

	fault_at(nth);
	done = !load("off=1") && !fault_was_reached();
	fault_at(0);
	unload();
	return done;
}

/*
 * Return one more than the number of allocations that a load with "off=1" makes. The kernel makes
 * nearly all of these for any module.
 */
static unsigned int others_allocations(void)
{
	unsigned int low = 0, high = 1, middle;

	while (!loads_off(high)) {
		low = high;
		high *= 2;
		bail_if(high > 1 << 20, "allocations without end");
	}
	while (high - low > 1) {
		middle = (low + high) / 2;
		if (loads_off(middle))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/* Number of failed loads, of loads that succeeded although an allocation failed, and of errors. */
static unsigned int refused, tolerated, wrong;

static void add_wrong(unsigned int nth, const char *problem, const char *why)
{
	diag("allocation %u: %s%s", nth, problem, why);
	wrong++;
}

/* Load the module while the @nth allocation fails. Return whether the load made that allocation. */
static bool load_with_fault(unsigned int nth)
{
	const char *rest;
	bool reached;
	int error;

	fault_at(nth);
	error = load("buffer_size=32K maskset=all") ? errno : 0;
	reached = fault_was_reached();
	fault_at(0);
	tolerated += !error && reached;
	refused += error != 0;
	if (error && error != ENOMEM)
		add_wrong(nth, "", strerror(error));
	if (!error && !works())
		add_wrong(nth, "it is loaded and does not work", "");
	if (!error && unload())
		add_wrong(nth, "it cannot be unloaded: ", strerror(errno));
	rest = left();
	if (rest)
		add_wrong(nth, "this is left: ", rest);
	return reached;
}

int main(void)
{
	unsigned int first, nth;
	long before;

	fault_init();
	if (!fault_possible()) {
		printf("1..0 # SKIP this kernel has no fault injection\n");
		return 0;
	}
	module_file = open(MODULE, O_RDONLY);
	bail_if(module_file < 0, MODULE);
	bail_if(unload(), "unload");
	first = others_allocations();
	/*
	 * Begin 20 allocations earlier, because the number of allocations varies from load to load.
	 */
	first = first > 20 ? first - 20 : 1;
	before = per_cpu_memory();
	for (nth = first; load_with_fault(nth) && wrong <= 20; nth++)
		;
	ok(!wrong, "after each of %u failed allocations, LKST works or nothing of it is left",
	   nth - first);
	diag("%u loads succeeded nevertheless, %u were refused", tolerated, refused);
	ok(nth - first > 50, "more than 50 of these allocations are LKST's own");
	ok(refused > 20, "more than 20 loads fail because an allocation fails");
	ok(per_cpu_memory() == before, "no per-CPU memory has leaked");
	ok(!load("buffer_size=256K") && works(), "afterwards LKST can be loaded, and works");
	return done_testing();
}
