#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A redis server, its client with a large value, and its benchmark.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_app.sh"

BYTES=1000000
REQUESTS=500
CLIENTS=10

# The server without its service: on Debian both names are of one program,
# which goes by the name that it is called by.
redis_server()
{
	command -v redis-server && return
	ln -s "$(command -v redis-check-rdb)" "$TEST_TMP/redis-server" &&
	echo "$TEST_TMP/redis-server"
}

# The client ends what it prints with a newline.
value_test()
{
	in_h1 "$MRCRUN" redis-cli -h "$1" -x SET key <"$TEST_TMP/data" &&
	in_h1 "$MRCRUN" redis-cli -h "$1" GET key >"$TEST_TMP/got" &&
	head -c -1 "$TEST_TMP/got" | cmp - "$TEST_TMP/data"
}

benchmark_test()
{
	local output

	output=$(in_h1 "$MRCRUN" redis-benchmark -h "$1" -t set,get \
		-n $REQUESTS -c $CLIENTS -d 1000 --csv 2>&1)
	echo "$output"
	[ "$(echo "$output" | grep -cE '^"(SET|GET)"')" -eq 2 ]
}

app_begin redis-cli redis-benchmark
command -v redis-server redis-check-rdb >/dev/null ||
	skip_all "needs redis-server or redis-check-rdb"
app_data "$TEST_TMP/data" $BYTES
app_serve server "Ready to accept" "$MRCRUN" "$(redis_server)" \
	--bind "$H2" "$H2_6" --protected-mode no --save '' --dir "$TEST_TMP"

for version in 4 6; do
	host=$(app_host $version)
	check "IPv$version: a large value" value_test "$host"
	check "IPv$version: benchmark" benchmark_test "$host"
done
app_end
