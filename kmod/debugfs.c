// SPDX-License-Identifier: GPL-2.0
#include "debugfs.h"

#include <linux/cpu.h>
#include <linux/debugfs.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/isolation.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "bank/banks.h"
#include "bank/core.h"
#include "machine/probe.h"
#include "session/owner.h"
#include "session/session.h"

static struct dentry *folder;

static const char *state_name(enum bpmu_state state)
{
	static const char *const names[] = { "idle", "ready", "running" };

	return names[state];
}

static void show_settings(struct seq_file *m,
			  const struct bpmu_settings *settings)
{
	seq_printf(m, "cpus: %*pbl\n", cpumask_pr_args(settings->cpus));
	seq_printf(m, "interval: %llu ns by %s\n", settings->interval_ns,
		   settings->tick ? "the timer tick" : "an hrtimer");
	seq_printf(m, "buffer: %u samples of %u bytes, watermark %u\n",
		   settings->buffer_samples, settings->record_size,
		   settings->watermark);
	if (settings->prefetchers)
		seq_printf(m, "prefetchers off: %#x\n", settings->prefetch);
	if (settings->take_over)
		seq_puts(m, "enabled counters are taken over\n");
}

static int bpmu_debugfs_session_show(struct seq_file *m, void *unused)
{
	struct bpmu_failure_info failure;
	struct bpmu_session_view view;
	unsigned int at = 0;

	bpmu_session_view_begin(&view);
	seq_printf(m, "state: %s\n", state_name(view.state));
	if (view.counted->settings) {
		seq_printf(m, "owner: %s (process %d)\n", view.owner->comm,
			   pid_nr_ns(view.owner->pid, task_active_pid_ns(current)));
		seq_printf(m, "run: %u\nplan: %u\n", view.run,
			   view.counted->plan->number);
		show_settings(m, view.counted->settings);
		while (bpmu_counters_next_failure(view.counted, &at, &failure))
			seq_printf(m, "failed: cpu %u, what %u, error %d\n",
				   failure.cpu, failure.what, failure.error);
	}
	bpmu_session_view_end();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bpmu_debugfs_session);

static void show_group(struct seq_file *m, const char *bank, unsigned int type,
		       u32 nr, const struct bpmu_plan_group *group)
{
	u32 i;

	seq_printf(m, "bank %s, core type %u, group %u\n", bank, type, nr);
	for (i = 0; i < group->nr; i++)
		seq_printf(m, "  counter %u sibling %u select %#llx\n",
			   group->event[i].counter, group->event[i].sibling,
			   group->event[i].select);
}

static int bpmu_debugfs_groups_show(struct seq_file *m, void *unused)
{
	struct bpmu_session_view view;
	unsigned int bank, type;
	u32 i;

	bpmu_session_view_begin(&view);
	for (bank = 0; view.counted->plan && bank < BPMU_BANKS; bank++)
		for (type = 0; type < BPMU_CORE_TYPES; type++) {
			const struct bpmu_plan_groups *groups =
				&view.counted->plan->groups[bank][type];

			for (i = 0; i < groups->nr; i++)
				show_group(m, bpmu_bank_facts[bank].name, type,
					   i, &groups->group[i]);
		}
	bpmu_session_view_end();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bpmu_debugfs_groups);

static int bpmu_debugfs_losses_show(struct seq_file *m, void *unused)
{
	struct bpmu_session_view view;
	unsigned int cpu;

	bpmu_session_view_begin(&view);
	if (view.counted->settings)
		for_each_cpu(cpu, view.counted->settings->cpus) {
			struct bpmu_buffer *buffer = bpmu_sampler_buffer(cpu);
			struct bpmu_buffer_loss loss = bpmu_buffer_loss(buffer);

			seq_printf(m, "cpu %u held %llu of %u lost %llu tsc %llu to %llu\n",
				   cpu, bpmu_buffer_held(buffer), buffer->nr,
				   loss.count, loss.tsc_first, loss.tsc_last);
		}
	bpmu_session_view_end();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bpmu_debugfs_losses);

