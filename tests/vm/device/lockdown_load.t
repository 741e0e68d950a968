#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Tests LKST as a module under kernel lockdown and with enforced signatures. If the module is
# already loaded, LKST keeps working as if it were built in (see also lockdown_module.t). An
# unsigned module that has been unloaded cannot be loaded again.
# kernel: base
# form: module headers stock
# append: lkst.buffer_size=2M

. "$(dirname "$0")/../tap.sh"
. ./form.sh

lockdown() { echo "$1" >/sys/kernel/security/lockdown; }

ok 'lockdown can be enabled' lockdown integrity
ok 'integrity: the loaded module works' lkst status
ok 'the module records' test "$(lkstbuf print -n 3 | wc -l)" -ge 3
ok 'the module can be unloaded' rmmod lkst
fails 'the module cannot be loaded again' 1 load_lkst
contains 'the error is a missing permission' "$tap_output" 'Operation not permitted'
contains 'the kernel log says why' "$(dmesg)" 'Lockdown: insmod: unsigned module loading is restricted'
ok 'signatures can be enforced' sh -c 'echo 1 >/sys/module/module/parameters/sig_enforce'
fails 'an unsigned module cannot be loaded' any load_lkst
contains 'the error is a rejected key' "$tap_output" 'Key was rejected by service'
contains 'the kernel log says why' "$(dmesg)" 'Loading of unsigned module is rejected'
fails 'commands report that LKST is missing' 1 lkst status
done_testing
