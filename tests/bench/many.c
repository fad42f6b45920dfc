// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: many CPUS SECONDS run|floor COMMAND [OPTION]...
 *
 * Runs COMMAND, which is "top" or "serve" of barepmu, for SECONDS. Instead of the module, this
 * program makes the samples, as many as the module would take on a machine with CPUS CPUs of Ivy
 * Bridge. With "run", the program gives the samples to the command, which evaluates them. With
 * "floor", the program makes the samples and drops them. Left out are the netlink messages that
 * transport samples, the samples of the uncore, and the HTTP server of "serve". The linker replaces
 * functions of the tool by the functions here whose names begin with __wrap_.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch.h"
#include "base/cpulist.h"
#include "command.h"
#include "source/analysis.h"
#include "source/series.h"

#define KHZ 1000000ULL

/* number of times in a second that samples are fetched: FETCH_MS_MAX in live.c is 500 */
#define FETCHES 2

static unsigned int nr_cpus;
static unsigned int seconds;
static bool adds;

int __wrap_bpmu_analysis_open(struct bpmu_analysis *analysis, const char *cpus,
			      struct bpmu_error *err);
int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
			 struct bpmu_error *err);
int __wrap_bpmu_arbiter_probe(const struct bpmu_target *target,
			      const struct bpmu_event_list *events, bool *both,
			      struct bpmu_error *err);
void __wrap_bpmu_http_renew(void *http);
void __wrap_bpmu_http_stop(void *http);

int __wrap_bpmu_analysis_open(struct bpmu_analysis *analysis, const char *cpus,
			      struct bpmu_error *err)
{
	/* CPUID leaf 0xA of Ivy Bridge without hyper-threading: 8 general counters, 3 fixed ones */
	const struct bpmu_cpuid cpuid = { .eax = 3 | 8 << 8 | 48 << 16, .edx = 3 | 48 << 5 };
	struct bpmu_target *target = &analysis->core[0].target;
	unsigned int i;

	(void)cpus;
	bpmu_pmu_init(&target->info.pmu, bpmu_part_by_name("ivb"), &cpuid, BPMU_CORE_ANY);
	target->info.tsc_khz = KHZ;
	strcpy(target->info.part, "ivb");
	strcpy(target->info.title, "a synthetic machine");
	target->cpus.nr = nr_cpus;
	target->cpus.cpu = calloc(nr_cpus, sizeof(u32));
	if (!target->cpus.cpu)
		return bpmu_error_no_memory(err, "many");
	for (i = 0; i < nr_cpus; i++)
		target->cpus.cpu[i] = i;
	target->cpus_text = bpmu_cpulist_format(&target->cpus);
	analysis->type[0] = &analysis->core[0];
	analysis->nr = 1;
	analysis->described = 1;
	return 0;
}

/**
 * struct source - what samples are made of, and where they go
 * @series: series of intervals, to which the samples are added
 * @groups: groups of events, which are multiplexed on the counters
 * @nr: number of groups on the counters of the core
 * @ticks: TSC ticks from one sample of a CPU to its next sample
 */
struct source {
	struct bpmu_series *series;
	const struct bpmu_groups *groups;
	unsigned int nr;
	u64 ticks;
};

/* maximum number of samples that are added together, as many as a client reads together */
#define SAMPLES 32

/**
 * struct samples - samples of one CPU, which are added to the series together
 * @taken: the samples, [@nr]; they point to @head and @values
 * @head: times and numbers of the samples
 * @values: counter values of the samples
 * @nr: number of samples
 */
struct samples {
	struct bpmu_taken_sample taken[SAMPLES];
	struct bpmu_sample head[SAMPLES];
	u64 values[SAMPLES][BPMU_MAX_COUNTERS];
	unsigned int nr;
};

static void add_samples(const struct source *source, struct samples *samples)
{
	if (adds && samples->nr)
		bpmu_series_add(source->series, samples->taken, samples->nr);
	samples->nr = 0;
}

