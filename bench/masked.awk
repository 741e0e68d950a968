# SPDX-License-Identifier: GPL-2.0
# The tables of bench/masked, from what bench/workloads printed, a file for each kernel, and the file locks.
# Variables: limit in per cent, and the workloads it is for, limited.

function percent(got, want) { return (got / want - 1) * 100 }

function far(p) { return p > limit || p < -limit }

function compare(kernel, reference, name,    by_least, by_mean, bad) {
	by_least = percent(least[kernel, name], least[reference, name])
	by_mean = percent(mean[kernel, name], mean[reference, name])
	bad = index(" " limited " ", " " name " ") && (far(by_least) || far(by_mean))
	over += bad
	printf "%-9s %-38s %10.3f %+8.3f %% %10.3f %+8.3f %%%s\n", name, title[kernel], least[kernel, name], by_least,
		mean[kernel, name], by_mean, bad ? "  over the limit" : ""
}

function alone(kernel, name) {
	printf "%-9s %-38s %10.3f %10s %10.3f\n", name, title[kernel], least[kernel, name], "", mean[kernel, name]
}

# Each lock operation that is recorded once it is not masked may take one instruction more; a trylock that
# fails takes it, too, and is not recorded.
function count_no_ops(name,    extra, each, bad) {
	extra = least["lockevents", name] - least["uninlined", name] - least["nothing", name] + least["without", name]
	each = operations[name] ? extra / operations[name] : 0
	bad = operations[name] ? each < 0.9 || each > 1.02 : far(percent(least["lockevents", name], least["uninlined", name]))
	counted += operations[name]
	over += bad
	printf "%-9s %10.2f %10.2f %10.2f %12.3f %12.2f %8.3f  %s%s\n", name, least["without", name],
		least["uninlined", name], least["lockevents", name], extra, operations[name], each, types[name],
		bad ? "  not a no-op each" : ""
}

BEGIN {
	title["without"] = "without LKST"
	title["nothing"] = "LKST, nothing recorded since boot"
	title["stopped"] = "LKST, all was recorded, now stopped"
}

FNR == 1 { file = FILENAME; sub(".*/", "", file) }

file == "locks" {
	operations[$1] += $3
	if ($3 > 0)
		types[$1] = types[$1] sprintf(" %.2f %s", $3, $2)
	next
}

{
	if (file == "without")
		workload[++workloads] = $1
	least[file, $1] = $2
	mean[file, $1] = $3
}

END {
	print "Instructions per iteration\n"
	printf "%-9s %-38s %10s %10s %10s\n", "workload", "kernel", "least", "", "mean"
	for (i = 1; i <= workloads; i++) {
		alone("without", workload[i])
		compare("nothing", "without", workload[i])
		compare("stopped", "without", workload[i])
	}
	print "\nThe same with CONFIG_LKST_LOCK_EVENTS, against lock functions that are not inlined either\n"
	printf "%-9s %10s %10s %10s %12s %12s %8s  %s\n", "workload", "without", "uninlined", "with", "locks' more",
		"operations", "each", "operations by type"
	for (i = 1; i <= workloads; i++)
		count_no_ops(workload[i])
	over += !counted
	printf "\n%s: within %s %% of the kernel without LKST, and a no-op for each lock operation: %s\n", limited, limit,
		over ? "NO" : "yes"
	exit over > 0
}
