#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The device's ioctls return the results that sections 4.3 and 4.7.1 of the specification
# describe, both for a 64-bit program and for a 32-bit one.
# kernel: base debug
# append: lkst.buffer_size=16M

. ./form.sh

programs=1
[ ! -x device-32 ] || programs=2
{
	./device "$(clock_here)"
	[ ! -x device-32 ] || ./device-32 "$(clock_here)" | sed -E 's/^((not )?ok [0-9]+ - )/\132-bit: /'
} | awk '
	/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++count); bad += /^not / }
	/^1\.\./ { ended++; next }
	{ print }
	END { print "1.." count; exit bad > 0 || ended != programs }' programs=$programs
