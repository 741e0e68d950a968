#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Runs the commands of Documentation/lkst/cookbook.rst. Their output must match the page, as
# commands/examples.sh describes. With --boot, runs the commands of the boot $LKST_VM_BOOT instead,
# and with --icount those for a VM whose clock counts instructions (see
# tests/host/cookbook_boots.t). With --update, writes the page with the new output to cookbook.rst
# in the directory above (see scripts/cookbook).
# kernel: base
# form: builtin module
# arch: x86_64
# append: lkst.buffer_size=8M
# timeout: 300

# shellcheck source=commands/rows.sh
. "$(dirname "$0")/rows.sh"
# shellcheck source=commands/examples.sh
. "$here/examples.sh"

updates=
for arg; do
	case $arg in
	--boot) page_boot=$LKST_VM_BOOT ;;
	--icount) page_boot=icount ;;
	--update) updates=$here/../updates ;;
	esac
done
case $(uname -r) in
6.1.*) ;;
*)
	skip 'the cookbook' 'its output is that of Linux 6.1'
	done_testing
	;;
esac
[ -z "$updates" ] || mkdir -p "$updates"
run_page "$here/doc/cookbook.rst"
[ -z "$updates" ] || UPDATES=$updates steps_rst "$here/doc/cookbook.rst" >"$here/../cookbook.rst"
lkstm set -n default
done_testing
