#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/build-kernel: a second build, and its errors. Uses the cached source and base build.
# timeout: 900
# kernel: base
# builds: yes

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$top/scripts/build-kernel
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

image=$("$build" 2>"$work/err")
is "builds" $? 0
ok "prints the image's path and nothing else" test -f "$image"
stamp=$(stat -c %Y "$image")
ok "a second time" "$build"
is "builds nothing" "$(stat -c %Y "$image")" "$stamp"

# A build of another configuration, which only reads the source
(flock --shared 9 && exec sleep 600) 9>>"${XDG_CACHE_HOME:-$HOME/.cache}/lkst/source-6.1.lock" &
other=$!
ok "another build of the same source is not waited for" timeout 300 "$build"
kill $other

fails "an unknown configuration is refused" any "$build" --config nonesuch
contains "and the known ones are named" "$tap_output" 'base.*debug'
fails "an unknown series is refused" any "$build" --series 2.4
contains "and the known ones are named" "$tap_output" '6\.1'
fails "-j needs a number" any "$build" -j many
fails "an unknown argument is refused" any "$build" base
fails "KERNEL must be a directory" any env KERNEL="$work/none" "$build"
mkdir "$work/empty"
fails "KERNEL must be a kernel tree" any env KERNEL="$work/empty" "$build"
contains "the message says so" "$tap_output" 'no kernel source tree'
ok "--help" "$build" --help

# A checkout of our own asks for an option that does not exist; then a file does not compile. The tree is the
# cached one, through links: whatever writes to it makes new files.
source=$(find "${XDG_CACHE_HOME:-$HOME/.cache}/lkst/source" -maxdepth 1 -name 'linux-6.1-*' | sort -V | tail -n 1)
mkdir "$work/lkst"
cp -a "$top/scripts" "$top/kernel" "$top/include" "$top/patches" "$work/lkst/"
mkdir "$work/lkst/tests"
cp -a "$top/tests/configs" "$work/lkst/tests/"
cp -al "$source" "$work/tree"
rm -rf "$work/tree/.lkst"
cp -a "$source/.lkst" "$work/tree/.lkst"
export XDG_CACHE_HOME=$work/cache
printf 'CONFIG_NO_SUCH_OPTION=y\n' >"$work/lkst/tests/configs/odd.config"
fails "an option that the kernel does not have is an error" any env KERNEL="$work/tree" "$work/lkst/scripts/build-kernel" --config odd
contains "with its name" "$tap_output" 'CONFIG_NO_SUCH_OPTION=y, got CONFIG_NO_SUCH_OPTION=n'

# What a configuration says of itself
own=$work/lkst/tests/configs
# shellcheck source=../../scripts/common.sh
says() { (. "$work/lkst/scripts/common.sh" && "$@"); }
is "a configuration goes on top of base" "$(says config_stack odd)" 'base odd'
is "and is for x86-64 and gcc" "$(says make_words odd)" ARCH=x86_64
printf '# On top of another one.\n# on: kunit\nCONFIG_A=y\n' >"$own/upper.config"
printf '# compiler: clang\n# on: upper\n' >"$own/top.config"
is "or of what it says" "$(says config_stack top)" 'kunit upper top'
is "what that says holds for it, too" "$(says make_words top | tr '\n' ' ')" 'ARCH=um LLVM=1 '
is "unless it says otherwise" "$(echo '# arch: i386' >>"$own/top.config"; says arch_of top)" i386
is "what it takes to be compiled is looked for" "$(says deps_of top | tr '\n' ' ')" 'kernel clang '
is "one in a directory is built beside the others" "$(says build_dir 6.1 matrix/up)" "$XDG_CACHE_HOME/lkst/build/6.1-matrix-up"

# Not through the link. It is the first file that is compiled for the kernel, before what takes long.
rm "$work/tree/kernel/bounds.c"
echo '#error this does not compile' >"$work/tree/kernel/bounds.c"
fails "a build that fails is an error" any env KERNEL="$work/tree" "$work/lkst/scripts/build-kernel" --config base
contains "with the compiler's words" "$tap_output" 'error: #error this does not compile'
contains "and the path of the whole log" "$tap_output" 'All of its output: .*/build\.log'
ok "KERNEL=TREE: LKST is in that tree" test -f "$work/tree/.lkst/written/kernel/lkst/main.c"
done_testing
