# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Runs the examples of man pages as they stand: run_page FILE, after tap.sh.
#
# In the EXAMPLES section of a page (mdoc) a line of a literal block that begins with "# " or "$ " is a command; "\"
# at its end goes on in the next line. The commands of a page are run one after the other in an empty directory, while
# LKST records with the default maskset; each must succeed. The lines below a command are what it prints, line for line:
# any number stands for any number, blanks for any blanks, "..." for any text, and a line that is only "..." for any
# lines, and "x86_64" for the machine. Comments of the page, just before the line of a command:
#   .\" test: status N           its exit status
#   .\" test: instead COMMAND    what the VM can run in its place
#   .\" test: before COMMAND     run first
#   .\" test: file               this block is what a file has

# The steps of a page: "before TEXT", "status N", "instead TEXT", "command TEXT", "output TEXT".
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

# What one line of a page must look like, as an extended regular expression.
pattern_of() {
	printf '%s\n' "$1" | sed -e "s/x86_64/$(uname -m)/g" -e 's/[][\\.*^$+?(){}|]/\\&/g' -e 's/\\\.\\\.\\\./.*/g' \
		-e 's/0x[0-9a-f]\{1,\}/0x[0-9a-f]+/g' -e 's/[0-9][0-9]*/[0-9]+/g' \
		-e 's/\[\[0-9\]+-\[0-9\]+a-f\]+/[0-9a-f]+/g' -e 's/\[0-9\]+x\[/0x[/g' \
		-e 's/[[:blank:]][[:blank:]]*/[[:blank:]]+/g' -e 's/^/^/' -e 's/$/[[:blank:]]*$/'
}

# shaped GOT WANTED: files; the lines of the first are those that the second tells. Else says where not.
shaped() {
	exec 3<"$1"
	skip=''
	while IFS= read -r want; do
		if [ "$want" = ... ]; then
			skip=yes
			continue
		fi
		want_pattern=$(pattern_of "$want")
		while :; do
			if ! IFS= read -r got <&3; then
				echo "nothing is like: $want"
				return 1
			fi
			! printf '%s\n' "$got" | grep -qE -e "$want_pattern" || break
			if [ -z "$skip" ]; then
				echo "wanted: $want
got:    $got"
				return 1
			fi
		done
		skip=''
	done <"$2"
	[ -n "$skip" ] || ! IFS= read -r got <&3 || {
		echo "more than the page tells: $got"
		return 1
	}
}

# Runs the command that was collected, and looks at what it printed.
finish() {
	[ -n "$command" ] || return 0
	run=${instead:-$command}
	{ eval "$run" >../got 2>&1 </dev/null; } 3>&-
	got_status=$?
	if [ "$got_status" != "${status:-0}" ]; then
		fail "$page: $command" "status $got_status, wanted ${status:-0}
$(head -n 20 ../got)"
	elif [ -s ../wanted ] && ! why=$(shaped ../got ../wanted); then
		fail "$page: $command" "$why
of:
$(head -n 30 ../got)"
	else
		pass "$page: $command"
	fi
	command='' instead='' status=''
	: >../wanted
}

# run_page FILE
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
