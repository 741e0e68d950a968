#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests a second build with scripts/build-kernel, and how scripts/build-kernel handles errors. Uses
# the cached source and base build.
# timeout: 900
# kernel: base
# builds: yes

. "$(dirname "$0")/host.sh"
build=$top/scripts/build-kernel

image=$("$build" 2>"$work/err")
is "build-kernel succeeds" $? 0
ok "it prints the path of the image and nothing else" test -f "$image"
stamp=$(stat -c %Y "$image")
ok "a second run succeeds" "$build"
is "a second run builds nothing" "$(stat -c %Y "$image")" "$stamp"

# Another build holds the lock of the source as a reader.
(flock --shared 9 && exec sleep 600) 9>>"${XDG_CACHE_HOME:-$HOME/.cache}/lkst/source-6.1.lock" &
other=$!
ok "a build does not wait for another build of the same source" timeout 300 "$build"
kill $other

refused "an unknown configuration is refused" any 'base.*debug' "$build" --config nonesuch
refused "an unknown series is refused" any '6\.1' "$build" --series 2.4
fails "-j needs a number" any "$build" -j many
fails "an unknown argument is refused" any "$build" base
fails "KERNEL must be a directory" any env KERNEL="$work/none" "$build"
mkdir "$work/empty"
refused "KERNEL must be a kernel tree" any 'not a kernel source tree' env KERNEL="$work/empty" "$build"

# Make a copy of the checkout with a configuration that sets an option that does not exist. Also
# make a kernel tree, in which the test later replaces a file with one that does not compile. The
# files of the kernel tree are hard links to files of the cached tree, so they must be replaced,
# never written to.
source=$(source_of 6.1)
copy_checkout Kconfig scripts kernel include patches tests/configs
cp -al "$source" "$work/tree"
rm -rf "$work/tree/.lkst"
cp -a "$source/.lkst" "$work/tree/.lkst"
export XDG_CACHE_HOME=$work/cache
printf 'CONFIG_NO_SUCH_OPTION=y\n' >"$work/lkst/tests/configs/odd.config"
fails "an option that the kernel does not have is an error" any env KERNEL="$work/tree" "$work/lkst/scripts/build-kernel" --config odd
contains "and the message names it" "$tap_output" 'CONFIG_NO_SUCH_OPTION=y, got CONFIG_NO_SUCH_OPTION=n'

# Header lines in the files of configurations
own=$work/lkst/tests/configs
# shellcheck source=../../scripts/common.sh
says() { (. "$work/lkst/scripts/common.sh" && "$@"); }
is "a configuration builds on base by default" "$(says config_stack odd)" 'base odd'
is "the default is x86-64 and gcc" "$(says make_words odd)" ARCH=x86_64
printf '# On top of another one.\n# on: kunit\nCONFIG_A=y\n' >"$own/upper.config"
printf '# compiler: clang\n# on: upper\n' >"$own/top.config"
is "a configuration can build on another one" "$(says config_stack top)" 'kunit upper top'
is "and inherits the architecture and the compiler" "$(says make_words top | tr '\n' ' ')" 'ARCH=um LLVM=1 '
is "an architecture of its own takes precedence" "$(echo '# arch: i386' >>"$own/top.config"; says arch_of top)" i386
is "the packages for its compiler are required" "$(says deps_of top | tr '\n' ' ')" 'kernel clang '
is "a configuration in a subdirectory has its own build directory" "$(says build_dir 6.1 matrix/up)" "$XDG_CACHE_HOME/lkst/build/6.1-matrix-up"

# Replace a hard link with a file that does not compile. kernel/bounds.c is the first file that make
# compiles for a kernel.
rm "$work/tree/kernel/bounds.c"
echo '#error this does not compile' >"$work/tree/kernel/bounds.c"
fails "a build that fails is an error" any env KERNEL="$work/tree" "$work/lkst/scripts/build-kernel" --config base
contains "and shows the compiler's message" "$tap_output" 'error: #error this does not compile'
contains "and the path of the complete log" "$tap_output" 'the complete output is in .*/build\.log'
ok "KERNEL=TREE: LKST is added to that tree" test -f "$work/tree/.lkst/written/kernel/lkst/main.c"
done_testing
