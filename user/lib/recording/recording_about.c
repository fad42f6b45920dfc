// SPDX-License-Identifier: GPL-2.0
/*
 * Writes the description of a recording as JSON.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fields.h"
#include "base/plain.h"
#include "recording.h"

/* Replaces a text that is not UTF-8, which readers of JSON would refuse. */
static const char *readable(const char *word)
{
	return bpmu_utf8_is(word, strlen(word)) ? word : "?";
}

static void rec_about_put_words(struct bpmu_object *object, const char *name,
				char *const *word)
{
	struct bpmu_field element = { .form = BPMU_FIELD_TEXT };

	bpmu_object_open(object, name, '[');
	for (; word && *word; word++) {
		element.text = readable(*word);
		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

static void put_cpus(struct bpmu_object *object,
		     const struct bpmu_recording_about *about)
{
	unsigned int i;

	bpmu_object_open(object, "cpus", '[');
	for (i = 0; i < about->cpus.nr; i++) {
		const struct bpmu_field cpu[] = {
			{ .form = BPMU_FIELD_WHOLE, .whole = about->cpus.cpu[i] },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].package },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].core },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].die },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].cache },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->topology[i].node },
		};
		const struct bpmu_field element = {
			.form = BPMU_FIELD_LIST, .of = { cpu, ARRAY_SIZE(cpu) },
		};

		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

static void put_machine(struct bpmu_object *object,
			const struct bpmu_recording_about *about)
{
	unsigned int i;

	bpmu_object_open(object, "machine", '[');
	for (i = 0; i < about->machine_cpus; i++) {
		const struct bpmu_field cpu[] = {
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].package },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].core },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].die },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].cache },
			{ .form = BPMU_FIELD_FIXED,
			  .number = about->machine_topology[i].node },
		};
		const struct bpmu_field element = {
			.form = BPMU_FIELD_LIST, .of = { cpu, ARRAY_SIZE(cpu) },
		};

		bpmu_object_put(object, &element, 1);
	}
	bpmu_object_close(object, ']');
}

static void put_slot(struct bpmu_object *object,
		     const struct bpmu_sched_slot *slot)
{
	const struct bpmu_field members[] = {
		{ "event", slot->text, BPMU_FIELD_TEXT },
		{ "counter", .form = BPMU_FIELD_WHOLE, .whole = slot->counter },
		{ "sibling", .form = BPMU_FIELD_WHOLE, .whole = slot->sibling },
		{ "select", .form = BPMU_FIELD_HEX, .whole = slot->select },
		{ "filter", .form = BPMU_FIELD_HEX, .whole = slot->filter },
		{ "counters", .form = BPMU_FIELD_HEX, .whole = slot->counters },
		{ "unit", .form = BPMU_FIELD_WHOLE, .whole = slot->unit },
		{ "field", .form = BPMU_FIELD_WHOLE, .whole = slot->field },
		{ "value", .form = BPMU_FIELD_WHOLE, .whole = slot->value },
	};
	const struct bpmu_field element = {
		.form = BPMU_FIELD_OBJECT, .of = { members, ARRAY_SIZE(members) },
	};

	bpmu_object_put(object, &element, 1);
}

static void put_recorded_group(struct bpmu_object *object,
			       const struct bpmu_sched *sched)
{
	const struct bpmu_field members[] = {
		{ "uncore", .form = BPMU_FIELD_FLAG,
		  .whole = sched->side == BPMU_SIDE_UNCORE },
		{ "side", .form = BPMU_FIELD_WHOLE, .whole = sched->side },
		{ "values", .form = BPMU_FIELD_WHOLE, .whole = sched->values },
	};
	unsigned int i;

	bpmu_object_open(object, NULL, '{');
	bpmu_object_put(object, members, ARRAY_SIZE(members));
	bpmu_object_open(object, "events", '[');
	for (i = 0; i < sched->nr; i++)
		put_slot(object, &sched->slot[i]);
	bpmu_object_close(object, ']');
	bpmu_object_close(object, '}');
}

static void rec_about_put_groups(struct bpmu_object *object,
				 const struct bpmu_groups *groups)
{
	unsigned int g;

	bpmu_object_open(object, "groups", '[');
	for (g = 0; g < groups->nr; g++)
		put_recorded_group(object, &groups->group[g].sched);
	bpmu_object_close(object, ']');
}

