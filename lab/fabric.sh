# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced inside the virtual machine, after selftests/lib.sh: the queues of an
# experiment's fabric, and more hosts. Parameters are in the array p.

# What a switch queues for a link: so many packets, with queue=ecn marked from
# ECN_AT on. netem counts packets on the wire too, so it gets room for them.
ECN_AT=20

# shape LEAF SPINE RATE_MBIT DELAY_US: the leaf's link to the spine. The delay
# is that of both hops to the other leaf.
shape()
{
	link_queue "$1" "s$2" "$3" "$4"
}

# With marks, a bucket sets the rate, and RED behind it marks by
# its current length: no slope, the shortest average. The bucket holds two packets:
# with one, each wakeup that is some ns late would be lost for good.
link_queue()
{
	local node=$1 dev=$2 rate=$3 delay=$4 wire=$((p[mtu] + 14))
	local on_wire=$((delay * rate / (8 * wire) + 1)) at=$((ECN_AT * wire))

	if [ "${p[queue]}" = droptail ]; then
		echo "qdisc replace dev $dev root netem rate ${rate}mbit \
			delay ${delay}us limit $((p[packets] + on_wire))"
	else
		echo "qdisc replace dev $dev root handle 1: netem \
			delay ${delay}us limit 100000"
		echo "qdisc replace dev $dev parent 1:1 handle 2: tbf \
			rate ${rate}mbit burst $((2 * wire)) limit 100000000"
		echo "qdisc replace dev $dev parent 2:1 handle 3: red \
			limit $((p[packets] * wire)) min $at max $at avpkt $wire \
			burst $((ECN_AT + 1)) bandwidth ${rate}mbit \
			probability 1 ecn"
	fi | tc -n "$FABRIC-$node" -batch -
}

shape_both()
{
	shape l1 "$@" && shape l2 "$@"
}

# A host more behind a leaf, host_add LEAF NUMBER: 10.LEAF.NUMBER.2 in the
# namespace hLEAF-NUMBER.
host_add()
{
	local leaf=$1 k=$2 name=h$1-$2 i

	echo "netns add $FABRIC-$name" | ip -batch - || return
	fabric_link $((10 + leaf)) "$k" "${p[mtu]}" \
		"$name" eth0 "l$leaf" "$name" | ip -batch - || return
	{
		echo "link set lo up"
		fabric_device eth0 $((10 + leaf)) "$k" 2 \
			"10.$leaf.$k.2" "10.$leaf.$k.1" \
			"fd00:$leaf:$k::2" "fd00:$leaf:$k::1"
		echo "route add default via 10.$leaf.$k.1"
	} | ip -n "$FABRIC-$name" -batch - || return
	fabric_device "$name" $((10 + leaf)) "$k" 1 \
		"10.$leaf.$k.1" "10.$leaf.$k.2" \
		"fd00:$leaf:$k::1" "fd00:$leaf:$k::2" |
		ip -n "$FABRIC-l$leaf" -batch - || return
	at_exit "ip netns del $FABRIC-$name"
}

# The routes to such hosts: the addresses of a leaf are one /16.
hosts_route()
{
	local leaf other i hops

	for leaf in 1 2; do
		other=$((3 - leaf)) hops=
		for i in $(seq "$fabric_spines"); do
			hops+=" nexthop via 10.1$leaf.$i.2 dev s$i"
		done
		echo "route add 10.$other.0.0/16$hops" |
			ip -n "$FABRIC-l$leaf" -batch - || return
	done
	for i in $(seq "$fabric_spines"); do
		for leaf in 1 2; do
			echo "route add 10.$leaf.0.0/16 via 10.1$leaf.$i.1"
		done | ip -n "$FABRIC-s$i" -batch - || return
	done
}

# The spines in order of what the leaf sent through them, most first.
busiest()
{
	ip -n "$FABRIC-$1" -s link show | awk '
		/^[0-9]+: s[0-9]+[@:]/ { sub(/^s/, "", $2); sub(/[@:].*/, "", $2)
					 spine = $2 }
		tx && spine { print $1, spine; spine = "" }
		{ tx = /TX:/ }' | sort -k1,1nr -k2,2n | awk '{ print $2 }'
}

# MPTCP makes a subflow from each of the sender's addresses. There is no
# ARP where nothing may be lost, so the leaf knows them all.
mptcp_subflows()
{
	local count=$1 k mac

	fabric_mac 0 1 1
	for k in $(seq "$((count - 1))"); do
		echo "addr add 10.1.0.$((10 + k))/24 dev eth0"
	done | ip -n "$FABRIC-h1" -batch - || return
	for k in $(seq "$((count - 1))"); do
		echo "neigh replace 10.1.0.$((10 + k)) lladdr $mac nud permanent \
			dev host"
	done | ip -n "$FABRIC-l1" -batch - || return
	for node in h1 h2; do
		ip -n "$FABRIC-$node" mptcp limits set subflows 8 \
			add_addr_accepted 8 || return
	done
	for k in $(seq "$((count - 1))"); do
		ip -n "$FABRIC-h1" mptcp endpoint add "10.1.0.$((10 + k))" \
			dev eth0 subflow || return
	done
}
