# shellcheck shell=bash
# shellcheck disable=SC2154 # bench/common.sh sets these variables
# SPDX-License-Identifier: GPL-2.0
# Functions of bench/workload and bench/services, which measure whole programs in a VM. Sourced after
# common.sh.

# The objects of the kernel that the workload "build" builds.
readonly objects='lib/zlib_inflate/inflate.o lib/zlib_inflate/inftrees.o'

# Prints the programs, and the libraries that they need, one per line.
with_libraries() {
	local program
	for program; do
		printf '%s\n' "$program"
		ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p'
	done
}

# Prints the path of the file in which kbuild keeps the compile command and the dependencies of an
# object.
command_file() { printf '%s/%s/.%s.cmd\n' "$built" "$(dirname "$1")" "$(basename "$1")"; }

# Prints the compile command of an object, without the option that writes its dependencies.
command_of() { sed -n '1s/^[^:]*:= //p' "$(command_file "$1")" | sed 's/ *;.*//; s/-Wp,-MMD,[^ ]* //'; }

# Prints the files that the compiler needs in the VM, one per line.
build_files() {
	local object
	with_libraries "$(gcc -print-prog-name=cc1)" "$(type -P gcc)" "$(type -P as)"
	# The compiler reads this file, but the lists of dependencies do not contain it: in its
	# place, kbuild lists one file for each option that the source uses.
	echo "$built/include/generated/autoconf.h"
	for object in $objects; do
		sed -n 's/^  \([^ $]*\) \\$/\1/p; s/^source_.* := //p' "$(command_file "$object")" | sed "s,^[^/],$built/&,"
	done
}

# Builds the kernel of the VM and workload-guest. Sets $image, $built and $root, the directory tree
# that becomes /tmp/root in the VM. Its directory bench contains a script for each workload.
workload_begin() {
	image=$(kernel base)
	built=$(build_dir "$default_series" base)
	root=$work/root
	cp "$top/bench/same-events.txt" "$work"
	gcc -std=gnu11 -O2 -Wall -Wextra -Wno-missing-field-initializers -static -D_GNU_SOURCE -I"$top/include/uapi" \
		-I"$top/tests/vm" -o "$work/workload-guest" "$top"/bench/{workload-guest,same-events}.c
	mkdir -p "$root/tmp" "$root/bench"
	cp "$work/workload-guest" "$root/bench"
}

# Copies the files that standard input lists to $root.
add_files() { sort -u | rsync -aR --copy-links --files-from=- / "$root"; }

# Adds the workload "build".
add_build() {
	local object
	build_files | add_files
	{
		echo "cd $built"
		for object in $objects; do
			mkdir -p "$root/$built/$(dirname "$object")"
			command_of "$object"
		done
		echo "rm $objects"
	} >"$root/bench/build"
}

workload_ready() { tar -C "$root" -cf "$work/root.tar" .; }

# measure WORKLOAD ROUNDS NAME [VARIABLE=VALUE...]: runs a workload, whose output goes to the file
# WORKLOAD, and adds its rows, which bench/PART.awk prints. If $root contains the script
# bench/WORKLOAD-server, runs that script first: it starts a server.
measure() {
	local workload=$1 rounds=$2 name=$3 dash
	dash=$(type -P dash)
	shift 3
	say "measuring: $name ..."
	vm_mem=1024 count_in_vm "$image" "$work/$workload" "mkdir /tmp/root; tar -C /tmp/root -xf /share/root.tar
		if [ -e /tmp/root/bench/$workload-server ]; then
			mount --bind /dev /tmp/root/dev
			chroot /tmp/root $dash -e /bench/$workload-server >/tmp/server.log 2>&1 || cat /tmp/server.log >&2
		fi
		/share/workload-guest /share/same-events.txt $rounds /tmp/root $dash -e /bench/$workload"
	awk -v what="$name" "${@/#/-v}" -f "$top/bench/rounds.awk" -f "$top/bench/$prog.awk" "$work/$workload" \
		>"$work/$workload.rows" || die "$name: no rows"
	while IFS='|' read -ra fields; do
		row "${fields[@]}"
	done <"$work/$workload.rows"
}