static void rec_about_put_part(struct bpmu_object *object,
			       const struct bpmu_info *info)
{
	const struct bpmu_pmu *pmu = &info->pmu;
	const struct bpmu_field members[] = {
		{ "name", readable(info->part), BPMU_FIELD_TEXT },
		{ "title", readable(info->title), BPMU_FIELD_TEXT },
		{ "module", readable(info->module_version), BPMU_FIELD_TEXT },
		{ "family", .form = BPMU_FIELD_WHOLE, .whole = info->family },
		{ "model", .form = BPMU_FIELD_WHOLE, .whole = info->model },
		{ "stepping", .form = BPMU_FIELD_WHOLE,
		  .whole = info->stepping },
		{ "version", .form = BPMU_FIELD_WHOLE, .whole = pmu->version },
		{ "gp_counters", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->gp_counters },
		{ "gp_width", .form = BPMU_FIELD_WHOLE, .whole = pmu->gp_width },
		{ "fixed_counters", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->fixed_counters },
		{ "fixed_width", .form = BPMU_FIELD_WHOLE,
		  .whole = pmu->fixed_width },
		{ "metrics", .form = BPMU_FIELD_WHOLE, .whole = pmu->metrics },
		{ "global", .form = BPMU_FIELD_WHOLE, .whole = pmu->global },
		{ "cbos", .form = BPMU_FIELD_WHOLE, .whole = pmu->cbos },
		{ "free", .form = BPMU_FIELD_HEX, .whole = pmu->free },
		{ "units", .form = BPMU_FIELD_HEX, .whole = pmu->units },
		{ "tjmax", .form = BPMU_FIELD_WHOLE, .whole = pmu->tjmax },
		{ "l3", .form = BPMU_FIELD_WHOLE, .whole = pmu->l3 },
		{ "df", .form = BPMU_FIELD_WHOLE, .whole = pmu->df },
		{ "umcs", .form = BPMU_FIELD_WHOLE, .whole = pmu->umcs },
		{ "umc", .form = BPMU_FIELD_WHOLE, .whole = pmu->umc },
		{ "boxes", .form = BPMU_FIELD_HEX, .whole = pmu->boxes },
		{ "imcs", .form = BPMU_FIELD_WHOLE, .whole = pmu->imcs },
		{ "agents", .form = BPMU_FIELD_WHOLE, .whole = pmu->agents },
		{ "links", .form = BPMU_FIELD_WHOLE, .whole = pmu->links },
		{ "iios", .form = BPMU_FIELD_WHOLE, .whole = pmu->iios },
	};
	const struct bpmu_field part = {
		"part", .form = BPMU_FIELD_OBJECT,
		.of = { members, ARRAY_SIZE(members) },
	};

	bpmu_object_put(object, &part, 1);
}

/* puts the members in which a further kind differs from the first */
static void put_other(struct bpmu_object *object,
		      const struct bpmu_recording_about *other)
{
	bpmu_object_open(object, "other", '{');
	rec_about_put_part(object, &other->info);
	put_cpus(object, other);
	rec_about_put_groups(object, &other->groups);
	bpmu_object_close(object, '}');
}

static void put_all(FILE *out, const struct bpmu_recording_about *about)
{
	const struct bpmu_field host = {
		"host", readable(about->host ?: ""), BPMU_FIELD_TEXT,
	};
	const struct bpmu_field session[] = {
		{ "tsc_khz", .form = BPMU_FIELD_WHOLE,
		  .whole = about->info.tsc_khz },
		{ "interval_ns", .form = BPMU_FIELD_WHOLE,
		  .whole = about->interval_ns },
		{ "period_ns", .form = BPMU_FIELD_WHOLE,
		  .whole = about->period_ns },
		{ "timer", .form = BPMU_FIELD_WHOLE, .whole = about->timer },
		{ "smt", .form = BPMU_FIELD_FLAG, .whole = about->smt },
		{ "arbiter_counts_occupancy_twice", .form = BPMU_FIELD_FLAG,
		  .whole = about->arb_both },
	};
	const struct bpmu_field ceiling[] = {
		{ "bytes", .form = BPMU_FIELD_WHOLE,
		  .whole = about->ceilings.bytes },
		{ "flops", .form = BPMU_FIELD_WHOLE,
		  .whole = about->ceilings.flops },
		{ "uops", .form = BPMU_FIELD_WHOLE,
		  .whole = about->ceilings.uops },
	};
	const struct bpmu_field ceilings = {
		"ceilings", .form = BPMU_FIELD_OBJECT,
		.of = { ceiling, ARRAY_SIZE(ceiling) },
		.absent = !about->ceilings.bytes,
	};
	const struct bpmu_field file[] = {
		{ "session", .form = BPMU_FIELD_HEX, .whole = about->session,
		  .absent = !about->session },
		{ "file", .form = BPMU_FIELD_WHOLE, .whole = about->file,
		  .absent = !about->session },
	};
	const struct bpmu_table table = { .out = out, .format = BPMU_JSON };
	struct bpmu_object object = bpmu_table_open(&table, &host, 1);
	unsigned int i;

	rec_about_put_part(&object, &about->info);
	bpmu_object_put(&object, session, ARRAY_SIZE(session));
	put_cpus(&object, about);
	put_machine(&object, about);
	rec_about_put_groups(&object, &about->groups);
	for (i = 1; i <= about->others; i++)
		put_other(&object, &about[i]);
	bpmu_object_put(&object, &ceilings, 1);
	bpmu_object_put(&object, file, ARRAY_SIZE(file));
	rec_about_put_words(&object, "asked", about->asked);
	rec_about_put_words(&object, "command", about->command);
	bpmu_object_close(&object, '}');
}

/**
 * bpmu_recording_about_text() - format the description of a recording
 * @about: complete description
 *
 * It is written member by member: a tree of JSON objects would take half of the time of
 * starting a recording.
 *
 * Return: JSON, to be freed, or NULL without memory.
 */
char *bpmu_recording_about_text(const struct bpmu_recording_about *about)
{
	char *text = NULL;
	size_t size;
	FILE *out;

	out = open_memstream(&text, &size);
	if (!out)
		return NULL;
	put_all(out, about);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}
