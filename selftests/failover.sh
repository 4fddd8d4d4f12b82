#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Spines die half-way through a transfer: the reader must hardly notice, the
# sender must leave the paths through them, and come back when they are healed.
# How little is measured in virtual time only (MRC_VIRTUAL), where processors
# cost none. RATE, of each spine's links, is well below what an emulated one can
# do, and queues are short next to the stall that is allowed.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

# Mb/s, of each spine
[ -z "$MRC_VIRTUAL" ] || RATE=${RATE:-50}
RATE=${RATE:-5}
# Ten seconds; where each command takes its time, twenty
[ -z "$MRC_VIRTUAL" ] || BYTES=${BYTES:-$((RATE * 5000000))}
BYTES=${BYTES:-$((RATE * 10000000))}
FABRIC_QUEUE=15
GAP_MS=100
PORT=5000

# direction_kill SPINE LEAF: what that spine sends to that leaf is lost.
direction_kill()
{
	echo "qdisc replace dev $2 root netem loss 100%" |
		tc -n "$FABRIC-s$1" -batch -
}

# How many packets come into a spine from h1 in a fifth of a second
flow_through()
{
	local before

	before=$(spine_packets "$1" 1)
	sleep 0.2
	echo $(($(spine_packets "$1" 1) - before))
}

# A fifth of what its links carry is more than probes alone would be.
flows_again()
{
	[ "$(flow_through "$1")" -gt $((RATE * 4)) ]
}

flow_stops()
{
	! flows_again "$1"
}

# Paths of the connection in one of these states
paths_in()
{
	"$MRC" -n "$FABRIC-h1" sock -p | grep -cE "$1"
}

# experiment NAME ADDRESS SPINES BREAK-COMMAND...
# From h1 to h2; BREAK-COMMAND is called with each of SPINES.
experiment()
{
	local name=$1 address=$2 spines=$3 spine base_out recovered
	local bytes=$BYTES

	shift 3
	# It must not be over before its spine is healed and looked at.
	[ "$1" != spine_kill ] || [ -n "$MRC_VIRTUAL" ] || bytes=$((2 * bytes))
	PORT=$((PORT + 1))
	base_out=$(counter h1 PathSuspect PathBad)
	base_timeouts=$(counter h1 Timeouts)
	stream_listen "$name" -n 0 -r "$bytes" "$address" $PORT
	stream_connect "$name" -n "$bytes" -r 0 "$address" $PORT
	wait_for 60 stream_half "$name" server ||
		fail "$name: half of it never arrived"
	for spine in $spines; do
		"$@" "$spine"
	done
	sleep 0.3
	if [ "$1" = spine_kill ]; then
		check_value "$name: suspected or bad paths" \
			$(($(counter h1 PathSuspect PathBad) - base_out)) -gt 0
		if [ -n "$MRC" ]; then
			check_value "$name: mrc sock -p shows them" \
				"$(paths_in 'SUSPECT|ASSUMED-BAD')" -gt 0
		fi
		for spine in $spines; do
			check "$name: dead spine $spine gets no data" \
				wait_for 5 flow_stops "$spine"
		done
	fi
	recovered=$(counter h1 PathRecovered)
	for spine in $spines; do
		spine_heal "$spine"
	done
	if [ "$1" = spine_kill ]; then
		for spine in $spines; do
			check "$name: spine $spine is used again" \
				wait_for 5 flows_again "$spine"
		done
		check_value "$name: paths recovered" \
			"$(counter h1 PathRecovered)" -gt "$recovered"
	fi
	check "$name: all arrives" stream_wait 90
	stream_show "$name"
	# Elsewhere it is the machine that is measured.
	if [ -n "$MRC_VIRTUAL" ]; then
		check_value "$name: longest stall, ms" \
			"$(stream_value "$name" server gap_ms)" -le "$GAP_MS"
	fi
	check_value "$name: no timeout" "$(counter h1 Timeouts)" -eq \
		"$base_timeouts"
}

back_only()
{
	direction_kill "$1" l1
}

there_only()
{
	direction_kill "$1" l2
}

need_root
need_stream
mrc_load
fabric_up 4 "${RATE}mbit"
experiment "one spine" "$H2" "2" spine_kill
experiment "one spine, IPv6" "$H2_6" "2" spine_kill
experiment "two of four" "$H2" "1 3" spine_kill
experiment "only the way back" "$H2" "4" back_only
experiment "only the way there" "$H2" "4" there_only
experiment "two of four, way back" "$H2" "1 3" back_only
diag "h1: $(counters h1)"
diag "h2: $(counters h2)"
