#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What changes connections, paths and settings, what tells of them, and who may:
# by mrc, by files, and by the kernel's own netlink client.

. "$(dirname "$0")/lib.sh"
# shellcheck source=lib_control.sh
. "$SELFTESTS/lib_control.sh"

PORT=6200

one_connection()
{
	[ "$(mrc_h1 sock state=established | grep -c '^ESTABLISHED')" -eq 1 ]
}

connection_id()
{
	mrc_h1 sock -i state=established | sed -n 's/^	id:\([0-9]*\) .*/\1/p'
}

connect()
{
	start_client "$(raw4 $PORT 0a020002)" "$@"
	wait_for 20 one_connection
}

# Below, at and above its bounds; the command reads "name least most" lines.
bounds_script='
	cd /proc/sys/net/mrc || exit
	while read -r name least most count; do
		old=$(cat "$name")
		case $count in
		1) low=$least high=$most ;;
		3) low="$least $least $least" high="$most $most $most" ;;
		esac
		for bad in $((least - 1)) $((most + 1)); do
			[ "$count" = 1 ] || bad="$bad $bad $bad"
			echo "$bad" >"$name" && echo "$name takes $bad"
			[ "$(cat "$name")" = "$old" ] || echo "$name: $bad stays"
		done 2>/dev/null
		for good in "$low" "$high" "$old"; do
			echo "$good" >"$name" || echo "$name refuses $good"
			[ "$(cat "$name" | tr "\t" " ")" = \
				"$(echo "$good" | tr "\t" " ")" ] ||
				echo "$name: $good does not stay"
		done
	done
	ls | wc -l'

# The settings that are numbers, with bounds, as netlink tells them
list_settings()
{
	mrc_h1 -j get | python3 -c '
import json, sys
for s in json.load(sys.stdin):
    if "choice" not in s:
        print(s["name"], s["least"], s["most"], len(s["value"]))'
}

bounds_hold()
{
	local node=$1

	list_settings >"$TEST_TMP/settings" || return
	ip netns exec "$FABRIC-$node" sh -c "$bounds_script" \
		<"$TEST_TMP/settings" >"$TEST_TMP/bounds"
	cat "$TEST_TMP/bounds"
	[ "$(cat "$TEST_TMP/bounds")" -eq $(($(mrc_h1 get | wc -l) - 1)) ]
}

# As text, so that a shell's limits are none
test_settings()
{
	check "each file takes what is in its bounds" bounds_hold h1
	check "in another namespace too" bounds_hold s1
	check "set" mrc_h1 set paths=16 rmem=8192,65536,1048576
	check "get" text '^paths +16 +1..256 +32$' mrc_h1 get paths
	check "triples" text '^rmem +8192,65536,1048576 ' mrc_h1 get
	check_value "the file says so" "$(in_h1 cat /proc/sys/net/mrc/paths)" = 16
	check_value "other namespaces do not" \
		"$(in_h2 cat /proc/sys/net/mrc/paths)" = 32
	check "choice" mrc_h1 set congestion_control=none
	check "is chosen" text '^congestion_control +none +nscc,none +nscc$' \
		mrc_h1 get congestion_control
	check "no such choice" refused 1 'no value has this name' \
		mrc_h1 set congestion_control=cubic
	check "not a choice" refused 1 'no value has this name' \
		mrc_h1 set paths=nscc
	mrc_h1 set congestion_control=nscc
	check "too large" refused 1 'value is too large' mrc_h1 set paths=257
	check "too small" refused 1 'value is too small' mrc_h1 set paths=0
	check "too many" refused 1 'too many values' mrc_h1 set paths=1,2
	check "too few" refused 1 'too few values' mrc_h1 set rmem=4096
	check "out of order" refused 1 'must not decrease' \
		mrc_h1 set rmem=8192,4096,65536
	check "unknown" refused 1 'no setting has this name' mrc_h1 set none=1
	check "all or none" refused 1 'too large' \
		mrc_h1 set ack_bytes=4096 paths=1000
	check "none" text '^ack_bytes +16384 ' mrc_h1 get ack_bytes
	mrc_h1 set paths=32
}

