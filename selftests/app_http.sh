#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# curl gets files from Python's http.server, which serves both families with
# one socket.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_app.sh"

BYTES=2000000
PORT=8000

get_file()
{
	in_h1 "$MRCRUN" curl -sS --fail --max-time 60 -o "$TEST_TMP/got" \
		"http://$1:$PORT/large" && cmp "$TEST_TMP/got" "$TEST_TMP/www/large"
}

# More connections than one, at once, in one program
get_many()
{
	local i

	in_h1 "$MRCRUN" curl -sS --fail --max-time 60 --parallel \
		-o "$TEST_TMP/got#1" "http://$1:$PORT/small?[1-4]" || return
	for i in 1 2 3 4; do
		cmp "$TEST_TMP/got$i" "$TEST_TMP/www/small" || return
		rm "$TEST_TMP/got$i"
	done
}

app_begin curl python3
mkdir "$TEST_TMP/www"
app_data "$TEST_TMP/www/large" $BYTES
app_data "$TEST_TMP/www/small" 10000
app_serve server Serving "$MRCRUN" python3 -ISu -m http.server --bind :: \
	--directory "$TEST_TMP/www" $PORT

for version in 4 6; do
	host=$(app_host $version URL)
	check "IPv$version: a large file" get_file "$host"
	check "IPv$version: four at once" get_many "$host"
done
app_end
