/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Macros for mutants: faults that are put into the source code to see whether a test fails. At most
 * one mutant is turned on. A build with mutants includes this file before each source file, also
 * before those of assembly, which have no mutants.
 */
#ifndef BPMU_MUTANT_H
#define BPMU_MUTANT_H

#define BPMU_MUTANTS 8192

#ifdef __KERNEL__

int bpmu_mutant_is(int number);

int bpmu_mutant_wants_places(void);

#define BPMU_MUTANT(n) bpmu_mutant_is(n)
#define BPMU_MUTANT_DIFFERS(n, old, new) \
	(bpmu_mutant_wants_places() && (old) == (new) ? 0 : bpmu_mutant_is(n))

#elif !defined(__ASSEMBLER__)

extern int bpmu_mutant;
extern char *bpmu_mutant_places;
extern char bpmu_mutant_seen[BPMU_MUTANTS];

/*
 * Is used in a condition at the place in the code that mutant n changes. Notes that the program has
 * reached this place. The value of the macro is true if mutant n is turned on.
 */
#define BPMU_MUTANT(n) \
	(bpmu_mutant_seen[n] ? (void)0 : bpmu_mutant_note(n), bpmu_mutant == (n))

/* A sanitizer could refuse what a faulty expression does. */
#ifdef __SANITIZE_ADDRESS__
#define BPMU_MUTANT_COMPARES 0
#else
#define BPMU_MUTANT_COMPARES 1
#endif

/*
 * The same for an expression that has no effect: does not note the place while the faulty
 * expression has the same value, because no test can notice the fault then.
 */
#define BPMU_MUTANT_DIFFERS(n, old, new) \
	(BPMU_MUTANT_COMPARES && bpmu_mutant_places && !bpmu_mutant_seen[n] && (old) == (new) ? \
	 0 : BPMU_MUTANT(n))

void bpmu_mutant_note(int number);
void bpmu_mutant_copy(int number, void *to, const void *from, unsigned long size);

/*
 * Defines mutant n, a fault in @table. The faulty table is bpmu_mutant_table_n. If mutant n is
 * turned on, the faulty table is copied over @table at the start of the program, before
 * constructors without a priority run.
 */
#define BPMU_MUTANT_TABLE(n, table) \
	_Static_assert(sizeof(table) == sizeof(bpmu_mutant_table_##n), "another size"); \
	__attribute__((constructor(102))) static void bpmu_mutant_copy_##n(void) \
	{ \
		bpmu_mutant_copy(n, (void *)&(table), &bpmu_mutant_table_##n, sizeof(table)); \
	}

#endif

#endif /* BPMU_MUTANT_H */
