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

_lkst_classes()
{
	lkstbuf print -h 2>/dev/null | sed -n 's/^  \(class:[^ ]*\).*/\1/p'
}

_lkst_handlers()
{
	lkst all 2>/dev/null | sed '1,/^Event handlers:/d' | awk 'NR > 1 { print $2 }'
}

_lkst_masksets()
{
	lkstm list 2>/dev/null | awk -v column="$1" 'NR > 1 { print $column }'
}

_lkst_cpus()
{
	lkstbuf list 2>/dev/null | awk 'NR > 1 { print $1 }' | sort -nu
}

# The last of the comma-separated words for events.
_lkst_event_words()
{
	local before=${cur%"${cur##*[,!]}"} last=${cur##*[,!]}

	compopt -o nospace 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "all $(_lkst_events) $(_lkst_classes)" -- "$last")
}

_lkst_words()
{
	mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_lkst_files()
{
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -f -- "$cur")
}

# What follows an option that takes a value. Fails when $prev is no such option.
_lkst_value()
{
	case $1:$prev in
	lkstbuf:-f | lkstm:-f | *:-E) _lkst_files ;;
	lkstbuf:-c) _lkst_words "$(_lkst_cpus)" ;;
	lkstbuf:-e) _lkst_event_words ;;
	lkstm:-m) _lkst_words "$(_lkst_masksets 1)" ;;
	lkstm:-n) _lkst_words "$(_lkst_masksets 2)" ;;
	lkstlogger:-ev) _lkst_words "$(_lkst_events)" ;;
	lkstbuf:-[bn] | lkstlogger:-a[1-4]) ;;
	*) return 1 ;;
	esac
}

# lkstm config: options, then event types, then an event handler.
_lkst_config()
{
	local i operands=0

	for ((i = 2; i < ${#words[@]} - 1; i++)); do
		case ${words[i]} in
		-m | -n) i=$((i + 1)) ;;
		-*) ;;
		*) operands=$((operands + 1)) ;;
		esac
	done
	case $operands:$cur in
	*:-*) _lkst_words '-m -n --help' ;;
	0:*) _lkst_event_words ;;
	1:*) _lkst_words "$(_lkst_handlers)" ;;
	esac
}

_lkst_complete()
{
	local program=$1

	if [ "$program" != lkstlogger ] && [ ${#words[@]} -eq 2 ]; then
		case $program in
		lkst) _lkst_words 'status stat all start stop dump version ver help' ;;
		lkstm) _lkst_words 'list ls read write config conf set find delete del all version ver help' ;;
		lkstbuf) _lkst_words 'list ls read print version ver help' ;;
		esac
		return
	fi
	_lkst_value "$program" && return
	case $program:${words[1]} in
	lkst:start) _lkst_words '--no-state-dump --help' ;;
	lkstm:read) _lkst_words '-m -n -A -a -d -E --help' ;;
	lkstm:write) _lkst_words '-m -n -f -S --help' ;;
	lkstm:config | lkstm:conf) _lkst_config ;;
	lkstm:set | lkstm:delete | lkstm:del) _lkst_words '-m -n --help' ;;
	lkstm:find) _lkst_words '-n --help' ;;
	lkstbuf:list | lkstbuf:ls) _lkst_words '-c -v --help' ;;
	lkstbuf:read) _lkst_words '-c -b -S -f -n -E --help' ;;
	lkstbuf:print) _lkst_words '-f -c -e -n -r -V -C -S -E -h --summary --help' ;;
	lkstlogger:*) _lkst_words '-ev -a1 -a2 -a3 -a4 version ver help' ;;
	*) _lkst_words '--help' ;;
	esac
}

_lkst()
{
	local line=${COMP_LINE:0:COMP_POINT} words cur prev

	# bash cuts words at colons, too, which classes have.
	read -ra words <<<"$line"
	[[ $line != *[[:blank:]] ]] || words+=('')
	cur=${words[-1]#[\"\']} prev=${words[-2]}
	COMPREPLY=()
	_lkst_complete "${1##*/}"
	if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
		COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}")
	fi
}

complete -F _lkst lkst lkstm lkstbuf lkstlogger
