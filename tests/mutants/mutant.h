/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The switch of the mutants, included before each file of a tree with mutants.
 */
#ifndef BPMU_MUTANT_H
#define BPMU_MUTANT_H

#define BPMU_MUTANTS 8192

#ifdef __KERNEL__

int bpmu_mutant_is(int number);

#define BPMU_MUTANT(n) bpmu_mutant_is(n)

#else

extern int bpmu_mutant;
extern char bpmu_mutant_seen[BPMU_MUTANTS];

/* Notes that the program comes by the place of mutant n; true if this mutant is switched on. */
#define BPMU_MUTANT(n) (bpmu_mutant_seen[n] = 1, bpmu_mutant == (n))

void bpmu_mutant_copy(int number, void *to, const void *from, unsigned long size);

/* Copies a table at the start of a program that has it, before its other constructors run. */
#define BPMU_MUTANT_TABLE(n, table) \
	_Static_assert(sizeof(table) == sizeof(bpmu_mutant_table_##n), "another size"); \
	__attribute__((constructor(102))) static void bpmu_mutant_copy_##n(void) \
	{ \
		bpmu_mutant_copy(n, (void *)&(table), &bpmu_mutant_table_##n, sizeof(table)); \
	}

#endif

#endif /* BPMU_MUTANT_H */
