// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "recording.h"

/* of those that are measured; one that went offline meanwhile is nowhere */
static void pick_places(struct bpmu_recording_about *about,
			const struct bpmu_cpulist *online)
{
	unsigned int i, k = 0;

	for (i = 0; i < about->cpus.nr; i++) {
		while (k < online->nr && online->cpu[k] < about->cpus.cpu[i])
			k++;
		about->place[i] = k < online->nr &&
				  online->cpu[k] == about->cpus.cpu[i] ?
			about->machine_place[k] :
			(struct bpmu_smt_place){ -1, -1 };
	}
}

/**
 * bpmu_recording_find_places() - where this machine's CPUs are
 * @about: with its CPUs; gets their places and those of all that are online
 * @err: set on failure
 *
 * Context: process.
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
	about->place = calloc(about->cpus.nr, sizeof(*about->place));
	about->machine_place = calloc(online.nr, sizeof(*about->place));
	if (about->place && about->machine_place) {
		bpmu_smt_find_all(&online, about->machine_place);
		pick_places(about, &online);
	} else {
		code = bpmu_error_set(err, -ENOMEM,
				      "topology: no memory; free some");
	}
	about->machine_cpus = online.nr;
	bpmu_cpulist_free(&online);
	return code;
}
