#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# The module comes and goes: wrong parameters, a UDP port that is taken,
# network namespaces that live and die around it.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_stream.sh"

SCRATCH=mrc-load-$$

insert()
{
	if [ -n "$MRC_KO" ]; then
		insmod "$MRC_KO" "$@"
	else
		modprobe mrc "$@"
	fi
}

nothing_left()
{
	! mrc_loaded && [ ! -e /proc/net/mrc ] && [ ! -e /proc/sys/net/mrc ] &&
		! grep -q '^MRC' /proc/net/protocols &&
		! netlink_family && udp_port_free 4792
}

netlink_family()
{
	genl-ctrl-list 2>/dev/null | grep -q '\bmrc\b' ||
		{ [ -n "$MRC" ] && "$MRC" info >/dev/null 2>&1; }
}

udp_port_free()
{
	! grep -qi ":$(printf %04X "$1") " /proc/net/udp /proc/net/udp6
}

# refused FAMILY ERROR-TEXT LOG-TEXT: loading fails, and says why, once. Of
# EEXIST, Linux makes EBUSY from 6.19 on, since it has a meaning for kmod.
refused()
{
	local mark="load-$1-$$" lines

	kernel_log_mark "$mark"
	insert family="$1" 2>"$TEST_TMP/insert" && return 1
	cat "$TEST_TMP/insert"
	grep -q "$2" "$TEST_TMP/insert" || return 1
	lines=$(kernel_log "$mark" | grep -v loading.out-of-tree |
		grep -cE 'mrc: family')
	kernel_log "$mark"
	[ "$lines" -eq 1 ] && kernel_log "$mark" | grep -q "mrc: family $1 $3" &&
		nothing_left
}

# One process that does what stdin says to sockets of the family, in Python
# since nothing else here opens one and waits.
sock()
{
	/usr/bin/python3 -c '
import ctypes, errno, sys
family = int(open("/sys/module/mrc/parameters/family").read())
try:
    libc = ctypes.CDLL(None, use_errno=True)
    n = libc.socket(family, 1, 0)
    if n < 0:
        raise OSError(ctypes.get_errno(), "")
except OSError as e:
    print(errno.errorcode[e.errno])
    sys.exit(1)
print("open", flush=True)
if len(sys.argv) > 1:
    sys.stdin.read()
' "$@"
}

# hold FIFO: a socket open until something is written there.
hold()
{
	rm -f "$TEST_TMP/held"
	mkfifo "$TEST_TMP/hold"
	"$@" <"$TEST_TMP/hold" >"$TEST_TMP/held" 2>&1 &
	exec 7>"$TEST_TMP/hold"
	wait_for 10 grep -q open "$TEST_TMP/held"
}

let_go()
{
	exec 7>&-
	wait
	rm "$TEST_TMP/hold"
}

is_busy()
{
	rmmod mrc 2>&1 | grep -q 'in use' && mrc_loaded
}

unload_clean()
{
	wait_for 5 grep -qx 0 /sys/module/mrc/refcnt && rmmod mrc && nothing_left
}

test_family()
{
	local number

	check "family 2 is taken" refused 2 'File exists\|resource busy' \
		'is taken'
	for number in 0 -1 46 1000; do
		check "family $number is out of range" refused $number \
			'Invalid parameters' 'is out of range'
	done
	check "no number at all" refused_parameter
	check "family 18 loads" insert family=18
	check_value "it is published" "$(mrc_family)" -eq 18
	check "and works" loopback
	check "and goes" unload_clean
}

refused_parameter()
{
	! insert family=x && nothing_left
}

loopback()
{
	"$STREAM" -l 127.0.0.1 5000 >"$TEST_TMP/loop" 2>&1 &
	wait_for 10 grep -q listening "$TEST_TMP/loop"
	"$STREAM" 127.0.0.1 5000 && wait $!
}

test_busy()
{
	check "loads" insert
	hold sock wait
	check "rmmod with an open socket" is_busy
	let_go
	check "rmmod without" unload_clean
}

# Somebody else has the UDP port: sockets cannot be made, but later can.
test_udp_port()
{
	socat -u UDP-RECV:4792 OPEN:/dev/null &
	local taker=$!

	wait_for 10 eval '! udp_port_free 4792'
	check "loads while the UDP port is taken" insert
	check_value "then there are no sockets" "$(sock)" = EADDRINUSE
	kill $taker
	wait $taker 2>/dev/null
	check_value "once it is free there are" "$(sock)" = open
	check "and they work" loopback
	check "goes" unload_clean
}

in_scratch()
{
	ip netns exec $SCRATCH "$@"
}

test_netns()
{
	local i

	ip netns add $SCRATCH
	at_exit "ip netns del $SCRATCH 2>/dev/null"
	check "loads while there are namespaces" insert
	check "the namespace has settings" \
		in_scratch test -e /proc/sys/net/mrc/udp_port
	check "and counters" in_scratch test -e /proc/net/mrc/snmp
	in_scratch sh -c 'echo 5555 >/proc/sys/net/mrc/udp_port'
	check_value "of its own" "$(cat /proc/sys/net/mrc/udp_port)" -eq 4792
	check "it has its UDP port" in_scratch grep -q ':15B3 ' /proc/net/udp
	in_scratch ip link set lo up
	export -f loopback wait_for
	export STREAM TEST_TMP
	check "and works" in_scratch bash -c loopback
	check_value "which the other counters do not see" \
		"$(awk 'NR == 2 { print $2 }' /proc/net/mrc/snmp)" -eq 0
	hold in_scratch /bin/bash -c "$(declare -f sock); sock wait"
	ip netns del $SCRATCH
	check "a socket keeps a dead namespace" is_busy
	let_go
	ip netns add $SCRATCH
	check "unloads while there are namespaces" unload_clean
	check "which then have nothing" in_scratch test ! -e /proc/sys/net/mrc
	check "loads again" insert
	for i in 1 2 3 4 5; do
		ip netns add $SCRATCH-$i
		ip netns exec $SCRATCH-$i ip link set lo up
		ip netns exec $SCRATCH-$i bash -c loopback >/dev/null
		ip netns del $SCRATCH-$i
	done
	check "namespaces died with connections just ended" unload_clean
}

need_root
need_stream
need_commands socat /usr/bin/python3
if mrc_loaded; then
	[ "$(cat /sys/module/mrc/refcnt)" = 0 ] || skip_all "mrc is in use"
	rmmod mrc
	at_exit insert
fi
[ -n "$MRC_KO" ] || modinfo mrc >/dev/null 2>&1 || skip_all "no mrc module"
[ -z "$MRC_KO" ] || mrc_modprobe_needs
at_exit "! mrc_loaded || rmmod mrc"
test_family
test_busy
test_udp_port
test_netns
