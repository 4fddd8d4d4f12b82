# SPDX-License-Identifier: GPL-2.0
# Process 1 of a user-mode kernel. selftests/uml/run writes a script that
# sets the RUN_ variables and then goes on with this one. What it has to say
# to the host goes through the kernel log, in lines that start "mrc-run:".
# shellcheck shell=bash

tell()
{
	echo "mrc-run: $*" >/dev/kmsg
}

# The host's files, read-only, get a layer in memory that takes all writes.
# The overlay holds on to both, so the mounts themselves can go.
enter_root()
{
	mount -t tmpfs -o mode=755 layer /tmp
	mkdir /tmp/upper /tmp/work /tmp/root
	mount -t overlay -o lowerdir=/,upperdir=/tmp/upper,workdir=/tmp/work \
		root /tmp/root
	cd /tmp/root && pivot_root . mnt && cd / && umount -l /mnt
}

mount_all()
{
	mount -t proc proc /proc
	mount -t sysfs sysfs /sys
	mount -t tmpfs -o mode=755 run /run
	mount -t tmpfs -o mode=1777 tmp /var/tmp
	mount -t devtmpfs devtmpfs /dev
	mkdir -p /dev/pts /dev/shm /dev/mqueue /run/lock /run/netns
	mount -t devpts -o gid=5,mode=620 devpts /dev/pts
	mount -t tmpfs -o mode=1777 shm /dev/shm
	mount -t debugfs debugfs /sys/kernel/debug
	mount -t tracefs tracefs /sys/kernel/tracing
	mount -t cgroup2 cgroup2 /sys/fs/cgroup
	ln -sf /proc/self/fd /dev/fd
	ln -sf /proc/self/fd/0 /dev/stdin
	ln -sf /proc/self/fd/1 /dev/stdout
	ln -sf /proc/self/fd/2 /dev/stderr
	if [ -n "$RUN_OUT" ]; then
		mkdir -p "$RUN_OUT"
		mount -t hostfs -o "$RUN_OUT" out "$RUN_OUT"
	fi
}

power_off()
{
	sync
	echo o >/proc/sysrq-trigger
	sleep 1000
}

# A hung command is more use with the stacks of all that is blocked
watchdog()
{
	sleep "$RUN_TIMEOUT"
	tell timeout
	echo w >/proc/sysrq-trigger
	power_off
}

# Namespaces die asynchronously, so their references may outlive the
# command a little.
unload()
{
	local i

	[ -d /sys/module/mrc ] || return
	grep -F '[mrc]' /proc/kallsyms | sort >/run/mrc.symbols
	for ((i = 0; i < 10; i++)); do
		rmmod mrc 2>/dev/null && return
		sleep 1
	done
	tell "mrc is in use, references: $(cat /sys/module/mrc/refcnt)"
}

# What the module's text at this address was called before it went
symbol()
{
	local addr=$1 value name found=$1

	while read -r value _ name _; do
		((0x$value <= addr)) || break
		found="$name+$((addr - 0x$value)) [mrc]"
	done </run/mrc.symbols
	echo "$found"
}

# An object is reported when it is over five seconds old and several scans
# in a row have found it unchanged and without a pointer to it.
kmemleak()
{
	local file=/sys/kernel/debug/kmemleak line i

	sleep 6
	for ((i = 0; i < 4; i++)); do
		echo scan >$file
		sleep 0.5
	done
	while IFS= read -r line; do
		if [[ $line =~ ^\ *(0x[0-9a-f]+)$ && -e /run/mrc.symbols ]]; then
			line="    $(symbol "${BASH_REMATCH[1]}")"
		fi
		tell "leak: $line"
	done < <(head -n 200 $file)
}

run_command()
{
	local pair

	for pair in "${RUN_ENV[@]}"; do
		export "${pair?}"
	done
	cd "$RUN_DIR" || return 125
	exec setsid "${RUN_COMMAND[@]}"
}

# Programs get pipes, so that nothing behaves as on a terminal. A daemon left
# behind keeps them open: then two seconds must do for what was written.
run_piped()
{
	local out err i status

	mkfifo /run/mrc.out /run/mrc.err
	cat /run/mrc.out >/dev/tty0 &
	out=$!
	cat /run/mrc.err >/dev/tty2 &
	err=$!
	(run_command) </dev/null >/run/mrc.out 2>/run/mrc.err
	status=$?
	for ((i = 0; i < 20; i++)); do
		kill -0 $out 2>/dev/null || kill -0 $err 2>/dev/null || break
		sleep 0.1
	done
	return $status
}

export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LANG=C.UTF-8
enter_root
mount_all
stty -F /dev/tty0 -opost
stty -F /dev/tty2 -opost
hostname mrc-uml
echo 1 >/proc/sys/kernel/sysrq
ip link set lo up

[ -n "$RUN_VIRTUAL" ] || watchdog &
run_piped
status=$?
if [ -n "$RUN_DEBUG" ]; then
	unload
	kmemleak
fi
tell "exit $status"
power_off
