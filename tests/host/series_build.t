#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The series that scripts/make-series writes, one patch after the other: each kernel builds without a warning about LKST,
# and boots to a shell; as soon as a patch starts LKST, it traces. checkpatch has nothing to say of any. The tree is the
# cached one, through links: git writes new files. $LKST_SERIES is the kernel series (6.1).
# By hand: tests/host/series_build.t [FIRST [LAST]], numbers of patches: those before FIRST are applied and not built
# suite: all
# timeout: 7200
# kernel: base
# builds: yes

set -u
. "$(dirname "$0")/../tap.sh"
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prog=series_build.t
# shellcheck source=../../scripts/common.sh
. "$top/scripts/common.sh"
set +e
first=${1:-1} last=${2:-9999}

readonly boot_limit=300

LKST_SERIES=$default_series "$top/scripts/make-series" --author 'A Tester <tester@example.org>' -o "$work/series" \
	>"$work/out" 2>&1 || bail_out "no series: $(cat "$work/out")"
source=$(find "$cache/source" -maxdepth 1 -name "linux-$default_series-*" | sort -V | tail -n 1)
tree=$work/tree build=$work/build
cp -al "$source" "$tree" 2>/dev/null || cp -a "$source" "$tree"
rm -rf "$tree/.lkst"
[ ! -d "$source/.lkst" ] || cp -a "$source/.lkst" "$tree/.lkst"
"$top/scripts/apply-to-kernel" --revert "$tree" >/dev/null 2>&1 || bail_out "cannot take LKST out of the copy of $source"

# What the kernel is made of: small, with all of LKST's options that are there by then.
mkdir "$build"
cat "$top/tests/configs/matrix/base.config" - >"$work/fragment" <<'END'
CONFIG_LKST_LOCK_EVENTS=y
CONFIG_KUNIT=y
CONFIG_LKST_KUNIT_TEST=y
END

# shellcheck disable=SC2317 # build() does
run_make() { make -C "$tree" O="$build" ARCH=x86_64 -j "$(nproc)" "$@" </dev/null >"$work/make.log" 2>&1; }

# Leaves .config alone if nothing changes. An option that is not there yet is passed over.
# shellcheck disable=SC2317 # ok calls it
build() {
	if run_make KCONFIG_CONFIG="$work/new-config" KCONFIG_ALLCONFIG="$work/fragment" allnoconfig; then
		cmp -s "$work/new-config" "$build/.config" || cp "$work/new-config" "$build/.config"
		run_make bzImage && return
	fi
	tail -n 30 "$work/make.log"
	return 1
}

# The shell says whether there is the device, and resets the machine. The tests of KUnit are compiled, and not run.
boot() {
	timeout -k 5 $boot_limit qemu-system-x86_64 -nodefaults -no-user-config -display none -no-reboot -machine q35 \
		-accel tcg,thread=single -cpu Haswell -smp 2 -m 256 -serial stdio -kernel "$build/arch/x86/boot/bzImage" \
		-initrd "$work/initrd" \
		-append 'console=ttyS0 panic=-1 tsc=nowatchdog no_timer_check kunit.enable=0 rdinit=/bin/sh -- /say' \
		</dev/null 2>&1 | tr -d '\r' >"$work/said"
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

# In a directory that has .checkpatch.conf, which says what is meant so, and why.
mkdir "$work/conf"
cp "$top/.checkpatch.conf" "$work/conf/"
checkpatch() { (cd "$work/conf" && "$source/scripts/checkpatch.pl" -q --show-types "$@" 2>/dev/null); }

# Whether the tree has what starts LKST by now.
starts_lkst() { grep -qw lkst_init "$tree/init/main.c"; }

sed 's/^+\tlkst_init();/+\tlkst_init( );/' "$work"/series/*-lkst-start-*.patch >"$work/bad.patch"
contains "checkpatch works" "$(checkpatch "$work/bad.patch")" 'SPACING'

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
	contains "$name: it boots" "$(cat "$work/said")" '^the shell runs$'
	lacks "$name: without trouble" "$(cat "$work/said")" "$kernel_trouble"
	if starts_lkst; then
		contains "$name: it traces" "$(cat "$work/said")" '^(\[.*\] )?lkst: tracing$'
		contains "$name: the device is there" "$(cat "$work/said")" '^LKST is there$'
	else
		lacks "$name: LKST does nothing yet" "$(cat "$work/said")" 'lkst: tracing|LKST is there'
	fi
done
done_testing
