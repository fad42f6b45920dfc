// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of AMD's core complexes: those of the L3. What happens there the guest
 * says itself, by a leaf of CPUID that no CPU has: event, unit mask, slice and how
 * often, on behalf of the CPU that says so. What each counter has to count is then
 * known by construction.
 *
 * Registers: Linux, msr-index.h, MSR_F16H_L2I_PERF_CTL, and perf_event.h,
 * AMD64_L3_*. With family 17h a select has a bit for each thread of the complex and
 * for each slice; later a bit for each thread of a core, and one core and one slice
 * or all.
 */
#include <stddef.h>

#include "vpmu.h"

#define COUNTERS 6
#define L3_SELECT 0xc0010230
#define L3_RDPMC 10
#define WIDTH 48

#define SEL_EN VPMU_BIT(22)
#define ALL_SLICES VPMU_BIT(46)
#define ALL_CORES VPMU_BIT(47)
#define LEGAL_17H 0xff0f00000040ffffull
#define LEGAL_19H 0x0307dc000040ffffull

/* these are counted whatever the masks are: Linux' event files of Zen and Zen 2 */
#define FILL_LATENCY 0x90
#define FILLS 0x9a

/**
 * struct l3 - of one complex
 * @select: event selects
 * @counter: what they have counted
 */
static struct l3 {
	uint64_t select[COUNTERS];
	uint64_t counter[COUNTERS];
} complexes[VPMU_MAX_CPUS];

static unsigned int place_in(const struct vpmu_cpu *cpu)
{
	return cpu->index % vpmu_options.complex;
}

static struct l3 *l3_of(const struct vpmu_cpu *cpu)
{
	return &complexes[cpu->index / vpmu_options.complex];
}

/**
 * vpmu_complex_init() - the counters at power on
 */
void vpmu_complex_init(void)
{
	unsigned int i, k;

	for (i = 0; i < VPMU_MAX_CPUS; i++)
		for (k = 0; k < COUNTERS; k++) {
			complexes[i].select[k] = 0;
			complexes[i].counter[k] = vpmu_start_value(WIDTH);
		}
}

/* the register of an MSR's number, or NULL */
static uint64_t *find(const struct vpmu_cpu *cpu, uint32_t msr, bool *is_select)
{
	uint32_t n = msr - L3_SELECT;

	if (!vpmu_options.complex || n >= 2 * COUNTERS)
		return NULL;
	*is_select = !(n & 1);
	return *is_select ? &l3_of(cpu)->select[n / 2] :
			    &l3_of(cpu)->counter[n / 2];
}

/**
 * vpmu_complex_read() - rdmsr
 * @cpu: the calling vCPU
 * @msr: which
 * @value: set if it is one of these
 *
 * Return: false if it is not.
 */
bool vpmu_complex_read(const struct vpmu_cpu *cpu, uint32_t msr,
		       uint64_t *value)
{
	bool is_select;
	const uint64_t *reg = find(cpu, msr, &is_select);

	if (reg)
		*value = *reg;
	return reg;
}

/**
 * vpmu_complex_write() - wrmsr
 * @cpu: the calling vCPU
 * @msr: which
 * @value: what to write
 *
 * Return: false if it is none of these.
 */
bool vpmu_complex_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t legal = VPMU_BIT(WIDTH) - 1;
	bool is_select;
	uint64_t *reg = find(cpu, msr, &is_select);

	if (!reg)
		return false;
	if (is_select)
		legal = cpu->part->amd_version ? LEGAL_19H : LEGAL_17H;
	if (value & ~legal)
		cpu->illegal_writes++;
	else
		*reg = value;
	return true;
}

/**
 * vpmu_complex_rdpmc() - rdpmc
 * @cpu: the calling vCPU
 * @index: in ECX
 * @value: set if it is one of these
 *
 * Return: false if it is not.
 */
bool vpmu_complex_rdpmc(const struct vpmu_cpu *cpu, uint32_t index,
			uint64_t *value)
{
	if (!vpmu_options.complex || index - L3_RDPMC >= COUNTERS)
		return false;
	*value = l3_of(cpu)->counter[index - L3_RDPMC];
	return true;
}

static bool masks_17h(uint64_t select, unsigned int place, unsigned int slice)
{
	unsigned int event = select & 0xff;

	if (event == FILL_LATENCY || event == FILLS)
		return true;
	return select >> (56 + place) & 1 && select >> (48 + slice) & 1;
}

static bool masks_19h(uint64_t select, unsigned int place, unsigned int slice)
{
	unsigned int threads = vpmu_options.threads ? vpmu_options.threads : 1;

	return select >> (56 + place % threads) & 1 &&
	       (select & ALL_CORES || (select >> 42 & 7) == place / threads) &&
	       (select & ALL_SLICES || (select >> 48 & 7) == slice);
}

/* the latency is that of all fills: its event has no unit mask */
static bool is_event(uint64_t select, uint32_t what)
{
	return !((select ^ what) & 0xff) &&
	       ((what & 0xff) == FILL_LATENCY || select & what & 0xff00);
}

/**
 * vpmu_complex_happen() - something happens in the L3
 * @cpu: for this vCPU
 * @what: event in bits 7:0, unit mask in 15:8, slice in 19:16
 * @count: how often
 */
void vpmu_complex_happen(const struct vpmu_cpu *cpu, uint32_t what,
			 uint32_t count)
{
	unsigned int slice = what >> 16 & 7;
	unsigned int i;
	struct l3 *l3;

	if (!vpmu_options.complex)
		return;
	l3 = l3_of(cpu);
	for (i = 0; i < COUNTERS; i++) {
		uint64_t select = l3->select[i];

		if (!(select & SEL_EN) || !is_event(select, what))
			continue;
		if (cpu->part->amd_version ?
		    masks_19h(select, place_in(cpu), slice) :
		    masks_17h(select, place_in(cpu), slice))
			l3->counter[i] = (l3->counter[i] + count) &
					 (VPMU_BIT(WIDTH) - 1);
	}
}
