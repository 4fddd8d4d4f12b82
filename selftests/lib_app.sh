# SPDX-License-Identifier: GPL-2.0-only
# Sourced, after lib.sh, by the tests of applications, which are run under
# mrcrun over a fabric of four spines. MRCRUN=env runs the same by TCP.
# shellcheck shell=bash

# app_begin COMMAND...: the fabric, once all that the test needs is there.
app_begin()
{
	need_root
	need_commands "$@"
	if [ "$MRCRUN" != env ]; then
		[ -n "$MRCRUN" ] || skip_all "mrcrun is not built"
		mrc_load
	fi
	fabric_up 4 100mbit
}

# app_serve NAME READY COMMAND...: in h2, until what it writes matches READY.
app_serve()
{
	local log=$TEST_TMP/$1.log ready=$2

	shift 2
	in_h2 "$@" >"$log" 2>&1 </dev/null &
	wait_for 20 grep -q -- "$ready" "$log" && return
	sed 's/^/# /' "$log"
	fail "not ready: $*"
	exit 1
}

# app_data FILE BYTES: what no one could have by chance.
app_data()
{
	head -c "$2" /dev/urandom >"$1"
}

# app_host 4|6 [URL]: address of h2, in brackets where a URL needs them.
app_host()
{
	case $1$2 in
	4*) echo "$H2" ;;
	6) echo "$H2_6" ;;
	*) echo "[$H2_6]" ;;
	esac
}

tcp_opens()
{
	in_h1 awk '/^Tcp:/ { if (seen++) print $6 }' /proc/net/snmp
}

# An application that went round us would pass every other check.
app_end()
{
	if [ "$MRCRUN" != env ]; then
		check_value "no connection was TCP" "$(tcp_opens)" -eq 0
	fi
}
