# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced inside the virtual machine: what experiments are made of. One fabric,
# some flows, and a clock. Parameters are in the array p.

declare -A marks

fabric()
{
	local i

	fabric_up "${p[spines]}" - 0 "${p[mtu]}"
	for i in $(seq "${p[spines]}"); do
		shape_both "$i" "${p[rate]}" $((2 * p[delay])) || exit
	done
	for i in h1 h2; do
		host_settings "$i"
	done
	[ "${p[kind]}" != mptcp ] || mptcp_subflows 8 || exit
}

# Keys that begin with "net." are for sysctl.
host_settings()
{
	local key settings=()

	[ "${p[queue]}" = droptail ] || settings+=(ipv4/tcp_ecn=1)
	for key in "${!p[@]}"; do
		case $key in
		net.*)
			key=${key#net.}
			settings+=("${key//.//}=${p[net.$key]}") ;;
		esac
	done
	[ ${#settings[@]} -eq 0 ] || fabric_sysctl "$1" "${settings[@]}"
}

# flows NAME COUNT [KEY=VALUE,...]: between h1 and h2, of the kind that the
# experiment is about, unless said otherwise.
flows()
{
	local kind=${p[kind]} cc='' addr=$H2

	case $kind in
	cubic | dctcp | bbr) cc=$kind kind=tcp ;;
	esac
	[ "${p[family]}" = 4 ] || addr=$H2_6
	port=$((port + 100))
	specs+=("$1:kind=$kind,cc=$cc,from=$FABRIC-h1,to=$FABRIC-h2,addr=$addr,port=$port,n=$2${3:+,$3}")
}

port=5000
specs=()

# go MS: starts the flows; time is 0 now. What the setup left to do in the
# background would hold up the handshake.
go()
{
	sleep 1
	"$FLOW" -t "$1" -o "$OUT/flow.json" -s "${p[sample]}" \
		-l "$FABRIC-l1,$FABRIC-l2,${p[spines]}" \
		-e "$LAB/observe '$FABRIC' '$OUT' end" "${specs[@]}" &
	flow_pid=$!
	clock=0
	marks[end]=$1
}

# until_ms MS: nothing that runs takes time here but sleeping.
until_ms()
{
	local ms=$(($1 - clock))

	[ "$ms" -le 0 ] || sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
	clock=$1
}

mark()
{
	marks[$1]=${2:-$clock}
}

observe()
{
	"$LAB/observe" "$FABRIC" "$OUT" "$1"
}

over()
{
	wait "$flow_pid" || exit
}
