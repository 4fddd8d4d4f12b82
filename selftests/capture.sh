#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# What leaves the host, as tcpdump sees it: several entropy values, one for
# each burst, and another one for what is sent again.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

BYTES=4000000
PORT=5000

value()
{
	sed -n "s/^$2=//p" "$TEST_TMP/$1.values"
}

# captured NAME ADDRESS SOURCE STRIDE [TCPDUMP-OPTION...]: while a transfer runs
captured()
{
	local name=$1 address=$2 source=$3 stride=$4

	shift 4
	PORT=$((PORT + 1))
	bursts=$(counter h1 OutBursts)
	capture_start "$TEST_TMP/$name.pcap" "$@" udp port 4792
	stream_listen "$name" -n 0 -r $BYTES "$address" $PORT
	stream_connect "$name" -n $BYTES -r 0 "$address" $PORT
	check "$name: all arrives" stream_wait 60
	stream_show "$name"
	capture_stop
	bursts=$(($(counter h1 OutBursts) - bursts))
	/usr/bin/python3 "$SELFTESTS/mrc_pcap.py" "$TEST_TMP/$name.pcap" \
		"$source" "$stride" >"$TEST_TMP/$name.values" ||
		fail "cannot read the capture"
	diag "$name: OutBursts $bursts," $(cat "$TEST_TMP/$name.values")
	check_value "$name: different entropy values" "$(value "$name" evs)" \
		-ge 4
	check_value "$name: one path and generation for each" \
		"$(value "$name" mixed)" -eq 0
}

# Packets leave the host one by one. Where one burst ends and the next begins
# shows in a change of the entropy value, or not at all.
test_packets()
{
	captured "$@"
	check_value "$1: it changes between bursts only" \
		"$(value "$1" runs)" -le $bursts
	check_value "$1: there are bursts of several segments" \
		"$(value "$1" run_max)" -gt 1
}

# Bursts leave the host whole, and are looked at before they are cut.
test_whole()
{
	captured "$@" -s 65535
	check_value "$1: bursts of several segments in one packet" \
		"$(value "$1" whole_max)" -gt 1
}

test_retransmissions()
{
	fabric_each_spine lossy
	captured "$@"
	fabric_each_spine spine_heal
	check_value "$1: some were sent again" "$(value "$1" retrans)" -gt 0
	check_value "$1: with the same entropy value" \
		"$(value "$1" same_ev)" -eq 0
}

lossy()
{
	spine_set "$1" loss 3%
}

need_root
need_stream
need_commands tcpdump /usr/bin/python3
mrc_load
fabric_up 4 100mbit
test_packets "IPv4" "$H2" "$H1" 1472
test_packets "IPv6" "$H2_6" "$H1_6" 1452
test_retransmissions "IPv4, loss" "$H2" "$H1" 1472
test_retransmissions "IPv6, loss" "$H2_6" "$H1_6" 1452
fabric_down
FABRIC_GSO=1
fabric_up 4 100mbit
# A window that is many segments of each path
mrc_sysctl h1 paths=4 standby=0 congestion_control=none
test_whole "IPv4, whole" "$H2" "$H1" 1472
test_whole "IPv6, whole" "$H2_6" "$H1_6" 1452
