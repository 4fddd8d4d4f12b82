# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# Sourced inside the virtual machine: the experiments. Each says what there is,
# who sends, and what happens when, in ms of virtual time from the beginning;
# figures.py knows what to make of what was seen.

one_flow()
{
	fabric
	flows bulk 1
}

exp_allgood()
{
	one_flow
	steady
}

# No change: the beginning is not counted.
steady()
{
	local ms=${p[ms]:-400}

	go "$ms"
	until_ms $((ms / 4))
	mark from
	observe from
	over
}

exp_black()
{
	local spine

	one_flow
	go "${p[ms]:-900}"
	until_ms 200
	spine=$(busiest l1 | head -n 1)
	mark spine "$spine"
	mark fault
	observe fault
	spine_kill "$spine"
	until_ms 500
	mark heal
	observe heal
	spine_heal "$spine"
	over
}

exp_black4()
{
	local spine dead

	one_flow
	go "${p[ms]:-600}"
	until_ms 200
	dead=$(busiest l1 | head -n $((p[spines] / 2)))
	mark fault
	observe fault
	for spine in $dead; do
		spine_kill "$spine"
	done
	over
}

# Only what the receiver sends is lost.
exp_blackrev()
{
	local spine

	one_flow
	go "${p[ms]:-500}"
	until_ms 200
	spine=$(busiest l2 | head -n 1)
	mark spine "$spine"
	mark fault
	observe fault
	tc -n "$FABRIC-s$spine" qdisc replace dev l1 root netem loss 100%
	over
}

exp_grey()
{
	local spine

	one_flow
	go "${p[ms]:-700}"
	until_ms 200
	spine=$(busiest l1 | head -n 1)
	mark spine "$spine"
	mark fault
	observe fault
	spine_set "$spine" loss "${p[drop]:-10}%"
	until_ms 300
	mark from
	over
}

exp_blink()
{
	local spine ms=200

	one_flow
	go "${p[ms]:-800}"
	until_ms $ms
	spine=$(busiest l1 | head -n 1)
	mark spine "$spine"
	mark fault
	mark from
	observe fault
	while [ $ms -lt "${marks[end]}" ]; do
		spine_kill "$spine"
		until_ms $((ms += 20))
		spine_heal "$spine"
		until_ms $((ms += 20))
	done
	over
}

exp_slow()
{
	one_flow
	shape_both 1 $((p[rate] / 10)) $((2 * p[delay]))
	mark capacity $((p[rate] * (p[spines] - 1) + p[rate] / 10))
	steady
}

exp_rates()
{
	local i sum=0

	one_flow
	for i in 1 2 3 4 5 6 7 8; do
		shape_both $i $((1100 - 100 * i)) $((2 * p[delay]))
		sum=$((sum + 1100 - 100 * i))
	done
	mark capacity $sum
	steady
}

exp_skew()
{
	local i

	one_flow
	for i in $(seq "${p[spines]}"); do
		shape_both "$i" "${p[rate]}" \
			$((2 * p[delay] * (1 + 10 * (i - 1))))
	done
	steady
}

exp_loss()
{
	one_flow
	fabric_each_spine lossy_spine
	steady
}

lossy_spine()
{
	spine_set "$1" loss "${p[drop]:-1}%"
}

exp_four()
{
	p[spines]=4
	fabric
	flows bulk 4
	steady
}

exp_jain16()
{
	p[ms]=${p[ms]:-1250}
	fabric
	flows bulk 16
	go "${p[ms]}"
	until_ms $((p[ms] - 1000))
	mark from
	over
}

# Eight hosts with links of their own send to h2, over one link; somebody
# else sends to another host behind the same leaf.
exp_incast()
{
	local k senders=${p[senders]:-32}

	fabric
	for k in 1 2 3 4 5 6 7 8 9; do
		host_add 1 "$k" || exit
		host_settings "h1-$k"
		host_port "h1-$k" eth0 1000
	done
	host_add 2 1 || exit
	host_settings h2-1
	hosts_route || exit
	link_queue l2 host "${p[rate]}" "${p[delay]}"
	link_queue l2 h2-1 "${p[rate]}" "${p[delay]}"
	for k in 1 2 3 4 5 6 7 8; do
		flows incast $((senders / 8)) \
			"from=$FABRIC-h1-$k,bytes=65536,start=100"
	done
	flows victim 1 "from=$FABRIC-h1-9,to=$FABRIC-h2-1,addr=10.2.1.2"
	mark senders "$senders"
	mark from 100
	go "${p[ms]:-500}"
	until_ms 99
	observe from
	over
}

# A host's own queue is long.
host_port()
{
	tc -n "$FABRIC-$1" qdisc replace dev "$2" root netem \
		rate "${p[rate]}mbit" limit "$3"
}

exp_mixed()
{
	local kind=${p[kind]}

	fabric
	flows bulk 4
	p[kind]=${p[beside]:-cubic}
	flows beside 4
	p[kind]=$kind
	p[ms]=${p[ms]:-1000}
	steady
}

exp_short()
{
	fabric
	flows bulk 4
	flows short 1 "msg=${p[msg]:-1024},start=50"
	steady
}

exp_idle()
{
	fabric
	flows bulk 1 bytes=50000000,hold=1
	p[sample]=100
	go "${p[ms]:-6000}"
	until_ms 1000
	observe from
	mark from
	over
}
