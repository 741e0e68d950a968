# SPDX-License-Identifier: GPL-2.0
# Prints the rows of bench/masksets, for row() of bench/common.sh, with | between the fields. The
# input is the output of bench/masksets-guest in the files "swap" and "settle". The variable "cpus"
# is the number of CPUs.

function middle(list, n,    i, at, sorted) {
	for (i = 1; i <= n; i++) {
		for (at = i; at > 1 && sorted[at - 1] > list[i]; at--)
			sorted[at] = sorted[at - 1]
		sorted[at] = list[i]
	}
	return sorted[int((n + 1) / 2)]
}

function ms(ns) { return sprintf("%.3f", ns / 1e6) }

function settled(what, until,    i, list) {
	for (i = 1; i <= rounds[what]; i++)
		list[i] = took[what, until, i]
	return ms(middle(list, rounds[what]))
}

FILENAME ~ /swap$/ {
	pairs++
	old += $1
	came[pairs] = $2
	clock[pairs] = $4
	if ($2 > worst)
		worst = $2
}

FILENAME ~ /settle$/ {
	i = ++rounds[$1]
	took[$1, "switched", i] = $2
	took[$1, "returned", i] = $3
}

END {
	OFS = "|"
	print "a switch takes effect", "events", middle(came, pairs), "", "", "lkst<=100", sprintf("%d switches, %d CPUs that record: " \
		"the median of the events on a CPU until it records with the new maskset; maximum %d, because the emulated CPU that " \
		"switches waits for a CPU of the host; %d events recorded with the old maskset after the switch; median time %s ms",
		pairs / cpus, cpus, worst, old, ms(middle(clock, pairs)))
	print "default to all, the events that ftrace has: sources on", "ms", settled("same-on", "switched"),
		"ftrace", settled("ftrace-on", "switched"), "peer/lkst>=1"
	print "and back: sources off", "ms", settled("same-off", "switched"), "ftrace", settled("ftrace-off", "switched"), "peer/lkst>=1"
	also = "for information: includes all of LKST's own hooks, for which ftrace has no events"
	print "default to all, all events: sources on", "ms", settled("all-on", "switched"), "ftrace", settled("ftrace-on", "switched"), "", also
	print "and back, all events: sources off", "ms", settled("all-off", "switched"), "ftrace", settled("ftrace-off", "switched"), "", also
	waits = "LKST's call returns when no masked event is in progress; ftrace does not wait for this"
	print "default to all: the call returns", "ms", settled("all-on", "returned"), "", "", "", waits
	print "and back: the call returns", "ms", settled("all-off", "returned"), "", "", "", waits
}
