# SPDX-License-Identifier: GPL-2.0
# bash completion for the LKST commands                                  -*- shell-script -*-
# Subcommands, options and the kinds of their values are read from the --help output of the
# commands.

# Print the names of events: those of the running kernel or, without LKST, those built into the
# tools.
_lkst_events()
{
	if [ -r /proc/lkst_etypes ]; then
		sed -n 's/^0x[^"]*"\([^"]*\)".*/\1/p' /proc/lkst_etypes
	else
		lkstbuf print -h 2>/dev/null | sed -n 's/^  0x[0-9a-f]*  \([^ ]*\).*/\1/p'
	fi
}

# Print the names that --where accepts for the values of events.
_lkst_fields()
{
	printf '%s\n' event pid tid comm uid gid cpu flags
	lkstbuf print -h 2>/dev/null | sed -n 's/  (absent .*//; s/^  0x[0-9a-f]*  [^ ]\( \{0,1\}[^ ]\)*   *\([a-z].*\)/\2/p' |
		tr -d , | tr ' ' '\n'
}

_lkst_classes()
{
	lkstbuf print -h 2>/dev/null | sed -n 's/^  \(class:[^ ]*\).*/\1/p'
}

_lkst_handlers()
{
	lksteh list 2>/dev/null | awk 'NR > 1 { print $2 }'
}

# Print a column of the list of masksets. $1 is 1 for the ids, or 2 for the names.
_lkst_masksets()
{
	lkstm list 2>/dev/null | awk -v column="$1" 'NR > 1 { print $column }'
}

_lkst_watches()
{
	lkst watch --list 2>/dev/null | sed -n 's/^\([^ ]*\): .*/\1/p'
}

# Print a column of the list of buffers, which ends at an empty line. $1 is 1 for the CPUs, or 2 for
# the ids.
_lkst_buffers()
{
	lkstbuf list 2>/dev/null | sed '/^$/,$d' | awk -v column="$1" 'NR > 1 { print $column }' | sort -nu
}

# Print the findings of lkstla report, with the "=" that precedes the threshold.
_lkst_findings()
{
	lkstla report --thresholds 2>/dev/null | sed 's/ .*/=/'
}

# Print the subcommands of a program and their aliases; nothing if the program has no subcommands.
_lkst_commands()
{
	case $1 in
	lkstlogger) echo version ver help ;;
	lkstlogd | logformat.pl) ;;
	*) "$1" help 2>/dev/null | sed -n 's/^  \([a-z/-]*\(, [a-z/-]*\)*\)  *[a-z].*/\1/p' | tr '/,' '\n ' ;;
	esac
}

# Print "OPTION VALUE" for each spelling of each option. VALUE is the placeholder in the help text,
# which determines how a value is completed.
_lkst_options()
{
	"$@" --help 2>/dev/null | awk '/^  -/ {
		sub(/^  /, "")
		sub(/  .*/, "")
		value = ""
		words = split($0, word, /,? /)
		for (i = 1; i <= words; i++)
			if (word[i] !~ /^-/)
				value = word[i]
		for (i = 1; i <= words; i++) {
			if (word[i] !~ /^-/)
				continue
			if (sub(/\[no-\]/, "", word[i]))
				print "--no-" substr(word[i], 3)
			print word[i], value
		}
	}'
	echo --help
}

# Print the choices that the help text lists for an option, such as "local, utc, ...".
_lkst_choices()
{
	"$1" "$2" --help 2>/dev/null | sed -n "s/^  $3 [A-Z]*  *//p" | sed 's/([^)]*)//g' | tr -d ,
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

# Complete the last word of a comma-separated list of events.
_lkst_event_words()
{
	local before=${cur%"${cur##*[,!]}"} last=${cur##*[,!]}

	compopt -o nospace 2>/dev/null
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "all $(_lkst_events) $(_lkst_classes)" -- "$last")
}

# Complete the last word of a condition, unless it is a value. The shell may have split the condition.
_lkst_condition()
{
	local start=${cur#[\"\']} last before
	last=${start##*[ (!&|]}
	before=${start%"$last"}

	compopt -o nospace 2>/dev/null
	[[ ${before% } == *[=\<\>~] ]] ||
		mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_lkst_fields)" -- "$last")
}

# Complete a value of program $1. $2 is its placeholder in the help text.
_lkst_value()
{
	case $1:$2 in
	*:FILE | *:TRACE | *:IMAGE | *:OUT) _lkst_files ;;
	lkstlogd:NAME) _lkst_files ;;
	*:CPU) _lkst_words "$(_lkst_buffers 1)" ;;
	*:EVENTS) _lkst_event_words ;;
	*:EXPR) _lkst_condition ;;
	*:TYPE) _lkst_words "$(_lkst_events)" ;;
	*:HANDLER) _lkst_words "$(_lkst_handlers)" ;;
	lkstm:ID) _lkst_words "$(_lkst_masksets 1)" ;;
	lkstm:NAME | *:MASKSET) _lkst_words "$(_lkst_masksets 2)" ;;
	lkst:NAME) _lkst_words "$(_lkst_watches)" ;;
	lkstbuf:ID) _lkst_words "$(_lkst_buffers 2)" ;;
	lkstla:NAME=VALUE)
		compopt -o nospace 2>/dev/null
		_lkst_words "$(_lkst_findings)"
		;;
	*:STYLE | *:FORMAT) _lkst_words "$(_lkst_choices "$1" "$command" "$prev")" ;;
	esac
}

