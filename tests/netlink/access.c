// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of privileges. A user without privileges can neither count events nor learn what only
 * privileged users may know. Two detours must not help: network and user namespaces of the user's
 * own, and a socket that one user opens and another user writes to.
 */
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/barepmu.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/perf_event.h>
#include <kselftest_harness.h>

#include "genl.h"
#include "lsm.h"
#include "probe.h"

#define NOBODY 65534
#define BIT(nr) ((genl_set)1 << (nr))
/* Exit status of a child process that could not drop its privileges or enter a namespace. */
#define UNABLE 77

static int configure(struct genl *genl)
{
	genl_plan(genl);
	return genl_send(genl);
}

static bool configure_refused(struct genl *genl)
{
	return configure(genl) == -EPERM &&
	       strstr(genl->sentence, "CAP_PERFMON");
}

/*
 * Returns the set of attributes, bit n for attribute n, that the answer to GET_INFO has for every
 * user, as uapi/linux/barepmu.h promises. BPMU_A_INFO_BOX, of which there are as many as the CPU has
 * units with boxes, perhaps none, is not among them.
 */
static genl_set public_attributes(void)
{
	return ((BIT(BPMU_A_CPUS) - BIT(BPMU_A_INFO_MODULE_VERSION)) &
		~BIT(BPMU_A_INFO_BUSY) & ~BIT(BPMU_A_INFO_CPU)) |
	       BIT(BPMU_A_INFO_PREFETCH) | BIT(BPMU_A_INFO_FREE) |
	       BIT(BPMU_A_INFO_UNITS) | BIT(BPMU_A_INFO_TJMAX) |
	       BIT(BPMU_A_INFO_ABSENT) | BIT(BPMU_A_INFO_PRECISE) |
	       BIT(BPMU_A_INFO_BRANCHES) | BIT(BPMU_A_INFO_BATCH) |
	       BIT(BPMU_A_INFO_IBS) | BIT(BPMU_A_INFO_PEBS);
}

static bool gets_public_attributes(struct genl *genl)
{
	if (genl_command(genl, BPMU_CMD_GET_INFO) || genl->replies != 1 ||
	    (genl->told & ~BIT(BPMU_A_PAD) & ~BIT(BPMU_A_INFO_BOX)) != public_attributes())
		return false;
	genl_new(genl, BPMU_CMD_GET_INFO, NLM_F_DUMP);
	return !genl_send(genl) &&
	       (genl->told & ~BIT(BPMU_A_INFO_ISOLATED)) == BIT(BPMU_A_CPUS);
}

static void drop(void)
{
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(UNABLE);
}

static int perf_counter(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS, .exclude_kernel = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

/*
 * Calls @test with @genl in a child process and waits for the child. Returns what @test returned,
 * or -1 if the child did not exit by itself.
 */
static int child(struct genl *genl, int (*test)(struct genl *genl))
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(test(genl));
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

FIXTURE(access) {
	struct genl genl;
};

FIXTURE_SETUP(access)
{
	GENL_LOAD(return);
	ASSERT_EQ(0, genl_open(&self->genl));
}

FIXTURE_TEARDOWN(access)
{
	lsm_allow();
	genl_close(&self->genl);
}

#define EXPECT_CHILD(test) do { \
	int _status = child(&self->genl, test); \
	if (_status == UNABLE) \
		SKIP(return, "not possible on this kernel"); \
	EXPECT_EQ(0, _status); \
} while (0)

static int nobody_idle(struct genl *genl)
{
	drop();
	if (genl_open(genl))
		return 1;
	if (!configure_refused(genl))
		return 2;
	return gets_public_attributes(genl) ? 0 : 3;
}

/* Process ID and name of the session's owner, from the latest answer to GET_INFO. */
static uint32_t owner_pid;
static char owner_comm[16];

