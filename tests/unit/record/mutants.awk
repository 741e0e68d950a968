# SPDX-License-Identifier: GPL-2.0
# Mutants of the record path.
#
#   awk -f mutants.awk -v list=1 FILE...    lists the mutants: "NAME:SOURCE:VARIANT:RESULT:TEST"
#   awk -f mutants.awk -v mutant=NAME FILE.mutants SOURCE    prints SOURCE with the mutant applied
#
# A mutant in mutants/*.mutants has this form:
#
#   @ NAME SOURCE fails|hangs TEST [as VARIANT]
#   # What the mutant does.
#    code that stays
#   -code that it removes
#   +code that it adds
#
# "@@" begins another hunk of the same mutant. A hunk must match exactly one place in the source.
# Before the hunks are matched, comments and empty lines are removed from SOURCE, and indentation is
# removed from both files.
#
# RESULT is "fails" if TEST fails, or "hangs" if it does not end. If no test fails, TEST is "nothing":
# such a mutant is tested with reader-in-writer, and RESULT is "holds".

list && /^@ / {
	nothing = $5 == "nothing"
	print $2 ":" $3 ":" ($6 == "as" ? $7 : "native") ":" (nothing ? "holds:reader-in-writer" : $4 ":" $5)
}
list { next }

FILENAME ~ /\.mutants$/ {
	if (/^@ /)
		here = $2 == mutant
	if (!here || /^#/)
		next
	hunks += /^@/
	line = substr($0, 2)
	gsub(/^[ \t]+|[ \t]+$/, "", line)
	if (/^[- ]/)
		old[hunks] = old[hunks] "\n" line
	if (/^[+ ]/)
		new[hunks] = new[hunks] "\n" line
	next
}

{ source = source "\n" $0 }

function fail(text)
{
	print "mutants.awk: " mutant ": " text >"/dev/stderr"
	exit 1
}

END {
	if (list)
		exit
	if (!hunks)
		fail("no such mutant")
	gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", source)
	gsub(/[ \t]*\n[ \t\n]*/, "\n", source)
	for (i = 1; i <= hunks; i++) {
		at = index(source, old[i] "\n")
		rest = substr(source, at + length(old[i]))
		if (!at || index(rest, old[i] "\n"))
			fail("hunk " i " must match exactly one place in " FILENAME)
		source = substr(source, 1, at - 1) new[i] rest
	}
	print source
}
