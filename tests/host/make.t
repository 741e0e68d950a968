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
for script in apply-to-kernel build-deb build-kernel build-module check demo demo-crash deps lkst-vm make-series module-source stock-kernel; do
	contains "scripts/$script --help" "$("$top/scripts/$script" --help)" "^usage: scripts/$script"
done
done_testing
