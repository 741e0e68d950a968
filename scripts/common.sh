# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# What the scripts here share. Sourced, with $prog set to the script's name.

# shellcheck disable=SC2034 # used by the scripts
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME: the cache goes there}/.cache}/lkst

default_series=6.1

# The make that may have called a script is no business of the makes that the script calls.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

say() { printf '%s: %s\n' "${prog:-lkst}" "$*" >&2; }
die() { say "$@"; exit 1; }

# The comment block at the top of the script is its --help.
help_of() { sed -n '2,/^$/s/^# \{0,1\}//p' "$1" | grep -v '^SPDX-License-Identifier'; }

# value_of OPTION COUNT: dies unless OPTION has an argument after it.
need_value() { [ "$2" -ge 2 ] || die "$1 needs a value; see --help"; }

need_number() {
	case $2 in
	'' | *[!0-9]* | 0) die "$1 takes a number from 1 up, not '$2'" ;;
	esac
}

# Series of a kernel source tree ("6.1"), from its Makefile. Fails if it is no such tree.
series_of() {
	[ -f "$1/Makefile" ] && [ -f "$1/Kconfig" ] && [ -d "$1/kernel" ] || return 1
	awk -F ' *= *' '$1 == "VERSION" { v = $2 } $1 == "PATCHLEVEL" { p = $2 } v != "" && p != "" { exit }
		END { if (v == "" || p == "") exit 1; print v "." p }' "$1/Makefile"
}

# Where the build of a kernel is: build_dir SERIES CONFIG [TREE], TREE for one of the user's own.
build_dir() {
	if [ -n "${3:-}" ]; then
		printf '%s/build/own-%s-%s\n' "$cache" "$(printf %s "$3" | sha256sum | cut -c1-12)" "$2"
	else
		printf '%s/build/%s-%s\n' "$cache" "$1" "$2"
	fi
}

# The image in a build directory, by configuration: kunit is User Mode Linux, a program.
image_of() {
	case $2 in
	kunit) printf '%s/linux\n' "$1" ;;
	*) printf '%s/arch/x86/boot/bzImage\n' "$1" ;;
	esac
}
