#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# mrc sock and mrc info, and the netlink operations below them by the kernel's
# own client, which knows nothing but our specification.

. "$(dirname "$0")/lib.sh"
# shellcheck source=lib_control.sh
. "$SELFTESTS/lib_control.sh"

PORT=6100

two_listeners()
{
	[ "$(mrc_h2 sock -l | grep -c '^LISTEN')" -eq 2 ]
}

all_sent()
{
	mrc_h1 sock -i >"$TEST_TMP/sent"
	[ "$(grep -cE '^ESTABLISHED +0 +0 ' "$TEST_TMP/sent")" -eq 2 ] &&
		[ "$(grep -c "^	sent:$BYTES " "$TEST_TMP/sent")" -eq 2 ]
}

test_command_line()
{
	check "usage error" refused 2 usage "$MRC" sock -z
	check "unknown verb" refused 2 'verb "nonsense"' "$MRC" nonsense
	check "unknown namespace" refused 1 'namespace "none' \
		"$MRC" -n none$$ sock
}

test_text()
{
	check "listener as text" \
		text "^LISTEN +0 +7 +(0.0.0.0|\*):$PORT +\*:\*" mrc_h2 sock -l
	check "IPv4 connection as text" \
		text "^ESTABLISHED +0 +0 +$H1:[0-9]+ +$H2:$PORT" mrc_h1 sock -4
	check "IPv6 connection as text" \
		text "^ESTABLISHED +0 +0 +\[$H1_6\]:[0-9]+ +\[$H2_6\]:$((PORT + 1))" \
		mrc_h1 sock -6
	check "info line" text 'cong:.* cwnd:[1-9]' mrc_h1 sock -i
	check "paths as text" text '^	 *[0-9]+ +0 +[0-9]+ +GOOD ' \
		mrc_h1 sock -4 -p
	check "paths have flow labels" \
		text '^	 *[0-9]+ +0 +[0-9]+/[0-9a-f]{5} +GOOD ' mrc_h1 sock -6 -p
}

