#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The package lkst-dkms in a Debian root with Debian's own kernel: installing it builds the module, headers of another
# kernel that come later make DKMS build it for that; the kernel boots, loads it, and lkstlogd logs; purging the
# package of the running system unloads it and leaves nothing.
# suite: all
# timeout: 1800

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/host/debroot.sh"
. "$top/tests/host/debboot.sh"
root=$work/root results=$work/results

mapfile -t packages < <("$top/scripts/build-deb" 2>"$work/log")
[ ${#packages[@]} -eq 4 ] || bail_out "make deb: $(tail -n 30 "$work/log")"
mapfile -t others < <(printf '%s\n' "${packages[@]}" | grep -v /lkst-dkms_)
package=$(printf '%s\n' "${packages[@]}" | grep /lkst-dkms_)
{
	debian_root "$root" "${packages[@]}" linux-image-amd64 linux-headers-amd64 &&
		install_packages "$root" "${others[@]}"
} >"$work/log" 2>&1 || bail_out "a Debian root: $(tail "$work/log")"
release=$(basename "$root"/boot/vmlinuz-*)
release=${release#vmlinuz-}
version=$(dpkg-deb -f "$package" Version)

# built_for RELEASE: a module that is that kernel's own
built_for() {
	contains "$1: built and installed" "$(in_root "$root" dkms status lkst)" "^lkst/$version, $1, .*: installed"
	is "$1: modprobe finds it" "$(in_root "$root" modinfo -k "$1" -F vermagic lkst | cut -d ' ' -f 1)" "$1"
}

# Installing, and removing.
list_root "$root" >"$work/before"
install_packages "$root" "$package" >"$work/install" 2>&1
is 'it installs' $? 0
built_for "$release"
contains 'in a chroot it is not loaded, and that is said' "$(cat "$work/install")" '^lkst-dkms: this is a chroot'
ok 'removing' in_root "$root" apt-get -qq -y remove lkst-dkms
fails 'takes the module away' any in_root "$root" modinfo -k "$release" lkst
ok 'purging' in_root "$root" apt-get -qq -y purge lkst-dkms
list_root "$root" >"$work/after"
is 'leaves nothing' "$(diff "$work/before" "$work/after")" ''
ok 'it installs again' install_packages "$root" "$package"

# The headers of another kernel, as an upgrade brings them: the newest of the same series but this.
pattern=$(sed 's/\./\\./g; s/-[0-9]*-/-[0-9]+-/' <<<"$release")
other=$(apt-cache search --names-only "^linux-headers-$pattern\$" | cut -d ' ' -f 1 | grep -v -- "-$release\$" | sort -V | tail -n 1)
other=${other#linux-headers-}
if [ -z "$other" ]; then
	skip 'another kernel' 'apt knows the headers of no other'
else
	mkdir "$work/headers"
	(cd "$work/headers" && apt-get -qq download "linux-headers-$other" "linux-headers-${other%-*}-common") >"$work/log" 2>&1 ||
		bail_out "headers of $other: $(cat "$work/log")"
	ok 'the headers of another kernel' install_packages "$root" "$work"/headers/*.deb
	built_for "$other"
	built_for "$release"
fi

# Debian's newer kernel, which has what type information for BPF is made from among its headers: nothing makes it here.
if ! newer=$("$top/scripts/stock-kernel" --series 6.12 2>"$work/log"); then
	skip 'a kernel whose modules have type information' "$(tail -n 1 "$work/log")"
else
	release_newer=$(basename "$newer")
	cp -a "$newer"/root/usr/src/* "$root/usr/src/"
	cp -a "$newer"/root/usr/lib/linux-kbuild-* "$root/usr/lib/"
	mkdir -p "$root/lib/modules/$release_newer"
	ln -s "/usr/src/linux-headers-$release_newer" "$root/lib/modules/$release_newer/build"
	fails 'there is no pahole' 127 in_root "$root" pahole --version
	ok "$release_newer: built" in_root "$root" dkms build "lkst/$version" -k "$release_newer"
	contains "$release_newer: DKMS says so" "$(in_root "$root" dkms status lkst)" "^lkst/$version, ${release_newer//+/\\+}, .*: built\$"
	ok "$release_newer: taken away" in_root "$root" dkms remove "lkst/$version" -k "$release_newer"
	rm -rf "$root/lib/modules/$release_newer"
fi

# is_for RELEASE: whether DKMS would build it for that kernel
# shellcheck disable=SC2034,SC2317 # DKMS's own names, in what is sourced; ok calls it
is_for() {
	local kernel_source_dir='' dkms_tree='' PACKAGE_NAME BUILD_EXCLUSIVE_KERNEL=''
	# shellcheck source=/dev/null
	. "$work/dkms.conf"
	[[ $1 =~ $BUILD_EXCLUSIVE_KERNEL ]]
}
cp "$root/usr/src/lkst-$version/dkms.conf" "$work/"
for kernel in 6.1.0-1-amd64 6.12.6 7.2.0 10.0.1; do
	ok "$kernel is one for it" is_for $kernel
done
for kernel in 4.19.0 5.10.0-30-amd64 6.0.12; do
	fails "$kernel is none" 1 is_for $kernel
done

# What runs when it has booted.
tell_story "$root" <<'END'
#!/bin/bash
mkdir -p /root/results
cd /root/results || exit
export DEBIAN_FRONTEND=noninteractive
uname -r >release
systemctl is-active lkstlogd >active 2>&1
systemctl --failed --plain --no-legend >failed 2>&1
lkst status >status 2>&1
lkstbuf list >buffers 2>&1
cat /proc/lkst_etypes >etypes
lkstlogger -ev user_mark -a1 4711
lkstbuf print -f /var/log/lkst/sebuf0.0 -f /var/log/lkst/sebuf1.0 --summary >summary 2>&1
modprobe -r lkst >refused 2>&1
echo $? >>refused
systemctl stop lkstlogd
modprobe -r lkst >unloaded 2>&1
echo $? >>unloaded
ls /dev/lkst /proc/lkst_etypes >>unloaded 2>/dev/null
grep '^lkst ' /proc/modules >>unloaded
# As dpkg does it, but for the building, which would take emulated CPUs many minutes.
touch /etc/dkms/no-autoinstall
/var/lib/dpkg/info/lkst-dkms.postinst configure >configuring 2>&1
echo $? >configured
grep -c '^lkst ' /proc/modules >>configured
systemctl is-active lkstlogd >>configured
/var/lib/dpkg/info/lkst-dkms.postinst configure >again 2>&1
apt-get -qq -y purge lkst-dkms >purge 2>&1
echo $? >purge-status
grep '^lkst ' /proc/modules >left
find /lib/modules /usr/lib/modules-load.d /usr/src /var/lib/dkms -name '*lkst*' >>left
dmesg >dmesg
systemctl --no-block poweroff
END
echo 'options lkst memory=200M' >"$root/etc/modprobe.d/lkst.conf"
cp "$root/boot/vmlinuz-$release" "$root/boot/initrd.img-$release" "$work/"

boot_root "$root" 2560M 1200 lkst.buffer_size=2M "$work/vmlinuz-$release" -initrd "$work/initrd.img-$release" -no-reboot
is 'the system boots and goes off' $? 0
[ -s "$results/status" ] || bail_out "no boot; the end of the console: $(tail -n 30 "$work/console" | tr -d '\r')"
is "it is Debian's kernel" "$(cat "$results/release")" "$release"
is 'the kernel had nothing to say' \
	"$(cat "$work/console" "$results/dmesg" | grep -E 'BUG:|WARNING:|Oops:|Kernel panic|general protection')" ''
is 'no unit failed' "$(cat "$results/failed")" ''

status=$(cat "$results/status")
contains 'the module was loaded at boot, and records' "$status" '^state +running$'
contains 'an option in /etc/modprobe.d holds' "$status" '^memory .* at most 209715200$'
contains 'one on the command line of the kernel, too' "$(cat "$results/buffers")" ' 2097152( |$)'
contains 'the events are there' "$(cat "$results/etypes")" 'PROCESS_CONTEXTSWITCH .*present'
is 'lkstlogd logs' "$(cat "$results/active")" active
contains 'from both CPUs' "$(cat "$results/summary")" '^1 +[1-9][0-9]+ +[0-9.]+%$'
contains 'what is in use is not unloaded' "$(cat "$results/refused")" 'lkst is in use'
is 'without the daemon it is, and nothing is left' "$(cat "$results/unloaded")" 0
is 'configuring the package loads it, and starts the daemon' "$(paste -sd ' ' "$results/configured")" \
	'0 1 active'
lacks 'and has nothing to complain about' "$(cat "$results/configuring")" '^lkst-dkms:'
contains 'again: it stays as it is' "$(cat "$results/again")" '^lkst-dkms: the LKST that is loaded stays'
is 'purging works while the daemon runs' "$(cat "$results/purge-status")" 0
lacks 'and has nothing to complain about' "$(cat "$results/purge")" 'in use|rror'
is 'and leaves nothing, loaded or on the disk' "$(cat "$results/left")" ''
done_testing
