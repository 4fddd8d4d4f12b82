#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Tracepoints: each is hit, and has the fields that its documentation lists.

. "$(dirname "$0")/lib.sh"
# shellcheck source=lib_control.sh
. "$SELFTESTS/lib_control.sh"

PORT=6300
TRACING=/sys/kernel/tracing
HEADER=$SELFTESTS/../include/trace/events/mrc.h

# Names of the fields that an event has of its own
fields_of()
{
	sed -n 's/.*field:.* \([a-z0-9_]*\)\(\[[0-9]*\]\)*;.*/\1/p' \
		"$TRACING/events/mrc/$1/format" | grep -v '^common_'
}

# Those that the comment above the event lists; netns to raddr all have, and
# path to state those of a path, which may list a path of their own.
documented()
{
	printf '%s\n' netns id lport rport laddr raddr
	sed -n "/^TRACE_EVENT($1,/,/^);/p" "$HEADER" | grep -q PATH_FIELDS &&
		printf '%s\n' path plane gen state ev
	awk -v event="TRACE_EVENT($1," '
		/^\/\*/ { n = 0 }
		/^ \*\t[a-z]/ { field[n++] = $2 }
		$0 == event { for (i = 0; i < n; i++) print field[i] }' "$HEADER"
}

fields_are_documented()
{
	diff <(fields_of "$1" | sort) <(documented "$1" | sort)
}

all_acknowledged()
{
	mrc_h1 sock -i >"$TEST_TMP/sent"
	grep -qE '^ESTABLISHED +0 +0 ' "$TEST_TMP/sent" &&
		grep -q '^	sent:300000 ' "$TEST_TMP/sent"
}

traced()
{
	grep -Eq "$1" "$TEST_TMP/trace" && return
	grep -E "${1%%:*}" "$TEST_TMP/trace" | head -n 5
	return 1
}

# Is mrc trace?
tracing()
{
	grep -q 1 $TRACING/instances/mrc-*/events/mrc/mrc_loss/enable
}

need_root
need_commands socat setpriv
[ -n "$MRC" ] || skip_all "mrc is not built"
mrc_load
family=$(mrc_family)
[ -e $TRACING/events ] || mount -t tracefs tracefs $TRACING 2>/dev/null
[ -e $TRACING/events/mrc ] || skip_all "this kernel has no tracepoints"

for event in "$TRACING"/events/mrc/mrc_*; do
	check "fields of ${event##*/}" fields_are_documented "${event##*/}"
done

# With a dead spine, there are losses.
fabric_up 4 100mbit
start_server "$(raw4 $PORT 00000000)"
check "listener" wait_for 20 text '^LISTEN' mrc_h2 sock -l
spine_kill 1
echo >$TRACING/trace
"$MRC" -n "$FABRIC-h1" trace handshake loss >"$TEST_TMP/mrc_trace" 2>&1 &
tracer=$!
at_exit "kill $tracer 2>/dev/null"
echo 1 >$TRACING/events/mrc/enable
# It takes a while to begin.
wait_for 20 tracing
at_exit "echo 0 >$TRACING/events/mrc/enable"
start_client "$(raw4 $PORT 0a020002)" 300000
check "connection" wait_for 30 all_acknowledged
check "end it" mrc_h1 sock -K rport=$PORT
echo 0 >$TRACING/events/mrc/enable
cp $TRACING/trace "$TEST_TMP/trace"

kill $tracer
wait $tracer
check "mrc trace" grep -q 'mrc_loss: .* cause=' "$TEST_TMP/mrc_trace"
check "only what is asked for" test -z \
	"$(grep -v -e mrc_loss: -e mrc_handshake: "$TEST_TMP/mrc_trace")"
check "it leaves nothing" test -z "$(ls $TRACING/instances)"
check "handshake" traced "mrc_handshake:.* remote=\[::ffff:$H2\]:$PORT step=init "
check "its success" traced 'mrc_handshake:.* step=established error=0'
check "choice" traced 'mrc_path_choice:.* path=[0-9]+ plane=0 ev=[0-9]+ .* usable=[0-9]'
check "state" traced 'mrc_path_state:.* state=good from=unknown why=acked'
check "suspicion" traced 'mrc_path_state:.* state=suspect from=[a-z]* why=silent'
check "ack" traced 'mrc_ack:.* acked=[1-9][0-9]* rtt_us=[1-9]'
check "loss" traced 'mrc_loss:.* psn=[0-9]+ cause=(silent|all-silent)'
check "retransmission" traced 'mrc_retransmit:.* offset=[0-9]+ len=[1-9]'
check "window" traced 'mrc_cwnd:.* cwnd=[1-9][0-9]* inflight='
check "end" traced 'mrc_close:.* why=killed error=103'
