# SPDX-License-Identifier: GPL-2.0
# Mutants of the record path.
#
#   awk -f mutants.awk -v list=1 FILE...    prints "NAME:SOURCE:VARIANT:TEST" for each mutant
#   awk -f mutants.awk -v mutant=NAME FILE.mutants SOURCE    prints SOURCE with the mutant applied
#
# A mutant in mutants/*.mutants has this form:
#
#   @ NAME SOURCE fails TEST [as VARIANT]
#   # What the mutant does.
#    code that stays
#   -code that it removes
#   +code that it adds
#
# "@@" begins another hunk of the same mutant. A hunk must match exactly one place in the source.
# The comparison ignores comments, empty lines and white space at the ends of lines.

function fail(text)
{
	print "mutants.awk: " text >"/dev/stderr"
	failed = 1
	exit 1
}

# Return the code of a line, without comments. in_comment says whether the line begins within a
# comment and, on return, whether it ends within one.
function code(line,	before)
{
	before = ""
	for (;;) {
		if (in_comment) {
			if (!match(line, /\*\//))
				break
			line = substr(line, RSTART + 2)
			in_comment = 0
		}
		if (!match(line, /\/\*/)) {
			before = before line
			break
		}
		before = before substr(line, 1, RSTART - 1)
		line = substr(line, RSTART + 2)
		in_comment = 1
	}
	sub(/^[ \t]+/, "", before)
	sub(/[ \t]+$/, "", before)
	return before
}

list && /^@ / {
	print $2 ":" $3 ":" ($6 == "as" ? $7 : "native") ":" $5
}
list { next }

FILENAME ~ /\.mutants$/ && /^@ / {
	here = $2 == mutant
	hunks += here
	next
}
FILENAME ~ /\.mutants$/ {
	if (here && /^@@/)
		hunks++
	else if (here && /^[-+ ]/)
		hunk[hunks, ++size[hunks]] = $0
	next
}

{
	source[FNR] = $0
	lines = FNR
	text = code($0)
	if (text != "") {
		at[++codes] = FNR
		is[codes] = text
	}
}

# Whether the unchanged and removed lines of a hunk are the code lines from number "first" on.
function fits(number, first,	i)
{
	for (i = 1; i <= size[number]; i++)
		if (hunk[number, i] !~ /^\+/ && code(substr(hunk[number, i], 2)) != is[first++])
			return 0
	return 1
}

function apply(number,	first, found, places, i, line, after)
{
	for (first = 1; first <= codes; first++)
		if (fits(number, first)) {
			found = first
			places++
		}
	if (places != 1)
		fail(mutant ": hunk " number " matches " places + 0 " places in " FILENAME " (must match exactly one)")
	after = at[found] - 1
	for (i = 1; i <= size[number]; i++) {
		line = hunk[number, i]
		if (line ~ /^\+/) {
			added[after] = added[after] substr(line, 2) "\n"
			continue
		}
		after = at[found++]
		if (line ~ /^-/)
			removed[after] = 1
	}
}

END {
	if (list || failed)
		exit failed
	if (!hunks)
		fail(mutant ": no such mutant")
	for (i = 1; i <= hunks; i++)
		apply(i)
	printf "%s", added[0]
	for (i = 1; i <= lines; i++)
		printf "%s%s", i in removed ? "" : source[i] "\n", added[i]
}
