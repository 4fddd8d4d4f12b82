# SPDX-License-Identifier: GPL-2.0
# Sourced by lib.sh: a fabric of network namespaces.
#
#	          +-- s1 --+
#	h1 -- l1 -+-- .. --+- l2 -- h2
#	          +-- sN --+
#
# The leaves l1 and l2 choose a spine by hashing addresses, protocol, ports
# and the IPv6 flow label. Rate, delay and queue are at the leaves' links to
# the spines, in both directions; faults are in the spines. The two never share
# a queue, so a fault leaves the shaping as it is.
# shellcheck shell=bash

H1=10.1.0.2 H2=10.2.0.2
H1_6=fd00:1::2 H2_6=fd00:2::2

FABRIC=mrc$$
# Packets that a leaf queues for a spine before it drops.
FABRIC_QUEUE=${FABRIC_QUEUE:-100}
# With 1, packets stay glued together along the way, which costs less CPU, but
# then one hash and one loss are of up to 64 KB.
FABRIC_GSO=${FABRIC_GSO:-0}
fabric_spines=0
declare -A fabric_blinkers

in_h1()
{
	ip netns exec "$FABRIC-h1" "$@"
}

in_h2()
{
	ip netns exec "$FABRIC-h2" "$@"
}

# fabric_up SPINES [RATE] [DELAY] [MTU], in units of tc(8); rate "-" for none.
fabric_up()
{
	local rate=${2:--} delay=${3:-0} mtu=${4:-1500}

	need_root
	need_commands ip tc nsenter
	fabric_spines=$1
	at_exit fabric_down
	fabric_links "$mtu" &&
	fabric_host 1 && fabric_host 2 &&
	fabric_leaf 1 2 && fabric_leaf 2 1 &&
	fabric_each_spine fabric_spine &&
	fabric_shape "$rate" "$delay" && return
	fail "cannot set up the fabric"
	exit 1
}

fabric_each_spine()
{
	local i

	for i in $(seq "$fabric_spines"); do
		"$@" "$i" || return
	done
}

fabric_names()
{
	printf "$FABRIC-%s\n" h1 h2 l1 l2 $(seq -f s%g "$fabric_spines")
}

# Programs that still run inside would keep a namespace alive.
fabric_down()
{
	local name

	for name in "${!fabric_blinkers[@]}"; do
		spine_steady "$name"
	done
	[ "$fabric_spines" -gt 0 ] || return 0
	for name in $(fabric_names); do
		[ -e "/run/netns/$name" ] || continue
		ip netns pids "$name" | xargs -r kill -9 2>/dev/null
		echo "netns del $name"
	done | ip -batch - 2>/dev/null
	fabric_spines=0
}

# MAC addresses are fixed and neighbours permanent: no ARP to be lost in a
# dead spine, which would make the leaf withdraw it. No link-local addresses
# either: the counters see the test's packets and no others. All in variables,
# as every subshell costs ten milliseconds on an emulated processor.
fabric_mac()
{
	printf -v mac '02:00:00:%02x:%02x:%02x' "$1" "$2" "$3"
}

# Prints lines for `ip -batch`; both ends of a link share the numbers.
fabric_link()
{
	local kind=$1 index=$2 mtu=$3 near_ns=$4 near=$5 far_ns=$6 far=$7 mac

	fabric_mac "$kind" "$index" 1
	echo "link add $near mtu $mtu address $mac netns $FABRIC-$near_ns \\"
	fabric_mac "$kind" "$index" 2
	echo "type veth peer name $far mtu $mtu address $mac netns $FABRIC-$far_ns"
}

fabric_links()
{
	local i mtu=$1

	{
		fabric_names | sed 's/^/netns add /'
		for leaf in 1 2; do
			fabric_link 0 "$leaf" "$mtu" "h$leaf" eth0 "l$leaf" host
			for i in $(seq "$fabric_spines"); do
				fabric_link "$leaf" "$i" "$mtu" \
					"l$leaf" "s$i" "s$i" "l$leaf"
			done
		done
	} | ip -batch -
}

# fabric_device NAME KIND INDEX PEER-SIDE ADDRESS PEER ADDRESS6 PEER6
fabric_device()
{
	local mac

	fabric_mac "$2" "$3" "$4"
	set -- "$1" "$mac" "${@:5}"
	echo "link set $1 addrgenmode none"
	[ "$FABRIC_GSO" = 1 ] || echo "link set $1 gso_max_segs 1"
	echo "link set $1 up"
	echo "addr add $3/24 dev $1"
	echo "addr add $5/64 dev $1 nodad"
	echo "neigh replace $4 lladdr $2 nud permanent dev $1"
	echo "neigh replace $6 lladdr $2 nud permanent dev $1"
}

fabric_host()
{
	local me=$1

	{
		echo "link set lo up"
		fabric_device eth0 0 "$me" 2 \
			"10.$me.0.2" "10.$me.0.1" "fd00:$me::2" "fd00:$me::1"
		echo "route add default via 10.$me.0.1"
		echo "route add default via fd00:$me::1"
	} | ip -n "$FABRIC-h$me" -batch -
}

