#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# A thousand connections at once; then the same through the listener's
# stateless answer, and a flood of INITs that must leave nothing behind.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

COUNT=${COUNT:-1000}
FLOOD=3000

serve()
{
	ip netns exec "$FABRIC-h2" "$SELFTESTS/mrc_many" -l "$1" "$2" \
		>"$TEST_TMP/many" 2>&1 &
	server=$!
	wait_for 20 grep -q listening "$TEST_TMP/many"
}

connections()
{
	in_h1 timeout 100 "$SELFTESTS/mrc_many" -c "$COUNT" "$1" "$2"
}

# Sockets of AF_MRC there, whatever their state
sockets()
{
	"$MRC" -n "$FABRIC-h2" sock -a | grep -cv '^State'
}

no_sockets_but()
{
	[ "$(sockets)" -eq "$1" ]
}

thousand()
{
	local name=$1 address=$2 port=$3

	serve "$address" "$port"
	check "$COUNT connections, $name" connections "$address" "$port"
	diag "$(cat "$TEST_TMP/check")"
	check "$name: all sockets but the listener go" \
		wait_for 10 no_sockets_but 1
	kill $server
	check "$name: and the listener" wait_for 5 no_sockets_but 0
}

# INITs from nobody: each with another connection id and port
flood()
{
	serve "$H2" 5003
	mrc_sysctl h2 max_pending=16
	in_h1 "$SELFTESTS/mrc_flood" -n $FLOOD "$H2" 4792 5003
	diag "after the flood: $(sockets) sockets, $(counters h2)"
	check_value "a flood makes no more than max_pending sockets" \
		"$(sockets)" -le 17
	check_value "and is answered without state" \
		"$(counter h2 OutRetries)" -gt $((FLOOD / 2))
	check "an honest client is served meanwhile" connections_few
	check "pending connections go" wait_for 10 no_sockets_but 1
	kill $server
}

connections_few()
{
	in_h1 timeout 20 "$SELFTESTS/mrc_many" -c 10 "$H2" 5003
}

need_root
need_stream
[ -n "$MRC" ] || skip_all "mrc is not built"
mrc_load
fabric_up 4
thousand IPv4 "$H2" 5000
thousand IPv6 "$H2_6" 5001
check_value "no cookie was needed" "$(counter h2 OutRetries)" -eq 0

mrc_sysctl h2 max_pending=0
thousand "with cookies" "$H2" 5002
check_value "RETRY was sent" "$(counter h2 OutRetries)" -ge "$COUNT"
check_value "cookies came back" "$(counter h2 CookieGood)" -ge "$COUNT"
check_value "and were good" "$(counter h2 CookieBad)" -eq 0
flood
diag "h1: $(counters h1)"
diag "h2: $(counters h2)"
fabric_down
# What is left in slabs or keeps the module, mrc_unload finds.
check "unloads" mrc_unload
