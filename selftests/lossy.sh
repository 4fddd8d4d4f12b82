#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Data both ways at once through a bad fabric: every spine loses, reorders and
# repeats packets, and one of them blinks. MRC_BYTES (each way) makes it long.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

BYTES=${MRC_BYTES:-16000000}
# At least 0.4 MB/s each way, which is far from what it should be
SECONDS_MAX=$((30 + BYTES / 400000))
PORT=5000

make_bad()
{
	spine_set "$1" delay 1ms loss 1% reorder 95% duplicate 1%
}

# spine_blink heals with what spine_set made; here it must stay bad.
blink()
{
	while :; do
		sleep 0.3
		spine_kill 4
		sleep 0.2
		make_bad 4
	done >/dev/null 2>&1 &
	blinker=$!
	at_exit "kill $blinker 2>/dev/null"
}

# moved HOST NAME COUNTER...: that has happened, says the sum of the counters.
moved()
{
	local host=$1 name=$2

	shift 2
	check_value "$name in $host" "$(counter "$host" "$@")" -gt 0
}

transfer()
{
	local name=$1 address=$2 host

	PORT=$((PORT + 1))
	stream_listen "$name" -s $PORT -n "$BYTES" "$address" $PORT
	stream_connect "$name" -s $PORT -n "$BYTES" "$address" $PORT
	check "$BYTES bytes each way, $name" stream_wait $SECONDS_MAX
	stream_show "$name"
	for host in h1 h2; do
		diag "$host: $(counters $host)"
	done
}

# Who opens the connection is silent: the other end speaks first, and no part
# of the handshake may be lost for good.
greetings()
{
	local count=40

	# So that what is lost last does not hold up the end for a minute
	mrc_sysctl h1 user_timeout_ms=5000
	mrc_sysctl h2 user_timeout_ms=5000
	fabric_each_spine spine_set_lossy
	ip netns exec "$FABRIC-h2" "$SELFTESTS/mrc_many" -l -g "$H2" 6000 \
		>"$TEST_TMP/many" 2>&1 &
	at_exit "kill $!"
	wait_for 20 grep -q listening "$TEST_TMP/many"
	check "$count greetings from a server that speaks first, 20 % loss" \
		in_h1 timeout 40 "$SELFTESTS/mrc_many" -g -c $count "$H2" 6000
}

spine_set_lossy()
{
	spine_set "$1" loss 20%
}

need_root
need_stream
[ -x "$SELFTESTS/mrc_many" ] || skip_all "mrc_many is not built"
mrc_load
FABRIC_QUEUE=1000
fabric_up 4 100mbit
fabric_each_spine make_bad
blink
transfer IPv4 "$H2"
transfer IPv6 "$H2_6"
kill $blinker
for host in h1 h2; do
	moved $host "packets were sent again" RetransReorder RetransPto \
		RetransRto
	moved $host "segments came twice" DupSegs
	moved $host "segments came early" OfoSegs
	moved $host "a path was suspected" PathSuspect PathBad
	moved $host "and came back" PathRecovered
	check_value "no connection timed out in $host" \
		"$(counter $host Timeouts EstabResets)" -eq 0
done
greetings
