#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# socat, by itself with raw addresses of the family, and with its TCP addresses
# under mrcrun.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_app.sh"

BYTES=2000000
PORT=6000

# A socket address without its family, in socat's hexadecimal
raw_address()
{
	case $1 in
	4) printf 'x%04x0a0200020000000000000000' "$2" ;;
	6) printf 'x%04x00000000fd000002000000000000000000000002%08x' "$2" 0 ;;
	esac
}

raw_domain()
{
	if [ "$MRCRUN" != env ]; then
		mrc_family
	elif [ "$1" = 4 ]; then
		echo 2
	else
		echo 10
	fi
}

# transfer NAME LISTEN CONNECT [COMMAND]: the file, both ways at once.
transfer()
{
	local name=$1 listen=$2 connect=$3 back=$TEST_TMP/$1.back

	app_serve "$name" listening ${4:+"$4"} socat -d -d "$listen" \
		"EXEC:tee $TEST_TMP/$name.there"
	in_h1 ${4:+"$4"} socat -t 10 - "$connect" <"$TEST_TMP/data" >"$back"
	cmp "$TEST_TMP/data" "$TEST_TMP/$name.there" &&
	cmp "$TEST_TMP/data" "$back"
}

app_begin socat
app_data "$TEST_TMP/data" $BYTES

for version in 4 6; do
	address=$(raw_address $version $PORT)
	domain=$(raw_domain $version)
	check "IPv$version: raw addresses" transfer "raw$version" \
		"SOCKET-LISTEN:$domain:0:$address,reuseaddr" \
		"SOCKET-CONNECT:$domain:0:$address"
	check "IPv$version: TCP addresses under mrcrun" transfer "tcp$version" \
		"TCP$version-LISTEN:$((PORT + 1)),reuseaddr" \
		"TCP$version:$(app_host $version URL):$((PORT + 1))" "$MRCRUN"
done
app_end
