# SPDX-License-Identifier: GPL-2.0
# The table of bench/logd, from what was measured, a file for each row. Variables: rate, events per second, and
# limit, the per cent of a CPU that the daemon may take.

function of_a_cpu(ns) { return ns * rate / 1e7 }

# On a CPU of 2 GHz that executes an instruction each cycle.
function in_the_vm(what, events, instructions, limited,    each, share) {
	each = instructions / events
	share = of_a_cpu(each / 2)
	printf "%-34s %9.0f instructions %8.2f %% of a CPU%s\n", what, each, share, (limited && share >= limit ? "  over the limit" : "")
	over += (limited && share >= limit)
}

function natively(what, user, kernel) {
	printf "%-34s %9.1f ns, %6.1f user %6.2f %% of a CPU\n", what, user + kernel, user, of_a_cpu(user + kernel)
}

BEGIN {
	title["plain"] = "lkstlogd"
	title["zstd"] = "lkstlogd -z"
	title["reading"] = "read() alone"
	title["feed-plain"] = "writing a file"
	title["feed-zstd"] = "writing a file, compressed"
}

{ row = FILENAME; sub(/.*\//, "", row) }

FNR == 1 && row == "plain" { printf "in the VM, for each of %d events a second:\n", rate }
FNR == 1 && row == "feed-plain" { printf "\non this machine, for each event:\n" }
row ~ /^feed/ { natively(title[row], $1, $2); next }
{ in_the_vm(title[row], $1, $2, row == "plain") }

END { exit over > 0 }
