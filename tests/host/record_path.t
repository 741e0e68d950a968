#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Documentation/lkst/record-path.rst names each mutant of the record path, none that there is not, and all tests; and its
# table of instructions adds up to what a record takes.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
text=$top/Documentation/lkst/record-path.rst

# What has a hyphen and is quoted is a mutant.
# shellcheck disable=SC2016 # they are literal quotes
is "all mutants are named, and no others" \
	"$(grep -oE '``[a-z]+(-[a-z]+)+``' "$text" | tr -d '`' | sort -u)" \
	"$(cd "$top/tests/unit/record_mutants" && printf '%s\n' *.patch | sed 's/\.patch$//' | sort -u)"

# table FIRST: the first two columns of the table whose heading begins with FIRST
table() {
	awk -v first="$1" '/^=+ +=+/ { rules++ } $1 == first && rules % 3 == 1 { found = 1; next }
		found && /^=+ +=+/ { if (++ends == 2) exit; next } found && /^[^ ]/' "$text"
}
is "all tests are in the table of tests" "$(table test | awk '{ print $1 }' | sort)" \
	"$(sed -nE 's/^\t\{ "([a-z-]+)", \.run.*/\1/p' "$top/tests/unit/record_case.c" | sort)"
is "the instructions add up" "$(table part | sed -E 's/^.{26} *([0-9]+)  .*/\1/' | awk '{ sum += $1 } END { printf "%.1f", sum }')" \
	"$(awk '$1 == "gcc-12.2.0" && $2 == "6.1" && $3 == "LKST_HOOK" { print $4 }' "$top/tests/host/record_cost.txt")"
done_testing
