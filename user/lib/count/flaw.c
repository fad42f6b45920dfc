// SPDX-License-Identifier: GPL-2.0
#include "flaw.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/fields.h"
#include "metric/value_flag.h"
#include "rival.h"

/**
 * struct flaw_type - how a type of flaw (a reason to distrust counts) is reported to the user
 * @flag: flag of samples that have the flaw
 * @value: flag of values that are computed from such samples
 * @name: name of the flaw in JSON and CSV
 * @who: first words of the sentence in text output, such as "another agent". If perf may be the
 *	cause, the names of the PMUs that perf's drivers have for the same counters follow
 * @what: next words, such as "wrote counter registers of"; the numbers of the CPUs follow
 * @then: last words: the consequence and the remedy
 */
struct flaw_type {
	u32 flag;
	unsigned int value;
	const char *name;
	const char *who;
	const char *what;
	const char *then;
};

static const struct flaw_type flaw_types[BPMU_NR_FLAWS] = {
	[BPMU_FLAW_DISTURBED] = {
		BPMU_SAMPLE_DISTURBED, BPMU_VALUE_DISTURBED, "disturbed",
		"another agent", "wrote counter registers of",
		"its counts are unreliable; stop what writes MSRs and measure again",
	},
	[BPMU_FLAW_FAILED] = {
		BPMU_SAMPLE_FAILED, BPMU_VALUE_FAILED, "failed",
		"could not be programmed", "after hotplug, resume or a device's removal:",
		"not measured from then on; \"barepmu check\" shows which counters, and the cause, while the session lasts",
	},
	[BPMU_FLAW_PREFETCH] = {
		BPMU_SAMPLE_PREFETCH, BPMU_VALUE_PREFETCH, "prefetchers",
		"not as", "--prefetchers asked on",
		"its counts are with prefetchers as they were; \"barepmu check\" shows the cause while the session lasts",
	},
};

/*
 * Bit in a set of flaws which tells that a sample of a counter bank (the counters of one kind, such
 * as those of the memory controllers) had a flaw. The lower bits of the set are flags of samples.
 */
#define BANK_BIT(bank) BPMU_BIT(16 + (bank))

/**
 * bpmu_flaw_flags() - flaws (reasons to distrust counts) that a sample reports
 *
 * Return: a set of flaws: the flags of the sample that are in %BPMU_FLAW_FLAGS. If the sample has
 * such a flag, and its counters are not those of the core, the set also has a bit for their bank
 * (the kind of the counters, &enum bpmu_bank_id). Sets of several samples can be joined by OR.
 */
u64 bpmu_flaw_flags(const struct bpmu_sample *sample)
{
	u32 flags = sample->flags & BPMU_FLAW_FLAGS;

	return flags && sample->bank != BPMU_BANK_CORE ? flags | BANK_BIT(sample->bank) : flags;
}

/**
 * bpmu_flaws_of() - flaws (reasons to distrust counts) of the samples of an interval, on any CPU
 * @interval: the interval
 * @nr_cpus: number of CPUs of the interval
 *
 * Return: set of flaws: the results of bpmu_flaw_flags() for all these samples, joined by OR.
 */
u64 bpmu_flaws_of(const struct bpmu_interval *interval, unsigned int nr_cpus)
{
	unsigned int pos;
	u64 flaws = 0;

	for (pos = 0; interval->flaws && pos < nr_cpus; pos++)
		flaws |= interval->flaws[pos];
	return flaws;
}

/**
 * bpmu_flaws_of_values() - flags that values get because of the flaws of their samples
 * @flaws: set of flaws (reasons to distrust counts): the results of bpmu_flaw_flags() for the
 *	samples, joined by OR
 *
 * Return: mask of &enum bpmu_value_flag.
 */
unsigned int bpmu_flaws_of_values(u64 flaws)
{
	unsigned int values = 0;
	unsigned int k;

	for (k = 0; k < BPMU_NR_FLAWS; k++)
		if (flaws & flaw_types[k].flag)
			values |= flaw_types[k].value;
	return values;
}

static void flaw_note(struct bpmu_flaw *flaw, u32 cpu, double begin, double end)
{
	u64 bit = 1ULL << cpu % 64;

	if (!flaw->nr || begin < flaw->begin)
		flaw->begin = begin;
	if (!flaw->nr || end > flaw->end)
		flaw->end = end;
	flaw->nr += !(flaw->cpu[cpu / 64] & bit);
	flaw->cpu[cpu / 64] |= bit;
}

/**
 * bpmu_flaws_note() - add the flaws of a CPU's samples to the flaws of a run
 * @flaws: flaws of the run: reasons to distrust its counts
 * @of: set of flaws of the CPU's samples, from bpmu_flaw_flags()
 * @cpu: number of the CPU
 * @begin: start of the time with the flaws, in seconds since the start of the run
 * @end: end of this time, in seconds since the start of the run
 */
void bpmu_flaws_note(struct bpmu_flaws *flaws, u64 of, u32 cpu, double begin,
		     double end)
{
	unsigned int k;

	if (cpu >= BPMU_CPULIST_MAX)
		return;
	for (k = 0; k < BPMU_NR_FLAWS; k++) {
		if (!(of & flaw_types[k].flag))
			continue;
		flaw_note(&flaws->of[k], cpu, begin, end);
		flaws->of[k].banks |= of / BANK_BIT(0);
		flaws->any = true;
	}
}