test_json()
{
	json_checks mrc_h2 -j sock -l <<-END
	listener as JSON	all(s['state'] == 'listen' and s['accept_limit'] == 7 for s in d)
	END
	json_checks mrc_h2 -j sock -a <<-END
	sockets in all states	len(d) >= 4
	END
	json_checks mrc_h1 -j sock -4 <<-END
	only IPv4	[s['remote_addr'] for s in d] == ['$H2']
	END
	json_checks mrc_h1 -j sock -6 <<-END
	only IPv6	[s['remote_addr'] for s in d] == ['$H2_6']
	END
	json_checks mrc_h1 -j sock -p <<-END
	owner	all(s['uid'] == $OWNER and s['inode'] for s in d)
	bytes add up	all(s['tx_bytes'] == s['tx_offset'] == $BYTES for s in d)
	round trip time	all(0 < s['min_rtt_us'] <= s['srtt_us'] + 4 * s['rttvar_us'] for s in d)
	window	all(s['cwnd'] >= s['mss'] > 1000 for s in d)
	the administrator sees all paths	len(d) == 2 and all(len(s['paths']) == $paths for s in d)
	entropy values differ	all(len({p['ev'] for p in s['paths']}) > $paths // 2 for s in d)
	several paths carried data	all(sum(p['sent'] > 0 for p in s['paths']) >= 4 for s in d)
	END
}

# The owner may not be able to reach our files: give him a copy.
test_permission()
{
	chmod 755 "$TEST_TMP"
	cp "$MRC" "$TEST_TMP/mrc"
	json_checks as_owner "$TEST_TMP/mrc" -j sock -p <<-END
	the owner may see paths	len(d) == 2 and all('paths' in s for s in d)
	END
	json_checks as_stranger "$MRC" -j sock -p <<-END
	a stranger may list, but not see paths	len(d) == 2 and all('paths' not in s for s in d)
	END
	check "and is told so" text 'paths: not permitted' \
		as_stranger "$MRC" sock -p
}

# ynl: does all that our specification has, and prints the replies;
# of errors the number, the text and the attribute that they complain of.
ynl()
{
	/usr/bin/python3 - "$YNL" "$SPEC" <<-'END'
	import json, sys
	ynl, spec = sys.argv[1:]
	sys.path.insert(0, ynl)
	from lib import YnlFamily, NlError
	schema = ynl + "/../../../../Documentation/netlink/genetlink-c.yaml"
	mrc = YnlFamily(spec, schema)

	def do(op, **attrs):
	    try:
	        return mrc.do(op, attrs)
	    except NlError as e:
	        return [e.nl_msg.error, e.nl_msg.extack.get("msg", ""),
	                e.nl_msg.extack.get("bad-attr", "")]

	d = {"info": do("info-get"), "all": mrc.dump("sock-get", {})}
	d["paths"] = mrc.dump("sock-get", {"paths": True})
	i = d["all"][0]["id"]
	d["one"] = mrc.dump("sock-get", {"id": i})
	d["none"] = mrc.dump("sock-get", {"id": 2 ** 32 - 1})
	d["do"] = do("sock-get", id=i)
	d["do paths"] = do("sock-get", id=i, paths=True)
	d["no id"] = do("sock-get")
	d["unknown id"] = do("sock-get", id=2 ** 32 - 1)
	d["not of a request"] = do("sock-get", id=i, srtt=1)
	print(json.dumps(d))
	END
}

test_ynl()
{
	json_checks ynl_as in_h1 <<-END
	ynl: info-get	d['info']['family'] == $family
	ynl: dump	len(d['all']) == 2 and not any('path' in s for s in d['all'])
	ynl: addresses	{s['remote-addr'] for s in d['all']} == {'$H2', '$H2_6'}
	ynl: dump with paths	[len(s['path']) for s in d['paths']] == 2 * [$paths]
	ynl: dump of one	[s['id'] for s in d['one']] == [d['all'][0]['id']]
	ynl: dump of none	d['none'] == []
	ynl: do	d['do']['id'] == d['all'][0]['id']
	ynl: do with paths	len(d['do paths']['path']) == $paths
	ynl: no id	d['no id'][:2] == [-22, 'id of the socket is missing']
	ynl: unknown id	d['unknown id'] == [-2, 'no socket has this id', '.id']
	ynl: attribute that is not of a request	d['not of a request'][0] == -22 and d['not of a request'][2] == '.srtt'
	END
	json_checks ynl_as as_stranger <<-END
	ynl: dump by a stranger	len(d['paths']) == 2 and not any('path' in s for s in d['paths'])
	ynl: do with paths by a stranger	d['do paths'][0] == -1 and 'CAP_NET_ADMIN' in d['do paths'][1]
	END
}

need_root
need_commands socat python3 setpriv
[ -n "$MRC" ] || skip_all "mrc is not built"
mrc_load
family=$(mrc_family)
fabric_up 4 100mbit
paths=$(in_h1 cat /proc/sys/net/mrc/paths)
paths=$((paths + $(in_h1 cat /proc/sys/net/mrc/standby)))

test_command_line
json_checks mrc_h1 -j info <<-END
info	d['family'] == $family and d['udp_port'] == 4792
END
json_checks mrc_h1 -j sock -a <<-END
no socket	d == []
END

start_server "$(raw4 $PORT 00000000)"
start_server "$(raw6 $((PORT + 1)) fd000002000000000000000000000002)"
check "two listeners" wait_for 20 two_listeners
start_client "$(raw4 $PORT 0a020002)"
start_client "$(raw6 $((PORT + 1)) fd000002000000000000000000000002)"
check "two connections" wait_for 10 all_sent ||
	sed 's/^/# /' "$TEST_TMP/sent"

test_text
test_json
test_permission
if ynl_find; then
	test_ynl
else
	skip "ynl" "no linux-source-7.3 in $MRC_CACHE, or no python3-jsonschema"
fi
