#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Put kprobes into LKST's main functions for recording while LKST records all events, including
# exceptions and locks. When a kprobe's breakpoint causes an exception, recording that exception
# must not hit the kprobe again.
# kernel: base
# kernel-all: base debug
# append: lkst.buffer_size=4M

. "$(dirname "$0")/../tap.sh"
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"
. ./form.sh

tracefs=/sys/kernel/tracing
[ -e $tracefs/kprobe_events ] || mount -t tracefs tracefs $tracefs
echo 0 >/proc/sys/debug/kprobes-optimization # an optimized kprobe is a jump and causes no exception
# Functions that record an event. Which of them exist depends on the form of LKST (see
# scripts/check), and on whether the kernel counts preemption.
for function in lkst_hook lkst_event lkst_event_nopreempt; do
	! grep -qw "$function" /proc/kallsyms || echo "p:on_the_way_$function $function" >>$tracefs/kprobe_events
done 2>/dev/null
if [ -z "$(cat $tracefs/kprobe_events)" ]; then
	echo '1..0 # SKIP this kernel accepts no kprobe in these functions'
	exit
fi
echo 1 >$tracefs/events/kprobes/enable
hits() { awk '$1 ~ /^on_the/ { n += $2 } END { print n }' $tracefs/kprobe_profile; }

ok "all events are selected" lkstm set -n all
before=$(hits)
for _ in 1 2 3; do /bin/true; done
after=$(hits)
lkst stop
echo 0 >$tracefs/events/kprobes/enable
echo >$tracefs/kprobe_events
echo 1 >/proc/sys/debug/kprobes-optimization

ok "the kprobe has been hit" test "$after" -gt $((before + 100))
lkstbuf read -f /tmp/kprobe.lkst
for event in exception_entry exception_exit process_exec; do
	is_present $event || continue
	ok "$event is recorded" test "$(lkstbuf print -f /tmp/kprobe.lkst -e $event | wc -l)" -gt 1
done
lacks "breakpoints of kprobes are not recorded" "$(lkstbuf print -f /tmp/kprobe.lkst -e exception_entry)" 'trap=#BP'
lacks "the kernel has logged no error" "$(dmesg)" 'Unrecoverable kprobe|BUG:|Oops'
lkst start
lkstm set -n default
why_agrees_if_any /tmp/kprobe.lkst
done_testing
