#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The configurations of the kernel that LKST must do in, tests/configs/matrix/*.config: each builds without a warning,
# boots, and records what a process does, which configurations/init.c reads through /dev/lkst. Shows them as
# a table. One with a line "# series: X.Y ..." needs such a series: where this is none, it is that of the line's first.
# By hand: tests/host/configurations.t [NAME...]
# suite: all
# timeout: 14400
# builds: yes

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prog=configurations.t
# shellcheck source=../../scripts/common.sh
. "$top/scripts/common.sh"
set +e
tree=${KERNEL:+$(realpath -- "$KERNEL")}
[ -z "$tree" ] || default_series=$(series_of "$tree") || bail_out "KERNEL=$KERNEL is no kernel source tree"

readonly boot_limit=300

# earlier A B: the series A is before B
earlier() { [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# The series that a configuration is built on: another one where it says FROM- or -TO and this is not within.
series_for() {
	local says from to
	says=$(config_says "$1" series -)
	from=${says%-*} to=${says#*-}
	if [ -n "$from" ] && earlier "$default_series" "$from"; then
		echo "$from"
	elif [ -n "$to" ] && earlier "$to" "$default_series"; then
		echo "$to"
	else
		echo "$default_series"
	fi
}

# compile_init ARCH: the first process, in $work/init-ARCH.
compile_init() {
	local machine=-m64
	[ "$1" != i386 ] || machine=-m32
	[ -f "$work/init-$1" ] || gcc $machine -std=gnu11 -O2 -Wall -Wextra -Wno-missing-field-initializers -Werror \
		-D_GNU_SOURCE -static -I"$top/include/uapi" -I"$top/tests/vm" -o "$work/init-$1" \
		"$top/tests/host/configurations/init.c"
}

# The objects of a build that LKST has a part in: what has been built is not warned of any more.
forget_objects() {
	local build=$1 written=$1/source/.lkst/written path
	[ -d "$written" ] || return 0
	(cd "$written" && find . -name '*.c') | while read -r path; do
		rm -f "$build/${path%.c}.o"
	done
}

# The build of a configuration begins as a copy of that of what it goes on top of, if it is for the same machine and by
# the same compiler: then only what depends on their differences is compiled.
begin_build() {
	local below seed
	below=$(config_header "$1" on base)
	seed=$(build_dir "$series" "$below" "$tree")
	if [ ! -d "$build" ] && [ -f "$seed/vmlinux" ] && [ "$(make_words "$1")" = "$(make_words "$below")" ]; then
		cp -a --reflink=auto "$seed" "$build"
		# What tools/ remembers has whole paths; a new objtool, which 32-bit x86 has not, makes all objects old.
		[ ! -d "$build/tools" ] || find "$build/tools" -name '.*.cmd' -exec sed -i "s#$seed/#$build/#g" {} +
	fi
	forget_objects "$build"
}

# Builds $name of $series in $build; sets $image, and $warnings: all there are, as a kernel without LKST has none here.
# LKST's own directory is then compiled once more, with those that W=1 asks for: in the rest of the kernel there are many.
build() {
	local words log=$work/build.log
	begin_build "$name"
	image=$("$top/scripts/build-kernel" --config "$name" --series "$series" 2>"$work/build.err") || return
	cp "$build/build.log" "$log"
	mapfile -t words < <(make_words "$name")
	make -C "$build" "${words[@]}" -j "$(nproc)" W=1 kernel/lkst/ >"$work/build.err" 2>&1 || return
	cat "$work/build.err" >>"$log"
	warnings=$(sed "s#$(realpath "$build/source")/##g" "$log" | grep -i 'warning:') || :
}

# Boots $image with the program for $arch: the kernel's messages are in $work/log, the program's in $work/tap. The machine
# needs no ACPI and no PCI, and ends with the first reset. Each of its two CPUs has a socket of its own: the firmware's
# table for kernels without ACPI has no other ones.
boot() {
	rm -rf "$work/root"
	mkdir -p "$work/root"
	cp "$work/init-$arch" "$work/root/init"
	(cd "$work/root" && echo init | cpio --quiet -o -H newc -R +0:+0) >"$work/initrd"
	timeout -k 5 $boot_limit qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine q35 \
		-accel tcg,thread=single -cpu Haswell -smp 2,sockets=2 -m 256 -kernel "$image" -initrd "$work/initrd" \
		-append 'console=ttyS0 panic=-1 tsc=nowatchdog no_timer_check' -serial "file:$work/log" -serial "file:$work/tap" \
		2>"$work/qemu.err"
	sed -i 's/\r//g' "$work/log" "$work/tap"
}

# What the program in the machine had to say on that: table NAME
table() { sed -n "s/^table: $1 //p" "$work/tap"; }

# The program's results are results of this test. Fails if one is bad, or if there are not all that it planned.
take_results() {
	local line bad=0 seen=0 planned=0
	while IFS= read -r line; do
		case $line in
		'ok '*) pass "$label: ${line#* - }"; seen=$((seen + 1)) ;;
		'not ok '*) fail "$label: ${line#* - }"; seen=$((seen + 1)) bad=1 ;;
		1..*) planned=${line#1..} ;;
		table:*) ;;
		*) diag "$line"; bad=1 ;;
		esac
	done <"$work/tap"
	if [ "$seen" -gt 0 ] && [ "$seen" -eq "$planned" ]; then
		return "$bad"
	fi
	fail "$label: comes to its end" "$seen results of $planned; the end of its messages:
