#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# iperf3, with one server for both families.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_app.sh"

BYTES=4M

run_iperf3()
{
	in_h1 "$MRCRUN" iperf3 -c "$@" -n $BYTES --connect-timeout 5000
}

app_begin iperf3
app_serve server listening "$MRCRUN" iperf3 -s --forceflush

for version in 4 6; do
	host=$(app_host $version)
	check "IPv$version: to the server" run_iperf3 "$host"
	check "IPv$version: from the server" run_iperf3 "$host" -R
	check "IPv$version: four at once" run_iperf3 "$host" -P 4
	check "IPv$version: both ways" run_iperf3 "$host" --bidir
done
app_end
