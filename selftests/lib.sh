# SPDX-License-Identifier: GPL-2.0
# Sourced by every test: KTAP output, requirements, the module's coming and
# going, and (lib_fabric.sh) a network to try it on.
#
#	. "$(dirname "$0")/lib.sh"
#	mrc_load
#	fabric_up 4 100mbit
#	check "the peer answers" in_h1 ping -c 1 "$H2"
#
# KTAP=no before it leaves the KTAP lines out, for a script that is no test.
# There is no need to say when a test ends: the exit trap cleans up, looks for
# complaints in the kernel log, prints the plan and sets the exit status.
# shellcheck shell=bash

SELFTESTS=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=lib_kernel.sh
. "$SELFTESTS/lib_kernel.sh"

TEST_NAME=${0##*/}
TEST_NAME=${TEST_NAME%.sh}
TEST_TMP=$(mktemp -d "${TMPDIR:-/tmp}/mrc-test.XXXXXX")

ktap_plan=''
ktap_count=0
ktap_failed=0
ktap_skipped=0
at_exit_commands=()

# --- KTAP ------------------------------------------------------------------

diag()
{
	echo "# $*"
}

ktap_plan()
{
	ktap_plan=$1
	echo "1..$1"
}

ok()
{
	ktap_count=$((ktap_count + 1))
	echo "ok $ktap_count $*"
}

not_ok()
{
	ktap_count=$((ktap_count + 1))
	ktap_failed=$((ktap_failed + 1))
	echo "not ok $ktap_count $*"
}

# skip NAME REASON...: one result that this machine cannot give.
skip()
{
	local name=$1

	shift
	if [ -n "$MRC_EXPECT_ALL" ]; then
		diag "skipped, but everything is expected to run: $*"
		not_ok "$name"
		return
	fi
	ktap_count=$((ktap_count + 1))
	ktap_skipped=$((ktap_skipped + 1))
	echo "ok $ktap_count $name # SKIP $*"
}

# skip_all REASON...: the whole test.
skip_all()
{
	if [ -n "$MRC_EXPECT_ALL" ]; then
		diag "skipped, but everything is expected to run: $*"
		ktap_failed=$((ktap_failed + 1))
		exit 1
	fi
	echo "1..0 # SKIP $*"
	ktap_plan=0
	exit 4
}

# check NAME COMMAND...: passes when the command does; what the command said
# is shown only otherwise.
check()
{
	local name=$1

	shift
	if "$@" >"$TEST_TMP/check" 2>&1; then
		ok "$name"
		return
	fi
	diag "failed: $*"
	sed 's/^/# /' "$TEST_TMP/check"
	not_ok "$name"
	return 1
}

# check_value NAME VALUE OPERATOR EXPECTED, as of test(1): shows both.
check_value()
{
	local name=$1

	shift
	if [ "$@" ]; then
		ok "$name"
		return
	fi
	diag "$name: got $1, expected $2 $3"
	not_ok "$name"
	return 1
}

# A failure without a result of its own: the test as a whole fails.
fail()
{
	diag "$*"
	ktap_failed=$((ktap_failed + 1))
}

# --- Beginning and end -----------------------------------------------------

# at_exit COMMAND: the last one given runs first.
at_exit()
{
	at_exit_commands=("$*" "${at_exit_commands[@]}")
}

# expect_splat REGEX: a complaint that the test means to cause.
expect_splat()
{
	expected_splats="$1"
}

check_kernel_log()
{
	local found

	found=$(kernel_complaints "$kernel_log_start" |
		grep -vE "${expected_splats:-^$}")
	[ -n "$found" ] || return 0
	kernel_log "$kernel_log_start" | head -n 200 | sed 's/^/# /'
	fail "the kernel complained"
}

finish()
{
	local status=$? command

	trap - EXIT
	trap '' INT TERM
	for command in "${at_exit_commands[@]}"; do
		eval "$command"
	done
	check_kernel_log
	rm -rf "$TEST_TMP"
	if [ "$KTAP" = no ]; then
		:
	elif [ -z "$ktap_plan" ]; then
		echo "1..$ktap_count"
	elif [ "$ktap_count" -lt "$ktap_plan" ]; then
		fail "$ktap_count results of $ktap_plan"
	fi
	[ "$ktap_failed" -eq 0 ] || exit 1
	[ "$status" -eq 0 ] || exit "$status"
	[ "$ktap_count" -eq 0 ] || [ "$ktap_skipped" -lt "$ktap_count" ] || exit 4
	exit 0
}

trap finish EXIT
trap 'fail "interrupted"; exit 1' INT TERM
[ "$KTAP" = no ] || echo "KTAP version 1"
kernel_log_start="mrc-test: $TEST_NAME $$"
kernel_log_mark "$kernel_log_start"

# --- Requirements and waiting ----------------------------------------------

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip_all "needs root"
}

