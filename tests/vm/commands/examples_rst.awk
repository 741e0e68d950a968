# SPDX-License-Identifier: GPL-2.0
# awk -f examples_rst.awk PAGE: print the steps of a document (reStructuredText) for examples.sh.
# With UPDATES=DIR in the environment, print the document instead. In it, the commands and their
# output are replaced with those that examples.sh has stored in DIR.

# Print the contents of a file, indented as in a literal block. Return 0 if it does not exist.
function insert(name,   line, found, result) {
	found = 0
	while ((result = (getline line <(dir "/" name))) > 0) {
		print (line == "" ? "" : "\t" line)
		found = 1
	}
	close(dir "/" name)
	return found
}

function step(text) { if (dir == "") print text }
function copy(text) { if (dir != "") print text }

# Print the new output of the last command. If DIR has no new output, print the output in the
# document.
function finish(   i) {
	if (command && dir != "" && !insert(command ".output"))
		for (i = 1; i <= output_num; i++)
			print output[i]
	for (i = 1; i <= output_num; i++)
		step("output" (output[i] == "" ? "" : " " substr(output[i], 2)))
	output_num = command = 0
}

# Return @line, a line of command number @commands, with each time of day replaced by the one in the
# command that examples.sh has stored. @times counts the times of day in the previous lines of this
# command.
function retimed(line,   name, run, out, i) {
	name = dir "/" commands ".command"
	if (dir == "" || (getline run <name) <= 0)
		return line
	close(name)
	for (i = 0; i < times && match(run, TIME); i++)
		run = substr(run, RSTART + RLENGTH)
	out = ""
	while (match(line, TIME)) {
		out = out substr(line, 1, RSTART - 1)
		line = substr(line, RSTART + RLENGTH)
		match(run, TIME)
		out = out substr(run, RSTART, RLENGTH)
		run = substr(run, RSTART + RLENGTH)
		times++
	}
	return out line
}

function blank_lines() {
	for (; blanks > 0; blanks--)
		copy("")
}

BEGIN {
	dir = ENVIRON["UPDATES"]
	TIME = "[0-9][0-9]:[0-9][0-9]:[0-9][0-9]([.][0-9]+)?"
}

# A command of several lines. An update keeps it, except for its times of day.
continued {
	copy(retimed($0))
	line = substr($0, 2)
	continued = sub(/\\$/, "", line)
	joined = joined line
	if (!continued)
		step("command " joined)
	next
}

/^\.\. test: file/ { skipped = 1; copy($0); next }
# In a list, a comment is indented.
/^ *\.\. test: / { finish(); blank_lines(); copy($0); sub(/^ *\.\. test: /, ""); step($0); next }
/^$/ { blanks++; next }
/^[^\t]/ {
	finish()
	blank_lines()
	copy($0)
	literal = /::$/
	if (!literal)
		skipped = 0
	next
}
!literal || skipped { blank_lines(); copy($0); next }
/^\t[#$] / {
	finish()
	blank_lines()
	command = ++commands
	joined = substr($0, 4)
	continued = sub(/\\$/, "", joined)
	times = 0
	if (continued)
		copy(retimed($0))
	else if (!insert(command ".command"))
		copy($0)
	if (!continued)
		step("command " joined)
	next
}
command {
	for (; blanks > 0; blanks--)
		output[++output_num] = ""
	output[++output_num] = $0
	next
}
{ blank_lines(); copy($0) }
END { finish(); blank_lines() }
