#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/lkst/events.rst says what this kernel has. To make it anew, on a VM of the base kernel:
#	scripts/lkst-vm -- cat /proc/lkst_etypes >etypes
#	cd Documentation/lkst && awk -f events.awk ../../etypes events.in >events.rst
# kernel: base
# form: builtin module
# arch: x86_64

. "$(dirname "$0")/../tap.sh"
doc=$(cd "$(dirname "$0")" && pwd)/doc

# An event that not each kernel has a tracepoint for.
later=CPU_IPI_SEND
! grep -q ' __tracepoint_ipi_send_cpu$' /proc/kallsyms || later=''
is 'absent are only events of later kernels' "$(awk '!/^#/ && $5 != "present" { print $2 }' /proc/lkst_etypes)" "$later"
is 'each event has a source' "$(awk '$5 == "present" && $4 == "-"' /proc/lkst_etypes)" ''
ok 'events.awk takes the table' sh -c "awk -f $doc/events.awk /proc/lkst_etypes $doc/events.in >/tmp/events.rst"
is 'events.rst is made from it' "$(diff $doc/events.rst /tmp/events.rst)" ''
done_testing
