/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stand-in for generic netlink: messages, attributes, and what the kernel does with a request before
 * the function of its command runs. A request is checked as strictly as the kernel checks those of
 * commands that do not ask for less (NL_VALIDATE_STRICT).
 */
#ifndef UNIT_GENL_H
#define UNIT_GENL_H

#include <linux/genetlink.h>
#include <linux/netlink.h>

#include "kernel/module.h"

/* what else the code of netlink uses of the kernel */
#define TASK_COMM_LEN 16
#define NSEC_PER_SEC 1000000000L
#define TICK_NSEC 4000000L
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)

static inline u32 roundup_pow_of_two(u32 value)
{
	u32 power = 1;

	while (power < value)
		power *= 2;
	return power;
}

static inline bool cpumask_empty(const struct cpumask *mask)
{
	return !mask->bits;
}

static inline bool cpumask_test_and_set_cpu(unsigned int cpu, struct cpumask *mask)
{
	bool set = cpumask_test_cpu(cpu, mask);

	cpumask_set_cpu(cpu, mask);
	return set;
}

const struct cpumask *cpumask_of(unsigned int cpu);
unsigned int num_online_cpus(void);
void cpus_read_lock(void);
void cpus_read_unlock(void);

struct sk_buff {
	unsigned char *data;
	unsigned int len;
	unsigned int size;
	u32 portid;
};

enum unit_attr_type {
	NLA_UNSPEC,
	NLA_U8,
	NLA_U16,
	NLA_U32,
	NLA_U64,
	NLA_STRING,
	NLA_FLAG,
	NLA_MSECS,
	NLA_NESTED,
	NLA_NESTED_ARRAY,
	NLA_BINARY_LEAST
};

struct netlink_range_validation {
	u64 min, max;
};

/* @nested: policy of the attributes in an attribute; @max is the highest of them then. */
struct nla_policy {
	u8 type;
	u8 validation_type;
	u16 len;
	bool ranged;
	u32 mask;
	u64 min, max;
	const struct netlink_range_validation *range;
	const struct nla_policy *nested;
};

#define NLA_POLICY_FULL_RANGE(kind, of) { .type = (kind), .range = (of) }
#define NLA_POLICY_RANGE(kind, low, high) \
	{ .type = (kind), .ranged = true, .min = (low), .max = (high) }
#define NLA_POLICY_MIN(kind, low) NLA_POLICY_RANGE(kind, low, U64_MAX)
#define NLA_POLICY_MAX(kind, high) NLA_POLICY_RANGE(kind, 0, high)
#define NLA_POLICY_MASK(kind, bits) { .type = (kind), .mask = (bits) }
#define NLA_POLICY_MIN_LEN(bytes) { .type = NLA_BINARY_LEAST, .len = (bytes) }
#define NLA_POLICY_NESTED(policy) \
	{ .type = NLA_NESTED, .nested = (policy), .max = ARRAY_SIZE(policy) - 1 }

struct genl_info {
	u32 snd_seq;
	u32 snd_portid;
	const struct nlmsghdr *nlhdr;
	struct nlattr **attrs;
	struct netlink_ext_ack *extack;
};

struct netlink_callback {
	struct sk_buff *skb;
	const struct nlmsghdr *nlh;
	struct netlink_ext_ack *extack;
	long args[6];
	unsigned int seq;
	unsigned int prev_seq;
};

struct genl_ops {
	int (*doit)(struct sk_buff *skb, struct genl_info *info);
	int (*start)(struct netlink_callback *cb);
	int (*dumpit)(struct sk_buff *skb, struct netlink_callback *cb);
	int (*done)(struct netlink_callback *cb);
	const struct nla_policy *policy;
	unsigned int maxattr;
	u8 cmd;
	u8 internal_flags;
	u8 flags;
	u8 validate;
};

#define bpmu_genl_op genl_ops
#define THIS_MODULE (&unit_module)
#define __ro_after_init

static int unit_module;

struct genl_multicast_group {
	char name[16];
};

