#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Spines that drop large packets without a word: a path through one must be found
# to carry less, not to be bad; data arrives whole, and segments fit the smallest
# path. Stalls are measured in virtual time only (MRC_VIRTUAL).

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

# Mb/s, of each spine
[ -z "$MRC_VIRTUAL" ] || RATE=${RATE:-50}
RATE=${RATE:-5}
# Four seconds; where each command takes its time, eight
[ -z "$MRC_VIRTUAL" ] || BYTES=${BYTES:-$((RATE * 2000000))}
BYTES=${BYTES:-$((RATE * 4000000))}
FABRIC_QUEUE=15
GAP_MS=${GAP_MS:-60}
RAISE_MS=300
PORT=5500

# spine_mtu MTU SPINE...: a veth drops what is larger when it arrives, but for
# the four octets of a VLAN tag that might be in it: paths come out a bit larger.
spine_mtu()
{
	local mtu=$1 spine

	shift
	for spine; do
		printf "link set %s mtu $mtu\n" l1 l2 |
			ip -n "$FABRIC-s$spine" -batch -
	done
}

begin()
{
	name=$1 address=$2
	PORT=$((PORT + 1))
	base_holes=$(counter h1 PmtuBlackHoles)
	base_raised=$(counter h1 PmtuRaised)
	base_probes=$(counter h1 OutPmtuProbes)
	stream_listen "$name" -g -n 0 -r "$BYTES" "$address" $PORT
	stream_connect "$name" -n "$BYTES" -r 0 "$address" $PORT
}

half()
{
	wait_for 60 stream_half "$name" server ||
		fail "$name: half of it never arrived"
}

# The smallest and the largest MTU of a path, and the payload of a segment
sizes()
{
	"$MRC" -n "$FABRIC-h1" sock -i -p | awk '
		match($0, /mss:[0-9]+/) { mss = substr($0, RSTART + 4, RLENGTH - 4) }
		$1 ~ /^[0-9]+$/ { if (!least || $7 < least) least = $7
				  if ($7 > most) most = $7 }
		END { print least + 0, most + 0, mss + 0 }'
}

# sizes_are MIN MAX: the smallest MTU lies between, and segments fit it.
sizes_are()
{
	local least most mss headers=56

	read -r least most mss <<<"$(sizes)"
	[[ $address != *:* ]] || headers=76
	echo "smallest MTU $least, largest $most, segments of $mss"
	[ "$least" -ge "$1" ] && [ "$least" -le "$2" ] &&
		[ "$mss" -eq $((least - headers)) ]
}

expect_sizes()
{
	if [ -z "$MRC" ]; then
		skip "$name: sizes" "mrc is not built"
	elif wait_for 20 sizes_are "$1" "$2"; then
		ok "$name: the smallest path has an MTU of $1 to $2, segments fit"
	else
		diag "$(sizes_are "$1" "$2")"
		not_ok "$name: the smallest path has an MTU of $1 to $2, segments fit"
	fi
}

black_holes()
{
	echo $(($(counter h1 PmtuBlackHoles) - base_holes))
}

found_black_hole()
{
	[ "$(black_holes)" -gt 0 ]
}

finish_transfer()
{
	check "$name: all arrives" stream_wait 90
	stream_show "$name"
	diag "$name: $(($(counter h1 OutPmtuProbes) - base_probes)) probes," \
		"$(black_holes) black holes," \
		"$(($(counter h1 PmtuRaised) - base_raised)) raised"
	# Elsewhere it is the machine that is measured.
	if [ -n "$MRC_VIRTUAL" ]; then
		check_value "$name: longest stall, ms" \
			"$(stream_value "$name" server gap_ms)" -le "$GAP_MS"
	fi
	check_value "$name: no timeout" "$(counter h1 Timeouts)" -eq 0
}

# no_fault NAME ADDRESS MTU: what the routes say is used.
no_fault()
{
	begin "$1" "$2"
	half
	expect_sizes "$3" "$3"
	finish_transfer
	check_value "$name: no black hole" "$(black_holes)" -eq 0
}

# from_start NAME ADDRESS MTU SPINE...: they have this MTU before it begins.
from_start()
{
	local mtu=$3

	spine_mtu "$mtu" "${@:4}"
	begin "$1" "$2"
	half
	expect_sizes $((mtu - 32)) $((mtu + 4))
	check "$name: a black hole is found" wait_for 20 found_black_hole
	finish_transfer
}

# shrinks NAME ADDRESS MTU BEFORE SPINE...: they get this MTU half-way, and the
# one from before again.
shrinks()
{
	local mtu=$3 before=$4

	mrc_sysctl h1 pmtu_raise_ms=$RAISE_MS
	begin "$1" "$2"
	half
	spine_mtu "$mtu" "${@:5}"
	check "$name: a black hole is found" wait_for 20 found_black_hole
	expect_sizes $((mtu - 32)) $((mtu + 4))
	spine_mtu "$before" "${@:5}"
	expect_sizes "$before" "$before"
	finish_transfer
	mrc_sysctl h1 pmtu_raise_ms=600000
}

# told NAME ADDRESS MTU SPINE: only its way out is small, so that it says so.
told()
{
	local mtu=$3 before

	before=$(counter h1 IcmpMatched)
	ip -n "$FABRIC-s$4" link set l2 mtu "$mtu"
	begin "$1" "$2"
	half
	expect_sizes "$mtu" "$mtu"
	check_value "$name: ICMP was believed" "$(counter h1 IcmpMatched)" -gt \
		"$before"
	finish_transfer
}

# Emulated processors would take minutes for all of it, and what is to be looked
# at meanwhile would be over.
in_virtual_time()
{
	[ -z "$MRC_VIRTUAL" ] || "$@"
}

need_root
need_stream
mrc_load

fabric_up 4 "${RATE}mbit"
in_virtual_time no_fault "1500" "$H2" 1500
in_virtual_time no_fault "1500, IPv6" "$H2_6" 1500
in_virtual_time shrinks "one shrinks to 1280" "$H2" 1280 1500 2
in_virtual_time shrinks "all shrink to 1280, IPv6" "$H2_6" 1280 1500 1 2 3 4
from_start "one of 1280" "$H2" 1280 3
in_virtual_time from_start "one of 1280, IPv6" "$H2_6" 1280 3
in_virtual_time from_start "all of 1280" "$H2" 1280 1 2 3 4
from_start "all of 1280, IPv6" "$H2_6" 1280 1 2 3 4
spine_mtu 1500 1 2 3 4
told "one says 1300" "$H2" 1300 4
diag "h1: $(counters h1)"
diag "h2: $(counters h2)"
fabric_down

fabric_up 4 "${RATE}mbit" 0 9000
# A packet takes six times as long.
GAP_MS=$((2 * GAP_MS))
in_virtual_time no_fault "9000" "$H2" 9000
from_start "one of 1500, others 9000" "$H2" 1500 1
in_virtual_time \
	from_start "all of 1500, hosts 9000, IPv6" "$H2_6" 1500 1 2 3 4
in_virtual_time from_start "all of 1400, hosts 9000" "$H2" 1400 1 2 3 4
diag "h1: $(counters h1)"
diag "h2: $(counters h2)"
