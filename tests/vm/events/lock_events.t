#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# While every lock operation is recorded, reading a buffer does not overwrite its records, because
# operations on LKST's own locks are not recorded.
# kernel: base
# append: lkst.buffer_size=4M
# form: builtin module

. "$(dirname "$0")/../tap.sh"
here=$(dirname "$0")
# shellcheck source=why/why_agrees.sh
. "$here/why_agrees.sh"

if ! grep -q '^0x080 .* present ' /proc/lkst_etypes; then
	echo '1..0 # SKIP this kernel has no events of spin locks'
	exit 0
fi

lkstm set -n all
# The second argument is a tag, because the buffers may hold marks of other tests.
for try in 1 2 3; do
	lkstlogger -ev user_mark -a1 $try -a2 0x10c4
	is "maskset all: a mark is not overwritten before the buffer is read as text ($try)" "$(lkstbuf read | grep -c 'user_mark.*arg1=0x'$try' arg2=0x10c4 ')" 1
done
lkstbuf print --follow >/dev/null &
reader=$!
sleep 2
kill $reader
lkstlogger -ev user_mark -a1 4 -a2 0x10c4
ok 'lkstbuf read -f' lkstbuf read -f /tmp/locks
lkstm set -n default
why_agrees_if_any /tmp/locks
is 'the mark is in the file' "$(lkstbuf print -f /tmp/locks -e user_mark | grep -c 'arg1=0x4 arg2=0x10c4 ')" 1
ok 'lock operations were recorded' test "$(lkstbuf print -f /tmp/locks -e lock_spin_lock | grep -c caller=)" -gt 100
# Search only events of acquired locks. In an event of a released lock, the caller may be a function
# of LKST that uses no lock: it may have called a kernel function, such as kfree(), that ends with a
# tail call.
lacks 'LKST itself acquired no lock' "$(lkstbuf print -f /tmp/locks -e lock_spin_lock,lock_read_lock,lock_write_lock | grep -o 'caller=lkst_[a-z_]*' | sort | uniq -c)" lkst
done_testing