/**
 * bpmu_flaws_add() - add the flaws of an interval to those of a run
 * @flaws: flaws of the run (reasons to distrust its counts), to which those of the interval are
 *	added
 * @interval: the interval, which follows the interval of the previous call
 * @cpus: measured CPUs
 */
void bpmu_flaws_add(struct bpmu_flaws *flaws,
		    const struct bpmu_interval *interval,
		    const struct bpmu_cpulist *cpus)
{
	unsigned int pos;

	for (pos = 0; interval->flaws && pos < cpus->nr; pos++)
		bpmu_flaws_note(flaws, interval->flaws[pos], cpus->cpu[pos],
				interval->seconds - interval->duration,
				interval->seconds);
}

/**
 * bpmu_flaw_name() - name of a flaw (a reason to distrust counts) in JSON and CSV
 * @type: type of the flaw
 *
 * Return: the name.
 */
const char *bpmu_flaw_name(enum bpmu_flaw_type type)
{
	return flaw_types[type].name;
}

/**
 * bpmu_flaw_cpus() - list of the CPUs whose counts have a flaw (a reason to distrust them)
 * @flaw: a flaw of at least one CPU
 *
 * Return: text such as "0-3,8", which the caller frees; NULL if out of memory.
 */
char *bpmu_flaw_cpus(const struct bpmu_flaw *flaw)
{
	struct bpmu_cpulist list = { calloc(flaw->nr, sizeof(u32)), 0 };
	char *text;
	u32 cpu;

	for (cpu = 0; list.cpu && cpu < BPMU_CPULIST_MAX; cpu++)
		if (flaw->cpu[cpu / 64] >> cpu % 64 & 1)
			list.cpu[list.nr++] = cpu;
	text = list.cpu ? bpmu_cpulist_format(&list) : NULL;
	bpmu_cpulist_free(&list);
	return text;
}

/*
 * Sets @text to the names of the PMUs of perf whose drivers may have written the counter registers;
 * empty if the flaw is not that another agent wrote counter registers.
 */
static void rivals_of_flaw(enum bpmu_flaw_type type, const struct bpmu_flaw *flaw,
			   char text[BPMU_RIVAL_TEXT])
{
	bpmu_rivals_of(type == BPMU_FLAW_DISTURBED ? flaw->banks : 0, text);
}

/**
 * bpmu_flaws_text() - print the flaws as text, one line per type of flaw
 * @flaws: flaws of the run: reasons to distrust its counts
 * @before: text that is printed at the start of each line
 */
void bpmu_flaws_text(const struct bpmu_flaws *flaws, FILE *out,
		     const char *before)
{
	const struct bpmu_flaw *flaw;
	char perf[BPMU_RIVAL_TEXT];
	unsigned int k;
	char *cpus;

	for (k = 0; k < BPMU_NR_FLAWS; k++) {
		flaw = &flaws->of[k];
		if (!flaw->nr)
			continue;
		cpus = bpmu_flaw_cpus(flaw);
		rivals_of_flaw(k, flaw, perf);
		fprintf(out, "%s%s: %s%s%s%s %s CPU %s between %.6f and %.6f s: %s\n",
			before, flaw_types[k].name, flaw_types[k].who,
			*perf ? ", e.g. perf (" : "", perf, *perf ? ")," : "",
			flaw_types[k].what, cpus ?: "?", flaw->begin, flaw->end,
			flaw_types[k].then);
		free(cpus);
	}
}

static void put_flaw(struct bpmu_table *table, const char *name,
		     const struct bpmu_flaw *flaw, const char *cpus, const char *perf)
{
	const struct bpmu_field fields[] = {
		{ "flaw", name, BPMU_FIELD_TEXT },
		{ "cpus", cpus, BPMU_FIELD_TEXT },
		{ "begin", .form = BPMU_FIELD_FIXED, .number = flaw->begin,
		  .digits = 6 },
		{ "end", .form = BPMU_FIELD_FIXED, .number = flaw->end,
		  .digits = 6 },
		{ "perf", perf, BPMU_FIELD_TEXT, .absent = !*perf },
	};

	bpmu_table_row(table, fields, ARRAY_SIZE(fields));
}

/**
 * bpmu_flaws_json() - print the flaws as JSON, one line per type of flaw
 * @flaws: flaws of the run: reasons to distrust its counts
 */
void bpmu_flaws_json(const struct bpmu_flaws *flaws, FILE *out)
{
	struct bpmu_table table = {
		.out = out, .format = BPMU_JSON, .type = "flaw",
	};
	const struct bpmu_flaw *flaw;
	char perf[BPMU_RIVAL_TEXT];
	unsigned int k;
	char *cpus;

	for (k = 0; k < BPMU_NR_FLAWS; k++) {
		flaw = &flaws->of[k];
		if (!flaw->nr)
			continue;
		cpus = bpmu_flaw_cpus(flaw);
		rivals_of_flaw(k, flaw, perf);
		put_flaw(&table, flaw_types[k].name, flaw, cpus, perf);
		free(cpus);
	}
}
