#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The --help output of every command fits on a screen, the man pages are correct, and both have the
# same options. tests/vm/commands/man_examples.t runs the examples of the pages.

. "$(dirname "$0")/host.sh"
use_tools
pages=$top/Documentation/man
programs=$(sed -n 's/^commands *:= *//p' "$top/tools/lkst/Makefile")

# commands_of PROGRAM: print the subcommands with their aliases, as "status/stat"
commands_of() { "$1" help | sed -n 's/^  \([a-z/-]*\(, [a-z/-]*\)*\)  *[a-z].*/\1/p' | tr -d ,; }

# Read the output of --help from standard input, and print its options, with alternatives on one
# line: "-c --cpu".
options_of() { sed -n 's/^  \(-[^ ,]*\)$/\1/p; s/^  \(-[^ ,]*\) .*/\1/p; s/^  \(-[^ ,]*\), \(-[^ ]*\).*/\1 \2/p' |
	sed 's/--\[no-\]\(.*\)/--\1\n--no-\1/'; }

# fits NAME FILE [LINES]: test that FILE is the output of --help, and fits on a screen with LINES
# lines (default: 24)
fits() {
	contains "$1 shows usage" "$(cat "$2")" '^Usage: '
	ok "$1: at most ${3:-24} lines" test "$(wc -l <"$2")" -le "${3:-24}"
	is "$1: at most 80 columns" "$(grep -E '.{81}' "$2")" ''
	lacks "$1: no trailing blanks" "$(cat "$2")" '[[:blank:]]$'
}

# synopsis PAGE DASH: print the options in the SYNOPSIS of a page, as lines "COMMAND OPTION".
# COMMAND is "-" for options outside of subcommands. If DASH is empty, a word such as "rn" stands
# for several options of one letter. Otherwise the word is a single option.
synopsis() {
	awk -v dash="$2" '
	function option(word, i) {
		if (word ~ /^-/ || dash)
			print names, "-" word
		else
			for (i = 1; i <= length(word); i++)
				print names, "-" substr(word, i, 1)
	}
	/^\.Sh/ { on = $2 == "SYNOPSIS"; next }
	!on { next }
	/^\.Nm/ { names = "-"; next }
	{
		kind = ""
		sub(/^\./, "")
		for (n = 1; n <= NF; n++) {
			if ($n ~ /^(Cm|Fl|Ar|Op|Oo|Oc|Ns)$/)
				kind = $n
			else if ($n == "|")
				continue
			else if (kind == "Cm" && names == "-")
				names = $n
			else if (kind == "Cm")
				names = names "/" $n
			else if (kind == "Fl")
				option($n)
		}
	}' "$1"
}

# explained PAGE: print the options that the page explains with .It Fl
explained() { grep '^\.It Fl' "$@" | grep -oE ' Fl [^ ]+' | sed 's/ Fl /-/'; }

# part PAGE HEADING: print the section or subsection of a page with this heading
part() { awk -v heading="$2" '/^\.S[hs] / { on = substr($0, 5) == heading } on' "$1"; }

# one_of WORDS TEXT: test whether one of the words is a line of the text
one_of() {
	local word
	for word in $1; do
		grep -qxF -e "$word" <<<"$2" && return
	done
	return 1
}

# used COMMAND: read options from standard input, and print those that lkstla COMMAND accepts
used() {
	local option tried operands=()
	[ "$1" != thread ] || operands=(all)
	while read -r option; do
		case $option in
		-p | -c | --over | --top) tried=("$option" 1) ;;
		--sort) tried=("$option" key) ;;
		--children) tried=(-p 1) ;;
		--json | --csv | --no-pager) tried=("$option") ;;
		*) tried=() ;;
		esac
		[ ${#tried[@]} -gt 0 ] && lkstla "$1" -f /dev/null "${tried[@]}" "${operands[@]}" 2>&1 |
			grep -q 'does not apply' || echo "$option"
	done
}

# compare NAME HELP OPTIONS: test that the file HELP has the same options as a page. OPTIONS are
# the options of the page
compare() {
	local name=$1 lacking='' option options
	options=$(options_of <"$2")
	while read -r option; do
		[ -z "$option" ] || one_of "$option" "$3" || lacking="$lacking $option"
	done <<<"$options"
	is "$name: the page has all options in --help" "$lacking" ''
	lacking=''
	for option in $3; do
		case $option in -h | --help) continue ;; esac
		one_of "$option" "${options// /$'\n'}" || lacking="$lacking $option"
	done
	is "$name: --help has all options of the page" "$lacking" ''
}

