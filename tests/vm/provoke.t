#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Events that hooks and notifiers make, and others that the oracle does not compare: so many are provoked,
# so many must be recorded. Run as a 64-bit and as a 32-bit program.
# kernel: base debug
# append: lkst.buffer_size=256K

. "$(dirname "$0")/../tap.sh"

{
	./provoke
	./provoke-32 | sed -E 's/^((not )?ok [0-9]+ - )/\132-bit: /'
} | awk '
	/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++count); bad += /^not / }
	/^1\.\./ { ended++; next }
	{ print }
	END { print "1.." count; exit bad > 0 || ended != 2 }'
