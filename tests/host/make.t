#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests the Makefile at the top: help, install, uninstall, and the options that its targets pass on.

. "$(dirname "$0")/host.sh"
make="make -C $top"

help=$($make -s help)
is "make without a target prints the help" "$($make -s)" "$help"
for target in help tools kernel modules demo demo-crash check check-all bench fuzz install uninstall deb clean; do
	contains "help explains $target" "$help" "^  $target +[a-z]"
done

asked() { $make -n "$@" 2>&1; }
contains "modules: for the running kernel" "$(asked modules)" '^scripts/build-module *$'
contains "modules: for the kernel of KDIR" "$(asked modules KDIR='/some where/build')" "^scripts/build-module '/some where/build'\$"
contains "demo" "$(asked demo)" '^scripts/demo *$'
contains "demo: builds its kernel" "$(asked demo)" '^scripts/build-kernel$'
contains "demo: with Debian's kernel" "$(asked demo STOCK=1)" '^scripts/demo --stock$'
lacks "demo: with Debian's kernel, no kernel is built" "$(asked demo STOCK=1)" '^scripts/build-kernel$'
contains "demo: STOCK=0, without Debian's kernel" "$(asked demo STOCK=0)" '^scripts/demo *$'

ok "tools" $make tools

# Install from a copy of the tree: the path of the configuration is compiled in, so installing under
# a different prefix rebuilds the commands, and other tests use those in $top/build/bin.
copy_checkout Makefile Documentation include scripts tools
make_here=$make make="make -C $work/lkst"
ok "install into DESTDIR" $make install DESTDIR="$work/dest" prefix=/opt/lkst
for tool in lkst lkstm lkstbuf lksteh lkstla lkstlogger lkstlogd; do
	found=$(find "$work/dest/opt/lkst" -name "$tool" -type f -perm -111)
	ok "$tool is installed under prefix" test -n "$found"
done
is "no file is installed outside of prefix" "$(cd "$work/dest" && find . -type f ! -path './opt/lkst/*')" ''
for page in "$top"/Documentation/man/*.[1-8]; do
	[ -f "$page" ] || continue
	ok "$(basename "$page") is installed" cmp "$page" "$work/dest/opt/lkst/share/man/man${page##*.}/$(basename "$page")"
done
ok "the unit of lkstlogd starts the installed lkstlogd" grep -q '^ExecStart=/opt/lkst/sbin/lkstlogd ' \
	"$work/dest/opt/lkst/lib/systemd/system/lkstlogd.service"
ok "and goes on if memory runs out and the kernel kills a child process" grep -q '^OOMPolicy=continue$' \
	"$work/dest/opt/lkst/lib/systemd/system/lkstlogd.service"
ok "and reads the installed file with its options" grep -q '^EnvironmentFile=-/opt/lkst/etc/sysconfig/lkstlogd$' \
	"$work/dest/opt/lkst/lib/systemd/system/lkstlogd.service"
ok "the installed configuration names its directory of drop-ins" grep -q '^# /opt/lkst/etc/lkst.d/\*.conf' "$work/dest/opt/lkst/etc/lkst.conf"
ok "the commands read the installed configuration" grep -qa '/opt/lkst/etc/lkst\.conf' "$work/dest/opt/lkst/sbin/lkstlogd"
ok "the directory for drop-ins exists" test -d "$work/dest/opt/lkst/etc/lkst.d"
for file in lkst.conf sysconfig/lkstlogd; do
	echo 'mine' >"$work/dest/opt/lkst/etc/$file"
done
ok "a second install succeeds" $make install DESTDIR="$work/dest" prefix=/opt/lkst
for file in lkst.conf sysconfig/lkstlogd; do
	is "a second install keeps a changed $file" "$(cat "$work/dest/opt/lkst/etc/$file")" mine
done
# With the prefixes /usr and /usr/local the configuration is in /etc.
for prefix in /usr /usr/local; do
	ok "install, $prefix" $make install DESTDIR="$work$prefix" prefix=$prefix
	is "$prefix: configuration" "$(cd "$work$prefix" && find . -path '*etc*' -type f | sort | tr '\n' ' ')" \
		'./etc/lkst.conf ./etc/sysconfig/lkstlogd '
	ok "$prefix: the commands read the configuration there" grep -qa '^/etc/lkst\.conf' <(tr '\0' '\n' <"$work$prefix$prefix/sbin/lkstlogd")
done
ok "install, sysconfdir" $make install DESTDIR="$work/other" prefix=/usr sysconfdir=/usr/etc
is "sysconfdir: configuration" "$(cd "$work/other" && find . -path '*etc*' -type f | sort | tr '\n' ' ')" \
	'./usr/etc/lkst.conf ./usr/etc/sysconfig/lkstlogd '
ok "sysconfdir: the commands read the configuration there" grep -qa '/usr/etc/lkst\.conf' "$work/other/usr/sbin/lkst"

# Files that are not LKST's stay, and so does a configuration that the user has changed.
mkdir -p "$work/dest/opt/lkst/share/man/man8"
echo other >"$work/dest/opt/lkst/share/man/man8/other.8"
ok "uninstall" $make uninstall DESTDIR="$work/dest" prefix=/opt/lkst
for file in lkst.conf sysconfig/lkstlogd; do
	contains "uninstall reports that it keeps $file" "$tap_said" "KEEP .*/etc/$file "
