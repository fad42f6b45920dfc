// SPDX-License-Identifier: GPL-2.0
/*
 * What a recording says of itself, as JSON: written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/print.h"
#include "base/utf8.h"
#include "recording.h"

static void put_word(FILE *out, const char *word)
{
	bpmu_print_json(out, bpmu_utf8_is(word, strlen(word)) ? word : "?");
}

static void rec_about_put_words(FILE *out, const char *name, char *const *word)
{
	const char *comma = "";

	fprintf(out, ",\"%s\":[", name);
	for (; word && *word; word++, comma = ",") {
		fputs(comma, out);
		put_word(out, *word);
	}
	fputc(']', out);
}

static void put_cpus(FILE *out, const struct bpmu_recording_about *about)
{
	const struct bpmu_topology *topology;
	unsigned int i;

	fputs(",\"cpus\":[", out);
	for (i = 0; i < about->cpus.nr; i++) {
		topology = &about->topology[i];
		fprintf(out, "%s[%u,%d,%d]", i ? "," : "", about->cpus.cpu[i],
			topology->package, topology->core);
	}
	fputc(']', out);
}

static void put_machine(FILE *out, const struct bpmu_recording_about *about)
{
	const struct bpmu_topology *topology;
	unsigned int i;

	fputs(",\"machine\":[", out);
	for (i = 0; i < about->machine_cpus; i++) {
		topology = &about->machine_topology[i];
		fprintf(out, "%s[%d,%d]", i ? "," : "", topology->package,
			topology->core);
	}
	fputc(']', out);
}

/* 64 bits as text: JSON's integers may be signed and of fewer bits elsewhere */
static void put_slot(FILE *out, const struct bpmu_sched_slot *slot)
{
	fputs("{\"event\":", out);
	bpmu_print_json(out, slot->text);
	fprintf(out,
		",\"counter\":%u,\"sibling\":%u,\"select\":\"0x%llx\",\"counters\":\"0x%llx\",\"unit\":%u,\"field\":%u,\"value\":%u}",
		slot->counter, slot->sibling, slot->select, slot->counters,
		slot->unit, slot->field, slot->value);
}

static void rec_about_put_groups(FILE *out, const struct bpmu_groups *groups)
{
	const struct bpmu_sched *sched;
	unsigned int g, i;

	fputs(",\"groups\":[", out);
	for (g = 0; g < groups->nr; g++) {
		sched = &groups->group[g].sched;
		fprintf(out, "%s{\"uncore\":%s,\"side\":%d,\"values\":%u,\"events\":[",
			g ? "," : "",
			sched->side == BPMU_SIDE_UNCORE ? "true" : "false",
			sched->side, sched->values);
		for (i = 0; i < sched->nr; i++) {
			fputs(i ? "," : "", out);
			put_slot(out, &sched->slot[i]);
		}
		fputs("]}", out);
	}
	fputc(']', out);
}

static void rec_about_put_part(FILE *out, const struct bpmu_info *info)
{
	const struct bpmu_pmu *pmu = &info->pmu;

	fputs("\"part\":{\"name\":", out);
	put_word(out, info->part);
	fputs(",\"title\":", out);
	put_word(out, info->title);
	fputs(",\"module\":", out);
	put_word(out, info->module_version);
	fprintf(out, ",\"family\":%u,\"model\":%u,\"stepping\":%u",
		info->family, info->model, info->stepping);
	fprintf(out,
		",\"version\":%u,\"gp_counters\":%u,\"gp_width\":%u,\"fixed_counters\":%u,\"fixed_width\":%u,\"metrics\":%u,\"global\":%u,\"cbos\":%u,\"free\":\"0x%llx\",\"units\":\"0x%llx\",\"tjmax\":%u,\"l3\":%u,\"df\":%u,\"umcs\":%u,\"umc\":%u}",
		pmu->version, pmu->gp_counters, pmu->gp_width,
		pmu->fixed_counters, pmu->fixed_width, pmu->metrics,
		pmu->global, pmu->cbos, pmu->free, pmu->units, pmu->tjmax,
		pmu->l3, pmu->df, pmu->umcs, pmu->umc);
}

/* what differs from the first kind's */
static void put_other(FILE *out, const struct bpmu_recording_about *other)
{
	fputs(",\"other\":{", out);
	rec_about_put_part(out, &other->info);
	put_cpus(out, other);
	rec_about_put_groups(out, &other->groups);
	fputc('}', out);
}

static void put_all(FILE *out, const struct bpmu_recording_about *about)
{
	fputs("{\"schema\":1,\"host\":", out);
	put_word(out, about->host ?: "");
	fputc(',', out);
	rec_about_put_part(out, &about->info);
	fprintf(out,
		",\"tsc_khz\":%u,\"interval_ns\":%llu,\"period_ns\":%llu,\"timer\":%u,\"smt\":%s,\"arbiter_counts_occupancy_twice\":%s",
		about->info.tsc_khz, about->interval_ns, about->period_ns,
		about->timer, about->smt ? "true" : "false",
		about->arb_both ? "true" : "false");
	put_cpus(out, about);
	put_machine(out, about);
	rec_about_put_groups(out, &about->groups);
	if (about->other)
		put_other(out, about->other);
	if (about->session)
		fprintf(out, ",\"session\":\"0x%llx\",\"file\":%u",
			about->session, about->file);
	rec_about_put_words(out, "asked", about->asked);
	rec_about_put_words(out, "command", about->command);
	fputc('}', out);
}

/**
 * bpmu_recording_about_text() - as it stands in the file
 * @about: complete
 *
 * Written piece by piece: a tree of all of it would cost half of what starting
 * a recording does.
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