static void take_owner(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;

	(void)data;
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) == BPMU_A_INFO_OWNER_PID)
			owner_pid = mnl_attr_get_u32(attr);
		if (mnl_attr_get_type(attr) != BPMU_A_INFO_OWNER_COMM)
			continue;
		snprintf(owner_comm, sizeof(owner_comm), "%s", mnl_attr_get_str(attr));
		if (!owner_pid != !*owner_comm)
			owner_pid = UINT32_MAX;
	}
}

/*
 * Asks for the process ID of the session's owner, and returns the process ID that the module tells
 * this user. Returns UINT32_MAX if the module refuses GET_INFO.
 */
static uint32_t named_owner(struct genl *genl)
{
	genl->reply = take_owner;
	if (genl_command(genl, BPMU_CMD_GET_INFO))
		owner_pid = UINT32_MAX;
	genl->reply = NULL;
	return owner_pid;
}

static int nobody_asks_for_the_owner(struct genl *genl)
{
	drop();
	return genl_open(genl) || named_owner(genl) ? 1 : 0;
}

static int other_pids(struct genl *genl)
{
	pid_t pid;
	int status = -1;

	if (unshare(CLONE_NEWPID))
		return UNABLE;
	pid = fork();
	if (!pid)
		_exit(genl_open(genl) || named_owner(genl) ? 1 : 0);
	waitpid(pid, &status, 0);
	return status ? 1 : 0;
}

/* Configures a session in a new PID namespace, where this process is process 1. */
static int own_pids(struct genl *genl)
{
	pid_t pid;
	int status = -1;

	if (unshare(CLONE_NEWPID))
		return UNABLE;
	pid = fork();
	if (!pid)
		_exit(genl_open(genl) || configure(genl) ||
		      named_owner(genl) != 1);
	waitpid(pid, &status, 0);
	return status ? 1 : 0;
}

TEST_F(access, the_owner_is_named_to_who_may_see_its_process)
{
	ASSERT_EQ(0, configure(&self->genl));
	EXPECT_EQ((uint32_t)getpid(), named_owner(&self->genl));
	EXPECT_CHILD(nobody_asks_for_the_owner);
	EXPECT_CHILD(other_pids);
	ASSERT_EQ(0, genl_command(&self->genl, BPMU_CMD_RELEASE));
	EXPECT_EQ(0, named_owner(&self->genl));
	EXPECT_CHILD(own_pids);
}

/*
 * A child process configures the session and ends. The session goes on, because this process still
 * has the session's socket open. The child, which is the owner, has ended, so the module must name
 * no process as the owner. When this process sends a command on the socket, it becomes the owner.
 */
