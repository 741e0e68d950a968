#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Completion of command lines by bash, without a device.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
PATH=$top/tools/lkst:$PATH
cd "$work" || exit

make -s -C "$top/tools/lkst" >make.log 2>&1 || bail_out "the tools do not build: $(tail -n 5 make.log)"
# shellcheck source=../../tools/lkst/completion.bash
. "$top/tools/lkst/completion.bash"
# Of a kernel that is not there.
_lkst_masksets() { awk -v column="$1" '{ print $column }' <<<$'0 nothing\n7 mine'; }
_lkst_handlers() { printf '%s\n' none entry_log; }
_lkst_cpus() { printf '%s\n' 0 1; }

# What completes a command line up to its end, as bash would put it after the last colon or blank.
completed() {
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	_lkst "${1%% *}"
	echo "${COMPREPLY[*]}"
}
# completes LINE WANTED
completes() { is "$1<TAB>" "$(completed "$1")" "$2"; }

completes 'lkst st' 'status stat start stop'
completes 'lkst d' 'dump'
completes 'lkst start --no' '--no-state-dump'
completes 'lkstm ' 'list ls read write config conf set find delete del all version ver help'
completes 'lkstm write -' '-m -n -f -S --help'
completes 'lkstm del -n m' 'mine'
completes 'lkstm set -m ' '0 7'
completes 'lkstm config system_c' 'system_call_entry system_call_exit'
completes 'lkstm config -n mine system_c' 'system_call_entry system_call_exit'
completes 'lkstm config cl' 'class:process class:interrupt class:exception class:syscall class:memory class:network class:ipc class:lock class:timer class:block class:oops class:cpu class:module class:mark class:user class:reserved class:lkst'
completes 'lkstm config class:m' 'memory module mark'
completes 'lkstm conf class:memory,class:n' 'network'
completes 'lkstm config class:memory ' 'none entry_log'
completes 'lkstm config -m 7 class:memory e' 'entry_log'
completes 'lkstm config class:memory entry_log ' ''
completes 'lkstm config user_mark entry_log -' '-m -n --help'
completes 'lkstbuf print -e system_call_en' 'system_call_entry'
completes 'lkstbuf print -e user_mark,system_call_en' 'user_mark,system_call_entry'
completes "lkstbuf print -e 'all,!system_call_en" 'all,!system_call_entry'
completes 'lkstbuf print -c ' '0 1'
completes 'lkstlogger -ev user_m' 'user_mark'
touch 'trace' 'tra b'
is 'files' "$(completed 'lkstm write -f tra' | tr ' ' '\n' | sort | tr '\n' ' ')" 'b tra trace '

# Every subcommand and every option that a help tells is completed.
for program in lkst lkstm lkstbuf; do
	commands=" $(completed "$program ") "
	for names in $("$program" help | sed -n 's/^  \([a-z/]*\)  .*/\1/p'); do
		for name in ${names//\// }; do
			contains "$program $name" "$commands" " $name "
			case $name in help | version | ver) continue ;; esac
			options=" $(completed "$program $name -") "
			for option in $("$program" "$name" --help | sed -n 's/^  \(--*[^ ]*\)  *.*/\1/p'); do
				[ "$option" = -h ] || contains "$program $name $option" "$options" " $option "
			done
		done
	done
done
done_testing
