#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The examples, and the one in the manual, compile without a warning and work.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_socket.sh"

EXAMPLES=$SELFTESTS/../examples
MANUAL=$SELFTESTS/../Documentation/man/mrc.7
PORT=7777

compile()
{
	make -s -C "$EXAMPLES" OUT="$TEST_TMP" \
		CFLAGS="-O2 -Wall -Wextra -Werror"
}

# What stands between .EX and .EE, as man(1) shows it.
compile_manual()
{
	sed -n '/^\.EX/,/^\.EE/{ /^\.E/d; s/\\e/\\/g; s/\\-/-/g; p }' "$MANUAL" \
		>"$TEST_TMP/manual.c" &&
	[ -s "$TEST_TMP/manual.c" ] &&
	gcc -Wall -Wextra -Werror -I"$SELFTESTS/../include/uapi" \
		-o "$TEST_TMP/manual" "$TEST_TMP/manual.c"
}

start_server()
{
	ip netns exec "$FABRIC-lo" "$TEST_TMP/echo" -l $PORT &
	server=$!
	at_exit "kill $server 2>/dev/null"
	wait_for 10 in_lo "$TEST_TMP/echo" ::1 $PORT up
}

echo_test()
{
	in_lo "$TEST_TMP/echo" "$1" $PORT "hello, $1" | grep -q "hello, $1"
}

need_root
need_commands gcc make
[ -d "$EXAMPLES" ] || skip_all "no $EXAMPLES"
mrc_load
lo_up
check "the examples compile" compile
check "the manual's example compiles" compile_manual
check "the server starts" start_server
check "an echo over IPv4" echo_test 127.0.0.1
check "an echo over IPv6" echo_test ::1
check "the manual's example" in_lo "$TEST_TMP/manual" 127.0.0.1 $PORT
check "paths are shown" sh -c "ip netns exec $FABRIC-lo $TEST_TMP/paths \
	127.0.0.1 $PORT | grep -q 'path 0: entropy value'"
kill $server
