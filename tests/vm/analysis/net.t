#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# lkstla net agrees with /proc/net/dev about the loopback device, and with /proc/net/snmp and nstat
# about connections and about datagrams for which there is no socket.
# kernel: base
# programs: nstat
# append: lkst.buffer_size=16M
# timeout: 300

. "$(dirname "$0")/measure.sh"

# count DIR: copy the kernel's counts to a directory
count() {
	mkdir -p "$1"
	cat /proc/net/dev >"$1/dev"
	cat /proc/net/snmp >"$1/snmp"
}
# dev COLUMN DIR: print a number of the loopback device. COLUMN is 1 for bytes received, 2 for
# packets received, 9 for bytes sent, and 10 for packets sent
dev() { sed -n 's/^ *lo: *//p' "$2/dev" | awk -v column="$1" '{ print $column }'; }
# snmp PROTOCOL NAME DIR: print the number NAME of a protocol. A line with the names precedes the
# line with the numbers
snmp() {
	awk -v protocol="$1:" -v name="$2" '
		$1 != protocol { next }
		!column { for (column = NF; column > 1 && $column != name; column--); next }
		{ print $column }' "$3/snmp"
}
# grown_dev COLUMN, grown_snmp PROTOCOL NAME: print by how much a number has grown
grown_dev() { echo $(($(dev "$1" after) - $(dev "$1" before))); }
grown_snmp() { echo $(($(snmp "$1" "$2" after) - $(snmp "$1" "$2" before))); }
# nstat_of NAME: print a number in the output of nstat
nstat_of() { awk -v name="$1" '$1 == name { print $2 }' by_nstat; }
# value WAY COLUMN: print a column of the loopback device in lkstla net. WAY is "send" or "receive"
value() { awk -F , -v way="$1" -v column="$2" '$1 == "lo" && $2 == way { print $column }' packets; }
# changes SIDE FROM TO: print how many times sockets with the ports of this test, on this side of a
# connection, changed from state FROM to state TO
changes() {
	awk -F , -v what="$1,$2,$3" '$1 > 61000 && $1 < 61010 && $2 "," $3 "," $4 == what { sum += $5 }
		END { print sum + 0 }' sockets
}

record net_pktsendq,net_pktsend,net_pktrecvq,net_pktrecv,net_drop,net_sockstate,process_state
settle cat /proc/net/dev /proc/net/snmp
count before
export NSTAT_HISTORY=nstat.history
if brought nstat nstat; then
	nstat -n
fi
mark 1
ok 'the load runs' net_load
# Wait for the last packets of the connections.
settle cat /proc/net/dev /proc/net/snmp
mark 2
count after
[ ! -f "$NSTAT_HISTORY" ] || nstat -z >by_nstat
# Two requests and two replies of each size
mark 3
for size in 100 300 200; do
	ok "ping with $size bytes" \
		sh -c "echo \$\$ \$\$ >>pids && exec ping -c 2 -s $size 127.0.0.1 >/dev/null"
done
settle cat /proc/net/dev
mark 4
lkst stop
read_trace
between 1 2 net --slowest 10000 >csv
contains 'nothing was lost' "$(cat header)" 'nothing lost'
rows_of device,way csv >packets
rows_of reason,location csv >drops
rows_of port,side csv >sockets
rows_of device,to_device csv >single
cat packets drops sockets

is 'packets sent' "$(value send 3)" "$(grown_dev 10)"
is 'packets received' "$(value receive 3)" "$(grown_dev 2)"
# The loopback device counts bytes without the 14 bytes of its Ethernet header, which net_pktsend
# includes.
is 'bytes sent' $(($(value send 4) - 14 * $(value send 3))) "$(grown_dev 9)"
is 'bytes received' "$(value receive 4)" "$(grown_dev 1)"
is 'no packet failed' "$(value send 5)" 0
# The loopback device has no queue for sending. The thread that sends a packet also puts it into the
# receive queue of the same CPU.
is 'the time of each packet in the receive queue is known' "$(value receive 6)" "$(value receive 3)"
for way in send receive; do
	ok "$way: at least 90 % of the times are known" \
		test $(($(value $way 6) * 10)) -ge $(($(value $way 3) * 9))
	ok "$way: the percentiles rise" test "$(value $way 7)" -le "$(value $way 8)" -a \
		"$(value $way 8)" -le "$(value $way 9)"
done

