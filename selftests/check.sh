#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
# Static checks, as KTAP: for each supported kernel the module must build
# without a warning at W=1 and pass sparse, all C passes checkpatch, and what
# is generated is current.
. "$(dirname "$0")/uml/lib.sh"

KERNELS="6.1 6.12 7.3"

# FILE_PATH_CHANGES: there is no MAINTAINERS to update.
# UNCOMMENTED_DEFINITION: what a lock guards is in its struct's kernel-doc.
# CONST_STRUCT: the family's number and a table's namespace are known only when
#   the module runs.
# ALLOC_WITH_SIZEOF: kzalloc_obj() is newer than the kernels that are supported.
# USE_NEGATIVE_ERRNO: sk_err and struct icmp_err are positive.
CHECKPATCH_IGNORE=FILE_PATH_CHANGES,UNCOMMENTED_DEFINITION
CHECKPATCH_IGNORE+=,CONST_STRUCT,USE_NEGATIVE_ERRNO,ALLOC_WITH_SIZEOF
CHECKPATCH_IGNORE_USER=PREFER_KERNEL_TYPES,BIT_MACRO
CHECKPATCH_IGNORE_USER+=,PREFER_DEFINED_ATTRIBUTE_MACRO,EMBEDDED_FUNCTION_NAME,VOLATILE
# Tracepoints have a form of their own, which no other file may have.
CHECKPATCH_IGNORE_TRACE=COMPLEX_MACRO,MACRO_ARG_REUSE,OPEN_ENDED_LINE
CHECKPATCH_IGNORE_TRACE+=,PARENTHESIS_ALIGNMENT

number=0 failed=0

# The newest installed headers of a stock kernel, or the 7.3 tree
kernel_tree()
{
	local tree

	case $1 in
	7.3) "$UML_DIR/build" --print-tree native ;;
	*)
		tree=$(printf '%s\n' /usr/src/linux-headers-"$1".*-cloud-amd64 |
		       sort -V | tail -n 1)
		[ -d "$tree" ] && echo "$tree" ;;
	esac
}

kbuild()
{
	local kernel=$1 args=()

	shift
	[ "$kernel" != 7.3 ] ||
		args=(ARCH=um CHECK="sparse -include $UML_DIR/sparse.h")
	nice make -C "$tree" M="$scratch/$kernel" "${args[@]}" \
		-j"${MRC_JOBS:-$(nproc)}" "$@" modules >"$scratch/output" 2>&1
}

# Only lines that complain count, but all of them: a file of ours that sparse
# cannot parse is one that it did not check, wherever the error is.
complain()
{
	! grep -E '(warning|error):|\*\*\*|WARNING|ERROR' "$scratch/output"
}

gcc_test()
{
	farm "$scratch/$1"
	tree=$(kernel_tree "$1") || { echo "no headers of $1"; return 1; }
	if ! kbuild "$1" W=1; then
		tail -n 40 "$scratch/output"
		return 1
	fi
	complain
}

# C=2 checks everything again. An error in a kernel header would silence
# sparse for what follows it: see that it still finds a mistake behind them.
sparse_test()
{
	tree=$(kernel_tree "$1") || { echo "no headers of $1"; return 1; }
	kbuild "$1" C=2 || { tail -n 40 "$scratch/output"; return 1; }
	complain || return 1
	plant_mistake "$1"
	kbuild "$1" C=2
	grep -q 'mistake.c.*different base types' "$scratch/output" ||
		{ echo "sparse is blind"; cat "$scratch/output"; return 1; }
}

plant_mistake()
{
	local dir=$scratch/$1

	rm -rf "$dir"
	mkdir "$dir"
	echo 'obj-m := mistake.o' >"$dir/Kbuild"
	cat >"$dir/mistake.c" <<-END
	#include <linux/module.h>
	#include <net/sock.h>
	#include <net/udp_tunnel.h>
	#include <net/ip6_route.h>
	#include <net/genetlink.h>
	u32 mistake(__be32 x);
	u32 mistake(__be32 x) { return x; }
	MODULE_LICENSE("GPL");
	END
}

# checkpatch IGNORE PATH...
checkpatch()
{
	local ignore=$1

	shift
	find "$@" -name '*.[ch]' -print0 2>/dev/null |
		xargs -0r "$source/scripts/checkpatch.pl" --strict --no-tree \
			--no-summary --terse --show-types --color=never \
			--ignore "$CHECKPATCH_IGNORE,$ignore" -f
}

# The compat folder is the place for kernel versions. Programs have the types
# of C and none of the kernel's macros, and they print the names of commands,
# which may be a function's as well.
checkpatch_test()
{
	local source status=0

	source=$("$UML_DIR/build" --print-source) || return 1
	cd "$MRC_TOP" || return 1
	checkpatch '' net include -not -path '*/compat/*' \
		-not -path 'include/trace/*' || status=1
	checkpatch "$CHECKPATCH_IGNORE_TRACE" include/trace || status=1
	checkpatch LINUX_VERSION_CODE,CONSTANT_COMPARISON net/mrc/compat || status=1
	checkpatch "$CHECKPATCH_IGNORE_USER" tools selftests examples || status=1
	return $status
}

# Diagnostics come before the result, as KTAP wants them
run_test()
{
	local name=$1 result=ok

	shift
	number=$((number + 1))
	if ! "$@" >"$scratch/diagnostics" 2>&1; then
		result="not ok"
		failed=$((failed + 1))
	fi
	sed "s,$scratch/[^/]*/,,g; s/^/# /" "$scratch/diagnostics"
	echo "$result $number $name"
}

have gcc make perl sparse
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'echo "Bail out! stopped by a signal"; exit 130' INT TERM HUP

echo "KTAP version 1"
echo "1..9"
for kernel in $KERNELS; do
	run_test "$kernel gcc W=1" gcc_test "$kernel"
	run_test "$kernel sparse" sparse_test "$kernel"
done
run_test "checkpatch --strict" checkpatch_test
run_test "netlink files are current" \
	"$MRC_TOP/Documentation/netlink/generate" --check
run_test "table of settings is current" \
	"$MRC_TOP/Documentation/networking/settings" --check
[ $failed -eq 0 ]
