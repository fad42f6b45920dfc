// SPDX-License-Identifier: GPL-2.0
#include "owner.h"

#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/string.h>

#include <net/sock.h>

#include "permission.h"

/**
 * bpmu_owner_sender() - find who sent a request, to tell the session's owner from others
 * @request: message, of a command or of a dump
 *
 * Context: process, while the request or a message of the dump is handled.
 * Return: the sender's socket, without a reference.
 */
struct sock *bpmu_owner_sender(const struct sk_buff *request)
{
	return NETLINK_CB(request).sk;
}

/**
 * bpmu_owner_set() - make the sender of a request the session's owner
 * @owner: owner of the session, empty before
 * @request: the message
 *
 * Context: process, while the request is handled; under the session's lock.
 */
void bpmu_owner_set(struct bpmu_owner *owner, struct sk_buff *request)
{
	owner->sk = bpmu_owner_sender(request);
	sock_hold(owner->sk);
	owner->pid = get_pid(task_tgid(current));
	get_task_comm(owner->comm, current->group_leader);
	WRITE_ONCE(owner->port, NETLINK_CB(request).portid);
}

/**
 * bpmu_owner_clear() - leave the session without an owner
 * @owner: owner of the session, or empty
 *
 * Context: process; under the session's lock.
 */
void bpmu_owner_clear(struct bpmu_owner *owner)
{
	WRITE_ONCE(owner->port, 0);
	if (owner->sk)
		sock_put(owner->sk);
	owner->sk = NULL;
	put_pid(owner->pid);
	owner->pid = NULL;
	memset(owner->comm, 0, sizeof(owner->comm));
}

/**
 * bpmu_owner_is() - check if a socket is the session's owner
 * @owner: owner of the session
 * @sk: the socket
 *
 * Context: under the session's lock.
 * Return: true if @sk is the owner's socket; false also if @sk is NULL.
 */
bool bpmu_owner_is(const struct bpmu_owner *owner, const struct sock *sk)
{
	return sk && owner->sk == sk;
}

/**
 * bpmu_owner_had_port() - check by port number if a closed socket may be the session's owner
 * @owner: owner of the session
 * @port: netlink port number of the closed socket
 *
 * Context: any; takes no lock.
 * Return: false if the owner's socket has another port number, or if there is no owner.
 */
bool bpmu_owner_had_port(const struct bpmu_owner *owner, u32 port)
{
	return port && READ_ONCE(owner->port) == port;
}

/**
 * bpmu_owner_is_closed() - check if the socket of the session's owner is closed
 * @owner: owner of the session, not empty
 *
 * Netlink marks a socket as dead before it calls the notifier of its release.
 *
 * Context: under the session's lock.
 * Return: true if the owner's socket is closed.
 */
bool bpmu_owner_is_closed(const struct bpmu_owner *owner)
{
	return sock_flag(owner->sk, SOCK_DEAD);
}

/*
 * Returns the process with number @pid, or NULL if all its threads have ended. The caller holds the
 * RCU read lock, without which the process may be freed.
 */
static struct task_struct *living_process(struct pid *pid)
{
	struct task_struct *task = pid_task(pid, PIDTYPE_TGID);

	return task && atomic_read(&task->signal->live) ? task : NULL;
}

/**
 * bpmu_owner_renew() - name another process as owner of the session, if the named one has ended
 * @owner: owner of the session, not empty
 *
 * The owner is a socket, and is named by the process that configured the session. The socket
 * outlives that process if a child has inherited it. The process that sends the current command is
 * then named instead.
 *
 * Context: process, while a command of the owner's socket is handled; under the session's
 * lock.
 */
void bpmu_owner_renew(struct bpmu_owner *owner)
{
	bool lives;

	rcu_read_lock();
	lives = living_process(owner->pid);
	rcu_read_unlock();
	if (lives)
		return;
	put_pid(owner->pid);
	owner->pid = get_pid(task_tgid(current));
	get_task_comm(owner->comm, current->group_leader);
}

/**
 * bpmu_owner_name() - name the session's owner to the sender of a request
 * @owner: owner of the session, or empty
 * @request: the sender's message
 *
 * A process that has ended, or that the sender's PID namespace does not have, is not named. Any
 * other process is named if bpmu_viewer_begin() finds that the sender may know it.
 *
 * Context: process, while the request is handled; under the session's lock.
 * Return: number and name of the owner's process; 0 and "" if it is not named.
 */
struct bpmu_owner_name bpmu_owner_name(const struct bpmu_owner *owner,
				       const struct sk_buff *request)
{
	struct bpmu_owner_name name = { };
	struct bpmu_viewer viewer;
	struct task_struct *task;

	if (!owner->pid)
		return name;
	bpmu_viewer_begin(&viewer, request);
	rcu_read_lock();
	task = living_process(owner->pid);
	if (task && bpmu_viewer_may_know(&viewer, task))
		name.pid = pid_nr_ns(owner->pid, viewer.ns);
	rcu_read_unlock();
	bpmu_viewer_end(&viewer);
	if (name.pid)
		strscpy(name.comm, owner->comm, sizeof(name.comm));
	return name;
}