/*
 * Makes sample number @slice of a CPU. Since the sample before it, group @group of events was on
 * the counters. From one sample of a group to the group's next sample, each count grows by 200,000,
 * plus or minus up to 65,535.
 */
static void make(const struct source *source, struct samples *samples, u32 cpu,
		 unsigned int group, u64 slice, u32 flags)
{
	const struct bpmu_group *of =
		&source->groups->group[bpmu_groups_first(source->groups, BPMU_BANK_CORE) + group];
	u64 *values, turn = (slice + source->nr - 1) / source->nr;
	unsigned int i;

	if (samples->nr == SAMPLES)
		add_samples(source, samples);
	values = samples->values[samples->nr];
	samples->head[samples->nr] = (struct bpmu_sample){
		.seq = slice, .cpu = cpu, .flags = flags, .group = group, .nr = of->sched.nr,
		.tsc_begin = (slice + 1) * source->ticks, .tsc_end = (slice + 1) * source->ticks,
		.enabled = slice * source->ticks, .running = turn * source->ticks,
	};
	for (i = 0; i < of->sched.nr; i++)
		values[i] = turn * 200000 + ((slice * 40503 + (cpu + i) * 977) & 0xffff);
	samples->taken[samples->nr].head = &samples->head[samples->nr];
	samples->taken[samples->nr++].values = values;
}

int __wrap_bpmu_live_run(const struct bpmu_measure *measure, int *exit_status,
			 struct bpmu_error *err)
{
	struct bpmu_measure m = *measure;
	struct source source = {
		.groups = m.groups[0], .nr = m.groups[0]->nr_of[BPMU_BANK_CORE],
	};
	static struct samples samples;
	u64 slice = 0, next;
	unsigned int fetch, g;
	u32 cpu;

	*exit_status = 0;
	m.period_ns = bpmu_measure_period_ns(&m);
	source.ticks = m.period_ns * KHZ / 1000000;
	source.series = bpmu_series_new(&m, bpmu_measure_batches(&m));
	if (!source.series)
		return bpmu_error_no_memory(err, "many");
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		for (g = 0; g < source.nr; g++)
			make(&source, &samples, cpu, g, 0, BPMU_SAMPLE_START);
		add_samples(&source, &samples);
	}
	for (fetch = 1; fetch <= seconds * FETCHES; fetch++) {
		next = fetch * (BPMU_NS_PER_S / FETCHES) / m.period_ns;
		for (cpu = 0; cpu < nr_cpus; cpu++) {
			for (u64 i = slice; i < next; i++)
				make(&source, &samples, cpu, i % source.nr, i + 1,
				     BPMU_SAMPLE_TIMER);
			add_samples(&source, &samples);
		}
		slice = next;
		bpmu_series_emit(source.series, 2 * seconds);
	}
	fprintf(stderr, "%u groups, %llu samples of each CPU, %u intervals\n", source.nr, slice,
		bpmu_series_index(source.series));
	bpmu_series_free(source.series);
	return 0;
}

int __wrap_bpmu_arbiter_probe(const struct bpmu_target *target,
			      const struct bpmu_event_list *events, bool *both,
			      struct bpmu_error *err)
{
	(void)target;
	(void)events;
	(void)err;
	*both = false;
	return 0;
}

void __wrap_bpmu_http_renew(void *http)
{
	(void)http;
}

void __wrap_bpmu_http_stop(void *http)
{
	(void)http;
}

int main(int argc, char **argv)
{
	struct bpmu_ctx ctx = { };

	if (argc < 5)
		return 2;
	nr_cpus = strtoul(argv[1], NULL, 10);
	seconds = strtoul(argv[2], NULL, 10);
	adds = !strcmp(argv[3], "run");
	if (!strcmp(argv[4], "serve"))
		return bpmu_cmd_serve(&ctx, argc - 4, argv + 4);
	return bpmu_cmd_top(&ctx, argc - 4, argv + 4);
}