# need_commands NAME...
need_commands()
{
	local name

	for name; do
		command -v "$name" >/dev/null || skip_all "needs $name"
	done
}

# wait_for SECONDS COMMAND...: until the command passes; the polling sleeps,
# so that it ends in virtual time too.
wait_for()
{
	local tries=$(($1 * 20))

	shift
	while ! "$@" >/dev/null 2>&1; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.05
	done
}

# --- The module and its tools ----------------------------------------------

# Tools come from the source tree, or else from where they are installed.
tool()
{
	local built=$SELFTESTS/../tools/$1/$2

	if [ -x "$built" ]; then realpath "$built"; else command -v "$2"; fi
}

MRC=${MRC:-$(tool mrc mrc)}
MRCRUN=${MRCRUN:-$(tool preload mrcrun)}

mrc_loaded()
{
	[ -d /sys/module/mrc ]
}

# mrc_load [PARAMETER=VALUE...]: the module at $MRC_KO, or the installed one.
# One that was there before us stays when we go.
mrc_load()
{
	need_root
	mrc_loaded && return
	if [ -n "$MRC_KO" ]; then
		[ -e "$MRC_KO" ] || skip_all "no module at $MRC_KO"
		mrc_modprobe_needs
		insmod "$MRC_KO" "$@" 2>"$TEST_TMP/insmod"
	else
		modprobe mrc "$@" 2>"$TEST_TMP/insmod"
	fi
	if ! mrc_loaded; then
		sed 's/^/# /' "$TEST_TMP/insmod"
		[ -n "$MRC_KO" ] || skip_all "no mrc module; set MRC_KO"
		fail "cannot load $MRC_KO"
		exit 1
	fi
	at_exit mrc_unload
}

# insmod does not do what modprobe does.
mrc_modprobe_needs()
{
	local name

	for name in $(modinfo -F depends "$MRC_KO" | tr ',' ' '); do
		modprobe "$name"
	done
}

mrc_family()
{
	cat /sys/module/mrc/parameters/family
}

# Namespaces die in the background and hold the module a little longer. A
# built-in module (no refcnt) has nothing to unload.
mrc_unload()
{
	mrc_loaded && [ -e /sys/module/mrc/refcnt ] || return 0
	if ! wait_for 10 grep -qx 0 /sys/module/mrc/refcnt; then
		fail "mrc is still in use: $(cat /sys/module/mrc/refcnt)"
		return 1
	fi
	if ! rmmod mrc 2>"$TEST_TMP/rmmod"; then
		fail "rmmod: $(cat "$TEST_TMP/rmmod")"
		return 1
	fi
	if grep -qi '^mrc' /proc/slabinfo 2>/dev/null; then
		fail "slab left behind: $(grep -i '^mrc' /proc/slabinfo)"
		return 1
	fi
}

# shellcheck source=lib_fabric.sh
. "$SELFTESTS/lib_fabric.sh"
