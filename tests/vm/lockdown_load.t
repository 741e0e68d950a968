#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Kernel lockdown, enforced signatures, and LKST as a module: one that is loaded goes on as if it were built in, as
# lockdown_module.t shows, too; one that nobody has signed is not loaded any more.
# kernel: base
# form: module headers stock
# append: lkst.buffer_size=2M

. "$(dirname "$0")/../tap.sh"
. ./form.sh

lockdown() { echo "$1" >/sys/kernel/security/lockdown; }

ok 'there is lockdown' lockdown integrity
ok 'integrity: what is loaded works' lkst status
ok 'and records' test "$(lkstbuf print -n 3 | wc -l)" -ge 3
ok 'and can be unloaded' rmmod lkst
fails 'but not loaded' 1 load_lkst
contains 'which is not permitted' "$tap_output" 'Operation not permitted'
contains 'and the kernel says why' "$(dmesg)" 'Lockdown: insmod: unsigned module loading is restricted'
ok 'signatures are enforced' sh -c 'echo 1 >/sys/module/module/parameters/sig_enforce'
fails 'it is not loaded either' any load_lkst
contains 'for its key' "$tap_output" 'Key was rejected by service'
contains 'and the kernel says so' "$(dmesg)" 'Loading of unsigned module is rejected'
fails 'commands say that there is no LKST' 1 lkst status
done_testing
