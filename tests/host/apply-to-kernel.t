#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/apply-to-kernel on a tree that holds just the files which the patches touch.
# kernel: base

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lkst
source=$(find "$cache/source" -maxdepth 1 -name 'linux-6.1-*' | sort -V | tail -n 1)
[ -n "$source" ] || bail_out "no kernel source in $cache/source; run scripts/build-kernel first"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# A checkout of our own, to change things in.
mkdir "$work/lkst"
for dir in scripts kernel include patches samples Documentation; do
	[ ! -d "$top/$dir" ] || cp -a "$top/$dir" "$work/lkst/"
done
apply=$work/lkst/scripts/apply-to-kernel

# The tree as the distribution has it; an edit of a file that LKST's patches leave alone makes a patch of its own.
pristine=$work/pristine
touched=$(sed -n 's#^--- a/\([^	]*\).*#\1#p' "$top"/patches/6.1/*.patch | sort -u)
for path in Makefile Kconfig kernel/Kconfig.hz kernel/bounds.c $touched; do
	mkdir -p "$(dirname "$pristine/$path")"
	if [ -e "$source/.lkst/orig/$path" ]; then
		cp "$source/.lkst/orig/$path" "$pristine/$path"
	else
		cp "$source/$path" "$pristine/$path"
	fi
done
mkdir "$work/edit"
cp -a "$pristine" "$work/edit/a"
cp -a "$pristine" "$work/edit/b"
sed -i '10i /* an edit */' "$work/edit/b/kernel/bounds.c"
(cd "$work/edit" && diff -u a/kernel/bounds.c b/kernel/bounds.c) >"$work/lkst/patches/6.1/9998-edit.patch"

new_tree() {
	rm -rf "$work/tree"
	cp -a "$pristine" "$work/tree"
}

# Content, mode and time of everything in the tree.
state_of() { (cd "$1" && find . ! -name .lkst ! -path './.lkst/*' -type f -printf '%p %m %T@\n' -exec sha256sum {} + | sort); }

new_tree
ok "applies" "$apply" "$work/tree"
ok "LKST's files are there" cmp "$top/kernel/lkst/record.h" "$work/tree/kernel/lkst/record.h"
ok "the x86 headers are where x86 looks" test -f "$work/tree/arch/x86/include/asm/lkst.h"
is "the texts that Kconfig speaks of are there, with all that they include" "$(cd "$work/tree/Documentation/lkst" &&
	sed -n 's#^\.\. literalinclude:: ##p; s#^\.\. kernel-doc:: #../../#p' -- *.rst | sort -u |
		while read -r file; do [ -f "$file" ] && echo there || echo "no $file"; done | sort -u)" there
ok "patches are applied" grep -q 'an edit' "$work/tree/kernel/bounds.c"

before=$(state_of "$work/tree")
ok "applies again" "$apply" "$work/tree"
is "the second time changes nothing, not even a time stamp" "$(state_of "$work/tree")" "$before"

echo '/* new */' >>"$work/lkst/kernel/lkst/record.h"
echo 'int gone;' >"$work/lkst/kernel/lkst/gone.c"
"$apply" "$work/tree" 2>/dev/null
ok "a new file arrives" test -f "$work/tree/kernel/lkst/gone.c"
ok "a changed file arrives" cmp "$work/lkst/kernel/lkst/record.h" "$work/tree/kernel/lkst/record.h"
stamp=$(stat -c %Y.%y "$work/tree/kernel/bounds.c")
rm "$work/lkst/kernel/lkst/gone.c"
"$apply" "$work/tree" 2>/dev/null
ok "a file that LKST no longer has goes" test ! -e "$work/tree/kernel/lkst/gone.c"
is "what has not changed is not written again" "$(stat -c %Y.%y "$work/tree/kernel/bounds.c")" "$stamp"
sed -i 's/an edit/another edit/' "$work/lkst/patches/6.1/9998-edit.patch"
"$apply" "$work/tree" 2>/dev/null
ok "a changed patch replaces the old one" grep -q 'another edit' "$work/tree/kernel/bounds.c"