test_counters()
{
	local snmp

	snmp=$(in_h1 sed -n 's/^Mrc: *\([A-Z]\)/\1/p' /proc/net/mrc/snmp)
	check_value "stat has all counters" \
		"$(mrc_h1 stat -a | awk '{ print $1 }' | xargs)" = "$snmp"
	check "stat" text '^OutSegs +[1-9]' mrc_h1 stat
	check "stat as JSON" text '"ActiveOpens":1' mrc_h1 -j stat
	check "stat for Prometheus" text '^mrc_active_opens_total 1$' \
		mrc_h1 stat --prometheus
	check "with sockets" text '^mrc_sockets\{state="established"\} 1$' \
		mrc_h1 stat --prometheus
	check "with paths" text '^mrc_paths\{state="good"\} [1-9]' \
		mrc_h1 stat --prometheus
}

test_proc()
{
	local port

	port=$(printf '%04X' $PORT)
	check "sockets in /proc" text \
		"^ *$id: 0200010A:[0-9A-F]{4} 0200020A:$port 01 0{8}:0{8} .* $OWNER +0 [1-9]" \
		in_h1 cat /proc/net/mrc/sockets
	check "listener in /proc" text "^ *[0-9]+: 0{8}:$port 0{8}:0000 0A " \
		in_h2 cat /proc/net/mrc/sockets
}

# others FILTER: nothing fits.
nothing()
{
	[ "$(mrc_h1 -j sock "$@")" = '[]' ]
}

something()
{
	mrc_h1 -j sock "$@" | grep -q "\"id\":$id,"
}

test_filters()
{
	local inode

	inode=$(mrc_h1 sock -i | sed -n 's/.*inode:\([0-9]*\).*/\1/p')
	check "by id" something id="$id"
	check "by state" something state=established,syn-sent
	check "by type" something type=stream
	check "by address" something raddr="$H2" laddr="$H1"
	check "by port" something rport=$PORT
	check "by owner" something uid="$OWNER"
	check "by inode" something inode="$inode"
	check "not that id" nothing id=$((id + 1))
	check "not that state" nothing state=close-wait
	check "not that type" nothing type=seqpacket
	check "not that address" nothing raddr="$H1"
	check "not that family" nothing raddr="$H2_6"
	check "not that port" nothing lport=$PORT
	check "not that owner" nothing uid=1
	check "not that inode" nothing inode=1
	check "wrong state" refused 1 'not known' mrc_h1 sock state=none
	check "wrong port" refused 1 'no number' mrc_h1 sock lport=65536
	check "memory" text '^	r:[0-9]+ rb:[1-9]' mrc_h1 sock -m
}

# The state of a path of the connection
path_is()
{
	mrc_h1 sock -p id="$id" | grep -qE "^	 *$1 +0 +[0-9]+ +$2 "
}

test_paths()
{
	check "deny" mrc_h1 path deny "$id" 0 2-5
	check "is denied" path_is 4 DENIED
	check "and others are not" path_is 1 '(GOOD|UNKNOWN|SKIP|STANDBY)'
	check "one must remain" refused 1 'one path must remain' \
		mrc_h1 path deny "$id" 0-63
	check "and that changes nothing" path_is 1 '(GOOD|UNKNOWN|SKIP|STANDBY)'
	check "allow" mrc_h1 path allow "$id" 2-5
	check "is allowed" path_is 4 "(UNKNOWN|STANDBY)"
	check "weight" mrc_h1 path weight "$id" 1 7
	check "shows it" text '"index":7,.*"weight":1,' mrc_h1 -j sock -p id="$id"
	check "weight is bounded" refused 1 'weight of a whole' \
		mrc_h1 path weight "$id" 100000 7
	check "unknown path" refused 1 'no path has this index' \
		mrc_h1 path deny "$id" 64
	check "unknown socket" refused 1 'no socket has this id' \
		mrc_h1 path deny 1234567 1
}

monitor_start()
{
	"$MRC" -n "$FABRIC-h1" -j monitor --resync >"$TEST_TMP/events" 2>&1 &
	monitor=$!
	at_exit "kill $monitor 2>/dev/null"
	wait_for 20 grep -q resync "$TEST_TMP/events"
}

event()
{
	grep -Eq "$1" "$TEST_TMP/events" && return
	cat "$TEST_TMP/events"
	return 1
}

