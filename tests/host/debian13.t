#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# LKST works on Debian 13. In one root the commands build, the unit tests pass, and the packages
# build. In another one, with Debian 13's own kernel, the packages can be installed and DKMS builds
# the module. That system boots and loads the module, and lkstlogd logs. Purging the packages from
# the running system leaves nothing.
# suite: all
# timeout: 3600

. "$(dirname "$0")/debroot.sh"
. "$(dirname "$0")/debboot.sh"
# shellcheck disable=SC2034 # debroot.sh uses $debian
debian=trixie build=$work/build

# scripts/deps knows the package names of Debian 13: each package that scripts/deps may require can
# be installed.
mapfile -t all < <("$top/scripts/deps" --list tools kernel clang module stock series source-6.12 vm vm-arm64 cross tests \
	browser fuzz deb debroot crash bench)
ok 'all packages that scripts/deps requires are available' plan_root "${all[@]}"
fails 'an unavailable package is detected' any plan_root no-such-package

# Build with the packages that scripts/deps requires, and no others.
mapfile -t needed < <("$top/scripts/deps" --list tools tests deb)
debian_root "$build" "${needed[@]}" >"$work/log" 2>&1 || bail_out "a Debian 13 root: $(tail "$work/log")"
mkdir "$build/lkst"
(cd "$top" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -c -T - ) |
	tar -C "$build/lkst" --no-same-owner -x || bail_out 'no copy of the checkout'
in_build() { in_root "$build" env HOME=/root LC_ALL=C.UTF-8 make -C /lkst "$@"; }
contains 'the root is Debian 13' "$(cat "$build/etc/debian_version")" '^13\.'
ok 'make tools' in_build tools
unit=$(in_build -s -C tests/unit check 2>&1)
is 'the unit tests pass' $? 0
lacks 'no unit test fails' "$unit" '^not ok'
contains 'unit tests are run' "$unit" '^ok '
ok 'make deb' in_build deb
is 'lintian reports nothing' "$(cat "$build/lkst/build/deb/lintian.log")" ''
mapfile -t packages < <(find "$build/lkst/build/deb" -name '*.deb' ! -name '*-dbgsym_*' | sort)
is 'the packages of debian/control are built' "$(printf '%s\n' "${packages[@]}" | sed 's,.*/,,; s/_.*//' | paste -sd ' ')" \
	"$(awk '$1 == "Package:" { print $2 }' "$top/debian/control" | sort | paste -sd ' ')"
mkdir "$work/packages"
mv "${packages[@]}" "$work/packages/"
rm -rf "$build"
packages=("$work"/packages/*.deb)

# Install with Debian 13's kernel.
debian_root "$root" "${packages[@]}" linux-image-amd64 linux-headers-amd64 >"$work/log" 2>&1 ||
	bail_out "a Debian 13 root with a kernel: $(tail "$work/log")"
release=$(basename "$root"/boot/vmlinuz-*)
release=${release#vmlinuz-}
list_root "$root" >"$work/before"
ok 'the packages install' install_packages "$root" "${packages[@]}"
contains 'the kernel is Linux 6.12' "$release" '^6\.12\.'
contains 'DKMS has built and installed the module' "$(in_root "$root" dkms status lkst)" ", ${release//+/\\+}, .*: installed"
is 'modprobe finds the module' "$(in_root "$root" modinfo -k "$release" -F vermagic lkst | cut -d ' ' -f 1)" "$release"
is 'systemd-analyze finds no error in the unit' \
	"$(in_root "$root" systemd-analyze verify lkstlogd.service 2>&1 | grep -i lkst | grep -v "'man ")" ''

set_boot_script "$root" <<'END'
. /etc/os-release
echo "$VERSION_ID $(uname -r)" >system
systemctl status lkstlogd >service 2>&1
systemctl --failed --plain --no-legend >failed 2>&1
lkstlogger -ev user_mark -a1 4711
lkst status >status 2>&1
# The daemon reads the events from the kernel's buffers, so look for them in its files.
lkstbuf print -f /var/log/lkst/sebuf0.0 -f /var/log/lkst/sebuf1.0 >print 2>print-errors
lkstbuf print -f /var/log/lkst/sebuf0.0 -f /var/log/lkst/sebuf1.0 --summary >summary 2>&1
systemctl restart lkstlogd
cp /var/log/lkst/sebuf[01].0 .
systemctl is-active lkstlogd >restarted
mapfile -t packages < <(dpkg-query -W -f '${Package}\n' '*lkst*')
apt-get -qq -y purge "${packages[@]}" >purge 2>&1
echo $? >purge-status
{
	grep '^lkst ' /proc/modules
	find /dev /run /etc /usr /var -xdev -iname '*lkst*'
} >left
dmesg >dmesg
systemctl --no-block poweroff
END
boot_own_kernel 3584M 2400
is "the system is Debian 13 with its own kernel" "$(result_of system)" "13 $release"
contains 'the service runs' "$(result_of service)" 'Active: active \(running\)'
contains 'lkst status shows the daemon' "$(result_of status)" '^lkstlogd +writing, '
is 'the log files are printed without error messages' "$(result_of print-errors)" ''
build_tools
why_agrees 'the log files' "$results"/sebuf[01].0
contains 'the log files have events' "$(result_of print)" ' process_contextswitch '
is 'the service restarts' "$(result_of restarted)" active
purged
done_testing