static void show_registers(struct seq_file *m, const char *when,
			   const struct bpmu_pmu *pmu,
			   const struct bpmu_core_saved *saved)
{
	unsigned int i;

	seq_printf(m, "  %s: global_ctrl %#llx global_status %#llx fixed_ctrl %#llx\n",
		   when, saved->global_ctrl, saved->global_status,
		   saved->fixed_ctrl);
	for (i = 0; i < pmu->gp_counters; i++)
		seq_printf(m, "  %s: select%u %#llx\n", when, i, saved->select[i]);
	for (i = 0; i < pmu->gp_counters; i++)
		if (saved->taken & BIT_ULL(i))
			seq_printf(m, "  %s: counter%u %#llx\n", when, i, saved->counter[i]);
	for (i = 0; i < pmu->fixed_counters; i++)
		if (saved->taken & BPMU_FIXED_BIT(i))
			seq_printf(m, "  %s: fixed%u %#llx\n", when, i, saved->fixed[i]);
}

/*
 * Prints the values that were programmed for the scheduled group of a CPU's core counters. The
 * group may be exchanged for another one meanwhile, which does no harm: the values of all groups
 * stay allocated while a session exists.
 */
static void show_written(struct seq_file *m, const struct bpmu_bank *bank)
{
	const struct bpmu_core_setup *setup = READ_ONCE(bank->setup);
	unsigned int i;

	seq_printf(m, "  written: global_ctrl %#llx fixed_ctrl %#llx\n",
		   setup->enable, setup->fixed_ctrl);
	for (i = 0; i < setup->nr_gp; i++)
		seq_printf(m, "  written: select%u %#llx\n", setup->gp[i],
			   setup->select[i]);
}

/*
 * Prints a CPU's counter registers: as they were before the session, as the session programmed
 * them, and as they are now. An isolated CPU is left out unless the session measures it, because
 * reading the registers interrupts the CPU.
 */
static void show_cpu(struct seq_file *m, unsigned int cpu, bool measured)
{
	const struct bpmu_bank *bank = bpmu_sampler_bank(cpu, BPMU_BANK_CORE);
	const struct bpmu_pmu *pmu = bpmu_pmu_of(cpu);
	struct bpmu_core_saved now = { };

	if (!pmu || (!measured && cpu_is_isolated(cpu)))
		return;
	seq_printf(m, "cpu %u\n", cpu);
	if (measured && bpmu_bank_in_use(bank)) {
		show_registers(m, "found", bank->pmu, bank->saved);
		show_written(m, bank);
	}
	if (!bpmu_core_snapshot(cpu, &now))
		show_registers(m, "now", pmu, &now);
}

static int bpmu_debugfs_registers_show(struct seq_file *m, void *unused)
{
	struct bpmu_session_view view;
	unsigned int cpu;

	cpus_read_lock();
	bpmu_session_view_begin(&view);
	for_each_online_cpu(cpu) {
		show_cpu(m, cpu, view.counted->settings &&
			 cpumask_test_cpu(cpu, view.counted->settings->cpus));
		cond_resched();
	}
	bpmu_session_view_end();
	cpus_read_unlock();
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(bpmu_debugfs_registers);

/**
 * bpmu_debugfs_init() - create the files in debugfs
 *
 * Errors are ignored: the kernel may lack debugfs.
 *
 * Context: module load, last.
 */
void bpmu_debugfs_init(void)
{
	folder = debugfs_create_dir("barepmu", NULL);
	debugfs_create_file("session", 0400, folder, NULL,
			    &bpmu_debugfs_session_fops);
	debugfs_create_file("groups", 0400, folder, NULL,
			    &bpmu_debugfs_groups_fops);
	debugfs_create_file("losses", 0400, folder, NULL,
			    &bpmu_debugfs_losses_fops);
	debugfs_create_file("registers", 0400, folder, NULL,
			    &bpmu_debugfs_registers_fops);
}

/**
 * bpmu_debugfs_exit() - remove the files in debugfs
 *
 * Context: module unload, first; waits until no reader has a file open.
 */
void bpmu_debugfs_exit(void)
{
	debugfs_remove_recursive(folder);
}
