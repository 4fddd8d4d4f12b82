#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The socket interface, call by call: as TCP where TCP has the same, and what
# is AF_MRC's own.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_socket.sh"
. "$SELFTESTS/lib_stream.sh"

loopback_tests()
{
	lo_up
	results in_lo "$SELFTESTS/socket_own"
	results in_lo "$SELFTESTS/socket_setup"
	results in_lo "$SELFTESTS/socket_stream"
}

# TCP and AF_MRC give up after three seconds both.
away_tests()
{
	local address

	fabric_up 1
	in_h1 sh -c 'echo 1 >/proc/sys/net/ipv4/tcp_syn_retries'
	mrc_sysctl h1 init_timeout_ms=1000 init_retries=1
	fabric_sysctl l1 ipv4/icmp_ratelimit=0 ipv6/icmp/ratelimit=0
	ip -n "$FABRIC-l1" route add unreachable 10.9.0.0/24
	ip -n "$FABRIC-l1" route add unreachable fd00:9::/64
	ip -n "$FABRIC-l1" route add prohibit 10.8.0.0/24
	for address in 10.9.0.1 fd00:9::1 10.8.0.1 10.7.0.1 fd00:7::1; do
		results in_h1 "$SELFTESTS/socket_setup" -u away $address
		results in_h1 "$SELFTESTS/socket_setup" -u away_nonblock $address
	done
	for address in "$H2" "$H2_6"; do
		results in_h1 "$SELFTESTS/socket_setup" -u away_ttl "$address"
	done
	spine_kill 1
	for address in "$H2" "$H2_6"; do
		results in_h1 "$SELFTESTS/socket_setup" -u away "$address"
		results in_h1 "$SELFTESTS/socket_setup" -u away_nonblock "$address"
		results in_h1 "$SELFTESTS/socket_setup" -u away_pending "$address"
	done
}

# A host that has no module has no UDP port either, and says so.
no_module_there()
{
	local udp

	spine_heal 1
	udp=$(in_h2 cat /proc/sys/net/mrc/udp_port)
	mrc_sysctl h1 udp_port=$((udp + 1))
	results in_h1 "$SELFTESTS/socket_setup" -u away "$H2"
	results in_h1 "$SELFTESTS/socket_setup" -u away "$H2_6"
}

# The smallest buffers the system allows, and odd ones
small_buffers()
{
	local size address port=5000

	spine_heal 1
	for size in 1 5000 20001; do
		for address in "$H2" "$H2_6"; do
			port=$((port + 1))
			stream_listen "$port" -b $size -n 1000000 "$address" $port
			stream_connect "$port" -b $size -n 1000000 "$address" $port
			check "1 MB each way through buffers of $size, $address" \
				stream_wait 60
			stream_show "$port"
		done
	done
}

need_root
need_stream
mrc_load
loopback_tests
away_tests
no_module_there
fabric_down
fabric_up 1
small_buffers