struct genl_family {
	char name[16];
	unsigned int version;
	unsigned int maxattr;
	unsigned int hdrsize;
	bool netnsok;
	bool parallel_ops;
	u8 n_ops;
	u8 n_mcgrps;
	const void *module;
	int (*pre_doit)(const struct genl_ops *op, struct sk_buff *skb, struct genl_info *info);
	const struct genl_ops *ops;
	const struct genl_multicast_group *mcgrps;
};

#define NLMSG_GOODSIZE 3776
#define NLMSG_DEFAULT_SIZE (NLMSG_GOODSIZE - NLMSG_HDRLEN)
#define NETLINK_CB(skb) (*(skb))
#define NL_SET_ERR_MSG_ATTR(extack, attr, text) \
	((extack)->bad_attr = (attr), (extack)->_msg = (text))
#define NL_SET_BAD_ATTR(extack, attr) ((extack)->bad_attr = (attr))

/* room of the messages that are allocated, if not 0; else what the code asks for */
static unsigned int message_room;

static inline unsigned int skb_tailroom(const struct sk_buff *skb)
{
	return skb->size - skb->len;
}

static inline void *skb_put(struct sk_buff *skb, unsigned int bytes)
{
	if (bytes > skb_tailroom(skb))
		abort();
	skb->len += bytes;
	return skb->data + skb->len - bytes;
}

static inline int nla_type(const struct nlattr *attr)
{
	return attr->nla_type & NLA_TYPE_MASK;
}

