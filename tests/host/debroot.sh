# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced first by the tests of the Debian packages. Functions that create a Debian root with the
# packages of this checkout.

if [ "$(id -u)" -ne 0 ]; then
	echo '1..0 # SKIP a Debian root takes root'
	exit
fi
. "$(dirname "$0")/host.sh"
trap 'exit 143' TERM INT
# shellcheck disable=SC2034 # tests use it
root=$work/root
"$top/scripts/deps" deb debroot || bail_out 'packages are missing'
cache=${XDG_CACHE_HOME:-$HOME/.cache}/lkst/debroot

# The Debian release of the root: the release of this machine, unless a test sets another one.
own_debian=$(. /etc/os-release && echo "$VERSION_CODENAME")
debian=$own_debian

# Print the Debian sources of apt on this machine, as lines for sources.list with the release
# $debian.
# shellcheck disable=SC2016 # apt's own variables
debian_sources() {
	apt-get indextargets --format '$(ORIGIN)|$(CODENAME)|$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
		awk -F '|' -v own="$own_debian" -v wanted="$debian" '
			$1 == "Debian" && $2 ~ "^" own { gsub(own, wanted, $3); print "deb " $3 }' | sort -u
}

# depends_of PACKAGE...: for each PACKAGE.deb, which is a file, print the names of the packages that
# it depends on, except LKST's own. Any other PACKAGE is already a name, and is printed unchanged.
depends_of() {
	local package
	for package; do
		case $package in
		*.deb) dpkg-deb -f "$package" Depends Pre-Depends | sed 's/^[A-Za-z-]*: //' ;;
		*) echo "$package" ;;
		esac
	done | tr ',' '\n' | sed 's/^ *//; s/[ (|:].*//; /^$/d; /^liblkst/d; /^lkst-/d' | sort -u
}

# debian_root DIR PACKAGE...: create a Debian root in DIR with the packages that depends_of prints.
# The root is cached, and used again for the same package names.
debian_root() {
	local dir=$1 include tar
	shift
	include=systemd-sysv,udev,kmod,$(depends_of "$@" | paste -sd ,)
	mkdir -p "$cache"
	tar=$cache/$debian-$(echo "$include" | cat - "$top/tests/host/debroot.sh" | sha256sum | cut -c 1-16).tar
	(
		flock 9
		[ ! -f "$tar" ] || exec touch "$tar"
		find "$cache" -name '*.tar*' -mtime +1 -delete
		# The root needs no list of sources.
		# shellcheck disable=SC2016 # a shell of mmdebstrap expands it
		debian_sources | mmdebstrap --quiet --mode=root --variant=minbase --include="$include" --format=tar \
			--customize-hook='rm -f "$1"/etc/apt/sources.list "$1"/etc/resolv.conf' \
			"$debian" "$tar.new" - >&2 && mv "$tar.new" "$tar"
	) 9>"$cache/lock" || return
	mkdir -p "$dir"
	tar -C "$dir" --numeric-owner -xf "$tar"
}

# plan_root PACKAGE...: whether a root with all of these packages could be created
plan_root() {
	debian_sources | mmdebstrap --quiet --mode=root --simulate --variant=minbase --include="$(printf '%s,' "$@")" "$debian" /dev/null -
}

# in_root DIR COMMAND...: run the command in the root
# shellcheck disable=SC2016 # the inner shell expands the variables
in_root() {
	env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
		unshare --mount sh -c 'mount -t proc proc "$1/proc" && exec chroot "$@"' sh "$@" </dev/null
}

# install_packages DIR PACKAGE.deb...: install these files in the root
install_packages() {
	local dir=$1 deb names=()
	shift
	for deb; do
		cp "$deb" "$dir/root/"
		names+=("/root/$(basename "$deb")")
	done
	in_root "$dir" dpkg -i "${names[@]}" && rm -f "$dir"/root/*.deb
}

# list_root DIR: print the path, type and mode of each file in a root, without the files that apt,
# dpkg, ldconfig and systemctl keep for themselves
list_root() {
	(
		cd "$1" && find . -mindepth 1 \( -path './var/lib/dpkg/*-old' -o -path './var/cache/*' -o -path './var/log/apt/*' -o \
			-path ./var/log/dpkg.log -o -path './var/lib/apt/*' -o -path './run/systemd*' -o -path './root/*' \) -prune -o \
			-printf '%p %y %m\n' | LC_ALL=C sort
	)
}
