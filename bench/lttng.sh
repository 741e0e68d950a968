# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # other scripts use or set these variables
# SPDX-License-Identifier: GPL-2.0
# Builds LTTng's kernel modules for a kernel that was built here. Sourced after common.sh.
#
# If $LTTNG is set, uses the sources in that directory. Otherwise uses the sources in the package
# lttng-modules-dkms. If the package is not installed, fetches it from Debian's newest suite,
# because the package of an older suite may not build for a kernel that has been updated since.

readonly lttng_suite=sid lttng_package=lttng-modules-dkms lttng_cache=$cache/lttng
# The modules that are needed, in the order in which they are loaded. Some releases of LTTng lack
# some of them.
readonly lttng_modules='lttng-wrapper lttng-clock lttng-statedump lib/lttng-lib-ring-buffer lib/lttng-counter lttng-tracer
	lttng-ring-buffer-client-mmap-overwrite probes/lttng-probe-sched'

newest_lttng() { find "$1" -mindepth 1 -maxdepth 1 -name 'lttng-modules-*' 2>/dev/null | sort -V | tail -n 1; }

# Runs apt-get with separate package lists, from the mirror that this machine uses. Does not need
# root.
lttng_apt() {
	local dir=$lttng_cache/apt mirror
	# shellcheck disable=SC2016 # for apt
	mirror=$(apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' |
		sed -n '/^Debian /{s///p;q}')
	[ -n "$mirror" ] || die 'apt has no Debian mirror on this machine; try apt-get update'
	mkdir -p "$dir"/lists/partial "$dir"/cache/archives/partial
	echo "deb $mirror $lttng_suite main" >"$dir/sources.list"
	printf '%s "%s";\n' Dir::Etc::sourcelist "$dir/sources.list" Dir::Etc::sourceparts - \
		Dir::State::lists "$dir/lists" Dir::Cache "$dir/cache" >"$dir/apt.conf"
	APT_CONFIG=$dir/apt.conf apt-get "$@"
}

fetch_lttng() (
	say "fetching $lttng_package of $lttng_suite ..."
	mkdir -p "$lttng_cache"
	download=$(mktemp -d "$lttng_cache/download.XXXXXX")
	trap 'rm -rf "$download"' EXIT
	cd "$download" || exit
	{
		lttng_apt update && lttng_apt download $lttng_package && dpkg-deb -x ./*.deb . &&
			mv usr/src/lttng-modules-* "$lttng_cache"
	} >"$lttng_cache/fetch.log" 2>&1 </dev/null
)

# Sets $lttng to the directory of the sources. If they cannot be found or fetched, sets $lttng_why
# to the reason, and fails.
find_lttng() {
	lttng=${LTTNG-}
	if [ -n "$lttng" ]; then
		[ -f "$lttng/include/lttng/abi.h" ] || die "LTTNG=$lttng does not have the sources of lttng-modules"
		lttng=$(realpath -- "$lttng")
		return
	fi
	lttng=$(newest_lttng /usr/src)
	[ -n "$lttng" ] || lttng=$(newest_lttng "$lttng_cache")
	[ -n "$lttng" ] || ! fetch_lttng || lttng=$(newest_lttng "$lttng_cache")
	[ -n "$lttng" ] && return
	lttng_why="LTTNG=DIR is not given, and $lttng_package cannot be fetched (see $lttng_cache/fetch.log)"
	return 1
}

# lttng_fits DIR BUILD: whether DIR contains modules for the kernel that was built in BUILD.
lttng_fits() {
	[ -f "$1/src/lttng-tracer.ko" ] && [ "$1/src/lttng-tracer.ko" -nt "$2/Module.symvers" ] &&
		[ "$(modinfo -F vermagic "$1/src/lttng-tracer.ko" | cut -d ' ' -f 1)" = "$(cat "$2/include/config/kernel.release")" ]
}

# lttng_modules_of DIR: prints the modules in $lttng_modules that the sources in DIR contain.
lttng_modules_of() {
	local module
	for module in $lttng_modules; do
		! grep -qs "+= ${module##*/}\.o" "$1/src/$(dirname "$module")/Kbuild" || echo "src/$module.ko"
	done
}

# lttng_for BUILD OUT: creates OUT/lttng with the modules for the kernel that was built in BUILD,
# and with a script OUT/lttng/load that loads them. Sets $lttng and $lttng_version. On failure, sets
# $lttng_why to the reason.
lttng_for() {
	local made log modules module
	find_lttng || return
	made=$lttng
	mapfile -t modules < <(lttng_modules_of "$lttng")
	if ! lttng_fits "$made" "$1"; then
		made=$lttng_cache/build-$(printf '%s %s' "$lttng" "$1" | sha256sum | cut -c1-12)
	fi
	if ! lttng_fits "$made" "$1"; then
		log=$made.log
		say "building LTTng's modules from $lttng (three minutes for a new kernel) ..."
		mkdir -p "$made"
		cp -au "$lttng/." "$made"
		if ! make -C "$1" M="$made" CONFIG_LTTNG=m -j "$(nproc)" "${modules[@]}" >"$log" 2>&1 </dev/null; then
			lttng_why="${lttng##*/} does not build on this kernel: $(grep -m 1 -E '[Ee]rror: |ERROR: ' "$log" | sed "s|$made/||g") ($log)"
			return 1
		fi
	fi
	lttng_version=$(modinfo -F version "$made/src/lttng-tracer.ko")
	mkdir "$2/lttng"
	for module in "${modules[@]}"; do
		cp "$made/$module" "$2/lttng"
		echo "insmod ${module##*/}"
	done >"$2/lttng/load"
}
