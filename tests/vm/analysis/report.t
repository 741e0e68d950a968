#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Each row of a table provokes a finding. lkstla report shows only this finding, and shows no
# finding while the system is quiet. report_failures.t provokes failures of the kernel.
# kernel: base
# append: lkst.buffer_size=16M
# timeout: 300
# When a process is killed because memory has run out, the kernel prints a call trace.
# log-allow: Call [Tt]race:$

# shellcheck source=analysis/report.sh
. "$(dirname "$0")/report.sh"

# A delay in ms. The report shows the worst case of each finding, so the delay is longer than those
# that a busy host is likely to cause. A much longer delay would look like a lockup of the CPU.
longest=1000

# --- commands that provoke findings

# Turn off the limit on the CPU time of real-time processes.
hogs() {
	limit=$(cat /proc/sys/kernel/sched_rt_runtime_us)
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	why_load hog - $longest
	echo "$limit" >/proc/sys/kernel/sched_rt_runtime_us
}

fails_often() {
	i=0
	while [ $i -lt 300 ]; do
		[ -e /nothing ]
		i=$((i + 1))
	done
	true
}

crashes() {
	sh -c 'kill -SEGV $$' || true
}

reads() { dd if="$loop" of=/dev/null bs=64k count=16 iflag=direct; }

# The loop device's file is in a file system that is too small for the whole file.
fails_to_write() {
	mkdir -p /tmp/report_small
	mount -t tmpfs -o size=1M none /tmp/report_small || return
	truncate -s 16M /tmp/report_small/disk
	small=$(losetup -f)
	losetup "$small" /tmp/report_small/disk || return
	dd if=/dev/zero of="$small" bs=1M count=8 oflag=direct || true
	losetup -d "$small"
	umount /tmp/report_small
}

# shellcheck disable=SC2154 # rows.sh sets it
renames() {
	files=$(mktemp -d "$here/report.XXXXXX")
	lock_load "$files" 100
	rm -r "$files"
}

runs_out_of_memory() {
	echo 8M >"$cgroup/memory.max"
	sh -c 'echo $$ >"$1/cgroup.procs"; exec tail /dev/zero' sh "$cgroup" || true
}

# shellcheck disable=SC2154 # rows.sh sets it
allocates() { insmod "$modules/allocating.ko"; }

# lacks_support FINDING: return whether this kernel cannot provoke the finding
lacks_support() {
	case $1 in
	irqs-off | softirq-long | irq-busy) [ ! -f "$modules/delaying.ko" ] ;;
	mem-grew) [ ! -f "$modules/allocating.ko" ] ;;
	oom-kill) [ ! -f "$cgroup/memory.max" ] ;;
	cpu-offline) [ ! -f /sys/devices/system/cpu/cpu1/online ] ;;
	*) false ;;
	esac
}

clean_up() {
	[ ! -d /sys/module/delaying ] || rmmod delaying
	[ ! -d /sys/module/allocating ] || rmmod allocating
}

cat >rows <<'END'
quiet :: cpu-wait=10s :: - :: sleep 1
crash :: - :: ^sh-[0-9]+ crashed: killed\(SIGSEGV :: crashes
cpu-wait :: cpu-wait=200ms :: ^.*-[0-9]+ waited [0-9.]+ m?s for CPU 1, (held by|where) hog-[0-9]+ :: hogs
idle-queued :: idle-queued=1% :: ^CPU [02-9] was idle for [0-9.]+ % of the time while threads waited :: why_load share
call-slow :: call-slow=100ms :: ^fifo-rea.*-[0-9]+ slept for [0-9.]+ m?s in open :: why_load fifo - $longest
d-wait :: d-wait=1us :: ^.*-[0-9]+ slept for .*, and signals could not interrupt it :: reads
block-slow :: block-slow=1us :: ^READ of [0-9]+ bytes on loop[0-9]+, sector [0-9]+, took :: reads
io-error :: - :: ^WRITE of [0-9]+ bytes on loop[0-9]+, sector [0-9]+, failed with -E :: fails_to_write
lock-wait :: lock-wait=1us :: waited .* for a lock: .* 0x :: renames
errors :: errors=20 :: failed 3[0-9][0-9] times with -ENOENT, last in  :: fails_often
drops :: drops=3 :: ^[0-9]+ packets were dropped: NO_SOCKET :: net_load
timer-late :: timer-late=1ns :: ^timer [a-z0-9_]+ ran .* late on CPU [0-9]+ :: sleep 0.2
irq-long :: irq-long=1ns :: ^interrupt .* took .* on CPU [0-9]+ :: sleep 0.2
irqs-off :: irqs-off=50ms :: ^interrupts were disabled on CPU 1 for [0-9.]+ m?s while irq-hold-[0-9]+ ran :: why_load irqs "$modules/delaying.ko" $longest
softirq-long :: softirq-long=50ms :: ^softirq .* took [0-9.]+ m?s on CPU 1 :: why_load softirqs "$modules/delaying.ko" $longest
irq-busy :: irq-busy=5% :: ^CPU 1 was in interrupts and softirqs for [0-9.]+ % of the time :: why_load softirqs "$modules/delaying.ko"
mem-grew :: mem-grew=1K :: ^allocating_[a-z]+.* allocated [0-9.]+ KB that were not freed :: allocates
oom-kill :: - :: ^memory ran out: the kernel killed tail-[0-9]+ :: runs_out_of_memory
cpu-offline :: - :: ^CPU 1 went offline :: why_load offline
END

# Linux 7.2 allocates 2 MB for the code of modules when the first module is loaded, and frees this
# memory when the last module is unloaded. Keep a module loaded, so that these 2 MB do not count as
# memory that the row mem-grew has allocated.
keeps=$modules/probed.ko
[ ! -f "$keeps" ] || insmod "$keeps"
make_loop
make_cgroup memory

record class:process,class:interrupt,class:syscall,class:timer,class:block,class:cpu,class:module,class:oops,lock_contention_begin,lock_contention_end,net_drop,mem_oomkill,mem_kmalloc,mem_kfree,mem_vmalloc,mem_vfree
test_rows
losetup -d "$loop"
[ ! -f "$keeps" ] || rmmod probed
lkst start
done_testing
