# SPDX-License-Identifier: GPL-2.0
# Reads the output of bench/workload-guest: round, tracer, instructions, events. Round 0 is ignored.
# Sets these variables:
#   rounds                  number of rounds
#   plain                   instructions without a tracer
#   events[ROUND, TRACER]   recorded events
#   extra[ROUND, TRACER]    instructions that the tracer adds

# Returns the median of a tracer's values. Sets "least" and "most" to the smallest and the largest
# of these values.
function middle(tracer, value,    n, r, at, sorted) {
	for (r = 1; r <= rounds; r++) {
		for (at = ++n; at > 1 && sorted[at - 1] > value[r, tracer]; at--)
			sorted[at] = sorted[at - 1]
		sorted[at] = value[r, tracer]
	}
	least = sorted[1]
	most = sorted[n]
	return sorted[int((n + 1) / 2)]
}

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
	tracers[$2]
}

END {
	if (!rounds) {
		print "nothing was measured" >"/dev/stderr"
		exit 1
	}
	plain = middle("off", taken)
	for (r = 1; r <= rounds; r++)
		for (tracer in tracers)
			extra[r, tracer] = taken[r, tracer] - plain
	differ = middle("same", events) / middle("ftrace", events) - 1
	if (differ > 0.03 || differ < -0.03) {
		printf "%s: LKST has recorded %d events, ftrace %d: too different to compare\n", what, middle("same", events),
			middle("ftrace", events) >"/dev/stderr"
		exit 1
	}
	OFS = "|"
}
