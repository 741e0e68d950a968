#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/lkst/events.rst matches this kernel. To regenerate the file with the base kernel:
#	scripts/lkst-vm -- cat /proc/lkst_etypes >etypes
#	cd Documentation/lkst && awk -f events.awk ../../etypes events.in >events.rst
# kernel: base
# form: builtin
# arch: x86_64

. "$(dirname "$0")/../tap.sh"
doc=$(cd "$(dirname "$0")" && pwd)/doc

# CPU_IPI_SEND needs a tracepoint that only later kernels have.
later=CPU_IPI_SEND
! grep -q ' __tracepoint_ipi_send_cpu$' /proc/kallsyms || later=''
is 'only events of later kernels are absent' "$(awk '!/^#/ && $5 != "present" { print $2 }' /proc/lkst_etypes)" "$later"
is 'every event has a source' "$(awk '$5 == "present" && $4 == "-"' /proc/lkst_etypes)" ''
ok 'events.awk accepts the table' sh -c "awk -f $doc/events.awk /proc/lkst_etypes $doc/events.in >/tmp/events.rst"
is 'events.awk generates events.rst' "$(diff $doc/events.rst /tmp/events.rst)" ''
done_testing
