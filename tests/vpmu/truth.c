// SPDX-License-Identifier: GPL-2.0
/*
 * The virtual PMU's own totals, as JSON, written when QEMU exits. They come
 * from the quantities, not from the counters and selects that the guest set up.
 *
 *   {
 *   "part": "ivb",
 *   "totals": [
 *   {"cpu": 0, "illegal_writes": 0, "kernel": {...}, "user": {...}}
 *   ],
 *   "windows": [
 *   {"cpu": 1, "index": 0, "kernel": {...}, "user": {...}}
 *   ],
 *   "regions": [
 *   {"region": 7, "cpu": 0, "kernel": {...}, "user": {...}}
 *   ],
 *   "uncore": [...],       of parts with one: see truth_uncore.c
 *   "msrs": [
 *   {"cpu": 0, "select0": "0x0", ..., "global_ctrl": "0x0"}
 *   ]
 *   }
 *
 * One line an object. A window is the time in which at least one counter of a
 * CPU was enabled, short pauses included; a region is what the guest marked with the magic CPUID leaf,
 * on all CPUs. Each ring's object holds the quantities by name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth.h"
#include "vpmu.h"

static const char *const exact_names[VPMU_EXACT] = {
	"instructions", "br_conditional", "br_call", "br_return", "br_other",
	"br_far", "loads", "stores"
};

static const char *const plain_names[VPMU_PLAIN] = {
	"cycles", "recovery_cycles", "bad_slots", "backend_slots",
	"mispredicts", "stalls_total", "stalls_mem", "stalls_l1d", "stalls_l2",
	"stalls_sb", "rs_empty", "ms_uops", "l1d_hit", "l2_hit", "l3_hit",
	"l3_miss", "l1d_miss_store", "l1i_miss", "tlb_miss", "stalls_l3"
};

static const char *const per_cycle_names[VPMU_PER_CYCLE] = {
	"bubbles", "issued", "retired"
};

struct span {
	unsigned int cpu;
	unsigned int index;
	bool open;
	struct vpmu_snapshot from;
	struct vpmu_snapshot to;
};

static const char *file;
static struct span *windows;
static struct span *regions;
static unsigned int nr_windows;
static unsigned int nr_regions;
static unsigned int windows_of[VPMU_MAX_CPUS];
static int lock;

static void take_lock(void)
{
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
}

static void drop_lock(void)
{
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/**
 * vpmu_truth_open() - where to write the totals
 * @name: file
 */
void vpmu_truth_open(const char *name)
{
	file = strdup(name);
	windows = calloc(VPMU_MAX_WINDOWS, sizeof(*windows));
	regions = calloc(VPMU_MAX_REGIONS * VPMU_MAX_CPUS, sizeof(*regions));
	if (!file || !windows || !regions)
		abort();
}

static struct span *last_window(const struct vpmu_cpu *cpu)
{
	unsigned int i;

	for (i = nr_windows; i-- > 0; )
		if (windows[i].cpu == cpu->index)
			return &windows[i];
	return NULL;
}

static uint64_t instructions(const struct vpmu_snapshot *at)
{
	return at->exact[VPMU_INSTRUCTIONS][0] + at->exact[VPMU_INSTRUCTIONS][1];
}

/* groups that take turns stop the counters for a moment: the window goes on */
static bool is_pause(struct vpmu_cpu *cpu, const struct span *span)
{
	struct vpmu_snapshot now;

	vpmu_snapshot(cpu, &now);
	return instructions(&now) - instructions(&span->to) < VPMU_PAUSE;
}

/**
 * vpmu_truth_window() - a CPU's counters begin or cease to count
 * @cpu: the calling vCPU
 * @begin: or end
 */
void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin)
{
	struct span *span;

	if (!file)
		return;
	take_lock();
	span = last_window(cpu);
	if (begin && span && is_pause(cpu, span)) {
		span->open = true;
	} else if (begin && nr_windows < VPMU_MAX_WINDOWS) {
		span = &windows[nr_windows++];
		span->cpu = cpu->index;
		span->index = windows_of[cpu->index]++;
		span->open = true;
		vpmu_snapshot(cpu, &span->from);
	} else if (!begin && span && span->open) {
		span->open = false;
		vpmu_snapshot(cpu, &span->to);
	}
	drop_lock();
}

static struct span *region_of(unsigned int number, unsigned int cpu)
{
	unsigned int i;

	for (i = 0; i < nr_regions; i++)
		if (regions[i].index == number && regions[i].cpu == cpu)
			return &regions[i];
	if (nr_regions == VPMU_MAX_REGIONS * VPMU_MAX_CPUS)
		return NULL;
	regions[nr_regions].index = number;
	regions[nr_regions].cpu = cpu;
	return &regions[nr_regions++];
}

/**
 * vpmu_truth_region() - the guest marks the begin or the end of a region
 * @number: the guest's name of it
 * @begin: or end
 *
 * All CPUs are noted; those that run meanwhile are noted approximately.
 */
