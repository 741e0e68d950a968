#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# in_memory.sh ARG...: run "cookbook.t ARG..." from a copy of /share in the memory of the VM, and
# print its output at the end. If the clock of the VM counts instructions, it runs ahead while the VM
# waits for the host. Events of idle CPUs would then fill the buffers.
set -e
mkdir /tmp/share
cp -r /share/. /tmp/share
status=0
/tmp/share/vm/cookbook.t "$@" >/tmp/output 2>&1 || status=$?
cat /tmp/output
[ ! -f /tmp/share/cookbook.rst ] || cp -r /tmp/share/cookbook.rst /tmp/share/updates /share/
exit $status
