#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Debian 13. In a root of it the commands build, the unit tests pass, and the packages build. In another one, with
# Debian 13's own kernel, the packages install and DKMS builds the module; that system boots, loads the module, and
# lkstlogd logs; purging the packages of the running system leaves nothing.
# suite: all
# timeout: 3600

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/host/debroot.sh"
. "$top/tests/host/debboot.sh"
# shellcheck disable=SC2034 # debroot.sh's
debian=trixie
root=$work/root build=$work/build results=$work/results

# scripts/deps knows the names of its packages: whatever it may ask for could be installed.
mapfile -t all < <("$top/scripts/deps" --list tools kernel clang module stock series source-6.12 vm vm-arm64 cross tests \
	fuzz deb debroot crash bench)
ok 'all packages that scripts/deps asks for are there' plan_root "${all[@]}"
fails 'one that is not there would be noticed' any plan_root no-such-package

# Building, with what it asks for and nothing else.
mapfile -t needed < <("$top/scripts/deps" --list tools tests deb)
debian_root "$build" "${needed[@]}" >"$work/log" 2>&1 || bail_out "a Debian 13 root: $(tail "$work/log")"
mkdir "$build/lkst"
(cd "$top" && git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null | tar -c -T - ) |
	tar -C "$build/lkst" --no-same-owner -x || bail_out 'no copy of the checkout'
in_build() { in_root "$build" env HOME=/root LC_ALL=C.UTF-8 make -C /lkst "$@"; }
contains 'it is Debian 13' "$(cat "$build/etc/debian_version")" '^13\.'
ok 'make tools' in_build tools
unit=$(in_build -s -C tests/unit check 2>&1)
is 'the unit tests' $? 0
lacks 'none of them fails' "$unit" '^not ok'
contains 'all of them run' "$unit" '^ok '
ok 'make deb' in_build deb
is 'lintian has nothing to say' "$(cat "$build/lkst/build/deb/lintian.log")" ''
mapfile -t packages < <(find "$build/lkst/build/deb" -name '*.deb' ! -name '*-dbgsym_*' | sort)
is 'they are these' "$(printf '%s\n' "${packages[@]}" | sed 's,.*/,,; s/_.*//' | paste -sd ' ')" \
	"$(awk '$1 == "Package:" { print $2 }' "$top/debian/control" | sort | paste -sd ' ')"
mkdir "$work/packages"
mv "${packages[@]}" "$work/packages/"
rm -rf "$build"
packages=("$work"/packages/*.deb)

# Installing, beside Debian 13's kernel.
debian_root "$root" "${packages[@]}" linux-image-amd64 linux-headers-amd64 >"$work/log" 2>&1 ||
	bail_out "a Debian 13 root with a kernel: $(tail "$work/log")"
release=$(basename "$root"/boot/vmlinuz-*)
release=${release#vmlinuz-}
list_root "$root" >"$work/before"
ok 'the packages install' install_packages "$root" "${packages[@]}"
contains 'its kernel is a 6.12' "$release" '^6\.12\.'
contains 'DKMS has built and installed the module' "$(in_root "$root" dkms status lkst)" ", ${release//+/\\+}, .*: installed"
is 'modprobe finds it' "$(in_root "$root" modinfo -k "$release" -F vermagic lkst | cut -d ' ' -f 1)" "$release"
ok 'the service is enabled' in_root "$root" systemctl is-enabled lkstlogd
is 'its unit names nothing that is not there' \
	"$(in_root "$root" systemd-analyze verify lkstlogd.service 2>&1 | grep -i lkst | grep -v "'man ")" ''

tell_story "$root" <<'END'
#!/bin/bash
mkdir -p /root/results
cd /root/results || exit
export DEBIAN_FRONTEND=noninteractive
. /etc/os-release
echo "$VERSION_ID $(uname -r)" >system
systemctl status lkstlogd >service 2>&1
systemctl --failed --plain --no-legend >failed 2>&1
lkstlogger -ev user_mark -a1 4711
lkst status >status 2>&1
# In the buffers of the kernel or, once it has read them, in the files of the daemon.
lkstbuf print -f /var/log/lkst/sebuf0.0 -f /var/log/lkst/sebuf1.0 >print 2>print-errors
lkstbuf print -f /var/log/lkst/sebuf0.0 -f /var/log/lkst/sebuf1.0 --summary >summary 2>&1
systemctl restart lkstlogd
systemctl is-active lkstlogd >restarted
mapfile -t packages < <(dpkg-query -W -f '${Package}\n' 'lkst-*' 'liblkst*')
apt-get -qq -y purge "${packages[@]}" >purge 2>&1
echo $? >purge-status
{
	grep '^lkst ' /proc/modules
	find /dev /run /etc /usr /var -xdev -iname '*lkst*'
} >left
dmesg >dmesg
systemctl --no-block poweroff
END
cp "$root/boot/vmlinuz-$release" "$root/boot/initrd.img-$release" "$work/"
boot_root "$root" 3584M 2400 lkst.buffer_size=2M "$work/vmlinuz-$release" -initrd "$work/initrd.img-$release" -no-reboot
is 'the system boots and goes off' $? 0
[ -s "$results/status" ] || bail_out "no boot; the end of the console: $(tail -n 30 "$work/console" | tr -d '\r')"
is "it is Debian 13 with its own kernel" "$(cat "$results/system")" "13 $release"
is 'the kernel had nothing to say' \
	"$(cat "$work/console" "$results/dmesg" | grep -E 'BUG:|WARNING:|Oops:|Kernel panic|general protection')" ''
is 'no unit failed' "$(cat "$results/failed")" ''
contains 'the service runs' "$(cat "$results/service")" 'Active: active \(running\)'
contains 'the module was loaded at boot, and records' "$(cat "$results/status")" '^state +running$'
contains 'lkst status shows the daemon' "$(cat "$results/status")" '^lkstlogd +writing, '
is 'its files are read without a complaint' "$(cat "$results/print-errors")" ''
contains 'they have events' "$(cat "$results/print")" ' process_contextswitch '
contains 'from both CPUs' "$(cat "$results/summary")" '^1 +[1-9][0-9]+ +[0-9.]+%$'
is 'the service restarts' "$(cat "$results/restarted")" active
is 'purging works while it runs' "$(cat "$results/purge-status")" 0
lacks 'and has nothing to complain about' "$(cat "$results/purge")" 'in use|rror'
is 'and leaves nothing, loaded or on the disk' "$(cat "$results/left")" ''
done_testing
