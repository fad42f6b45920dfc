// SPDX-License-Identifier: GPL-2.0
/*
 * The truth file. It has reference totals as JSON, with which tests compare the guest's counts, and
 * is written when QEMU exits. The totals are numbers of instructions, cycles and so on of the
 * simulated cores. They do not depend on the counters that the guest has programmed.
 *
 *   {
 *   "part": "ivb",
 *   "totals": [
 *   {"cpu": 0, "illegal_writes": 0, "absent": 0, "kernel": {...}, "user": {...}}
 *   ],
 *   "windows": [
 *   {"index": 0, "cpu": 1, "msr_reads": 9, "msr_writes": 8, "kernel": {...}, "user": {...}}
 *   ],
 *   "regions": [
 *   {"region": 7, "cpu": 0, "msr_reads": 9, "msr_writes": 8, "kernel": {...}, "user": {...}}
 *   ],
 *   "interrupts": [
 *   {"cpu": 0, "counters": "0x1", "late": 2, "delivered": 1, "pc": "0x401000"}
 *   ],
 *   "records": [
 *   {"cpu": 0, "counter": 0, "pc": "0x401000"}
 *   ],
 *   "ops": [
 *   {"cpu": 0, "pc": "0x401000", "data": "0x0", "data2": "0x0", "data3": "0x0", "address": "0x0"}
 *   ],
 *   "instructions": [
 *   {"region": 7, "pc": "0x401000", "instructions": 9, "branches": 1, ...}
 *   ],
 *   "uncore": [...],       if the CPU model has an uncore: see package.c
 *   "msrs": [
 *   {"cpu": 0, "select0": "0x0", ..., "global_ctrl": "0x0"}
 *   ]
 *   }
 *
 * Each object of an array has a line of its own. Totals start when a counter first needs them.
 * Totals that a simulated core counts increase only while the core is simulated. A window is the
 * time in which at least one counter of a CPU is enabled; it includes pauses of up to VPMU_PAUSE
 * instructions. A region is the time between two marks that the guest sets by the CPUID leaf of
 * special.c. A region has totals of all CPUs. Cores are simulated in windows and regions, except
 * with "model=counters". "msr_reads" and "msr_writes" are the numbers of RDMSR and WRMSR of
 * registers of the PMU and of boxes.
 *
 * An interrupt has the set of counters that have overflowed, with the bits of
 * IA32_PERF_GLOBAL_STATUS, and the address "pc" of the instruction that follows the interrupt. "pc"
 * is 0 if an access to a register found the overflow. "late" is the number of events counted
 * between the overflow and the interrupt; of several counters, the largest number. A record is a
 * precise record (PEBS) of an event. "counter" is the counter of the event, 32 + i for fixed
 * counter i, and "pc" the address of the instruction that caused the event. An op is a sample of
 * IBS: the address of the tagged op, and the values of IBS_OP_DATA, IBS_OP_DATA2, IBS_OP_DATA3 and
 * IBS_DC_LINADDR. "instructions" is the profile, see profile.c. The objects "kernel" and "user" have
 * the totals by name.
 */
#include "truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "box/package.h"
#include "event/snapshot.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "profile.h"

#define MAX_REGIONS 512

static const char *const exact_names[VPMU_EXACT] = {
	"instructions", "br_conditional", "br_call", "br_return", "br_other",
	"br_far", "loads", "stores", "atomics"
};

