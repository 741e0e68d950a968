# SPDX-License-Identifier: GPL-2.0
# Prints the rows of a workload, for row() of bench/common.sh, with | between the fields. The input
# is the output of bench/workload-guest: round, tracer, instructions, events. Round 0 is ignored.
# The variable "what" contains the name of the workload. Fails if the numbers of events that LKST
# and ftrace recorded differ by more than 3 %.

function middle(tracer, value,    n, r, s, at, sorted) {
	for (r = 1; r <= rounds; r++) {
		for (at = ++n; at > 1 && sorted[at - 1] > value[r, tracer]; at--)
			sorted[at] = sorted[at - 1]
		sorted[at] = value[r, tracer]
	}
	least = sorted[1]
	most = sorted[n]
	return sorted[int((n + 1) / 2)]
}

function thousands(n) { return sprintf("%.1f", n / 1000) }

# Returns a string with the number of events that the tracer recorded, and the instructions that the
# tracer adds for each event.
function sentence(tracer,    added, recorded) {
	recorded = middle(tracer, events)
	added = middle(tracer, extra)
	return sprintf("%d events, %.0f instructions each (median, +-%.1f %%)", recorded, added / recorded,
		(most - least) / 2 / added * 100)
}

$1 > 0 {
	rounds = $1
	taken[$1, $2] = $3
	events[$1, $2] = $4
}

END {
	if (!rounds) {
		print "nothing was measured" >"/dev/stderr"
		exit 1
	}
	plain = middle("off", taken)
	for (r = 1; r <= rounds; r++) {
		extra[r, "lkst"] = taken[r, "lkst"] - plain
		extra[r, "ftrace"] = taken[r, "ftrace"] - plain
		extra[r, "all"] = taken[r, "all"] - plain
	}
	differ = middle("lkst", events) / middle("ftrace", events) - 1
	if (differ > 0.03 || differ < -0.03) {
		printf "%s: LKST has recorded %d events, ftrace %d: too different to compare\n", what, middle("lkst", events),
			middle("ftrace", events) >"/dev/stderr"
		exit 1
	}
	OFS = "|"
	print what ", same events", "k instructions", thousands(middle("lkst", extra)), "ftrace", thousands(middle("ftrace", extra)),
		"peer/lkst>=5", sprintf("%s: without a tracer %.1f million instructions; LKST adds %s; ftrace %s", what,
		plain / 1e6, sentence("lkst"), sentence("ftrace"))
	print what ", default maskset", "k instructions", thousands(middle("all", extra)), "", "", "",
		sprintf("%s, including events that ftrace does not have: LKST adds %s", what, sentence("all"))
}
