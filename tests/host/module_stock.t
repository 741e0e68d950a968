#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module for Debian's own kernel builds without a warning, records on that kernel, and can be
# unloaded. scripts/check --form stock runs all tests in the VM with such a module.
# timeout: 600

. "$(dirname "$0")/host.sh"
# shellcheck source=../../scripts/common.sh
prog=module_stock.t . "$top/scripts/common.sh"
set +e

"$top/scripts/deps" tools vm stock || bail_out 'packages are missing'
stock=$("$top/scripts/stock-kernel" 2>"$work/log") || bail_out "no kernel of Debian's: $(tail -n 3 "$work/log")"
build_tools

# Build the module in the way that module.rst describes for another machine.
"$top/scripts/module-source" "$work/module" || bail_out 'no sources'
ok 'the module builds' make -C "$stock/headers" M="$work/module" W=1 modules
is 'without a warning' "$(grep -i 'warning' <<<"$tap_said" | grep kernel/lkst)" ''
module=$work/module/kernel/lkst/lkst.ko

mkdir -p "$work/share/vm"
cp "$module" "$top/tests/tap.sh" "$work/share/"
cp "$top/tests/vm/events/sources_stock.t" "$work/share/vm/"
out=$("$top/scripts/lkst-vm" --take-turns --kernel "$stock/vmlinuz" --modules "$stock/modules" --share "$work/share" \
	--log "$work/kernel.log" -- sh -ec '
		insmod /share/lkst.ko buffer_size=1M
		lkst status
		lkstbuf print -e process_fork -n 3
		sh /share/vm/sources_stock.t | sed "s/^/sources: /"
		rmmod lkst
		[ ! -e /dev/lkst ]
		insmod /share/lkst.ko maskset=nothing
		grep -c . /proc/lkst_etypes
		rmmod lkst
		echo gone' 2>&1)
is 'the module is loaded and unloaded twice' "$?" 0
contains 'the module records' "$out" '^[0-9.:, +-]+.* process_fork '
lacks 'events have the sources that module.rst says' "$out" '^sources: not ok'
contains 'the sources of events were checked' "$out" '^sources: 1\.\.[1-9]'
contains 'unloading the module leaves nothing' "$out" '^gone$'
contains 'the kernel log has the start of LKST' "$(cat "$work/kernel.log")" 'lkst: tracing'
lacks 'the kernel log has no errors or warnings' "$(cat "$work/kernel.log")" "$kernel_trouble"
done_testing
