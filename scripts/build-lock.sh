# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Locks between builds: several may read the same source at once, and only one may change it. Sourced, after common.sh,
# with $config set to the configuration that is built, if one is.
# shellcheck disable=SC2154 # the variables of the script that sources this

readonly lock_report=60	# s between two reports of a process that waits

# The processes that hold a lock, as they have described themselves.
lock_holders() {
	local file holders=''
	for file in "$cache/$1.holders"/*; do
		if kill -0 "${file##*/}" 2>/dev/null; then holders+="${holders:+, }$(cat "$file")"; fi
	done
	printf '%s\n' "$holders"
}

# lock FD HOW NAME WHAT: hold the lock NAME, HOW: shared or exclusive, until FD is closed. A lock that FD holds is given
# up first. While it waits, it says for which processes, as the lock protects WHAT.
lock() {
	local fd=$1 how=$2 name=$3 what=$4 start=$SECONDS wait=0 holders
	mkdir -p "$cache/$name.holders"
	unlock "$fd" "$name"
	eval "exec $fd>>\"\$cache/\$name.lock\""
	until flock "--$how" -w "$wait" "$fd"; do
		holders=$(lock_holders "$name")
		say "waiting for $((SECONDS - start)) s: $what is in use by ${holders:-what a build that was killed has left running}"
		wait=$lock_report
	done
	echo "$prog${config:+ --config $config} of $top (process $BASHPID, since $(date +%T))" >"$cache/$name.holders/$BASHPID"
}

# unlock FD NAME
unlock() {
	rm -f "$cache/$2.holders/$BASHPID"
	eval "exec $1>&-"
}