TEST_F(access, an_owner_that_has_ended_is_not_named)
{
	int status = -1;
	pid_t pid = fork();

	if (!pid)
		_exit(configure(&self->genl) ? 1 : 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(0, named_owner(&self->genl));
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_EQ((uint32_t)getpid(), named_owner(&self->genl));
}

/* While it lives, the process that configured is the owner, whichever process sends a command. */
TEST_F(access, an_owner_that_lives_stays_the_owner)
{
	int status = -1;
	pid_t pid;

	ASSERT_EQ(0, configure(&self->genl));
	pid = fork();
	if (!pid)
		_exit(genl_command(&self->genl, BPMU_CMD_START) ? 1 : 0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ((uint32_t)getpid(), named_owner(&self->genl));
}

/*
 * Pipe that keeps a child process alive: the child reads from the pipe, and this read blocks until
 * all other processes have closed the pipe.
 */
static int hold[2];

/*
 * Function of a thread. Sets the thread's name and configures a session. Ends the process when all
 * other processes have closed the pipe @hold.
 */
static void *configure_and_stay(void *data)
{
	struct genl *genl = data;
	char byte;

	if (prctl(PR_SET_NAME, "thread") || configure(genl))
		_exit(1);
	if (read(hold[0], &byte, 1) < 0)
		_exit(1);
	_exit(0);
}

static void leave_to_a_thread(struct genl *genl)
{
	pthread_t thread;

	close(hold[1]);
	if (prctl(PR_SET_NAME, "process") ||
	    pthread_create(&thread, NULL, configure_and_stay, genl))
		_exit(1);
	pthread_exit(NULL);
}

/*
 * Returns the state of a process, a letter, from /proc/PID/stat: 'Z' if its first thread has ended.
 * Returns 0 on an error.
 */
static char state_of(pid_t pid)
{
	char path[32], state;
	FILE *stream;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stream = fopen(path, "re");
	if (!stream || fscanf(stream, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	if (stream)
		fclose(stream);
	return state;
}

/*
 * If only the first thread of the owner has ended, the module still names the owner, as procfs
 * does. If all threads of the owner have ended, the module does not name the owner, even if the
 * owner is still a zombie process.
 */
TEST_F(access, an_owner_is_named_while_one_of_its_threads_lives)
{
	static struct genl other;
	siginfo_t info;
	pid_t pid;

	ASSERT_EQ(0, genl_open(&other));
	ASSERT_EQ(0, pipe(hold));
	pid = fork();
	if (!pid)
		leave_to_a_thread(&self->genl);
	close(hold[0]);
	while (state_of(pid) && state_of(pid) != 'Z')
		sched_yield();
	ASSERT_EQ('Z', state_of(pid));
	while (!named_owner(&other))
		sched_yield();
	EXPECT_EQ((uint32_t)pid, owner_pid);
	EXPECT_STREQ("process", owner_comm);
	close(hold[1]);
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	EXPECT_EQ(0, info.si_status);
	EXPECT_EQ(0, named_owner(&other));
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
	genl_close(&other);
}

static int swap(struct genl *genl)
{
	genl_put_group(genl_new(genl, BPMU_CMD_SWAP, 0), 0, GENL_SELECT);
	return genl_send(genl);
}

/*
 * BPMU_CMD_START and BPMU_CMD_SWAP need CAP_PERFMON when they are sent, even if the process had
 * this capability when it configured the session. BPMU_CMD_SAMPLE, _READ, _STOP and _RELEASE do not
 * need it.
 */
static int without_capability(struct genl *genl)
{
	if (configure(genl) || genl_command(genl, BPMU_CMD_START))
		return UNABLE;
	drop();
	if (swap(genl) != -EPERM || !strstr(genl->sentence, "CAP_PERFMON"))
		return 1;
	if (genl_command(genl, BPMU_CMD_SAMPLE) || genl_command(genl, BPMU_CMD_READ) ||
	    genl_command(genl, BPMU_CMD_STOP))
		return 2;
	if (genl_command(genl, BPMU_CMD_START) != -EPERM)
		return 3;
	return genl_command(genl, BPMU_CMD_RELEASE) ? 4 : 0;
}

TEST_F(access, start_and_swap_need_the_capability_when_they_are_sent)
{
	EXPECT_CHILD(without_capability);
}

/*
 * Returns true if barepmu.ko can ask the kernel's security modules by perf_allow_kernel(). Since
 * Linux 6.12 the kernel exports this function. In older kernels the function is inline, and calls a
 * function that is not exported.
 */
static bool modules_can_ask(void)
{
	FILE *stream = fopen("/proc/kallsyms", "re");
	char line[256];
	bool found = false;

	while (stream && !found && fgets(line, sizeof(line), stream))
		found = strstr(line, " T perf_allow_kernel\n");
	if (stream)
		fclose(stream);
	return found;
}

/*
 * A security module (LSM) that forbids perf to count in the kernel also forbids a session of
 * barepmu.
 */
TEST_F(access, a_security_module_that_forbids_perf_events_forbids_counting)
{
	struct genl *genl = &self->genl;
	int code = modules_can_ask() ? -EACCES : 0;

	ASSERT_EQ(0, configure(genl));
	if (!lsm_refuse("perf_event_open", -EACCES))
		SKIP(return, "no program can be a security module here");
	EXPECT_EQ(code, configure(genl));
	EXPECT_EQ(!!code, !!strstr(genl->sentence, "security module"));
	EXPECT_EQ(code, genl_command(genl, BPMU_CMD_START));
	lsm_allow();
	if (code)
		ASSERT_EQ(0, genl_command(genl, BPMU_CMD_START));
	ASSERT_TRUE(lsm_refuse("perf_event_open", -EACCES));
	EXPECT_EQ(code, swap(genl));
	EXPECT_EQ(0, genl_command(genl, BPMU_CMD_READ));
	EXPECT_EQ(0, genl_command(genl, BPMU_CMD_RELEASE));
}

TEST_F(access, an_unprivileged_user_gets_only_public_attributes)
{
	EXPECT_CHILD(nobody_idle);
}

static int nobody_running(struct genl *genl)
{
	uint8_t command;

	drop();
	if (genl_open(genl))
		return 1;
	if (!configure_refused(genl))
		return 2;
	for (command = BPMU_CMD_START; command < BPMU_CMD_STATE; command++)
		if (genl_command(genl, command) >= 0 || !genl->sentence[0])
			return 10 + command;
	if (genl_command(genl, BPMU_CMD_GET_PLAN) >= 0 || !genl->sentence[0])
		return 4;
	return gets_public_attributes(genl) ? 0 : 3;
}

TEST_F(access, an_unprivileged_user_cannot_use_a_session_of_root)
{
	ASSERT_EQ(0, configure(&self->genl));
	ASSERT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_CHILD(nobody_running);
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_STOP));
}

TEST_F(access, only_root_sees_counters_in_use)
{
	int perf = perf_counter();

	if (perf < 0)
		SKIP(return, "perf cannot count here");
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_GET_INFO));
	EXPECT_TRUE(self->genl.told & BIT(BPMU_A_INFO_BUSY));
	EXPECT_CHILD(nobody_idle);
	close(perf);
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_GET_INFO));
	EXPECT_FALSE(self->genl.told & BIT(BPMU_A_INFO_BUSY));
}

