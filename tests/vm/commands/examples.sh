# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# run_page FILE: run the examples of a page exactly as printed. Source this after rows.sh.
#
# In the EXAMPLES section of a man page (mdoc), and in all of a document (reStructuredText), a
# line that begins with "# " or "$ " in a literal block is a command. If it ends with "\", the
# command continues on the next line. The commands of a page run in an empty directory, while LKST
# is recording with the default maskset, and each must succeed. The lines below a command are its
# output, line by line. A number matches any number, spaces match any spaces, "..." matches any
# text, a line of "..." matches any lines, and "x86_64" matches the name of the machine's
# architecture. If a time of day in a command appears in an earlier output, the time in the real
# output is used instead. A comment just before a command in the page changes what is run or tested.
# Such comments begin with .\" in a man page and with .. in a document:
#   .\" test: status N           the command must exit with status N
#   .\" test: instead COMMAND    run COMMAND instead of the command of the page
#   .\" test: before COMMAND     run COMMAND before the command of the page
#   .\" test: like REGEX         in the output of the command, a line that matches REGEX stands for
#                                any line that also matches REGEX
#   .\" test: boot NAME          run the following commands only in the boot of a VM in which the
#                                variable page_boot is NAME. Commands after a comment without NAME, or
#                                before the first such comment, are run if page_boot is empty
#   .\" test: file               the block shows a file, so nothing in it is run

# shellcheck disable=SC2154 # rows.sh sets $here
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"

# Print the steps of a page: "before TEXT", "status N", "instead TEXT", "like TEXT", "command TEXT",
# "output TEXT".
steps() {
	case $1 in
	*.rst) steps_rst "$1" ;;
	*) steps_mdoc "$1" ;;
	esac
}

# shellcheck disable=SC2154 # rows.sh sets $here
steps_rst() { awk -f "$here/examples_rst.awk" "$1"; }

steps_mdoc() {
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

# shaped GOT WANTED: return whether the lines of file GOT match the lines of file WANTED
shaped() {
	sed "s/x86_64/$(uname -m)/g" "$2" >"$2.here"
	awk -f "$here/examples.awk" "$2.here" "$1"
}

# Print a command with the times of day of the real output (see examples.awk).
retimed() {
	printf '%s\n' "$1" | awk '
		FILENAME == "-" {
			rest = $0
			while (match(rest, /[0-9][0-9]:[0-9][0-9]:[0-9][0-9]([.][0-9]+)?/)) {
				time = substr(rest, RSTART, RLENGTH)
				printf "%s%s", substr(rest, 1, RSTART - 1), time in real ? real[time] : time
				rest = substr(rest, RSTART + RLENGTH)
			}
			print rest
			next
		}
		{ real[$1] = $2 }' ../times -
}

# update FILE: do nothing if $updates is not set. Otherwise write the command that was run to
# N.command in the directory $updates, and copy FILE, which has the output of the command, to
# N.output. N is the number of the command in the page.
update() {
	[ -n "${updates-}" ] || return 0
	printf '# %s\n' "$timely" >"$updates/$done_count.command"
	[ ! -s ../wanted ] || cp "$1" "$updates/$done_count.output"
}

# Run the command in $command, if there is one, and test its exit status and output.
finish() {
	[ -n "$command" ] || return 0
	timely=$command
	# Call retimed() only if the command contains a time, because it starts a process.
	case $command in *[0-9]:[0-9][0-9]:[0-9]*) timely=$(retimed "$command") ;; esac
	run=${instead:-$timely}
	done_count=$((done_count + 1))
	eval "$run" >../got 2>&1 </dev/null
	got_status=$?
	if [ "$got_status" != "${status:-0}" ]; then
		fail "$page: $command" "status $got_status, wanted ${status:-0}
$(head -n 20 ../got)"
	elif [ -s ../wanted ] && ! shaped ../got ../wanted; then
		update ../got
		fail "$page: $command" "$(head -n 30 ../got)
wanted:
$(cat ../wanted)"
	else
		update ../updated
		pass "$page: $command"
	fi
	command='' instead='' status='' LIKE=''
	: >../wanted
}

# run_page FILE: run the examples of the page, and report a test result for each. Also test lkstla why on
# the traces that the commands leave in the directory.
run_page() {
	page=${1##*/} boot=
	rm -rf page
	mkdir page
	cd page || exit
	command='' instead='' status='' LIKE='' next_instead='' next_status='' next_like='' done_count=0
	: >../wanted
	: >../times
	export LIKE TIMES=../times UPDATED=../updated
	steps "$1" >../steps
	while IFS= read -r step <&4; do
		text=${step#* }
		case $step in
		boot | 'boot '*)
			finish
			boot=${step#boot}
			boot=${boot# }
			continue
			;;
		esac
		if [ "$boot" != "${page_boot-}" ]; then
			[ "$step" = "${step#command }" ] || done_count=$((done_count + 1))
			continue
		fi
		case $step in
		'command '*)
			finish
			command=$text instead=$next_instead status=$next_status LIKE=$next_like
			next_instead='' next_status='' next_like=''
			;;
		'output '*) printf '%s\n' "$text" >>../wanted ;;
		'output') echo >>../wanted ;;
		'instead '*) next_instead=$text ;;
		'status '*) next_status=$text ;;
		'like '*) next_like=$text ;;
		'before '*)
			finish
			ok "$page: before: $text" sh -c "$text"
			;;
		*) fail "$page: what is '$step'" ;;
		esac
	done 4<../steps
	finish
	why_agrees_each
	cd .. || exit
}
