# SPDX-License-Identifier: GPL-2.0
# Shared by the scripts of this folder: where things are, and which stock
# kernel "6.1" or "6.12" means on this machine.
# shellcheck shell=bash

VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
REPO=$(cd "$VM_DIR/../.." && pwd)
MRC_CACHE=${MRC_CACHE:-${HOME:-/root}/.cache/mrc}
VM_CACHE=$MRC_CACHE/vm
export MRC_CACHE

die()
{
	echo "${0##*/}: $*" >&2
	exit 1
}

# Newest installed headers of a stock series, or a full release as it is.
kernel_release()
{
	local dir

	case $1 in
	*-*) echo "$1"; return ;;
	esac
	# shellcheck disable=SC2012
	dir=$(ls -d /usr/src/linux-headers-"$1".*-cloud-amd64 2>/dev/null |
	      sort -V | tail -n 1)
	[ -n "$dir" ] || return 1
	echo "${dir#/usr/src/linux-headers-}"
}

# The image must be the headers' very release. It is unpacked into the cache
# rather than installed: the host's boot loader is none of our business.
fetch_image()
{
	local kver=$1 dest=$VM_CACHE/$1 tmp

	[ -e "$dest/vmlinuz" ] && return
	mkdir -p "$VM_CACHE"
	tmp=$(mktemp -d "$VM_CACHE/fetch.XXXXXX")
	(
		cd "$tmp" || exit 1
		apt-get -qq download "linux-image-$kver" >log 2>&1 ||
		{ apt-get -qq update && apt-get -qq download "linux-image-$kver"; } \
			>log 2>&1 || { cat log >&2; exit 1; }
		dpkg-deb -x linux-image-*.deb root || exit 1
		mv "root/boot/vmlinuz-$kver" vmlinuz
		mv "root/lib/modules/$kver" modules 2>/dev/null ||
			mv "root/usr/lib/modules/$kver" modules || exit 1
		rm -rf root ./*.deb log
		depmod_in_place "$tmp/modules" "$kver"
	) || { rm -rf "$tmp"; return 1; }
	mv -T "$tmp" "$dest" 2>/dev/null || rm -rf "$tmp"
}

# depmod insists on BASE/lib/modules/RELEASE.
depmod_in_place()
{
	local base

	base=$(mktemp -d)
	mkdir -p "$base/lib/modules"
	ln -s "$1" "$base/lib/modules/$2"
	depmod -b "$base" "$2"
	rm -rf "$base"
}

# Sets KVER, VMLINUZ and MODULES for a stock series.
find_kernel()
{
	KVER=$(kernel_release "$1") ||
		die "no headers of a $1 cloud kernel: run selftests/vm/deps.sh"
	if [ -r "/boot/vmlinuz-$KVER" ] && [ -d "/lib/modules/$KVER/kernel" ]; then
		VMLINUZ=/boot/vmlinuz-$KVER
		MODULES=$(realpath "/lib/modules/$KVER")
		return
	fi
	fetch_image "$KVER" || die "cannot download linux-image-$KVER"
	VMLINUZ=$VM_CACHE/$KVER/vmlinuz
	MODULES=$VM_CACHE/$KVER/modules
}