sed -i '2i // the user was here' "$work/tree/kernel/bounds.c"
ok "reverts" "$top/scripts/apply-to-kernel" --revert "$work/tree"
is "a user's change of a patched file outlives a revert" \
	"$(diff "$pristine/kernel/bounds.c" "$work/tree/kernel/bounds.c")" "1a2
> // the user was here"
sed -i 2d "$work/tree/kernel/bounds.c"
ok "after it the tree is byte for byte what it was, also with another checkout" diff -r "$pristine" "$work/tree"
is "and has no directory more" "$(cd "$work/tree" && find . -type d | sort)" "$(cd "$pristine" && find . -type d | sort)"
ok "a second revert is no error" "$apply" --revert "$work/tree"

# What cannot be patched stays as it is.
untouched() { is "$1: the tree is untouched" "$(state_of "$work/tree")$(ls -A "$work/tree")" "$before"; }
remember() { before=$(state_of "$work/tree")$(ls -A "$work/tree"); }

new_tree
sed -i 's/^VERSION = .*/VERSION = 2/' "$work/tree/Makefile"
remember
fails "another series is refused" any "$apply" "$work/tree"
contains "the message names the series, and those that work" "$tap_output" '2\.1.*6\.1'
untouched "another series"

rm "$work/tree/Makefile"
fails "what is no kernel tree is refused" any "$apply" "$work/tree"
contains "and called that" "$tap_output" 'no kernel source tree'
fails "a directory that does not exist is refused" any "$apply" "$work/nothing"

new_tree
sed -i '5,20d' "$work/tree/kernel/bounds.c"
remember
fails "a hunk that does not fit is refused" any "$apply" "$work/tree"
contains "the message shows the hunk" "$tap_output" '^\+/\* another edit \*/'
contains "and the patch" "$tap_output" '9998-edit\.patch'
untouched "a hunk that does not fit"

new_tree
sed -i '9s/.*/xxx/' "$work/tree/kernel/bounds.c"
remember
fails "a hunk whose context differs is refused (no fuzz)" any "$apply" "$work/tree"
untouched "context that differs"

new_tree
mkdir -p "$work/tree/kernel/lkst"
echo foreign >"$work/tree/kernel/lkst/record.h"
remember
fails "a foreign file in the place of one of LKST's is refused" any "$apply" "$work/tree"
contains "the message names it" "$tap_output" 'kernel/lkst/record\.h'
untouched "foreign file"

new_tree
"$apply" "$work/tree" 2>/dev/null
echo '/* precious */' >>"$work/tree/kernel/lkst/record.h"
remember
fails "a file of LKST's that was changed in the tree is not overwritten" any "$apply" "$work/tree"
untouched "changed file"
fails "nor removed" any "$apply" --revert "$work/tree"
untouched "changed file, revert"

# Cut off between any two steps: the next run completes it, or takes it back.
cp "$work/lkst/kernel/lkst/record.h" "$work/tree/kernel/lkst/record.h"
cp -a "$work/tree/.lkst/written" "$work/tree/.lkst/next"
rm -rf "$work/tree/.lkst/written"
cp "$pristine/kernel/bounds.c" "$work/tree/kernel/bounds.c"
rm "$work/tree/kernel/lkst/record.h"
cp -a "$work/tree" "$work/cut"
ok "a run that was cut off can be repeated" "$apply" "$work/tree"
ok "and is complete then" grep -q 'another edit' "$work/tree/kernel/bounds.c"
ok "or reverted" "$apply" --revert "$work/cut"
ok "and the tree is what it was" diff -r "$pristine" "$work/cut"

ok "--help" "$apply" --help
fails "an unknown option is refused" any "$apply" --undo "$work/tree"
fails "no tree is refused" any "$apply"
done_testing