/* names that quantities of the simulated core have in the truth file, [&enum vcore_plain] */
static const char *const plain_names[] = {
	"cycles", "icache_misses", "icache_stall", "itlb_stlb_hit",
	"itlb_walks", "itlb_walk_cycles", "idq_empty", "dsb_uops",
	"mite_uops", "ms_uops", "ms_switches", "ms_cycles_any",
	"ms_cycles_4", "dsb_cycles_any",
	"dsb_cycles_4", "mite_cycles_any", "mite_cycles_4",
	"dsb_switch_cycles", "lcp_stalls", "baclears", "mispredicts",
	"mispredicts_conditional", "mispredicts_near_taken", "near_taken",
	"recovery_cycles", "wrong_slots", "recovery_slots", "clears",
	"clears_ordering", "clears_code", "assists", "backend_slots", "contended_slots", "stall_any",
	"stall_rs", "stall_rob", "stall_sb", "stall_lb", "rs_empty", "no_execute",
	"no_execute_load", "no_execute_l1", "no_execute_l2", "no_execute_l3",
	"few_execute_stores", "cycles_load", "cycles_l1", "cycles_l2",
	"cycles_l3", "divider_active", "divides", "no_retire_waits",
	"no_retire_load", "retired_ms_slots",
	"retired_uops", "load_uops", "store_uops", "lock_loads", "split_loads",
	"split_stores", "stlb_miss_loads", "stlb_miss_stores", "l1_hit",
	"lfb_hit", "l2_hit", "l3_hit", "l3_hit_xsnp_hitm", "l3_hit_xsnp_hit",
	"l3_miss", "slow_loads", "blocked_forward", "alias_4k", "l1_replaced", "l1_pending",
	"fills_full", "dtlb_load_stlb_hit", "dtlb_load_walks",
	"dtlb_load_walk_cycles", "dtlb_store_stlb_hit", "dtlb_store_walks",
	"dtlb_store_walk_cycles", "l2_demand_reads", "l2_demand_read_hits",
	"l2_rfos", "l2_rfo_hits", "l2_code_reads", "l2_code_hits",
	"l2_prefetches", "l2_prefetch_hits", "l2_lines_in", "l3_references",
	"l3_misses", "offcore_read_cycles", "offcore_read_4_cycles", "offcore_read_6_cycles",
	"core_cycles", "exec_stage_cycles", "data_read", "data_write",
	"data_read_miss", "data_write_miss", "l1_hit_inflight", "page_walk", "long_page_walk",
	"vpu_instructions", "vpu_elements", "l2_read_cache_fill",
	"l2_write_cache_fill", "l2_read_mem_fill", "l2_write_mem_fill",
	"l2_victim", "snp_hitm", "hwp_l2miss"
};

_Static_assert(sizeof(plain_names) / sizeof(*plain_names) == VCORE_PLAIN, "a name for each");

static const char *const per_cycle_names[VCORE_PER_CYCLE] = {
	"bubbles", "unsupplied", "issued", "retired", "executed"
};

static const char *const stage_names[VCORE_STAGES] = {
	"dispatch", "issue", "commit"
};

static const char *const component_names[VCORE_COMPONENTS] = {
	"base", "icache", "bpred", "dcache", "alu_latency", "depend", "other"
};

struct span {
	unsigned int cpu;
	unsigned int index;
	bool open;
	struct vpmu_snapshot from;
	struct vpmu_snapshot to;
};

/*
 * A PMI, as the truth file lists it: the counters that have overflowed, and where the PMI occurred.
 */
struct interrupt {
	unsigned int cpu;
	uint64_t counters;
	uint64_t late;
	bool delivered;
	uint64_t pc;
};

/* A precise record (PEBS), as the truth file lists it: the counter and the instruction. */
struct record {
	unsigned int cpu;
	unsigned int counter;
	uint64_t pc;
};

/* A sample of IBS, as the truth file lists it. */
struct op {
	unsigned int cpu;
	struct vpmu_ibs ibs;
};

static const char *file;
static struct interrupt *interrupts;
static size_t nr_interrupts;
static struct record *records;
static size_t nr_records;
static struct op *ops;
static size_t nr_ops;
static struct op *fetches;
static size_t nr_fetches;
static struct span *windows;
static struct span *regions;
static unsigned int nr_windows;
static unsigned int nr_regions;
static unsigned int windows_of[VPMU_MAX_CPUS];
static int lock;
/* Lock of the ops alone: the simulation of a core, which adds them, goes on while @lock is held. */
static int ops_lock;

static void take(int *of)
{
	while (__atomic_exchange_n(of, 1, __ATOMIC_ACQUIRE))
		;
}

static void drop(int *of)
{
	__atomic_store_n(of, 0, __ATOMIC_RELEASE);
}

static void take_lock(void)
{
	take(&lock);
}

static void drop_lock(void)
{
	drop(&lock);
}

/**
 * vpmu_truth_open() - begin to record totals for the truth file
 * @name: name of the file to which vpmu_truth_write() writes
 */
void vpmu_truth_open(const char *name)
{
	file = strdup(name);
	windows = calloc(VPMU_MAX_WINDOWS, sizeof(*windows));
	regions = calloc(MAX_REGIONS * VPMU_MAX_CPUS, sizeof(*regions));
	if (!file || !windows || !regions)
		abort();
}

