#compdef lkst lkstm lkstbuf lksteh lkstla lkstlogger lkstlogd logformat.pl
# SPDX-License-Identifier: GPL-2.0
# zsh completion for the LKST commands. Subcommands, options and the kinds of their values are read
# from the --help output of the commands.

# Print the names of events: those of the running kernel or, without LKST, those built into the
# tools.
_lkst_events()
{
	if [[ -r /proc/lkst_etypes ]]; then
		sed -n 's/^0x[^"]*"\([^"]*\)".*/\1/p' /proc/lkst_etypes
	else
		lkstbuf print -h 2>/dev/null | sed -n 's/^  0x[0-9a-f]*  \([^ ]*\).*/\1/p'
	fi
}

# Print the names that --where accepts for the values of events.
_lkst_fields()
{
	print -l event pid tid comm uid gid cpu flags
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
	lkstm list 2>/dev/null | awk -v column=$1 'NR > 1 { print $column }'
}

_lkst_watches()
{
	lkst watch --list 2>/dev/null | sed -n 's/^\([^ ]*\): .*/\1/p'
}

# Print a column of the list of buffers, which ends at an empty line. $1 is 1 for the CPUs, or 2 for
# the ids.
_lkst_buffers()
{
	lkstbuf list 2>/dev/null | sed '/^$/,$d' | awk -v column=$1 'NR > 1 { print $column }' | sort -nu
}

# Print the findings of lkstla report, with the "=" that precedes the threshold.
_lkst_findings()
{
	lkstla report --thresholds 2>/dev/null | sed 's/ .*/=/'
}

# Print "NAME:SUMMARY" for each subcommand and alias.
_lkst_commands()
{
	case $1 in
	lkstlogger) print -l 'version:print version information' 'ver:print version information' 'help:print help' ;;
	lkstlogd | logformat.pl) ;;
	*)
		$1 help 2>/dev/null | awk 'match($0, /^  [a-z\/-]+(, [a-z\/-]+)* +[a-z]/) {
			names = substr($0, 3, RLENGTH - 3)
			sub(/ +$/, "", names)
			$0 = substr($0, RLENGTH)
			n = split(names, name, "/|, ")
			for (i = 1; i <= n; i++)
				print name[i] ":" $0
		}'
		;;
	esac
}

# Print "OPTION<tab>VALUE<tab>SUMMARY" for each spelling of each option. VALUE is the placeholder in
# the help text, which determines how a value is completed.
_lkst_options()
{
	$@ --help 2>/dev/null | awk -v OFS='\t' '/^  -/ {
		sub(/^  /, "")
		left = $0
		sub(/  .*/, "", left)
		what = substr($0, length(left) + 1)
		sub(/^ */, "", what)
		value = ""
		words = split(left, word, /,? /)
		for (i = 1; i <= words; i++)
			if (word[i] !~ /^-/)
				value = word[i]
		for (i = 1; i <= words; i++) {
			if (word[i] !~ /^-/)
				continue
			if (sub(/\[no-\]/, "", word[i]))
				print "--no-" substr(word[i], 3), "", "do not " what
			print word[i], value, what
		}
	}'
	print -- '--help\t\tprint help'
}

# Print the choices that the help text lists for an option, such as "local, utc, ...".
_lkst_choices()
{
	$1 $2 --help 2>/dev/null | sed -n "s/^  $3 [A-Z]*  *//p" | sed 's/([^)]*)//g' | tr -d ,
}

# Complete the last word of a comma-separated list of events.
_lkst_event_words()
{
	compset -P '*[,!]'
	compadd -S '' -- all ${(f)"$(_lkst_events)"} ${(f)"$(_lkst_classes)"}
}

# Complete the last word of a condition, unless it is a value.
_lkst_condition()
{
	compset -P '*[ (!&|]'
	[[ ${IPREFIX% } == *[=\<\>~] ]] || compadd -S '' -- ${(f)"$(_lkst_fields)"}
}

