// SPDX-License-Identifier: GPL-2.0
/*
 * The interrupted task: thread and instruction pointer. Kernel addresses are given only to
 * readers with permission to see them.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/syscall.h>

#include <linux/capability.h>
#include <linux/genetlink.h>
#include <kselftest_harness.h>

#include "log.h"

#define MS 1000000ULL
#define RESTRICT "/proc/sys/kernel/kptr_restrict"
/* required number of samples in the kernel, and of samples in user space */
#define ENOUGH 5
#define KERNEL 0xffff800000000000ULL

static struct log own;

/**
 * struct seen - who was interrupted
 * @hidden: in the kernel, without its address
 * @shown: in the kernel, with its address
 * @user: in a program, with its address
 * @wrong: anything else
 * @main: samples of the first thread of this process
 * @second: of its second one
 */
struct seen {
	unsigned int hidden;
	unsigned int shown;
	unsigned int user;
	unsigned int wrong;
	unsigned int main;
	unsigned int second;
};

static struct seen seen;
static pid_t second;

static void look(const struct bpmu_who *who)
{
	bool hidden = who->flags & BPMU_WHO_HIDDEN;
	uint32_t process = getpid();

	seen.main += who->pid == process;
	seen.second += who->pid == (uint32_t)second;
	if (who->pid == process || who->pid == (uint32_t)second)
		seen.wrong += who->tgid != process;
	if (who->flags & BPMU_WHO_NOWHERE)
		return;
	if (!(who->flags & BPMU_WHO_KERNEL)) {
		seen.user += !hidden && who->ip && who->ip < KERNEL;
		seen.wrong += hidden || !who->ip || who->ip >= KERNEL;
	} else if (hidden) {
		seen.hidden += !who->ip;
		seen.wrong += !!who->ip;
	} else {
		seen.shown += who->ip >= KERNEL;
		seen.wrong += who->ip < KERNEL;
	}
}

static void take(void *data, const struct nlmsghdr *answer)
{
	const struct nlattr *attr;
	struct bpmu_who who;
	const char *at;
	uint32_t left;

	(void)data;
	mnl_attr_for_each(attr, answer, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != BPMU_A_SAMPLES)
			continue;
		at = mnl_attr_get_payload(attr);
		left = mnl_attr_get_payload_len(attr);
		for (; left >= own.record; left -= own.record) {
			at += own.record;
			memcpy(&who, at - sizeof(who), sizeof(who));
			look(&who);
		}
	}
}

/* adds or removes an effective capability of this process, which keeps it as permitted */
static int may(unsigned int capability, bool yes)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2];

	if (syscall(SYS_capget, &head, data))
		return -1;
	if (yes)
		data[capability / 32].effective |= 1U << capability % 32;
	else
		data[capability / 32].effective &= ~(1U << capability % 32);
	return syscall(SYS_capset, &head, data);
}

static int restrict_to(char level)
{
	int fd = open(RESTRICT, O_WRONLY);
	int err = fd < 0 || write(fd, &level, 1) != 1;

	if (fd >= 0)
		close(fd);
	return err;
}

FIXTURE(who) {
	int unused;
};

FIXTURE_SETUP(who)
{
	cpu_set_t set;

	if (geteuid())
		SKIP(return, "needs root");
	if (system("modprobe barepmu || insmod /lib/barepmu.ko"))
		SKIP(return, "the module does not load here");
	CPU_ZERO(&set);
	CPU_SET(0, &set);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(set), &set));
}

FIXTURE_TEARDOWN(who)
{
	may(CAP_SYSLOG, true);
	restrict_to('0');
	genl_close(&own.genl);
}

/* the session's owner reads without the capabilities that it had when it started */
static bool dropped;

