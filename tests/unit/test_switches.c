// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what the module does at switches between threads: the probes, the table of call stacks,
 * and how a sample's thread is found again and hidden. The sources are compiled unchanged.
 */
#include <sys/types.h>

#include "kernel/module.h"

struct task_struct {
	pid_t pid, tgid;
	u64 start_time;
	unsigned long nvcsw, nivcsw;
	void *mm;
	char comm[16];
};

struct pt_regs {
	unsigned long ip;
};

struct pid {
	struct task_struct *task;
};

struct tracepoint {
	const char *name;
};

struct linux_binprm;

#define CONFIG_TRACEPOINTS
#define PIDTYPE_PID 0
#define instruction_pointer(regs) ((regs)->ip)
#define user_mode(regs) ((regs)->ip < 1000)
#define is_idle_task(task) (!(task)->pid)
#define local_irq_save(flags) save_irqs(&(flags))
#define local_irq_restore(flags) (irqs_off = (flags))
#define check_trace_callback_type_sched_switch(probe) ((void)(probe))
#define check_trace_callback_type_sched_process_exec(probe) ((void)(probe))
#define atomic_xchg_acquire(of, new) exchange(of, new)
#define atomic_set_release(of, value) ((of)->counter = (value))
#define num_possible_cpus() possible
#define for_each_kernel_tracepoint visit_tracepoints
#define roundup_pow_of_two(n) (1u << (32 - __builtin_clz((n) - 1)))

struct task_struct *unit_current;
static int init_pid_ns;
static unsigned int possible = 1;
static unsigned long irqs_off;

static void save_irqs(unsigned long *flags)
{
	*flags = irqs_off++;
}

static int exchange(atomic_t *of, int new)
{
	int was = of->counter;

	of->counter = new;
	return was;
}

static struct pid *find_pid_ns(u32 nr, int *ns);
static struct task_struct *pid_task(struct pid *pid, int type);
static void visit_tracepoints(void (*fn)(struct tracepoint *at, void *data), void *data);
static int tracepoint_probe_register(struct tracepoint *at, void *probe, void *data);
static int tracepoint_probe_unregister(struct tracepoint *at, void *probe, void *data);
static void tracepoint_synchronize_unregister(void);
static void synchronize_rcu(void);

#include "../../kmod/sample/calls.c"
#include "../../kmod/sample/switches.c"
#include "../../kmod/sample/who.c"

#include "kernel/log.h"

static char did[256];
static int refuse_at;
static bool nameless;
static struct task_struct threads[4];
static struct pid numbers[2] = { { &threads[1] }, { NULL } };
static struct bpmu_bank bank;

static void note(const char *what)
{
	strcat(strcat(did, what), " ");
}

static void noted(const char *expected)
{
	assert_string_equal(did, expected);
	did[0] = '\0';
}

static struct pid *find_pid_ns(u32 nr, int *ns)
{
	assert_ptr_equal(ns, &init_pid_ns);
	return nr == 7 ? &numbers[0] : &numbers[1];
}

static struct task_struct *pid_task(struct pid *pid, int type)
{
	return pid->task;
}

static void visit_tracepoints(void (*fn)(struct tracepoint *at, void *data), void *data)
{
	static struct tracepoint all[] = {
		{ "sched_wakeup" }, { "sched_switch" }, { "irq" }, { "sched_process_exec" }, { "x" },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all) && !nameless; i++)
		fn(&all[i], data);
}

static int tracepoint_probe_register(struct tracepoint *at, void *probe, void *data)
{
	bool exec = !strcmp(at->name, "sched_process_exec");

	assert_ptr_equal(probe, exec ? (void *)bpmu_exec_probe : (void *)bpmu_switches_probe);
	if (refuse_at && !--refuse_at)
		return -ENOMEM;
	note(exec ? "+exec" : "+switch");
	return 0;
}

static int tracepoint_probe_unregister(struct tracepoint *at, void *probe, void *data)
{
	bool exec = !strcmp(at->name, "sched_process_exec");

	assert_ptr_equal(probe, exec ? (void *)bpmu_exec_probe : (void *)bpmu_switches_probe);
	note(exec ? "-exec" : "-switch");
	return 0;
}

static void tracepoint_synchronize_unregister(void)
{
	note("wait");
}

static void synchronize_rcu(void)
{
	note("rcu");
}

void bpmu_branches_take_calls(const struct bpmu_bank *of, struct bpmu_calls *to)
{
	assert_ptr_equal(of, &bank);
	note("take");
	to->nr = 5;
}

void bpmu_branches_put_calls(const struct bpmu_bank *of, const struct bpmu_calls *calls,
			     const struct task_struct *owner)
{
	assert_ptr_equal(of, &bank);
	assert_ptr_equal(owner, &threads[2]);
	note(!calls ? "none" : calls->nr == 5 ? "put" : "empty");
}