# Complete a value of program $1. $2 is its placeholder in the help text.
_lkst_value()
{
	case $1:$2 in
	*:FILE | *:TRACE | *:IMAGE | *:OUT | lkstlogd:NAME) _files ;;
	*:CPU) compadd -- ${(f)"$(_lkst_buffers 1)"} ;;
	*:EVENTS) _lkst_event_words ;;
	*:EXPR) _lkst_condition ;;
	*:TYPE) compadd -- ${(f)"$(_lkst_events)"} ;;
	*:HANDLER) compadd -- ${(f)"$(_lkst_handlers)"} ;;
	lkstm:ID) compadd -- ${(f)"$(_lkst_masksets 1)"} ;;
	lkstm:NAME | *:MASKSET) compadd -- ${(f)"$(_lkst_masksets 2)"} ;;
	lkst:NAME) compadd -- ${(f)"$(_lkst_watches)"} ;;
	lkstbuf:ID) compadd -- ${(f)"$(_lkst_buffers 2)"} ;;
	lkstla:NAME=VALUE) compadd -S '' -- ${(f)"$(_lkst_findings)"} ;;
	*:STYLE | *:FORMAT) compadd -- ${=$(_lkst_choices $1 $command $before)} ;;
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
	local -i i operands=0

	case $1:$command in
	logformat.pl:* | lkstbuf:find | lkstbuf:print | lkstbuf:export | lkst:config | lkst:run-user-events | lksteh:bpf) _files ;;
	lkstlogger:)
		_describe command commands
		_describe -o option described
		;;
	lkstm:conf*)
		for ((i = 3; i < CURRENT; i++)); do
			case ${words[i]} in
			-[mn]) i=$((i + 1)) ;;
			-*) ;;
			*) operands=$((operands + 1)) ;;
			esac
		done
		((operands)) || _lkst_event_words
		((operands != 1)) || compadd -- on off ${(f)"$(_lkst_handlers)"}
		;;

	lkstm:rule)
		for ((i = 3; i < CURRENT; i++)); do
			case ${words[i]} in
			-[mn]) i=$((i + 1)) ;;
			-*) ;;
			*) operands=$((operands + 1)) ;;
			esac
		done
		((operands)) || _lkst_event_words
		((operands != 1)) || compadd -- if do
		[[ $before != do ]] || compadd -- record drop on off snapshot stack
		;;
	lkst:watch)
		for ((i = 3; i < CURRENT; i++)); do
			case ${words[i]} in
			--list | -l | --json) ;;
			-*) i=$((i + 1)) ;;
			*) operands=$((operands + 1)) ;;
			esac
		done
		((operands > 1)) || compadd -- ${(f)"$(_lkst_events)"}
		((operands != 2)) || compadd -- by
		((operands != 3)) || compadd -- ${(f)"$(_lkst_fields)"}
		;;
	lkstm:event)
		for ((i = 3; i < CURRENT; i++)); do
			[[ ${words[i]} == -* ]] || operands=$((operands + 1))
		done
		((operands)) || compadd -- add remove list
		case $operands:${words[3]} in
		1:add | 1:list) compadd -- ${(f)"$(_lkst_tracepoints)"} ;;
		*:remove) compadd -- ${(f)"$(_lkst_added)"} ;;
		esac
		;;
	lkstm:hist) _lkst_event_words ;;
	*:help) _describe command commands ;;
	lkstla:*) _files ;;
	*) _describe -o option described ;;
	esac
}

_lkst()
{
	local program=${words[1]:t} command='' before=${words[CURRENT-1]} line value=''
	local -a commands options described of

	commands=(${(f)"$(_lkst_commands $program)"})
	of=($program)
	case $program in
	lkstlogger | lkstlogd | logformat.pl) ;;
	*)
		if ((CURRENT == 2)); then
			_describe command commands
			return
		fi
		command=${words[2]}
		of+=($command)
		;;
	esac
	[[ $command == help ]] || options=(${(f)"$(_lkst_options $of)"})
	if compset -P '--*='; then
		before=${IPREFIX%=}
	fi
	for line in $options; do
		described+=("${${(ps:\t:)line}[1]}:${line##*$'\t'}")
		[[ ${line%%$'\t'*} != "$before" ]] || value=${${line#*$'\t'}%%$'\t'*}
	done
	if [[ -n $value ]]; then
		_lkst_value $program $value
	elif [[ $PREFIX == -* ]]; then
		_describe -o option described
	else
		_lkst_operands $program
	fi
}

_lkst "$@"