/* reads and loops until there are enough samples in the kernel and in user space */
static int watch(bool opener, bool reader)
{
	const struct log_plan plan = {
		.groups = 1, .interval_ns = MS, .timer = BPMU_TIMER_HARD,
		.who = true,
	};
	static char zeros[1 << 20];
	int fd = open("/dev/zero", O_RDONLY);
	int err;

	if (fd < 0 || may(CAP_SYSLOG, opener) || log_open(&own) ||
	    may(CAP_SYSLOG, reader) || log_configure(&own, &plan) ||
	    genl_command(&own.genl, BPMU_CMD_START))
		return -1;
	if (dropped && (may(CAP_PERFMON, false) || may(CAP_SYS_ADMIN, false)))
		return -1;
	memset(&seen, 0, sizeof(seen));
	own.genl.reply = take;
	do {
		err = read(fd, zeros, sizeof(zeros)) != sizeof(zeros);
		log_loop(1000000);
		err |= genl_command(&own.genl, BPMU_CMD_READ);
	} while (!err && (seen.hidden + seen.shown < ENOUGH ||
			  seen.user < ENOUGH));
	close(fd);
	return err;
}

static bool all_shown(void)
{
	return !seen.wrong && !seen.hidden && seen.shown >= ENOUGH;
}

static bool all_hidden(void)
{
	return !seen.wrong && !seen.shown && seen.hidden >= ENOUGH;
}

TEST_F_TIMEOUT(who, kptr_restrict_0_shows_addresses_with_cap_syslog, 120)
{
	ASSERT_EQ(0, restrict_to('0'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_shown());
}

TEST_F_TIMEOUT(who, kptr_restrict_0_shows_addresses_without_cap_syslog, 120)
{
	ASSERT_EQ(0, restrict_to('0'));
	ASSERT_EQ(0, watch(true, false));
	EXPECT_TRUE(all_shown());
}

/* perf gives them to nobody else by default */
TEST_F_TIMEOUT(who, kptr_restrict_0_hides_addresses_after_privileges_are_dropped, 120)
{
	ASSERT_EQ(0, restrict_to('0'));
	dropped = true;
	ASSERT_EQ(0, watch(true, false));
	dropped = false;
	may(CAP_PERFMON, true);
	may(CAP_SYS_ADMIN, true);
	EXPECT_TRUE(all_hidden());
}

TEST_F_TIMEOUT(who, kptr_restrict_1_shows_addresses_with_cap_syslog, 120)
{
	ASSERT_EQ(0, restrict_to('1'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_shown());
}

TEST_F_TIMEOUT(who, kptr_restrict_1_hides_addresses_without_cap_syslog, 120)
{
	ASSERT_EQ(0, restrict_to('1'));
	ASSERT_EQ(0, watch(true, false));
	EXPECT_TRUE(all_hidden());
}

TEST_F_TIMEOUT(who, kptr_restrict_1_hides_addresses_if_the_opener_lacks_cap_syslog, 120)
{
	ASSERT_EQ(0, restrict_to('1'));
	ASSERT_EQ(0, watch(false, true));
	EXPECT_TRUE(all_hidden());
}

TEST_F_TIMEOUT(who, kptr_restrict_2_hides_addresses, 120)
{
	ASSERT_EQ(0, restrict_to('2'));
	ASSERT_EQ(0, watch(true, true));
	EXPECT_TRUE(all_hidden());
}

static volatile bool done;

static void *spin(void *unused)
{
	second = syscall(SYS_gettid);
	while (!done)
		log_loop(10000);
	return unused;
}

/* a sample has both the thread ID and the process ID */
TEST_F_TIMEOUT(who, samples_have_thread_id_and_process_id, 120)
{
	pthread_t thread;
	int code = 0;

	done = false;
	ASSERT_EQ(0, pthread_create(&thread, NULL, spin, NULL));
	ASSERT_EQ(0, watch(true, true));
	while (!code && (!seen.main || !seen.second)) {
		log_loop(1000000);
		code = genl_command(&own.genl, BPMU_CMD_READ);
	}
	done = true;
	pthread_join(thread, NULL);
	EXPECT_EQ(0, code);
	EXPECT_NE(getpid(), second);
	EXPECT_LT(0, seen.main);
	EXPECT_LT(0, seen.second);
	EXPECT_EQ(0, seen.wrong);
}

TEST_HARNESS_MAIN
