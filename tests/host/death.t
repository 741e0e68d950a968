#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0
# After a panic while all CPUs are recording, the log can be read from an image of the machine's
# memory, however the image was made. Nothing but the image is needed.
# timeout: 240
# kernel: base
# modules: yes
# form: builtin module headers stock

. "$(dirname "$0")/death/common.sh"

guest <<'END'
record 2
die lock
END
vm 126 --mem "$(mem 448)" --append "$(append)" --dump "elf:$work/elf" --dump "kdump-zlib:$work/kdump"

image_is_whole 'raw memory' "$memory"
mv "$work/records" "$work/raw.records"
"$lkstbuf" print -r -f "$memory" >"$work/raw.text"
for form in elf kdump; do
	image_is_whole "QEMU's dump-guest-memory, $form" "$work/$form"
	ok "$form: the same records" cmp "$work/raw.records" "$work/records"
	"$lkstbuf" print -r -f "$work/$form" >"$work/$form.text"
	ok "$form: the same text" cmp "$work/raw.text" "$work/$form.text"
done

text=$(cat "$work/raw.text")
kernel_symbols 'raw memory' "$text"
module_symbols 'raw memory' "$text"
contains 'processes have names' "$text" ' death/1-[0-9]+ .* death +number='
contains 'events of modules are decoded' "$text" ' death +number=0x1'
contains 'the panic is recorded' "$text" ' oops_panic +message=.*death: with a lock held'
contains 'a message says that argument bytes carry no checksum' "$(cat "$work/records.errors")" 'argument bytes carry no checksum'

found=$("$lkstbuf" find "$memory" 2>&1)
is 'lkstbuf find: success' $? 0
contains 'lkstbuf find: the kernel' "$found" "$(strings "$work/log" | sed -n 's/^Linux version \([^ ]*\) .*/\1/p' | head -n 1)"
"$lkstbuf" find "$work/kernel" >"$work/out" 2>&1
is 'a file without LKST data: failure' $? 1
done_testing