test_events()
{
	check "monitor" monitor_start
	check "the connection as it is" wait_for 20 \
		event "\"id\":$id,.*\"event\":\"sock\""
	mrc_h1 path deny "$id" 9
	check "a path is denied" wait_for 20 event \
		'"path":9,.*"from":"good","to":"denied","why":"admin"'
	mrc_h1 path allow "$id" 9
	check "and allowed" wait_for 20 event \
		'"path":9,.*"from":"denied","to":"good","why":"admin"'
	check "another connection" wait_for 20 second_connection
	check "is told" wait_for 20 event '"event":"established"'
	check "kill all but the first" mrc_h1 sock -K id="$second"
	check "its end is told" wait_for 20 event \
		"\"id\":$second,.*\"why\":\"killed\",\"error\":103,\"event\":\"closed\""
	check "it is gone" nothing id="$second"
	check "the peer sees a reset" text 'EstabResets +1' mrc_h2 stat
}

second_connection()
{
	[ -n "$second" ] || start_client "$(raw4 $PORT 0a020002)" 1000
	sleep 0.3
	second=$(connection_id | grep -vx "$id")
}

test_permission()
{
	local verb

	check "a stranger cannot set" refused 1 CAP_NET_ADMIN \
		as_stranger "$MRC" set paths=3
	check "nor deny" refused 1 CAP_NET_ADMIN \
		as_stranger "$MRC" path deny "$id" 1
	check "nor kill" refused 1 CAP_NET_ADMIN \
		as_stranger "$MRC" sock -K id="$id"
	check "nor monitor" refused 1 'CAP_NET_ADMIN|permitted' \
		as_stranger "$MRC" monitor
	for verb in get stat; do
		check "but $verb" as_stranger "$MRC" $verb
	done
}

# screen_shows COLUMNS ROWS PATTERN: of mrc top in a terminal of that size
screen_shows()
{
	local status

	LC_ALL=C.UTF-8 tmux -L "$FABRIC" -f /dev/null new-session -d -x "$1" -y "$2" \
		"'$MRC' -n $FABRIC-h1 top -d 0.5" || return
	wait_for 20 screen_has "$3"
	status=$?
	cat "$TEST_TMP/screen"
	tmux -L "$FABRIC" kill-server
	return $status
}

screen_has()
{
	tmux -L "$FABRIC" capture-pane -p >"$TEST_TMP/screen"
	grep -Eq "^ *$id +$H2:$PORT +[0-9.]+[kM]? +[0-9.]+[kM]? +[0-9.]+ +[0-9]+ +[0-9]+/32" \
		"$TEST_TMP/screen" && grep -Eq "$1" "$TEST_TMP/screen"
}

test_top()
{
	check "top in 80x24" screen_shows 80 24 \
		'^ +0 denied .* +[0-9]+ [a-z]+ .* [0-9]+$'
	check "top in 200x50" screen_shows 200 50 'Paths of connection'
}

test_ping()
{
	check "ping" text '^32 of 32 entropy values answer$' mrc_h1 ping "$H2"
	spine_kill 1
	check "it finds a dead spine" refused_lines 1 \
		'^dead: .*' mrc_h1 ping "$H2"
	check_value "which is about half of two" \
		"$(sed -n 's/^dead: //p' "$TEST_TMP/text" | wc -w)" -ge 6
	check "some live" grep -Eq '^([6-9]|[12][0-9]) of 32 ' "$TEST_TMP/text"
	spine_heal 1
	check "nobody there" refused_lines 1 '^0 of 4 ' \
		mrc_h1 ping -c 1 -e 4 -u 9 "$H2"
	check "over IPv6" text '^32 of 32 ' mrc_h1 ping "$H2_6"
}

# As refused, with more than one line
refused_lines()
{
	local status=$1 pattern=$2

	shift 2
	"$@" >"$TEST_TMP/text" 2>&1
	[ $? -eq "$status" ] && grep -Eq -- "$pattern" "$TEST_TMP/text" && return
	cat "$TEST_TMP/text"
	return 1
}

