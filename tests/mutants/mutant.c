// SPDX-License-Identifier: GPL-2.0
/*
 * Which mutant is switched on, and at the end which places were come by.
 */
#include <stdio.h>
#include <stdlib.h>

int bpmu_mutant;
char bpmu_mutant_seen[BPMU_MUTANTS];

static void __attribute__((constructor)) choose(void)
{
	const char *text = getenv("MUTANT");

	bpmu_mutant = text ? atoi(text) : 0;
}

static void __attribute__((destructor)) tell(void)
{
	const char *name = getenv("MUTANT_PLACES");
	FILE *file = name ? fopen(name, "a") : NULL;
	int i;

	if (!file)
		return;
	for (i = 0; i < BPMU_MUTANTS; i++)
		if (bpmu_mutant_seen[i])
			fprintf(file, "%d\n", i);
	fclose(file);
}
