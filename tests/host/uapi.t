#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The headers of the device interface: each can be included alone, nothing in a structure is implicit, and the kernel
# checks what is reserved.

. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
headers=$top/include/uapi/linux
table=$top/kernel/lkst/device.c

for header in "$headers"/lkst*.h; do
	name=$(basename "$header")
	for compiler in 'gcc -x c -std=c99 -pedantic' 'gcc -x c -m32 -std=c11 -pedantic' 'g++ -x c++' 'g++ -x c++ -m32'; do
		# shellcheck disable=SC2086 # words
		ok "$name alone: $compiler: no implicit padding" eval "echo '#include <linux/$name>' |
			$compiler -Wall -Wextra -Wpadded -Werror -fsyntax-only -I'$top/include/uapi' -"
	done
done

# REQUEST STRUCTURE: of each ioctl that takes a structure
requests() {
	cat "$headers"/lkst*.h | sed -n 's/^#define \(LKST_IOC_[A-Z_]*\)[[:blank:]]*_IOW*R*(.*struct \([a-z_]*\))$/\1 \2/p'
}

# Whether the structure has members that are reserved.
has_pad() { cat "$headers"/lkst*.h | sed -n "/^struct $1 {/,/^};/p" | grep -q '[[:blank:]]pad;'; }

# The row of the table in the kernel.
row_of() { sed -n "/LKST_IOCTL($1,/,/),\$\|\.copies/p" "$table"; }

is 'requests are found' "$(requests | grep -c .)" "$(cat "$headers"/lkst*.h | grep -c '^#define LKST_IOC_.*struct ')"
is 'no number is used twice' "$(cat "$headers"/lkst*.h | sed -n 's/^#define LKST_IOC_.*_MAGIC, \(0x[0-9a-f]*\).*/\1/p' | sort | uniq -d)" ''
requests | while read -r request structure; do
	if has_pad "$structure" && [ -n "$(row_of "$request")" ]; then
		row_of "$request" | grep -q 'LKST_PAD(' || echo "$request"
	fi
done >/tmp/uapi.$$
is 'what is reserved is checked, but where the call only writes it' "$(cat /tmp/uapi.$$)" LKST_IOC_TRC_STATUS
rm -f /tmp/uapi.$$
done_testing
