#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Options, flags and ioctls, against what TCP does here: socket_table.c. What
# may differ is marked in the manual, beside the reason.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_socket.sh"

MANUAL=$SELFTESTS/../Documentation/man/mrc.7

table_test()
{
	local known

	[ -e "$MANUAL" ] || skip_all "no $MANUAL"
	known=$(mktemp)
	at_exit "rm -f $known"
	sed -n 's/^\.\\" test: //p' "$MANUAL" >"$known"
	results in_lo "$SELFTESTS/socket_table" "$known"
}

need_root
mrc_load
lo_up
table_test
results in_lo "$SELFTESTS/socket_features"
