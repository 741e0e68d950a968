# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# For scripts to source: an event type that no kernel has of its own. The sample module
# /share/vm/modules/lkst_sample.ko registers it, and make_absent loads and unloads that module.

# shellcheck disable=SC2034 # the scripts that source this use it
absent='sample write' absent_mnemonic=SAMPLE_WRITE absent_number=0x100

# Load and unload the sample module, so that /proc/lkst_etypes lists the module's event type as
# absent.
make_absent() { insmod /share/vm/modules/lkst_sample.ko && rmmod lkst_sample; }
