#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Documentation/lkst/record-path.rst names exactly the mutants and the tests of the record path that
# exist. The numbers in its table of instructions add up to the instructions of a record.

. "$(dirname "$0")/host.sh"
text=$top/Documentation/lkst/record-path.rst

# In this document each quoted word with a hyphen is the name of a mutant.
# shellcheck disable=SC2016 # they are literal quotes
is "all mutants are named, and no others" \
	"$(grep -oE '``[a-z]+(-[a-z]+)+``' "$text" | tr -d '`' | sort -u)" \
	"$(awk -v list=1 -f "$top/tests/unit/record/mutants.awk" "$top"/tests/unit/record/mutants/*.mutants | cut -d : -f 1 | sort)"

# table FIRST: print the rows of the table whose heading begins with FIRST
table() {
	awk -v first="$1" '/^=+ +=+/ { rules++ } $1 == first && rules % 3 == 1 { found = 1; next }
		found && /^=+ +=+/ { if (++ends == 2) exit; next } found && /^[^ ]/' "$text"
}
is "all tests are in the table of tests" "$(table test | awk '{ print $1 }' | sort)" \
	"$(sed -nE 's/^(FROM|ONCE)\("([a-z-]+)".*/\2/p' "$top/tests/unit/record/cases.h" | sort)"
is "the instructions add up" "$(table part | sed -E 's/^.{26} *([0-9]+)  .*/\1/' | awk '{ sum += $1 } END { printf "%.1f", sum }')" \
	"$(awk '$1 == "gcc-12.2.0" && $2 == "6.1" && $3 == "LKST_HOOK" { print $4 }' "$top/tests/host/record_cost.txt")"
done_testing
