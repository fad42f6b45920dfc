// SPDX-License-Identifier: GPL-2.0
/*
 * The profile: events of each instruction of a program, for each region of the truth file. Tests
 * compare with it what sampling says of functions and instructions.
 *
 * What an instruction does when it retires is its own: a branch, a mispredicted branch, slots, loads
 * that miss. All other events, such as cycles, belong to the oldest instruction that has not retired
 * when they are counted: an interrupt without any delay would name this instruction. Events of the
 * cycle in which instructions retire are counted at the end of this cycle.
 */
#include "profile.h"

#include <stdlib.h>
#include <string.h>

#include "machine/options.h"
#include "machine/topology.h"

#define RANGE (1u << 20)

/*
 * Quantities of an instruction. INSTRUCTIONS, BRANCHES and SLOTS are counted when it retires, the
 * others are what the simulated core has counted since the instruction before it retired.
 */
enum { INSTRUCTIONS, BRANCHES, SLOTS, CYCLES, MISPREDICTS, L3_MISSES, ISSUED, BUBBLES, QUANTITIES };

static const char *const names[QUANTITIES] = {
	"instructions", "branches", "slots", "cycles", "mispredicts", "l3_misses", "issued",
	"bubbles"
};

/* Events of the instruction at address @pc in a region, by all vCPUs. */
struct place {
	unsigned int region;
	uint64_t pc;
	uint64_t count[QUANTITIES];
};

static uint64_t first;
/* For each address of the range, 1 + the index of its place in the region that is open, or 0. */
static uint32_t *place_of;
static struct place *places;
static size_t nr_places;
/* index of the first place of the region that is open */
static size_t begun;
static unsigned int region;
static bool open;
/* counts of the vCPUs in user space when an instruction last retired, [VPMU_MAX_CPUS] */
static uint64_t (*before)[QUANTITIES];
static int lock;

/**
 * vpmu_profile_open() - record events of each instruction for the truth file
 * @base: address of the first instruction; those in the MiB from there on have a profile
 */
void vpmu_profile_open(uint64_t base)
{
	first = base;
	place_of = calloc(RANGE, sizeof(*place_of));
	before = calloc(VPMU_MAX_CPUS, sizeof(*before));
	if (!place_of || !before)
		abort();
}

/**
 * vpmu_profile_is_open() - check if a profile was asked for, by vpmu_profile_open()
 *
 * Regions then need simulated cores, whatever counters count.
 */
bool vpmu_profile_is_open(void)
{
	return place_of;
}

static struct place *place_at(uint64_t pc)
{
	uint32_t *index = &place_of[pc - first];

	if (*index)
		return &places[*index - 1];
	if (!(nr_places & (nr_places + 1)))
		places = realloc(places, 2 * (nr_places + 1) * sizeof(*places));
	if (!places)
		abort();
	places[nr_places] = (struct place){ .region = region, .pc = pc };
	*index = ++nr_places;
	return &places[*index - 1];
}

/* Sets what a vCPU has counted in user space; quantities before CYCLES are not set. */
static void count(const struct vpmu_cpu *cpu, uint64_t now[QUANTITIES])
{
	const struct vcore_counts *counts = &cpu->core->counts[1];

	now[CYCLES] = counts->plain[VCORE_CYCLES];
	now[MISPREDICTS] = counts->plain[VCORE_MISPREDICTS];
	now[L3_MISSES] = counts->plain[VCORE_L3_MISS];
	now[ISSUED] = vcore_sum(counts->cycles_with[VCORE_ISSUED], VCORE_MAX_WIDTH);
	now[BUBBLES] = vcore_sum(counts->cycles_with[VCORE_BUBBLES], VCORE_MAX_WIDTH);
}

/* Adds what an instruction in user space has done, from when the one before it retired. */
static void retired(void *data, const struct vcore_insn *insn, unsigned int slots)
{
	const struct vpmu_cpu *cpu = data;
	uint64_t now[QUANTITIES] = { 0 };
	struct place *place;
	unsigned int i;

	if (!insn->priv)
		return;
	count(cpu, now);
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	if (open && insn->pc - first < RANGE) {
		place = place_at(insn->pc);
		for (i = CYCLES; i < QUANTITIES; i++)
			place->count[i] += now[i] - before[cpu->index][i];
		place->count[INSTRUCTIONS]++;
		place->count[BRANCHES] += insn->branch != VCORE_NO_BRANCH;
		place->count[SLOTS] += slots;
	}
	memcpy(before[cpu->index], now, sizeof(now));
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/**
 * vpmu_profile_region() - begin or end a region in the profile
 * @number: number of the region; only one may be open
 * @begin: true to begin the region, false to end it
 *
 * All instructions that the calling vCPU executed before must have retired in its simulated core.
 */
void vpmu_profile_region(unsigned int number, bool begin)
{
	unsigned int i;

	if (!place_of)
		return;
	while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
		;
	for (i = 0; i < vpmu_nr_cpus(); i++) {
		vpmu_cpu(i)->core->retired_data = vpmu_cpu(i);
		vpmu_cpu(i)->core->retired = retired;
		count(vpmu_cpu(i), before[i]);
	}
	for (; begun < nr_places; begun++)
		place_of[places[begun].pc - first] = 0;
	region = number;
	open = begin;
	__atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

/**
 * vpmu_profile_write() - write the profile, the array "instructions" of the truth file
 * @out: the truth file
 */
void vpmu_profile_write(FILE *out)
{
	unsigned int k;
	size_t i;

	fputs("\"instructions\": [\n", out);
	for (i = 0; i < nr_places; i++) {
		fprintf(out, "{\"region\": %u, \"pc\": \"0x%llx\"", places[i].region,
			(unsigned long long)places[i].pc);
		for (k = 0; k < QUANTITIES; k++)
			fprintf(out, ", \"%s\": %llu", names[k],
				(unsigned long long)places[i].count[k]);
		fprintf(out, "}%s\n", i + 1 < nr_places ? "," : "");
	}
	fputs("],\n", out);
}