is 'dropped: no socket' "$(awk -F , '$1 == "NO_SOCKET" { sum += $4 } END { print sum + 0 }' drops)" \
	$(($(grown_snmp Udp NoPorts) + 10))
is 'datagrams to a closed port' "$(grown_snmp Udp NoPorts)" 50

is 'sockets that connect' "$(changes client TCP_CLOSE TCP_SYN_SENT)" "$(grown_snmp Tcp ActiveOpens)"
is 'sockets that accept' "$(changes server TCP_LISTEN TCP_SYN_RECV)" "$(grown_snmp Tcp PassiveOpens)"
is 'connections that are refused' "$(changes client TCP_SYN_SENT TCP_CLOSE)" \
	"$(grown_snmp Tcp AttemptFails)"
is 'connections that are established' "$(changes client TCP_SYN_SENT TCP_ESTABLISHED)" 20
is 'a socket that listens' "$(changes server TCP_CLOSE TCP_LISTEN)" 1

# --- single packets

# The columns are device, receiver, bytes, start, total time, time in each stage (send, receive and
# drop), who sent and who received the packet, and why it was dropped.
listed=$(awk -F , '$1 == "lo" && $7 != ""' single | wc -l)
ok "single packets: nearly all that were received ($listed)" \
	test $((listed * 10)) -ge $(($(value receive 6) * 9)) -a "$listed" -le "$(value receive 6)"
is 'single packets: the slowest are first' "$(cut -d , -f 5 single)" \
	"$(cut -d , -f 5 single | sort -rn)"
dropped=$(grep -c ',NO_SOCKET at ' single)
total=$(awk -F , '$1 == "NO_SOCKET" { sum += $4 } END { print sum + 0 }' drops)
ok "single packets: nearly all that were dropped ($dropped of $total)" \
	test $((dropped * 10)) -ge $((total * 9)) -a "$dropped" -le "$total"

between 3 4 net --slowest 100 >csv
rows_of device,way csv >packets
rows_of device,to_device csv >single
grep '^lo,' single | sort -t , -k 4 -n >pings
cat pings
# 8 bytes of ICMP, 20 of IP and 14 of Ethernet precede the data.
is 'pings: number, length and order' "$(cut -d , -f 1-3 pings | paste -s -d ' ' -)" \
	"lo,lo,142 lo,lo,142 lo,lo,142 lo,lo,142 lo,lo,342 lo,lo,342 lo,lo,342 lo,lo,342 \
lo,lo,242 lo,lo,242 lo,lo,242 lo,lo,242"
# The driver of the loopback device puts a packet into the receive queue before it has returned.
# Some kernels drop each reply after they have delivered it.
is 'pings: the stages overlap, and cover the whole time' "$(awk -F , '
	$6 == "" || $7 == "" || $5 < $6 || $5 < $7 + $8 || $5 > $6 + $7 + $8' pings)" ''
is 'pings: the maximum of the first stage' "$(cut -d , -f 6 pings | sort -n | tail -n 1)" \
	"$(value send 9)"
is 'pings: the maximum of the second stage' "$(cut -d , -f 7 pings | sort -n | tail -n 1)" \
	"$(value receive 9)"
is 'pings: ping sends the requests' "$(cut -d , -f 9 pings | sed -n 's/^.*-//; p; n' | paste -s -d ' ' -)" \
	"$(paste -s -d ' ' pids)"
between 3 4 net --slowest 3 >csv
is 'pings: the slowest three' "$(rows_of device,to_device csv)" "$(head -n 3 single)"

# nstat prints by how much each number has grown since nstat last ran.
if [ -f by_nstat ]; then
	grep -E 'Opens|AttemptFails|NoPorts' by_nstat
	is 'nstat: sockets that connect' "$(changes client TCP_CLOSE TCP_SYN_SENT)" "$(nstat_of TcpActiveOpens)"
	is 'nstat: sockets that accept' "$(changes server TCP_LISTEN TCP_SYN_RECV)" \
		"$(nstat_of TcpPassiveOpens)"
	is 'nstat: connections that are refused' "$(changes client TCP_SYN_SENT TCP_CLOSE)" \
		"$(nstat_of TcpAttemptFails)"
	is 'nstat: dropped, no socket' "$(awk -F , '$1 == "NO_SOCKET" { sum += $4 } END { print sum + 0 }' drops)" \
		$(($(nstat_of UdpNoPorts) + 10))
fi
lkst start
done_testing
