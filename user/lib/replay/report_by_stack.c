// SPDX-License-Identifier: GPL-2.0
#include "report_by_stack.h"

#include <string.h>

/* stands for the outer callers of a call chain that was cut off when it was recorded */
#define INCOMPLETE "[incomplete]"

/**
 * struct folding - state of writing a call stack as text
 * @symbols: symbols of the recording
 * @who: the interrupted task
 * @text: the stack, as far as it fits into BPMU_BY_STACK_MOST bytes
 * @length: length of @text in bytes
 * @failed: memory ran out
 */
struct folding {
	struct bpmu_by_symbols *symbols;
	const struct bpmu_who *who;
	char *text;
	size_t length;
	bool failed;
};

/* Adds a function's name. A semicolon in it becomes a colon, as semicolons separate functions. */
static void fold_name(struct folding *f, const char *name)
{
	if (f->length && f->length < BPMU_BY_STACK_MOST - 1)
		f->text[f->length++] = ';';
	for (; *name && f->length < BPMU_BY_STACK_MOST - 1; name++)
		f->text[f->length++] = *name == ';' ? ':' : *name;
	f->text[f->length] = '\0';
}

static void fold_address(struct folding *f, u64 address, u32 flags)
{
	struct bpmu_who who = *f->who;
	const char *label;

	who.ip = address;
	who.flags = flags;
	label = bpmu_by_symbols_label(f->symbols, &who);
	if (label)
		fold_name(f, label);
	else
		f->failed = true;
}

/*
 * Adds the functions of a chain, the outermost first. A return address is that of the instruction
 * after a call, which may belong to the next function, so the address before it is looked up. With
 * @exact the innermost address is looked up unchanged, because it is no return address but the
 * place where user space entered the kernel.
 */
static void fold_chain(struct folding *f, const struct bpmu_chain *chain, u32 flags, bool exact)
{
	unsigned int i;

	if (!chain->present)
		return;
	if (chain->flags)
		fold_name(f, INCOMPLETE);
	for (i = chain->nr; i--;)
		fold_address(f, chain->address[i] - !(exact && !i), flags);
}

/**
 * bpmu_by_stack() - write the call stack of an interrupt, the key of report --by stack
 * @symbols: symbols with the blocks of the recording so far
 * @who: interrupted task
 * @comm: name of the interrupted thread, for the user
 * @chains: call chains of the interrupt, NULL if they were not recorded
 * @text: room for BPMU_BY_STACK_MOST bytes; set to "comm;outermost;...;interrupted"
 *
 * Return: false without memory.
 */
bool bpmu_by_stack(struct bpmu_by_symbols *symbols, const struct bpmu_who *who,
		   const char *comm, const struct bpmu_chains *chains, char *text)
{
	const u32 in_kernel = who->flags & BPMU_WHO_KERNEL;
	struct folding f = { .symbols = symbols, .who = who, .text = text };

	fold_name(&f, comm);
	if (chains && !(who->flags & BPMU_WHO_IDLE)) {
		fold_chain(&f, &chains->of[BPMU_SECTION_USER], who->flags & BPMU_WHO_UNNAMED,
			   in_kernel);
		fold_chain(&f, &chains->of[BPMU_SECTION_KERNEL],
			   who->flags & (BPMU_WHO_KERNEL | BPMU_WHO_HIDDEN), false);
	}
	fold_address(&f, who->ip, who->flags);
	return !f.failed;
}
