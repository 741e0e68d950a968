# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Finds the source of a kernel, and fetches it if necessary. Sourced after common.sh, with $series
# set.

# Unpacks the archive $1 into the directory $2. The directory appears only when it is complete.
unpack() {
	local tmp
	say "unpacking ${1##*/} into $2 ..."
	mkdir -p "$cache/source"
	rm -rf "$cache/source/unpack-$series".*
	tmp=$(mktemp -d "$cache/source/unpack-$series.XXXXXX")
	chmod 755 "$tmp"
	tar -C "$tmp" --strip-components=1 -xf "$1" || die "could not unpack $1 (is the disk full?)"
	mv "$tmp" "$2"
}

# Prints the Debian suite that has the source of a series, from patches/SERIES/suite. The file
# exists only for series that some releases of Debian lack.
suite_of() { [ ! -f "$top/patches/$1/suite" ] || cat "$top/patches/$1/suite"; }

# Sets $apt to an apt-get command that uses only suite $1, from the mirror that is configured on
# this machine. It verifies downloads with Debian's keys as usual. Its lists are in
# $cache/download-$series.
# shellcheck disable=SC2016 # variables of apt
apt_for_suite() {
	local dir=$cache/download-$series mirror keyring=/usr/share/keyrings/debian-archive-keyring.gpg
	mirror=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
		awk -F '|' '$1 == "Debian" && $2 == "Debian" { print $3; exit }')
	[ -n "$mirror" ] || die "apt has no Debian mirror on this machine, and cannot fetch from $1;" \
		"unpack the source of Linux $series yourself, and use KERNEL=TREE"
	mkdir -p "$dir/lists/partial" "$dir/archives/partial"
	if [ -f "$keyring" ]; then keyring="[signed-by=$keyring] "; else keyring=''; fi
	printf 'deb %s%s %s main\n' "$keyring" "$mirror" "$1" >"$dir/sources.list"
	apt=(apt-get -q -o "Dir::State::Lists=$dir/lists" -o "Dir::Cache=$dir" -o "Dir::Etc::SourceList=$dir/sources.list"
		-o Dir::Etc::SourceParts=- -o "APT::Sandbox::User=$(id -un)")
	"${apt[@]}" update >&2 || die "cannot get the package lists of $1"
}

# Sets $tree to the cached source of the distribution's kernel of the series. Fails if it is not in
# the cache. If the source package is installed, only the source of the same version is accepted.
cached_source() {
	local package=linux-source-$series tarball version
	tarball=/usr/src/$package.tar.xz
	if [ -f "$tarball" ]; then
		version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || stat -c %Y "$tarball")
		tree=$cache/source/linux-$series-$version
	else
		tree=$(find "$cache/source" -maxdepth 1 -name "linux-$series-*" 2>/dev/null | sort -V | tail -n 1)
	fi
	[ -d "$tree" ]
}

# Sets $tree as cached_source() does, but adds the source to the cache if it is missing. The caller
# must hold the source lock exclusively.
find_source() {
	local package=linux-source-$series tarball version deb suite apt=(apt-get)
	[ -d "$top/patches/$series" ] ||
		die "Linux $series is not supported (LKST has patches for: $(known_series))"
	! cached_source || return 0
	tarball=/usr/src/$package.tar.xz
	suite=$(suite_of "$series")
	[ -z "$suite" ] || ! apt-cache show "$package" >/dev/null 2>&1 || suite=''
	[ -f "$tarball" ] || [ -n "$suite" ] || [ "$(id -u)" -ne 0 ] || "$top/scripts/deps" "source-$series"
	if [ -f "$tarball" ]; then
		cached_source || unpack "$tarball" "$tree"
		return
	fi
	say "fetching $package${suite:+ from $suite} ..."
	rm -rf "$cache/download-$series"
	mkdir -p "$cache/download-$series"
	[ -z "$suite" ] || apt_for_suite "$suite"
	(cd "$cache/download-$series" && "${apt[@]}" download "$package" >&2) ||
		die "cannot fetch $package; try 'apt-get update', or as root: apt-get install $package"
	deb=$(find "$cache/download-$series" -name "${package}_*.deb")
	version=$(dpkg-deb -f "$deb" Version)
	dpkg-deb -x "$deb" "$cache/download-$series"
	tree=$cache/source/linux-$series-$version
	unpack "$cache/download-$series$tarball" "$tree"
	rm -rf "$cache/download-$series"
}
