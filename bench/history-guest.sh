#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Part of bench/history, runs in the VM.
#
#   history-guest.sh fill SIZE   runs the demo's workload until each CPU's history of SIZE bytes is
#                                full. Writes to "spans" a line for the history and one for the
#                                buffer of each CPU: the kind, the CPU, the seconds that it covers,
#                                the events; then for the history the bytes in use and the events
#                                that were lost, and for the buffer a 0 and the events per second.
#                                Writes the records of the buffers to "records"
#   history-guest.sh compress    runs a part of the workload, and prints "compressed", the events in
#                                the history and the CPU time of the thread in seconds

set -eu
cd "$(dirname "$0")"

# The workload without the commands that read the trace. It records from boot on.
sed -e '/^lkst start/d; /^lkstbuf read/d' -e 's,^cd .*,cd /share,' workload >/tmp/workload

# full SIZE: whether the histories of both CPUs are full. The last chunk before the end of the
# memory may leave some room.
full() { lkstbuf list | awk -v size="$1" '$2 == size && $5 ~ /[.]/ { n += $3 > size - 65536 } END { exit n != 2 }'; }

# summary FILE LINE: print the number in a line of the summary
summary() { lkstbuf print --summary -f "$1" 2>/dev/null | awk -v line="$2" '$1 == line { print $2; exit }'; }

# span KIND CPU OPTION...: print the line of a history or a buffer
span() {
	kind=$1 cpu=$2
	shift 2
	lkstbuf read -c "$cpu" -f /tmp/span "$@" >&2
	if [ "$kind" = history ]; then
		more=$(lkstbuf list | awk -v cpu="$cpu" '$1 == cpu && $5 ~ /[.]/ { print $4, $3, $6 }')
	else
		more="$(summary /tmp/span events) 0 $(summary /tmp/span rate)"
	fi
	echo "$kind $cpu $(summary /tmp/span duration) $more"
	rm /tmp/span
}

fill() {
	until full "$1"; do
		rm -rf /tmp/demo
		sh /tmp/workload
	done
	lkst stop
	for cpu in 0 1; do
		span history "$cpu"
		span buffer "$cpu" -b 0
	done >spans
	./logd-guest read records
}

compress() {
	lkstm set -n default
	for _ in 1 2 3; do
		cp -r tree /tmp/copy
		(cd /tmp/copy && tar cf - . | gzip -1 >/tmp/copy.gz)
		rm -r /tmp/copy
		seq 1 20000 | sort -rn | sed 's/1/one/' | wc -l >/dev/null
		sleep 1
	done
	lkst stop
	sleep 1
	lkst status | sed -n 's/^history .* bytes, \([0-9]*\) events .* \([0-9.]*\) s of CPU time$/compressed \1 \2/p'
}
"$@"