# All operations; what must fail; a listener that does not listen; and messages
# that are not what they should be.
ynl()
{
	/usr/bin/python3 - "$YNL" "$SPEC" "$1" <<-'END'
	import errno, json, os, random, socket, struct, sys, time
	ynl, spec, ident = sys.argv[1:]
	ident = int(ident)
	sys.path.insert(0, ynl)
	from lib import YnlFamily, NlError
	schema = ynl + "/../../../../Documentation/netlink/genetlink-c.yaml"
	mrc = YnlFamily(spec, schema)

	def do(op, attrs):
	    try:
	        return mrc.do(op, attrs)
	    except NlError as e:
	        return [e.nl_msg.error, e.nl_msg.extack.get("msg", ""),
	                e.nl_msg.extack.get("bad-attr", "")]

	def change(name, *values):
	    return do("settings-set", {"change": [{"name": name, "value": list(values)}]})

	def path(index, **what):
	    return do("path-set", {"id": ident, "change": [dict(index=index, **what)]})

	def settings():
	    return {s["name"]: s["value"] for s in do("settings-get", {})["setting"]}

	d = {"settings": settings()}
	d["counters"] = {c["name"]: c["value"] for c in do("counters-get", {})["counter"]}
	d["set"] = change("ack_bytes", 5000)
	d["get"] = settings()["ack_bytes"]
	d["set high"] = change("paths", 257)
	d["set none"] = change("nothing", 1)
	d["set empty"] = do("settings-set", {})
	d["set nameless"] = do("settings-set", {"change": [{"value": [1]}]})
	d["set port"] = change("udp_port", 5000)
	d["deny"] = path(3, deny=True)
	d["denied"] = [p["state"] for p in do("sock-get", {"id": ident, "paths": True})["path"]][3]
	d["allow"] = path(3, allow=True)
	d["weight"] = path(3, weight=1)
	d["weight 0"] = path(3, weight=0)
	d["path both"] = path(3, deny=True, allow=True)
	d["path nothing"] = path(3)
	d["path without"] = do("path-set", {"id": ident, "change": [{"deny": True}]})
	d["path far"] = path(99, deny=True)
	d["address"] = do("sock-get", {"id": ident, "local-addr": "10.1.0.2"})["id"]
	d["other port"] = do("sock-get", {"id": ident, "local-port": 1})
	d["states"] = len(mrc.dump("sock-get", {"states": {"established"}}))
	d["no states"] = len(mrc.dump("sock-get", {"states": {"close-wait"}}))
	d["kill none"] = do("sock-kill", {"id": 2 ** 32 - 1})
	d["kill"] = do("sock-kill", {})

	# A listener with a small buffer sleeps; its picture afterwards is the dump's.
	change("event_rate", 65535)
	lazy = YnlFamily(spec, schema)
	lazy.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
	lazy.ntf_subscribe("events")
	for i in range(100):
	    path(i % 8, deny=True)
	    path(i % 8, allow=True)
	path(5, deny=True)
	d["overrun"] = False
	picture, last = {}, 0
	lazy.sock.setblocking(False)
	for i in range(1000):
	    try:
	        lazy.sock.recv(65536)
	    except BlockingIOError:
	        break
	    except OSError as e:
	        d["overrun"] |= e.errno == errno.ENOBUFS
	s = do("sock-get", {"id": ident, "paths": True})
	d["picture"] = [p["index"] for p in s["path"] if p["state"] == "denied"]
	d["seq"] = s["event-seq"]
	path(5, allow=True)
	lazy.sock.setblocking(True)
	m = next(lazy.poll_ntf(duration=20))
	d["next"] = [m["name"], m["msg"]["seq"], m["msg"]["path"], m["msg"]["to"]]

	# Nothing that is wrong with a message may do more than fail.
	family = struct.unpack("H", struct.pack("H", mrc.nlproto.family_id))[0]
	raw = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
	raw.settimeout(0.5)
	rng = random.Random(1)
	def attr(kind, data):
	    return struct.pack("HH", 4 + len(data), kind) + data + b"\0" * (-len(data) % 4)
	u32 = lambda kind, v: attr(kind, struct.pack("I", v))
	nest = lambda kind, data: attr(kind | 0x8000, data)
	good = [
	    (2, 0x5, u32(2, ident) + attr(3, b"")),
	    (2, 0x301, u32(4, 1) + u32(33, 2) + attr(6, bytes(4)) + attr(8, bytes(2)) + u32(10, 1)),
	    (3, 0x5, u32(2, 2 ** 31)),
	    (4, 0x5, u32(2, ident) + nest(42, u32(1, 9) + attr(2, b"")) + nest(42, u32(1, 9) + attr(3, b""))),
	    (6, 0x5, nest(2, attr(1, b"ack_bytes\0") + u32(2, 5000))),
	    (6, 0x5, nest(2, attr(1, b"rmem\0") + u32(2, 4096) + u32(2, 524288) + u32(2, 33554432))),
	]
	answers = 0
	for i in range(int(os.environ.get("MRC_FUZZ", 1000))):
	    cmd, flags, attrs = rng.choice(good)
	    body = bytearray(attrs)
	    for _ in range(rng.randrange(1, 4)):
	        how = rng.randrange(4)
	        at = rng.randrange(len(body)) if body else 0
	        if how == 0 and body:
	            body[at] = rng.randrange(256)
	        elif how == 1:
	            del body[at:]
	        elif how == 2:
	            body += body[at & ~3:]
	        else:
	            body[at & ~3:at & ~3] = rng.randbytes(4)
	    payload = bytes(body[:4000])
	    if cmd == 3:
	        payload = payload.replace(struct.pack("I", ident), b"\xff" * 4)
	    raw.send(struct.pack("IHHII", 20 + len(payload), family, flags, i, 0) +
	             struct.pack("BBH", cmd, 1, 0) + payload)
	    while True:
	        try:
	            reply = raw.recv(1 << 17)
	        except socket.timeout:
	            break
	        kind, = struct.unpack_from("H", reply, 4)
	        at, done = 0, False
	        while at + 16 <= len(reply):
	            size, kind = struct.unpack_from("IH", reply, at)
	            done |= kind in (2, 3)
	            at += (size + 3) & ~3
	        if done:
	            answers += 1
	            break
	d["answers"] = answers
	d["alive"] = "family" in do("info-get", {})
	mrc.do("settings-set", {"change": [{"name": "ack_bytes", "value": [16384]}]})
	print(json.dumps(d))
	END
}

