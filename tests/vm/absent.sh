# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# An event type that is absent, in any kernel: the sample's, when its module is gone. /share/vm/modules/lkst_sample.ko
# is that.

# shellcheck disable=SC2034 # for who sources this
absent='sample write' absent_mnemonic=SAMPLE_WRITE absent_number=0x100

# It is known from now on.
make_absent() { insmod /share/vm/modules/lkst_sample.ko && rmmod lkst_sample; }
