// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzzes the analyses report, why, diff and html of lkstla with damaged traces, after the checksums
 * of the traces have been corrected. The size of the input chooses the analysis and its options.
 * All thresholds are low, so that nearly everything in the trace is a finding or a change.
 */
#include <stdio.h>

#include "command_main.h"
#include "fuzz.h"

#define T "--threshold"
#define LOW                                                                                    \
	T, "cpu-wait=1ns", T, "irqs-off=1ns", T, "irq-long=1ns", T, "softirq-long=1ns", T,     \
		"timer-late=1ns", T, "block-slow=1ns", T, "lock-wait=1ns", T, "d-wait=1ns", T, \
		"call-slow=1ns", T, "errors=1", T, "drops=1", T, "mem-grew=1"
#define ALL "--any", "--change", "1", "--worth", "1ns", "--confidence", "1"

/* "A" is the trace, and "B" a part of it. */
static const char *const commands[][36] = {
	{ "report", "-f", "A", "--any", LOW },
	{ "report", "-f", "A", "--any", "--json", LOW },
	{ "report", "-f", "A", "-f", "B", "--csv", LOW },
	{ "report", "-f", "A", "--last", "1ms" },
	{ "report", "-f", "A", "-p", "100,101", "--children", LOW },
	{ "why", "-f", "A", "--any", "--slowest", "30", "--depth", "32", "--segments", "1000" },
	{ "why", "-f", "A", "--any", "--slowest", "30", "--json" },
	{ "why", "-f", "A", "--since", "+10us", "--until", "-10us", "--csv" },
	{ "why", "-f", "A", "--any", "--at", "+20us" },
	{ "diff", "A", "B", ALL },
	{ "diff", "B", "A", ALL, "--all", "--json" },
	{ "diff", "A", "A", "--any", "--all", "--csv" },
	{ "html", "-f", "A", "--any", "-o", "/dev/null" },
	{ "html", "-f", "A", "-f", "B", "-o", "-", "-p", "100,101", "--slowest", "1000" },
	{ "report", "--html", "/dev/null", "-f", "A", "--any", LOW },
};

#define COMMANDS (sizeof(commands) / sizeof(*commands))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const *command = commands[size % COMMANDS];
	int fd[2] = { signed_file(data, size), signed_file(data, size - size / 3) };
	char path[2][32];
	const char *words[36 + 1] = { NULL };

	for (int i = 0; i < 2; i++)
		snprintf(path[i], sizeof(path[i]), "/proc/self/fd/%d", fd[i]);
	for (int i = 0; command[i]; i++) {
		words[i] = command[i];
		if (command[i][0] == 'A' || command[i][0] == 'B')
			words[i] = path[command[i][0] == 'B'];
	}
	run_lkstla(words, NULL);
	close(fd[0]);
	close(fd[1]);
	return 0;
}
