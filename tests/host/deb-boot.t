#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A Debian system with the packages boots under QEMU: lkstlogd logs the boot from its beginning, the log is read after
# a reboot, what the boot has left in memory is in a file, and purging the packages of the running system leaves nothing.
# suite: all
# timeout: 1800
# kernel: base

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
. "$top/tests/host/debroot.sh"
. "$top/tests/host/debboot.sh"
root=$work/root results=$work/results

. "$(dirname "$0")/kernel.sh"
kernel_of base
kernel=$image
mapfile -t packages < <("$top/scripts/build-deb" 2>"$work/log" | grep -v /lkst-dkms_)
[ ${#packages[@]} -eq 3 ] || bail_out "make deb: $(tail -n 30 "$work/log")"
{ debian_root "$root" "${packages[@]}" && install_packages "$root" "${packages[@]}"; } >"$work/log" 2>&1 ||
	bail_out "a Debian root: $(tail "$work/log")"

# What runs in it: at the first boot a reboot, at the second the questions, then power off.
tell_story "$root" <<'END'
#!/bin/sh
mkdir -p /root/results
cd /root/results || exit
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
until lkst status | grep -q '^previous boots' || [ $seconds -eq 300 ]; do
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
journalctl -u lkstlogd -o cat --no-pager >journal
lkstbuf previous >previous-list
DEBIAN_FRONTEND=noninteractive apt-get -qq -y purge lkst-tools liblkst0 liblkst-dev >purge 2>&1
echo $? >purge-status
find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /root \) -prune -o -iname '*lkst*' -print >left
find /run -iname '*lkst*' >>left
grep -l lkst /proc/[0-9]*/comm >left-processes 2>/dev/null
systemctl status lkstlogd >left-unit 2>&1
systemctl --no-block poweroff
END
# Files that hold a whole boot, of a maskset that is chosen; and a line that is wrong, which keeps nobody from it.
cat >"$root/etc/lkst.d/50-test.conf" <<'END'
[lkstlogd]
limit = 64M
maskset = test
buffer-sise = 4M
[maskset test]
from = default
process_exec = on
END

# The buffers hold the events from the boot's beginning until lkstlogd comes. All of them are in memory that outlives
# the reboot, and so is what came when the daemon had ended.
reserved='memmap=288M$0x20000000 lkst.reserved=288M@0x20000000 lkst.boots=2'
boot_root "$root" 1536M 1500 "lkst.buffer_size=64M $reserved" "$kernel"
is 'the system boots, boots again and goes off' $? 0
[ -s "$results/active" ] ||
	bail_out "no second boot; the end of the console: $(tail -n 30 "$work/console" | tr -d '\r')"
lacks 'the kernel had nothing to say' "$(cat "$work/console")" 'BUG:|WARNING:|Oops|panic|general protection'

is 'first boot: the service is active' "$(cat "$results/first")" active
is 'second boot: the service is active' "$(cat "$results/active")" active
contains 'the configuration is in force' "$(cat "$results/first-status")" '^log files  *up to 64M for each CPU, 1280M together'
contains 'lkst config: what the installed file says' "$(cat "$results/first-config")" '^start = yes  *# /etc/lkst\.conf:[0-9]+$'
contains 'lkst config: what the drop-in says' "$(cat "$results/first-config")" '^maskset = test  *# /etc/lkst\.d/50-test\.conf:3$'
contains 'its maskset is in the kernel' "$(cat "$results/first-masksets")" ' test '
contains 'a line that is wrong: lkst status' "$(cat "$results/first-status")" '^configuration  */etc/lkst\.d/50-test\.conf:4: unknown key "buffer-sise"; did you mean "buffer-size"'
contains 'a line that is wrong: the journal' "$(cat "$results/journal")" '50-test\.conf:4: unknown key "buffer-sise".*left out'
is 'no unit failed' "$(cat "$results/failed")" ''
contains 'lkst status shows the daemon' "$(cat "$results/lkst-status")" 'lkstlogd'
diag "$(tail -n 1 "$results/security")"
exposure=$(tail -n 1 "$results/security" | grep -oE '[0-9]+\.[0-9]+')
ok 'systemd finds little that the service could do without: below 5' awk -v e="${exposure:-10}" 'BEGIN { exit !(e < 5) }'

contains 'the first boot left a file for each CPU' "$(paste -sd ' ' "$results/first-files")" 'sebuf0\.[0-9]+.*sebuf1\.[0-9]+'
is 'they are read without a complaint' "$(cat "$results/boot-errors")" ''
is 'all CPUs are in them' "$(sed -n '/^CPU  *events/,/^$/s/^\([0-9]*\) .*/\1/p' "$results/summary" | paste -sd ' ')" '0 1'
contains "the log has the first program of all: pid 1's" "$(grep -v '^#' "$results/exec" | head -n 3)" '(init|systemd|swapper)[^ ]*-1 '
diag "$(head -n 4 "$results/exec")"
daemon=$(grep -n -m 1 'process_exec.*lkstlogd' "$results/exec" | cut -d : -f 1)
ok 'programs from before lkstlogd started are there' test "${daemon:-0}" -gt 20
contains 'it is there itself' "$(cat "$results/exec")" 'process_exec.*lkstlogd'
contains 'what the kernel was told then is there' "$(grep oops_printk "$results/boot")" 'line="?mark 4711'
contains 'and what came after, up to the end' "$(tail -n 500 "$results/exec")" 'reboot|systemd-shutdown|systemctl'
ok 'it is the log of a whole boot' test "$(grep -vc '^#' "$results/boot")" -gt 10000
diag "$(cat "$results/summary")"
make -s -C "$top/tools/lkst" >"$work/log" 2>&1 || fail 'the tools build' "$(tail "$work/log")"
mapfile -t files < <(sed "s,^,$results/log/," "$results/first-files")
# shellcheck disable=SC2016 # that shell expands it
ok 'this machine prints the same' sh -c 'out=$1 print=$2; shift 2
	for file; do set -- "$@" -f "$file"; shift; done; TZ=UTC "$print" print "$@" -r | cmp - "$out"' \
	sh "$results/boot" "$top/tools/lkst/lkstbuf" "${files[@]}"

contains 'the first boot was saved from memory, too: said' "$(cat "$results/journal")" 'previous boot .* events saved in /var/log/lkst/sebufprevious\.[0-9]+$'
contains 'lkst status tells it' "$(cat "$results/lkst-status")" '^previous boots  1 saved, the latest in '
is 'it is marked as read' "$(grep -c ' unread ' "$results/previous-list")" 0
contains 'it has the end, which no log has: after the daemon ended' "$(tail -n 20 "$results/previous-exec")" 'systemd-shutdown'
is 'it is read without a complaint' "$(grep -v 'argument bytes carry no checksum$' "$results/previous-errors")" ''

is 'purging works while the service runs' "$(cat "$results/purge-status")" 0
is 'and leaves no file' "$(cat "$results/left")" ''
is 'no process' "$(cat "$results/left-processes")" ''
contains 'no unit' "$(cat "$results/left-unit")" 'could not be found'
done_testing
