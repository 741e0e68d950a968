#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# The log of a machine that hangs with interrupts off on all CPUs can be read from its memory, both
# during the hang and after an NMI has made the machine panic. The first machine has so much memory
# that a raw image leaves out the PCI hole.
# suite: all
# timeout: 500
# kernel: base
# modules: yes

. "$(dirname "$0")/death/common.sh"

guest <<'END'
record 3
die hang
END
vm 124 --mem 3584 --timeout 60 --append "$(append)" --dump "elf:$work/elf" --dump "kdump-zlib:$work/kdump"
for file in "$memory" "$work/elf" "$work/kdump"; do
	image_is_whole "a hung guest with 3.5 GB: $(basename "$file")" "$file"
done
above=$(python3 - "$memory" <<'END'
import mmap, struct, sys
with open(sys.argv[1], "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as memory:
    at, num = memory.find(b"LKSTimg\0"), 0
    while at >= 0:
        num += at % 4096 == 0 and struct.unpack_from("<Q", memory, at + 40)[0] == at + (2 << 30)
        at = memory.find(b"LKSTimg\0", at + 1)
print(num)
END
)
ok 'LKST has memory above the PCI hole, where offsets are not addresses' test "$above" -ge 4
rm "$work/elf" "$work/kdump"

vm 126 --mem 448 --timeout 60 --nmi --append "$(append unknown_nmi_panic)" --dump "elf:$work/elf"
image_is_whole 'an NMI made the hung guest panic: raw memory' "$memory"
image_is_whole 'an NMI made the hung guest panic: elf' "$work/elf"
contains 'the panic is in the log' "$("$lkstbuf" print -f "$work/elf" -e oops_panic)" 'oops_panic'
done_testing