static int other_network(struct genl *genl)
{
	if (unshare(CLONE_NEWNET))
		return UNABLE;
	return genl_open(genl) == -ENOENT ? 0 : 1;
}

TEST_F(access, another_network_namespace_has_no_family)
{
	EXPECT_CHILD(other_network);
}

static int other_user(struct genl *genl)
{
	drop();
	if (unshare(CLONE_NEWUSER))
		return UNABLE;
	if (genl_open(genl))
		return 1;
	return configure_refused(genl) ? 0 : 2;
}

TEST_F(access, privilege_in_a_user_namespace_is_refused)
{
	EXPECT_CHILD(other_user);
}

static int other_both(struct genl *genl)
{
	drop();
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET))
		return UNABLE;
	return genl_open(genl) == -ENOENT ? 0 : 1;
}

TEST_F(access, a_user_and_network_namespace_has_no_family)
{
	EXPECT_CHILD(other_both);
}

static int inherited(struct genl *genl)
{
	drop();
	return configure_refused(genl) ? 0 : 1;
}

TEST_F(access, a_socket_of_root_is_refused_to_an_unprivileged_sender)
{
	EXPECT_CHILD(inherited);
}

/*
 * Without privileges, sends GET_INFO, and then makes a system call whose refusal is audited. The
 * process stops before GET_INFO and before the system call, so that the test can trace each of
 * them.
 */
static int asks_and_tries(struct genl *genl)
{
	drop();
	if (genl_open(genl))
		return UNABLE;
	raise(SIGSTOP);
	if (!gets_public_attributes(genl))
		return 1;
	raise(SIGSTOP);
	return sethostname("nobody", 6) ? 0 : 2;
}

/*
 * Without privileges, sends GET_INFO. The process stops before it sends, so that the test can trace
 * it.
 */
static int asks(struct genl *genl)
{
	drop();
	if (genl_open(genl))
		return UNABLE;
	raise(SIGSTOP);
	return genl_command(genl, BPMU_CMD_GET_INFO) ? 1 : 0;
}

