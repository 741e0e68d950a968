# SPDX-License-Identifier: GPL-2.0
# The rows of a workload, for row of bench/common.sh, with | between the fields, from what bench/workload-guest printed: round, tracer, instructions,
# events. Variable: what, the workload's name. Round 0 does not count. Fails if the two tracers have not recorded the same.

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

# The name of the tracer, what it adds, how many events, and what that is for each.
function told(tracer,    added, recorded) {
	recorded = middle(tracer, events)
	added = middle(tracer, extra)
	return sprintf("%d events, %.0f instructions each (%.1f %% around the middle)", recorded, added / recorded,
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
		plain / 1e6, told("lkst"), told("ftrace"))
	print what ", default maskset", "k instructions", thousands(middle("all", extra)), "", "", "",
		sprintf("%s, with the events that ftrace has not: LKST adds %s", what, told("all"))
}
