// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "recording.h"

/* of those of a kind that are measured; one that went offline meanwhile is nowhere */
static int pick_places(struct bpmu_recording_about *about,
		       const struct bpmu_smt_place *machine,
		       const struct bpmu_cpulist *online,
		       struct bpmu_error *err)
{
	unsigned int i, k = 0;

	about->place = calloc(about->cpus.nr, sizeof(*about->place));
	if (!about->place)
		return bpmu_error_no_memory(err, "topology");
	for (i = 0; i < about->cpus.nr; i++) {
		while (k < online->nr && online->cpu[k] < about->cpus.cpu[i])
			k++;
		about->place[i] = k < online->nr &&
				  online->cpu[k] == about->cpus.cpu[i] ?
			machine[k] : (struct bpmu_smt_place){ -1, -1 };
	}
	return 0;
}

/**
 * bpmu_recording_find_places() - where this machine's CPUs are
 * @about: with its CPUs, of both kinds; gets their places and those of all that
 *	are online
 * @err: set on failure
 *
 * Return: 0 or a negative errno.
 */
int bpmu_recording_find_places(struct bpmu_recording_about *about,
			       struct bpmu_error *err)
{
	struct bpmu_cpulist online;
	int code;

	code = bpmu_cpulist_select(NULL, &online, err);
	if (code)
		return code;
	about->machine_place = calloc(online.nr, sizeof(*about->place));
	about->machine_cpus = online.nr;
	if (about->machine_place) {
		bpmu_smt_find_all(&online, about->machine_place);
		code = pick_places(about, about->machine_place, &online, err);
	} else {
		code = bpmu_error_no_memory(err, "topology");
	}
	if (!code && about->other)
		code = pick_places(about->other, about->machine_place, &online,
				   err);
	bpmu_cpulist_free(&online);
	return code;
}
