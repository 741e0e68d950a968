#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Documentation/lkst/events.rst says what this kernel has. To make it anew, on a VM of the base kernel:
#	scripts/lkst-vm -- cat /proc/lkst_etypes >etypes
#	cd Documentation/lkst && awk -f events.awk ../../etypes events.in >events.rst
# kernel: base

. "$(dirname "$0")/../tap.sh"
doc=$(cd "$(dirname "$0")" && pwd)/doc

is 'absent are only events of later kernels' \
	"$(awk '!/^#/ && $5 != "present" { print $2 }' /proc/lkst_etypes)" CPU_IPI_SEND
is 'each event has a source' "$(awk '$5 == "present" && $4 == "-"' /proc/lkst_etypes)" ''
ok 'events.awk takes the table' sh -c "awk -f $doc/events.awk /proc/lkst_etypes $doc/events.in >/tmp/events.rst"
is 'events.rst is made from it' "$(diff $doc/events.rst /tmp/events.rst)" ''
done_testing
