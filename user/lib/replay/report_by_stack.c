// SPDX-License-Identifier: GPL-2.0
#include "report_by_stack.h"

#include <string.h>

/**
 * struct folding - state of writing a call stack as text
 * @symbols: symbols of the recording
 * @text: the stack, as far as it fits into BPMU_BY_STACK_MOST bytes
 * @length: length of @text in bytes
 */
struct folding {
	struct bpmu_by_symbols *symbols;
	char *text;
	size_t length;
};

/*
 * Appends a function's name to the stack. A semicolon separates functions; semicolons within a name
 * become colons.
 */
static void fold_name(struct folding *f, const char *name)
{
	if (f->length && f->length < BPMU_BY_STACK_MOST - 1)
		f->text[f->length++] = ';';
	for (; *name && f->length < BPMU_BY_STACK_MOST - 1; name++)
		f->text[f->length++] = *name == ';' ? ':' : *name;
	f->text[f->length] = '\0';
}

/*
 * Appends the function that contains the address in @at to the stack; "[incomplete]" if @at is
 * NULL. Returns false if out of memory.
 */
static bool fold_place(void *data, const struct bpmu_who *at)
{
	struct folding *f = data;
	const char *label = at ? bpmu_by_symbols_label(f->symbols, at) : BPMU_BY_STACK_INCOMPLETE;

	if (label)
		fold_name(f, label);
	return label;
}

/**
 * struct walk - state of a walk over the instructions of a call stack
 * @who: the interrupted task
 * @each: called for each instruction
 * @data: first argument of @each
 */
struct walk {
	const struct bpmu_who *who;
	bpmu_by_stack_fn *each;
	void *data;
};

static bool walk_address(const struct walk *walk, u64 address, u32 flags)
{
	struct bpmu_who at = *walk->who;

	at.ip = address;
	at.flags = flags;
	return walk->each(walk->data, &at);
}

/*
 * Calls @walk->each for the instructions of a chain, the outermost first. A return address points
 * behind a call, where the next function may already begin. The address before the return address
 * is therefore passed. With @exact the innermost address is passed unchanged, because it is not a
 * return address: user space entered the kernel there.
 */
static bool walk_chain(const struct walk *walk, const struct bpmu_chain *chain, u32 flags,
		       bool exact)
{
	unsigned int i;

	if (!chain->present)
		return true;
	if (chain->flags && !walk->each(walk->data, NULL))
		return false;
	for (i = chain->nr; i--;)
		if (!walk_address(walk, chain->address[i] - !(exact && !i), flags))
			return false;
	return true;
}

/**
 * bpmu_by_stack_each() - walk an interrupt's call stack for report --by stack, caller by caller
 * @who: interrupted task
 * @chains: call chains of the interrupt, NULL if they were not recorded
 * @each: called first for the outermost caller, last for the interrupted instruction; it returns
 *	false to end the walk
 * @data: first argument of @each
 *
 * Return: false if @each has returned false, else true.
 */
bool bpmu_by_stack_each(const struct bpmu_who *who, const struct bpmu_chains *chains,
			bpmu_by_stack_fn *each, void *data)
{
	const struct walk walk = { who, each, data };

	if (chains && !(who->flags & BPMU_WHO_IDLE) &&
	    (!walk_chain(&walk, &chains->of[BPMU_SECTION_USER], who->flags & BPMU_WHO_UNNAMED,
			 who->flags & BPMU_WHO_KERNEL) ||
	     !walk_chain(&walk, &chains->of[BPMU_SECTION_KERNEL],
			 who->flags & (BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN), false)))
		return false;
	return each(data, who);
}

/**
 * bpmu_by_stack() - write the call stack of an interrupt as text, for report --by stack
 * @symbols: symbols, with the mappings and functions in the recording so far
 * @who: interrupted task
 * @comm: name of the interrupted thread, for the user
 * @chains: call chains of the interrupt, NULL if they were not recorded
 * @text: [BPMU_BY_STACK_MOST], set to "comm;outermost;...;interrupted"
 *
 * Return: true, or false if out of memory.
 */
bool bpmu_by_stack(struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
		   const char *comm, const struct bpmu_chains *chains, char *text)
{
	struct folding f = { .symbols = symbols, .text = text };

	fold_name(&f, comm);
	return bpmu_by_stack_each(who, chains, fold_place, &f);
}
