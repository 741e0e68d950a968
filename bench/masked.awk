# SPDX-License-Identifier: GPL-2.0
# Prints the tables of bench/masked. The input is the output of bench/workloads: a file for each
# kernel, and the file "locks". Writes the rows for bench/run, WHAT;LKST;PEER;PEERS_VALUE;LIMIT, to
# the file that the variable "rows" names.

function percent(got, want) { return (got / want - 1) * 100 }

function row(what, got, peer, want, limit) { print what ";" got ";" peer ";" want ";" limit >rows }

# Returns the limit of a workload. Only getppid and pingpong have a limit, because the other
# workloads execute hooks.
function limit_of(name) { return name == "getppid" || name == "pingpong" ? "|lkst-peer|<=0.2%" : "" }

function compare(kernel, reference, name) {
	printf "%-9s %-38s %10.3f %+8.3f %% %10.3f %+8.3f %%\n", name, title[kernel],
		least[kernel, name], percent(least[kernel, name], least[reference, name]),
		mean[kernel, name], percent(mean[kernel, name], mean[reference, name])
	row(name ", " short[kernel] ", least", least[kernel, name], "no LKST", least[reference, name], limit_of(name))
	row(name ", " short[kernel] ", mean", mean[kernel, name], "no LKST", mean[reference, name], limit_of(name))
}

function alone(kernel, name) {
	printf "%-9s %-38s %10.3f %10s %10.3f\n", name, title[kernel], least[kernel, name], "", mean[kernel, name]
}

# Prints how many instructions lock events add to each lock operation, and writes a row. Each lock
# operation that can be recorded may take one additional instruction, a no-op. A failed trylock may
# also take one, although it is not recorded and not counted as an operation.
function count_no_ops(name,    extra, each) {
	extra = least["lockevents", name] - least["uninlined", name] - least["nothing", name] + least["without", name]
	each = operations[name] ? extra / operations[name] : 0
	printf "%-9s %10.2f %10.2f %10.2f %12.3f %12.2f %8.3f  %s\n", name, least["without", name],
		least["uninlined", name], least["lockevents", name], extra, operations[name], each, types[name]
	if (operations[name])
		row(name ", a lock operation", sprintf("%.3f", each), "a no-op", 1, "lkst<=1.02")
	else
		row(name ", no lock operation", least["lockevents", name], "not inlined", least["uninlined", name],
			"|lkst-peer|<=0.2%")
	wrong += operations[name] && each < 0.9
	counted += operations[name]
}

BEGIN {
	title["without"] = "without LKST"
	title["nothing"] = "LKST, nothing recorded since boot"
	title["stopped"] = "LKST, all was recorded, now stopped"
	short["nothing"] = "never on"
	short["stopped"] = "stopped"
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
	print "\nThe same with CONFIG_LKST_LOCK_EVENTS, compared with a kernel whose lock functions are not inlined either\n"
	printf "%-9s %10s %10s %10s %12s %12s %8s  %s\n", "workload", "without", "uninlined", "with", "lock events",
		"operations", "each", "operations by type"
	for (i = 1; i <= workloads; i++)
		count_no_ops(workload[i])
	print ""
	if (wrong || !counted) {
		print "masked: no lock operations, or less than a no-op for each: the measurement is wrong" >"/dev/stderr"
		exit 1
	}
}
