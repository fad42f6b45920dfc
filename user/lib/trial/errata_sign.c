// SPDX-License-Identifier: GPL-2.0
#include "errata_sign.h"

/* [&enum bpmu_erratum_sign], for JSON and for the user. */
static const struct {
	const char *name;
	const char *text;
} signs[] = {
	[BPMU_SIGN_COUNT] = { "count", "a loop is counted wrongly" },
	[BPMU_SIGN_INTERRUPT] = { "interrupt", "interrupts are counted" },
	[BPMU_SIGN_WRAP] = { "wrap", "wrong where the counter wraps" },
	[BPMU_SIGN_NO_OVERFLOW] = { "no-overflow", "wraps without its overflow bit" },
	[BPMU_SIGN_OVERFLOW] = { "overflow", "its overflow bit cannot be cleared" },
	[BPMU_SIGN_LEAK] = { "leak", "reaches the sibling's counter of that number" },
	[BPMU_SIGN_L1_BELOW_L2] = { "l1-below-l2", "below the L2 miss stalls, prefetchers on" },
	[BPMU_SIGN_L1_BELOW_L2_OFF] = { "l1-below-l2-off", "below the L2 miss stalls, L1 prefetchers off" },
};

/**
 * bpmu_errata_sign_name() - return the keyword of a symptom, for JSON and CSV
 * @sign: any but BPMU_SIGN_NONE
 *
 * Return: one word.
 */
const char *bpmu_errata_sign_name(enum bpmu_erratum_sign sign)
{
	return signs[sign].name;
}

/**
 * bpmu_errata_sign_text() - return the description of a symptom
 * @sign: any but BPMU_SIGN_NONE
 *
 * Return: what is wrong with the count.
 */
const char *bpmu_errata_sign_text(enum bpmu_erratum_sign sign)
{
	return signs[sign].text;
}

/**
 * bpmu_errata_with_sign() - list the published errata of a CPU with a symptom
 * @cpu: the CPU
 * @sign: symptom
 * @errata: set to their names
 */
void bpmu_errata_with_sign(const struct bpmu_errata_cpu *cpu,
			   enum bpmu_erratum_sign sign,
			   struct bpmu_errata *errata)
{
	const struct bpmu_erratum *erratum;
	unsigned int i;

	errata->nr = 0;
	for (i = 0; (erratum = bpmu_erratum_at(i)); i++)
		if (erratum->sign == sign &&
		    bpmu_errata_match(cpu, erratum) != BPMU_ERRATA_NO &&
		    errata->nr < BPMU_ERRATA_MAX)
			errata->name[errata->nr++] = erratum->name;
}
