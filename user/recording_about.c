// SPDX-License-Identifier: GPL-2.0
/*
 * What a recording says of itself, as JSON: written.
 */
#include <jansson.h>
#include <stdio.h>

#include "recording.h"

/* JSON's integers may be signed and of fewer bits elsewhere */
static json_t *bits(u64 number)
{
	char text[24];

	snprintf(text, sizeof(text), "0x%llx", number);
	return json_string(text);
}

static json_t *words(char *const *word)
{
	json_t *list = json_array();

	for (; word && *word; word++)
		json_array_append_new(list,
			json_string(*word) ?: json_string("?"));
	return list;
}

static json_t *cpus_of(const struct bpmu_recording_about *about)
{
	json_t *list = json_array();
	unsigned int i;

	for (i = 0; i < about->cpus.nr; i++)
		json_array_append_new(list, json_pack("[iii]",
						      about->cpus.cpu[i],
						      about->place[i].package,
						      about->place[i].core));
	return list;
}

static json_t *machine_of(const struct bpmu_recording_about *about)
{
	json_t *list = json_array();
	unsigned int i;

	for (i = 0; i < about->machine_cpus; i++)
		json_array_append_new(list, json_pack("[ii]",
				about->machine_place[i].package,
				about->machine_place[i].core));
	return list;
}

static json_t *group_of(const struct bpmu_sched *sched)
{
	const struct bpmu_sched_slot *slot;
	json_t *events = json_array();
	unsigned int i;

	for (i = 0; i < sched->nr; i++) {
		slot = &sched->slot[i];
		json_array_append_new(events, json_pack(
			"{s:s,s:i,s:i,s:o,s:o,s:i,s:i,s:i}",
			"event", slot->text, "counter", slot->counter,
			"sibling", slot->sibling, "select", bits(slot->select),
			"counters", bits(slot->counters), "unit", slot->unit,
			"field", slot->field, "value", slot->value));
	}
	return json_pack("{s:b,s:i,s:o}", "uncore", sched->uncore, "values",
			 sched->values, "events", events);
}

static json_t *groups_of(const struct bpmu_groups *groups)
{
	json_t *list = json_array();
	unsigned int i;

	for (i = 0; i < groups->nr; i++)
		json_array_append_new(list, group_of(&groups->group[i].sched));
	return list;
}

static json_t *part_of(const struct bpmu_info *info)
{
	const struct bpmu_pmu *pmu = &info->pmu;

	return json_pack("{s:s,s:s,s:s,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i}",
			 "name", info->part, "title", info->title,
			 "module", info->module_version,
			 "family", info->family, "model", info->model,
			 "stepping", info->stepping,
			 "version", pmu->version,
			 "gp_counters", pmu->gp_counters,
			 "gp_width", pmu->gp_width,
			 "fixed_counters", pmu->fixed_counters,
			 "fixed_width", pmu->fixed_width,
			 "metrics", pmu->metrics,
			 "global", pmu->global, "cbos", pmu->cbos);
}

/**
 * bpmu_recording_about_text() - as it stands in the file
 * @about: complete
 *
 * Context: process.
 * Return: JSON, to be freed, or NULL without memory.
 */
char *bpmu_recording_about_text(const struct bpmu_recording_about *about)
{
	json_t *all;
	char *text;

	all = json_pack("{s:i,s:s,s:o,s:i,s:I,s:I,s:i,s:b,s:b,s:o,s:o,s:o,s:o,s:o}",
			"schema", 1, "host", about->host ?: "",
			"part", part_of(&about->info),
			"tsc_khz", about->info.tsc_khz,
			"interval_ns", (json_int_t)about->interval_ns,
			"period_ns", (json_int_t)about->period_ns,
			"timer", about->timer, "smt", about->smt,
			"arbiter_counts_occupancy_twice", about->arb_both,
			"cpus", cpus_of(about), "machine", machine_of(about),
			"groups", groups_of(&about->groups),
			"asked", words(about->asked),
			"command", words(about->command));
	text = all ? json_dumps(all, JSON_COMPACT) : NULL;
	json_decref(all);
	return text;
}
