// SPDX-License-Identifier: GPL-2.0
#include "modes.h"

/**
 * modes_total() - add up the time in all modes
 * @mode_ns: time by mode
 */
double modes_total(const double mode_ns[LKST_MODE_NUM])
{
	double all = 0;

	for (int i = 0; i < LKST_MODE_NUM; i++)
		all += mode_ns[i];
	return all;
}

/**
 * modes_print() - print a line with the share of the time in each mode
 * @mode_ns: time by mode
 * @before: start of the line
 * @between: text between two modes
 * @to: output
 *
 * A mode that is rarely used is left out if its share would be printed as 0.0 %.
 */
void modes_print(const double mode_ns[LKST_MODE_NUM], const char *before, const char *between,
		 FILE *to)
{
	static const struct {
		enum lkst_mode mode;
		const char *name;
		bool always;
	} modes[] = {
		{ LKST_MODE_USER, "user", true },	 { LKST_MODE_KERNEL, "kernel", true },
		{ LKST_MODE_THREAD, "thread", false },	 { LKST_MODE_HARDIRQ, "irq", true },
		{ LKST_MODE_SOFTIRQ, "softirq", true },	 { LKST_MODE_IDLE, "idle", true },
		{ LKST_MODE_UNKNOWN, "unknown", false },
	};
	double all = modes_total(mode_ns);

	for (size_t i = 0; i < sizeof(modes) / sizeof(*modes); i++) {
		double percent = all > 0 ? 100 * mode_ns[modes[i].mode] / all : 0;

		if (!modes[i].always && percent < 0.05)
			continue;
		fprintf(to, "%s%s %.1f %%", before, modes[i].name, percent);
		before = between;
	}
	putc('\n', to);
}
