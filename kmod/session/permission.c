// SPDX-License-Identifier: GPL-2.0
#include "permission.h"

#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/moduleparam.h>
#include <linux/netlink.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>

#include <net/sock.h>

#include "compat.h"
#include "sample/who.h"

/* Module parameter: number of the group whose members may read samples; -1: no group */
static unsigned int reader_gid = (unsigned int)-1;
module_param(reader_gid, uint, 0644);
MODULE_PARM_DESC(reader_gid, "members of this group may read samples");

const char bpmu_readers_only[] =
	"only the owner and members of the group in the module parameter reader_gid may read";

static const struct file *opened_file(const struct sk_buff *request)
{
	const struct sock *sk = NETLINK_CB(request).sk;

	return sk && sk->sk_socket ? sk->sk_socket->file : NULL;
}

/*
 * Returns true if both the sender of a request and the process that opened the socket have a
 * capability. An unprivileged program can therefore neither have a privileged program write to its
 * socket, nor use a socket that a privileged program opened. With @quietly a denial is not written
 * to the audit log: this is for requests that are answered in spite of a denial.
 */
static bool both_capable(const struct sk_buff *request, int capability, bool quietly)
{
	const struct file *file = opened_file(request);

	if (!file || !(quietly ? ns_capable_noaudit(&init_user_ns, capability) :
				 ns_capable(&init_user_ns, capability)))
		return false;
	return file_ns_capable(file, &init_user_ns, capability);
}

static bool may_program(const struct sk_buff *request, bool quietly)
{
	return both_capable(request, CAP_PERFMON, quietly) ||
	       both_capable(request, CAP_SYS_ADMIN, quietly);
}

/**
 * bpmu_may_program_quietly() - check the sender's permission to program counters, without audit
 * @request: message of the request
 *
 * This is for requests that are answered also without the permission, though not in full. Unlike
 * bpmu_may_program() it writes nothing to the audit log, and asks no security module.
 *
 * Context: process, while the request is handled.
 * Return: true with CAP_PERFMON or CAP_SYS_ADMIN in the initial user namespace.
 */
bool bpmu_may_program_quietly(const struct sk_buff *request)
{
	return may_program(request, true);
}

/**
 * bpmu_may_program() - check the permission of a request's sender to program counters
 * @request: message of the request
 * @extack: set to a sentence on refusal
 *
 * Context: process, while the request is handled.
 * Return: 0; -EPERM if the sender has neither CAP_PERFMON nor CAP_SYS_ADMIN, or if the kernel is
 * locked down; -EACCES if a security module forbids it.
 */
int bpmu_may_program(const struct sk_buff *request, struct netlink_ext_ack *extack)
{
	int err;

	if (!may_program(request, false)) {
		NL_SET_ERR_MSG(extack, "programming counters needs CAP_PERFMON or CAP_SYS_ADMIN");
		return -EPERM;
	}
	err = bpmu_perf_allows();
	if (err) {
		NL_SET_ERR_MSG(extack,
			       "a security module of the kernel forbids this process to count (SELinux: class perf_event, permissions kernel and cpu)");
		return err;
	}
	return bpmu_may_count(extack);
}

/**
 * bpmu_may_count() - check the permission to read counts: a kernel in lockdown denies it
 * @extack: set to a sentence on refusal
 *
 * Context: process.
 * Return: 0, or -EPERM in a kernel that is locked down.
 */
int bpmu_may_count(struct netlink_ext_ack *extack)
{
	if (!security_locked_down(LOCKDOWN_PERF))
		return 0;
	NL_SET_ERR_MSG(extack, "the kernel is locked down: reading counters is forbidden");
	return -EPERM;
}

/**
 * bpmu_may_switch_prefetchers() - check the permission of a request's sender to switch prefetchers
 * @request: message of the request
 *
 * Context: process, while the request is handled.
 * Return: true if the sender and the process that opened the socket have CAP_SYS_RAWIO, which
 * /dev/cpu/N/msr needs as well.
 */
