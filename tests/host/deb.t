#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The Debian packages build, lintian finds nothing, the packages can be installed in a Debian root,
# and purging them leaves nothing. deb_boot.t boots such a root.
# suite: all
# timeout: 900

. "$(dirname "$0")/debroot.sh"

fails 'an unknown option of build-deb is refused' any "$top/scripts/build-deb" --what
built=$("$top/scripts/build-deb" 2>"$work/log") || bail_out "make deb: $(tail -n 30 "$work/log")"
pass 'the packages build'
is 'lintian reports nothing' "$(cat "$top/build/deb/lintian.log")" ''
mapfile -t packages <<<"$built"
is 'five packages are built' "$(printf '%s\n' "${packages[@]}" | sed 's,.*/,,; s/_.*//' | paste -sd ' ')" \
	'babeltrace2-plugin-lkst liblkst-dev liblkst0 lkst-dkms lkst-tools'
is 'a second run prints the same packages and builds nothing' "$("$top/scripts/build-deb" 2>&1)" "$built"
is 'nothing was built outside of build/' "$(cd "$top" && git status --porcelain --ignored debian 2>/dev/null)" ''

# file_of PACKAGE: print the path of the package
file_of() { printf '%s\n' "${packages[@]}" | grep "/$1_"; }
# has PACKAGE PATTERN...: test that each pattern matches the whole path of a file in the package,
# and that the package has nothing in /usr/local.
has() {
	local files pattern
	files=$(dpkg-deb -c "$(file_of "$1")" | awk '{ print $6 }')
	for pattern in "${@:2}"; do
		contains "$1: $pattern" "$files" "^\./$pattern\$"
	done
	lacks "$1: nothing in /usr/local" "$files" '^\./usr/local'
}
patterns=(usr/share/man/man4/lkst.4.gz usr/share/man/man5/{lkst-trace,lkstlogd,lkst.conf}.5.gz etc/lkst.d/
	usr/share/bash-completion/completions/lkst usr/share/zsh/vendor-completions/_lkst
	'.*/systemd/system/lkstlogd.service' 'usr/lib/.*/lkst/liblkst-user-events.so')
for command in lkst lkstm lkstbuf lksteh lkstla lkstlogger lkstlogd logformat.pl; do
	patterns+=("usr/sbin/$command" "usr/share/man/man8/$command.8.gz")
done
for guide in "$top"/Documentation/lkst/*.rst; do
	patterns+=("usr/share/doc/lkst-tools/$(basename "$guide")(\.gz)?")
done
has lkst-tools "${patterns[@]}"
has babeltrace2-plugin-lkst 'usr/lib/[^/]*/babeltrace2/plugins/babeltrace-plugin-lkst.so' \
	usr/share/man/man7/babeltrace2-source.lkst.trace.7.gz
has liblkst0 'usr/lib/[^/]*/liblkst.so.0.*' 'usr/lib/[^/]*/liblkst-traceevent.so.0.*'
has liblkst-dev usr/include/lkst/{lkst.h,model.h,event.h,linux/lkst_buffer.h,traceevent/sys/trace.h} \
	'usr/lib/.*/'{liblkst.a,liblkst-traceevent.a,pkgconfig/liblkst.pc,pkgconfig/liblkst-traceevent.pc} \
	usr/share/man/man3/{liblkst,lkst_model,traceevent}.3.gz \
	usr/share/doc/liblkst-dev/examples/{follow.c,events/requests.c}
has lkst-dkms 'usr/src/lkst-[0-9.]+/'{kernel/lkst/ring/record.h,dkms.conf} usr/lib/modules-load.d/lkst.conf
lacks 'lkst-dkms: no KUnit tests' "$(dpkg-deb -c "$(file_of lkst-dkms)")" '_test\.'
dpkg-deb --ctrl-tarfile "$(file_of lkst-tools)" | tar -xO ./conffiles >"$work/conffiles"
is 'lkst-tools: configuration files are conffiles' "$(sort "$work/conffiles" | paste -sd ' ')" \
	'/etc/default/lkstlogd /etc/lkst.conf'

# Install the packages in a Debian root, except lkst-dkms, which dkms.t installs.
mapfile -t packages < <(printf '%s\n' "${packages[@]}" | grep -v /lkst-dkms_)
debian_root "$work/root" "${packages[@]}" >"$work/log" 2>&1 || bail_out "a Debian root: $(tail "$work/log")"
list_root "$work/root" >"$work/before"
ok 'the packages install' install_packages "$work/root" "${packages[@]}"
ok 'the service starts early at boot' test -L "$work/root/etc/systemd/system/sysinit.target.wants/lkstlogd.service"
is 'systemd-analyze finds no error in the unit' \
	"$(in_root "$work/root" systemd-analyze verify lkstlogd.service 2>&1 | grep -i lkst | grep -v "'man ")" ''
for command in lkst lkstm lkstbuf lkstla lkstlogger; do
	ok "$command runs" in_root "$work/root" "$command" version
done
cp "$top/tests/host/deb.t" "$work/root/tmp/other"
fails 'a file that is not a trace is refused' 1 in_root "$work/root" lkstbuf print -f /tmp/other
rm -f "$work/root/tmp/other"
mkdir -p "$work/root/var/log/lkst"
echo 'what a daemon logged' >"$work/root/var/log/lkst/sebuf0.0"
is 'the installed configuration is valid' "$(in_root "$work/root" lkst config --check 2>&1)" ''
contains 'the daemon writes from boot on' "$(in_root "$work/root" lkst config)" '^start = yes  *# /etc/lkst\.conf:[0-9]+$'
echo 'LKSTLOGDOPTION="-v"' >"$work/root/etc/default/lkstlogd"
ok 'the package is removed' in_root "$work/root" apt-get -qq -y remove lkst-tools
ok 'removal keeps the configuration' grep -q -- -v "$work/root/etc/default/lkstlogd"
ok 'removal keeps the logs' test -f "$work/root/var/log/lkst/sebuf0.0"
ok 'the packages are purged' in_root "$work/root" apt-get -qq -y purge lkst-tools liblkst0 liblkst-dev babeltrace2-plugin-lkst
list_root "$work/root" >"$work/after"
is 'purging leaves nothing' "$(diff "$work/before" "$work/after")" ''
done_testing
