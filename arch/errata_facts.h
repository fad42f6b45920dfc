/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What parts count wrongly. Linked into the tool only, never into the module.
 */
#ifndef BPMU_ERRATA_FACTS_H
#define BPMU_ERRATA_FACTS_H

#include "arch.h"

/**
 * enum bpmu_erratum_when - a condition
 * @BPMU_ERRATUM_ALWAYS: none
 * @BPMU_ERRATUM_SMT: only with hyper-threading on
 * @BPMU_ERRATUM_NO_SMT: only with hyper-threading off
 */
enum bpmu_erratum_when {
	BPMU_ERRATUM_ALWAYS,
	BPMU_ERRATUM_SMT,
	BPMU_ERRATUM_NO_SMT
};

/**
 * struct bpmu_erratum - what a part counts wrongly
 * @name: the vendor's number, or a word of ours where it published none
 * @parts: short names of parts, blanks between
 * @model: CPUID display model, 0 for all models of @parts
 * @first: first CPUID stepping that has it
 * @last: last one, 0 for all from @first on
 * @fixed: microcode revision that cures it, 0 if none is known
 * @when: &enum bpmu_erratum_when
 * @events: globs of names of events, blanks between, on top of the rows whose
 *	errata field names it; NULL for none
 * @text: what goes wrong
 * @advice: what to do
 */
struct bpmu_erratum {
	const char *name;
	const char *parts;
	u8 model;
	u8 first;
	u8 last;
	u32 fixed;
	u8 when;
	const char *events;
	const char *text;
	const char *advice;
};

const struct bpmu_erratum *bpmu_erratum_at(unsigned int i);

#endif /* BPMU_ERRATA_FACTS_H */
