#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# /dev/lkst_user_events follows the rules of the kernel's user_events, for a 64-bit program and for a
# 32-bit one.
# kernel: base debug
# append: lkst.buffer_size=12M

# Only on x86 are the tests also built for 32 bits.
programs=1
[ "$(uname -m)" != x86_64 ] || programs=2
{
	./abi
	[ $programs -eq 1 ] || ./abi-32 | sed -E 's/^((not )?ok [0-9]+ - )/\132-bit: /'
} | awk '
	/^(not )?ok / { sub(/ok [0-9]+/, "ok " ++count); bad += /^not / }
	/^1\.\./ { ended++; next }
	{ print }
	END { print "1.." count; exit bad > 0 || ended != programs }' programs=$programs
