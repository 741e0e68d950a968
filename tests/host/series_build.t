#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# After each patch of the series that scripts/make-series writes, the kernel builds without a
# warning about LKST and boots to a shell. Once the patch that makes the kernel start LKST has been
# applied, the kernel also traces. checkpatch finds nothing in any patch. The files of the tree are
# hard links to files of the cached tree. The cached files do not change, because git replaces a
# file instead of writing to it. $LKST_SERIES is the kernel series (default: 6.1).
#
# By hand: tests/host/series_build.t [FIRST [LAST]]. FIRST and LAST are numbers of patches. Patches
# before FIRST are applied but not built.
# suite: all
# timeout: 7200
# kernel: base
# builds: yes

. "$(dirname "$0")/host.sh"
prog=series_build.t
# shellcheck source=../../scripts/common.sh
. "$top/scripts/common.sh"
set +e
first=${1:-1} last=${2:-9999}

readonly boot_limit=300

LKST_SERIES=$default_series "$top/scripts/make-series" --author 'A Tester <tester@example.org>' -o "$work/series" \
	>"$work/out" 2>&1 || bail_out "no series: $(cat "$work/out")"
source=$(source_of "$default_series")
tree=$work/tree build=$work/build
cp -al "$source" "$tree" 2>/dev/null || cp -a "$source" "$tree"
rm -rf "$tree/.lkst"
[ ! -d "$source/.lkst" ] || cp -a "$source/.lkst" "$tree/.lkst"
"$top/scripts/apply-to-kernel" --revert "$tree" >/dev/null 2>&1 || bail_out "cannot take LKST out of the copy of $source"

# The configuration: a small kernel with all options of LKST that exist after the current patch.
mkdir "$build"
cat "$top/tests/configs/matrix/base.config" - >"$work/fragment" <<'END'
CONFIG_LKST_LOCK_EVENTS=y
CONFIG_KUNIT=y
CONFIG_LKST_KUNIT_TEST=y
END

# shellcheck disable=SC2317 # build() calls it
run_make() { make -C "$tree" O="$build" ARCH=x86_64 -j "$(nproc)" "$@" </dev/null >"$work/make.log" 2>&1; }

# Build the kernel. Leaves .config alone if it would not change. Options that no patch has added yet
# are ignored.
# shellcheck disable=SC2317 # ok calls it
build() {
	if run_make KCONFIG_CONFIG="$work/new-config" KCONFIG_ALLCONFIG="$work/fragment" allnoconfig; then
		cmp -s "$work/new-config" "$build/.config" || cp "$work/new-config" "$build/.config"
		run_make bzImage && return
	fi
	tail -n 30 "$work/make.log"
	return 1
}

# Boot the kernel. The shell prints whether there is a device, and resets the machine. KUnit tests
# are compiled but not run.
boot() {
	timeout -k 5 $boot_limit qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine q35 \
		-accel tcg,thread=single -cpu Haswell -smp 2 -m 256 -serial stdio -kernel "$build/arch/x86/boot/bzImage" \
		-initrd "$work/initrd" \
		-append 'console=ttyS0 panic=-1 tsc=nowatchdog no_timer_check kunit.enable=0 rdinit=/bin/sh -- /say' \
		</dev/null 2>&1 | tr -d '\r' >"$work/console"
}

mkdir -p "$work/root/bin" "$work/root/dev"
cp "$(command -v busybox)" "$work/root/bin/busybox"
ln -s busybox "$work/root/bin/sh"
cat >"$work/root/say" <<'END'
busybox mount -t devtmpfs none /dev
echo the shell runs
[ ! -c /dev/lkst ] || echo LKST is there
busybox reboot -f
END
(cd "$work/root" && find . | cpio --quiet -o -H newc -R +0:+0) >"$work/initrd"

# Run checkpatch in a directory with .checkpatch.conf, which turns off some checks and explains why.
mkdir "$work/conf"
cp "$top/.checkpatch.conf" "$work/conf/"
checkpatch() { (cd "$work/conf" && "$source/scripts/checkpatch.pl" -q --show-types "$@" 2>/dev/null); }

# Return whether the tree already has the patch that makes the kernel start LKST.
starts_lkst() { grep -qw lkst_init "$tree/init/main.c"; }

sed 's/^+\tlkst_init();/+\tlkst_init( );/' "$work"/series/*-lkst-start-*.patch >"$work/bad.patch"
contains "checkpatch finds an error" "$(checkpatch "$work/bad.patch")" 'SPACING'

export GIT_CEILING_DIRECTORIES=$work
number=0
for patch in "$work"/series/*.patch; do
	number=$((number + 1))
	[ $number -le "$last" ] || break
	name=$(basename "$patch")
	(cd "$tree" && git apply --whitespace=nowarn "$patch") || bail_out "$name does not apply"
	[ $number -ge "$first" ] || continue
	is "$name: checkpatch" "$(checkpatch "$patch")" ''
	ok "$name: the kernel builds" build
	is "$name: without a warning about LKST" "$(grep -iE 'warning:' "$work/make.log" | grep -i lkst)" ''
	boot
	contains "$name: it boots" "$(cat "$work/console")" '^the shell runs$'
	lacks "$name: no kernel error" "$(cat "$work/console")" "$kernel_trouble"
	if starts_lkst; then
		contains "$name: it traces" "$(cat "$work/console")" '^(\[.*\] )?lkst: tracing$'
		contains "$name: the device exists" "$(cat "$work/console")" '^LKST is there$'
	else
		lacks "$name: LKST does nothing yet" "$(cat "$work/console")" 'lkst: tracing|LKST is there'
	fi
done
done_testing
