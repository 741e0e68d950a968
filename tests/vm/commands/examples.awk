# SPDX-License-Identifier: GPL-2.0
# awk -f examples.awk WANTED GOT: compare the output of a command, file GOT, with the output that a
# page shows, file WANTED. examples.sh describes what matches what. Exit status: 0 if GOT matches,
# otherwise 1.
#
# Environment:
#   LIKE     a regular expression. A line of WANTED that matches it stands for any line that also
#            matches it
#   UPDATED  a file to which GOT is written, with "..." in the same places as in WANTED. If a line
#            of WANTED matches LIKE and ends with " ...", the text before the "..." may differ in
#            GOT. The line of GOT is then cut to the same length as the previous line that was cut
#   TIMES    append a line to this file for each time of day in WANTED: "time-in-WANTED time-in-GOT"

# Return an extended regular expression for a text without "...".
function pattern(text,   out, c) {
	out = ""
	while (text != "") {
		if (match(text, /^0x[0-9a-f]+/))
			out = out "0x[0-9a-f]+"
		else if (match(text, /^[0-9]+(,[0-9][0-9][0-9])*/))
			out = out "[0-9]+(,[0-9][0-9][0-9])*"
		else if (match(text, /^[ \t]+/))
			out = out "[ \t]+"
		else {
			match(text, /^./)
			c = substr(text, 1, 1)
			out = out (c ~ /[A-Za-z_]/ ? c : c == "^" || c == "\\" ? "\\" c : "[" c "]")
		}
		text = substr(text, RLENGTH + 1)
	}
	return out
}

# Return the pattern that stands for a whole line; "" if none exists.
function whole(line) {
	return LIKE != "" && line ~ LIKE ? LIKE : line ~ HEADER ? HEADER : ""
}

# Return a pattern for a line with "...".
function parts_pattern(line,   parts, num, i, out) {
	sub(/[ \t]+$/, "", line)
	num = split(line, parts, /\.\.\./)
	out = "^" pattern(parts[1])
	for (i = 2; i <= num; i++)
		out = out ".*" pattern(parts[i])
	return out "[ \t]*$"
}

# Return a pattern for a line.
function line_pattern(line) {
	return whole(line) != "" ? whole(line) : parts_pattern(line)
}

# Whether the lines of GOT from @g on match the lines of WANTED from @w on. For each line of WANTED,
# sets the element of at[] to the number of the line of GOT that matches it.
function fit(w, g,   i) {
	if (w > wanted_num)
		return g > got_num
	if (wanted[w] == "...") {
		for (i = g; i <= got_num + 1; i++)
			if (fit(w + 1, i))
				return 1
		return 0
	}
	if (g > got_num || got[g] !~ patterns[w] || !fit(w + 1, g + 1))
		return 0
	at[w] = g
	return 1
}

# For each time of day in @text, which is from the page, append a line to the file TIMES: this time,
# and the time at the same place in @real.
function note_times(text, real,   from, to) {
	if (ENVIRON["TIMES"] == "")
		return
	while (match(text, TIME)) {
		from = substr(text, RSTART, RLENGTH)
		text = substr(text, RSTART + RLENGTH)
		if (!match(real, TIME))
			return
		to = substr(real, RSTART, RLENGTH)
		real = substr(real, RSTART + RLENGTH)
		print from, to >>ENVIRON["TIMES"]
	}
}

# Return whether @line, from the page, contains "...", and @real contains all other text of @line.
function cuttable(line, real) {
	return line ~ / [.][.][.]( |$)/ && real ~ parts_pattern(line)
}

# Return the first word of a text.
function word_of(text) {
	match(text, /[^ ]+/)
	return substr(text, RSTART, RLENGTH)
}

# Return the blanks to put between "..." and @piece. @part is the text after "..." in the page, and
# @piece is the text of GOT that matches it, without blanks at the beginning. If both begin with a
# number, the number in @piece ends in the same column as the one in the page.
function blanks_before(part, piece,   blanks) {
	match(part, /^ +/)
	blanks = RLENGTH
	if (match(part, /^ +[0-9.]+( |$)/)) {
		blanks += length(word_of(part)) - length(word_of(piece))
		blanks = blanks < 2 ? 2 : blanks
	}
	return substr(BLANKS, 1, blanks)
}

# Return the line @real with "..." in the same places as in @line. Sets kept to the length of the last
# part before "...". If @line has only one "...", this is the number of characters before it.
function cut_like(line, real,   parts, num, i, out, piece) {
	sub(/[ \t]+$/, "", real)
	num = split(line, parts, /\.\.\./)
	if (line ~ HEADER && num > 1)
		sub(/, [0-9]+ CPUs?, [0-9,]+ events?, /, ", ..., ", real)
	if (num == 1 || whole(line) != "" && !cuttable(line, real)) {
		note_times(line, real)
		return whole(line) != "" && line ~ / [.][.][.]$/ ? substr(real, 1, kept) "  ..." : real
	}
	out = ""
	for (i = 1; i <= num; i++) {
		match(real, (i == 1 ? "^" : "") pattern(parts[i]) (i == num && parts[i] != "" ? "[ \t]*$" : ""))
		piece = substr(real, RSTART, RLENGTH)
		note_times(parts[i], piece)
		real = substr(real, RSTART + RLENGTH)
		# Keep the number of blanks that the page has next to "...".
		if (i > 1 && match(parts[i], /^ +/) && parts[i] ~ /[^ ]/) {
			sub(/^ +/, "", piece)
			piece = blanks_before(parts[i], piece) piece
		}
		if (i < num && match(parts[i], /[^ ] +$/)) {
			sub(/ +$/, "", piece)
			kept = length(piece)
			piece = piece substr(BLANKS, 1, RLENGTH - 1)
		}
		out = out (i > 1 ? "..." : "") piece
	}
	sub(/[ \t]+$/, "", out)
	return out
}

BEGIN {
	BLANKS = sprintf("%100s", "")
	TIME = "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]([.][0-9]+)?"
	LIKE = ENVIRON["LIKE"]
	# The first line of a report of lkstla contains a duration, whose unit can differ from the
	# unit in the page.
	HEADER = "^window [0-9:.]+ [.][.] [0-9:.]+ [(].* nothing lost[)]$"
}

FILENAME == ARGV[1] { wanted[++wanted_num] = $0; patterns[wanted_num] = line_pattern($0); next }
{ got[++got_num] = $0 }

END {
	if (!fit(1, 1))
		exit 1
	if (ENVIRON["UPDATED"] != "")
		printf "" >ENVIRON["UPDATED"]
	for (w = 1; w <= wanted_num; w++) {
		line = wanted[w] == "..." ? "..." : cut_like(wanted[w], got[at[w]])
		if (ENVIRON["UPDATED"] != "")
			print line >ENVIRON["UPDATED"]
	}
}