# Print the tracepoints of the kernel.
_lkst_tracepoints()
{
	lkstm event list --available 2>/dev/null | cut -d '(' -f 1
}

# Print the names of the events that have been added.
_lkst_added()
{
	lkstm event list 2>/dev/null | awk 'NR > 1 { print $2 }'
}

# Complete an operand. The operands of lkstm config are event types and then an event handler,
# those of lkstm rule are event types, and "if" and a condition, or "do" and actions, and those of
# lkst watch are two event types, "by", and a key.
_lkst_operands()
{
	local i operands=0

	case $1:$command in
	logformat.pl:* | lkstbuf:find | lkstbuf:print | lkstbuf:export | lkst:config | lkst:run-user-events | lksteh:bpf)
		_lkst_files
		;;
	lkstlogger:) _lkst_words "$(_lkst_commands lkstlogger) $(cut -d ' ' -f 1 <<<"$options")" ;;
	lkstm:conf*)
		for ((i = 2; i < ${#words[@]} - 1; i++)); do
			case ${words[i]} in
			-[mn]) i=$((i + 1)) ;;
			-*) ;;
			*) operands=$((operands + 1)) ;;
			esac
		done
		[ $operands -gt 0 ] || _lkst_event_words
		[ $operands -ne 1 ] || _lkst_words "on off $(_lkst_handlers)"
		;;
	lkstm:rule)
		for ((i = 2; i < ${#words[@]} - 1; i++)); do
			case ${words[i]} in
			-[mn]) i=$((i + 1)) ;;
			-*) ;;
			*) operands=$((operands + 1)) ;;
			esac
		done
		[ $operands -gt 0 ] || _lkst_event_words
		[ $operands -ne 1 ] || _lkst_words "if do"
		[ "$prev" != do ] || _lkst_words "record drop on off snapshot stack"
		;;
	lkst:watch)
		for ((i = 2; i < ${#words[@]} - 1; i++)); do
			case ${words[i]} in
			--list | -l | --json) ;;
			-*) i=$((i + 1)) ;;
			*) operands=$((operands + 1)) ;;
			esac
		done
		[ $operands -gt 1 ] || _lkst_words "$(_lkst_events)"
		[ $operands -ne 2 ] || _lkst_words by
		[ $operands -ne 3 ] || _lkst_words "$(_lkst_fields)"
		;;
	lkstm:event)
		for ((i = 2; i < ${#words[@]} - 1; i++)); do
			[[ ${words[i]} == -* ]] || operands=$((operands + 1))
		done
		[ $operands -gt 0 ] || _lkst_words "add remove list"
		case $operands:${words[2]} in
		1:add | 1:list) _lkst_words "$(_lkst_tracepoints)" ;;
		*:remove) _lkst_words "$(_lkst_added)" ;;
		esac
		;;
	lkstm:hist) _lkst_event_words ;;
	*:help) _lkst_words "$(_lkst_commands "$1")" ;;
	lkstla:*) _lkst_files ;;
	*) _lkst_words "$(cut -d ' ' -f 1 <<<"$options")" ;;
	esac
}

_lkst_complete()
{
	local program=$1 command='' options='' value
	local -a of=("$1")

	case $program in
	lkstlogger | lkstlogd | logformat.pl) ;;
	*)
		if [ ${#words[@]} -eq 2 ]; then
			_lkst_words "$(_lkst_commands "$program")"
			return
		fi
		command=${words[1]}
		of+=("$command")
		;;
	esac
	[ "$command" = help ] || options=$(_lkst_options "${of[@]}")
	value=$(awk -v option="$prev" '$1 == option { print $2 }' <<<"$options")
	if [ -n "$value" ]; then
		_lkst_value "$program" "$value"
	elif [[ $cur == -* ]]; then
		_lkst_words "$(cut -d ' ' -f 1 <<<"$options")"
	else
		_lkst_operands "$program"
	fi
}

_lkst()
{
	local line=${COMP_LINE:0:COMP_POINT} words cur prev

	# Split the line here, because bash also splits words at colons, as in class:NAME.
	read -ra words <<<"$line"
	[[ $line != *[[:blank:]] ]] || words+=('')
	cur=${words[-1]#[\"\']} prev=${words[-2]}
	if [[ $cur == --*=* ]]; then
		prev=${cur%%=*} cur=${cur#*=}
	fi
	COMPREPLY=()
	_lkst_complete "${1##*/}"
	if [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]]; then
		COMPREPLY=("${COMPREPLY[@]#"${cur%"${cur##*:}"}"}")
	fi
}

complete -F _lkst lkst lkstm lkstbuf lksteh lkstla lkstlogger lkstlogd logformat.pl
