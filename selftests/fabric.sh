#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Is the fabric a fabric? Entropy must spread packets over all spines, one flow
# must stay on one, and a dead spine must lose what goes through it and no more.

. "$(dirname "$0")/lib.sh"

SPINES=4
FLOWS=128
# A fair hash gives each spine 32 of 128 flows; fewer than 10 has a chance of
# about one in a million.
LEAST=10

spray_h1()
{
	in_h1 "$SELFTESTS/udp_spray" "$@"
}

spray_h2()
{
	in_h2 "$SELFTESTS/udp_spray" "$@"
}

# Packets per spine, from leaf $1, that a command brings about.
spread_of()
{
	local leaf=$1 before after i

	shift
	read -ra before < <(fabric_packets "$leaf")
	"$@" || fail "failed: $*"
	sleep 0.2
	read -ra after < <(fabric_packets "$leaf")
	for i in "${!after[@]}"; do
		echo $((after[i] - before[i]))
	done
}

# UDP packets that reached h2, where nobody listens.
arrived()
{
	in_h2 awk '/^Udp:/ { n = $3 } $1 == "Udp6NoPorts" { n += $2 }
		END { print n }' /proc/net/snmp /proc/net/snmp6
}

spread_test()
{
	local name=$1 spread total

	shift
	spread=$(spread_of "$@")
	diag "$name:" $spread
	check_value "$name: every spine gets its share" \
		"$(echo "$spread" | sort -n | head -n 1)" -ge "$LEAST"
	total=$(echo "$spread" | paste -sd+ | bc)
	check_value "$name: nothing is lost" "$total" -ge "$FLOWS"
	# The kernel may say a word of its own meanwhile.
	check_value "$name: nothing is seen twice" "$total" -le $((FLOWS + 4))
}

one_path_test()
{
	local name=$1 spread

	shift
	spread=$(spread_of "$@")
	check_value "$name: one flow stays on one spine" \
		"$(echo "$spread" | grep -cx 32)" -eq 1
}

# Flows that go through spine 2 are lost and no others.
kill_test()
{
	local address=$1 before spread through

	before=$(arrived)
	spread=$(spread_of 1 spray_h1 "$address" 20000 "$FLOWS" 1)
	through=$(echo "$spread" | sed -n 2p)
	check_value "to $address: a dead spine loses its own packets only" \
		$(($(arrived) - before)) -eq $((FLOWS - through))
}

heal_test()
{
	local before

	before=$(arrived)
	spray_h1 "$1" 20000 "$FLOWS" 1
	sleep 0.2
	check_value "to $1: a healed spine loses nothing" \
		$(($(arrived) - before)) -eq "$FLOWS"
}

longest_packet()
{
	tcpdump -n -r "$1" 2>/dev/null |
		sed -n 's/.*length \([0-9]*\).*/\1/p' | sort -n | tail -n 1
}

# With FABRIC_GSO=0 every packet on the wire is one packet.
segment_test()
{
	capture_start "$TEST_TMP/tcp.pcap" tcp
	in_h2 socat -u TCP-LISTEN:5001 OPEN:/dev/null &
	in_h1 socat -u OPEN:/dev/zero,readbytes=500000 \
		"TCP:$H2:5001,retry=50,interval=0.1"
	capture_stop
	check_value "no packet is longer than the MTU" \
		"$(longest_packet "$TEST_TMP/tcp.pcap")" -le 1460
}

need_commands socat tcpdump bc
[ -x "$SELFTESTS/udp_spray" ] || skip_all "udp_spray is not built"
fabric_up $SPINES 100mbit 50us

spread_test "IPv4 ports, there" 1 spray_h1 "$H2" 20000 $FLOWS 1
spread_test "IPv4 ports, back" 2 spray_h2 "$H1" 20000 $FLOWS 1
spread_test "IPv6 ports, there" 1 spray_h1 "$H2_6" 20000 $FLOWS 1
spread_test "IPv6 ports, back" 2 spray_h2 "$H1_6" 20000 $FLOWS 1
spread_test "IPv6 labels" 1 spray_h1 -l "$H2_6" 20000 $FLOWS 1
one_path_test "IPv4" 1 spray_h1 "$H2" 20000 1 32
one_path_test "IPv6" 1 spray_h1 "$H2_6" 20000 1 32
spine_kill 2
kill_test "$H2"
kill_test "$H2_6"
spine_heal 2
heal_test "$H2"
heal_test "$H2_6"
segment_test
