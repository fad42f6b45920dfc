/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included before each file of a tree with mutants.
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

/* we come by its place; is it the one */
#define BPMU_MUTANT(n) (bpmu_mutant_seen[n] = 1, bpmu_mutant == (n))

#endif

#endif /* BPMU_MUTANT_H */
