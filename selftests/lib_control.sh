# SPDX-License-Identifier: GPL-2.0-only
# Sourced by tests of the control plane: what programs print, who may see it,
# and the kernel's own netlink client.
# shellcheck shell=bash

OWNER=65534
BYTES=3000000
SPEC=$SELFTESTS/../Documentation/netlink/specs/mrc.yaml
MRC_CACHE=${MRC_CACHE:-$HOME/.cache/mrc}

# json_checks COMMAND...: what it prints is d. Each line of stdin is an
# expression that must be true of it, behind a name and a tab. All in one
# process, since Python is slow to start where there is no KVM.
json_checks()
{
	local result name

	"$@" >"$TEST_TMP/json" 2>"$TEST_TMP/json.err" ||
		fail "$*: $(cat "$TEST_TMP/json.err")"
	python3 /dev/fd/3 "$TEST_TMP/json" 3<<-'END' >"$TEST_TMP/results"
	import json, sys
	try:
	    d = json.load(open(sys.argv[1]))
	except ValueError:
	    d = None
	for line in sys.stdin:
	    name, expression = line.strip().split("\t")
	    try:
	        good = eval(expression)
	    except Exception:
	        good = False
	    print("ok" if good else "not_ok", name, expression, sep="\t")
	END
	while IFS=$'\t' read -r result name expression; do
		if [ "$result" = not_ok ]; then
			diag "not so: $expression"
			head -c 2000 "$TEST_TMP/json" | sed 's/^/# /'
			echo
		fi
		"$result" "$name"
	done <"$TEST_TMP/results"
}

# The pattern must be in what the command prints.
text()
{
	local pattern=$1

	shift
	"$@" >"$TEST_TMP/text" || return
	grep -Eq -- "$pattern" "$TEST_TMP/text" && return
	echo "nothing matches $pattern"
	cat "$TEST_TMP/text"
	return 1
}

# It must fail, with that status, and one line that matches.
refused()
{
	local status=$1 pattern=$2 got

	shift 2
	"$@" >"$TEST_TMP/text" 2>&1
	got=$?
	cat "$TEST_TMP/text"
	echo "status $got, expected $status and $pattern"
	[ "$got" -eq "$status" ] &&
		[ "$(wc -l <"$TEST_TMP/text")" -eq 1 ] &&
		grep -Eq -- "$pattern" "$TEST_TMP/text"
}

mrc_h1() { "$MRC" -n "$FABRIC-h1" "$@"; }
mrc_h2() { "$MRC" -n "$FABRIC-h2" "$@"; }

# The connections are nobody's. Root without capabilities, in the namespace, is
# neither their owner nor the administrator, but can still read our files.
as_owner()
{
	in_h1 setpriv --reuid=$OWNER --clear-groups --bounding-set=-all "$@"
}

as_stranger()
{
	in_h1 setpriv --bounding-set=-all --inh-caps=-all "$@"
}

# socat wants the address behind its family, in hexadecimal.
raw4() { printf 'x%04x%s0000000000000000' "$1" "$2"; }
raw6() { printf 'x%04x00000000%s00000000' "$1" "$2"; }

# start_server ADDRESS
start_server()
{
	in_h2 socat -u "SOCKET-LISTEN:$family:0:$1,fork,backlog=7" \
		OPEN:/dev/null,append &
	at_exit "kill $! 2>/dev/null"
}

# start_client ADDRESS [BYTES]: sends, and then stays until the fabric goes.
start_client()
{
	as_owner socat -u "SYSTEM:head -c ${2:-$BYTES} /dev/zero; sleep 1000" \
		"SOCKET-CONNECT:$family:0:$1" &
	at_exit "kill $! 2>/dev/null"
}

ynl_find()
{
	for YNL in "$YNL" "$MRC_CACHE"/linux-7.3*/tools/net/ynl/pyynl; do
		[ -e "$YNL/cli.py" ] || continue
		/usr/bin/python3 -c 'import yaml, jsonschema' 2>/dev/null
		return
	done
	return 1
}

# ynl_as COMMAND...: the test's function ynl by way of that command. Functions do
# not get through setpriv.
ynl_as()
{
	export YNL SPEC
	export -f ynl
	"$@" bash -c ynl
}
