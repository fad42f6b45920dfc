// SPDX-License-Identifier: GPL-2.0
#include "report_header.h"

#include <stdlib.h>

#include "base/print.h"

static void header_command(FILE *out, const char *what, char **word)
{
	if (!word)
		return;
	fprintf(out, "%-10s ", what);
	bpmu_print_command(out, word);
	fputc('\n', out);
}

static void header_group(FILE *out, const struct bpmu_sched *sched, unsigned int g)
{
	const struct bpmu_bank_facts *bank = &bpmu_bank_facts[sched->bank];
	unsigned int i;

	fprintf(out, "group %-4u ", g);
	for (i = 0; i < sched->nr; i++) {
		fprintf(out, "%s%s", i ? "," : "", sched->slot[i].text);
		if (sched->slot[i].period)
			fprintf(out, " (interrupts every %u)", sched->slot[i].period);
		if (sched->slot[i].frequency)
			fprintf(out, " (interrupts %u times a second)", sched->slot[i].frequency);
	}
	if (sched->bank != BPMU_BANK_CORE)
		fprintf(out, " (%s of each %s)", bank->title, bpmu_domain_name(bank->domain));
	fputc('\n', out);
}

static void header_part(FILE *out, const struct bpmu_recording_about *about)
{
	fprintf(out, "part       %s, %s\n", about->info.part,
		about->info.title);
}

static void header_cpus(FILE *out, const struct bpmu_recording_about *about)
{
	char *text = bpmu_cpulist_format(&about->cpus);

	fprintf(out, "cpus       %s of %u, %s\n", text ?: "?",
		about->machine_cpus,
		about->smt ? "several threads per core" : "one thread per core");
	free(text);
}

static void header_groups(FILE *out, const struct bpmu_recording_about *about)
{
	unsigned int g;

	for (g = 0; g < about->groups.nr; g++)
		header_group(out, &about->groups.group[g].sched, g);
}

/**
 * bpmu_report_header() - print the header of a recording: host, CPU model, time, options, ...
 * @file: open recording
 */
void bpmu_report_header(FILE *out, const struct bpmu_recording_file *file)
{
	const struct bpmu_recording_about *about = bpmu_recording_about(file);
	unsigned int i;

	fprintf(out, "host       %s\n", about->host);
	header_part(out, about);
	header_cpus(out, about);
	fprintf(out, "interval   %.6g ms\nsample     every %.6g ms\n",
		about->interval_ns / 1e6, about->period_ns / 1e6);
	if (about->ceilings.bytes)
		fprintf(out, "ceilings   %.6g GB/s, %.6g GFLOP/s, %.6g Guop/s\n",
			about->ceilings.bytes / 1e9, about->ceilings.flops / 1e9,
			about->ceilings.uops / 1e9);
	if (about->tree)
		fprintf(out, "tree       %s\n", about->tree);
	header_command(out, "asked", about->asked);
	header_command(out, "command", about->command);
	header_groups(out, about);
	for (i = 1; i <= about->others; i++) {
		header_part(out, &about[i]);
		header_cpus(out, &about[i]);
		if (about[i].tree)
			fprintf(out, "tree       %s\n", about[i].tree);
		header_groups(out, &about[i]);
	}
}
