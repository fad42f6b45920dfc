// SPDX-License-Identifier: GPL-2.0
/*
 * The switch of the mutants, which turns one mutant on. At its end, the program writes down the
 * mutants whose places it has reached.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The variables have a section of their own, because tests/user/library.sh accepts no other
 * variables in .data and .bss than those that it lists.
 */
#define MUTANTS __attribute__((section("mutants")))

int bpmu_mutant MUTANTS;
char bpmu_mutant_seen[BPMU_MUTANTS] MUTANTS;

/**
 * bpmu_mutant_copy() - turn a mutant of a table on: copy the faulty table over the real one
 * @number: number of the mutant
 * @to: the real table, which is read-only
 * @from: the table with the fault
 * @size: size of each table in bytes
 *
 * Each test that is linked with the table calls this function, even if the test never reads the
 * faulty row. Such a test counts as one that has reached the mutant.
 */
void bpmu_mutant_copy(int number, void *to, const void *from, unsigned long size)
{
	unsigned long page = sysconf(_SC_PAGESIZE);
	unsigned long first = (unsigned long)to & ~(page - 1);

	bpmu_mutant_seen[number] = 1;
	if (bpmu_mutant != number)
		return;
	if (mprotect((void *)first, (unsigned long)to + size - first, PROT_READ | PROT_WRITE))
		abort();
	memcpy(to, from, size);
}

/* Finds out which mutant is on, before the constructors that copy tables run. */
static void __attribute__((constructor(101))) choose(void)
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