void vpmu_truth_region(unsigned int number, bool begin)
{
	struct span *span;
	unsigned int cpu;

	if (!file)
		return;
	take_lock();
	for (cpu = 0; cpu < vpmu_nr_cpus(); cpu++) {
		span = region_of(number, cpu);
		if (!span)
			break;
		span->open = begin;
		vpmu_snapshot(vpmu_cpu(cpu), begin ? &span->from : &span->to);
	}
	drop_lock();
}

static uint64_t weighted(const uint64_t *cycles_with)
{
	uint64_t sum = 0;
	unsigned int k;

	for (k = 1; k <= VPMU_MAX_WIDTH; k++)
		sum += k * cycles_with[k];
	return sum;
}

static void write_ring(FILE *out, const struct vpmu_snapshot *from,
		       const struct vpmu_snapshot *to, unsigned int ring)
{
	const struct vpmu_ring_counts *a = &from->ring[ring];
	const struct vpmu_ring_counts *b = &to->ring[ring];
	unsigned int i;

	fprintf(out, "\"%s\": {", ring ? "user" : "kernel");
	for (i = 0; i < VPMU_EXACT; i++)
		fprintf(out, "%s\"%s\": %llu", i ? ", " : "", exact_names[i],
			(unsigned long long)(to->exact[i][ring] -
					     from->exact[i][ring]));
	for (i = 0; i < VPMU_PLAIN; i++)
		fprintf(out, ", \"%s\": %llu", plain_names[i],
			(unsigned long long)(b->plain[i] - a->plain[i]));
	for (i = 0; i < VPMU_PER_CYCLE; i++)
		fprintf(out, ", \"%s\": %llu", per_cycle_names[i],
			(unsigned long long)(weighted(b->cycles_with[i]) -
					     weighted(a->cycles_with[i])));
	for (i = 1; i <= vpmu_options.part->params.width; i++)
		fprintf(out, ", \"cycles_with_%u_bubbles\": %llu", i,
			(unsigned long long)(b->cycles_with[VPMU_BUBBLES][i] -
					     a->cycles_with[VPMU_BUBBLES][i]));
	fputs("}", out);
}

static void write_span(FILE *out, const struct vpmu_snapshot *from,
		       const struct vpmu_snapshot *to, bool last)
{
	write_ring(out, from, to, 0);
	fputs(", ", out);
	write_ring(out, from, to, 1);
	fputs(last ? "}\n" : "},\n", out);
}

static void write_totals(FILE *out)
{
	static const struct vpmu_snapshot zero;
	struct vpmu_snapshot now;
	unsigned int i;

	fputs("\"totals\": [\n", out);
	for (i = 0; i < vpmu_nr_cpus(); i++) {
		vpmu_snapshot(vpmu_cpu(i), &now);
		fprintf(out, "{\"cpu\": %u, \"illegal_writes\": %llu, ", i,
			(unsigned long long)vpmu_cpu(i)->illegal_writes);
		write_span(out, &zero, &now, i + 1 == vpmu_nr_cpus());
	}
	fputs("],\n", out);
}

static void write_spans(FILE *out, const char *name, const char *key,
			const struct span *spans, unsigned int nr)
{
	const char *comma = "";
	unsigned int i;

	fprintf(out, "\"%s\": [\n", name);
	for (i = 0; i < nr; i++) {
		if (spans[i].open)
			continue;
		fprintf(out, "%s{\"%s\": %u, \"cpu\": %u, ", comma, key,
			spans[i].index, spans[i].cpu);
		comma = ",";
		write_span(out, &spans[i].from, &spans[i].to, true);
	}
	fputs("],\n", out);
}

static void write_msrs(FILE *out)
{
	unsigned int i, k;

	fputs("\"msrs\": [\n", out);
	for (i = 0; i < vpmu_nr_cpus(); i++) {
		const struct vpmu_cpu *cpu = vpmu_cpu(i);

		fprintf(out, "{\"cpu\": %u", i);
		for (k = 0; k < vpmu_nr_gp(); k++)
			fprintf(out, ", \"select%u\": \"0x%llx\"", k,
				(unsigned long long)cpu->select[k]);
		fprintf(out, ", \"fixed_ctrl\": \"0x%llx\"",
			(unsigned long long)cpu->fixed_ctrl);
		fprintf(out, ", \"global_ctrl\": \"0x%llx\"}%s\n",
			(unsigned long long)cpu->global_ctrl,
			i + 1 == vpmu_nr_cpus() ? "" : ",");
	}
	fputs("]\n", out);
}

/**
 * vpmu_truth_write() - write the file, if one was asked for
 */
void vpmu_truth_write(void)
{
	FILE *out;

	if (!file)
		return;
	out = fopen(file, "w");
	if (!out) {
		perror(file);
		return;
	}
	fprintf(out, "{\n\"part\": \"%s\",\n", vpmu_options.part->name);
	write_totals(out);
	write_spans(out, "windows", "index", windows, nr_windows);
	write_spans(out, "regions", "region", regions, nr_regions);
	vpmu_truth_uncore_write(out);
	write_msrs(out);
	fputs("}\n", out);
	if (fclose(out))
		perror(file);
}
