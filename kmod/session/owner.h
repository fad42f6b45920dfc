/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's owner: the socket that configured the session.
 *
 * The owner is not a port number: netlink frees the port number before it calls the notifier of the
 * socket's release, and another process may bind that number meanwhile.
 */
#ifndef BPMU_OWNER_H
#define BPMU_OWNER_H

#include <linux/sched.h>
#include <linux/types.h>

struct pid;
struct sk_buff;
struct sock;

/**
 * struct bpmu_owner - the socket that configured the session
 * @sk: the socket, to which a reference is held; NULL without an owner
 * @port: port number of the owner's socket, by which the module notices that the socket was closed;
 *	0 without an owner
 * @pid: process that configured the session; after that process has ended, another process that has
 *	sent a command by the socket. A reference is held; NULL without an owner
 * @comm: name of the process @pid
 */
struct bpmu_owner {
	struct sock *sk;
	u32 port;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct bpmu_owner_name - what the sender of a request may know of the session's owner
 * @pid: number of the owner's process in the sender's PID namespace, 0 if the process is hidden
 * @comm: name of the owner's process, "" if it is hidden
 */
struct bpmu_owner_name {
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

struct sock *bpmu_owner_sender(const struct sk_buff *request);
void bpmu_owner_set(struct bpmu_owner *owner, struct sk_buff *request);
void bpmu_owner_clear(struct bpmu_owner *owner);
bool bpmu_owner_is(const struct bpmu_owner *owner, const struct sock *sk);
bool bpmu_owner_had_port(const struct bpmu_owner *owner, u32 port);
void bpmu_owner_renew(struct bpmu_owner *owner);
struct bpmu_owner_name bpmu_owner_name(const struct bpmu_owner *owner,
				       const struct sk_buff *request);
bool bpmu_owner_is_closed(const struct bpmu_owner *owner);

#endif /* BPMU_OWNER_H */
