#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# scripts/make-series: git takes its patches, they make the tree that scripts/apply-to-kernel makes; for each
# series whose source is in the cache. The trees hold just the files that the patches touch. What patches/split may not
# say. series_build.t builds and boots each patch, and runs checkpatch.
# timeout: 600
# kernel: base

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lkst
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As on a machine whose git knows nobody.
export HOME=$work/home XDG_CACHE_HOME=${cache%/lkst} GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$work
mkdir "$HOME"
unset "${!GIT_AUTHOR_@}" "${!GIT_COMMITTER_@}" EMAIL KERNEL
author='A Tester <tester@example.org>'

# A checkout of our own, to change things in.
mkdir "$work/lkst"
cp -a "$top"/{scripts,kernel,include,patches,samples,Documentation,README.md} "$work/lkst/"
# shellcheck disable=SC2317 # ok and refused call it
make_series() { "$work/lkst/scripts/make-series" "$@"; }

# source_of SERIES: the newest in the cache, or nothing
source_of() { find "$cache/source" -maxdepth 1 -name "linux-$1-*" | sort -V | tail -n 1; }

# pristine SERIES DIR: what apply-to-kernel needs of the tree, without LKST
pristine() {
	local source path
	source=$(source_of "$1")
	for path in Makefile Kconfig kernel/bounds.c \
		$(sed -n 's#^--- a/\([^	]*\).*#\1#p' "$top/patches/$1"/*.patch | sort -u); do
		mkdir -p "$(dirname "$2/$path")"
		if [ -e "$source/.lkst/orig/$path" ]; then
			cp "$source/.lkst/orig/$path" "$2/$path"
		else
			cp "$source/$path" "$2/$path"
		fi
	done
}

# The paths, modes and contents of a tree.
state_of() {
	(cd "$1" && find . -type f ! -path './.git/*' ! -path './.lkst/*' -printf '%P %m\n' -exec sha256sum {} + | sort)
}

[ -n "$(source_of 6.1)" ] || bail_out "no kernel source in $cache/source; run scripts/build-kernel first"
for dir in "$top"/patches/*/; do
	series=$(basename "$dir")
	if [ -z "$(source_of "$series")" ]; then
		skip "$series" 'no source in the cache'
		continue
	fi
	out=$work/out-$series tree=$work/tree-$series
	ok "$series: a series is written" make_series --series "$series" --author "$author" -o "$out"
	pristine "$series" "$tree"
	cp -a "$tree" "$work/applied-$series"
	git -C "$tree" init -q
	git -C "$tree" add -A
	git -C "$tree" -c user.name=x -c user.email=x commit -q -m base
	ok "$series: git am takes it" git -C "$tree" -c user.name=x -c user.email=x am -q "$out"/*.patch
	ok "$series: apply-to-kernel" "$work/lkst/scripts/apply-to-kernel" "$work/applied-$series"
	is "$series: it makes the tree that apply-to-kernel makes" "$(state_of "$tree")" "$(state_of "$work/applied-$series")"
	is "$series: by that author" "$(git -C "$tree" log --format='%an <%ae>' | grep -vx 'x <x>' | sort -u)" "$author"
	is "$series: signed off" "$(git -C "$tree" log --format='%(trailers:key=Signed-off-by,valueonly)' | grep . | sort -u)" "$author"
	number=$(find "$out" -name '*.patch' | wc -l)
	is "$series: a commit for each patch" "$(git -C "$tree" rev-list --count HEAD)" $((number + 1))
	is "$series: of a size to read" "$(git -C "$tree" log --format=%s --shortstat "HEAD~$number.." | awk '/insertion/ && $4 > 3000')" ''
	lacks "$series: nothing is compiled before all is there" \
		"$(git -C "$tree" log --reverse --format='%s' --name-only -- kernel/Makefile | head -n 1)" '^lkst: (the|buffers|memory)'
	contains "$series: the letter says how many" "$(head -n 4 "$out/0000-cover-letter.txt")" "^Subject: \[PATCH 00/$number\] LKST"
	contains "$series: and what it costs" "$(cat "$out/0000-cover-letter.txt")" '^ *context switch, one event +[0-9.]+  instructions'
	contains "$series: and which of the kernel's files it edits" "$(cat "$out/0000-cover-letter.txt")" '^ kernel/sched/wait\.c +\| '
done

# A message from the patch it is made of, and one that patches/split has.
contains "a patch of the kernel's files keeps its subject" "$(cd "$work/out-6.1" && cat -- *-panic-*.patch)" '^Subject: \[PATCH .*\] panic: LKST hook'
contains "a Kconfig grows" "$(cat "$work"/out-6.1/*-lkst-tests-of-the-record*.patch)" '^\+config LKST_KUNIT_TEST'

# The same again is the same, and replaces what was there.
cp -a "$work/out-6.1" "$work/again"
touch "$work/again/0099-left.patch"
ok "a series that is there is replaced" make_series --author "$author" -o "$work/again"
ok "by the same one" diff -r -I "^Date: " "$work/out-6.1" "$work/again"
echo mine >"$work/again/notes"
refused "a directory with something else in it is left alone" any 'notes' make_series --author "$author" -o "$work/again"
is "its files are there" "$(cat "$work/again/notes")" mine

refused "nobody to send it" any 'who sends it.*--author' make_series -o "$work/none"
refused "an author without a mail address" any "'NAME <MAIL>', not 'Me'" make_series --author Me -o "$work/none"
git config --global user.name 'B Tester'
git config --global user.email b@example.org
ok "git's configuration says who" make_series -v 2 -o "$work/second"
contains "it is B" "$(head -n 3 "$work/second/0000-cover-letter.txt")" '^From: B Tester <b@example.org>'
contains "a second version says so" "$(cat "$work"/second/v2-0001-*.patch)" '^Subject: \[PATCH v2 01/'
refused "an unknown series" any '6\.1' make_series --series 2.4 -o "$work/none"
refused "an unknown option" any "what is '--all'" make_series --all
ok "--help" make_series --help

# Each of LKST's files comes in one patch.
refused_split() {
	refused "$1" any "$2" make_series -o "$work/none"
	cp "$top/patches/split" "$work/lkst/patches/split"
	rm -f "$work/lkst/kernel/lkst/new.c" "$work/lkst/kernel/lkst/new.h" "$work/lkst/patches/6.1/9999-new.patch"
	cp "$top/kernel/lkst/Makefile" "$work/lkst/kernel/lkst/Makefile"
}
echo 'int new;' >"$work/lkst/kernel/lkst/new.c"
refused_split "a file that no patch has" 'names no patch for: kernel/lkst/new\.c'
sed -i 's#^own: kernel/lkst/record.h#& kernel/lkst/buffer.c#' "$work/lkst/patches/split"
refused_split "a file that two patches have" 'kernel/lkst/buffer\.c comes twice, in patch 3 and patch 7'
sed -i 's#^own: kernel/lkst/record.h#& kernel/lkst/gone.c#' "$work/lkst/patches/split"
refused_split "a file that is not there" 'no file kernel/lkst/gone\.c'
sed -i 's#^edits: 0013-#edits: 0099-#' "$work/lkst/patches/split"
refused_split "a patch that is not there, and has the message" 'there is no patches/6\.1/0099-'
mv "$work/lkst/patches/6.1/0010-mm-lkst-hooks-in-page-faults.patch" "$work/"
ok "a series may do without a patch" make_series -o "$work/fewer"
is "it has one less" "$(find "$work/fewer" -name '*.patch' | wc -l)" $(($(find "$work/out-6.1" -name '*.patch' | wc -l) - 1))
mv "$work/0010-mm-lkst-hooks-in-page-faults.patch" "$work/lkst/patches/6.1/"
sed -i 's#^lkst_test-y += #lkst-y += #' "$work/lkst/kernel/lkst/Makefile"
sed -i 's#main\.o event\.o#main.o event.o dump_test.o#' "$work/lkst/kernel/lkst/Makefile"
refused_split "an object that comes later than those beside it" 'dump_test\.o does not come in the patch of those that stand beside it'
done_testing
