# SPDX-License-Identifier: GPL-2.0
# What the kernel log says about a test.
# shellcheck shell=bash

# What no test may leave in the kernel log.
SPLATS='BUG:|WARNING:|Oops|KASAN|UBSAN|ODEBUG|general protection|refcount_t'
SPLATS+='|INFO: (task|rcu|trying|lockdep)|possible (recursive|circular|deadlock)'
SPLATS+='|inconsistent lock|suspicious RCU|held lock freed|RTNL:|ref_tracker'
SPLATS+='|unregister_netdevice: waiting|still has objects|Objects remaining'
SPLATS+='|Bad page|bad page state|workqueue lockup|new suspected memory leaks'

# kernel_log_mark MARK: a line in the log that says where a test begins.
kernel_log_mark()
{
	echo "$1" >/dev/kmsg 2>/dev/null
}

# kernel_log MARK: all that came after it.
kernel_log()
{
	dmesg 2>/dev/null | awk -v mark="$1" \
		'on { print } index($0, mark) { on = 1 }'
}

kernel_complaints()
{
	kernel_log "$1" | grep -E "$SPLATS"
}
