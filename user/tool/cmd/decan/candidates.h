/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Candidates: the instructions of a loop that a variant may remove. For each other instruction
 * there is a reason why a variant must not remove it.
 */
#ifndef BPMU_CANDIDATES_H
#define BPMU_CANDIDATES_H

#include "loop.h"
#include "patch.h"

#define BPMU_GROUP_NAME 64

/**
 * enum bpmu_candidate_type - types of candidates: what the removable instruction does
 * @BPMU_CANDIDATE_LOAD: reads memory
 * @BPMU_CANDIDATE_STORE: writes memory
 * @BPMU_CANDIDATE_DIVIDE: divides or takes a square root, on registers
 * @BPMU_CANDIDATE_ARITHMETIC: other arithmetic on vector registers
 * @BPMU_CANDIDATE_BRANCH: branches conditionally within the loop
 */
enum bpmu_candidate_type {
	BPMU_CANDIDATE_LOAD,
	BPMU_CANDIDATE_STORE,
	BPMU_CANDIDATE_DIVIDE,
	BPMU_CANDIDATE_ARITHMETIC,
	BPMU_CANDIDATE_BRANCH
};

/**
 * enum bpmu_candidate_flag - why a variant may not show what the removed instruction costs
 * @BPMU_CANDIDATE_CONTROL: a branch depends on the instruction's result
 * @BPMU_CANDIDATE_ADDRESS: the address of an access depends on the instruction's result
 * @BPMU_CANDIDATE_PARTIAL: the instruction writes only a part of its register
 * @BPMU_CANDIDATE_KEPT: the variant still depends on the old value of the instruction's register
 * @BPMU_CANDIDATE_INTEGER: the instruction uses no vector register
 * @BPMU_CANDIDATE_DIVIDES: the instruction also divides or takes a square root
 * @BPMU_CANDIDATE_COMPUTES: the instruction also computes with the loaded operand
 */
enum bpmu_candidate_flag {
	BPMU_CANDIDATE_CONTROL = 1 << 0,
	BPMU_CANDIDATE_ADDRESS = 1 << 1,
	BPMU_CANDIDATE_PARTIAL = 1 << 2,
	BPMU_CANDIDATE_KEPT = 1 << 3,
	BPMU_CANDIDATE_INTEGER = 1 << 4,
	BPMU_CANDIDATE_DIVIDES = 1 << 5,
	BPMU_CANDIDATE_COMPUTES = 1 << 6
};

/**
 * struct bpmu_candidate - an instruction that a variant may remove
 * @insn: the instruction
 * @type: what the instruction does
 * @form: kind of code by which a variant replaces the instruction
 * @flags: mask of &enum bpmu_candidate_flag
 * @skipped: reason why the instruction cannot be removed, or NULL
 * @seen: run-time address that the instruction accessed in the first of two single-stepped
 *	iterations, 0 if unknown
 * @key: hash that is equal for loads that, by their code, access the same array
 * @next: run-time address that the instruction accessed in the second of these iterations, 0 if
 *	unknown
 * @group: index of the group of loads of the same array, or BPMU_LOOP_NONE
 * @pattern: index of the group of loads with the same stride, or BPMU_LOOP_NONE
 * @line: source line, 0 if unknown
 * @patch: code by which a variant replaces the instruction
 */
struct bpmu_candidate {
	const struct bpmu_insn *insn;
	enum bpmu_candidate_type type;
	enum bpmu_patch_form form;
	unsigned int flags;
	const char *skipped;
	u64 seen;
	u64 next;
	u64 key;
	unsigned int group;
	unsigned int pattern;
	unsigned int line;
	u8 patch[ZYDIS_MAX_INSTRUCTION_LENGTH];
};

/**
 * struct bpmu_array_group - loads of one array, or of several arrays with the same large stride
 * @name: name of the array; if the array has no name, its lowest address; for several arrays, their
 *	names joined by "_"
 * @nr: number of loads
 * @stride: bytes by which the address of a load grows per iteration, 0 if unknown or not constant
 */
struct bpmu_array_group {
	char name[BPMU_GROUP_NAME];
	unsigned int nr;
	long long stride;
};

/**
 * struct bpmu_candidates - candidates of a loop: instructions that variants may remove
 * @candidate: candidates in order of their addresses, [@nr]
 * @nr: number of candidates
 * @group: groups of at least two loads, [@nr_groups]
 * @nr_groups: number of groups
 * @with: register and stack slot that the code may use which replaces instructions; the caller sets
 *	the stack slot
 * @calls: the loop calls functions
 * @locks: the loop has locked or serialising instructions
 */
struct bpmu_candidates {
	struct bpmu_candidate *candidate;
	unsigned int nr;
	struct bpmu_array_group *group;
	unsigned int nr_groups;
	struct bpmu_patch_with with;
	bool calls;
	bool locks;
};

/**
 * struct bpmu_array - the variable that a load accesses
 * @start: run-time address of the variable, 0 if unknown
 * @name: name of the variable
 */
struct bpmu_array {
	u64 start;
	char name[BPMU_GROUP_NAME];
};

int bpmu_candidates_init(struct bpmu_candidates *candidates,
			 const struct bpmu_code *code,
			 const struct bpmu_loop *loop, bool integer,
			 struct bpmu_error *err);
void bpmu_candidates_free(struct bpmu_candidates *candidates);
int bpmu_candidates_group(struct bpmu_candidates *candidates,
			  void (*array)(void *data,
					const struct bpmu_candidate *candidate,
					struct bpmu_array *found),
			  void *data, struct bpmu_error *err);
const char *bpmu_candidate_notes(const struct bpmu_candidate *candidate,
				 char text[BPMU_GROUP_NAME]);

#endif /* BPMU_CANDIDATES_H */
