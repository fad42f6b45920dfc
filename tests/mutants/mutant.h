/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The switch of the mutants. This file is included before each source file of a build with mutants.
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

/*
 * Notes that the program has reached the place of mutant n. The value of the macro is true if
 * mutant n is turned on.
 */
#define BPMU_MUTANT(n) (bpmu_mutant_seen[n] = 1, bpmu_mutant == (n))

void bpmu_mutant_copy(int number, void *to, const void *from, unsigned long size);

/*
 * Makes mutant n, a table with a fault. If this mutant is chosen, the faulty table is copied over
 * the real one at the start of the program, before other constructors run.
 */
#define BPMU_MUTANT_TABLE(n, table) \
	_Static_assert(sizeof(table) == sizeof(bpmu_mutant_table_##n), "another size"); \
	__attribute__((constructor(102))) static void bpmu_mutant_copy_##n(void) \
	{ \
		bpmu_mutant_copy(n, (void *)&(table), &bpmu_mutant_table_##n, sizeof(table)); \
	}

#endif

#endif /* BPMU_MUTANT_H */