static inline int nla_len(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

static inline void *nla_data(const struct nlattr *attr)
{
	return (char *)attr + NLA_HDRLEN;
}

static inline u32 nla_get_u32(const struct nlattr *attr)
{
	return *(const u32 *)nla_data(attr);
}

static inline u64 nla_get_u64(const struct nlattr *attr)
{
	u64 value;

	memcpy(&value, nla_data(attr), sizeof(value));
	return value;
}

static inline bool nla_get_flag(const struct nlattr *attr)
{
	return attr;
}

static inline size_t nla_total_size(size_t payload)
{
	return NLA_ALIGN(NLA_HDRLEN + payload);
}

#define nla_total_size_64bit nla_total_size

static inline bool nla_ok(const struct nlattr *attr, int rem)
{
	return rem >= NLA_HDRLEN && attr->nla_len >= NLA_HDRLEN && attr->nla_len <= rem;
}

static inline const struct nlattr *nla_next(const struct nlattr *attr, int *rem)
{
	*rem -= NLA_ALIGN(attr->nla_len);
	return (const struct nlattr *)((const char *)attr + NLA_ALIGN(attr->nla_len));
}

#define nla_for_each_attr(at, head, bytes, rem) \
	for ((at) = (head), (rem) = (bytes); nla_ok(at, rem); (at) = nla_next(at, &(rem)))
#define nla_for_each_nested(at, of, rem) nla_for_each_attr(at, nla_data(of), nla_len(of), rem)
#define nlmsg_for_each_attr(at, message, header, rem) \
	nla_for_each_attr(at, (const struct nlattr *)((const char *)(message) + NLMSG_HDRLEN + \
						      (header)), \
			  (int)(message)->nlmsg_len - NLMSG_HDRLEN - (header), rem)

static inline struct nlattr *nla_reserve(struct sk_buff *skb, int type, unsigned int bytes)
{
	struct nlattr *attr;

	if (skb_tailroom(skb) < nla_total_size(bytes))
		return NULL;
	attr = skb_put(skb, nla_total_size(bytes));
	memset(attr, 0, nla_total_size(bytes));
	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + bytes;
	return attr;
}

static inline int nla_put(struct sk_buff *skb, int type, unsigned int bytes, const void *data)
{
	struct nlattr *attr = nla_reserve(skb, type, bytes);

	if (!attr)
		return -EMSGSIZE;
	if (bytes)
		memcpy(nla_data(attr), data, bytes);
	return 0;
}

static inline int nla_put_u32(struct sk_buff *skb, int type, u32 value)
{
	return nla_put(skb, type, sizeof(value), &value);
}

/* No padding is needed on x86. */
static inline int nla_put_u64_64bit(struct sk_buff *skb, int type, u64 value, int pad)
{
	(void)pad;
	return nla_put(skb, type, sizeof(value), &value);
}

static inline int nla_put_string(struct sk_buff *skb, int type, const char *text)
{
	return nla_put(skb, type, strlen(text) + 1, text);
}

static inline int nla_put_flag(struct sk_buff *skb, int type)
{
	return nla_put(skb, type, 0, NULL);
}

static inline struct nlattr *nla_nest_start(struct sk_buff *skb, int type)
{
	return nla_reserve(skb, type | NLA_F_NESTED, 0);
}

static inline void nla_nest_end(const struct sk_buff *skb, struct nlattr *nest)
{
	nest->nla_len = skb->data + skb->len - (unsigned char *)nest;
}

static inline struct sk_buff *genlmsg_new(size_t payload, int flags)
{
	size_t size = message_room ? message_room : NLMSG_HDRLEN + GENL_HDRLEN + payload;
	struct sk_buff *skb = unit_alloc(1, sizeof(*skb) + size);

	(void)flags;
	if (!skb)
		return NULL;
	skb->data = (unsigned char *)(skb + 1);
	skb->size = size;
	return skb;
}

#define nlmsg_free(skb) free(skb)

static inline struct nlmsghdr *genl_header(void *hdr)
{
	return (void *)((unsigned char *)hdr - GENL_HDRLEN - NLMSG_HDRLEN);
}

static inline void *genlmsg_put_reply(struct sk_buff *skb, const struct genl_info *info,
				      const struct genl_family *family, int flags, u8 cmd)
{
	struct nlmsghdr *message;
	struct genlmsghdr *head;

	if (skb_tailroom(skb) < NLMSG_HDRLEN + GENL_HDRLEN)
		return NULL;
	message = skb_put(skb, NLMSG_HDRLEN);
	*message = (struct nlmsghdr){
		.nlmsg_flags = flags, .nlmsg_seq = info->snd_seq, .nlmsg_pid = info->snd_portid,
	};
	head = skb_put(skb, GENL_HDRLEN);
	*head = (struct genlmsghdr){ .cmd = cmd, .version = family->version };
	return head + 1;
}

static inline void genlmsg_end(const struct sk_buff *skb, void *hdr)
{
	genl_header(hdr)->nlmsg_len = skb->data + skb->len - (unsigned char *)genl_header(hdr);
}

static int nla_parse_checked(struct nlattr **attrs, int max, const struct nlattr *head, int bytes,
			     const struct nla_policy *policy, struct netlink_ext_ack *extack);

static inline int nla_refuse(struct netlink_ext_ack *extack, const struct nlattr *attr, int err,
			     const char *sentence)
{
	NL_SET_ERR_MSG_ATTR(extack, attr, sentence);
	return err;
}

static int nla_check_nested(const struct nlattr *attr, const struct nla_policy *policy,
			    struct netlink_ext_ack *extack)
{
	struct nlattr *attrs[64];

	if (!(attr->nla_type & NLA_F_NESTED))
		return nla_refuse(extack, attr, -EINVAL, "NLA_F_NESTED is missing");
	if (!policy->nested)
		return 0;
	return nla_parse_checked(attrs, policy->max, nla_data(attr), nla_len(attr),
				 policy->nested, extack);
}

static int nla_check_number(const struct nlattr *attr, const struct nla_policy *policy,
			    struct netlink_ext_ack *extack)
{
	u64 min = policy->ranged ? policy->min : 0;
	u64 max = policy->ranged ? policy->max : U64_MAX;
	unsigned int bytes = policy->type == NLA_U64 ? sizeof(u64) : sizeof(u32);
	u64 value = 0;

	if (nla_len(attr) != (int)bytes)
		return nla_refuse(extack, attr, -EINVAL, "invalid attribute length");
	memcpy(&value, nla_data(attr), bytes);
	if (policy->range) {
		min = policy->range->min;
		max = policy->range->max;
	}
	if (value < min || value > max)
		return nla_refuse(extack, attr, -ERANGE, "integer out of range");
	if (policy->mask && value & ~(u64)policy->mask)
		return nla_refuse(extack, attr, -EINVAL, "reserved bit set");
	return 0;
}

static int nla_check(const struct nlattr *attr, const struct nla_policy *policy,
		     struct netlink_ext_ack *extack)
{
	switch (policy->type) {
	case NLA_UNSPEC:
		return nla_refuse(extack, attr, -EINVAL, "Unsupported attribute");
	case NLA_FLAG:
		if (nla_len(attr))
			return nla_refuse(extack, attr, -ERANGE, "a flag has no payload");
		return 0;
	case NLA_BINARY_LEAST:
		if (nla_len(attr) < policy->len)
			return nla_refuse(extack, attr, -ERANGE, "too short");
		return 0;
	case NLA_NESTED:
		return nla_check_nested(attr, policy, extack);
	default:
		return nla_check_number(attr, policy, extack);
	}
}

static int nla_parse_checked(struct nlattr **attrs, int max, const struct nlattr *head, int bytes,
			     const struct nla_policy *policy, struct netlink_ext_ack *extack)
{
	const struct nlattr *attr;
	int err, rem;

	memset(attrs, 0, (max + 1) * sizeof(*attrs));
	nla_for_each_attr(attr, head, bytes, rem) {
		if (!nla_type(attr) || nla_type(attr) > max)
			return nla_refuse(extack, attr, -EINVAL, "Unknown attribute type");
		err = nla_check(attr, &policy[nla_type(attr)], extack);
		if (err)
			return err;
		attrs[nla_type(attr)] = (struct nlattr *)attr;
	}
	return 0;
}

static inline int nla_parse_nested(struct nlattr **attrs, int max, const struct nlattr *nested,
				   const struct nla_policy *policy, struct netlink_ext_ack *extack)
{
	if (!(nested->nla_type & NLA_F_NESTED))
		return nla_refuse(extack, nested, -EINVAL, "NLA_F_NESTED is missing");
	return nla_parse_checked(attrs, max, nla_data(nested), nla_len(nested), policy, extack);
}

int genlmsg_reply(struct sk_buff *skb, struct genl_info *info);

/*
 * Does with a request what the kernel does: finds its command, checks its attributes, asks the
 * family if the sender may, and runs the command's function.
 */
static inline int genl_receive(const struct genl_family *family, struct sk_buff *request,
			       struct netlink_ext_ack *extack)
{
	static struct nlattr *attrs[256];
	const struct nlmsghdr *message = (void *)request->data;
	const struct genlmsghdr *head = (void *)(request->data + NLMSG_HDRLEN);
	struct genl_info info = {
		.snd_seq = message->nlmsg_seq, .snd_portid = request->portid, .nlhdr = message,
		.attrs = attrs, .extack = extack,
	};
	const struct genl_ops *op = family->ops;
	int err;

	while (op < family->ops + family->n_ops && (op->cmd != head->cmd || !op->doit))
		op++;
	if (op == family->ops + family->n_ops)
		return -EOPNOTSUPP;
	err = nla_parse_checked(attrs, op->maxattr, (const void *)(head + 1),
				message->nlmsg_len - NLMSG_HDRLEN - GENL_HDRLEN, op->policy,
				extack);
	err = err ? err : family->pre_doit(op, request, &info);
	return err ? err : op->doit(request, &info);
}

/* sockets that are closed */
struct net {
	int number;
};

struct netlink_notify {
	struct net *net;
	u32 portid;
	int protocol;
};

extern struct net init_net;
#define NETLINK_URELEASE 1

int netlink_register_notifier(struct notifier_block *block);
int netlink_unregister_notifier(struct notifier_block *block);
int genl_register_family(struct genl_family *family);
int genl_unregister_family(const struct genl_family *family);

#endif /* UNIT_GENL_H */
