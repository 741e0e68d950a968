# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Functions and variables that the scripts here share. Sourced with $prog set to the script's name.

# shellcheck disable=SC2034 # used by the scripts
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:?set HOME or XDG_CACHE_HOME: the cache goes there}/.cache}/lkst

# The default kernel series, that of Debian 12. scripts/check --series sets LKST_SERIES for
# everything that it runs.
own_series=6.1
default_series=${LKST_SERIES:-$own_series}

# Kernel messages that report a problem.
kernel_trouble='WARNING:|BUG:|BUG |Oops|KASAN|UBSAN|INFO: (task|rcu|lockdep|trying|suspicious)|rcu.*stall|detected stall|possible (recursive|circular|irq|deadlock)|inconsistent lock|suspicious RCU|sleeping function|scheduling while atomic|Voluntary context switch within RCU|DEBUG_LOCKS_WARN_ON|ODEBUG|(list_add|list_del) corruption|refcount_t:|Bad page|general protection|soft lockup|hard LOCKUP|Call [Tt]race|Internal error|Kernel panic'

# Do not pass the state of a calling make on to the makes that a script runs.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL

say() { printf '%s: %s\n' "${prog:-lkst}" "$*" >&2; }
die() { say "$@"; exit 1; }

# wait_lock FD WHAT: locks the file that is open as FD. If another process holds the lock, prints a
# message before waiting. WHAT says what the other process does, such as "builds the module".
wait_lock() {
	flock -n "$1" || { say "waiting for another process that $2 ..."; flock "$1"; }
}

# Prints the comment block at the top of a script, which is its --help.
help_of() { sed -n '2,/^$/s/^# \{0,1\}//p' "$1" | grep -v '^SPDX-License-Identifier'; }

# need_value OPTION COUNT: exits with an error unless OPTION is followed by a value. COUNT is the
# number of arguments, including OPTION.
need_value() { [ "$2" -ge 2 ] || die "$1 needs a value; see --help"; }

need_number() {
	case $2 in
	'' | *[!0-9]* | 0) die "$1 '$2' is not a valid number (want 1 or more)" ;;
	esac
}

# Prints the series of a kernel source tree, such as 6.1, from its Makefile. Fails if the directory
# is not a kernel source tree.
series_of() {
	[ -f "$1/Makefile" ] && [ -f "$1/Kconfig" ] && [ -d "$1/kernel" ] || return 1
	awk -F ' *= *' '$1 == "VERSION" { v = $2 } $1 == "PATCHLEVEL" { p = $2 } v != "" && p != "" { exit }
		END { if (v == "" || p == "") exit 1; print v "." p }' "$1/Makefile"
}

# build_name CONFIG FORM: prints the name of a build: CONFIG-FORM, or CONFIG if LKST is built in.
build_name() { printf '%s\n' "$1${2:+-$2}" | sed 's/-builtin$//'; }

# Prints the series for which LKST has patches.
known_series() { (cd "$top/patches" && printf '%s\n' */ | sed 's#/$##' | sort -V | paste -sd ' '); }

# build_dir SERIES CONFIG [TREE]: prints the build directory of a kernel. TREE is the user's own
# source tree; it is omitted if the distribution's source is used.
build_dir() {
	local config=${2//\//-}
	if [ -n "${3:-}" ]; then
		printf '%s/build/own-%s-%s\n' "$cache" "$(printf %s "$3" | sha256sum | cut -c1-12)" "$config"
	else
		printf '%s/build/%s-%s\n' "$cache" "$1" "$config"
	fi
}

# Kernel configuration NAME consists of tests/configs/NAME.config and the configuration that it
# builds on. The first ten lines of the file may contain
#   # on: NAME        the configuration that it builds on (default: base), or "nothing"
#   # arch: ARCH      for the kernel's make: x86_64, i386, arm64, um (User Mode Linux)
#   # compiler: NAME  gcc or clang
# A configuration that builds on this one inherits arch and compiler, unless it sets them itself.
configs=$top/tests/configs

# config_header NAME KEY DEFAULT: prints the value of KEY in NAME.config, without regard to the
# configurations that NAME builds on.
config_header() {
	local value
	value=$(sed -n "1,10s/^# $2: *//p" "$configs/$1.config" 2>/dev/null | head -n 1)
	printf '%s\n' "${value:-$3}"
}

# Prints the configuration and all configurations that it builds on, the lowest first.
config_stack() {
	local name=$1 stack=''
	while [ "$name" != nothing ] && [ -f "$configs/$name.config" ]; do
		stack="$name $stack"
		name=$(config_header "$name" on base)
	done
	printf '%s\n' "${stack% }"
}

# config_says NAME KEY DEFAULT: prints the value of KEY in configuration NAME or, if NAME does not
# set it, in the highest configuration below NAME that sets it.
config_says() {
	local name value=$3
	for name in $(config_stack "$1"); do
		value=$(config_header "$name" "$2" "$value")
	done
	printf '%s\n' "$value"
}

# Prints the value of ARCH that a configuration needs for the kernel's make.
arch_of() { config_says "$1" arch x86_64; }

compiler_of() { config_says "$1" compiler gcc; }

# Prints the arguments for the kernel's make that a configuration needs, one per line.
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

# Prints the arguments with which scripts/deps checks for the packages that are needed to build a
# configuration.
deps_of() {
	echo kernel
	[ "$(compiler_of "$1")" != clang ] || echo clang
}

# image_of DIR CONFIG: prints the path of the kernel image in a build directory. The image of User
# Mode Linux is a program.
image_of() {
	case $(arch_of "$2") in
	um) printf '%s/linux\n' "$1" ;;
	arm64) printf '%s/arch/arm64/boot/Image\n' "$1" ;;
	*) printf '%s/arch/x86/boot/bzImage\n' "$1" ;;
	esac
}

# Prints "source<TAB>path in the tree" for each file that LKST adds to a kernel tree.
own_files() {
	local map from to
	printf '%s\t%s\n' "$top/Kconfig" kernel/lkst/Kconfig
	for map in kernel/lkst:kernel/lkst include/linux:include/linux include/uapi/linux:include/uapi/linux \
		include/asm-generic:include/asm-generic include/asm-x86:arch/x86/include/asm \
		samples/lkst:samples/lkst Documentation/lkst:Documentation/lkst; do
		from=${map%:*} to=${map#*:}
		[ -d "$top/$from" ] || continue
		(cd "$top/$from" && find . -type f \( -name '*.[chS]' -o -name Makefile -o -name Kbuild -o -name '*.rst' \) \
			! -name '*.mod.c' ! -name '.*' | sort) | sed "s#^\./\(.*\)#$top/$from/\1	$to/\1#"
	done
}
