# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Sourced by the scripts of this folder and by ../check.sh: where the 7.3
# source and the trees built from it live, and how they come to be there.
# Progress goes to stderr, so that stdout carries nothing but a path.

UML_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
MRC_TOP=${MRC_TOP:-$(cd "$UML_DIR/../.." && pwd)}
MRC_CACHE=${MRC_CACHE:-$HOME/.cache/mrc}
UML_PACKAGE=linux-source-7.3
UML_SUITE=trixie-backports

say()
{
	echo "${0##*/}: $*" >&2
}

die()
{
	say "$*"
	exit 1
}

# have COMMAND...: or else install all that building and testing need
have()
{
	local command

	for command; do
		command -v "$command" >/dev/null && continue
		"$UML_DIR/../vm/deps.sh" >&2 || exit 1
		return
	done
}

# Only one caller fetches, unpacks or builds; the others find it done
with_lock()
{
	mkdir -p "$MRC_CACHE"
	(
		flock 9
		"$@"
	) 9>"$MRC_CACHE/uml.lock"
}

# The machine's own mirror, asked for another suite. Debian 12 and later
# may have deb822 files, others have one-line lists; security archives
# carry no backports.
backports_list()
{
	local dir=$1 deb822=/etc/apt/sources.list.d/debian.sources

	if [ -e "$deb822" ]; then
		awk -v RS= -v suite="$UML_SUITE" '!/security/ {
			gsub(/(^|\n)#[^\n]*/, "")
			sub(/(^|\n)Suites:[^\n]*/, "\nSuites: " suite)
			sub(/^\n+/, "")
			print
			exit
		}' "$deb822" >"$dir/mrc.sources"
		echo "$dir/mrc.sources"
	else
		sed -nE "/security/d; s,^(deb( +\[[^]]*\])? +[^ ]+) .*,\1 $UML_SUITE main,p" \
			/etc/apt/sources.list | head -n 1 >"$dir/mrc.list"
		echo "$dir/mrc.list"
	fi
}

# apt with lists and cache of its own: the machine's stay as they are
backports_apt()
{
	local apt=$MRC_CACHE/apt list

	mkdir -p "$apt/lists/partial" "$apt/archives/partial"
	list=$(backports_list "$apt")
	apt-get -q -o Dir::Etc::SourceList="$list" \
		-o Dir::Etc::SourceParts=/dev/null \
		-o Dir::State::Lists="$apt/lists" \
		-o Dir::Cache="$apt" \
		-o Acquire::Languages=none \
		-o APT::Sandbox::User="$(id -un)" "$@" >&2
}

# The newest package in the cache; nothing is asked of the network if
# there is one
source_package()
{
	local dl=$MRC_CACHE/dl

	mkdir -p "$dl"
	if ! compgen -G "$dl/${UML_PACKAGE}_*.deb" >/dev/null; then
		say "downloading $UML_PACKAGE"
		(cd "$dl" && backports_apt update &&
		 backports_apt download "$UML_PACKAGE") ||
			die "no $UML_PACKAGE in $UML_SUITE of this machine's mirror"
	fi
	printf '%s\n' "$dl/${UML_PACKAGE}"_*.deb | sort -V | tail -n 1
}

hash_of()
{
	cat "$@" | sha256sum | cut -c1-12
}

source_dir()
{
	local deb version

	deb=$(source_package) || exit
	version=$(dpkg-deb -f "$deb" Version | tr -c 'A-Za-z0-9.\n-' _)
	echo "$MRC_CACHE/linux-$version-$(hash_of "$UML_DIR"/source.exclude \
		"$UML_DIR"/*.patch)"
}

unpack_source()
{
	local dir=$1 tmp=$1.tmp

	[ -d "$dir" ] && return
	say "unpacking $UML_PACKAGE"
	rm -rf "$tmp"
	mkdir -p "$tmp"
	dpkg-deb --fsys-tarfile "$(source_package)" |
		tar -xO --wildcards '*.tar.xz' | xz -dc -T0 |
		tar -x -C "$tmp" --strip-components=1 \
		    --exclude-from="$UML_DIR/source.exclude" || exit
	cat "$UML_DIR"/*.patch | patch -s -p1 -d "$tmp" >&2 || exit
	mv "$tmp" "$dir"
}

# The fragments name a symbol once; what Kconfig dropped would be missed
# only much later, in a test
configure_tree()
{
	local kind=$1 src=$2 tree=$3 lost

	cat "$UML_DIR/base.config" "$UML_DIR/$kind.config" >"$tree/mrc.config"
	make -s -C "$src" ARCH=um O="$tree" \
		KCONFIG_ALLCONFIG="$tree/mrc.config" allnoconfig >&2 || exit
	lost=$(grep '^CONFIG_' "$tree/mrc.config" |
	       grep -vxFf "$tree/.config")
	[ -z "$lost" ] || die "not accepted by Kconfig: $lost"
}

tree_dir()
{
	local kind=$1 src=$2 key

	key=$({
		basename "$src"
		gcc -dumpfullversion
		cat "$UML_DIR/base.config" "$UML_DIR/$kind.config"
	} | hash_of)
	echo "$MRC_CACHE/uml-$kind-$key"
}

build_tree()
{
	local kind=$1 src=$2 tree=$3

	[ -e "$tree/mrc.done" ] && return
	say "building the $kind kernel in $tree (some minutes)"
	mkdir -p "$tree"
	configure_tree "$kind" "$src" "$tree"
	nice make -s -C "$src" ARCH=um O="$tree" -j"${MRC_JOBS:-$(nproc)}" \
		KBUILD_BUILD_USER=mrc KBUILD_BUILD_HOST=uml \
		KBUILD_BUILD_TIMESTAMP=2026-01-01 >&2 || exit
	touch "$tree/mrc.done"
}

# Kernels before 6.13 build a module where its sources are: give each kernel
# a tree of links to them.
farm()
{
	local dest=$1 item

	mkdir -p "$dest"
	for item in Kbuild include net; do
		[ ! -e "$MRC_TOP/$item" ] ||
			cp -rsfT "$MRC_TOP/$item" "$dest/$item" || exit
	done
	find "$dest" -xtype l -delete
}
