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
for target in help tools kernel modules demo demo-crash check check-all bench fuzz install uninstall deb clean; do
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

# Where the configuration is installed is compiled in: other tests use the commands that are built here.
mkdir "$work/tree"
cp -a "$top"/{Makefile,Documentation,include,scripts,tools} "$work/tree"
make_here=$make make="make -C $work/tree"
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
ok "and the options that were" grep -q '^EnvironmentFile=-/opt/lkst/etc/sysconfig/lkstlogd$' \
	"$work/dest/opt/lkst/lib/systemd/system/lkstlogd.service"
ok "so does the configuration" grep -q ' then /opt/lkst/etc/lkst.d/\*.conf' "$work/dest/opt/lkst/etc/lkst.conf"
ok "the commands read it there" grep -qa '/opt/lkst/etc/lkst\.conf' "$work/dest/opt/lkst/sbin/lkstlogd"
ok "drop-ins have a place" test -d "$work/dest/opt/lkst/etc/lkst.d"
for file in lkst.conf sysconfig/lkstlogd; do
	echo 'mine' >"$work/dest/opt/lkst/etc/$file"
done
ok "install again" $make install DESTDIR="$work/dest" prefix=/opt/lkst
for file in lkst.conf sysconfig/lkstlogd; do
	is "leaves $file alone" "$(cat "$work/dest/opt/lkst/etc/$file")" mine
done
# The system's configuration is in /etc, wherever the commands are.
for prefix in /usr /usr/local; do
	ok "install, $prefix" $make install DESTDIR="$work$prefix" prefix=$prefix
	is "$prefix: configuration" "$(cd "$work$prefix" && find . -path '*etc*' -type f | sort | tr '\n' ' ')" \
		'./etc/lkst.conf ./etc/sysconfig/lkstlogd '
	ok "$prefix: the commands read it there" grep -qa '^/etc/lkst\.conf' <(tr '\0' '\n' <"$work$prefix$prefix/sbin/lkstlogd")
done
ok "install, sysconfdir" $make install DESTDIR="$work/other" prefix=/usr sysconfdir=/usr/etc
is "sysconfdir: configuration" "$(cd "$work/other" && find . -path '*etc*' -type f | sort | tr '\n' ' ')" \
	'./usr/etc/lkst.conf ./usr/etc/sysconfig/lkstlogd '
ok "sysconfdir: the commands read it there" grep -qa '/usr/etc/lkst\.conf' "$work/other/usr/sbin/lkst"

# What is not LKST's stays, and so does a configuration that the user has changed.
mkdir -p "$work/dest/opt/lkst/share/man/man8"
echo other >"$work/dest/opt/lkst/share/man/man8/other.8"
ok "uninstall" $make uninstall DESTDIR="$work/dest" prefix=/opt/lkst
for file in lkst.conf sysconfig/lkstlogd; do
	contains "names $file, which it keeps" "$tap_said" "KEEP .*/etc/$file "
done
is "removes all but that and the files of others" "$(cd "$work/dest/opt/lkst" && find . ! -type d | sort | xargs)" \
	'./etc/lkst.conf ./etc/sysconfig/lkstlogd ./share/man/man8/other.8'
is "and LKST's own directories" "$(cd "$work/dest/opt/lkst" && find . -mindepth 1 -type d -name '*lkst*')" ''
ok "again: nothing is left to remove" $make uninstall DESTDIR="$work/dest" prefix=/opt/lkst
ok "install" $make install DESTDIR="$work/dest" prefix=/opt/lkst
rm "$work"/dest/opt/lkst/etc/{lkst.conf,sysconfig/lkstlogd}
ok "with the configuration that comes with it" $make install DESTDIR="$work/dest" prefix=/opt/lkst
ok "uninstall" $make uninstall DESTDIR="$work/dest" prefix=/opt/lkst
is "removes that, too" "$(cd "$work/dest/opt/lkst" && find . ! -type d | xargs)" './share/man/man8/other.8'
make=$make_here
is "the installed configuration is right" "$("$top/tools/lkst/lkst" config --check "$work/usr/etc/lkst.conf" 2>&1)" ''

# Where nothing is installed, with the library of the checkout.
ok "the examples build in the checkout" make -C "$top/tools/lkst/examples"
fails "histogram runs, and wants a trace file" 2 "$top/tools/lkst/examples/histogram"
fails "follow runs: there is no device, or no such event" 1 "$top/tools/lkst/examples/follow" no_such_event
ok "clean" make -C "$top/tools/lkst/examples" clean
fails "removes them" any test -e "$top/tools/lkst/examples/follow"
for script in apply-to-kernel build-deb build-kernel build-module build-tools check check-all cross-root demo demo-crash deps lkst-vm make-series module-source stock-kernel; do
	contains "scripts/$script --help" "$("$top/scripts/$script" --help)" "^usage: scripts/$script"
done
done_testing