/**
 * vpmu_truth_needs_model() - check if the truth file needs simulated cores even if no counter does
 *
 * Return: false if there is no truth file, or with the option model=counters.
 */
bool vpmu_truth_needs_model(void)
{
	return file && !vpmu_options.counters_model;
}

static struct span *last_window(const struct vpmu_cpu *cpu)
{
	unsigned int i;

	for (i = nr_windows; i-- > 0; )
		if (windows[i].cpu == cpu->index)
			return &windows[i];
	return NULL;
}

static uint64_t instructions_at(const struct vpmu_snapshot *at)
{
	return at->exact[VPMU_INSTRUCTIONS][0] + at->exact[VPMU_INSTRUCTIONS][1];
}

/*
 * A window is the time in which a vCPU counts. Checks if the latest window of a vCPU, @span, goes
 * on, instead of a new window. It goes on if the vCPU has executed few instructions since the
 * window ended: the counters have then been stopped only to multiplex events.
 */
static bool window_paused(struct vpmu_cpu *cpu, const struct span *span)
{
	struct vpmu_snapshot now;

	vpmu_snapshot(cpu, &now);
	return instructions_at(&now) - instructions_at(&span->to) < VPMU_PAUSE;
}

/**
 * vpmu_truth_window() - begin or end a window of the truth file: a vCPU starts or stops counting
 * @cpu: the calling vCPU
 * @begin: true to begin the window, false to end it
 */
