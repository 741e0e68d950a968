# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# In the VM of tests/host/death*.t, where LKST runs from here on.

. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit

# record SECONDS: from now on all CPUs record locks, timers and all else, and numbered events
record() {
	insmod /share/death.ko page=$((0x18000000 + 4096 * LKST_VM_BOOT)) || exit
	lkstm set -m 1 || exit
	sleep "$1"
}

# die KIND: as the module knows it
die() {
	echo "$1" >/sys/module/death/parameters/now
	sleep 1000
}
