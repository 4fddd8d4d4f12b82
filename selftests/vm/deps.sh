#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Install what building and testing need on a Debian 12 machine. Does nothing,
# and needs neither root nor network, when everything is there.

# Headers come by apt since they hold absolute links; kernel images do not.
PACKAGES="
build-essential bc bison flex kmod libelf-dev pahole pkg-config sparse
libnl-3-dev libnl-genl-3-dev libjson-c-dev libncurses-dev tmux
linux-headers-cloud-amd64 linux-headers-6.12-cloud-amd64
qemu-system-x86 qemu-system-common busybox-static cpio
iproute2 ethtool iputils-ping libwrap0 netcat-openbsd procps tcpdump
curl iperf3 openssh-client openssh-sftp-server openssl redis-tools rsync socat
python3 python3-jsonschema python3-yaml util-linux
"

# Servers whose packages would start them at boot are not installed: redis-tools
# holds the program of redis-server, and sshd is unpacked into the cache.
SSHD_DIR=${MRC_CACHE:-${HOME:-/root}/.cache/mrc}/openssh-server

fail()
{
	echo "deps.sh: $*" >&2
	exit 1
}

installed()
{
	[ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

have_sshd()
{
	[ -x /usr/sbin/sshd ] || [ -x "$SSHD_DIR/usr/sbin/sshd" ]
}

unpack_sshd()
{
	tmp=$(mktemp -d) &&
	(cd "$tmp" && apt-get -qq download openssh-server) >>"$log" 2>&1 &&
	mkdir -p "$SSHD_DIR" &&
	dpkg-deb -x "$tmp"/openssh-server_*.deb "$SSHD_DIR" &&
	rm -rf "$tmp"
}

missing='' sshd=''
for package in $PACKAGES; do
	installed "$package" || missing="$missing $package"
done
have_sshd || sshd=" sshd"
[ -n "$missing$sshd" ] || exit 0

[ "$1" = --check ] && fail "missing:$missing$sshd"
command -v apt-get >/dev/null || fail "no apt-get; install by hand:$missing"
[ "$(id -u)" = 0 ] || fail "not root; as root: apt-get install$missing$sshd"

echo "deps.sh: installing$missing$sshd" >&2
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Servers are for tests to start, in namespaces: none is to run here. This is
# how Debian's packages are told so.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
	printf '#!/bin/sh\nexit 101\n' >$policy
	chmod 755 $policy
	trap 'rm -f "$log" $policy' EXIT
fi
apt-get -qq update >"$log" 2>&1
# shellcheck disable=SC2086
if ! apt-get -qq -y --no-install-recommends install $missing \
	>>"$log" 2>&1 </dev/null; then
	tail -n 20 "$log" >&2
	fail "apt-get could not install:$missing"
fi
if [ -n "$sshd" ] && ! unpack_sshd; then
	tail -n 20 "$log" >&2
	fail "cannot unpack openssh-server"
fi