/*
 * The first message of the answer to GET_INFO must fit into a page. The size of this message must
 * not depend on the number of CPUs, because the module sends the lists of CPUs in further messages
 * (kmod/netlink/netlink_list.c).
 */
TEST_F(access, the_reply_to_get_info_fits_into_a_page)
{
	char filter[64];
	int status = -1;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(asks(&self->genl));
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	snprintf(filter, sizeof(filter), "common_pid==%d && size>4096", pid);
	if (!probe_begin("__alloc_skb size=%di:u32", filter)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		SKIP(return, "no probe on the kernel's allocations here");
	}
	kill(pid, SIGCONT);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_EQ(0, probe_hits());
	probe_end();
}

/*
 * GET_PLAN returns the configuration of the session. The size of this answer must depend on the
 * number of measured CPUs, not on the number of possible CPUs of the kernel. Two of the guests in
 * which this test runs have 256 possible CPUs. A guest of 512 MB cannot have 1,024 (the kernel's
 * limit is 8,192), because the per-CPU variables of so many CPUs do not fit into its memory.
 */
TEST_F(access, the_plan_of_one_cpu_fits_into_a_page)
{
	char filter[64];

	ASSERT_EQ(0, configure(&self->genl));
	snprintf(filter, sizeof(filter), "common_pid==%d && size>4096", getpid());
	if (!probe_begin("__alloc_skb size=%di:u32", filter))
		SKIP(return, "no probe on the kernel's allocations here");
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_GET_PLAN));
	EXPECT_EQ(0, probe_hits());
	probe_end();
}

/*
 * GET_INFO must not check capabilities by cap_capable() with opts 0, because such a check is
 * audited if the capability is missing.
 */
TEST_F(access, an_unprivileged_get_info_is_not_audited)
{
	char filter[64];
	int status = -1;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(asks_and_tries(&self->genl));
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	snprintf(filter, sizeof(filter), "common_pid==%d && opts==0", pid);
	if (!probe_begin("cap_capable cap=%dx:u32 opts=%cx:u32", filter)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		SKIP(return, "no probe on the kernel's checks here");
	}
	kill(pid, SIGCONT);
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	EXPECT_TRUE(WIFSTOPPED(status));
	EXPECT_EQ(0, probe_hits());
	kill(pid, SIGCONT);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_LT(0, probe_hits());
	probe_end();
}

/*
 * Without privileges, sends CONFIGURE. The process stops before it sends, so that the test can
 * trace it.
 */
static int configures(struct genl *genl)
{
	drop();
	if (genl_open(genl))
		return UNABLE;
	raise(SIGSTOP);
	return configure_refused(genl) ? 0 : 1;
}

TEST_F(access, an_unprivileged_configure_is_audited)
{
	char filter[64];
	int status = -1;
	pid_t pid;

	pid = fork();
	if (!pid)
		_exit(configures(&self->genl));
	ASSERT_EQ(pid, waitpid(pid, &status, WUNTRACED));
	ASSERT_TRUE(WIFSTOPPED(status));
	snprintf(filter, sizeof(filter), "common_pid==%d && opts==0", pid);
	if (!probe_begin("cap_capable cap=%dx:u32 opts=%cx:u32", filter)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		SKIP(return, "no probe on the kernel's checks here");
	}
	kill(pid, SIGCONT);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	EXPECT_LT(0, probe_hits());
	probe_end();
}

/*
 * A privileged program may be tricked into writing to a socket that an unprivileged user has
 * opened, for example if the socket is its standard output. The program calls write(), which passes
 * no destination address; then the kernel checks the user who opened the socket. The first message
 * that genl_command() reads below is the answer to the message that write() sent.
 */
