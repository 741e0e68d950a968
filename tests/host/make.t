#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Makefile at the top: help, install, clean.

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make="make -C $top"

help=$($make -s help)
is "help is what make alone gives" "$($make -s)" "$help"
for target in help tools kernel modules demo demo-crash check check-all bench fuzz install deb clean; do
	contains "help explains $target" "$help" "^  $target +[a-z]"
done

asked() { $make -n "$@" 2>&1; }
contains "modules: for the running kernel" "$(asked modules)" '^scripts/build-module *$'
contains "modules: for another" "$(asked modules KDIR='/some where/build')" "^scripts/build-module '/some where/build'\$"
contains "demo" "$(asked demo)" '^scripts/demo *$'
contains "demo: builds its kernel" "$(asked demo)" '^scripts/build-kernel$'
contains "demo: of Debian's kernel" "$(asked demo STOCK=1)" '^scripts/demo --stock$'
lacks "demo: of Debian's kernel, which is not built" "$(asked demo STOCK=1)" '^scripts/build-kernel$'
contains "demo: not of it" "$(asked demo STOCK=0)" '^scripts/demo *$'

ok "tools" $make tools
for tool in lkst lkstm lkstbuf lksteh lkstlogger lkstlogd; do
	ok "tools/lkst/$tool is there" test -x "$top/tools/lkst/$tool"
done
ok "install into DESTDIR" $make install DESTDIR="$work/dest" prefix=/opt/lkst
for tool in lkst lkstm lkstbuf lksteh lkstlogger lkstlogd; do
	found=$(find "$work/dest/opt/lkst" -name "$tool" -type f -perm -111)
	ok "$tool is installed under prefix" test -n "$found"
done
is "nothing outside of prefix" "$(cd "$work/dest" && find . -type f ! -path './opt/lkst/*')" ''
for page in "$top"/Documentation/man/*.[1-8]; do
	[ -f "$page" ] || continue
	ok "$(basename "$page") is installed" cmp "$page" "$work/dest/opt/lkst/share/man/man${page##*.}/$(basename "$page")"
done
ok "the unit of lkstlogd names what was installed" grep -q '^ExecStart=/opt/lkst/sbin/lkstlogd ' \
	"$work/dest/opt/lkst/lib/systemd/system/lkstlogd.service"
echo 'mine' >"$work/dest/opt/lkst/etc/sysconfig/lkstlogd"
ok "install again" $make install DESTDIR="$work/dest" prefix=/opt/lkst
is "leaves the configuration alone" "$(cat "$work/dest/opt/lkst/etc/sysconfig/lkstlogd")" mine
for script in apply-to-kernel build-deb build-kernel build-module build-tools check check-all cross-root demo demo-crash deps lkst-vm make-series module-source stock-kernel; do
	contains "scripts/$script --help" "$("$top/scripts/$script" --help)" "^usage: scripts/$script"
done
done_testing
