// SPDX-License-Identifier: GPL-2.0
/*
 * Which mutant is switched on, and at the end which places were come by.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* in a section of their own: user/library.sh knows each variable of .data and .bss */
#define MUTANTS __attribute__((section("mutants")))

int bpmu_mutant MUTANTS;
char bpmu_mutant_seen[BPMU_MUTANTS] MUTANTS;

/**
 * bpmu_mutant_copy() - put a table with a fault in the place of the one without
 * @number: the fault
 * @to: the table, which is read-only
 * @from: the one with the fault
 * @size: of each, in bytes
 *
 * A test with the table comes by its place, whatever it reads of it.
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

/* before the copies of tables */
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
