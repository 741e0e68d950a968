# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions that the parts of bench/run share. A part is a script in bench/ that can also be run
# directly:
#
#	prog=PART
#	. "$(dirname "$0")/common.sh"
#	begin "$@"		# handles --help and --no-build; sets $build and $work, a temporary directory
#	row WHAT UNIT LKST PEER PEERS_VALUE LIMIT [NOTE]	# for each row
#	finish
#
# A part that is run directly prints the table of its rows, and fails if a row does not meet its
# limit. bench/run collects the rows of all parts, and redirects the output of a part to standard
# error.

# shellcheck source=../scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

readonly limit_form='^(lkst|peer/lkst|lkst/peer|lkst-peer|\|lkst-peer\|)(<=|>=|<|>)[0-9]+(\.[0-9]+)?%?$'
# Units of values that do not depend on the speed or load of the machine. For other units, only
# ratios may have limits.
readonly counted='^((k )?instructions|events|lines|bytes|bytes/event|events/request|MB|% of it|% more)$'

# begin ARG...: handles the options of a part, and sets $build, $work and $rows.
begin() {
	build=true
	while [ $# -gt 0 ]; do
		case $1 in
		--help) help_of "$0"; exit ;;
		--no-build) build=false ;;
		*) die "unexpected argument '$1'; see --help" ;;
		esac
		shift
	done
	work=$(mktemp -d "${TMPDIR:-/tmp}/lkst-$prog.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	rows=${LKST_BENCH_ROWS:-$work/rows}
	: >>"$rows"
}

# row WHAT UNIT LKST PEER PEERS_VALUE LIMIT [NOTE]: adds a row that compares LKST's value with that
# of PEER. A value that was not measured is text such as "not built", and NOTE then gives the
# reason. LIMIT is empty, or is a comparison such as "lkst<=64" or "|lkst-peer|<=0.2%". A comparison
# consists of lkst, peer/lkst, lkst/peer, lkst-peer or |lkst-peer|; then <=, >=, < or >; then a
# number; and then % if the number is a percentage of PEER's value. If the unit depends on the
# machine, as time does, only ratios may have limits.
row() {
	[ $# -eq 6 ] || [ $# -eq 7 ] || die "row: want six or seven arguments: $*"
	[[ $* != *[$'\t\n']* ]] || die "row $1: contains a tab or a newline: $*"
	if [ -z "$1" ] || [ -z "$3" ]; then die "row: WHAT and LKST's value must not be empty: $*"; fi
	[ -z "$6" ] || [[ $6 =~ $limit_form ]] || die "row $1: '$6' is not a valid limit"
	case $6 in
	'' | peer/* | lkst/* | *lkst-peer*%) ;;
	*) [[ $2 =~ $counted ]] || die "row $1: '$6' is not a valid limit for $2, which depends on the machine (want a ratio, or a unit of $counted)" ;;
	esac
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$prog" "$1" "$2" "$3" "$4" "$5" "$6" "${7-}" >>"$rows"
}

# table ROWS [JSON]: prints the table of the rows in file ROWS, and writes it to file JSON. Fails if
# a row does not meet its limit.
table() { awk -v json="${2-}" -f "$top/bench/table.awk" "$1"; }

finish() { [ -n "${LKST_BENCH_ROWS-}" ] || table "$rows"; }

# kernel CONFIG [SERIES]: builds the kernel, unless --no-build is given, and prints the path of its
# image. The caller may set KCFLAGS to additional compiler options.
kernel() {
	local image series=${2:-$default_series}
	if $build; then
		"$top/scripts/build-kernel" --config "$1" --series "$series"
	else
		image=$(image_of "$(build_dir "$series" "$1")" "$1")
		[ -f "$image" ] || die "kernel $1 has not been built yet (run this without --no-build)"
		printf '%s\n' "$image"
	fi
}

# kbuild_of IMAGE: prints the directory in which the kernel was built.
kbuild_of() {
	case $1 in
	*/arch/x86/boot/bzImage) printf '%s\n' "${1%/arch/x86/boot/bzImage}" ;;
	*) dirname "$1" ;;
	esac
}

# module KBUILD FILE...: builds $work/NAME.ko from the first file, NAME.c. The other files, such as
# headers, are copied to the directory in which NAME.c is compiled.
module() {
	local dir=$work/module name log=$work/module.log
	name=$(basename "$2" .c)
	rm -rf "$dir"
	mkdir "$dir"
	cp "${@:2}" "$dir"
	echo "obj-m := $name.o" >"$dir/Kbuild"
	make -C "$1" M="$dir" W=1 KCFLAGS=-Werror modules >"$log" 2>&1 </dev/null || die "$name.ko: $(cat "$log")"
	mv "$dir/$name.ko" "$work"
}

# count_in_vm IMAGE OUT COMMAND [PARAMETERS]: boots the kernel IMAGE in a VM, and runs COMMAND with
# the VM's shell. PARAMETERS are additional kernel parameters. The clock of the VM counts executed
# instructions, so rdtsc returns their number. $work is /share in the VM. Writes the output to file
# OUT. Address randomization is off, so that all boots of a kernel are the same.
count_in_vm() {
	"$top/scripts/lkst-vm" --icount --cpu Haswell,-erms --mem "${vm_mem:-256}" --kernel "$1" --share "$work" --timeout "${vm_limit:-600}" \
		--append "nokaslr norandmaps${4:+ $4}" -- sh -ec "$3" >"$2" 2>"$work/errors" ||
		die "'$3' failed in the VM: $(cat "$work/errors" "$2")"
}