void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin)
{
	struct span *span;

	if (!file)
		return;
	take_lock();
	span = last_window(cpu);
	if (begin && span && window_paused(cpu, span)) {
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
	if (nr_regions == MAX_REGIONS * VPMU_MAX_CPUS)
		return NULL;
	regions[nr_regions].index = number;
	regions[nr_regions].cpu = cpu;
	return &regions[nr_regions++];
}

/*
 * Starts the simulation of all vCPUs' cores if a region of the truth file is open; otherwise stops
 * it.
 */
static void truth_models(void)
{
	bool open = false;
	unsigned int i;

	for (i = 0; i < nr_regions; i++)
		open |= regions[i].open;
	for (i = 0; i < vpmu_nr_cpus(); i++)
		if (open && (vpmu_truth_needs_model() || vpmu_profile_is_open()))
			vpmu_model_wanted(vpmu_cpu(i), VPMU_FOR_REGION);
		else
			vpmu_model_unwanted(vpmu_cpu(i), VPMU_FOR_REGION);
}

/**
 * vpmu_truth_region() - begin or end a region in the truth file
 * @cpu: the calling vCPU
 * @number: number of the region, chosen by the guest
 * @begin: true to begin the region, false to end it
 *
 * Records totals of all CPUs. Totals of a CPU other than @cpu are approximate if this CPU is
 * running.
 */
void vpmu_truth_region(struct vpmu_cpu *cpu, unsigned int number, bool begin)
{
	struct span *span;
	unsigned int i;

	if (!file)
		return;
	vpmu_exact_wanted();
	take_lock();
	vcore_settle(cpu->core);
	for (i = 0; i < vpmu_nr_cpus(); i++) {
		span = region_of(number, i);
		if (!span)
			break;
		span->open = begin;
		vpmu_peek(vpmu_cpu(i), begin ? &span->from : &span->to);
	}
	vpmu_profile_region(number, begin);
	truth_models();
	drop_lock();
}

/*
 * Makes room for one more element in @array, which has @nr elements of @size bytes. Returns the
 * array, which may have moved. Never returns NULL: the program aborts if there is no memory.
 */
static void *grown(void *array, size_t nr, size_t size)
{
	if (!(nr & (nr + 1)))
		array = realloc(array, 2 * (nr + 1) * size);
	if (!array)
		abort();
	return array;
}

/**
 * vpmu_truth_interrupt() - add an interrupt by overflowed counters (PMI) to the truth file
 * @cpu: the calling vCPU; &vpmu_cpu.pmi has the counters
 * @delivered: the local APIC has passed the interrupt on to the CPU
 */
void vpmu_truth_interrupt(const struct vpmu_cpu *cpu, bool delivered)
{
	if (!file)
		return;
	take_lock();
	interrupts = grown(interrupts, nr_interrupts, sizeof(*interrupts));
	interrupts[nr_interrupts++] = (struct interrupt){
		.cpu = cpu->index, .counters = cpu->pmi.due, .late = cpu->pmi.late,
		.delivered = delivered
	};
	drop_lock();
}

/**
 * vpmu_truth_interrupted_at() - add the address of a vCPU's latest interrupt to the truth file
 * @cpu: the calling vCPU
 * @pc: address of the instruction that follows the interrupt
 */
void vpmu_truth_interrupted_at(const struct vpmu_cpu *cpu, uint64_t pc)
{
	size_t i;

	take_lock();
	for (i = nr_interrupts; i-- > 0; )
		if (interrupts[i].cpu == cpu->index) {
			interrupts[i].pc = pc;
			break;
		}
	drop_lock();
}

/**
 * vpmu_truth_record() - add a precise record (PEBS) of an event to the truth file
 * @cpu: the calling vCPU
 * @number: number of the counter
 * @pc: address of the instruction that caused the event
 */
void vpmu_truth_record(const struct vpmu_cpu *cpu, unsigned int number, uint64_t pc)
{
	if (!file)
		return;
	take_lock();
	records = grown(records, nr_records, sizeof(*records));
	records[nr_records++] = (struct record){
		.cpu = cpu->index, .counter = number, .pc = pc
	};
	drop_lock();
}

/**
 * vpmu_truth_op() - add a sample of an op by instruction-based sampling (IBS) to the truth file
 * @cpu: the calling vCPU
 * @ibs: the registers of IBS
 */
void vpmu_truth_op(const struct vpmu_cpu *cpu, const struct vpmu_ibs *ibs)
{
	if (!file)
		return;
	take(&ops_lock);
	ops = grown(ops, nr_ops, sizeof(*ops));
	ops[nr_ops++] = (struct op){ .cpu = cpu->index, .ibs = *ibs };
	drop(&ops_lock);
}

/**
 * vpmu_truth_fetch() - add a sample of a fetch by instruction-based sampling (IBS) to the truth file
 * @cpu: the calling vCPU
 * @ibs: the registers of IBS
 */
void vpmu_truth_fetch(const struct vpmu_cpu *cpu, const struct vpmu_ibs *ibs)
{
	if (!file)
		return;
	take(&ops_lock);
	fetches = grown(fetches, nr_fetches, sizeof(*fetches));
	fetches[nr_fetches++] = (struct op){ .cpu = cpu->index, .ibs = *ibs };
	drop(&ops_lock);
}

/* An index in &vpmu_ibs.reg of a register that the truth file has, and its name there */
struct named {
	const char *name;
	unsigned int reg;
};

static const struct named op_regs[] = {
	{ "pc", 4 }, { "data", 5 }, { "data2", 6 }, { "data3", 7 }, { "address", 8 }, { NULL },
};

static const struct named fetch_regs[] = { { "ctl", 0 }, { "pc", 1 }, { "refill", 12 }, { NULL } };

static void write_samples(FILE *out, const char *name, const struct op *samples, size_t nr,
			  const struct named *regs)
{
	const struct named *reg;
	size_t i;

	fprintf(out, "\"%s\": [\n", name);
	for (i = 0; i < nr; i++) {
		fprintf(out, "{\"cpu\": %u", samples[i].cpu);
		for (reg = regs; reg->name; reg++)
			fprintf(out, ", \"%s\": \"0x%llx\"", reg->name,
				(unsigned long long)samples[i].ibs.reg[reg->reg]);
		fprintf(out, "}%s\n", i + 1 < nr ? "," : "");
	}
	fputs("],\n", out);
}

static void write_records(FILE *out)
{
	size_t i;

	fputs("\"records\": [\n", out);
	for (i = 0; i < nr_records; i++)
		fprintf(out, "{\"cpu\": %u, \"counter\": %u, \"pc\": \"0x%llx\"}%s\n",
			records[i].cpu, records[i].counter, (unsigned long long)records[i].pc,
			i + 1 < nr_records ? "," : "");
	fputs("],\n", out);
}

static void write_interrupts(FILE *out)
{
	size_t i;

	fputs("\"interrupts\": [\n", out);
	for (i = 0; i < nr_interrupts; i++)
		fprintf(out, "{\"cpu\": %u, \"counters\": \"0x%llx\", \"late\": %llu, "
			"\"delivered\": %u, \"pc\": \"0x%llx\"}%s\n", interrupts[i].cpu,
			(unsigned long long)interrupts[i].counters,
			(unsigned long long)interrupts[i].late, interrupts[i].delivered,
			(unsigned long long)interrupts[i].pc, i + 1 < nr_interrupts ? "," : "");
	fputs("],\n", out);
}

static uint64_t in_all(const struct vcore_counts *counts, unsigned int i)
{
	return vcore_sum(counts->cycles_with[i], VCORE_MAX_WIDTH);
}

static void write_stacks(FILE *out, const struct vcore_counts *a,
			 const struct vcore_counts *b)
{
	unsigned int stage, i;

	for (stage = 0; stage < VCORE_STAGES; stage++)
		for (i = 0; i < VCORE_COMPONENTS; i++)
			fprintf(out, ", \"%s_%s\": %llu", stage_names[stage],
				component_names[i],
				(unsigned long long)
				(vcore_component(b, stage, i) -
				 vcore_component(a, stage, i)));
}

static void write_counts(FILE *out, const struct vcore_counts *a,
			 const struct vcore_counts *b)
{
	unsigned int i;

	for (i = 0; i < VCORE_PLAIN; i++)
		fprintf(out, ", \"%s\": %llu", plain_names[i],
			(unsigned long long)(b->plain[i] - a->plain[i]));
	for (i = 0; i < VCORE_PER_CYCLE; i++)
		fprintf(out, ", \"%s\": %llu", per_cycle_names[i],
			(unsigned long long)(in_all(b, i) - in_all(a, i)));
	for (i = 1; i <= vpmu_options.part->core->back.width; i++)
		fprintf(out, ", \"cycles_with_%u_bubbles\": %llu, \"cycles_with_%u_unsupplied\": %llu",
			i, (unsigned long long)(b->cycles_with[VCORE_BUBBLES][i] -
						a->cycles_with[VCORE_BUBBLES][i]),
			i, (unsigned long long)(b->cycles_with[VCORE_UNSUPPLIED][i] -
						a->cycles_with[VCORE_UNSUPPLIED][i]));
	write_stacks(out, a, b);
}

static void write_priv(FILE *out, const struct vpmu_snapshot *from,
		       const struct vpmu_snapshot *to, unsigned int priv)
{
	unsigned int i;

	fprintf(out, "\"%s\": {", priv ? "user" : "kernel");
	for (i = 0; i < VPMU_EXACT; i++)
		fprintf(out, "%s\"%s\": %llu", i ? ", " : "", exact_names[i],
			(unsigned long long)(to->exact[i][priv] -
					     from->exact[i][priv]));
	write_counts(out, &from->priv[priv], &to->priv[priv]);
	fputs("}", out);
}

static void write_span(FILE *out, const struct vpmu_snapshot *from,
		       const struct vpmu_snapshot *to, bool last)
{
	write_priv(out, from, to, 0);
	fputs(", ", out);
	write_priv(out, from, to, 1);
	fputs(last ? "}\n" : "},\n", out);
}

static void write_totals(FILE *out)
{
	static const struct vpmu_snapshot zero;
	struct vpmu_snapshot now;
	unsigned int i;

	fputs("\"totals\": [\n", out);
	for (i = 0; i < vpmu_nr_cpus(); i++) {
		vpmu_peek(vpmu_cpu(i), &now);
		fprintf(out,
			"{\"cpu\": %u, \"illegal_writes\": %llu, \"absent\": %llu, ",
			i, (unsigned long long)vpmu_cpu(i)->illegal_writes,
			(unsigned long long)vpmu_cpu(i)->absent);
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
		fprintf(out, "%s{\"%s\": %u, \"cpu\": %u, \"msr_reads\": %llu, "
			"\"msr_writes\": %llu, ", comma, key, spans[i].index, spans[i].cpu,
			(unsigned long long)(spans[i].to.msr_reads - spans[i].from.msr_reads),
			(unsigned long long)(spans[i].to.msr_writes - spans[i].from.msr_writes));
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
		for (k = 0; k < vpmu_nr_gp(cpu->part); k++)
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
 * vpmu_truth_write() - write the truth file, if vpmu_truth_open() was called
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
	write_interrupts(out);
	write_records(out);
	write_samples(out, "ops", ops, nr_ops, op_regs);
	write_samples(out, "fetches", fetches, nr_fetches, fetch_regs);
	vpmu_profile_write(out);
	vpmu_package_write(out);
	write_msrs(out);
	fputs("}\n", out);
	if (fclose(out))
		perror(file);
}
