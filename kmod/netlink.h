/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The generic netlink family: attributes on one side, the session on the other.
 */
#ifndef BPMU_NETLINK_H
#define BPMU_NETLINK_H

#include <linux/types.h>

struct bpmu_plan;
struct bpmu_pmu;
struct bpmu_session_info;
struct cpumask;
struct genl_family;
struct genl_info;
struct netlink_callback;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;

extern struct genl_family bpmu_netlink_family;
extern const char bpmu_netlink_readers_only[];

int bpmu_netlink_init(void);
void bpmu_netlink_exit(void);

bool bpmu_netlink_may_program(struct sk_buff *request);
bool bpmu_netlink_may_read(void);
int bpmu_netlink_put_session(struct sk_buff *skb,
			     const struct bpmu_session_info *info);
int bpmu_netlink_put_cpus(struct sk_buff *skb, const struct cpumask *cpus,
			  const struct bpmu_pmu *pmu);
int bpmu_netlink_get_plan(struct sk_buff *skb, struct genl_info *info);
int bpmu_netlink_get_info(struct sk_buff *skb, struct genl_info *info);
int bpmu_netlink_refuse(struct netlink_ext_ack *extack,
			const struct nlattr *attr, const char *why);
int bpmu_netlink_parse_plan(struct genl_info *info, struct bpmu_plan *plan);
int bpmu_netlink_parse_groups(struct genl_info *info, struct bpmu_plan *plan);
int bpmu_netlink_read_start(struct netlink_callback *cb);
int bpmu_netlink_read_done(struct netlink_callback *cb);
int bpmu_netlink_read(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* BPMU_NETLINK_H */
