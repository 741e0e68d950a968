# SPDX-License-Identifier: GPL-2.0
# Prints the rows of a workload, for row() of bench/common.sh, with | between the fields. Runs after
# bench/rounds.awk. The variable "what" contains the name of the workload.

function thousands(n) { return sprintf("%.1f", n / 1000) }

END {
	print what ", same events", "k instructions", thousands(middle("same", extra)), "ftrace", thousands(middle("ftrace", extra)),
		"peer/lkst>=5", sprintf("%s: without a tracer %.1f million instructions; LKST adds %s; ftrace %s", what,
		plain / 1e6, sentence("same"), sentence("ftrace"))
	print what ", default maskset", "k instructions", thousands(middle("default", extra)), "", "", "",
		sprintf("%s, including events that ftrace does not have: LKST adds %s", what, sentence("default"))
}
