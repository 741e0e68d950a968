#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Debian packages: they build, lintian is content, they install in a Debian root, and purging them leaves
# nothing. deb-boot.t boots such a root.
# suite: all
# timeout: 900

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/host/debroot.sh"

fails 'an unknown option of build-deb is refused' any "$top/scripts/build-deb" --what
built=$("$top/scripts/build-deb" 2>"$work/log") || bail_out "make deb: $(tail -n 30 "$work/log")"
pass 'the packages build'
is 'lintian has nothing to say' "$(cat "$top/build/deb/lintian.log")" ''
mapfile -t packages <<<"$built"
is 'these four' "$(printf '%s\n' "${packages[@]}" | sed 's,.*/,,; s/_.*//' | paste -sd ' ')" \
	'liblkst-dev liblkst0 lkst-dkms lkst-tools'
is 'again: the same, at once' "$("$top/scripts/build-deb" 2>&1)" "$built"
is 'nothing was built outside of build/' "$(cd "$top" && git status --porcelain --ignored debian 2>/dev/null)" ''

# What each has.
for package in "${packages[@]}"; do
	name=$(basename "$package"); name=${name%%_*}
	files=$(dpkg-deb -c "$package" | awk '{ print $6 }')
	case $name in
	lkst-tools)
		for command in lkst lkstm lkstbuf lksteh lkstlogger lkstlogd logformat.pl; do
			contains "$name: $command" "$files" "^\./usr/sbin/$command\$"
			contains "$name: $command has a manual page" "$files" "^\./usr/share/man/man8/$command\.8\.gz\$"
		done
		contains "$name: manual of the device" "$files" '/man4/lkst\.4\.gz$'
		contains "$name: manual of trace files" "$files" '/man5/lkst-trace\.5\.gz$'
		contains "$name: manual of the service's options" "$files" '/man5/lkstlogd\.5\.gz$'
		contains "$name: manual of the configuration" "$files" '/man5/lkst\.conf\.5\.gz$'
		contains "$name: a place for drop-ins" "$files" '^\./etc/lkst\.d/$'
		for guide in "$top"/Documentation/lkst/*.rst; do
			contains "$name: $(basename "$guide")" "$files" "^\./usr/share/doc/lkst-tools/$(basename "$guide")(\.gz)?\$"
		done
		contains "$name: completion for bash" "$files" '^\./usr/share/bash-completion/completions/lkst$'
		contains "$name: completion for zsh" "$files" '^\./usr/share/zsh/vendor-completions/_lkst$'
		contains "$name: unit" "$files" '/systemd/system/lkstlogd\.service$'
		dpkg-deb --ctrl-tarfile "$package" | tar -xO ./conffiles >"$work/conffiles"
		is "$name: its configuration is kept as one" "$(sort "$work/conffiles" | paste -sd ' ')" \
			'/etc/default/lkstlogd /etc/lkst.conf'
		;;
	liblkst0)
		contains "$name: the library" "$files" '^\./usr/lib/[^/]*/liblkst\.so\.0'
		;;
	liblkst-dev)
		for file in include/lkst/lkst.h include/lkst/linux/lkst_buffer.h 'lib/.*/liblkst.a' 'lib/.*/pkgconfig/liblkst.pc' \
			share/man/man3/liblkst.3.gz share/doc/liblkst-dev/examples/follow.c; do
			contains "$name: $file" "$files" "^\./usr/$file\$"
		done
		;;
	lkst-dkms)
		contains "$name: the sources" "$files" '^\./usr/src/lkst-[0-9.]+/kernel/lkst/record\.h$'
		contains "$name: how DKMS builds them" "$files" '^\./usr/src/lkst-[0-9.]+/dkms\.conf$'
		lacks "$name: no tests of the kernel's" "$files" '_test\.'
		contains "$name: it is loaded at boot" "$files" '^\./usr/lib/modules-load\.d/lkst\.conf$'
		;;
	esac
	lacks "$name: nothing for /usr/local" "$files" '^\./usr/local'
done

# In a Debian root. What is for a stock kernel, dkms.t installs.
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | grep -v /lkst-dkms_)
debian_root "$work/root" "${packages[@]}" >"$work/log" 2>&1 || bail_out "a Debian root: $(tail "$work/log")"
list_root "$work/root" >"$work/before"
ok 'they install' install_packages "$work/root" "${packages[@]}"
ok 'the service is enabled' in_root "$work/root" systemctl is-enabled lkstlogd
ok 'early at boot' test -L "$work/root/etc/systemd/system/sysinit.target.wants/lkstlogd.service"
is 'the unit names nothing that is not there' \
	"$(in_root "$work/root" systemd-analyze verify lkstlogd.service 2>&1 | grep -i lkst | grep -v "'man ")" ''
for command in lkst lkstm lkstbuf lkstlogger; do
	ok "$command runs" in_root "$work/root" "$command" version
done
cp "$top/tests/host/deb.t" "$work/root/tmp/other"
fails 'a file that is no trace: the message' 1 in_root "$work/root" lkstbuf print -f /tmp/other
rm -f "$work/root/tmp/other"
mkdir -p "$work/root/var/log/lkst"
echo 'what a daemon logged' >"$work/root/var/log/lkst/sebuf0.0"
is 'the installed configuration is right' "$(in_root "$work/root" lkst config --check 2>&1)" ''
contains 'and writes from the boot on' "$(in_root "$work/root" lkst config)" '^start = yes  *# /etc/lkst\.conf:[0-9]+$'
echo 'LKSTLOGDOPTION="-v"' >"$work/root/etc/default/lkstlogd"
ok 'removing' in_root "$work/root" apt-get -qq -y remove lkst-tools
ok 'keeps the configuration' grep -q -- -v "$work/root/etc/default/lkstlogd"
ok 'and the logs' test -f "$work/root/var/log/lkst/sebuf0.0"
ok 'purging' in_root "$work/root" apt-get -qq -y purge lkst-tools liblkst0 liblkst-dev
list_root "$work/root" >"$work/after"
is 'leaves nothing' "$(diff "$work/before" "$work/after")" ''
done_testing
