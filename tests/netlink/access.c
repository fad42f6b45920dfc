// SPDX-License-Identifier: GPL-2.0
/*
 * Who may not: users without privilege, other network namespaces, privilege in
 * another user namespace, sockets that changed hands.
 */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <linux/barepmu.h>
#include <linux/perf_event.h>
#include <kselftest_harness.h>

#include "genl.h"

#define NOBODY 65534
#define BIT(nr) (1ULL << (nr))
/* exit status of a child that could not become what it should */
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

/* what the header promises to everyone */
static uint64_t promised(void)
{
	return ((BIT(BPMU_A_CPUS + 1) - BIT(BPMU_A_INFO_MODULE_VERSION)) &
		~BIT(BPMU_A_INFO_BUSY) & ~BIT(BPMU_A_INFO_CPU)) |
	       BIT(BPMU_A_INFO_PREFETCH);
}

static bool told_promised(struct genl *genl)
{
	return !genl_command(genl, BPMU_CMD_GET_INFO) && genl->replies == 1 &&
	       (genl->told & ~BIT(BPMU_A_PAD)) == promised();
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

/* status of a child that runs @test on @genl; -1 if it did not end by itself */
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
	if (geteuid())
		SKIP(return, "needs root");
	if (genl_open(&self->genl) == -ENOENT &&
	    system("modprobe barepmu || insmod /lib/barepmu.ko"))
		SKIP(return, "the module does not load here");
	genl_close(&self->genl);
	ASSERT_EQ(0, genl_open(&self->genl));
}

FIXTURE_TEARDOWN(access)
{
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
	return told_promised(genl) ? 0 : 3;
}

TEST_F(access, nobody_without_a_session)
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
	return told_promised(genl) ? 0 : 3;
}

TEST_F(access, nobody_with_a_session)
{
	ASSERT_EQ(0, configure(&self->genl));
	ASSERT_EQ(0, genl_command(&self->genl, BPMU_CMD_START));
	EXPECT_CHILD(nobody_running);
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_STOP));
}

TEST_F(access, busy_is_told_to_root_alone)
{
	int perf = perf_counter();

	if (perf < 0)
		SKIP(return, "perf cannot count here");
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_GET_INFO));
	EXPECT_NE(0, self->genl.told & BIT(BPMU_A_INFO_BUSY));
	EXPECT_CHILD(nobody_idle);
	close(perf);
	EXPECT_EQ(0, genl_command(&self->genl, BPMU_CMD_GET_INFO));
	EXPECT_EQ(0, self->genl.told & BIT(BPMU_A_INFO_BUSY));
}

static int other_network(struct genl *genl)
{
	if (unshare(CLONE_NEWNET))
		return UNABLE;
	return genl_open(genl) == -ENOENT ? 0 : 1;
}

TEST_F(access, another_network_has_no_family)
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

TEST_F(access, privilege_in_a_user_namespace)
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

TEST_F(access, user_and_network_namespace)
{
	EXPECT_CHILD(other_both);
}

static int inherited(struct genl *genl)
{
	drop();
	return configure_refused(genl) ? 0 : 1;
}

TEST_F(access, socket_of_root_in_other_hands)
{
	EXPECT_CHILD(inherited);
}

/*
 * A program of root that is made to write on such a socket names no address,
 * and that is how the kernel tells. The next answer to be read is that of what
 * was written.
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

TEST_F(access, socket_of_nobody_in_the_hands_of_root)
{
	EXPECT_CHILD(opened_by_nobody);
}

TEST_HARNESS_MAIN