bool bpmu_may_switch_prefetchers(const struct sk_buff *request)
{
	return both_capable(request, CAP_SYS_RAWIO, false);
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
 * bpmu_may_read() - check the permission to read samples without being the session's owner
 * @request: message of the request
 *
 * Context: process, while the request is handled.
 * Return: true if both the process that sends and the process that opened the socket are in the
 * group of the module parameter reader_gid.
 */
bool bpmu_may_read(const struct sk_buff *request)
{
	kgid_t gid = make_kgid(&init_user_ns, READ_ONCE(reader_gid));
	const struct file *file = opened_file(request);

	return gid_valid(gid) && in_egroup_p(gid) && file &&
	       was_in_group(file->f_cred, gid);
}

/**
 * bpmu_may_see_kernel_addresses() - check the sender's permission to see addresses of kernel code
 * @request: message of the request
 *
 * The rule is that of the kernel's kallsyms_show_value(), by which /proc/kallsyms shows addresses:
 * the sysctl kernel.kptr_restrict, CAP_SYSLOG, and who may use perf. Modules can neither call this
 * function nor read the sysctl, but they can see what %pK prints. If the value is not 0, %pK prints
 * zeros for a sender that may not see addresses, and the address for one that may. If it is 0, %pK
 * prints a hash for every sender. A kernel that does not hash addresses (no_hash_pointers) prints
 * the address here, too: then 0 is taken for 1 if the sender has CAP_SYSLOG.
 *
 * Context: process, while the request is handled.
 * Return: false if kptr_restrict is 2; if it is 1, true if both the sender and the opener of the
 * socket have CAP_SYSLOG; if it is 0, true also if both may program counters.
 */
bool bpmu_may_see_kernel_addresses(const struct sk_buff *request)
{
	char text[2 * sizeof(void *) + 1], address[sizeof(text)];

	snprintf(text, sizeof(text), "%pK", &reader_gid);
	if (strspn(text, "0") == strlen(text))
		return false;
	if (both_capable(request, CAP_SYSLOG, true))
		return true;
	snprintf(address, sizeof(address), "%016lx", (unsigned long)&reader_gid);
	return (strcmp(text, address) || !ns_capable_noaudit(&init_user_ns, CAP_SYSLOG)) &&
	       may_program(request, true);
}

/**
 * bpmu_viewer_begin() - begin to check a sender's permission to know interrupted processes
 * @viewer: set to what the sender may know; to be passed to bpmu_viewer_end()
 * @request: the sender's message
 *
 * procfs that is mounted with hidepid= shows a process only to its own user, and to viewers that
 * may trace all processes. The module cannot know how the sender's procfs is mounted, and assumes
 * hidepid=. Besides, a sender that may program counters or read samples may know all processes.
 *
 * Context: process, while the request or the first message of the dump is handled.
 */
void bpmu_viewer_begin(struct bpmu_viewer *viewer, const struct sk_buff *request)
{
	viewer->ns = get_pid_ns(task_active_pid_ns(current));
	viewer->cred = get_current_cred();
	viewer->all = bpmu_may_program_quietly(request) || bpmu_may_read(request) ||
		      ns_capable_noaudit(&init_user_ns, CAP_SYS_PTRACE);
}

/**
 * bpmu_viewer_end() - end checks of a sender's permission: drop its PID namespace and credentials
 * @viewer: after bpmu_viewer_begin()
 *
 * Context: process.
 */
void bpmu_viewer_end(struct bpmu_viewer *viewer)
{
	put_cred(viewer->cred);
	put_pid_ns(viewer->ns);
}

static bool is_of_user(const struct cred *cred, const struct cred *viewer)
{
	kuid_t uid = viewer->fsuid;
	kgid_t gid = viewer->fsgid;

	return uid_eq(cred->uid, uid) && uid_eq(cred->euid, uid) && uid_eq(cred->suid, uid) &&
	       gid_eq(cred->gid, gid) && gid_eq(cred->egid, gid) && gid_eq(cred->sgid, gid);
}

/**
 * bpmu_viewer_may_know() - check the permission of a request's sender to know a process
 * @viewer: after bpmu_viewer_begin()
 * @task: a thread of the process
 *
 * Context: process; the caller holds the RCU read lock.
 * Return: true if the sender may know the processes of all users, or @task is of the sender's user.
 */
bool bpmu_viewer_may_know(const struct bpmu_viewer *viewer, const struct task_struct *task)
{
	return viewer->all || is_of_user(__task_cred(task), viewer->cred);
}

/**
 * bpmu_viewer_knows_all() - check a sender's permission to know all processes by their numbers
 * @viewer: after bpmu_viewer_begin()
 *
 * Context: process.
 * Return: true if the sender may know the processes of all users, and is in the initial PID
 * namespace, whose numbers samples have.
 */
bool bpmu_viewer_knows_all(const struct bpmu_viewer *viewer)
{
	return viewer->all && viewer->ns == &init_pid_ns;
}

/**
 * bpmu_viewer_name() - name an interrupted thread if the sender's permission allows it
 * @viewer: after bpmu_viewer_begin()
 * @who: interrupted task of a sample, a copy
 *
 * The process and thread numbers become those of the viewer's PID namespace. A thread is not named,
 * and its addresses in user space are cleared, in three cases: the viewer's namespace does not have
 * the thread; the viewer may not know it; or it has ended, so that its user is no longer known.
 * Only a viewer that may know all processes of the initial namespace gets the names of ended
 * threads.
 *
 * Context: process.
 */
void bpmu_viewer_name(const struct bpmu_viewer *viewer, struct bpmu_who *who)
{
	struct task_struct *task;

	if (!bpmu_viewer_knows_all(viewer) && !(who->flags & BPMU_WHO_IDLE)) {
		rcu_read_lock();
		task = bpmu_who_task(who);
		if (task && !bpmu_viewer_may_know(viewer, task))
			task = NULL;
		who->pid = task ? task_pid_nr_ns(task, viewer->ns) : 0;
		who->tgid = task ? task_tgid_nr_ns(task, viewer->ns) : 0;
		rcu_read_unlock();
		if (!who->pid)
			bpmu_who_hide_task(who);
	}
	bpmu_who_forget_task(who);
}
