// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "event/event_counters.h"
#include "events.h"
#include "free.h"

/*
 * Checks if the CPU with index @i is the first CPU of its core (@core is true) or of its package
 * (@core is false) in @topology.
 */
static bool is_new(const struct bpmu_topology *topology, unsigned int i,
		   bool core)
{
	unsigned int k;

	for (k = 0; k < i; k++)
		if (core ? bpmu_topology_same_core(&topology[k], &topology[i]) :
			   topology[k].package == topology[i].package)
			return false;
	return true;
}

/**
 * bpmu_machine_shape() - count the machine's sockets, cores per socket and threads per core
 * @machine: the numbers of sockets, cores per socket and threads per core are set; to 0 if the
 *	topology of a CPU is unknown. If sockets or cores differ, the numbers are averages, rounded
 *	down
 * @topology: topology of all online CPUs, [@nr]
 * @nr: number of online CPUs
 */
void bpmu_machine_shape(struct bpmu_machine *machine,
			const struct bpmu_topology *topology, unsigned int nr)
{
	unsigned int cores = 0;
	unsigned int i;

	machine->threads = 0;
	machine->cores = 0;
	machine->sockets = 0;
	for (i = 0; i < nr; i++) {
		if (topology[i].package < 0 || topology[i].core < 0)
			return;
		machine->sockets += is_new(topology, i, false);
		cores += is_new(topology, i, true);
	}
	if (!nr)
		return;
	machine->cores = cores / machine->sockets;
	machine->threads = nr / cores;
}

static double joule(const struct bpmu_pmu *pmu, u32 id)
{
	size_t nr;

	return bpmu_event_joules(pmu, bpmu_free_events(&nr) + id);
}

/**
 * bpmu_machine_find() - find the constants of the machine that metrics use
 * @machine: filled in
 * @target: opened; if it is of a recording, the constants are those of the recorded machine
 *
 * Return: 0, -ENOMEM, or an error of bpmu_cpulist_select().
 */
int bpmu_machine_find(struct bpmu_machine *machine,
		      const struct bpmu_target *target, struct bpmu_error *err)
{
	struct bpmu_topology *topology;
	struct bpmu_cpulist online;
	int ret;

	machine->chas = target->info.pmu.nr[BPMU_UNIT_CBO] + target->info.pmu.nr[BPMU_UNIT_CHA];
	machine->imcs = target->info.pmu.nr[BPMU_UNIT_IMC];
	machine->tsc_hz = 1e3 * target->info.tsc_khz;
	machine->joule = joule(&target->info.pmu, BPMU_FREE_PKG);
	machine->joule_dram = joule(&target->info.pmu, BPMU_FREE_DRAM);
	machine->joule_psys = joule(&target->info.pmu, BPMU_FREE_PSYS);
	machine->tjmax = target->info.pmu.tjmax;
	if (target->recorded) {
		bpmu_machine_shape(machine, target->recorded->machine_topology,
				   target->recorded->machine_cpus);
		return 0;
	}
	ret = bpmu_cpulist_select(NULL, &online, err);
	if (ret)
		return ret;
	topology = calloc(online.nr, sizeof(*topology));
	if (topology) {
		bpmu_topology_read(&online, topology);
		bpmu_machine_shape(machine, topology, online.nr);
	} else {
		ret = bpmu_error_no_memory(err, "topology");
	}
	free(topology);
	bpmu_cpulist_free(&online);
	return ret;
}

/**
 * bpmu_machine_set() - set the constants of the machine, such as its TSC, in a tree
 * @machine: constants of the machine; those that are 0 are not set
 * @tree: from bpmu_tree_make(). Constants that depend on the interval, such as its duration, are
 *	set by bpmu_spread_eval()
 */
void bpmu_machine_set(const struct bpmu_machine *machine, struct bpmu_tree *tree)
{
	const struct {
		enum bpmu_metric_constant constant;
		double number;
	} known[] = {
		{ BPMU_CONSTANT_THREADS, machine->threads },
		{ BPMU_CONSTANT_CORES, machine->cores },
		{ BPMU_CONSTANT_SOCKETS, machine->sockets },
		{ BPMU_CONSTANT_CHAS, machine->chas },
		{ BPMU_CONSTANT_IMCS, machine->imcs },
		{ BPMU_CONSTANT_TSC_HZ, machine->tsc_hz },
		{ BPMU_CONSTANT_JOULE, machine->joule },
		{ BPMU_CONSTANT_JOULE_DRAM, machine->joule_dram },
		{ BPMU_CONSTANT_JOULE_PSYS, machine->joule_psys },
		{ BPMU_CONSTANT_TJMAX, machine->tjmax },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (known[i].number > 0)
			bpmu_tree_set(tree, known[i].constant, known[i].number);
}
