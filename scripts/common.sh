# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# What the scripts here share. Sourced, with $prog set to the script's name.

# shellcheck disable=SC2034 # used by the scripts
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME: the cache goes there}/.cache}/lkst

# The series that is meant where none is named: that of the machine's Debian. scripts/check --series has another one for
# all that it runs.
own_series=6.1
default_series=${LKST_SERIES:-$own_series}

# What kernels say when something is wrong with them.
readonly kernel_trouble='WARNING:|BUG:|BUG |Oops|KASAN|UBSAN|INFO: (task|rcu|lockdep|trying|suspicious)|rcu.*stall|detected stall|possible (recursive|circular|irq|deadlock)|inconsistent lock|suspicious RCU|sleeping function|scheduling while atomic|Voluntary context switch within RCU|DEBUG_LOCKS_WARN_ON|ODEBUG|(list_add|list_del) corruption|refcount_t:|Bad page|general protection|soft lockup|hard LOCKUP|Call [Tt]race|Internal error|Kernel panic'

# The make that may have called a script is no business of the makes that the script calls.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

say() { printf '%s: %s\n' "${prog:-lkst}" "$*" >&2; }
die() { say "$@"; exit 1; }

# wait_lock FD WHAT: lock the file that is open as FD, and say so where another process makes that wait.
wait_lock() {
	flock -n "$1" || { say "waiting for another process that $2 ..."; flock "$1"; }
}

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

# What a build is called, by configuration and form.
build_name() { printf '%s\n' "$1${2:+-$2}" | sed 's/-builtin$//'; }

# The series that LKST has patches for.
known_series() { (cd "$top/patches" && printf '%s\n' */ | sed 's#/$##' | sort -V | paste -sd ' '); }

# Where the build of a kernel is: build_dir SERIES CONFIG [TREE], TREE for one of the user's own.
build_dir() {
	local config=${2//\//-}
	if [ -n "${3:-}" ]; then
		printf '%s/build/own-%s-%s\n' "$cache" "$(printf %s "$3" | sha256sum | cut -c1-12)" "$config"
	else
		printf '%s/build/%s-%s\n' "$cache" "$1" "$config"
	fi
}

# A configuration NAME of the kernel is tests/configs/NAME.config, and what it goes on top of. Lines near its top say
#   # on: NAME        what that is: base, without this line; "nothing" is the end
#   # arch: ARCH      for the kernel's make: x86_64, i386, arm64, um (User Mode Linux)
#   # compiler: NAME  gcc or clang
# Each holds for what is on top of it, too, that does not say otherwise.
configs=$top/tests/configs

# config_header NAME KEY DEFAULT: of this file alone
config_header() {
	local value
	value=$(sed -n "1,10s/^# $2: *//p" "$configs/$1.config" 2>/dev/null | head -n 1)
	printf '%s\n' "${value:-$3}"
}

# The configuration and all below it, the lowest first; those that are files.
config_stack() {
	local name=$1 stack=''
	while [ "$name" != nothing ] && [ -f "$configs/$name.config" ]; do
		stack="$name $stack"
		name=$(config_header "$name" on base)
	done
	printf '%s\n' "${stack% }"
}

# config_says NAME KEY DEFAULT: the topmost word on it
config_says() {
	local name value=$3
	for name in $(config_stack "$1"); do
		value=$(config_header "$name" "$2" "$value")
	done
	printf '%s\n' "$value"
}

# What the kernel makes of ARCH, by configuration.
arch_of() { config_says "$1" arch x86_64; }

compiler_of() { config_says "$1" compiler gcc; }

# The words for the kernel's make that a configuration takes, one a line.
make_words() {
	local arch cross
	arch=$(arch_of "$1")
	printf 'ARCH=%s\n' "$arch"
	if [ "$arch" = arm64 ]; then
		cross=$("$top/scripts/cross-root" arm64) || return
		printf 'CROSS_COMPILE=%s/bin/%s\n' "$cross" "$(cat "$cross/prefix")"
	fi
	[ "$(compiler_of "$1")" != clang ] || echo LLVM=1
}

# What scripts/deps is to look for, to build a configuration.
deps_of() {
	echo kernel
	[ "$(compiler_of "$1")" != clang ] || echo clang
}

# The image in a build directory, by configuration: User Mode Linux is a program.
image_of() {
	case $(arch_of "$2") in
	um) printf '%s/linux\n' "$1" ;;
	arm64) printf '%s/arch/arm64/boot/Image\n' "$1" ;;
	*) printf '%s/arch/x86/boot/bzImage\n' "$1" ;;
	esac
}

# Prints "source<TAB>path in the tree" for each file that LKST brings.
own_files() {
	local map from to
	for map in kernel/lkst:kernel/lkst include/linux:include/linux include/uapi/linux:include/uapi/linux \
		include/asm-generic:include/asm-generic include/asm-x86:arch/x86/include/asm \
		samples/lkst:samples/lkst Documentation/lkst:Documentation/lkst; do
		from=${map%:*} to=${map#*:}
		[ -d "$top/$from" ] || continue
		(cd "$top/$from" && find . -type f \( -name '*.[chS]' -o -name Makefile -o -name Kbuild -o -name 'Kconfig*' \
			-o -name '*.rst' \) ! -name '*.mod.c' ! -name '.*' | sort) | sed "s#^\./\(.*\)#$top/$from/\1	$to/\1#"
	done
}
