#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/module-source lays out the sources of the module, updates them, and refuses a directory
# that contains anything else. scripts/build-module refuses kernels that the module does not
# support.

. "$(dirname "$0")/host.sh"
lay_out=$top/scripts/module-source
build=$top/scripts/build-module

ok "the sources are laid out" "$lay_out" "$work/out"
for file in Kbuild config.h kernel/lkst/module.c kernel/lkst/dispatch/event.c include/linux/lkst.h; do
	ok "$file exists" test -s "$work/out/$file"
done
is "tests are left out" "$(find "$work/out" -name '*_test.[ch]')" ''
stamps() { (cd "$work/out" && find . -type f -printf '%p %T@\n' | sort); }
before=$(stamps)
ok "a second run succeeds" "$lay_out" "$work/out"
is "a second run writes no file again" "$(stamps)" "$before"
echo '#error' >"$work/out/kernel/lkst/gone.c"
echo '#error' >"$work/out/kernel/lkst/dispatch/event.c"
ok "a third run succeeds" "$lay_out" "$work/out"
ok "a changed source is restored" cmp "$top/kernel/lkst/dispatch/event.c" "$work/out/kernel/lkst/dispatch/event.c"
ok "a source that LKST does not have is removed" test ! -e "$work/out/kernel/lkst/gone.c"
mkdir "$work/own"
echo 'int mine;' >"$work/own/mine.c"
refused "a directory with other content is refused" 1 "$work/own: has other content" "$lay_out" "$work/own"
fails "build-module refuses it, too" 1 "$build" -o "$work/own" "$work"
is "the directory keeps its files" "$(cd "$work/own" && find . -type f)" ./mine.c
is "the files keep their content" "$(cat "$work/own/mine.c")" 'int mine;'

# refused_as NAME MESSAGE: test that scripts/build-module refuses the kernel in $work/kernel
refused_as() { refused "$1" 1 "$2" "$build" -o "$work/module" "$work/kernel"; }
# kernel RELEASE OPTION...: create fake headers, with the files that scripts/build-module checks
kernel() {
	rm -rf "$work/kernel"
	mkdir -p "$work/kernel/include/config" "$work/kernel/include/generated"
	: >"$work/kernel/Makefile"
	echo "#define UTS_RELEASE \"$1\"" >"$work/kernel/include/generated/utsrelease.h"
	shift
	printf '%s\n' "$@" >"$work/kernel/include/config/auto.conf"
}
# apt_cache STATUS: create a fake apt-cache that exits with STATUS for any package
apt_cache() { printf '#!/bin/sh\nexit %s\n' "$1" >"$work/bin/apt-cache"; chmod +x "$work/bin/apt-cache"; }
mkdir "$work/bin"
PATH=$work/bin:$PATH
apt_cache 0
refused_as "no such directory" "$work/kernel: no such directory; .*: apt-get install linux-headers-$(uname -r), or KDIR="
apt_cache 100
refused_as "no such directory, and no package" "no package has headers for the running kernel, $(uname -r)\$"
lacks "no such directory, and no package: no package is proposed" "$tap_output" 'apt-get'
mkdir "$work/kernel"
refused_as "a directory without a kernel" 'modules cannot be built there'
kernel 6.1.0-1-amd64 CONFIG_LKST=y CONFIG_MODULES=y CONFIG_TRACEPOINTS=y
refused_as "a kernel with LKST" 'has LKST already'
kernel 6.1.0-1-amd64 CONFIG_TRACEPOINTS=y
refused_as "a kernel without modules" 'does not support modules'
kernel 6.1.0-1-amd64 CONFIG_MODULES=y
refused_as "a kernel without tracepoints" 'has no tracepoints'
kernel 5.10.0-30-amd64 CONFIG_MODULES=y CONFIG_TRACEPOINTS=y
refused_as "a kernel that is too old" 'Linux 5\.10\.0-30-amd64 is not supported \(LKST needs 6\.1 or later\)'
is "no directory was created" "$(ls "$work/module" 2>/dev/null)" ''

# LKST does not compile for an architecture on which it cannot record in an NMI.
compiles() { cc -E "$@" "$work/out/include/asm-generic/lkst.h"; }
refused "an architecture where an NMI could not record does not compile" any 'cannot record in NMIs of this architecture' \
	compiles -DCONFIG_HAVE_NMI
ok "an architecture where an NMI can record compiles" compiles -DCONFIG_HAVE_NMI -DCONFIG_ARCH_HAVE_NMI_SAFE_CMPXCHG
ok "an architecture without NMIs compiles" compiles

ln -s "$(command -v true)" "$work/bin/clang"
ln -s "$(command -v true)" "$work/bin/ld.lld"
# make_variables OPTION...: print the variables that scripts/build-module passes to make for a kernel
# with these options
make_variables() {
	kernel 6.1.0-1-amd64 CONFIG_MODULES=y CONFIG_TRACEPOINTS=y "$@"
	printf 'modules:\n\t@echo CC is $(CC), LLVM is $(LLVM) && false\n' >"$work/kernel/Makefile"
	PATH=$work/bin:$PATH "$build" -o "$work/module" "$work/kernel" >"$work/output" 2>&1
	grep '^CC is' "$work/module/build.log"
}
is "for a kernel built by gcc: gcc" "$(CC=gcc make_variables)" 'CC is gcc, LLVM is'
is "for a kernel built by clang: clang" "$(CC=gcc make_variables CONFIG_CC_IS_CLANG=y)" 'CC is clang, LLVM is'
is "for a kernel built by clang and lld: LLVM" "$(CC=gcc make_variables CONFIG_CC_IS_CLANG=y CONFIG_LD_IS_LLD=y)" 'CC is clang, LLVM is 1'
contains "the output of make is shown" "$(cat "$work/output")" '^CC is clang'
done_testing
