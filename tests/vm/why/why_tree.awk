# SPDX-License-Identifier: GPL-2.0
# Checks the output of lkstla why --json: the segments must divide each delay without a gap, and so
# must the children of each segment. Prints a line for each delay: thread ID, begin and end in the
# form that --since accepts, and how long the thread ran and waited for a CPU, in ns. The line is
# "-" if a segment of the delay stands for several short ones. Exits with status 1 if something is
# wrong.

# Times have more digits than a number of awk can hold exactly, so use their last 15 digits.
function ns(from, to,	length_ns) {
	length_ns = last(to) - last(from)
	return length_ns < 0 ? length_ns + 1e15 : length_ns
}
function last(time) { return substr(time, length(time) - 14) + 0 }
function stamp(time) { return "@" substr(time, 1, length(time) - 9) "." substr(time, length(time) - 8) }
function wrong(text) {
	print "wrong: " text ", near line " NR
	failed = 1
	exit
}

# Check the segment whose member "segments", the list of its children, begins in this line. "level"
# is the level of these children.
function segment() {
	if (begin != at[level - 1])
		wrong("a gap before " begin)
	if (end == begin || ns(begin, end) > 9e14)
		wrong("a segment from " begin " to " end)
	if (!text)
		wrong("a segment without a text")
	at[level - 1] = end
	segments[level - 1]++
	if (level == 1)
		sum[kind] += ns(begin, end)
}

function delay() {
	if ("short" in sum)
		print "-"
	else
		printf "%s %s %s %.0f %.0f\n", tid, stamp(begins), stamp(ends), sum["running"], sum["runnable"]
}

/^ *"why": \[/ { started = 1; level = -1; next }
!started { next }
/^ *"[a-z_]*": / {
	name = $1
	gsub(/[":]/, "", name)
	value = $0
	sub(/^ *"[a-z_]*": /, "", value)
	gsub(/^"|"?,?$/, "", value)
}
name == "kind" { kind = value; text = 0 }
name == "tid" { tid = value }
name == "begin_ns" { begin = value }
name == "end_ns" { end = value }
name == "text" { text = value != "" }
name == "segments" {
	if (++level) {
		segment()
	} else {
		begins = begin
		ends = end
		split("", sum)
	}
	at[level] = begin
	limit[level] = end
	segments[level] = 0
}
/^ *\]/ {
	if (level < 0) {
		complete = 1
		exit
	}
	if ((segments[level] || !level) && at[level] != limit[level])
		wrong("a gap at the end: " at[level] ", not " limit[level])
	if (!level)
		delay()
	level--
}
{ name = "" }
END {
	if (!complete)
		failed = 1
	exit failed
}
