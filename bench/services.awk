# SPDX-License-Identifier: GPL-2.0
# Prints the rows of a service, for row() of bench/common.sh, with | between the fields. Runs after
# bench/rounds.awk. The variable "what" contains the name of the service, "requests" the number of
# requests that it answers (0: it is not a service), and "goal", if set, the limit for the default
# maskset in percent.

function percent(tracer) { return sprintf("%.2f", middle(tracer, extra) / plain * 100) }

function per_request(tracer) { return sprintf("%.1f", middle(tracer, events) / requests) }

END {
	size = sprintf("%.1f million instructions", plain / 1e6)
	if (requests)
		size = sprintf("%.0f instructions for each request", plain / requests)
	note = sprintf("%s: without a tracer %s; LKST's default maskset adds %s", what, size, sentence("default"))
	print what ", default maskset", "% more", percent("default"), "", "", goal ? "lkst<=" goal : "", note
	print what ", all events", "% more", percent("all"), "", "", "", sprintf("%s: LKST's maskset all adds %s", what, sentence("all"))
	print what ", same events", "% more", percent("same"), "ftrace", percent("ftrace"), "peer/lkst>=5",
		sprintf("%s: LKST adds %s; ftrace %s", what, sentence("same"), sentence("ftrace"))
	if (requests) {
		print what ", default maskset", "events/request", per_request("default"), "", "", "", ""
		print what ", all events", "events/request", per_request("all"), "", "", "", ""
		print what ", same events", "events/request", per_request("same"), "ftrace", per_request("ftrace"), "", ""
	}
}
