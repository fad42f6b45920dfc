/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Table with facts of the PMUs' errata. The table is linked into the tool only, never into the
 * module.
 */
#ifndef BPMU_ERRATA_FACTS_H
#define BPMU_ERRATA_FACTS_H

#include "arch.h"

/*
 * Upper limit of the number of errata of all parts together: size of arrays with one element per
 * erratum
 */
#define BPMU_ERRATA_FACTS 129

/**
 * enum bpmu_erratum_when - condition under which an erratum has an effect
 * @BPMU_ERRATUM_ALWAYS: no condition
 * @BPMU_ERRATUM_SMT: only with hyper-threading on
 * @BPMU_ERRATUM_NO_SMT: only with hyper-threading off
 */
enum bpmu_erratum_when {
	BPMU_ERRATUM_ALWAYS,
	BPMU_ERRATUM_SMT,
	BPMU_ERRATUM_NO_SMT
};

/**
 * enum bpmu_erratum_symptom - effect of an erratum by which a test can detect it
 * @BPMU_SYMPTOM_NONE: no test can detect the erratum
 * @BPMU_SYMPTOM_COUNT: the count of a loop of known length is wrong
 * @BPMU_SYMPTOM_INTERRUPT: interrupts change a count
 * @BPMU_SYMPTOM_WRAP: a count is wrong if the counter wraps
 * @BPMU_SYMPTOM_NO_OVERFLOW: a counter wraps and its overflow bit stays 0
 * @BPMU_SYMPTOM_OVERFLOW: an overflow bit cannot be cleared
 * @BPMU_SYMPTOM_LEAK: the event adds to a count of another event on the sibling thread
 * @BPMU_SYMPTOM_ATOMIC: the count of a loop with atomic instructions is wrong, counts of other
 *	loops are right
 * @BPMU_SYMPTOM_L1_BELOW_L2: fewer stalls with an L1 miss pending than with an L2
 *	miss pending, though each L2 miss is an L1 miss
 * @BPMU_SYMPTOM_L1_BELOW_L2_OFF: as @BPMU_SYMPTOM_L1_BELOW_L2, if the L1 prefetchers are off
 * @BPMU_SYMPTOM_NO_INTERRUPT: a counter that should interrupt overflows without an interrupt
 * @BPMU_SYMPTOM_LATE: overflow interrupts come later than the largest usual skid
 * @BPMU_SYMPTOM_OVERFLOW_LOSS: a counter loses counts where its overflow interrupts
 * @BPMU_SYMPTOM_FREEZE: counters count on where an interrupt should stop them
 * @BPMU_SYMPTOM_RECORD_ADDRESS: a precise record (PEBS) has the address of an instruction that did
 *	not cause the event
 * @BPMU_SYMPTOM_RECORD_EVENT: a precise record (PEBS) is of an event whose counter has not
 *	overflowed
 */
enum bpmu_erratum_symptom {
	BPMU_SYMPTOM_NONE,
	BPMU_SYMPTOM_COUNT,
	BPMU_SYMPTOM_INTERRUPT,
	BPMU_SYMPTOM_WRAP,
	BPMU_SYMPTOM_NO_OVERFLOW,
	BPMU_SYMPTOM_OVERFLOW,
	BPMU_SYMPTOM_LEAK,
	BPMU_SYMPTOM_ATOMIC,
	BPMU_SYMPTOM_L1_BELOW_L2,
	BPMU_SYMPTOM_L1_BELOW_L2_OFF,
	BPMU_SYMPTOM_NO_INTERRUPT,
	BPMU_SYMPTOM_LATE,
	BPMU_SYMPTOM_OVERFLOW_LOSS,
	BPMU_SYMPTOM_FREEZE,
	BPMU_SYMPTOM_RECORD_ADDRESS,
	BPMU_SYMPTOM_RECORD_EVENT
};

/**
 * struct bpmu_erratum - an erratum of the PMU
 * @name: the vendor's number of the erratum, or a name that this project gives it
 * @parts: short names of parts, separated by blanks
 * @family: CPUID display family, 0 for all families of @parts
 * @model: CPUID display model, 0 for all models of @parts
 * @last_model: last affected model if @model is the first one of a range; 0 for @model alone
 * @first: first affected CPUID stepping
 * @last: last affected CPUID stepping, 0 if all steppings from @first on are affected
 * @fixed: first microcode revision with a fix, 0 if no fix is known
 * @when: &enum bpmu_erratum_when
 * @symptom: &enum bpmu_erratum_symptom
 * @events: globs of affected event names, separated by blanks, or NULL. Events that name this
 * erratum in &bpmu_event.errata are affected too
 * @text: description of the effect
 * @advice: advice for the user
 */
struct bpmu_erratum {
	const char *name;
	const char *parts;
	u8 family;
	u8 model;
	u8 last_model;
	u8 first;
	u8 last;
	u32 fixed;
	u8 when;
	u8 symptom;
	const char *events;
	const char *text;
	const char *advice;
};

/**
 * struct bpmu_errata_unread - a vendor's errata document, which could not be read
 * @parts: short names, separated by blanks, of the parts whose errata are in this document alone
 * @what: clause, without a full stop, that names the document and says that it could not be read
 */
struct bpmu_errata_unread {
	const char *parts;
	const char *what;
};

const struct bpmu_erratum *bpmu_erratum_at(unsigned int i);
const struct bpmu_errata_unread *bpmu_errata_unread_at(unsigned int i);

#endif /* BPMU_ERRATA_FACTS_H */
