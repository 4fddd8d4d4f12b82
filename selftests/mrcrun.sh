#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mrcrun itself: its exit status, its environment, and the options of TCP on
# sockets that it has converted.

. "$(dirname "$0")/lib.sh"

# exits STATUS COMMAND...: with one line of explanation unless it is 0.
exits()
{
	local expected=$1 status

	shift
	"$@" >"$TEST_TMP/out" 2>"$TEST_TMP/err"
	status=$?
	cat "$TEST_TMP/err"
	[ $status -eq "$expected" ] || { echo "exit status $status"; return 1; }
	[ $status -eq 0 ] || [ "$(grep -c '^mrcrun: ' "$TEST_TMP/err")" -eq 1 ]
}

prints()
{
	local expected=$1 output

	shift
	output=$("$@" 2>&1)
	[ "$output" = "$expected" ] || { echo "$output"; return 1; }
}

# The first entry is ours, the others as they were.
keeps_preload()
{
	LD_PRELOAD=libm.so.6:libdl.so.2 "$MRCRUN" sh -c 'echo "$LD_PRELOAD"' |
		grep -x '[^:]*/libmrcrun.so:libm.so.6:libdl.so.2'
}

shows_conversion()
{
	MRCRUN_DEBUG=1 "$MRCRUN" "$OPTIONS" "$1" "$FAMILY" 2>&1 |
		grep "IPv$1 socket -> family $FAMILY: fd"
}

OPTIONS=$SELFTESTS/mrcrun_options
[ -x "$OPTIONS" ] || skip_all "mrcrun_options is not built"
[ -n "$MRCRUN" ] || skip_all "mrcrun is not built"

if ! mrc_loaded && ! modprobe -n mrc 2>/dev/null; then
	check "without the module: exit status 1" exits 1 "$MRCRUN" true
fi
mrc_load
FAMILY=$(mrc_family)

check "no program: exit status 2" exits 2 "$MRCRUN"
check "unknown option: exit status 2" exits 2 "$MRCRUN" --unknown true
check "no such program: exit status 127" exits 127 "$MRCRUN" ./missing
check "not a program: exit status 126" exits 126 "$MRCRUN" /
check "the program's exit status" prints 7 "$MRCRUN" sh -c 'sh -c "exit 7"; echo $?'
check "options are the program's" prints "-n --help" \
	"$MRCRUN" -- printf '%s %s' -n --help
check "LD_PRELOAD is kept" keeps_preload

for version in 4 6; do
	check "IPv$version: options on TCP" \
		"$OPTIONS" $version $((version == 4 ? 2 : 10))
	check "IPv$version: options on AF_MRC" \
		"$MRCRUN" "$OPTIONS" $version "$FAMILY"
	check "IPv$version: MRCRUN_DEBUG" shows_conversion $version
done
