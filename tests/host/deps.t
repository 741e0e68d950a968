#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests scripts/deps with missing packages. Fakes replace id, dpkg-query and apt-get.

. "$(dirname "$0")/host.sh"
deps=$top/scripts/deps

# fake_command NAME BODY: create a fake command
fake_command() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
mkdir "$work/bin"
fake_command apt-get "echo \"\$*\" >>'$work/apt'; case \$* in *install*) touch '$work/installed' ;; esac"
fake_command dpkg-query 'for p; do case $p in -* | \$* | flex | bc) ;; *) echo "installed $p" ;; esac; done; exit 1'
run() { env PATH="$work/bin:$PATH" "$deps" "$@"; }

quiet "with all packages it succeeds, and prints nothing" run vm

fake_command id 'echo 1000'
fails "with missing packages it fails, unless run by root" any run kernel vm
contains "it prints the command to run" "$tap_output" 'sudo apt-get update && sudo apt-get install --no-install-recommends .*flex'
contains "the command has every missing package" "$tap_output" ' bc( |$)'
lacks "the command has no other package" "$tap_output" 'bison'
ok "it does not run apt-get itself" test ! -e "$work/apt"

fake_command id 'echo 0'
ok "run by root, it installs packages" run kernel
is "it installs exactly the missing packages" "$(grep -o 'flex.*' "$work/apt")" 'flex bc'
is "it updates the package lists first" "$(head -n 1 "$work/apt")" update

fake_command apt-get 'case $* in *install*) echo "E: Unable to locate package flex"; exit 100 ;; esac'
refused "a failed installation is an error" any 'Unable to locate package flex' run kernel

fails "an unknown purpose is refused" any run everything
fails "a purpose is required" any run
contains "and the known ones are listed" "$tap_output" 'tools kernel clang module stock series vm vm-arm64 cross tests browser kernelshark speedscope fuzz deb debroot crash bench'
contains "--list prints packages" "$(run --list vm)" '^busybox-static$'
is "--list prints no package twice" "$(run --list tools tests fuzz deb debroot crash | sort | uniq -d)" ''

# Check the tools' build dependencies. "deb" must include them, because it builds the tools as well.
tools=$(run --list tools)
for package in pkg-config libzstd-dev libjson-c-dev libsqlite3-dev libsystemd-dev libbpf-dev libprotobuf-c-dev protobuf-c-compiler; do
	contains "the tools need $package" "$tools" "^$package\$"
done
is "building the packages needs everything that building the tools needs" "$(comm -23 <(sort <<<"$tools") <(run --list deb | sort))" ''
# The fuzzers contain the commands, and clang compiles them.
is "fuzzing needs the libraries of the tools" "$(comm -23 <(grep -vxE 'gcc|libc6-dev' <<<"$tools" | sort) <(run --list fuzz | sort))" ''
for purpose in tools kernel clang module stock series vm vm-arm64 cross tests browser kernelshark speedscope fuzz deb debroot crash bench source-6.1; do
	contains "--help names $purpose" "$(run --help)" "^  $purpose "
done
done_testing
