# SPDX-License-Identifier: GPL-2.0
# Functions for tests that run the program "family". Source rows.sh first.

# callers TIME: print "TID COUNT" for each thread that has called getppid() since this time, a
# result of new_second. Earlier tests in the same boot may have filled the buffers with such calls.
callers() {
	lkstbuf print --own -r -e system_call_entry --where 'number == getppid' --since "$1" |
		sed '/^#/d; s/^[^[]*\[[0-9]*\] *//; s/ .*//; s/.*-//; s/^<//; s/[>/].*//' |
		sort -n | uniq -c | awk '{ print $2, $1 }'
}

# wanted ROLE...: print the lines that callers should print for these roles, whose IDs are in the
# file "roles"
wanted() {
	awk -v roles=" $* " 'index(roles, " " $1 " ") { num[$2] += 5 } END { for (tid in num) print tid, num[tid] }' roles |
		sort -n
}
