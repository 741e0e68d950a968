# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# What the parts of bench/run share. A part is a script of bench/ that works on its own, too:
#
#	prog=PART
#	. "$(dirname "$0")/common.sh"
#	begin "$@"		# --help and --no-build; then there are $work, a directory that goes at the end, and $build
#	row WHAT UNIT LKST PEER PEERS_VALUE LIMIT [NOTE]	# as often as it takes
#	finish
#
# On its own it prints the table of its rows, and fails if a limit is missed. bench/run collects the rows of
# all parts, and what a part prints goes to stderr there.

# shellcheck source=../scripts/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/../scripts/common.sh"

readonly limit_form='^(lkst|peer/lkst|lkst/peer|lkst-peer|\|lkst-peer\|)(<=|>=|<|>)[0-9]+(\.[0-9]+)?%?$'
# What is the same on each machine, however fast it is and however busy. Of all else only ratios have limits.
readonly counted='^((k )?instructions|events|lines|bytes|bytes/event|MB|% of it)$'

# begin ARG...
begin() {
	build=true
	while [ $# -gt 0 ]; do
		case $1 in
		--help) help_of "$0"; exit ;;
		--no-build) build=false ;;
		*) die "what is '$1'? See --help" ;;
		esac
		shift
	done
	work=$(mktemp -d "${TMPDIR:-/tmp}/lkst-$prog.XXXXXX")
	trap 'rm -rf "$work"' EXIT
	rows=${LKST_BENCH_ROWS:-$work/rows}
	: >>"$rows"
}

# row WHAT UNIT LKST PEER PEERS_VALUE LIMIT [NOTE]: what is compared, and in what; LKST's figure, and that of PEER. Where
# nothing was measured, words say so ("not built"), and NOTE says why. LIMIT is empty, or: lkst, peer/lkst, lkst/peer,
# lkst-peer or |lkst-peer|; <=, >=, < or >; a number, and % if it is per cent (of PEER's figure). Whatever depends on the
# machine, as time does, has no limits but ratios.
row() {
	[ $# -eq 6 ] || [ $# -eq 7 ] || die "row: want six or seven arguments: $*"
	[[ $* != *[$'\t\n']* ]] || die "row $1: a tab, or an end of line: $*"
	if [ -z "$1" ] || [ -z "$3" ]; then die "row: WHAT and LKST's figure must not be empty: $*"; fi
	[ -z "$6" ] || [[ $6 =~ $limit_form ]] || die "row $1: '$6' is no limit"
	case $6 in
	'' | peer/* | lkst/* | *lkst-peer*%) ;;
	*) [[ $2 =~ $counted ]] || die "row $1: '$6' is no limit of $2, which depends on the machine (lkst/peer, or of $counted)" ;;
	esac
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$prog" "$1" "$2" "$3" "$4" "$5" "$6" "${7-}" >>"$rows"
}

# table ROWS [JSON]: prints the rows of that file, and writes them to JSON. Fails if a limit is missed.
table() { awk -v json="${2-}" -f "$top/bench/table.awk" "$1"; }

finish() { [ -n "${LKST_BENCH_ROWS-}" ] || table "$rows"; }

# kernel CONFIG: builds the kernel, if that is wanted, and prints its image's path. KCFLAGS are as the caller set them.
kernel() {
	local image
	if $build; then
		"$top/scripts/build-kernel" --config "$1"
	else
		image=$(image_of "$(build_dir "$default_series" "$1")" "$1")
		[ -f "$image" ] || die "the kernel $1 has not been built yet: run this without --no-build"
		printf '%s\n' "$image"
	fi
}

# kbuild_of IMAGE: the directory in which the kernel was built.
kbuild_of() {
	case $1 in
	*/arch/x86/boot/bzImage) printf '%s\n' "${1%/arch/x86/boot/bzImage}" ;;
	*) dirname "$1" ;;
	esac
}

# module KBUILD FILE...: builds the module of the first file, with the others beside it, as $work/NAME.ko.
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

# count_in_vm IMAGE OUT COMMAND [PARAMETERS]: the shell runs COMMAND in a VM in which time is the number of instructions
# executed, and rdtsc tells it; $work is /share there. What it prints goes to the file OUT. Each boot is the same but
# for the kernel: no randomness in where things lie.
count_in_vm() {
	"$top/scripts/lkst-vm" --icount --cpu Haswell,-erms --mem "${vm_mem:-256}" --kernel "$1" --share "$work" --timeout "${vm_limit:-600}" \
		--append "nokaslr norandmaps${4:+ $4}" -- sh -ec "$3" >"$2" 2>"$work/errors" ||
		die "'$3' failed in the VM: $(cat "$work/errors" "$2")"
}
