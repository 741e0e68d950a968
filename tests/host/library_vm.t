#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# samples/liblkst/follow, built against the installed library, prints events in a VM as they happen,
# and exits when interrupted.
# kernel: base

. "$(dirname "$0")/host.sh"

{ make -s -C "$top/tools/lkst" && make -s -C "$top/tools/lkst" install-lib DESTDIR="$work/dest" prefix=/usr; } >"$work/log" 2>&1 ||
	bail_out "the library: $(tail "$work/log")"
cp -r "$top/samples/liblkst" "$work/examples"
make -s -C "$work/examples" clean
PKG_CONFIG_PATH=$work/dest/usr/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$work/dest make -s -C "$work/examples" >"$work/log" 2>&1 ||
	bail_out "the examples: $(tail "$work/log")"
mkdir "$work/share"
cp "$work/examples/follow" "$work/examples/histogram" "$work/dest/usr/lib/liblkst.so.0" "$work/share/"
# The VM may lack libraries that liblkst.so needs and the commands do not.
ldd "$work/dest/usr/lib/liblkst.so.0" | sed -n 's/.*libz\(std\)\{0,1\}\.so.* => \(.*\) (.*/\2/p' |
	xargs -r cp -L -t "$work/share"

cat >"$work/share/script" <<'END'
#!/bin/sh
export LD_LIBRARY_PATH=/share TZ=UTC
cd /share || exit
./follow process_exec 'class:syscall,!system_call_exit' >events 2>errors &
follow=$!
for i in $(seq 200); do
	sleep 0.5
	ls /share >/dev/null
	[ "$(grep -c 'process_exec' events)" -lt 3 ] || break
done
kill -INT $follow
wait $follow
echo $? >status
./follow nonsense_of_an_event >/dev/null 2>bad
echo $? >bad-status
lkstbuf read -f trace && ./histogram trace >histogram-out 2>&1
setpriv --bounding-set=-all --inh-caps=-all --reuid 1000 --regid 1000 --clear-groups ./follow 2>user
echo $? >user-status
exit 0
END
chmod +x "$work/share/script"
"$top/scripts/lkst-vm" --take-turns --share "$work/share" -- /share/script >"$work/log" 2>&1 || bail_out "in a VM: $(cat "$work/log")"

out=$(cat "$work/share/events")
contains 'events are printed in the format of lkstbuf print' "$out" \
	'^[0-9:]{8}\.[0-9]{9} \[00[01]\] [^ ]+ +... process_exec +thread=(ls|busybox|sleep).* path=.*(ls|sleep)'
contains 'words select events: system calls' "$out" ' system_call_entry '
lacks 'excluded events are not printed' "$out" ' system_call_exit '
lacks 'events that no word selects are not printed' "$out" ' process_contextswitch '
is 'interrupted: success' "$(cat "$work/share/status")" 0
is 'no error messages' "$(grep -v 'events were lost' "$work/share/errors")" ''
# Check that the events of each CPU are in order of time. The time of day starts over at midnight.
# shellcheck disable=SC2317 # ok calls it
in_order() {
	awk '!/^[0-9]/ { next }
		$1 < last[$2] && !(last[$2] > "23:50" && $1 < "00:10") { exit 1 }
		{ last[$2] = $1 }' "$work/share/events"
}
ok 'the events of each CPU are in the order of time' in_order
is 'a word that matches no event: failure' "$(cat "$work/share/bad-status")" 1
contains 'a word that matches no event: the message names it' "$(cat "$work/share/bad")" 'follow: .*nonsense_of_an_event'
ok 'histogram shows the durations of system calls in the VM' test "$(grep -cE '^ *[0-9]+ (ns|us|ms|s) +[0-9]+ #' "$work/share/histogram-out")" -gt 2
why_agrees 'the trace' "$work/share/trace"
is 'without the capability: failure' "$(cat "$work/share/user-status")" 1
contains 'without the capability: the message gives the reason' "$(cat "$work/share/user")" 'CAP_SYS_ADMIN|[Pp]ermission'
done_testing