TEST(probes_are_there_while_there_are_claims)
{
	static const char sentence[] =
		"the kernel has no tracepoint sched_switch, by which records of different threads are told apart";
	struct netlink_ext_ack extack = { NULL };

	nameless = true;
	assert_int_equal(bpmu_switches_claim(&extack), -EOPNOTSUPP);
	assert_string_equal(extack._msg, sentence);
	noted("");
	nameless = false;
	refuse_at = 1;
	assert_int_equal(bpmu_switches_claim(&extack), -EOPNOTSUPP);
	noted("");
	refuse_at = 2;
	assert_int_equal(bpmu_switches_claim(&extack), -EOPNOTSUPP);
	noted("+switch -switch wait ");
	extack._msg = NULL;
	assert_int_equal(bpmu_switches_claim(&extack), 0);
	assert_null(extack._msg);
	noted("+switch +exec ");
	assert_int_equal(bpmu_switches_claim(&extack), 0);
	bpmu_switches_unclaim();
	noted("");
	bpmu_switches_unclaim();
	noted("-exec -switch wait ");
}

static void switched(struct task_struct *prev, struct task_struct *next)
{
	assert_ptr_equal(prev, &threads[0]);
	assert_ptr_equal(next, &threads[1]);
	note("switched");
}

static void executed(void)
{
	assert_int_equal(irqs_off, 1);
	note("executed");
}

TEST(switches_and_executions_are_told_between_begin_and_end)
{
	bpmu_switches_begin((void *)switched, executed);
	bpmu_switches_probe(NULL, false, &threads[0], &threads[1], 0);
	bpmu_exec_probe(NULL, NULL, 0, NULL);
	noted("switched executed ");
	assert_int_equal(irqs_off, 0);
	bpmu_switches_end();
	noted("rcu ");
	bpmu_switches_probe(NULL, false, &threads[0], &threads[1], 0);
	bpmu_exec_probe(NULL, NULL, 0, NULL);
	noted("");
}

static void thread(unsigned int i, pid_t pid)
{
	threads[i] = (struct task_struct){
		.pid = pid, .start_time = 100 + i, .nvcsw = 3, .nivcsw = 4, .mm = &bank,
	};
}

TEST(calls_of_a_thread_are_kept_until_it_runs_again)
{
	struct netlink_ext_ack extack = { NULL };

	memory_left = 1;
	assert_int_equal(bpmu_calls_begin(&extack), -ENOMEM);
	assert_string_equal(extack._msg, "there is no memory for the call stacks of threads");
	possible = 9;
	assert_int_equal(bpmu_calls_begin(&extack), 0);
	assert_int_equal(places, 512);
	bpmu_calls_end();
	possible = 1;
	assert_int_equal(bpmu_calls_begin(&extack), 0);
	assert_int_equal(places, 256);
	thread(1, 7);
	thread(2, 7);
	threads[2].start_time = threads[1].start_time;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("take put ");
	threads[2].nivcsw++;
	threads[1].mm = NULL;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("none ");
	threads[2].nvcsw--;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("put ");
	threads[2].start_time++;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("none ");
	threads[2].start_time--;
	/* another thread at the same place, and one at the next */
	threads[2].pid = 7 + 256;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("none ");
	threads[2].pid = 8;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("none ");
	/* another CPU uses the place */
	threads[2].pid = 7;
	table[7].busy.counter = 1;
	threads[1].mm = &bank;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("none ");
	table[7].busy.counter = 0;
	threads[2].mm = NULL;
	bpmu_calls_switch(&bank, &threads[1], &threads[2]);
	noted("take ");
	assert_int_equal(table[7].busy.counter, 0);
	bpmu_calls_end();
	assert_null(table);
}

TEST(a_thread_is_found_by_its_mark_and_hidden)
{
	struct bpmu_who who = { .pid = 7, .tgid = 6, .pad = 101, .ip = 0x55, .comm = "name" };

	thread(1, 7);
	assert_ptr_equal(bpmu_who_task(&who), &threads[1]);
	who.pad = 102;
	assert_null(bpmu_who_task(&who));
	who.pad = 101;
	who.pid = 8;
	assert_null(bpmu_who_task(&who));
	bpmu_who_hide(&who);
	assert_int_equal(who.ip, 0x55);
	assert_int_equal(who.flags, 0);
	bpmu_who_hide_task(&who);
	assert_int_equal(who.ip, 0);
	assert_int_equal(who.pid, 0);
	assert_int_equal(who.tgid, 0);
	assert_int_equal(who.comm[0], 0);
	assert_int_equal(who.comm[3], 0);
	assert_int_equal(who.flags, BPMU_WHO_UNNAMED);
	who.ip = 0x66;
	who.flags = BPMU_WHO_KERNEL;
	bpmu_who_hide_task(&who);
	assert_int_equal(who.ip, 0x66);
	assert_int_equal(who.flags, BPMU_WHO_KERNEL | BPMU_WHO_UNNAMED);
	bpmu_who_hide(&who);
	assert_int_equal(who.ip, 0);
	assert_int_equal(who.flags, BPMU_WHO_KERNEL | BPMU_WHO_UNNAMED | BPMU_WHO_HIDDEN);
}
