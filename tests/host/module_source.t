#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The sources of the module, laid out: whole, brought up to date, and never in a directory of somebody's own; and which
# kernels it is not built for.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lay_out=$top/scripts/module-source
build=$top/scripts/build-module

ok "the sources are laid out" "$lay_out" "$work/out"
for file in Kbuild config.h kernel/lkst/module.c kernel/lkst/event.c include/linux/lkst.h; do
	ok "$file is there" test -s "$work/out/$file"
done
is "tests are not" "$(find "$work/out" -name '*_test.[ch]')" ''
stamps() { (cd "$work/out" && find . -type f -printf '%p %T@\n' | sort); }
before=$(stamps)
ok "again" "$lay_out" "$work/out"
is "nothing is written anew" "$(stamps)" "$before"
echo '#error' >"$work/out/kernel/lkst/gone.c"
echo '#error' >"$work/out/kernel/lkst/event.c"
ok "and again" "$lay_out" "$work/out"
ok "what was changed is as it was" cmp "$top/kernel/lkst/event.c" "$work/out/kernel/lkst/event.c"
ok "a source that is LKST's no more goes" test ! -e "$work/out/kernel/lkst/gone.c"
mkdir "$work/own"
echo 'int mine;' >"$work/own/mine.c"
fails "a directory with something else in it is refused" 1 "$lay_out" "$work/own"
contains "by its name" "$tap_output" "$work/own has something else in it"
fails "to build in, too" 1 "$build" -o "$work/own" "$work"
is "it stays as it was" "$(cd "$work/own" && find . -type f)" ./mine.c
is "with what was in it" "$(cat "$work/own/mine.c")" 'int mine;'

# refused_as WHAT MESSAGE: the kernel in $work/kernel.
refused_as() { refused "$1" 1 "$2" "$build" -o "$work/module" "$work/kernel"; }
# kernel RELEASE OPTION...: headers as far as they are looked at.
kernel() {
	rm -rf "$work/kernel"
	mkdir -p "$work/kernel/include/config" "$work/kernel/include/generated"
	: >"$work/kernel/Makefile"
	echo "#define UTS_RELEASE \"$1\"" >"$work/kernel/include/generated/utsrelease.h"
	shift
	printf '%s\n' "$@" >"$work/kernel/include/config/auto.conf"
}
# apt_cache STATUS: what apt-cache says of any package.
apt_cache() { printf '#!/bin/sh\nexit %s\n' "$1" >"$work/bin/apt-cache"; chmod +x "$work/bin/apt-cache"; }
mkdir "$work/bin"
PATH=$work/bin:$PATH
apt_cache 0
refused_as "no such directory" "$work/kernel: no such directory; .*: apt-get install linux-headers-$(uname -r), or KDIR="
apt_cache 100
refused_as "no such directory, and no package" "no package has those of the running one, $(uname -r)\$"
lacks "no such directory, and no package: proposes none" "$tap_output" 'apt-get'
mkdir "$work/kernel"
refused_as "a directory that is no kernel" 'modules cannot be built there'
kernel 6.1.0-1-amd64 CONFIG_LKST=y CONFIG_MODULES=y CONFIG_TRACEPOINTS=y
refused_as "a kernel with LKST" 'has LKST already'
kernel 6.1.0-1-amd64 CONFIG_TRACEPOINTS=y
refused_as "one without modules" 'takes no modules'
kernel 6.1.0-1-amd64 CONFIG_MODULES=y
refused_as "one without tracepoints" 'has no tracepoints'
kernel 5.10.0-30-amd64 CONFIG_MODULES=y CONFIG_TRACEPOINTS=y
refused_as "one that is too old" 'is of Linux 5\.10\.0-30-amd64; LKST is for 6\.1 and later'
is "nothing was made" "$(ls "$work/module" 2>/dev/null)" ''

# An architecture, by what it has.
compiles() { cc -E "$@" "$work/out/include/asm-generic/lkst.h"; }
refused "an architecture where an NMI could not record does not compile" any 'cannot record in NMIs of this architecture' \
	compiles -DCONFIG_HAVE_NMI
ok "one where it can does" compiles -DCONFIG_HAVE_NMI -DCONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG
ok "as does one without" compiles

ln -s "$(command -v true)" "$work/bin/clang"
ln -s "$(command -v true)" "$work/bin/ld.lld"
# said_to_make OPTION...: the kernel's make of a kernel with those, as it sees the compiler
said_to_make() {
	kernel 6.1.0-1-amd64 CONFIG_MODULES=y CONFIG_TRACEPOINTS=y "$@"
	printf 'modules:\n\t@echo CC is $(CC), LLVM is $(LLVM) && false\n' >"$work/kernel/Makefile"
	PATH=$work/bin:$PATH "$build" -o "$work/module" "$work/kernel" >"$work/said" 2>&1
	grep '^CC is' "$work/module/build.log"
}
is "a kernel that gcc built: by gcc" "$(CC=gcc said_to_make)" 'CC is gcc, LLVM is'
is "one by clang: by clang" "$(CC=gcc said_to_make CONFIG_CC_IS_CLANG=y)" 'CC is clang, LLVM is'
is "and its linker: by all of LLVM" "$(CC=gcc said_to_make CONFIG_CC_IS_CLANG=y CONFIG_LD_IS_LLD=y)" 'CC is clang, LLVM is 1'
contains "what make said is shown, whatever it was" "$(cat "$work/said")" '^CC is clang'
done_testing
