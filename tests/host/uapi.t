#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Each header of the device interface can be included alone, no structure has implicit padding, and
# the kernel checks reserved members.

. "$(dirname "$0")/host.sh"
headers=$top/include/uapi/linux
table=$top/kernel/lkst/device/device.c

for header in "$headers"/lkst*.h; do
	name=$(basename "$header")
	for compiler in 'gcc -x c -std=c99 -pedantic' 'gcc -x c -m32 -std=c11 -pedantic' 'g++ -x c++' 'g++ -x c++ -m32'; do
		# shellcheck disable=SC2086 # unquoted, to split it into words
		ok "$name alone: $compiler: no implicit padding" eval "echo '#include <linux/$name>' |
			$compiler -Wall -Wextra -Wpadded -Werror -fsyntax-only -I'$top/include/uapi' -"
	done
done

# Print "REQUEST STRUCTURE" for each ioctl that takes a structure.
requests() {
	cat "$headers"/lkst*.h | sed -n 's/^#define \(LKST_IOC_[A-Z_]*\)[[:blank:]]*_IOW*R*(.*struct \([a-z_]*\))$/\1 \2/p'
}

# has_pad STRUCTURE: whether the structure has reserved members, which are called pad
has_pad() { cat "$headers"/lkst*.h | sed -n "/^struct $1 {/,/^};/p" | grep -q '[[:blank:]]pad;'; }

# row_of REQUEST: print the row of the request in the kernel's table of ioctls
row_of() { sed -n "/LKST_IOCTL($1,/,/),\$\|\.copies/p" "$table"; }

is 'all requests are found' "$(requests | grep -c .)" "$(cat "$headers"/lkst*.h | grep -c '^#define LKST_IOC_.*struct ')"
is 'no number of a request is used twice' "$(cat "$headers"/lkst*.h | sed -n 's/^#define LKST_IOC_.*_MAGIC, \(0x[0-9a-f]*\).*/\1/p' | sort | uniq -d)" ''
requests | while read -r request structure; do
	if has_pad "$structure" && [ -n "$(row_of "$request")" ]; then
		row_of "$request" | grep -q 'LKST_PAD(' || echo "$request"
	fi
done >"$work/unchecked"
is 'the kernel checks reserved members, except where it only writes them' "$(cat "$work/unchecked")" LKST_IOC_TRC_STATUS
done_testing