ynl_run()
{
	export YNL SPEC MRC_FUZZ=${MRC_FUZZ:-1000}
	export -f ynl
	in_h1 bash -c "ynl $id"
}

test_ynl()
{
	json_checks ynl_run <<-END
	ynl: settings	d['settings']['rmem'] == [8192, 65536, 1048576]
	ynl: counters	d['counters']['ActiveOpens'] >= 1
	ynl: set	d['set'] in (None, []) and d['get'] == [5000]
	ynl: set beyond	d['set high'] == [-34, 'value is too large', '.change.value']
	ynl: set unknown	d['set none'] == [-2, 'no setting has this name', '.change.name']
	ynl: set nothing	d['set empty'][:2] == [-22, 'change of a setting is missing']
	ynl: set without name	d['set nameless'][:2] == [-22, 'name of the setting is missing']
	ynl: set port while in use	d['set port'][:2] == [-16, 'udp_port changes only without sockets']
	ynl: deny	d['deny'] in (None, []) and d['denied'] == 'denied'
	ynl: allow and weight	not d['allow'] and not d['weight']
	ynl: weight 0	d['weight 0'][0] == -34 and d['weight 0'][2] == '.change.weight'
	ynl: path deny and allow	d['path both'][0] == -22
	ynl: path without change	d['path nothing'][0] == -22
	ynl: path without index	d['path without'][:2] == [-22, 'index of the path is missing']
	ynl: unknown path	d['path far'] == [-2, 'no path has this index', '.change.index']
	ynl: filter of one	d['address'] == $id and d['other port'][0] == -2
	ynl: filter of states	d['states'] >= 1 and d['no states'] == 0
	ynl: kill	d['kill none'][0] == -2 and d['kill'][0] == -22
	ynl: overrun is told	d['overrun']
	ynl: a dump gives the picture	d['picture'] == [5]
	ynl: and what follows continues it	d['next'] == ['path-changed', d['seq'] + 1, 5, 'good']
	ynl: mutated messages	d['answers'] == $MRC_FUZZ and d['alive']
	END
}

need_root
need_commands socat python3 setpriv tmux
[ -n "$MRC" ] || skip_all "mrc is not built"
MRC_FUZZ=${MRC_FUZZ:-1000}
mrc_load
family=$(mrc_family)
fabric_up 2 100mbit
second=''

test_settings
start_server "$(raw4 $PORT 00000000)"
check "listener" wait_for 20 text '^LISTEN' mrc_h2 sock -l
check "connection" connect 300000
id=$(connection_id)
check "all is sent" wait_for 20 text '^ESTABLISHED +0 +0 ' mrc_h1 sock
test_counters
test_proc
test_filters
test_paths
test_events
test_permission
test_top
test_ping
if ynl_find; then
	test_ynl
else
	skip "ynl" "no linux-source-7.3 in $MRC_CACHE, or no python3-jsonschema"
fi