$(tail -n 30 "$work/log"; cat "$work/qemu.err")"
	return 1
}

# One configuration: prints the results, and adds a row to $work/table.
check_configuration() {
	local name=$1 label arch series build image='' warnings='' built=yes boots=no records=no cpus=2
	series=$(series_for "$name") arch=$(arch_of "$name")
	if [ -n "$tree" ] && [ "$series" != "$default_series" ]; then
		skip "${name#matrix/}" "Linux $default_series has no such thing"
		return
	fi
	label="${name#matrix/}, $series" build=$(build_dir "$series" "$name" "$tree")
	rm -f "$work/tap" "$work/log"
	touch "$work/tap"
	build || built=no
	if [ "$built" = no ]; then
		fail "$label: builds" "$(tail -n 30 "$work/build.err")"
	elif ! compile_init "$arch" 2>"$work/init.err"; then
		fail "$label: the program for it compiles" "$(cat "$work/init.err")"
	else
		is "$label: builds without a warning" "$warnings" ''
		boot
		! grep -q '^ok 1 - boots' "$work/tap" || boots=yes
		! take_results || records=yes
		grep -q '^CONFIG_SMP=y' "$build/.config" || cpus=1
		is "$label: events on all CPUs are recorded" "$(table cpus)" $cpus
		is "$label: the kernel has nothing to complain of" "$(grep -aE -m 1 -A 40 "$kernel_trouble" "$work/log")" ''
	fi
	printf '%s|' "${name#matrix/}" "$series" "$arch" "$(compiler_of "$name")" "$built" \
		"$([ -z "$warnings" ] || wc -l <<<"$warnings")" "$boots" "$records" "$(table etypes)" "$(table seen)" >>"$work/table"
	echo >>"$work/table"
}

show_table() {
	awk -F '|' '
	function row(name, series, machine, compiler, built, warnings, boots, records, present, seen) {
		printf "#| %-18s %-7s %-7s %-9s %-7s %-9s %-6s %-8s %s\n", name, series, machine, compiler, built, warnings,
			boots, records, present == "" ? "" : seen " of " present
	}
	BEGIN { row("configuration", "series", "arch", "compiler", "builds", "warnings", "boots", "records", "types", "events") }
	{ row($1, $2, $3, $4, $5, $5 == "no" ? "-" : $6 + 0, $7, $8, $9, $10) }' "$work/table"
}

# All there are, the lowest first.
matrix() {
	local name
	for name in $(cd "$configs" && printf '%s\n' matrix/*.config); do
		printf '%d %s\n' "$(config_stack "${name%.config}" | wc -w)" "${name%.config}"
	done | sort -s -k 1,1n | cut -d ' ' -f 2
}

for name in $(matrix); do
	case " ${*:-${name#matrix/}} " in
	*" ${name#matrix/} "*) check_configuration "$name" ;;
	esac
done
[ $tap_count -gt 0 ] || bail_out "there is no such configuration: $*"
[ ! -f "$work/table" ] || show_table
done_testing
