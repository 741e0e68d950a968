#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module for Debian's own kernel: it builds without a warning, records on that kernel, and goes again.
# The tests of the VM all run so with scripts/check --form stock.
# timeout: 600

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source=../../scripts/common.sh
prog=module_stock.t . "$top/scripts/common.sh"
set +e

"$top/scripts/deps" tools vm stock || bail_out 'packages are missing'
stock=$("$top/scripts/stock-kernel" 2>"$work/log") || bail_out "no kernel of Debian's: $(tail -n 3 "$work/log")"
make -s -C "$top" tools >"$work/log" 2>&1 || bail_out "the tools do not build: $(tail "$work/log")"

# As module.rst says for another machine.
"$top/scripts/module-source" "$work/module" || bail_out 'no sources'
ok 'the module builds' make -C "$stock/headers" M="$work/module" W=1 modules
is 'without a warning' "$(grep -i 'warning' <<<"$tap_said" | grep kernel/lkst)" ''
module=$work/module/kernel/lkst/lkst.ko

mkdir -p "$work/share/vm"
cp "$module" "$top/tests/tap.sh" "$work/share/"
cp "$top/tests/vm/sources_stock.t" "$work/share/vm/"
cat >"$work/share/run" <<'END'
set -e
insmod /share/lkst.ko buffer_size=1M
lkst status
lkstbuf print -e process_fork -n 3
sh /share/vm/sources_stock.t | sed 's/^/sources: /'
rmmod lkst
[ ! -e /dev/lkst ]
insmod /share/lkst.ko maskset=nothing
grep -c . /proc/lkst_etypes
rmmod lkst
echo gone
END
out=$("$top/scripts/lkst-vm" --take-turns --kernel "$stock/vmlinuz" --modules "$stock/modules" --share "$work/share" \
	--log "$work/kernel.log" -- sh /share/run 2>&1)
is 'loaded into it, twice, and unloaded' "$?" 0
contains 'it records' "$out" '^[0-9.:, +-]+.* process_fork '
lacks 'events have the sources that module.rst says' "$out" '^sources: not ok'
contains 'all were looked at' "$out" '^sources: 1\.\.[1-9]'
contains 'nothing is left' "$out" '^gone$'
contains 'the kernel has had it' "$(cat "$work/kernel.log")" 'lkst: tracing'
lacks 'the kernel complains of nothing' "$(cat "$work/kernel.log")" "$kernel_trouble"
done_testing
