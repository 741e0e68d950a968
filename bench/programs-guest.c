// SPDX-License-Identifier: GPL-2.0
/*
 * The measurement of bench/programs, in a VM whose clock counts instructions. Prints a line for
 * each measurement: its name, and the instructions of one event. The instructions of an empty loop
 * are subtracted. The value comes from the sample with the fewest instructions.
 */
#include <fcntl.h>
#include <lkst/event.h>

#include "loads.h"
#include "programs/user.h"
#include "tracers.h"

#define SAMPLES	   201
#define WARM_UPS   4
#define ITERATIONS 1000 /* number in a sample, which must be shorter than the timer interval */
#define KERNEL	   "/sys/kernel/tracing/user_events_data"

static struct {
	uint32_t index;
	uint64_t value;
} __attribute__((__packed__)) event = { .value = 1 };

static int fd; /* the file to which run_write() writes */
static uint32_t word; /* its bit 0 is set while the event is on */

/* Returns the result of write(), or -errno. */
static long write_event(void)
{
	long result;

	asm volatile("syscall"
		     : "=a"(result)
		     : "0"(SYS_write), "D"((long)fd), "S"(&event), "d"(sizeof(event))
		     : "rcx", "r11", "memory");
	return result;
}

static void run_nothing(void)
{
	for (unsigned int i = 0; i < ITERATIONS; i++)
		asm volatile("" : "+r"(i));
}

static void run_write(void)
{
	for (unsigned int i = 0; i < ITERATIONS; i++) {
		asm volatile("" : "+r"(i));
		write_event();
	}
}

/* Tests the word and writes the event directly, as a program without LKST_EVENT() does. */
static void run_test(void)
{
	for (unsigned int i = 0; i < ITERATIONS; i++) {
		asm volatile("" : "+r"(i));
		if (__builtin_expect(__atomic_load_n(&word, __ATOMIC_RELAXED), 0))
			write_event();
	}
}

static void run_event(void)
{
	for (unsigned int i = 0; i < ITERATIONS; i++) {
		asm volatile("" : "+r"(i));
		LKST_EVENT(bench_event, "value=%llu", (unsigned long long)i);
	}
}

static uint64_t in_lkst(void)
{
	return cpu_recid(0);
}

/*
 * Measures @run. If @recorded is not NULL, it returns the number of events recorded so far, and
 * each iteration must record @expected events.
 */
static void measure(const char *name, void (*run)(void), uint64_t (*recorded)(void),
		    unsigned int expected)
{
	static uint64_t loop; /* instructions of the empty loop, which is measured first */
	uint64_t best = UINT64_MAX, best_recorded = 0, before, took, count = 0;

	for (unsigned int i = 0; i < WARM_UPS + SAMPLES; i++) {
		if (recorded)
			count = recorded();
		before = instructions();
		run();
		took = instructions() - before;
		if (recorded)
			count = recorded() - count;
		if (i >= WARM_UPS && took < best) {
			best = took;
			best_recorded = count;
		}
	}
	if (recorded && best_recorded != (uint64_t)expected * ITERATIONS) {
		printf("%s: %ju events were recorded instead of %u\n", name,
		       (uintmax_t)best_recorded, expected * ITERATIONS);
		exit(1);
	}
	if (run == run_nothing)
		loop = best;
	printf("%s %.3f\n", name, (double)(best - loop) / ITERATIONS);
	fflush(stdout);
}

/* Registers an event with a field of 8 bytes. From now on, run_write() records this event. */
static void use(const char *file, const char *text)
{
	struct lkst_user_reg reg = {
		.size = sizeof(reg),
		.enable_size = sizeof(word),
		.enable_addr = (uintptr_t)&word,
		.name_args = (uintptr_t)text,
	};

	word = 0;
	fd = open(file, O_RDWR);
	bail_if(fd < 0 || ioctl(fd, LKST_USER_REG, &reg), file);
	event.index = reg.write_index;
}

/* Undoes use(): unregisters the bit of the event, and closes the file. */
static void drop(void)
{
	need(user_unregister_bit(fd, &word, 0), "unregister");
	close(fd);
}

/* Checks the result of write(), and that the bit of the event is set while it is recorded. */
static void expect(long result, uint32_t bit)
{
	for (int i = 0; i < 1000 && __atomic_load_n(&word, __ATOMIC_RELAXED) != bit; i++)
		sleep_ms(10);
	if (write_event() != result || word != bit) {
		printf("write: %ld instead of %ld, and the word is %u\n", write_event(), result,
		       word);
		exit(1);
	}
}

static void record_with_lkst(void)
{
	const struct mask mask = RECORDED(USER_NEW);

	need(write_maskset(LAST_SET, "bench", &mask, 1), "MASKSET_WRITE");
	need(set_maskset(LAST_SET), "MASKSET_SET");
}

static void measure_lkst(void)
{
	use(USER_FILE, "bench_lkst u64 value");
	expect(-EBADF, 0);
	measure("lkst-test", run_test, in_lkst, 0);
	measure("lkst-off", run_write, in_lkst, 0);
	record_with_lkst();
	expect(sizeof(event), 1);
	measure("lkst-on", run_write, in_lkst, 1);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	drop();
}

static void measure_macro(void)
{
	uint64_t before;

	measure("event-off", run_event, in_lkst, 0);
	record_with_lkst();
	before = in_lkst();
	for (int i = 0; i < 1000 && in_lkst() == before; i++) {
		sleep_ms(10);
		run_event();
	}
	measure("event-on", run_event, in_lkst, 1);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
}

static void measure_kernel(void)
{
	use(KERNEL, "bench_kernel u64 value");
	expect(-EBADF, 0);
	measure("kernel-off", run_write, ftrace_tracer.recorded, 0);
	write_tracefs("1", "events/user_events/bench_kernel/enable");
	expect(sizeof(event), 1);
	measure("kernel-on", run_write, ftrace_tracer.recorded, 1);
	write_tracefs("0", "events/user_events/bench_kernel/enable");
	drop();
}

int main(void)
{
	open_lkst();
	pin(0);
	need(set_maskset(LKST_MASKSET_ID_RNOTHING), "MASKSET_SET");
	measure("nothing", run_nothing, NULL, 0);
	fd = open("/dev/null", O_WRONLY);
	bail_if(fd < 0, "/dev/null");
	measure("null", run_write, NULL, 0);
	close(fd);
	measure_macro();
	measure_lkst();
	measure_kernel();
	return 0;
}
