/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's owner, and permissions of the sender of a request.
 *
 * The owner is a socket. A port number would not do: netlink frees it before it
 * announces that the socket was closed, and then another process may bind it.
 */
#ifndef BPMU_OWNER_H
#define BPMU_OWNER_H

#include <linux/sched.h>
#include <linux/types.h>

struct sk_buff;
struct sock;

/**
 * enum bpmu_permission - what a command needs
 * @BPMU_MAY_ASK: nothing
 * @BPMU_MAY_PROGRAM: CAP_PERFMON or CAP_SYS_ADMIN, and no lockdown
 * @BPMU_MAY_CONTROL: to come from the session's owner
 * @BPMU_MAY_READ: to come from the owner, or to be in the readers' group
 */
enum bpmu_permission {
	BPMU_MAY_ASK,
	BPMU_MAY_PROGRAM,
	BPMU_MAY_CONTROL,
	BPMU_MAY_READ
};

/**
 * struct bpmu_owner - the socket that configured the session
 * @sk: the socket, held; NULL without an owner
 * @port: its port number, by which a close is noticed; 0 without an owner
 * @pid: process that configured, in the initial PID namespace
 * @comm: that process's name
 */
struct bpmu_owner {
	struct sock *sk;
	u32 port;
	pid_t pid;
	char comm[TASK_COMM_LEN];
};

struct sock *bpmu_owner_sender(const struct sk_buff *request);
void bpmu_owner_set(struct bpmu_owner *owner, struct sk_buff *request);
void bpmu_owner_clear(struct bpmu_owner *owner);
bool bpmu_owner_is(const struct bpmu_owner *owner, const struct sock *sk);
bool bpmu_owner_had_port(const struct bpmu_owner *owner, u32 port);
bool bpmu_owner_is_closed(const struct bpmu_owner *owner);

int bpmu_may_program(const struct sk_buff *request, const char **why);
bool bpmu_may_program_quietly(const struct sk_buff *request);
bool bpmu_may_switch_prefetchers(const struct sk_buff *request);
bool bpmu_may_read(const struct sk_buff *request);
bool bpmu_may_see_kernel_addresses(const struct sk_buff *request);

extern const char bpmu_readers_only[];

#endif /* BPMU_OWNER_H */
