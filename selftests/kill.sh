#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# One end is killed at any moment, or its network vanishes: the other end must
# be told, and nothing may be left. MRC_SEED repeats a run.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

ROUNDS=${ROUNDS:-24}
RANDOM=${MRC_SEED:-$$}
BYTES=1000000000
PORT=5000

# what_happened FILE: how that end saw it
what_happened()
{
	grep -E 'recv|send|connect|accept|received' "$1" | tail -n 1
}

told()
{
	what_happened "$1" | grep -qE 'ECONNRESET|EPIPE|received|ECONNREFUSED'
}

# kill_round VICTIM: client or server is killed within 300 ms.
kill_round()
{
	local victim=$1 other=server ms=$((RANDOM % 300)) address=$H2

	[ "$victim" = client ] || other=client
	[ $((RANDOM % 2)) = 0 ] || address=$H2_6
	PORT=$((PORT + 1))
	stream_listen round -n $BYTES "$address" $PORT
	stream_connect round -n $BYTES "$address" $PORT
	sleep "$(printf 0.%03d $ms)"
	if [ "$victim" = client ]; then
		kill -9 $stream_client
	else
		kill -9 $stream_server
	fi
	if ! wait_for 5 stream_ended; then
		# A client that was killed before it connected tells nobody.
		if [ "$other" = server ] && [ "$(wc -l <"$TEST_TMP/round.server")" = 1 ]; then
			kill -9 $stream_server
		else
			diag "$victim killed after $ms ms, to $address:" \
				"the $other does not notice"
			kill -9 $stream_server $stream_client
			return 1
		fi
	fi
	wait $stream_server $stream_client 2>/dev/null
	outcomes+=("$(what_happened "$TEST_TMP/round.$other")")
}

kill_rounds()
{
	local i victims=(client server) bad=0

	outcomes=()
	for i in $(seq "$ROUNDS"); do
		kill_round "${victims[i % 2]}" || bad=$((bad + 1))
	done 2>/dev/null
	check_value "of $ROUNDS kills, unnoticed" $bad -eq 0
	printf '%s\n' "${outcomes[@]}" | sort | uniq -c | sed 's/^/# /'
}

no_sockets()
{
	grep -qx "$1" /sys/module/mrc/refcnt
}

# The network vanishes while both send; nobody can be told but by timeouts.
vanish()
{
	local name=$1 address=$2 before

	PORT=$((PORT + 1))
	mrc_sysctl h1 user_timeout_ms=1500
	mrc_sysctl h2 user_timeout_ms=1500
	before=$(counter h1 Timeouts)
	stream_listen "$name" -n $BYTES "$address" $PORT
	stream_connect "$name" -n $BYTES "$address" $PORT
	sleep 0.3
	fabric_each_spine spine_kill
	check "$name: both ends give up" wait_for 8 stream_ended
	wait $stream_server $stream_client
	stream_show "$name"
	check "$name: h1 says so" grep -q ETIMEDOUT "$TEST_TMP/$name.client"
	check "$name: h2 says so" grep -q ETIMEDOUT "$TEST_TMP/$name.server"
	check_value "$name: it was counted" "$(counter h1 Timeouts)" -gt "$before"
	fabric_each_spine spine_heal
}

# A reader that pauses, or a connection that was idle, for longer than the user
# timeout is no reason to give up: the peer answers.
pauses()
{
	PORT=$((PORT + 1))
	stream_listen pause -r 5000000 -n 0 -p 4000 "$H2" $PORT
	stream_connect pause -n 5000000 -r 0 "$H2" $PORT
	check "a reader may pause for longer than the user timeout" \
		stream_wait 20
	stream_show pause
}

idle_then_loss()
{
	PORT=$((PORT + 1))
	stream_listen idle -r 0 -n 2000000 -w 3000 "$H2" $PORT
	stream_connect idle -n 0 -r 2000000 "$H2" $PORT
	sleep 2
	fabric_each_spine lossy
	check "a loss after a long idle time is no timeout" stream_wait 20
	stream_show idle
	fabric_each_spine spine_heal
}

lossy()
{
	spine_set "$1" loss 20%
}

need_root
need_stream
mrc_load
users=$(cat /sys/module/mrc/refcnt)
fabric_up 2 50mbit
diag "MRC_SEED=${MRC_SEED:-$$}"
kill_rounds
check "no socket is left" wait_for 15 no_sockets "$users"
vanish IPv4 "$H2"
vanish IPv6 "$H2_6"
pauses
idle_then_loss
check "no socket is left after that" wait_for 15 no_sockets "$users"
diag "h1: $(counters h1)"
diag "h2: $(counters h2)"
