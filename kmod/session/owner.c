// SPDX-License-Identifier: GPL-2.0
#include "owner.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/netlink.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include <net/sock.h>

/* module parameter; by default no group may read */
static unsigned int reader_gid = (unsigned int)-1;
module_param(reader_gid, uint, 0644);
MODULE_PARM_DESC(reader_gid, "members of this group may read samples");

const char bpmu_readers_only[] =
	"only the owner and members of the group in the module parameter reader_gid may read";

/**
 * bpmu_owner_sender() - find the socket that a request came from
 * @request: message, of a command or of a dump
 *
 * Context: process, while the request or a message of the dump is handled.
 * Return: the socket.
 */
struct sock *bpmu_owner_sender(const struct sk_buff *request)
{
	return NETLINK_CB(request).sk;
}

/**
 * bpmu_owner_set() - make the sender of a request the session's owner
 * @owner: empty
 * @request: the message
 *
 * Context: process, while the request is handled; under the session's lock.
 */
void bpmu_owner_set(struct bpmu_owner *owner, struct sk_buff *request)
{
	owner->sk = bpmu_owner_sender(request);
	sock_hold(owner->sk);
	owner->pid = task_tgid_nr(current);
	get_task_comm(owner->comm, current);
	WRITE_ONCE(owner->port, NETLINK_CB(request).portid);
}

/**
 * bpmu_owner_clear() - leave the session without an owner
 * @owner: set or empty
 *
 * Context: process; under the session's lock.
 */
void bpmu_owner_clear(struct bpmu_owner *owner)
{
	WRITE_ONCE(owner->port, 0);
	if (owner->sk)
		sock_put(owner->sk);
	owner->sk = NULL;
	owner->pid = 0;
	memset(owner->comm, 0, sizeof(owner->comm));
}

/**
 * bpmu_owner_is() - whether a socket owns the session
 * @owner: of the session
 * @sk: the socket
 *
 * Context: under the session's lock.
 * Return: true if it does.
 */
bool bpmu_owner_is(const struct bpmu_owner *owner, const struct sock *sk)
{
	return sk && owner->sk == sk;
}

/**
 * bpmu_owner_had_port() - whether the closed socket may be the owner
 * @owner: of the session
 * @port: netlink port number of the closed socket
 *
 * Context: any; takes no lock.
 * Return: false if the owner's socket has another number.
 */
bool bpmu_owner_had_port(const struct bpmu_owner *owner, u32 port)
{
	return port && READ_ONCE(owner->port) == port;
}

/**
 * bpmu_owner_is_closed() - whether the owner's socket is closed
 * @owner: set
 *
 * Netlink marks a socket as dead before it calls the notifier of its release.
 *
 * Context: under the session's lock.
 * Return: true if it is closed.
 */
bool bpmu_owner_is_closed(const struct bpmu_owner *owner)
{
	return sock_flag(owner->sk, SOCK_DEAD);
}

static const struct file *opened_file(const struct sk_buff *request)
{
	const struct sock *sk = bpmu_owner_sender(request);

	return sk && sk->sk_socket ? sk->sk_socket->file : NULL;
}

/*
 * Both the sender and the opener of the socket must have the capability: an unprivileged
 * program can neither pass a socket of its own to a privileged one that writes to it, nor
 * use a socket that a privileged program opened.
 */
static bool both_capable(const struct sk_buff *request, int capability)
{
	const struct file *file = opened_file(request);

	return file && ns_capable_noaudit(&init_user_ns, capability) &&
	       file_ns_capable(file, &init_user_ns, capability);
}

/**
 * bpmu_may_program_quietly() - whether the sender may program counters
 * @request: its message
 *
 * Does not report a sender without the capabilities to the audit log.
 *
 * Context: process, while the request is handled.
 * Return: true with CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace.
 */
bool bpmu_may_program_quietly(const struct sk_buff *request)
{
	return both_capable(request, CAP_PERFMON) ||
	       both_capable(request, CAP_SYS_ADMIN);
}

/**
 * bpmu_may_program() - whether the sender may program counters, else why not
 * @request: its message
 * @extack: set to a sentence on refusal
 *
 * Context: process, while the request is handled.
 * Return: 0, or -EPERM.
 */
int bpmu_may_program(const struct sk_buff *request, struct netlink_ext_ack *extack)
{
	if (!bpmu_may_program_quietly(request)) {
		NL_SET_ERR_MSG(extack, "programming counters needs CAP_PERFMON or CAP_SYS_ADMIN");
		return -EPERM;
	}
	if (security_locked_down(LOCKDOWN_PERF)) {
		NL_SET_ERR_MSG(extack, "the kernel is locked down: reading counters is forbidden");
		return -EPERM;
	}
	return 0;
}

/**
 * bpmu_may_switch_prefetchers() - whether the sender may switch hardware prefetchers
 * @request: its message
 *
 * Context: process, while the request is handled.
 * Return: true with CAP_SYS_RAWIO, which /dev/cpu/N/msr needs as well.
 */
bool bpmu_may_switch_prefetchers(const struct sk_buff *request)
{
	return both_capable(request, CAP_SYS_RAWIO);
}

static bool was_in_group(const struct cred *cred, kgid_t gid)
{
	const struct group_info *groups = cred->group_info;
	int i;

	for (i = 0; i < groups->ngroups; i++)
		if (gid_eq(groups->gid[i], gid))
			return true;
	return gid_eq(cred->egid, gid);
}

/**
 * bpmu_may_read() - whether the sender may read samples of a session it does not own
 * @request: its message
 *
 * Context: process, while the request is handled.
 * Return: true if both the sender and the opener of its socket are in the group
 * of the parameter reader_gid.
 */
bool bpmu_may_read(const struct sk_buff *request)
{
	kgid_t gid = make_kgid(&init_user_ns, READ_ONCE(reader_gid));
	const struct file *file = opened_file(request);

	return gid_valid(gid) && in_egroup_p(gid) && file &&
	       was_in_group(file->f_cred, gid);
}

/**
 * bpmu_may_see_kernel_addresses() - whether kernel.kptr_restrict lets the sender see them
 * @request: its message
 *
 * The kernel does not export kernel.kptr_restrict, but %pK prints zeros for a
 * process that may not see addresses, and a hash for every process if the value is
 * 0. For a sender with CAP_SYSLOG the values 0 and 1 give the same output, so its
 * socket's opener needs the capability with both.
 *
 * Context: process, while the request is handled.
 * Return: true if kptr_restrict is 0, or if it is 1 and both the sender and the
 * opener of its socket have CAP_SYSLOG.
 */
bool bpmu_may_see_kernel_addresses(const struct sk_buff *request)
{
	const struct file *file = opened_file(request);
	char text[2 * sizeof(void *) + 1];

	snprintf(text, sizeof(text), "%pK", &reader_gid);
	if (strspn(text, "0") == strlen(text))
		return false;
	return !ns_capable_noaudit(&init_user_ns, CAP_SYSLOG) ||
	       (file && file_ns_capable(file, &init_user_ns, CAP_SYSLOG));
}
