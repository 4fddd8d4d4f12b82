# SPDX-License-Identifier: GPL-2.0
# Sourced, after lib.sh, by tests whose results come from programs, which run
# where only lo is up.
# shellcheck shell=bash

# An emulated processor needs more time until all has happened.
[ -n "$SETTLE_MS" ] || ! grep -q QEMU /proc/cpuinfo || export SETTLE_MS=50

lo_up()
{
	ip netns add "$FABRIC-lo"
	at_exit "ip netns del $FABRIC-lo"
	ip -n "$FABRIC-lo" link set lo up
}

in_lo()
{
	ip netns exec "$FABRIC-lo" "$@"
}

# results COMMAND...: it prints KTAP lines, which become ours.
results()
{
	local line seen=0

	while IFS= read -r line; do
		case $line in
		'ok '*) ok "${line#ok * }"; seen=1 ;;
		'not ok '*) not_ok "${line#not ok * }"; seen=1 ;;
		*) echo "# ${line#\# }" ;;
		esac
	done < <("$@" 2>&1)
	[ $seen = 1 ] || fail "no result: $*"
}