for program in $programs; do
	contains "$program -v prints the version" "$("$program" -v)" "^$program \(LKST\) [0-9.]+$"
	page=$pages/$program.8
	ok "$program: has a page" test -f "$page"
	synopsis "$page" "$([ "$program" != lkstlogger ] || echo single)" >in_synopsis
	"$program" --help >program.help || fail "$program --help"
	fits "$program --help" program.help
	case $program in
	lkstlogger | lkstlogd)
		compare "$program" program.help "$(sed 's/^[^ ]* //' in_synopsis; explained "$page")"
		continue
		;;
	esac
	for names in $(commands_of "$program"); do
		case $names in version/ver | help) continue ;; esac
		name=${names%%/*}
		"$program" "$name" --help >help || fail "$program $name --help"
		# These commands have more options than a classic terminal has lines.
		case "$program $name" in 'lkstbuf print' | 'lkstbuf read') lines=30 ;; *) lines=24 ;; esac
		fits "$program $name --help" help $lines
		cat help >>all.help
		options=$(sed -n "s|^$names ||p" in_synopsis)
		# The analyses share most options, which the synopsis of the page leaves out.
		[ "$program" != lkstla ] ||
			options=$({ part "$page" 'COMMON OPTIONS'; part "$page" "$name"; } | explained | used "$name")
		compare "$program $name" help "$options"
		for alias in ${names//\// }; do
			contains "$program: the page has $alias" "$(cat "$page")" "^\.(It|Ss).*\<$alias\>"
			is "$program $alias --help" "$("$program" "$alias" --help)" "$(sed "s/^\(Usage:\|      \) $program $name/\1 $program $alias/" help)"
			is "$program help $alias" "$("$program" help "$alias")" "$("$program" "$alias" --help)"
		done
	done
	lacking=''
	for option in $(explained "$page"); do
		one_of "$option" "$(options_of <all.help | tr ' ' '\n')" || lacking="$lacking $option"
	done
	is "$program: --help has every option that the page explains" "$lacking" ''
done

"$top/build/bin/logformat.pl" --help >help
fits 'logformat.pl --help' help
compare logformat.pl help "$(explained "$pages/logformat.pl.8")"

# The page explains each key of the configuration, and the installed file has each key with its
# default.
keys=$(lkst config /dev/null | sed -n 's/^#*\([a-z-]*\) =.*/\1/p')
ok 'lkst config lists keys' test "$(wc -w <<<"$keys")" -ge 9
is 'lkst.conf.5: explains each key' "$(sed -n '/^\.Sh KEYS/,/^\.Ss/s/^\.It Cm //p' "$pages/lkst.conf.5")" "$keys"
installed=$top/tools/lkst/share/lkst.conf
is 'lkst.conf: has each key' "$(sed -n '/^\[lkstlogd/,/^#\[maskset/s/^#*\([a-z-]*\) = .*/\1/p' "$installed" | sort)" "$(sort <<<"$keys")"
sed 's/^#\([a-z*_:, -]* = \|\[\)/\1/' "$installed" >uncommented
is 'lkst.conf: is valid, also with all settings uncommented' "$(lkst config --check "$installed" 2>&1; lkst config --check uncommented 2>&1)" ''
is 'lkst.conf: the settings in comments are the defaults' \
	"$(lkst config uncommented | sed -n '/ = /{ /^limit\|^total\|^start\|^maskset/!s/  *#.*//p; }' | sed '/^from/,$d')" \
	"$(lkst config /dev/null | sed -n '/^[a-z].* = /{ /^start/!s/  *#.*//p; }')"

# Ignore what the linter reports about other pages that are not installed on this system.
for page in "$pages"/*.[1-8]; do
	is "${page##*/}: mandoc -Tlint" "$(mandoc -Tlint "$page" 2>&1 | grep -v -e 'referenced manual not found' -e 'operating system explicitly specified' -e 'outdated mandoc.db')" ''
	lacks "${page##*/}: the first and last lines do not name BSD" "$(nroff -mdoc "$page" | sed -n '1p; $p')" BSD
	contains "${page##*/}: has a licence" "$(head -n 1 "$page")" 'SPDX-License-Identifier'
	# Only the pages about commands and file formats must have examples.
	case $page in *.[23] | *lkst.4) continue ;; esac
	contains "${page##*/}: has examples" "$(cat "$page")" '^\.Sh EXAMPLES'
done

# Check that the linter finds a known error.
printf '.Dd November 20, 2026\n.Dt X 8\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Sh SYNOPSIS\n.Bogus z\n' >bad.8
contains 'mandoc -Tlint finds an unknown macro' "$(mandoc -Tlint bad.8)" 'Bogus'
done_testing
