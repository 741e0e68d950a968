# SPDX-License-Identifier: GPL-2.0
# Prints the table of the rows that the parts of bench/run write (row() of bench/common.sh). If the
# variable "json" is not empty, also writes the table as JSON to the file that it names. Exits with
# status 1 if a row does not meet its limit, or if a part failed. A part that failed has a row whose
# LIMIT is "runs".

function is_number(s) { return s ~ /^-?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?$/ }

# Sets the variable "figure" to the value that the limit applies to. Returns false if it cannot be
# calculated.
function figured(of, lkst, peer) {
	if (!is_number(lkst))
		return 0
	figure = lkst
	if (of == "lkst")
		return 1
	if (!is_number(peer))
		return 0
	if (of == "peer/lkst") {
		if (lkst == 0)
			return 0
		figure = peer / lkst
	} else if (of == "lkst/peer") {
		if (peer == 0)
			return 0
		figure = lkst / peer
	} else {
		figure = lkst - peer
		if (of ~ /^\|/ && figure < 0)
			figure = -figure
	}
	return 1
}

function holds(op, than) {
	return op == "<=" ? figure <= than : op == ">=" ? figure >= than : op == "<" ? figure < than : figure > than
}

# Returns the verdict of row r: whether it meets its limit. Sets the ratio of the row.
function judge(r,    limit, of, op, than, percent) {
	limit = cell[r, LIMIT]
	ratio[r] = ""
	if (limit == "runs")
		return "failed"
	if (limit == "") {
		if (figured("peer/lkst", cell[r, LKST], cell[r, VALUE]))
			ratio[r] = sprintf("%.2f", figure)
		return "-"
	}
	match(limit, /[<>]=?/)
	of = substr(limit, 1, RSTART - 1)
	op = substr(limit, RSTART, RLENGTH)
	than = substr(limit, RSTART + RLENGTH)
	percent = sub(/%$/, "", than)
	if (!figured(of, cell[r, LKST], cell[r, VALUE]))
		return is_number(cell[r, LKST]) ? "-" : "missed"	# LKST's own value is required
	if (percent) {
		if (of ~ /-/) {
			if (cell[r, VALUE] == 0)
				return "-"
			figure /= cell[r, VALUE]
		}
		figure *= 100
	}
	if (of != "lkst")
		ratio[r] = sprintf(percent ? "%.3f %%" : "%.2f", figure)
	else if (figured("peer/lkst", cell[r, LKST], cell[r, VALUE]))
		ratio[r] = sprintf("%.2f", figure)
	if (of == "lkst")
		figure = cell[r, LKST]
	return holds(op, than + 0) ? "met" : "missed"
}

# Formats a limit for the table.
function spaced(limit) {
	sub(/[<>]=?/, " & ", limit)
	sub(/%$/, " %", limit)
	return limit == "runs" ? "" : limit
}

function put(r, column, text) {
	shown[r, column] = text
	if (length(text) > width[column])
		width[column] = length(text)
}

function note_of(text,    n) {
	if (text == "")
		return ""
	for (n = 1; n <= notes; n++)
		if (note[n] == text)
			return n
	note[++notes] = text
	return notes
}

function lay_out(r,    same) {
	same = r > 1 && cell[r, PART] == cell[r - 1, PART] && cell[r, WHAT] == cell[r - 1, WHAT] &&
		cell[r, UNIT] == cell[r - 1, UNIT] && cell[r, LKST] == cell[r - 1, LKST]
	put(r, 1, same ? "" : "  " cell[r, WHAT])
	put(r, 2, same ? "" : cell[r, LKST])
	put(r, 3, same ? "" : cell[r, UNIT])
	put(r, 4, cell[r, PEER])
	put(r, 5, cell[r, VALUE])
	put(r, 6, ratio[r])
	put(r, 7, spaced(cell[r, LIMIT]))
	put(r, 8, verdict[r])
	put(r, 9, note_of(cell[r, NOTE]))
}

function print_row(r,    c, line) {
	for (c = 1; c <= COLUMNS; c++)
		line = line sprintf((c in to_the_right ? "%" : "%-") width[c] "s  ", shown[r, c])
	sub(/ +$/, "", line)
	print line
}

function quoted(s) {
	gsub(/\\/, "&&", s)
	gsub(/"/, "\\\"", s)
	return "\"" s "\""
}

# Formats a cell as a JSON number, string, or null.
function value(s) { return s == "" ? "null" : is_number(s) ? s : quoted(s) }

function words(s) { return s == "" ? "null" : quoted(s) }

function write_json(    r, ratio_number) {
	print "{\n  \"rows\": [" >json
	for (r = 1; r <= rows; r++) {
		ratio_number = ratio[r]
		sub(/ %$/, "", ratio_number)
		printf "    {\"part\": %s, \"what\": %s, \"unit\": %s, \"lkst\": %s, \"peer\": %s, \"peers_value\": %s, " \
			"\"ratio\": %s, \"limit\": %s, \"verdict\": %s, \"note\": %s}%s\n", quoted(cell[r, PART]),
			quoted(cell[r, WHAT]), quoted(cell[r, UNIT]), value(cell[r, LKST]),
			words(cell[r, PEER]), value(cell[r, VALUE]),
			value(ratio_number), words(cell[r, LIMIT]),
			quoted(verdict[r]), words(cell[r, NOTE]), r < rows ? "," : "" >json
	}
	printf "  ],\n  \"met\": %d,\n  \"missed\": %d,\n  \"failed\": %d\n}\n", sum["met"], sum["missed"], sum["failed"] >json
	close(json)
}

BEGIN {
	FS = "\t"
	PART = 1; WHAT = 2; UNIT = 3; LKST = 4; PEER = 5; VALUE = 6; LIMIT = 7; NOTE = 8
	COLUMNS = split("what LKST unit peer its_figure ratio limit verdict note", title, " ")
	to_the_right[2]; to_the_right[5]; to_the_right[6]
	for (c = 1; c <= COLUMNS; c++) {
		sub(/_/, " ", title[c])
		put(0, c, title[c])
	}
}

{
	rows++
	for (c = 1; c <= NOTE; c++)
		cell[rows, c] = $c
}

END {
	for (r = 1; r <= rows; r++) {
		sum[verdict[r] = judge(r)]++
		lay_out(r)
	}
	print_row(0)
	for (r = 1; r <= rows; r++) {
		if (r == 1 || cell[r, PART] != cell[r - 1, PART])
			print cell[r, PART]
		print_row(r)
	}
	for (n = 1; n <= notes; n++)
		printf "%s%3d  %s\n", n == 1 ? "\n" : "", n, note[n]
	printf "\n%d met, %d missed, %d failed\n", sum["met"], sum["missed"], sum["failed"]
	if (json != "")
		write_json()
	exit sum["missed"] + sum["failed"] > 0
}
