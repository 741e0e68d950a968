#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Tests scripts/apply-to-kernel on a tree that has only the files that the patches touch.
# kernel: base

. "$(dirname "$0")/host.sh"
copy_checkout Kconfig scripts kernel include patches samples Documentation
apply=$work/lkst/scripts/apply-to-kernel

# $pristine is the tree without LKST. It contains only the files that the patches touch. An
# additional patch, 9998-edit.patch, changes kernel/bounds.c, so that the test can later change this
# patch.
pristine=$work/pristine
pristine 6.1 "$pristine"
mkdir "$work/edit"
cp -a "$pristine" "$work/edit/a"
cp -a "$pristine" "$work/edit/b"
sed -i '10i /* an edit */' "$work/edit/b/kernel/bounds.c"
(cd "$work/edit" && diff -u a/kernel/bounds.c b/kernel/bounds.c) >"$work/lkst/patches/6.1/9998-edit.patch"

new_tree() {
	rm -rf "$work/tree"
	cp -a "$pristine" "$work/tree"
}

# Print the path, the mode, the time and the checksum of each file in the tree.
state_of() { (cd "$1" && find . ! -name .lkst ! -path './.lkst/*' -type f -printf '%p %m %T@\n' -exec sha256sum {} + | sort); }

new_tree
ok "a first run succeeds" "$apply" "$work/tree"
ok "LKST's files are in the tree" cmp "$top/kernel/lkst/ring/record.h" "$work/tree/kernel/lkst/ring/record.h"
ok "the x86 headers are in arch/x86" test -f "$work/tree/arch/x86/include/asm/lkst.h"
is "the files that the documents include are in the tree" "$(cd "$work/tree/Documentation/lkst" &&
	sed -n 's#^\.\. literalinclude:: ##p; s#^\.\. kernel-doc:: #../../#p' -- *.rst | sort -u |
		while read -r file; do [ -f "$file" ] && echo there || echo "no $file"; done | sort -u)" there
ok "the patches are applied" grep -q 'an edit' "$work/tree/kernel/bounds.c"

before=$(state_of "$work/tree")
ok "a second run succeeds" "$apply" "$work/tree"
is "a second run changes nothing, not even a time stamp" "$(state_of "$work/tree")" "$before"

echo '/* new */' >>"$work/lkst/kernel/lkst/ring/record.h"
echo 'int gone;' >"$work/lkst/kernel/lkst/gone.c"
"$apply" "$work/tree" 2>/dev/null
ok "a new file is added" test -f "$work/tree/kernel/lkst/gone.c"
ok "a changed file is updated" cmp "$work/lkst/kernel/lkst/ring/record.h" "$work/tree/kernel/lkst/ring/record.h"
stamp=$(stat -c %Y.%y "$work/tree/kernel/bounds.c")
rm "$work/lkst/kernel/lkst/gone.c"
"$apply" "$work/tree" 2>/dev/null
ok "a file that LKST no longer has is removed" test ! -e "$work/tree/kernel/lkst/gone.c"
is "an unchanged file is not written again" "$(stat -c %Y.%y "$work/tree/kernel/bounds.c")" "$stamp"
sed -i 's/an edit/another edit/' "$work/lkst/patches/6.1/9998-edit.patch"
"$apply" "$work/tree" 2>/dev/null
ok "a changed patch replaces the old one" grep -q 'another edit' "$work/tree/kernel/bounds.c"

sed -i '2i // the user was here' "$work/tree/kernel/bounds.c"
ok "a revert succeeds" "$top/scripts/apply-to-kernel" --revert "$work/tree"
is "a user's change of a patched file survives a revert" \
	"$(diff "$pristine/kernel/bounds.c" "$work/tree/kernel/bounds.c")" "1a2
> // the user was here"
sed -i 2d "$work/tree/kernel/bounds.c"
ok "a revert with another checkout restores the tree byte for byte" diff -r "$pristine" "$work/tree"
is "and leaves no additional directory" "$(cd "$work/tree" && find . -type d | sort)" "$(cd "$pristine" && find . -type d | sort)"
ok "a second revert succeeds" "$apply" --revert "$work/tree"

# refused_tree NAME MESSAGE [OPTION]: test that apply-to-kernel refuses the tree with MESSAGE, and
# does not change it
refused_tree() {
	local before
	before=$(state_of "$work/tree")$(ls -A "$work/tree")
	refused "$1" any "$2" "$apply" ${3:+"$3"} "$work/tree"
	is "$1: the tree is untouched" "$(state_of "$work/tree")$(ls -A "$work/tree")" "$before"
}

new_tree
sed -i 's/^VERSION = .*/VERSION = 2/' "$work/tree/Makefile"
refused_tree "an unsupported series is refused" '2\.1.*6\.1'
rm "$work/tree/Makefile"
refused_tree "a directory without a kernel source is refused" 'not a kernel source tree'
fails "a directory that does not exist is refused" any "$apply" "$work/nothing"

new_tree
sed -i '5,20d' "$work/tree/kernel/bounds.c"
refused_tree "a hunk that does not fit is refused" '^\+/\* another edit \*/'
contains "and names the patch" "$tap_output" '9998-edit\.patch'

new_tree
sed -i '9s/.*/xxx/' "$work/tree/kernel/bounds.c"
refused_tree "a hunk whose context differs is refused (no fuzz)" 'kernel/bounds\.c'

new_tree
mkdir -p "$work/tree/kernel/lkst/ring"
echo foreign >"$work/tree/kernel/lkst/ring/record.h"
refused_tree "a foreign file with the name of one of LKST's is refused" 'kernel/lkst/ring/record\.h'

new_tree
"$apply" "$work/tree" 2>/dev/null
echo '/* precious */' >>"$work/tree/kernel/lkst/ring/record.h"
refused_tree "a file of LKST's that was changed in the tree is not overwritten" 'kernel/lkst/ring/record\.h'
refused_tree "a file of LKST's that was changed in the tree is not removed" 'kernel/lkst/ring/record\.h' --revert

# If a run is interrupted between any two steps, the next run completes the work or undoes it.
cp "$work/lkst/kernel/lkst/ring/record.h" "$work/tree/kernel/lkst/ring/record.h"
cp -a "$work/tree/.lkst/written" "$work/tree/.lkst/next"
rm -rf "$work/tree/.lkst/written"
cp "$pristine/kernel/bounds.c" "$work/tree/kernel/bounds.c"
rm "$work/tree/kernel/lkst/ring/record.h"
cp -a "$work/tree" "$work/cut"
ok "an interrupted run can be repeated" "$apply" "$work/tree"
ok "the second run completes it" grep -q 'another edit' "$work/tree/kernel/bounds.c"
ok "an interrupted run can be reverted" "$apply" --revert "$work/cut"
ok "the revert restores the tree" diff -r "$pristine" "$work/cut"

fails "an unknown option is refused" any "$apply" --undo "$work/tree"
fails "a tree is required" any "$apply"
done_testing
