# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# Sourced by scripts: the names and number of an event type that only a module registers, namely the
# sample module /share/vm/modules/lkst_sample.ko.

# shellcheck disable=SC2034 # the scripts that source this file use the variables
absent='sample write' absent_mnemonic=SAMPLE_WRITE absent_number=0x100

# Load and unload the sample module, so that /proc/lkst_etypes lists the module's event type as
# absent.
make_absent() { insmod /share/vm/modules/lkst_sample.ko && rmmod lkst_sample; }
