# SPDX-License-Identifier: GPL-2.0
# Sourced, after lib.sh, by tests that send streams across the fabric and look
# at counters.
# shellcheck shell=bash

STREAM=$SELFTESTS/mrc_stream

need_stream()
{
	[ -x "$STREAM" ] || skip_all "mrc_stream is not built"
}

# counter HOST NAME...: sum of these counters of h1 or h2.
counter()
{
	local host=$1

	shift
	"in_$host" awk -v names="$*" '
		NR == 1 { for (i = 2; i <= NF; i++) column[$i] = i; next }
		{ n = split(names, name, " ")
		  for (i = 1; i <= n; i++) sum += $column[name[i]]
		  print sum }' /proc/net/mrc/snmp
}

# counters HOST: all that are not zero, for diagnosis.
counters()
{
	"in_$1" awk 'NR == 1 { split($0, name); next }
		{ for (i = 2; i <= NF; i++) if ($i) printf "%s=%s ", name[i], $i }' \
		/proc/net/mrc/snmp
}

# mrc_sysctl HOST NAME=VALUE...
mrc_sysctl()
{
	local host=$1 setting

	shift
	for setting; do
		"in_$host" sh -c 'echo "$2" >"/proc/sys/net/mrc/$1"' sh \
			"${setting%%=*}" "${setting#*=}"
	done
}

# In the background as programs rather than functions, whose process would be
# a shell's.
#
# stream_listen NAME ARGUMENT...: a server in h2; output in NAME.server.
stream_listen()
{
	local name=$1

	shift
	ip netns exec "$FABRIC-h2" "$STREAM" -l "$@" >"$TEST_TMP/$name.server" 2>&1 &
	stream_server=$!
	wait_for 20 grep -q listening "$TEST_TMP/$name.server"
}

# stream_connect NAME ARGUMENT...: a client in h1, in the background.
stream_connect()
{
	local name=$1

	shift
	ip netns exec "$FABRIC-h1" "$STREAM" "$@" \
		>"$TEST_TMP/$name.client" 2>&1 &
	stream_client=$!
}

# stream_wait SECONDS: for both ends; passes when both are content.
stream_wait()
{
	local pids="$stream_server $stream_client" status=0 pid

	if ! wait_for "$1" stream_ended; then
		echo "no end after $1 s"
		# shellcheck disable=SC2086
		kill -9 $pids
	fi
	for pid in $pids; do
		wait "$pid" || status=1
	done
	return $status
}

stream_ended()
{
	! kill -0 "$stream_server" && ! kill -0 "$stream_client"
}

# stream_value NAME SIDE FIELD: of what that end printed last.
stream_value()
{
	sed -n "s/.*$3=\([0-9.]*\).*/\1/p" "$TEST_TMP/$1.$2"
}

# stream_half NAME SIDE: has half of the data arrived there?
stream_half()
{
	grep -q half "$TEST_TMP/$1.$2"
}

stream_show()
{
	diag "$1, h1: $(tail -n 1 "$TEST_TMP/$1.client")"
	diag "$1, h2: $(tail -n 1 "$TEST_TMP/$1.server")"
}
