// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "recording.h"

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
	unsigned int i;
	int code;

	code = bpmu_cpulist_select(NULL, &online, err);
	if (code)
		return code;
	about->place = calloc(about->cpus.nr, sizeof(*about->place));
	about->machine_place = calloc(online.nr, sizeof(*about->place));
	if (!about->place || !about->machine_place)
		code = bpmu_error_set(err, -ENOMEM,
				      "topology: no memory; free some");
	for (i = 0; i < about->cpus.nr && !code; i++)
		bpmu_smt_find(about->cpus.cpu[i], &about->place[i]);
	for (i = 0; i < online.nr && !code; i++)
		bpmu_smt_find(online.cpu[i], &about->machine_place[i]);
	about->machine_cpus = online.nr;
	bpmu_cpulist_free(&online);
	return code;
}
