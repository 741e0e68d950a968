#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# git am applies the patches of scripts/make-series with the same result as scripts/apply-to-kernel,
# for each kernel series whose source is in the cache. The trees contain only the files that the
# patches touch. Errors in patches/split are reported. series_build.t builds and boots the kernel
# after each patch, and runs checkpatch.
# timeout: 600
# kernel: base

. "$(dirname "$0")/host.sh"
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lkst

# Hide the configuration of git, so that git knows no user name.
export HOME=$work/home XDG_CACHE_HOME=${cache%/lkst} GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES=$work
mkdir "$HOME"
unset "${!GIT_AUTHOR_@}" "${!GIT_COMMITTER_@}" EMAIL KERNEL
author='A Tester <tester@example.org>'

copy_checkout Kconfig scripts kernel include patches samples Documentation README.md
# shellcheck disable=SC2317 # ok and refused call it
make_series() { "$work/lkst/scripts/make-series" "$@"; }

# Print the paths, the modes and the checksums of the files in a tree.
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
	ok "$series: git am applies it" git -C "$tree" -c user.name=x -c user.email=x am -q "$out"/*.patch
	ok "$series: apply-to-kernel" "$work/lkst/scripts/apply-to-kernel" "$work/applied-$series"
	is "$series: the result is the same as that of apply-to-kernel" "$(state_of "$tree")" "$(state_of "$work/applied-$series")"
	is "$series: each patch has that author" "$(git -C "$tree" log --format='%an <%ae>' | grep -vx 'x <x>' | sort -u)" "$author"
	is "$series: each patch is signed off" "$(git -C "$tree" log --format='%(trailers:key=Signed-off-by,valueonly)' | grep . | sort -u)" "$author"
	number=$(find "$out" -name '*.patch' | wc -l)
	is "$series: a commit for each patch" "$(git -C "$tree" rev-list --count HEAD)" $((number + 1))
	is "$series: no patch adds more than 3000 lines" "$(git -C "$tree" log --format=%s --shortstat "HEAD~$number.." | awk '/insertion/ && $4 > 3000')" ''
	lacks "$series: LKST is compiled only after its files have been added" \
		"$(git -C "$tree" log --reverse --format='%s' --name-only -- kernel/Makefile | head -n 1)" '^lkst: add '
	contains "$series: the cover letter has the number of patches" "$(head -n 4 "$out/0000-cover-letter.txt")" "^Subject: \[PATCH 00/$number\] LKST"
	contains "$series: the cover letter has the costs" "$(cat "$out/0000-cover-letter.txt")" '^ *context switch, one event +[0-9.]+  instructions'
	contains "$series: the cover letter has the edited kernel files" "$(cat "$out/0000-cover-letter.txt")" '^ kernel/sched/wait\.c +\| '
done

# The message of each patch in the series comes from its file in patches/6.1 or from patches/split.
contains "a patch of the kernel's files keeps its subject" "$(cd "$work/out-6.1" && cat -- *-panic-*.patch)" '^Subject: \[PATCH .*\] panic: add an LKST hook'
contains "a later patch adds an option to Kconfig" "$(cat "$work"/out-6.1/*-lkst-add-tests-of-the-record*.patch)" '^\+config LKST_KUNIT_TEST'

# A second run writes the same files, and replaces the old ones.
cp -a "$work/out-6.1" "$work/again"
touch "$work/again/0099-left.patch"
ok "an existing series is replaced" make_series --author "$author" -o "$work/again"
ok "the new series is the same" diff -r -I "^Date: " "$work/out-6.1" "$work/again"
echo mine >"$work/again/notes"
refused "a directory with other content is refused" any 'notes' make_series --author "$author" -o "$work/again"
is "the directory keeps its files" "$(cat "$work/again/notes")" mine

refused "an unknown author" any 'author is unknown.*--author' make_series -o "$work/none"
refused "an author without a mail address" any "'Me' is not of the form 'NAME <MAIL>'" make_series --author Me -o "$work/none"
git config --global user.name 'B Tester'
git config --global user.email b@example.org
ok "the author is taken from git's configuration" make_series -v 2 -o "$work/second"
contains "the cover letter has that author" "$(head -n 3 "$work/second/0000-cover-letter.txt")" '^From: B Tester <b@example.org>'
contains "the subjects have the version" "$(cat "$work"/second/v2-0001-*.patch)" '^Subject: \[PATCH v2 01/'
refused "an unknown series" any '6\.1' make_series --series 2.4 -o "$work/none"
refused "an unknown option" any "unexpected argument '--all'" make_series --all

# refused_split NAME MESSAGE: test that make-series refuses the changed checkout, and undo the
# change. Each of LKST's files must be in exactly one patch.
refused_split() {
	refused "$1" any "$2" make_series -o "$work/none"
	cp "$top/patches/split" "$work/lkst/patches/split"
	rm -f "$work/lkst/kernel/lkst/new.c" "$work/lkst/kernel/lkst/new.h" "$work/lkst/patches/6.1/9999-new.patch"
	cp "$top/kernel/lkst/Makefile" "$work/lkst/kernel/lkst/Makefile"
}
echo 'int new;' >"$work/lkst/kernel/lkst/new.c"
refused_split "a file that no patch has" 'names no patch for: kernel/lkst/new\.c'
sed -i 's#^own: kernel/lkst/ring/record.h#& kernel/lkst/buffer/buffer.c#' "$work/lkst/patches/split"
refused_split "a file that two patches have" 'kernel/lkst/buffer/buffer\.c is in two patches, 3 and 7'
sed -i 's#^own: kernel/lkst/ring/record.h#& kernel/lkst/gone.c#' "$work/lkst/patches/split"
refused_split "a file that does not exist" 'no file kernel/lkst/gone\.c'
sed -i 's#^edits: 0013-#edits: 0099-#' "$work/lkst/patches/split"
refused_split "a missing file of the patches that would have the message" 'there is no patches/6\.1/0099-'
mv "$work/lkst/patches/6.1/0010-mm-lkst-hooks-in-page-faults.patch" "$work/"
ok "a series may lack a patch" make_series -o "$work/fewer"
is "that series has one patch less" "$(find "$work/fewer" -name '*.patch' | wc -l)" $(($(find "$work/out-6.1" -name '*.patch' | wc -l) - 1))
mv "$work/0010-mm-lkst-hooks-in-page-faults.patch" "$work/lkst/patches/6.1/"
sed -i 's#^lkst_test-y += #lkst-y += #' "$work/lkst/kernel/lkst/Makefile"
sed -i 's# main\.o$# main.o console/console_test.o#' "$work/lkst/kernel/lkst/Makefile"
refused_split "an object that is added later than the others of its statement" 'console/console_test\.o is not in the same patch as the other objects'
done_testing
