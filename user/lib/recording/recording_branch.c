// SPDX-License-Identifier: GPL-2.0
/*
 * Encoding of branch records. The code between the target of a branch and the next branch is mostly
 * short, so consecutive addresses differ only in low bits. Each address is written as its exclusive
 * or with the address before it. The result is a small number.
 */
#include "recording_branch.h"

#include <string.h>

#include "recording_section.h"

/**
 * bpmu_branches_take() - copy branches to be recorded from the module's record of an interrupt
 * @branches: filled in; empty if the record has none
 * @record: a &struct bpmu_overflow, and behind it its sections (call chains and branches). The
 *	member size of the struct is the size of all this in bytes
 *
 * Return: true if the record has a section of branches, which may be empty.
 */
bool bpmu_branches_take(struct bpmu_branches *branches, const void *record)
{
	struct bpmu_section head;
	const char *data = bpmu_section_find(record, BPMU_SECTION_BRANCHES, &head);

	branches->nr = 0;
	if (!data || head.size - sizeof(head) > sizeof(branches->branch))
		return false;
	branches->nr = (head.size - sizeof(head)) / sizeof(*branches->branch);
	memcpy(branches->branch, data, branches->nr * sizeof(*branches->branch));
	return true;
}

/**
 * bpmu_branches_put() - encode the branch records of an interrupt for a recording
 * @branches: the branches
 * @to: memory for at least BPMU_BRANCHES_MOST bytes
 *
 * Return: number of bytes written.
 */
size_t bpmu_branches_put(const struct bpmu_branches *branches, unsigned char *to)
{
	const struct bpmu_branch *branch = branches->branch;
	unsigned char *at = bpmu_code_number(to, branches->nr);
	u64 before = 0;
	unsigned int i;

	for (i = 0; i < branches->nr; i++, branch++) {
		at = bpmu_code_number(at, branch->to ^ before);
		at = bpmu_code_number(at, branch->from ^ branch->to);
		at = bpmu_code_number(at, branch->flags);
		at = bpmu_code_number(at, branch->cycles);
		before = branch->from;
	}
	return at - to;
}

/**
 * bpmu_branches_open() - begin to read a recording's block of branch records
 * @code: filled in
 * @block: contents of the block, which must outlive @code
 * @size: size of the block in bytes
 */
void bpmu_branches_open(struct bpmu_branches_code *code, const void *block, size_t size)
{
	code->at = block;
	code->end = code->at + size;
}

static bool get_branch(struct bpmu_branches_code *code, u64 before, struct bpmu_branch *branch)
{
	u64 number[4];
	unsigned int i;

	for (i = 0; i < 4; i++)
		if (!bpmu_code_read_number(&code->at, code->end, &number[i]))
			return false;
	*branch = (struct bpmu_branch){
		.to = number[0] ^ before, .from = number[0] ^ before ^ number[1],
		.flags = number[2], .cycles = number[3],
	};
	return branch->flags == number[2] && branch->cycles == number[3];
}

/**
 * bpmu_branches_get() - read a recording's branch records of the next interrupt
 * @code: from bpmu_branches_open()
 * @branches: filled in
 *
 * Return: true; false if the branches are malformed, or at the end of the block.
 */
bool bpmu_branches_get(struct bpmu_branches_code *code, struct bpmu_branches *branches)
{
	u64 nr, before = 0;

	branches->nr = 0;
	if (!bpmu_code_read_number(&code->at, code->end, &nr) || nr > BPMU_MAX_BRANCHES)
		return false;
	for (; branches->nr < nr; branches->nr++) {
		if (!get_branch(code, before, &branches->branch[branches->nr]))
			return false;
		before = branches->branch[branches->nr].from;
	}
	return true;
}
