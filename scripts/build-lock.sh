# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Locks between builds: several may read the same source concurrently, but only one may change it.
# Sourced after common.sh. $config is the configuration that is being built, if any.
# shellcheck disable=SC2154 # the script that sources this sets these variables

readonly lock_report=60	# seconds between two messages of a waiting process

# Prints the descriptions of the processes that hold lock $1.
lock_holders() {
	local file holders=''
	for file in "$cache/$1.holders"/*; do
		if kill -0 "${file##*/}" 2>/dev/null; then holders+="${holders:+, }$(cat "$file")"; fi
	done
	printf '%s\n' "$holders"
}

# lock FD HOW NAME WHAT: acquires lock NAME, which protects WHAT, until FD is closed. HOW is shared
# or exclusive. First releases any lock that FD holds. While it waits, it prints which processes
# hold the lock.
lock() {
	local fd=$1 how=$2 name=$3 what=$4 start=$SECONDS wait=0 holders
	mkdir -p "$cache/$name.holders"
	unlock "$fd" "$name"
	eval "exec $fd>>\"\$cache/\$name.lock\""
	until flock "--$how" -w "$wait" "$fd"; do
		holders=$(lock_holders "$name")
		say "waiting for $((SECONDS - start)) s: $what is in use by ${holders:-processes that a killed build has left running}"
		wait=$lock_report
	done
	echo "$prog${config:+ --config $config} of $top (process $BASHPID, since $(date +%T))" >"$cache/$name.holders/$BASHPID"
}

# unlock FD NAME: releases lock NAME, which FD holds. Does nothing if FD is not open.
unlock() {
	rm -f "$cache/$2.holders/$BASHPID"
	eval "exec $1>&-"
}
