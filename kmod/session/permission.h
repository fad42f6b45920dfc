/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Permissions: whether the sender of a request may program counters, read samples, see addresses of
 * the kernel, and know which processes were interrupted.
 */
#ifndef BPMU_PERMISSION_H
#define BPMU_PERMISSION_H

#include <linux/types.h>

struct bpmu_who;
struct cred;
struct netlink_ext_ack;
struct pid_namespace;
struct sk_buff;
struct task_struct;

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
 * struct bpmu_viewer - the sender of a request, and which processes it may know by name and number
 * @ns: PID namespace of the sender; a reference is held
 * @cred: credentials of the sender; a reference is held
 * @all: the sender may know of the processes of all users
 */
struct bpmu_viewer {
	struct pid_namespace *ns;
	const struct cred *cred;
	bool all;
};

void bpmu_viewer_begin(struct bpmu_viewer *viewer, const struct sk_buff *request);
void bpmu_viewer_end(struct bpmu_viewer *viewer);
bool bpmu_viewer_may_know(const struct bpmu_viewer *viewer, const struct task_struct *task);
bool bpmu_viewer_knows_all(const struct bpmu_viewer *viewer);
void bpmu_viewer_name(const struct bpmu_viewer *viewer, struct bpmu_who *who);

int bpmu_may_count(struct netlink_ext_ack *extack);
int bpmu_may_program(const struct sk_buff *request, struct netlink_ext_ack *extack);
bool bpmu_may_program_quietly(const struct sk_buff *request);
bool bpmu_may_switch_prefetchers(const struct sk_buff *request);
bool bpmu_may_read(const struct sk_buff *request);
bool bpmu_may_see_kernel_addresses(const struct sk_buff *request);

extern const char bpmu_readers_only[];

#endif /* BPMU_PERMISSION_H */
