#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The package lkst-dkms works in a Debian root with Debian's own kernel. Installing it builds the
# module. When headers of another kernel are installed later, DKMS builds the module for that
# kernel. The kernel boots and loads the module, and lkstlogd logs. Purging the package from the
# running system unloads the module and leaves nothing.
# suite: all
# timeout: 1800

. "$(dirname "$0")/debroot.sh"
. "$(dirname "$0")/debboot.sh"

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

# built_for RELEASE: test that DKMS has built and installed the module for that kernel
built_for() {
	contains "$1: built and installed" "$(in_root "$root" dkms status lkst)" "^lkst/$version, $1, .*: installed"
	is "$1: modprobe finds it" "$(in_root "$root" modinfo -k "$1" -F vermagic lkst | cut -d ' ' -f 1)" "$1"
}

# Install and remove.
list_root "$root" >"$work/before"
install_packages "$root" "$package" >"$work/install" 2>&1
is 'the package installs' $? 0
built_for "$release"
contains 'in a chroot the module is not loaded, and a message says so' "$(cat "$work/install")" '^lkst-dkms: this is a chroot'
ok 'the package is removed' in_root "$root" apt-get -qq -y remove lkst-dkms
fails 'removal deletes the module' any in_root "$root" modinfo -k "$release" lkst
ok 'the package is purged' in_root "$root" apt-get -qq -y purge lkst-dkms
list_root "$root" >"$work/after"
is 'purging leaves nothing' "$(diff "$work/before" "$work/after")" ''
ok 'the package installs again' install_packages "$root" "$package"

# Install the headers of another kernel, as an upgrade does: the newest other kernel of the same
# series.
pattern=$(sed 's/\./\\./g; s/-[0-9]*-/-[0-9]+-/' <<<"$release")
other=$(apt-cache search --names-only "^linux-headers-$pattern\$" | cut -d ' ' -f 1 | grep -v -- "-$release\$" | sort -V | tail -n 1)
other=${other#linux-headers-}
if [ -z "$other" ]; then
	skip 'another kernel' 'apt knows the headers of no other'
else
	mkdir "$work/headers"
	(cd "$work/headers" && apt-get -qq download "linux-headers-$other" "linux-headers-${other%-*}-common") >"$work/log" 2>&1 ||
		bail_out "headers of $other: $(cat "$work/log")"
	ok 'the headers of another kernel install' install_packages "$root" "$work"/headers/*.deb
	built_for "$other"
	built_for "$release"
fi

# The headers of Debian's newer kernel come with the tool that adds BPF type information to modules.
# The module must build without pahole, which that tool would need.
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
	contains "$release_newer: DKMS lists the module as built" "$(in_root "$root" dkms status lkst)" "^lkst/$version, ${release_newer//+/\\+}, .*: built\$"
	ok "$release_newer: removed from DKMS" in_root "$root" dkms remove "lkst/$version" -k "$release_newer"
	rm -rf "$root/lib/modules/$release_newer"
fi

# is_for RELEASE: test whether DKMS would build the module for that kernel
# shellcheck disable=SC2034,SC2317 # the sourced file uses these names of DKMS; ok calls is_for
is_for() {
	local kernel_source_dir='' dkms_tree='' PACKAGE_NAME BUILD_EXCLUSIVE_KERNEL=''
	# shellcheck source=/dev/null
	. "$work/dkms.conf"
	[[ $1 =~ $BUILD_EXCLUSIVE_KERNEL ]]
}
cp "$root/usr/src/lkst-$version/dkms.conf" "$work/"
for kernel in 6.1.0-1-amd64 6.12.6 7.2.0 10.0.1; do
	ok "$kernel: DKMS builds the module" is_for $kernel
done
for kernel in 4.19.0 5.10.0-30-amd64 6.0.12; do
	fails "$kernel: DKMS does not build the module" 1 is_for $kernel
done

# This script runs in the booted system.
set_boot_script "$root" <<'END'
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
cp /var/log/lkst/sebuf[01].0 .
modprobe -r lkst >unloaded 2>&1
echo $? >>unloaded
ls /dev/lkst /proc/lkst_etypes >>unloaded 2>/dev/null
grep '^lkst ' /proc/modules >>unloaded
# Configure the package as dpkg does, but do not build the module, which would take many minutes on
# emulated CPUs.
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
boot_own_kernel 2560M 1200
is "the kernel is Debian's" "$(result_of release)" "$release"
status=$(result_of status)
contains 'an option in /etc/modprobe.d takes effect' "$status" '^memory .* at most 209715200$'
contains 'an option on the kernel command line takes effect' "$(result_of buffers)" ' 2097152( |$)'
contains '/proc/lkst_etypes lists events' "$(result_of etypes)" 'PROCESS_CONTEXTSWITCH .*present'
is 'lkstlogd logs' "$(result_of active)" active
build_tools
why_agrees 'the log' "$results"/sebuf[01].0
contains 'a module that is in use is not unloaded' "$(result_of refused)" 'lkst is in use'
is 'without the daemon the module is unloaded, and leaves nothing' "$(result_of unloaded)" 0
is 'configuring the package loads the module and starts the daemon' "$(paste -sd ' ' "$results/configured")" \
	'0 1 active'
lacks 'configuring the package prints no messages' "$(result_of configuring)" '^lkst-dkms:'
contains 'configuring the package again: the old module stays loaded' "$(result_of again)" '^lkst-dkms: the old module stays loaded until the next boot'
purged
done_testing
