# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# run_page FILE: run the examples of a man page exactly as printed. Source this after tap.sh.
#
# In the EXAMPLES section of a page (mdoc), a line that begins with "# " or "$ " in a literal block
# is a command. If it ends with "\", the command continues on the next line. The commands of a page
# run in an empty directory, while LKST is recording with the default maskset, and each must
# succeed. The lines below a command are its output, line by line. A number matches any number,
# spaces match any spaces, "..." matches any text, a line of "..." matches any lines, and "x86_64"
# matches the name of the machine's architecture. Comments in the page just before a command change
# what is run or tested:
#   .\" test: status N           the command must exit with status N
#   .\" test: instead COMMAND    run COMMAND instead of the command of the page
#   .\" test: before COMMAND     run COMMAND before the command of the page
#   .\" test: file               the block shows a file, so nothing in it is run

# Print the steps of a page: "before TEXT", "status N", "instead TEXT", "command TEXT", "output
# TEXT".
steps() {
	awk '
	function plain(text) {
		gsub(/\\&/, "", text)
		gsub(/\\-/, "-", text)
		gsub(/\\\(aq/, "\047", text)
		gsub(/\\\(ga/, "`", text)
		gsub(/\\\(ha/, "^", text)
		gsub(/\\\(ti/, "~", text)
		gsub(/\\e/, "\\", text)
		return text
	}
	/^\.Sh/ { on = /EXAMPLES/; next }
	!on { next }
	/^\.Bd -literal/ { literal = 1; shell = 0; next }
	/^\.Ed/ { literal = 0; next }
	!literal { next }
	/^\.\\" test: file/ { literal = 0; next }
	/^\.\\" test: / { sub(/^\.\\" test: /, ""); print; next }
	/^\.\\"/ { next }
	{ line = plain($0) }
	more { more = line ~ /\\$/; sub(/\\$/, "", line); printf "%s%s", line, more ? "" : "\n"; next }
	line ~ /^[#$] / {
		shell = 1
		more = line ~ /\\$/
		sub(/\\$/, "", line)
		printf "command %s%s", substr(line, 3), more ? "" : "\n"
		next
	}
	shell { print "output " line }
	' "$1"
}

# Turn a line of a page into an extended regular expression, in which the character \001 ends a
# line.
pattern_of() {
	if [ "$1" = ... ]; then
		printf '([^\001]*\001)*'
		return
	fi
	printf '%s\n' "$1" | sed -e "s/x86_64/$(uname -m)/g" -e 's/[][\\.*^$+?(){}|]/\\&/g' \
		-e "s/\\\\\.\\\\\.\\\\\./[^$(printf '\001')]*/g" \
		-e 's/0x[0-9a-f]\{1,\}/0x[0-9a-f]+/g' -e 's/[0-9][0-9]*/[0-9]+/g' \
		-e 's/\[\[0-9\]+-\[0-9\]+a-f\]+/[0-9a-f]+/g' -e 's/\[0-9\]+x\[/0x[/g' \
		-e 's/[[:blank:]][[:blank:]]*/[[:blank:]]+/g' -e 's/$/[[:blank:]]*/' | tr '\n' '\001'
}

# shaped GOT WANTED: whether the lines of file GOT match those of file WANTED
shaped() {
	tr '\n' '\001' <"$1" | grep -qE -e "^$(while IFS= read -r want; do pattern_of "$want"; done <"$2")\$"
}

# Run the command in $command, if there is one, and test its exit status and output.
finish() {
	[ -n "$command" ] || return 0
	run=${instead:-$command}
	eval "$run" >../got 2>&1 </dev/null
	got_status=$?
	if [ "$got_status" != "${status:-0}" ]; then
		fail "$page: $command" "status $got_status, wanted ${status:-0}
$(head -n 20 ../got)"
	elif [ -s ../wanted ] && ! shaped ../got ../wanted; then
		fail "$page: $command" "$(head -n 30 ../got)
wanted:
$(cat ../wanted)"
	else
		pass "$page: $command"
	fi
	command='' instead='' status=''
	: >../wanted
}

# run_page FILE: run the examples of the man page, and report a test result for each
run_page() {
	page=${1##*/}
	rm -rf page
	mkdir page
	cd page || exit
	command='' instead='' status='' next_instead='' next_status=''
	: >../wanted
	steps "$1" >../steps
	while IFS= read -r step <&4; do
		text=${step#* }
		case $step in
		'command '*)
			finish
			command=$text instead=$next_instead status=$next_status next_instead='' next_status=''
			;;
		'output '*) printf '%s\n' "$text" >>../wanted ;;
		'output') echo >>../wanted ;;
		'instead '*) next_instead=$text ;;
		'status '*) next_status=$text ;;
		'before '*)
			finish
			ok "$page: before: $text" sh -c "$text"
			;;
		*) fail "$page: what is '$step'" ;;
		esac
	done 4<../steps
	finish
	cd .. || exit
}
