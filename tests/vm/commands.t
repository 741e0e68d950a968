#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Every command, alias and option: what it prints, its exit status, and what it does to the kernel; from
# commands.table, which must have a row for each word of a --help and of section 4.7.3 of the specification.
# kernel: base
# append: lkst.buffer_size=4M
# timeout: 600

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
table=$here/commands.table
PATH=$here:$PATH
# A distribution's kernel keeps its memory from /dev/mem.
memory=/dev/mem
dd if=$memory of=/dev/null bs=1M skip=16 count=1 2>/dev/null || memory=/proc/kcore
export TZ=UTC modules="$here/modules" memory
work=/tmp/commands
mkdir -p $work
cd $work || exit

rows() { grep -v -e '^#' -e '^$' "$table"; }
# The fields of a row, in $command, $status, $output, $effect and $effect_output.
split() {
	rest=$1
	command=${rest%% | *} rest=${rest#* | }
	status=${rest%% | *} rest=${rest#* | }
	output=${rest%% | *} rest=${rest#* | }
	effect=${rest%% | *} effect_output=${rest#* | }
}

# matches FILE PATTERN: "-" is no text.
matches() {
	case $2 in
	-) [ ! -s "$1" ] ;;
	*) grep -qaE -e "$2" "$1" ;;
	esac
}

# said COMMAND: runs it; what it says is in a file of that name.
said() { timeout 60 sh -c "$1" >said 2>&1 </dev/null; }

# run_row ROW
run_row() {
	split "$1"
	tap_status=0
	said "$command" || tap_status=$?
	if [ "$tap_status" != "$status" ]; then
		fail "$command" "status $tap_status, wanted $status
$(head -n 20 said)"
	elif [ -n "$output" ] && ! matches said "$output"; then
		fail "$command" "'$output' does not match
$(head -n 20 said)"
	elif [ "$effect" != - ] && { said "$effect" || :; ! matches said "$effect_output"; }; then
		fail "$command" "$effect: '$effect_output' does not match
$(head -n 20 said)"
	else
		pass "$command"
	fi
}

rows >all_rows
while IFS= read -r row; do
	run_row "$row"
done <all_rows

# --- nothing is missing

# has_row WORDS...: some row runs these words, the first at the beginning of a command and the others anywhere
# behind it.
commands() { sed 's/ | .*//; s/[;&|(]/\n/g' all_rows | sed "s/^ *//; s/'[^']*'/TEXT/g"; }
commands >all_commands
has_row() {
	commands_with=$(cat all_commands)
	first=$1
	shift
	commands_with=$(printf '%s\n' "$commands_with" | grep -E "^$first( |\$)")
	for has_word; do
		commands_with=$(printf '%s\n' "$commands_with" | grep -E -- " $has_word( |=|\$)")
	done
	[ -n "$commands_with" ]
}
lacking=''
need() { has_row "$@" || lacking="$lacking
$*"; }

# Options as --help lists them: "  -c, --cpu CPU  text".
options_of() { "$@" --help 2>&1 | sed -n 's/^  \(-[^ ,]*\)$/\1/p; s/^  \(-[^ ,]*\) .*/\1/p; s/^  \(-[^ ,]*\), \(-[^ ]*\).*/\1 \2/p' |
	sed 's/--\[no-\]\(.*\)/--\1 --no-\1/'; }

for program in lkst lkstm lkstbuf lksteh; do
	for names in $($program help | sed -n 's/^  \([a-z/]*\)  *[a-z].*/\1/p'); do
		each=$(echo "$names" | tr / ' ')
		any=$(echo "$names" | tr / '|')
		for name in $each; do need $program "$name"; done
		case $names in version/ver | help) continue ;; esac
		for option in $(options_of $program "${names%%/*}"); do need "$program ($any)" "$option"; done
	done
done
for program in lkstlogger lkstlogd; do
	for option in $(options_of $program); do need $program "$option"; done
done
is 'every word of every help has a row' "$lacking" ''

lacking=''
while read -r words; do
	# shellcheck disable=SC2086 # words
	need $words
done <<-'END'
	lkst all
	lkst stat
	lkst status
	lkst start
	lkst stop
	lkst version
	lkst ver
	lkst help
	lkstm all
	lkstm delete -m
	lkstm del
	lkstm delete -n
	lkstm list
	lkstm ls
	lkstm read -m
	lkstm read -n
	lkstm read -A
	lkstm read -a
	lkstm read -d
	lkstm read -E
	lkstm set -m
	lkstm set -n
	lkstm write -m
	lkstm write -f
	lkstm write -n
	lkstm write -S
	lkstm find -n
	lkstm config -m
	lkstm config -n
	lkstm conf
	lkstm version
	lkstm ver
	lkstm help
	lkstlogd -a
	lkstlogd -b
	lkstlogd -l
	lkstlogd -n
	lkstlogd -f
	lkstlogd -h
	lkstlogd -v
	lkstbuf link -b -n
	lkstbuf link -b
	lkstbuf ln -b -n -c
	lkstbuf shift
	lkstbuf shift -c
	lkstbuf jump -b
	lkstbuf jump -b -c
	lkstbuf create -s
	lkstbuf create -s -b
	lkstbuf create -s -c -b -n
	lkstbuf delete -b
	lkstbuf delete -b -c
	lkstbuf del
	lkstbuf list
	lkstbuf ls -c
	lkstbuf list -v
	lkstbuf read -c
	lkstbuf read -b
	lkstbuf read -S
	lkstbuf read -f
	lkstbuf read -n
	lkstbuf read -S -n
	lkstbuf read -S -f
	lkstbuf read -E
	lkstbuf print -f
	lkstbuf print -c
	lkstbuf print -e
	lkstbuf print -h
	lkstbuf print -n
	lkstbuf print -r
	lkstbuf print -C
	lkstbuf print -C -S
	lkstbuf print -V
	lkstbuf print -E
	lkstbuf version
	lkstbuf ver
	lkstbuf help
	lksteh control -e
	lksteh ctrl -e
	lksteh c -e
	lksteh control -e -f
	lksteh list
	lksteh ls
	lksteh version
	lksteh ver
	lksteh help
	lkstlogger -ev -a1 -a2 -a3 -a4
	lkstlogger -ev
	lkstlogger version
	lkstlogger ver
	lkstlogger help
END
is 'every word of the specification has a row' "$lacking" ''
done_testing
