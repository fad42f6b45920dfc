// SPDX-License-Identifier: GPL-2.0
#include "pairs.h"

#include <stddef.h>

#include "event/uncounted.h"
#include "machine/cpu.h"
#include "machine/options.h"

#define WIDTH 48
#define COUNT (VPMU_BIT(WIDTH) - 1)

/**
 * vpmu_pairs_init() - set AMD's pairs of event select and counter to their values at power on
 * @pair: the pairs, [nr]
 * @nr: number of pairs
 */
void vpmu_pairs_init(struct vpmu_pair *pair, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		pair[i] = (struct vpmu_pair) {
			.counter = vpmu_start_value(WIDTH),
		};
}

/*
 * Returns the register of @pairs with MSR number @msr, NULL if there is none. Sets *@is_select to
 * true for an event select, false for a counter.
 */
static uint64_t *pairs_find(const struct vpmu_pairs *pairs, uint32_t msr,
			    bool *is_select)
{
	uint32_t n = msr - pairs->first;

	if (n >= 2 * pairs->nr)
		return NULL;
	*is_select = !(n & 1);
	return *is_select ? &pairs->pair[n / 2].select :
			    &pairs->pair[n / 2].counter;
}

/*
 * Puts the event of a counter into the list of uncounted events (those that the guest selects, but
 * that never occur here), unless the guest injects the event by CPUID. Called when the guest reads
 * the counter (@happened is false), and when the counter counts an injected event (@happened is
 * true).
 */
static void pairs_note(const struct vpmu_pairs *pairs, const struct vpmu_pair *pair,
		       bool happened)
{
	if (pair->select & pairs->enable)
		vpmu_uncounted_box(pairs->box, pair->select & pairs->event, 0, happened);
}

/**
 * vpmu_pairs_value() - value of the counter of one of AMD's pairs of event select and counter
 * @pairs: the pairs that the calling vCPU can access
 * @i: number of the pair
 */
uint64_t vpmu_pairs_value(const struct vpmu_pairs *pairs, unsigned int i)
{
	pairs_note(pairs, &pairs->pair[i], false);
	return pairs->pair[i].counter;
}

/**
 * vpmu_pairs_read() - execute RDMSR of AMD's pairs of event select and counter
 * @pairs: the pairs that the calling vCPU can access
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of @pairs.
 */
bool vpmu_pairs_read(const struct vpmu_pairs *pairs, uint32_t msr,
		     uint64_t *value)
{
	bool is_select;
	const uint64_t *reg = pairs_find(pairs, msr, &is_select);

	if (reg)
		*value = is_select ? *reg : vpmu_pairs_value(pairs, (msr - pairs->first) / 2);
	return reg;
}

/**
 * vpmu_pairs_write() - execute WRMSR of AMD's pairs of event select and counter
 * @pairs: the pairs that the calling vCPU can access
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of @pairs.
 */
bool vpmu_pairs_write(const struct vpmu_pairs *pairs, struct vpmu_cpu *cpu,
		      uint32_t msr, uint64_t value)
{
	bool is_select;
	uint64_t *reg = pairs_find(pairs, msr, &is_select);

	if (!reg)
		return false;
	if (value & ~(is_select ? pairs->legal : COUNT))
		cpu->illegal_writes++;
	else
		*reg = value;
	return true;
}

/**
 * vpmu_pairs_add() - add injected events to the counter of a pair of event select and counter
 * @pairs: the pairs that the calling vCPU can access
 * @i: number of the pair
 * @count: number of occurrences
 */
void vpmu_pairs_add(const struct vpmu_pairs *pairs, unsigned int i, uint32_t count)
{
	struct vpmu_pair *pair = &pairs->pair[i];

	pairs_note(pairs, pair, true);
	if (pairs->saturates && pair->counter >= COUNT - count)
		pair->counter = COUNT;
	else
		pair->counter = (pair->counter + count) & COUNT;
}
