#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# A kprobe's breakpoint where most events come through, while everything is recorded, exceptions and locks among
# it: what is recorded of the breakpoint must not hit it again.
# kernel: base debug
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"
. ./form.sh

tracefs=/sys/kernel/tracing
[ -e $tracefs/kprobe_events ] || mount -t tracefs tracefs $tracefs
echo 0 >/proc/sys/debug/kprobes-optimization # a jump is no exception
# Hooks come through the first, and the rest of them, where preemption is counted, through the second; so do
# tracepoints where LKST is a module.
for function in lkst_hook lkst_event lkst_event_nopreempt; do
	! grep -qw "$function" /proc/kallsyms || echo "p:on_the_way_$function $function" >>$tracefs/kprobe_events
done 2>/dev/null
if [ -z "$(cat $tracefs/kprobe_events)" ]; then
	echo '1..0 # SKIP a kernel with the function tracer puts no kprobe where that must not be'
	exit
fi
echo 1 >$tracefs/events/kprobes/enable
hits() { awk '$1 ~ /^on_the/ { n += $2 } END { print n }' $tracefs/kprobe_profile; }

ok "all events" lkstm set -n all
before=$(hits)
for _ in 1 2 3; do /bin/true; done
after=$(hits)
lkst stop
echo 0 >$tracefs/events/kprobes/enable
echo >$tracefs/kprobe_events
echo 1 >/proc/sys/debug/kprobes-optimization

ok "the kprobe was hit" test "$after" -gt $((before + 100))
lkstbuf read -f /tmp/kprobe.lkst
for event in exception_entry exception_exit process_exec; do
	is_present $event || continue
	ok "$event is recorded" test "$(lkstbuf print -f /tmp/kprobe.lkst -e $event | wc -l)" -gt 1
done
lacks "breakpoints of kprobes are not" "$(lkstbuf print -f /tmp/kprobe.lkst -e exception_entry)" 'trap=#BP'
lacks "nobody has complained" "$(dmesg)" 'Unrecoverable kprobe|BUG:|Oops'
lkst start
lkstm set -n default
done_testing