# Linux 6.1 has no fib_multipath_hash_seed: its seed is one of the boot, the
# same in all namespaces. With one hop that chooses, as here, that is enough.
fabric_leaf()
{
	local me=$1 other=$2 i hops4='' hops6=''

	fabric_sysctl "l$me" \
		ipv4/ip_forward=1 ipv6/conf/all/forwarding=1 \
		ipv4/fib_multipath_hash_policy=3 \
		ipv6/fib_multipath_hash_policy=3 \
		ipv4/fib_multipath_hash_fields=0x37 \
		ipv6/fib_multipath_hash_fields=0x3f \
		ipv4/fib_multipath_hash_seed=$((0x5eed + me))
	{
		echo "link set lo up"
		fabric_device host 0 "$me" 1 \
			"10.$me.0.1" "10.$me.0.2" "fd00:$me::1" "fd00:$me::2"
		for i in $(seq "$fabric_spines"); do
			fabric_device "s$i" "$me" "$i" 2 \
				"10.1$me.$i.1" "10.1$me.$i.2" \
				"fd00:1$me:$i::1" "fd00:1$me:$i::2"
			hops4+=" nexthop via 10.1$me.$i.2 dev s$i"
			hops6+=" nexthop via fd00:1$me:$i::2 dev s$i"
		done
		echo "route add 10.$other.0.0/24$hops4"
		echo "route add fd00:$other::/64$hops6"
	} | ip -n "$FABRIC-l$me" -batch -
}

fabric_spine()
{
	local i=$1 leaf

	fabric_sysctl "s$i" ipv4/ip_forward=1 ipv6/conf/all/forwarding=1
	{
		echo "link set lo up"
		for leaf in 1 2; do
			fabric_device "l$leaf" "$leaf" "$i" 1 \
				"10.1$leaf.$i.2" "10.1$leaf.$i.1" \
				"fd00:1$leaf:$i::2" "fd00:1$leaf:$i::1"
			echo "route add 10.$leaf.0.0/24 via 10.1$leaf.$i.1"
			echo "route add fd00:$leaf::/64 via fd00:1$leaf:$i::1"
		done
	} | ip -n "$FABRIC-s$i" -batch -
}

# fabric_sysctl NODE PATH=VALUE...: under net; what this kernel lacks is
# passed over. One process for all, since they are slow to start.
fabric_sysctl()
{
	local node=$1

	shift
	nsenter --net="/run/netns/$FABRIC-$node" sh -c '
		for setting; do
			file=/proc/sys/net/${setting%%=*}
			[ ! -e "$file" ] || echo "${setting#*=}" >"$file"
		done' sh "$@"
}

# fabric_shape RATE DELAY [SPINE...]: the leaves' links to them.
fabric_shape()
{
	local rate="rate $1" delay=$2 leaf i

	[ "$1" != - ] || rate=
	[ "$1$2" != -0 ] || return 0
	shift 2
	for leaf in 1 2; do
		for i in ${*:-$(seq "$fabric_spines")}; do
			echo "qdisc replace dev s$i root netem $rate" \
				"delay $delay limit $FABRIC_QUEUE"
		done | tc -n "$FABRIC-l$leaf" -batch - || return
	done
}

# spine_set SPINE NETEM-ARGUMENT...: what happens to packets in that spine.
spine_set()
{
	local spine=$1 leaf

	shift
	for leaf in l1 l2; do
		echo "qdisc replace dev $leaf root netem $* limit 10000"
	done | tc -n "$FABRIC-s$spine" -batch -
}

# A black hole: the links stay up and nobody is told.
spine_kill()
{
	spine_set "$1" loss 100%
}

spine_heal()
{
	printf 'qdisc del dev %s root\n' l1 l2 |
		tc -force -n "$FABRIC-s$1" -batch - 2>/dev/null
	return 0
}

# spine_blink SPINE ON_MS OFF_MS: until spine_steady or the end.
spine_blink()
{
	local spine=$1 on=$2 off=$3

	while :; do
		sleep "$(printf '%d.%03d' $((on / 1000)) $((on % 1000)))"
		spine_kill "$spine"
		sleep "$(printf '%d.%03d' $((off / 1000)) $((off % 1000)))"
		spine_heal "$spine"
	done >/dev/null 2>&1 &
	fabric_blinkers[$spine]=$!
}

spine_steady()
{
	kill "${fabric_blinkers[$1]}" 2>/dev/null
	wait "${fabric_blinkers[$1]}" 2>/dev/null
	unset "fabric_blinkers[$1]"
	spine_heal "$1"
}

# spine_packets SPINE [LEAF]: packets that came into it (from that leaf).
spine_packets()
{
	local leaf

	for leaf in ${2:-1 2}; do
		ip -n "$FABRIC-s$1" -s link show dev "l$leaf"
	done | awk 'rx { sum += $2; rx = 0 } /RX:/ { rx = 1 } END { print sum + 0 }'
}

# All spines' counts in a row.
fabric_packets()
{
	local i

	for i in $(seq "$fabric_spines"); do
		spine_packets "$i" "$1"
	done | tr '\n' ' '
}

# capture_start FILE [FILTER...]: what h1 sends and receives, headers only.
capture_start()
{
	local file=$1

	shift
	need_commands tcpdump
	ip netns exec "$FABRIC-h1" tcpdump -i eth0 -n -s 160 -U -Z root \
		-w "$file" "$@" 2>"$TEST_TMP/tcpdump" &
	capture_pid=$!
	wait_for 20 grep -q 'listening on' "$TEST_TMP/tcpdump"
}

# tcpdump looks into its ring once a second.
capture_stop()
{
	sleep 1.2
	kill "$capture_pid"
	wait "$capture_pid" 2>/dev/null
}
