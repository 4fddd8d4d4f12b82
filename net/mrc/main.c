// SPDX-License-Identifier: GPL-2.0-only
/* Module and network namespaces: begin and end. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <net/net_namespace.h>
#include "af_mrc.h"
#include "base.h"
#include "encap.h"
#include "mib.h"
#include "netlink.h"
#include "netns.h"
#include "proc.h"
#include "send.h"
#include "sock.h"
#include "sysctl.h"
#include "table.h"
#include "timewait.h"

#define DEFAULT_FAMILY	23

int mrc_family = DEFAULT_FAMILY;
module_param_named(family, mrc_family, int, 0444);
MODULE_PARM_DESC(family, "number of the socket family, 1 to AF_MAX - 1");

unsigned int mrc_net_id;

static int __net_init net_begin(struct net *net)
{
	struct mrc_net *mn = mrc_net(net);
	int err;

	mn->net = net;
	mutex_init(&mn->udp_lock);
	spin_lock_init(&mn->event_lock);
	spin_lock_init(&mn->cookie_lock);
	spin_lock_init(&mn->reset_lock);
	mrc_timewait_init(mn);
	err = mrc_mib_init(net);
	if (err)
		return err;
	err = mrc_sysctl_init(net);
	if (err)
		goto err_sysctl;
	err = mrc_table_init(mn);
	if (err)
		goto err_table;
	err = mrc_base_init(mn);
	if (err)
		goto err_base;
	err = mrc_proc_init(net);
	if (err)
		goto err_proc;
	/* Without them, socket() tries again and reports. */
	if (mrc_encap_open(mn))
		pr_warn("UDP port %d is in use; no connections for now\n",
			mn->sysctl.udp_port);
	return 0;

err_proc:
	mrc_base_exit(mn);
err_base:
	mrc_table_exit(mn);
err_table:
	mrc_sysctl_exit(net);
err_sysctl:
	mrc_mib_exit(net);
	return err;
}

static void __net_exit net_end(struct net *net)
{
	struct mrc_net *mn = mrc_net(net);

	mrc_proc_exit(net);
	mrc_encap_close(mn);
	mrc_timewait_exit(mn);
	mrc_base_exit(mn);
	mrc_table_exit(mn);
	mrc_sysctl_exit(net);
	mrc_mib_exit(net);
}

static struct pernet_operations net_ops = {
	.init	= net_begin,
	.exit	= net_end,
	.id	= &mrc_net_id,
	.size	= sizeof(struct mrc_net),
};

static int __init mrc_init(void)
{
	int err;

	err = mrc_send_module_init();
	if (err)
		return err;
	err = mrc_timewait_module_init();
	if (err)
		goto err_timewait;
	err = mrc_sock_module_init();
	if (err)
		goto err_sock;
	err = register_pernet_subsys(&net_ops);
	if (err)
		goto err_net;
	err = mrc_netlink_init();
	if (err)
		goto err_netlink;
	err = mrc_af_register();
	if (err)
		goto err_af;
	return 0;

err_af:
	mrc_netlink_exit();
err_netlink:
	unregister_pernet_subsys(&net_ops);
	rcu_barrier();
err_net:
	mrc_sock_module_exit();
err_sock:
	mrc_timewait_module_exit();
err_timewait:
	mrc_send_module_exit();
	return err;
}

/* No socket is left: each one holds a reference to the module. */
static void __exit mrc_exit(void)
{
	mrc_af_unregister();
	mrc_netlink_exit();
	unregister_pernet_subsys(&net_ops);
	rcu_barrier();
	mrc_sock_module_exit();
	mrc_timewait_module_exit();
	mrc_send_module_exit();
}

module_init(mrc_init);
module_exit(mrc_exit);

MODULE_DESCRIPTION("AF_MRC: multipath reliable connections");
MODULE_LICENSE("GPL");
MODULE_ALIAS_NETPROTO(DEFAULT_FAMILY);
