# SPDX-License-Identifier: GPL-2.0
# bash completion for lkst, lkstm, lkstbuf and lkstlogger                  -*- shell-script -*-

# Names of events: the running kernel's, or those that the tools know.
_lkst_events()
{
	if [ -r /proc/lkst_etypes ]; then
		sed -n 's/^0x[^"]*"\([^"]*\)".*/\1/p' /proc/lkst_etypes
	else
		lkstbuf print -h 2>/dev/null | sed -n 's/^  0x[0-9a-f]*  \([^ ]*\).*/\1/p'
	fi
}

_lkst_masksets()
{
	lkstm list 2>/dev/null | awk -v column="$1" 'NR > 1 { print $column }'
}

_lkst_cpus()
{
	lkstbuf list 2>/dev/null | awk 'NR > 1 { print $1 }' | sort -nu
}

# The last of the comma-separated words of -e.
_lkst_filter()
{
	local before=${cur%"${cur##*[,!]}"} last=${cur##*[,!]}

	mapfile -t COMPREPLY < <(compgen -P "$before" -W "all $(_lkst_events)" -- "$last")
	compopt -o nospace
}

_lkst_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_lkst_files()
{
	compopt -o filenames
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

# What follows an option that takes a value. Fails when $prev is no such option.
_lkst_value()
{
	case $1:$prev in
	lkstbuf:-f | *:-E) _lkst_files ;;
	lkstbuf:-c) _lkst_words "$(_lkst_cpus)" ;;
	lkstbuf:-e) _lkst_filter ;;
	lkstm:-m) _lkst_words "$(_lkst_masksets 1)" ;;
	lkstm:-n) _lkst_words "$(_lkst_masksets 2)" ;;
	lkstlogger:-ev) _lkst_words "$(_lkst_events)" ;;
	lkstbuf:-[bn] | lkstlogger:-a[1-4]) ;;
	*) return 1 ;;
	esac
}

_lkst()
{
	local program=${1##*/} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	if [ "$program" != lkstlogger ] && [ "$COMP_CWORD" -eq 1 ]; then
		case $program in
		lkst) _lkst_words 'status stat all start stop version ver help' ;;
		lkstm) _lkst_words 'list ls read set find all version ver help' ;;
		lkstbuf) _lkst_words 'list ls read print version ver help' ;;
		esac
		return
	fi
	_lkst_value "$program" && return
	case $program:${COMP_WORDS[1]} in
	lkst:start) _lkst_words '--no-state-dump --help' ;;
	lkstm:read) _lkst_words '-m -n -A -a -d -E --help' ;;
	lkstm:set) _lkst_words '-m -n --help' ;;
	lkstm:find) _lkst_words '-n --help' ;;
	lkstbuf:list | lkstbuf:ls) _lkst_words '-c -v --help' ;;
	lkstbuf:read) _lkst_words '-c -b -S -f -n -E --help' ;;
	lkstbuf:print) _lkst_words '-f -c -e -n -r -V -C -S -E -h --summary --help' ;;
	lkstlogger:*) _lkst_words '-ev -a1 -a2 -a3 -a4 version ver help' ;;
	*) _lkst_words '--help' ;;
	esac
}

complete -F _lkst lkst lkstm lkstbuf lkstlogger
