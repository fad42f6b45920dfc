/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The session's owner, and what the sender of a request is permitted to do.
 *
 * The owner is a socket, not a port number: netlink frees the port number before it calls the
 * notifier of the socket's release, and another process may bind that number meanwhile.
 */
#ifndef BPMU_OWNER_H
#define BPMU_OWNER_H

#include <linux/sched.h>
#include <linux/types.h>

struct bpmu_who;
struct cred;
struct netlink_ext_ack;
struct pid;
struct pid_namespace;
struct sk_buff;
struct sock;

/**
 * enum bpmu_permission - permission that the sender of a command needs
 * @BPMU_MAY_ASK: no permission
 * @BPMU_MAY_PROGRAM: CAP_PERFMON or CAP_SYS_ADMIN, and no kernel lockdown
 * @BPMU_MAY_CONTROL: to own the session
 * @BPMU_MAY_READ: to own the session, or to be in the group of reader_gid
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

/**
 * struct bpmu_viewer - what the sender of a request may know of processes
 * @ns: PID namespace of the sender, held
 * @cred: credentials of the sender, held
 * @all: the sender may know of the processes of all users
 */
struct bpmu_viewer {
	struct pid_namespace *ns;
	const struct cred *cred;
	bool all;
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

void bpmu_viewer_begin(struct bpmu_viewer *viewer, const struct sk_buff *request);
void bpmu_viewer_end(struct bpmu_viewer *viewer);
void bpmu_viewer_name(const struct bpmu_viewer *viewer, struct bpmu_who *who);

int bpmu_may_count(struct netlink_ext_ack *extack);
int bpmu_may_program(const struct sk_buff *request, struct netlink_ext_ack *extack);
bool bpmu_may_program_quietly(const struct sk_buff *request);
bool bpmu_may_switch_prefetchers(const struct sk_buff *request);
bool bpmu_may_read(const struct sk_buff *request);
bool bpmu_may_see_kernel_addresses(const struct sk_buff *request);

extern const char bpmu_readers_only[];

#endif /* BPMU_OWNER_H */
