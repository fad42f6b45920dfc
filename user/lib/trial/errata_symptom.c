// SPDX-License-Identifier: GPL-2.0
#include "errata_symptom.h"

/* keywords of the symptoms for JSON and CSV, and texts for the user, [enum bpmu_erratum_symptom] */
static const struct {
	const char *name;
	const char *text;
} symptoms[] = {
	[BPMU_SYMPTOM_COUNT] = { "count", "a loop is counted wrongly" },
	[BPMU_SYMPTOM_INTERRUPT] = { "interrupt", "interrupts are counted" },
	[BPMU_SYMPTOM_WRAP] = { "wrap", "wrong where the counter wraps" },
	[BPMU_SYMPTOM_NO_OVERFLOW] = { "no-overflow", "wraps without its overflow bit" },
	[BPMU_SYMPTOM_OVERFLOW] = { "overflow", "its overflow bit cannot be cleared" },
	[BPMU_SYMPTOM_LEAK] = { "leak", "reaches the sibling's counter of that number" },
	[BPMU_SYMPTOM_ATOMIC] = { "atomic", "wrong in a loop of atomic instructions" },
	[BPMU_SYMPTOM_L1_BELOW_L2] = { "l1-below-l2", "below the L2 miss stalls, prefetchers on" },
	[BPMU_SYMPTOM_L1_BELOW_L2_OFF] = { "l1-below-l2-off", "below the L2 miss stalls, L1 prefetchers off" },
	[BPMU_SYMPTOM_NO_INTERRUPT] = { "no-interrupt", "overflows without an interrupt" },
	[BPMU_SYMPTOM_LATE] = { "late-interrupt", "interrupts later than the usual skid" },
	[BPMU_SYMPTOM_OVERFLOW_LOSS] = { "overflow-loss", "loses counts where it interrupts" },
	[BPMU_SYMPTOM_FREEZE] = { "freeze", "counts on where an interrupt should stop it" },
	[BPMU_SYMPTOM_RECORD_ADDRESS] = { "record-address", "precise records have wrong addresses" },
	[BPMU_SYMPTOM_RECORD_EVENT] = { "record-event", "precise records are of another event" },
};

/**
 * bpmu_errata_symptom_name() - keyword of an erratum's symptom, for JSON and CSV
 * @symptom: any symptom but BPMU_SYMPTOM_NONE
 *
 * Return: one word, a constant string.
 */
const char *bpmu_errata_symptom_name(enum bpmu_erratum_symptom symptom)
{
	return symptoms[symptom].name;
}

/**
 * bpmu_errata_symptom_text() - description of an erratum's symptom
 * @symptom: any symptom but BPMU_SYMPTOM_NONE
 *
 * Return: a clause that says what is wrong with the count, a constant string.
 */
const char *bpmu_errata_symptom_text(enum bpmu_erratum_symptom symptom)
{
	return symptoms[symptom].text;
}

/**
 * bpmu_errata_with_symptom() - list the published errata of a CPU that have a symptom
 * @cpu: properties of the CPU that determine its errata
 * @symptom: symptom that the errata have
 * @errata: set to the names of these errata, at most BPMU_ERRATA_MAX; errata that the CPU may have
 *	are included
 */
void bpmu_errata_with_symptom(const struct bpmu_errata_cpu *cpu,
			      enum bpmu_erratum_symptom symptom,
			      struct bpmu_errata *errata)
{
	const struct bpmu_erratum *erratum;
	unsigned int i;

	errata->nr = 0;
	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (erratum->symptom == symptom &&
		    bpmu_errata_match(cpu, erratum) != BPMU_ERRATA_NO &&
		    errata->nr < BPMU_ERRATA_MAX)
			errata->name[errata->nr++] = erratum->name;
}
