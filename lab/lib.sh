# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
# shellcheck disable=SC2034
# Sourced by run and lab: what has to be built first.

LAB=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
TOP=$(cd "$LAB/.." && pwd)
PYTHON=/usr/bin/python3
[ -x $PYTHON ] || PYTHON=python3
EXPERIMENTS="allgood black black4 blackrev grey blink slow rates skew loss"
EXPERIMENTS+=" four jain16 incast mixed short idle"
KINDS="mrc cubic dctcp bbr mptcp"

# The module is built unless MRC_KO says which to use.
lab_build()
{
	local sources=("$LAB"/flow*.[ch]) flow=$TOP/build/lab/flow source

	mkdir -p "$TOP/build/lab"
	for source in "${sources[@]}"; do
		[ "$flow" -nt "$source" ] && continue
		gcc -O2 -Wall -o "$flow.$$" "$LAB"/flow*.c &&
			mv "$flow.$$" "$flow" || exit
		break
	done
	if [ -z "$MRC_KO" ]; then
		MRC_KO=$("$TOP/selftests/uml/module" native) || exit
	fi
	export MRC_KO
}
