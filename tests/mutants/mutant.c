// SPDX-License-Identifier: GPL-2.0
/*
 * Turns one mutant on. A mutant is a fault that is put into the source code to see whether a test
 * fails. All mutants are compiled into the program; the environment variable MUTANT is the number
 * of the mutant that is on. When the program ends, it appends to the file MUTANT_PLACES the number
 * of each mutant whose place in the code the program has reached.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Section of the variables of the mutants. They are not in .data and .bss, because a test of the
 * tool (tests/user/library.sh) has a list of the variables that may be in .data and .bss.
 */
#define MUTANTS __attribute__((section("mutants")))

int bpmu_mutant MUTANTS, bpmu_mutant_places MUTANTS;
char bpmu_mutant_seen[BPMU_MUTANTS] MUTANTS;

/**
 * bpmu_mutant_copy() - copy a faulty table over the real table, if the mutant of the table is on
 * @number: number of the mutant (the fault in the table)
 * @to: the real table, which is read-only
 * @from: the table with the fault
 * @size: size of each table in bytes
 *
 * Each program that is linked with the real table calls this function when it starts. So it counts
 * as a program that has reached the mutant, even if it never reads the table.
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

/*
 * Reads the number of the mutant that is on, 0 for none, and whether places are to be noted.
 * Constructor 101 runs before the constructors 102, which copy the faulty table of this mutant over
 * the real table.
 */
static void __attribute__((constructor(101))) choose(void)
{
	const char *text = getenv("MUTANT");

	bpmu_mutant = text ? atoi(text) : 0;
	bpmu_mutant_places = !!getenv("MUTANT_PLACES");
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