static int opened_by_nobody(struct genl *genl)
{
	struct nlmsghdr *message;

	if (seteuid(NOBODY) || genl_open(genl) || seteuid(0))
		return UNABLE;
	message = genl_plan(genl);
	if (write(mnl_socket_get_fd(genl->socket), message,
		  message->nlmsg_len) < 0)
		return 1;
	return genl_command(genl, BPMU_CMD_START) == -EPERM ? 0 : 2;
}

TEST_F(access, an_unprivileged_socket_is_refused_if_root_writes_to_it)
{
	EXPECT_CHILD(opened_by_nobody);
}

/*
 * Like opened_by_nobody(), but sends with a destination address. The kernel then does not check the
 * user who opened the socket, so the module must check this user.
 */
static int opened_by_nobody_and_sent(struct genl *genl)
{
	if (seteuid(NOBODY) || genl_open(genl) || seteuid(0))
		return UNABLE;
	return configure_refused(genl) ? 0 : 1;
}

TEST_F(access, an_unprivileged_socket_is_refused_if_root_sends_with_it)
{
	EXPECT_CHILD(opened_by_nobody_and_sent);
}

/*
 * Opens a socket and sends BPMU_CMD_READ on it, but is in the group of the users who may read
 * samples only at one of these times: while it opens the socket if @opener is true, while it sends
 * if @opener is false. Returns 0 if the module refuses this, and accepts a process that is in the
 * group at both times.
 */
static int one_in_group(bool opener)
{
	const gid_t gid = NOBODY;
	static struct genl other;
	int with, without;

	if (setgroups(opener, &gid) || genl_open(&other) ||
	    setgroups(!opener, &gid))
		return UNABLE;
	without = genl_command(&other, BPMU_CMD_READ);
	genl_close(&other);
	if (setgroups(1, &gid) || genl_open(&other))
		return UNABLE;
	with = genl_command(&other, BPMU_CMD_READ);
	if (with)
		return 1;
	return without == -EBUSY ? 0 : 2;
}

static int opened_outside_the_group(struct genl *genl)
{
	(void)genl;
	return one_in_group(false);
}

static int sent_from_outside_the_group(struct genl *genl)
{
	(void)genl;
	return one_in_group(true);
}

TEST_F(access, both_opener_and_sender_must_be_readers)
{
	ASSERT_EQ(0, genl_let_read(NOBODY));
	ASSERT_EQ(0, configure(&self->genl));
	ASSERT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_CHILD(opened_outside_the_group);
	EXPECT_CHILD(sent_from_outside_the_group);
	EXPECT_EQ(0, genl_let_read(GENL_NO_GROUP));
}

static int set_rawio(bool yes)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -1;
	if (yes)
		data[0].effective |= 1U << CAP_SYS_RAWIO;
	else
		data[0].effective &= ~(1U << CAP_SYS_RAWIO);
	return syscall(SYS_capset, &head, data);
}

/* Configures a session that turns all hardware prefetchers on; a bit of 1 would turn one off. */
static int switch_prefetchers(struct genl *genl)
{
	mnl_attr_put_u32(genl_plan(genl), BPMU_A_PREFETCH, 0);
	return genl_send(genl);
}

static bool switching_refused(struct genl *genl)
{
	return switch_prefetchers(genl) == -EPERM &&
	       strstr(genl->sentence, "CAP_SYS_RAWIO");
}

static int lacks_rawio(struct genl *genl)
{
	if (switch_prefetchers(genl))
		return UNABLE;
	if (genl_command(genl, BPMU_CMD_RELEASE))
		return 1;
	if (set_rawio(false))
		return UNABLE;
	if (!switching_refused(genl))
		return 2;
	if (configure(genl) || genl_command(genl, BPMU_CMD_RELEASE))
		return 3;
	/* Both the user who opened the socket and the user who sends need CAP_SYS_RAWIO. */
	if (genl_open(genl) || set_rawio(true))
		return UNABLE;
	return switching_refused(genl) ? 0 : 4;
}

TEST_F(access, prefetchers_need_cap_sys_rawio)
{
	EXPECT_CHILD(lacks_rawio);
}

TEST_HARNESS_MAIN
