#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs every command, alias and option in commands.table, and checks output, exit status and the
# effect on the kernel. The table must have a row for each command and option that the output of
# --help or section 4.7.3 of the specification lists. Exceptions are help and versions, which
# tests/host/help.t and tests/host/print.t test.
# kernel: base
# append: lkst.buffer_size=4M
# timeout: 600

. "$(dirname "$0")/rows.sh"
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"
# Distributions' kernels do not allow reading memory through /dev/mem. With such a kernel, use
# /proc/kcore.
memory=/dev/mem
dd if=$memory of=/dev/null bs=1M skip=16 count=1 2>/dev/null || memory=/proc/kcore

# keep_marking NUMBER: record marks until end_marking() is called, for a command that waits for a mark
# and takes a while to start
# shellcheck disable=SC2317 # a row calls it
keep_marking() {
	rm -f marked
	for _ in $(seq 1000); do
		[ ! -e marked ] || break
		lkstlogger -ev user_mark -a1 "$1"
		sleep 0.1
	done
}
# shellcheck disable=SC2317 # a row calls it
end_marking() { : >marked && wait; }

grep -v -e '^#' -e '^$' "$here/commands.table" >all_rows
while IFS= read -r row; do
	run_row "${row%% | *}" "$row"
done <all_rows
why_agrees_each

# --- completeness

# Write each command in the rows on a separate line, and replace quoted text with TEXT.
sed 's/ | .*//; s/[;&|(]/\n/g' all_rows | sed "s/^ *//; s/'[^']*'/TEXT/g" >all_commands
# has_row WORDS...: whether a command begins with the first word and contains the other words
has_row() {
	commands_with=$(grep -E "^$1( |\$)" all_commands)
	shift
	for has_word; do
		commands_with=$(printf '%s\n' "$commands_with" | grep -E -- " $has_word( |=|\$)")
	done
	[ -n "$commands_with" ]
}
lacking=''
need() { has_row "$@" || lacking="$lacking
$*"; }

# Print the options that --help lists as "  -c, --cpu CPU  text", in the form "-c --cpu".
options_of() { "$@" --help 2>&1 | sed -n 's/^  \(-[^ ,]*\)$/\1/p; s/^  \(-[^ ,]*\) .*/\1/p; s/^  \(-[^ ,]*\), \(-[^ ]*\).*/\1 \2/p' |
	sed 's/--\[no-\]\(.*\)/--\1 --no-\1/'; }

for program in lkst lkstm lkstbuf lksteh; do
	for names in $($program help | sed -n '/^  version\|^  help/d; s/^  \([a-z/-]*\(, [a-z/-]*\)*\)  *[a-z].*/\1/p' | tr -d ,); do
		any=$(echo "$names" | tr / '|')
		for name in $(echo "$names" | tr / ' '); do need $program "$name"; done
		for option in $(options_of $program "${names%%/*}"); do need "$program ($any)" "$option"; done
	done
done
for program in lkstlogger lkstlogd; do
	for option in $(options_of $program | grep -v version); do need $program "$option"; done
done
is 'every word of every --help has a row' "$lacking" ''

lacking=''
# Each line below has a program, and subcommands and options in a list that is separated by commas.
# The words between two commas, such as "delete -m", must occur together in one row.
while IFS=: read -r program list; do
	printf '%s\n' "$list" | tr ',' '\n' >list
	while read -r words; do
		# shellcheck disable=SC2086 # unquoted, to split it into words
		need "$program" $words
	done <list
done <<-'END'
	lkst: all, stat, status, start, stop
	lkstm: all, delete -m, del, delete -n, list, ls, read -m, read -n, read -A, read -a
	lkstm: read -d, read -E, set -m, set -n, write -m, write -f, write -n, write -S, find -n
	lkstm: config -m, config -n, conf
	lkstlogd: -a, -b, -l, -n, -f
	lkstbuf: link -b -n, link -b, ln -b -n -c, shift, shift -c, jump -b, jump -b -c
	lkstbuf: create -s, create -s -b, create -s -c -b -n, delete -b, delete -b -c, del, list
	lkstbuf: ls -c, list -v, read -c, read -b, read -S, read -f, read -n, read -S -n
	lkstbuf: read -S -f, read -E, print -f, print -c, print -e, print -h, print -n, print -r
	lkstbuf: print -C, print -C -S, print -V, print -E
	lksteh: control -e, ctrl -e, c -e, control -e -f, list, ls
	lkstlogger: -ev -a1 -a2 -a3 -a4, -ev
END
is 'every word of the specification has a row' "$lacking" ''
done_testing
