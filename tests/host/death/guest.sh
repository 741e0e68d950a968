# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Runs in the VM of tests/host/death*.t.

. /share/form.sh
[ ! -f /share/lkst.ko ] || load_lkst || exit

# record SECONDS: make all CPUs record numbered events from now on, as well as events of locks, of
# timers and of all other types. Return after SECONDS seconds.
record() {
	insmod /share/death.ko page=$((0x18000000 + 4096 * LKST_VM_BOOT)) || exit
	lkstm set -m 1 || exit
	sleep "$1"
}

# die KIND: kill the kernel with the module "death", which defines the kinds of death
die() {
	echo "$1" >/sys/module/death/parameters/now
	sleep 1000
}
