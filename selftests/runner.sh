#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# usage: runner.sh DIR TEST...
# Run tests one after the other on this very machine (in a virtual one, see
# vm/test). DIR gets a log of each, and a file "results" with a line for each:
# name, passed, failed, skipped, seconds. Last line: N passed, N failed.

cd "$(dirname "$0")" || exit 1
# shellcheck source=lib_kernel.sh
. ./lib_kernel.sh

# "settings" is kselftest's file; an emulated processor needs its time.
TIMEOUT=${MRC_TEST_TIMEOUT:-$(sed -n 's/^timeout=//p' settings)}

# A test that was killed leaves its namespaces.
remove_leftovers()
{
	local name

	for name in $(ip netns list | awk '/^mrc/ { print $1 }'); do
		ip netns pids "$name" | xargs -r kill -9
		ip netns del "$name"
	done 2>/dev/null
}

count()
{
	grep -cE "$1" "$log"
}

# A test that fails as a whole counts as one failure more.
judge()
{
	local status=$1 why=

	passed=$(grep -E '^ok ' "$log" | grep -cv '# SKIP')
	skipped=$(count '^ok .*# SKIP')
	failed=$(count '^not ok ')
	case $status in
	0) ;;
	4) skipped=$((skipped + 1)) ;;
	124 | 137) why="no end after $TIMEOUT s" ;;
	*) [ "$failed" -gt 0 ] || why="exit status $status" ;;
	esac
	[ -z "$(kernel_complaints "$mark")" ] || why="${why:-kernel complained}"
	if [ -z "$why" ] && [ $((passed + failed + skipped)) -eq 0 ]; then
		why="no result"
	fi
	[ -z "$why" ] || failed=$((failed + 1))
	reason=$why
}

show()
{
	local name=$1 word=ok

	[ "$failed" -eq 0 ] || word="not ok"
	echo "$word $number $name # $passed passed, $failed failed," \
		"$skipped skipped, $seconds s${reason:+: $reason}"
	if [ "$failed" -gt 0 ] || [ -n "$MRC_VERBOSE" ]; then
		tail -n 60 "$log" | sed 's/^/  /'
	fi
}

run_test()
{
	local name=$1 file=./$1 status start=$SECONDS

	[ -e "$file" ] || file=./$name.sh
	log=$dir/$name.log
	mark="mrc-runner: $name $$"
	kernel_log_mark "$mark"
	timeout -k 20 "$TIMEOUT" "$file" >"$log" 2>&1 </dev/null
	status=$?
	seconds=$((SECONDS - start))
	[ $status -lt 124 ] || remove_leftovers
	judge $status
	echo "$name $passed $failed $skipped $seconds" >>"$dir/results"
	show "$name"
}

dir=$1 number=0
shift
mkdir -p "$dir"
echo "KTAP version 1"
echo "1..$#"
for name; do
	number=$((number + 1))
	run_test "${name%.sh}"
done
awk '{ passed += $2; failed += $3 }
	END { print passed + 0 " passed, " failed + 0 " failed"; exit failed > 0 }' \
	"$dir/results"