done
is "uninstall removes all other files of LKST" "$(cd "$work/dest/opt/lkst" && find . ! -type d | sort | xargs)" \
	'./etc/lkst.conf ./etc/sysconfig/lkstlogd ./share/man/man8/other.8'
is "uninstall removes LKST's own directories" "$(cd "$work/dest/opt/lkst" && find . -mindepth 1 -type d -name '*lkst*')" ''
ok "a second uninstall succeeds" $make uninstall DESTDIR="$work/dest" prefix=/opt/lkst
ok "install" $make install DESTDIR="$work/dest" prefix=/opt/lkst
rm "$work"/dest/opt/lkst/etc/{lkst.conf,sysconfig/lkstlogd}
ok "install with the default configuration" $make install DESTDIR="$work/dest" prefix=/opt/lkst
ok "uninstall" $make uninstall DESTDIR="$work/dest" prefix=/opt/lkst
is "uninstall removes an unchanged configuration" "$(cd "$work/dest/opt/lkst" && find . ! -type d | xargs)" './share/man/man8/other.8'
make=$make_here
is "the installed configuration is valid" "$("$top/build/bin/lkst" config --check "$work/usr/etc/lkst.conf" 2>&1)" ''

# The examples also build without an installation, with the library of the checkout.
ok "the examples build in the checkout" make -C "$top/samples/liblkst"
fails "histogram runs, and requires a trace file" 2 "$top/build/samples/histogram"
fails "follow runs: there is no device, or no such event" 1 "$top/build/samples/follow" no_such_event
ok "the examples with events of programs build in the checkout" make -C "$top/samples/events"
ok "requests runs without LKST" "$top/build/samples/requests" 2
ok "clean: events of programs" make -C "$top/samples/events" clean
fails "clean removes requests" any test -e "$top/build/samples/requests"
if command -v clang >/dev/null; then
	ok "the BPF programs build in the checkout" make -C "$top/samples/bpf" FLAGS=-Werror
	ok "they are object files for BPF" eval "readelf -h '$top'/build/samples/latency.bpf.o | grep -q 'Linux BPF'"
	ok "clean: BPF programs" make -C "$top/samples/bpf" clean
	fails "clean removes BPF programs" any test -e "$top/build/samples/latency.bpf.o"
else
	skip "the BPF programs build in the checkout" 'clang is missing'
fi
ok "clean" make -C "$top/samples/liblkst" clean
fails "clean removes the examples" any test -e "$top/build/samples/follow"
for script in apply-to-kernel build-deb build-kernel build-module build-tools check check-all compare-stock cookbook cross-root demo demo-crash deps lkst-vm make-series module-source readme-picture stock-kernel; do
	contains "scripts/$script --help" "$("$top/scripts/$script" --help)" "^usage: scripts/$script"
done
done_testing
