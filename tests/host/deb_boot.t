#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A Debian system with the packages boots under QEMU. lkstlogd logs the boot from its beginning, and
# the log can be read after a reboot. lkstlogd also saves the events that the previous boot left in
# memory. Purging the packages from the running system leaves nothing.
# suite: all
# timeout: 1800
# kernel: base

. "$(dirname "$0")/debroot.sh"
. "$(dirname "$0")/debboot.sh"

. "$(dirname "$0")/kernel.sh"
kernel_of base
kernel=$image
mapfile -t packages < <("$top/scripts/build-deb" 2>"$work/log" | grep -v /lkst-dkms_)
[ ${#packages[@]} -eq 4 ] || bail_out "make deb: $(tail -n 30 "$work/log")"
{ debian_root "$root" "${packages[@]}" && install_packages "$root" "${packages[@]}"; } >"$work/log" 2>&1 ||
	bail_out "a Debian root: $(tail "$work/log")"

# This script runs in the system. In the first boot it reboots. In the second one it collects
# results and powers off.
set_boot_script "$root" <<'END'
export TZ=UTC
if [ ! -e first ]; then
	systemctl is-active lkstlogd >first 2>&1
	lkst status >first-status 2>&1
	lkst config >first-config 2>&1
	lkstm list >first-masksets 2>&1
	echo 'mark 4711' >/dev/kmsg
	ls /var/log/lkst >first-files
	systemctl --no-block reboot
	exit
fi
systemctl is-active lkstlogd >active 2>&1
seconds=0
until ls /var/log/lkst/report-sebufprevious.* >reports 2>&1 || [ $seconds -eq 300 ]; do
	sleep 1
	seconds=$((seconds + 1))
done
systemctl --failed --plain --no-legend >failed 2>&1
systemctl status lkstlogd >status 2>&1
lkst status >lkst-status 2>&1
systemd-analyze security --no-pager --offline=true lkstlogd.service >security 2>&1
systemctl show -p ActiveEnterTimestampMonotonic -p ExecMainStartTimestamp lkstlogd >show
files=$(sed 's,^,-f /var/log/lkst/,' first-files)
lkstbuf print $files -r >boot 2>boot-errors
lkstbuf print $files -r -V -e process_exec >exec 2>>boot-errors
lkstbuf print $files --summary >summary 2>>boot-errors
cp -r /var/log/lkst log
previous=$(ls /var/log/lkst/sebufprevious.*)
lkstbuf print -f "$previous" -V -r -e process_exec >previous-exec 2>previous-errors
cp "$(cat reports)" report
journalctl -u lkstlogd -o cat --no-pager >journal
lkstbuf previous >previous-list
# dpkg keeps a directory of the package that contains a file of the administrator.
rm /etc/lkst.d/50-test.conf
apt-get -qq -y purge lkst-tools liblkst0 liblkst-dev babeltrace2-plugin-lkst >purge 2>&1
echo $? >purge-status
find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /root \) -prune -o -iname '*lkst*' -print >left
find /run -iname '*lkst*' >>left
grep -l lkst /proc/[0-9]*/comm >left-processes 2>/dev/null
systemctl status lkstlogd >left-unit 2>&1
systemctl --no-block poweroff
END
# The configuration sets a limit that is high enough for a whole boot, and selects a maskset. It
# also has an invalid line, which must not keep lkstlogd from recording.
cat >"$root/etc/lkst.d/50-test.conf" <<'END'
[lkstlogd]
limit = 64M
maskset = test
buffer-sise = 4M
[maskset test]
from = default
process_exec = on
END

# The buffers hold the events from the beginning of the boot until lkstlogd starts, and the events
# after lkstlogd has exited. The buffers are in memory that survives a reboot.
reserved='memmap=288M$0x20000000 lkst.reserved=288M@0x20000000 lkst.boots=2'
boot_root "$root" 1536M 1500 "lkst.buffer_size=64M $reserved" "$kernel"
is 'the system boots twice and powers off' $? 0
[ -s "$results/active" ] ||
	bail_out "no second boot; the end of the console: $(tail -n 30 "$work/console" | tr -d '\r')"
lacks 'the kernel reports no errors or warnings' "$(cat "$work/console")" 'BUG:|WARNING:|Oops|panic|general protection'

is 'first boot: the service is active' "$(result_of first)" active
is 'second boot: the service is active' "$(result_of active)" active
contains 'the configuration is in force' "$(result_of first-status)" '^log files  *up to 64M for each CPU, 1280M together'
contains 'lkst config: a value of the installed file' "$(result_of first-config)" '^start = yes  *# /etc/lkst\.conf:[0-9]+$'
contains 'lkst config: a value of the drop-in' "$(result_of first-config)" '^maskset = test  *# /etc/lkst\.d/50-test\.conf:3$'
contains 'the configured maskset is in the kernel' "$(result_of first-masksets)" ' test '
contains 'lkst status reports an invalid line' "$(result_of first-status)" '^configuration  */etc/lkst\.d/50-test\.conf:4: unknown key "buffer-sise"; did you mean "buffer-size"'
contains 'the journal reports an invalid line' "$(result_of journal)" '50-test\.conf:4: unknown key "buffer-sise".*left out'
is 'no unit failed' "$(result_of failed)" ''
contains 'lkst status shows the daemon' "$(result_of lkst-status)" 'lkstlogd'
diag "$(tail -n 1 "$results/security")"
exposure=$(tail -n 1 "$results/security" | grep -oE '[0-9]+\.[0-9]+')
ok 'systemd-analyze security: the exposure of the service is below 5' awk -v e="${exposure:-10}" 'BEGIN { exit !(e < 5) }'

contains 'the first boot left a file for each CPU' "$(paste -sd ' ' "$results/first-files")" 'sebuf0\.[0-9]+.*sebuf1\.[0-9]+'
is 'the files are printed without error messages' "$(result_of boot-errors)" ''
is 'the files have events of both CPUs' "$(sed -n '/^CPU  *events/,/^$/s/^\([0-9]*\) .*/\1/p' "$results/summary" | paste -sd ' ')" '0 1'
contains "the log has the first program of pid 1" "$(grep -v '^#' "$results/exec" | head -n 3)" '(init|systemd|swapper)[^ ]*-1 '
diag "$(head -n 4 "$results/exec")"
daemon=$(grep -n -m 1 'process_exec.*lkstlogd' "$results/exec" | cut -d : -f 1)
ok 'the log has programs that started before lkstlogd' test "${daemon:-0}" -gt 20
contains 'the log has the line written to /dev/kmsg' "$(grep oops_printk "$results/boot")" 'line="?mark 4711'
contains 'the log has the programs that end the boot' "$(tail -n 500 "$results/exec")" 'reboot|systemd-shutdown|systemctl'
ok 'the log has more than 10000 events' test "$(grep -vc '^#' "$results/boot")" -gt 10000
diag "$(result_of summary)"
make -s -C "$top/tools/lkst" >"$work/log" 2>&1 || fail 'the tools build' "$(tail "$work/log")"
mapfile -t files < <(sed "s,^,$results/log/," "$results/first-files")
why_agrees 'the log of the first boot' "${files[@]}"
mapfile -t later < <(find "$results/log" -name 'sebuf[01].*' | grep -vxF "$(printf '%s\n' "${files[@]}")" | sort)
why_agrees 'the log of the second boot' "${later[@]}"
why_agrees 'the first boot, saved from memory' "$results"/log/sebufprevious.*
# shellcheck disable=SC2016 # the inner shell expands the variables
ok 'the log is printed in the same way on this machine' sh -c 'out=$1 print=$2; shift 2
	for file; do set -- "$@" -f "$file"; shift; done; TZ=UTC "$print" print "$@" -r | cmp - "$out"' \
	sh "$results/boot" "$top/build/bin/lkstbuf" "${files[@]}"

contains 'saving the first boot from memory is logged' "$(result_of journal)" 'previous boot .* events saved in /var/log/lkst/sebufprevious\.[0-9]+$'
contains 'the report of the first boot is logged' "$(result_of journal)" '^previous boot .*: report in /var/log/lkst/report-sebufprevious\.[0-9]+\.txt$'
contains 'the journal says how the first boot ended' "$(result_of journal)" '^previous boot .*: No panic was recorded: the machine was rebooted'
contains 'the report is complete' "$(result_of report)" '^WHERE THE CPUS WERE$'
contains 'lkst status shows the saved boot' "$(result_of lkst-status)" '^previous boots  1 saved, the latest in '
is 'the saved boot is marked as read' "$(grep -c ' unread ' "$results/previous-list")" 0
contains 'the saved boot has events from after the daemon exited' "$(tail -n 20 "$results/previous-exec")" 'systemd-shutdown'
is 'the saved boot is printed without error messages' "$(grep -v 'argument bytes carry no checksum$' "$results/previous-errors")" ''

purged
is 'purging leaves no process' "$(result_of left-processes)" ''
contains 'purging leaves no unit' "$(result_of left-unit)" 'could not be found'
done_testing
