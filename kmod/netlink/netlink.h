/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family. It turns the attributes of requests into calls of the functions of
 * session.h, and the session's state and samples into attributes of replies.
 */
#ifndef BPMU_NETLINK_H
#define BPMU_NETLINK_H

#include <linux/types.h>

struct bpmu_failure_info;
struct bpmu_pmu;
struct bpmu_session_view;
struct bpmu_subscriber;
struct genl_family;
struct netlink_callback;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;

extern struct genl_family bpmu_netlink_family;
extern const struct bpmu_subscriber bpmu_netlink_subscriber;

int bpmu_netlink_init(void);
void bpmu_netlink_exit(void);

int bpmu_netlink_put_failure(struct sk_buff *skb,
			     const struct bpmu_failure_info *info);

const struct bpmu_pmu *bpmu_netlink_pmu(const struct nlattr *attr,
					struct netlink_ext_ack *extack);

int bpmu_netlink_list(struct sk_buff *skb, struct netlink_callback *cb);

int bpmu_netlink_read_start(struct netlink_callback *cb);
int bpmu_netlink_read_done(struct netlink_callback *cb);
int bpmu_netlink_read(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* BPMU_NETLINK_H */
