#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# fresh.sh: discard all records, and record the default events, so that a trace begins here. A CPU
# that switches back to a buffer overwrites all records in the buffer.
set -e
lkstm set -n default
lkstbuf create -s 4K >/dev/null
lkstbuf jump -b 1 >/dev/null
lkstbuf jump -b 0 >/dev/null
lkstbuf delete -b 1 >/dev/null
lkst dump >/dev/null
