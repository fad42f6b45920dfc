/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-in for the headers of the kernel and the module that kmod/netlink/netlink_list.c includes.
 * The unit test decides how long messages may be, which CPUs exist and what failed on them.
 */
#ifndef UNIT_GENETLINK_H
#define UNIT_GENETLINK_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "arch.h"

/*
 * A netlink message. @portid: port ID of its sender, which the kernel keeps in the message's
 * control block.
 */
struct sk_buff {
	unsigned char *data;
	unsigned int len;
	unsigned int size;
	u32 portid;
};

struct netlink_ext_ack {
	const char *_msg;
};

struct netlink_callback {
	struct sk_buff *skb;
	const struct nlmsghdr *nlh;
	struct netlink_ext_ack *extack;
	long args[6];
	unsigned int seq;
	unsigned int prev_seq;
};

struct bpmu_failure_info {
	unsigned int cpu;
	unsigned int what;
	int error;
};

struct bpmu_counted {
	const void *settings;
};

struct bpmu_session_view {
	const struct bpmu_counted *counted;
	u32 run;
};

extern unsigned int nr_cpu_ids;

bool cpu_possible(unsigned int cpu);
bool cpu_online(unsigned int cpu);
bool cpu_is_isolated(unsigned int cpu);
const struct bpmu_pmu *bpmu_pmu_of(unsigned int cpu);
void bpmu_session_view_begin(struct bpmu_session_view *view);
void bpmu_session_view_end(void);
bool bpmu_counters_next_failure(const struct bpmu_counted *counted, unsigned int *at,
				struct bpmu_failure_info *info);
const struct genl_family *bpmu_dump_family(struct netlink_callback *cb);
struct nlattr **bpmu_dump_attrs(struct netlink_callback *cb);

#define for_each_online_cpu(cpu) \
	for ((cpu) = 0; (cpu) < nr_cpu_ids; (cpu)++) \
		if (cpu_online(cpu))

#define NETLINK_CB(skb) (*(skb))
#define NL_SET_ERR_MSG_ATTR(extack, attr, text) ((void)(attr), (extack)->_msg = (text))

static inline unsigned int skb_tailroom(const struct sk_buff *skb)
{
	return skb->size - skb->len;
}

static inline void *skb_put(struct sk_buff *skb, unsigned int bytes)
{
	skb->len += bytes;
	return skb->data + skb->len - bytes;
}

static inline u32 nla_get_u32(const struct nlattr *attr)
{
	return *(const u32 *)(attr + 1);
}

static inline struct nlattr *nla_reserve(struct sk_buff *skb, int type, unsigned int bytes)
{
	struct nlattr *attr;

	if (skb_tailroom(skb) < NLA_HDRLEN + NLA_ALIGN(bytes))
		return NULL;
	attr = skb_put(skb, NLA_HDRLEN + NLA_ALIGN(bytes));
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + bytes;
	return attr;
}

static inline int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	struct nlattr *attr = nla_reserve(skb, type, sizeof(value));

	if (!attr)
		return -EMSGSIZE;
	*(u32 *)(attr + 1) = value;
	return 0;
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int type)
{
	return nla_reserve(skb, type | NLA_F_NESTED, 0);
}

static inline void nla_nest_end(const struct sk_buff *skb, struct nlattr *nest)
{
	nest->nla_len = skb->data + skb->len - (unsigned char *)nest;
}

static inline void nla_nest_cancel(struct sk_buff *skb, const struct nlattr *nest)
{
	skb->len = (const unsigned char *)nest - skb->data;
}

static inline struct nlmsghdr *genl_header(void *hdr)
{
	return (void *)((unsigned char *)hdr - GENL_HDRLEN - NLMSG_HDRLEN);
}

static inline void *genlmsg_put(struct sk_buff *skb, u32 portid, u32 seq,
				const struct genl_family *family, int flags, u8 cmd)
{
	struct nlmsghdr *message;
	struct genlmsghdr *head;

	(void)family;
	if (skb_tailroom(skb) < NLMSG_HDRLEN + GENL_HDRLEN)
		return NULL;
	message = skb_put(skb, NLMSG_HDRLEN);
	*message = (struct nlmsghdr){
		.nlmsg_flags = flags, .nlmsg_seq = seq, .nlmsg_pid = portid,
	};
	head = skb_put(skb, GENL_HDRLEN);
	*head = (struct genlmsghdr){ .cmd = cmd };
	return head + 1;
}

static inline void genlmsg_end(const struct sk_buff *skb, void *hdr)
{
	genl_header(hdr)->nlmsg_len = skb->data + skb->len - (unsigned char *)genl_header(hdr);
}

static inline void genlmsg_cancel(struct sk_buff *skb, void *hdr)
{
	skb->len = (unsigned char *)genl_header(hdr) - skb->data;
}

/*
 * Does what the kernel does: sets NLM_F_DUMP_INTR in a message of a dump if the dumped list has
 * changed since the previous message of this dump.
 */
static inline void genl_dump_check_consistent(struct netlink_callback *cb, void *hdr)
{
	if (cb->prev_seq && cb->seq != cb->prev_seq)
		genl_header(hdr)->nlmsg_flags |= NLM_F_DUMP_INTR;
	cb->prev_seq = cb->seq;
}

#endif /* UNIT_GENETLINK_H */
