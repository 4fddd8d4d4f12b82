#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# ssh, scp and rsync to an sshd with keys and a configuration of its own. It
# sees the machine's accounts only through copies that hold what it asks for.

. "$(dirname "$0")/lib.sh"
. "$SELFTESTS/lib_app.sh"

BYTES=1000000
PORT=2222

# deps.sh unpacks a server rather than leave one to be started at boot.
find_sshd()
{
	PATH=$PATH:/usr/sbin command -v sshd && return
	set -- "${MRC_CACHE:-$HOME/.cache/mrc}/openssh-server/usr/sbin/sshd"
	[ -x "$1" ] && echo "$1"
}

make_keys()
{
	ssh-keygen -q -t ed25519 -N '' -f "$TEST_TMP/host_key" &&
	ssh-keygen -q -t ed25519 -N '' -f "$TEST_TMP/user_key" &&
	cp "$TEST_TMP/user_key.pub" "$TEST_TMP/authorized_keys"
}

make_accounts()
{
	echo "root:x:0:0::$TEST_TMP:/bin/sh"
	echo "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin"
} >"$TEST_TMP/passwd"

make_configs()
{
	cat >"$TEST_TMP/sshd_config" <<-END
	Port $PORT
	HostKey $TEST_TMP/host_key
	AuthorizedKeysFile $TEST_TMP/authorized_keys
	AuthenticationMethods publickey
	PermitRootLogin yes
	StrictModes no
	UseDNS no
	KexAlgorithms curve25519-sha256
	PidFile none
	Subsystem sftp internal-sftp
	END
	cat >"$TEST_TMP/ssh_config" <<-END
	Port $PORT
	User root
	IdentityFile $TEST_TMP/user_key
	IdentitiesOnly yes
	StrictHostKeyChecking no
	UserKnownHostsFile /dev/null
	BatchMode yes
	ConnectTimeout 10
	LogLevel ERROR
	END
}

# `ip netns exec` gives the server mounts of its own, which end with it.
serve()
{
	echo 'root:*:1:0:99999:7:::' >"$TEST_TMP/shadow"
	app_serve server 'Server listening on ::' sh -c '
		mount --bind "$1/passwd" /etc/passwd &&
		mount --bind "$1/shadow" /etc/shadow &&
		mkdir -p /run/sshd && chmod 755 /run/sshd &&
		exec "$2" "$3" -D -e -f "$1/sshd_config"' \
		sh "$TEST_TMP" "$MRCRUN" "$SSHD"
}

client()
{
	local program=$1

	shift
	in_h1 "$MRCRUN" "$program" -F "$TEST_TMP/ssh_config" "$@"
}

# There and back through one command
ssh_test()
{
	client ssh "$1" cat <"$TEST_TMP/data" >"$TEST_TMP/ssh.back" &&
	cmp "$TEST_TMP/data" "$TEST_TMP/ssh.back"
}

scp_test()
{
	client scp -q "$TEST_TMP/data" "$1:$TEST_TMP/scp.there" &&
	cmp "$TEST_TMP/data" "$TEST_TMP/scp.there"
}

rsync_test()
{
	in_h1 "$MRCRUN" rsync -e "ssh -F $TEST_TMP/ssh_config" \
		"$TEST_TMP/data" "$1:$TEST_TMP/rsync.there" &&
	cmp "$TEST_TMP/data" "$TEST_TMP/rsync.there"
}

SSHD=$(find_sshd) || skip_all "needs sshd"
app_begin ssh scp rsync ssh-keygen
chmod 755 "$TEST_TMP"
app_data "$TEST_TMP/data" $BYTES
make_keys
make_accounts
make_configs
serve

check "IPv4: ssh" ssh_test "$(app_host 4)"
check "IPv4: rsync" rsync_test "$(app_host 4)"
check "IPv6: scp" scp_test "$(app_host 6 URL)"
app_end
