# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0
# What the trace of the late thread of "watch_late" must contain. Read by tests after tap.sh.

# check_metronome FILE: FILE is the output of "lkstbuf print -r"
check_metronome() {
	contains 'the trace says why it ends' "$(tail -n 250 "$1")" ' lkst_watch .* name=metronom$'
	ok 'the trace has the 20 ms before' awk 'function seconds(time, part) {
			split(time, part, ":")
			return part[1] * 3600 + part[2] * 60 + part[3]
		}
		/ process_waking .*name=metronom/ { last = $1 }
		/^[0-9]/ && !first { first = $1 }
		END { exit (seconds(last) + (last < first) * 86400 - seconds(first) < 0.02) }' "$1"
}
