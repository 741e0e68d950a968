#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/deps on machines that lack packages: id, dpkg-query and apt-get are stand-ins.

set -u
. "$(dirname "$0")/../tap.sh"
deps=$(cd "$(dirname "$0")/../../scripts" && pwd)/deps
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# stand_in NAME BODY
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
	chmod +x "$work/bin/$1"
}
mkdir "$work/bin"
stand_in apt-get "echo \"\$*\" >>'$work/apt'; case \$* in *install*) touch '$work/installed' ;; esac"
stand_in dpkg-query 'for p; do case $p in -* | \$* | flex | bc) ;; *) echo "installed $p" ;; esac; done; exit 1'
run() { env PATH="$work/bin:$PATH" "$deps" "$@"; }

ok "everything is there: no error" run vm
is "and no word" "$(run vm 2>&1)" ''

stand_in id 'echo 1000'
fails "packages are missing, not root: fails" any run kernel vm
contains "says the command to run" "$tap_output" 'sudo apt-get update && sudo apt-get install --no-install-recommends .*flex'
contains "for all that is missing" "$tap_output" ' bc( |$)'
lacks "and for nothing else" "$tap_output" 'bison'
ok "has not run apt-get" test ! -e "$work/apt"

stand_in id 'echo 0'
ok "as root: installs" run kernel
is "exactly what is missing" "$(grep -o 'flex.*' "$work/apt")" 'flex bc'
is "after fetching the lists" "$(head -n 1 "$work/apt")" update

stand_in apt-get 'case $* in *install*) echo "E: Unable to locate package flex"; exit 100 ;; esac'
fails "an installation that fails is an error" any run kernel
contains "with apt's words" "$tap_output" 'Unable to locate package flex'

fails "an unknown purpose is refused" any run everything
fails "no purpose is refused" any run
contains "with those that there are" "$tap_output" 'tools kernel clang module stock series vm vm-arm64 cross tests fuzz deb debroot crash bench'
contains "--list lists" "$(run --list vm)" '^busybox-static$'
is "nothing twice" "$(run --list tools tests fuzz deb debroot crash | sort | uniq -d)" ''

# What the tools are built from is needed wherever they are built.
tools=$(run --list tools)
for package in pkg-config libzstd-dev libjson-c-dev libsystemd-dev; do
	contains "the tools need $package" "$tools" "^$package\$"
done
is "the packages need what the tools need" "$(comm -23 <(sort <<<"$tools") <(run --list deb | sort))" ''
for purpose in tools kernel clang module stock series vm vm-arm64 cross tests fuzz deb debroot crash bench source-6.1; do
	contains "--help names $purpose" "$(run --help)" "^  $purpose "
done
done_testing
