/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What "barepmu annotate" shows: a function's instructions, with the number of events that happened
 * at each of them.
 */
#ifndef BPMU_ANNOTATION_H
#define BPMU_ANNOTATION_H

#include "base/error.h"
#include "count/share.h"
#include "recording/symbols.h"
#include "replay/report_replay.h"

/* maximum size of a disassembled instruction as text, in bytes with the NUL */
#define BPMU_ANNOTATION_TEXT 128

/**
 * struct bpmu_annotated - an instruction of an annotated function
 * @address: link-time address; for the kernel, the run-time address
 * @length: number of bytes; 1 if the instruction could not be decoded
 * @text: the instruction disassembled; "" if its code could not be read
 * @file: path of the source file, owned by &bpmu_annotation.symbols; NULL if unknown
 * @line: line in @file, 0 if unknown
 * @interrupts: number of interrupts at this instruction
 * @events: number of events for which @interrupts were recorded (an interrupt comes after a number
 *	of events, the period)
 */
struct bpmu_annotated {
	u64 address;
	unsigned int length;
	char text[BPMU_ANNOTATION_TEXT];
	const char *file;
	unsigned int line;
	u64 interrupts;
	struct bpmu_weights events;
};

/**
 * struct bpmu_annotation - a function's instructions, with the interrupts at each
 * @function: label of the function, as "report --by symbol" prints it; owned by the argument @by of
 *	bpmu_annotation_make()
 * @path: path of the program or library with the function, owned by the same argument @by; NULL for
 *	the kernel
 * @missing: why @insn has only instructions that were interrupted; "" if it has all
 * @symbols: symbols of the file @path, or NULL
 * @insn: instructions in ascending order of their addresses, [@nr]
 * @nr: number of instructions
 * @interrupts: number of interrupts of all instructions
 * @events: number of events for which @interrupts were recorded (an interrupt comes after a number
 *	of events, the period)
 */
struct bpmu_annotation {
	const char *function;
	const char *path;
	char missing[160];
	struct bpmu_symbols *symbols;
	struct bpmu_annotated *insn;
	size_t nr;
	u64 interrupts;
	struct bpmu_weights events;
};

int bpmu_annotation_make(struct bpmu_annotation *annotation, const struct bpmu_by *by,
			 const char *function, const char *name, struct bpmu_error *err);
void bpmu_annotation_free(struct bpmu_annotation *annotation);

#endif /* BPMU_ANNOTATION_H */
