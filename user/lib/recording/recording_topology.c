// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "recording.h"

/* picks the topology of a kind's CPUs; -1 for one that went offline meanwhile */
static int pick_topology(struct bpmu_recording_about *about,
			 const struct bpmu_topology *machine,
			 const struct bpmu_cpulist *online,
			 struct bpmu_error *err)
{
	static const struct bpmu_topology nowhere = { -1, -1, -1, -1, -1 };
	unsigned int i, k = 0;

	about->topology = calloc(about->cpus.nr, sizeof(*about->topology));
	if (!about->topology)
		return bpmu_error_no_memory(err, "topology");
	for (i = 0; i < about->cpus.nr; i++) {
		while (k < online->nr && online->cpu[k] < about->cpus.cpu[i])
			k++;
		about->topology[i] = k < online->nr &&
				  online->cpu[k] == about->cpus.cpu[i] ?
			machine[k] : nowhere;
	}
	return 0;
}

/**
 * bpmu_recording_find_topology() - read the topology of this machine's CPUs
 * @about: with its CPUs, of all kinds; gets their topology and those of all that
 *	are online
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_recording_find_topology(struct bpmu_recording_about *about,
				 struct bpmu_error *err)
{
	struct bpmu_cpulist online;
	unsigned int i;
	int code;

	code = bpmu_cpulist_select(NULL, &online, err);
	if (code)
		return code;
	about->machine_topology = calloc(online.nr, sizeof(*about->topology));
	about->machine_cpus = online.nr;
	if (about->machine_topology)
		bpmu_smt_find_all(&online, about->machine_topology);
	else
		code = bpmu_error_no_memory(err, "topology");
	for (i = 0; i <= about->others && !code; i++)
		code = pick_topology(&about[i], about->machine_topology, &online,
				     err);
	bpmu_cpulist_free(&online);
	return code;
}
