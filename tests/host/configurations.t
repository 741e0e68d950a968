#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each kernel configuration that LKST supports, tests/configs/matrix/*.config, builds without a
# warning, boots, and records the actions of a process. configurations/init.c starts this process
# and reads the records through /dev/lkst. Prints a table of the configurations. A line "# series:
# FROM-TO" limits a configuration to these series; if the current series is not one of them, the
# configuration is built for the nearest one. To run this test by hand: tests/host/configurations.t
# [NAME...]
# suite: all
# timeout: 14400
# builds: yes

. "$(dirname "$0")/host.sh"
prog=configurations.t
# shellcheck source=../../scripts/common.sh
. "$top/scripts/common.sh"
set +e
tree=${KERNEL:+$(realpath -- "$KERNEL")}
[ -z "$tree" ] || default_series=$(series_of "$tree") || bail_out "KERNEL=$KERNEL is no kernel source tree"

readonly boot_limit=300

# earlier A B: whether series A is earlier than B
earlier() { [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

# series_for NAME: print the series for a configuration. It is the current series, or the nearest
# one in the configuration's range FROM-TO.
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

# forget_objects BUILD: delete the objects that LKST affects. They must be rebuilt, because make
# does not repeat warnings.
forget_objects() {
	local build=$1 written=$1/source/.lkst/written path
	[ -d "$written" ] || return 0
	(cd "$written" && find . -name '*.c') | while read -r path; do
		rm -f "$build/${path%.c}.o"
	done
}

# begin_build NAME: if $build does not exist, start it as a copy of the build of the configuration
# that NAME extends, provided that both are for the same machine and compiler. Then only files that
# depend on the differences are compiled.
begin_build() {
	local below seed
	below=$(config_header "$1" on base)
	seed=$(build_dir "$series" "$below" "$tree")
	if [ ! -d "$build" ] && [ -f "$seed/vmlinux" ] && [ "$(make_words "$1")" = "$(make_words "$below")" ]; then
		cp -a --reflink=auto "$seed" "$build"
		# The .cmd files in tools/ contain absolute paths. If these were wrong, make would
		# build a new objtool, and then all objects again. 32-bit x86 has no objtool.
		[ ! -d "$build/tools" ] || find "$build/tools" -name '.*.cmd' -exec sed -i "s#$seed/#$build/#g" {} +
	fi
	forget_objects "$build"
}

# Build $name of $series in $build, and set $image and $warnings. $warnings has the warnings of the
# whole kernel: a kernel without LKST builds without warnings, so LKST has caused them. LKST's own
# directory is then compiled again with W=1. The rest of the kernel is not, because W=1 causes many
# warnings there.
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

# Boot $image with the program for $arch. The kernel messages go to $work/log, the program's output
# to $work/tap. The machine needs no ACPI and no PCI, and exits at the first reset. Its two CPUs are
# in different sockets, as the firmware's table for kernels without ACPI requires.
boot() {
	mkdir -p "$work/root"
	compile "$work/root/init" "$top/tests/host/configurations/init.c" "$([ "$arch" = i386 ] && echo -m32 || echo -m64)" \
		-I"$top/include/uapi" -I"$top/tests/vm" -Wno-missing-field-initializers
	(cd "$work/root" && echo init | cpio --quiet -o -H newc -R +0:+0) >"$work/initrd"
	timeout -k 5 $boot_limit qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine q35 \
		-accel tcg,thread=single -cpu Haswell -smp 2,sockets=2 -m 256 -kernel "$image" -initrd "$work/initrd" \
		-append 'console=ttyS0 panic=-1 tsc=nowatchdog no_timer_check' -serial "file:$work/log" -serial "file:$work/tap" \
		2>"$work/qemu.err"
	sed -i 's/\r//g' "$work/log" "$work/tap"
}

# table NAME: print VALUE from the line "table: NAME VALUE" of the output of the program in the VM.
# The values are for $work/table.
table() { sed -n "s/^table: $1 //p" "$work/tap"; }

# Report the results of the program in the VM as results of this test. Fails if one of them is a
# failure, or if their number is not the planned one.
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
	fail "$label: runs to its end" "$seen results of $planned; the end of its messages:
$(tail -n 30 "$work/log"; cat "$work/qemu.err")"
	return 1
}

# Test one configuration: print the results, and add a row to $work/table.
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
	else
		is "$label: builds without a warning" "$warnings" ''
		boot
		! grep -q '^ok 1 - boots' "$work/tap" || boots=yes
		! take_results || records=yes
		grep -q '^CONFIG_SMP=y' "$build/.config" || cpus=1
		is "$label: events on all CPUs are recorded" "$(table cpus)" $cpus
		is "$label: the kernel log has no errors or warnings" "$(grep -aE -m 1 -A 40 "$kernel_trouble" "$work/log")" ''
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

# Print all configurations, each after the configuration that it builds on.
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
