/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The counters that a session uses, on all its CPUs. To take a counter means to save its registers
 * and to program them. To give it back means to restore the registers.
 *
 * Callers hold the session's lock and the CPU hotplug lock, except that callers of
 * bpmu_counters_claim() and bpmu_counters_unclaim() hold neither.
 */
#ifndef BPMU_COUNTERS_H
#define BPMU_COUNTERS_H

#include "bank/plan.h"
#include "sample/events.h"
#include "sample/sampler.h"

struct pci_dev;

/**
 * struct bpmu_counted - what a session counts: its settings, its groups, and memory for samples
 * @settings: settings of the session, constant until it ends
 * @plan: the event groups; a swap replaces them
 * @memory: memory of the samplers, [nr_cpu_ids]; NULL before the session begins
 * @claimed: bpmu_counters_claim() has claimed the PCI devices of @plan's banks, so that other
 *	drivers cannot use them, and prepared for interrupts
 */
struct bpmu_counted {
	struct bpmu_settings *settings;
	struct bpmu_plan *plan;
	struct bpmu_sampler_memory *memory;
	bool claimed;
};

int bpmu_counters_claim(struct bpmu_counted *counted, struct netlink_ext_ack *extack);
void bpmu_counters_unclaim(struct bpmu_counted *counted);
int bpmu_counters_take(const struct bpmu_counted *counted, struct netlink_ext_ack *extack);
void bpmu_counters_give(const struct bpmu_counted *counted);
void bpmu_counters_start(const struct bpmu_counted *counted);
void bpmu_counters_stop(const struct bpmu_counted *counted);
void bpmu_counters_request(const struct bpmu_counted *counted);
int bpmu_counters_try(const struct bpmu_counted *counted, const struct bpmu_plan *plan,
		      struct netlink_ext_ack *extack);
void bpmu_counters_swap(const struct bpmu_counted *counted);
void bpmu_counters_suspend(const struct bpmu_counted *counted);
void bpmu_counters_resume(const struct bpmu_counted *counted, bool running);
void bpmu_counters_online(const struct bpmu_counted *counted, unsigned int cpu,
			  bool running);
void bpmu_counters_offline(const struct bpmu_counted *counted,
			   unsigned int cpu, bool running);
void bpmu_counters_device_removed(const struct bpmu_counted *counted,
				  const struct pci_dev *pci);
bool bpmu_counters_next_failure(const struct bpmu_counted *counted,
				unsigned int *at,
				struct bpmu_failure_info *info);

#endif /* BPMU_COUNTERS_H */
