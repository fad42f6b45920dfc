// SPDX-License-Identifier: GPL-2.0
#include "brackets.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/*
 * The code that the tool adds before and after the loop (brackets) has a data page. Offsets in this
 * page: of the TSC at the entry into the loop, of the saved RAX and RDX, and of the number of
 * iterations
 */
#define DATA_BEGIN 0
#define DATA_RAX 16
#define DATA_RDX 24
#define DATA_COUNT 32

#define ENTRY_SIZE 64
#define EXIT_SIZE 16
/*
 * To count iterations, a copy of the loop is run. This is the maximum size in bytes of an
 * instruction in the copy, with a jump after it
 */
#define COPIED_SIZE 20
#define COUNTER_SIZE 64
#define JUMP_SIZE 5
#define JCC_NEAR 0x80
#define CONDITION 0x0f

/**
 * struct writer - state of generating code
 * @bytes: buffer for the code
 * @at: number of bytes written so far
 * @address: run-time address that the first byte will have
 * @data: run-time address of the page for the code's data
 */
struct writer {
	u8 *bytes;
	size_t at;
	u64 address;
	u64 data;
};

static void decan_brackets_put(struct writer *writer, const void *bytes, size_t size)
{
	memcpy(writer->bytes + writer->at, bytes, size);
	writer->at += size;
}

/*
 * Writes the 32-bit displacement of a branch to @to. The displacement is relative to the address
 * that follows it.
 */
static void put_displacement(struct writer *writer, u64 to)
{
	u32 displacement = to - (writer->address + writer->at + sizeof(displacement));

	decan_brackets_put(writer, &displacement, sizeof(displacement));
}

/* Writes an instruction, @opcode, with a RIP-relative operand at @offset in the data page. */
static void put_data(struct writer *writer, const char *opcode, size_t size,
		     unsigned int offset)
{
	decan_brackets_put(writer, opcode, size);
	put_displacement(writer, writer->data + offset);
}

#define PUT(writer, bytes) decan_brackets_put(writer, bytes, sizeof(bytes) - 1)
#define PUT_DATA(writer, bytes, offset) \
	put_data(writer, bytes, sizeof(bytes) - 1, offset)
#define LFENCE "\x0f\xae\xe8"
#define RDTSC "\x0f\x31"
#define STORE_RAX "\x48\x89\x05"
#define STORE_RDX "\x48\x89\x15"
#define LOAD_RAX "\x48\x8b\x05"
#define LOAD_RDX "\x48\x8b\x15"
#define STORE_EAX "\x89\x05"
#define STORE_EDX "\x89\x15"
#define INCREMENT_RAX "\x48\x8d\x40\x01"

static void put_jump(struct writer *writer, u64 to)
{
	PUT(writer, "\xe9");
	put_displacement(writer, to);
}

/*
 * Writes the code that runs before the loop: it stores the TSC in a page for data and jumps to @to.
 * The code preserves all registers, the flags and the stack, because the loop needs them.
 */
static void put_entry(struct writer *writer, u64 to)
{
	PUT_DATA(writer, STORE_RAX, DATA_RAX);
	PUT_DATA(writer, STORE_RDX, DATA_RDX);
	PUT(writer, LFENCE RDTSC);
	PUT_DATA(writer, STORE_EAX, DATA_BEGIN);
	PUT_DATA(writer, STORE_EDX, DATA_BEGIN + 4);
	PUT_DATA(writer, LOAD_RAX, DATA_RAX);
	PUT_DATA(writer, LOAD_RDX, DATA_RDX);
	PUT(writer, LFENCE);
	put_jump(writer, to);
}

/*
 * Writes the code that runs after the loop: it reads the TSC and stops the thread. The TSC stays in
 * registers, because several threads may leave the loop at the same time.
 */
static void put_exit(struct writer *writer)
{
	PUT(writer, LFENCE RDTSC "\xcc");
}

static void put_counter(struct writer *writer)
{
	PUT_DATA(writer, STORE_RAX, DATA_RAX);
	PUT_DATA(writer, LOAD_RAX, DATA_COUNT);
	PUT(writer, INCREMENT_RAX);
	PUT_DATA(writer, STORE_RAX, DATA_COUNT);
	PUT_DATA(writer, LOAD_RAX, DATA_RAX);
}

static unsigned int count_insns(const struct bpmu_code *code,
				const struct bpmu_loop *loop)
{
	unsigned int i, nr = 0;

	for (i = 0; i < code->nr; i++)
		nr += loop->in[code->insn[i].block];
	return nr;
}

/**
 * bpmu_brackets_size() - memory needed for brackets: the code that is added before and after a loop
 * @code: code with the loop
 *
 * Return: maximum size in bytes, including a copy of the loop, which is run to count iterations.
 */
size_t bpmu_brackets_size(const struct bpmu_code *code,
			  const struct bpmu_loop *loop)
{
	return 2 * ENTRY_SIZE + loop->nr_exits * EXIT_SIZE + COUNTER_SIZE +
	       (size_t)count_insns(code, loop) * COPIED_SIZE;
}

static int decan_brackets_failed(struct bpmu_error *err)
{
	return bpmu_error_set(err, -EFAULT,
			      "command: its code cannot be changed; is it still there?");
}

/*
 * Returns true if execution goes on from address @from to address @to without any branch between
 * them.
 */
static bool falls_through(const struct bpmu_code *code, u64 from, u64 to)
{
	const struct bpmu_insn *insn;

	while (from < to) {
		insn = bpmu_code_at(code, from);
		if (!insn || !insn->valid ||
		    insn->z.meta.branch_type != ZYDIS_BRANCH_TYPE_NONE ||
		    bpmu_insn_target(insn))
			return false;
		from += insn->length;
	}
	return from == to;
}

/*
 * At the exits of the loop, jumps to the brackets are written. Returns true if exit @i needs no
 * jump: execution goes on from exit @i, without a branch, to another exit. Sets *@overlap to true
 * if there is no room for a jump at exit @i: it would overlap another exit, to which execution does
 * not go on.
 */
static bool shares_jump(const struct bpmu_brackets *brackets, unsigned int i,
			bool *overlap)
{
	const struct bpmu_loop *loop = brackets->loop;
	unsigned int k;

	for (k = 0; k < loop->nr_exits; k++) {
		if (loop->exits[k] <= loop->exits[i] ||
		    loop->exits[k] >= loop->exits[i] + JUMP_SIZE)
			continue;
		if (falls_through(brackets->code, loop->exits[i], loop->exits[k]))
			return true;
		*overlap = true;
	}
	return false;
}

static bool overlaps_loop(const struct bpmu_brackets *brackets, u64 exit)
{
	const struct bpmu_code *code = brackets->code;
	const struct bpmu_insn *insn;
	unsigned int i;

	for (i = 0; i < code->nr; i++) {
		insn = &code->insn[i];
		if (brackets->loop->in[insn->block] &&
		    insn->address < exit + JUMP_SIZE &&
		    insn->address + insn->length > exit)
			return true;
	}
	return false;
}

static int put_exits(struct bpmu_brackets *brackets, struct bpmu_error *err)
{
	const struct bpmu_loop *loop = brackets->loop;
	pid_t pid = brackets->snapshot->pid;
	u8 bytes[JUMP_SIZE];
	struct writer writer;
	bool overlap = false;
	unsigned int i;
	u64 at;

	for (i = 0; i < loop->nr_exits; i++) {
		if (shares_jump(brackets, i, &overlap))
			continue;
		if (overlap || overlaps_loop(brackets, loop->exits[i]))
			return bpmu_error_set(err, -ENOTSUP,
				"loop: no room for a jump at its exit 0x%llx; take the loop around it",
				(unsigned long long)loop->exits[i]);
		at = loop->exits[i] + brackets->bias;
		writer = (struct writer){ bytes, 0, at, 0 };
		put_jump(&writer, brackets->leave[i]);
		if (bpmu_trace_write(pid, at, bytes, sizeof(bytes)))
			return decan_brackets_failed(err);
	}
	return 0;
}

/*
 * Saves the code of the loop in @brackets->text. The code is read from the snapshot: the program,
 * stopped at the loop. The code includes the jumps that were written at exits between the loop's
 * instructions. Returns 0 or a negative errno.
 */
static int save_text(struct bpmu_brackets *brackets, struct bpmu_error *err)
{
	const struct bpmu_loop *loop = brackets->loop;
	size_t size = loop->end - loop->first;

	brackets->text = malloc(size);
	if (!brackets->text)
		return bpmu_error_no_memory(err, "decan");
	return bpmu_trace_read(brackets->snapshot->pid,
			       loop->first + brackets->bias, brackets->text,
			       size) ? decan_brackets_failed(err) : 0;
}

/**
 * bpmu_brackets_make() - write brackets, code before and after a loop, into the program's snapshot
 * @brackets: input are @snapshot, @code, @loop and @bias; all other members must be zeroed, and are
 *	output
 *
 * Return: 0 or a negative errno; the caller frees @brackets in any case.
 */
int bpmu_brackets_make(struct bpmu_brackets *brackets, struct bpmu_error *err)
{
	const struct bpmu_snapshot *snapshot = brackets->snapshot;
	u64 address = snapshot->code;
	unsigned int i, nr = brackets->loop->nr_exits;
	size_t size = 2 * ENTRY_SIZE + nr * EXIT_SIZE;
	struct writer writer = {
		.bytes = calloc(1, size), .address = address,
		.data = snapshot->data,
	};
	int code;

	brackets->leave = calloc(nr + 1, sizeof(*brackets->leave));
	if (!writer.bytes || !brackets->leave || !nr) {
		free(writer.bytes);
		return nr ? bpmu_error_no_memory(err, "decan") :
		       bpmu_error_set(err, -EDOM,
				      "loop: has no exit, it never ends; take another one");
	}
	brackets->enter = address;
	put_entry(&writer, snapshot->header);
	writer.at = ENTRY_SIZE;
	brackets->empty = address + writer.at;
	put_entry(&writer, brackets->loop->exits[0] + brackets->bias);
	for (i = 0; i < nr; i++) {
		writer.at = 2 * ENTRY_SIZE + i * EXIT_SIZE;
		brackets->leave[i] = address + writer.at;
		put_exit(&writer);
	}
	brackets->copy = address + size;
	code = bpmu_trace_write(snapshot->pid, address, writer.bytes, size);
	free(writer.bytes);
	if (code)
		return decan_brackets_failed(err);
	code = put_exits(brackets, err);
	return code ? code : save_text(brackets, err);
}

static const struct bpmu_edit *find_edit(const struct bpmu_edit *edit,
					 unsigned int nr,
					 const struct bpmu_insn *insn)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (edit[i].insn == insn)
			return &edit[i];
	return NULL;
}

/**
 * struct copier - state of making a copy of the loop, with added code that counts iterations
 * @writer: writes the code of the copy
 * @brackets: code before and after the loop
 * @offset: offset in the copy of each instruction of the loop, [number of instructions in the
 *	function]
 * @jump: offsets in the copy at which jumps have their displacements, [@nr]; the displacements are
 *	written when the offsets of all instructions are known
 * @target: link-time address to which each jump branches in the original loop, [@nr]
 * @nr: number of jumps so far
 */
struct copier {
	struct writer writer;
	const struct bpmu_brackets *brackets;
	size_t *offset;
	size_t *jump;
	u64 *target;
	unsigned int nr;
};

static void jump_to(struct copier *copier, u64 target)
{
	copier->jump[copier->nr] = copier->writer.at;
	copier->target[copier->nr++] = target;
	decan_brackets_put(&copier->writer, "\0\0\0", 4);
}

static bool copy_branch(struct copier *copier, const struct bpmu_insn *insn,
			const struct bpmu_edit *edit)
{
	u64 target = bpmu_insn_target(insn);
	struct writer *writer = &copier->writer;
	u8 condition = insn->z.opcode & CONDITION;

	if ((edit && edit->taken) ||
	    insn->z.meta.category == ZYDIS_CATEGORY_UNCOND_BR) {
		PUT(writer, "\xe9");
	} else if (insn->z.meta.category == ZYDIS_CATEGORY_CALL) {
		PUT(writer, "\xe8");
	} else if (insn->z.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
		   insn->z.opcode >= 0xe0 && insn->z.opcode <= 0xe3) {
		/*
		 * LOOP and JRCXZ only have 8-bit displacements, which are too small for the target.
		 * In the copy, LOOP or JRCXZ branches to a near jump that follows, and this jump
		 * branches to the target.
		 */
		if (insn->length != 2)
			return false;
		decan_brackets_put(writer, insn->bytes, 1);
		PUT(writer, "\x02\xeb\x05\xe9");
	} else {
		PUT(writer, "\x0f");
		condition |= JCC_NEAR;
		decan_brackets_put(writer, &condition, 1);
	}
	jump_to(copier, target);
	return true;
}

static bool copy_insn(struct copier *copier, const struct bpmu_insn *insn,
		      const struct bpmu_edit *edit)
{
	struct writer *writer = &copier->writer;
	size_t at = writer->at;
	u32 shift, old;

	if (bpmu_insn_target(insn) && (!edit || edit->taken))
		return copy_branch(copier, insn, edit);
	decan_brackets_put(writer, edit ? edit->bytes : insn->bytes, insn->length);
	if (edit || !insn->z.raw.disp.size ||
	    !(insn->z.attributes & ZYDIS_ATTRIB_IS_RELATIVE))
		return true;
	shift = insn->address + copier->brackets->bias - (writer->address + at);
	memcpy(&old, writer->bytes + at + insn->z.raw.disp.offset, sizeof(old));
	old += shift;
	memcpy(writer->bytes + at + insn->z.raw.disp.offset, &old, sizeof(old));
	return true;
}

/*
 * Returns the run-time address to which a jump or call of the copy must branch. In the original
 * loop it branches to @target. If @target is an instruction of the loop, the address of the same
 * instruction in the copy is returned. If @target is an exit or a called function, its run-time
 * address is returned.
 */
static u64 copy_target(const struct copier *copier, u64 target)
{
	const struct bpmu_code *code = copier->brackets->code;
	const struct bpmu_insn *insn = bpmu_code_at(code, target);

	if (insn && copier->brackets->loop->in[insn->block])
		return copier->writer.address + copier->offset[insn - code->insn];
	return target + copier->brackets->bias;
}

static bool copy_all(struct copier *copier, const struct bpmu_edit *edit,
		     unsigned int nr)
{
	const struct bpmu_code *code = copier->brackets->code;
	const struct bpmu_loop *loop = copier->brackets->loop;
	const struct bpmu_insn *insn;
	unsigned int i;
	u64 to;
	size_t k;

	for (i = 0; i < code->nr; i++) {
		insn = &code->insn[i];
		if (!loop->in[insn->block])
			continue;
		copier->offset[i] = copier->writer.at;
		if (i == code->block[loop->header].first)
			put_counter(&copier->writer);
		if (!copy_insn(copier, insn, find_edit(edit, nr, insn)))
			return false;
		if (i + 1 == code->nr || loop->in[code->insn[i + 1].block])
			continue;
		PUT(&copier->writer, "\xe9");
		jump_to(copier, insn->address + insn->length);
	}
	for (k = 0; k < copier->nr; k++) {
		to = copy_target(copier, copier->target[k]);
		i = copier->writer.at;
		copier->writer.at = copier->jump[k];
		put_displacement(&copier->writer, to);
		copier->writer.at = i;
	}
	return true;
}

/**
 * bpmu_brackets_copy() - brackets: make a fork run a copy of the loop, which counts iterations
 * @brackets: from bpmu_brackets_make()
 * @pid: fork of the snapshot (the program, stopped at the loop); the fork has not run yet
 * @edit: instructions that the variant changes, [@nr]
 * @nr: number of changed instructions
 */
int bpmu_brackets_copy(const struct bpmu_brackets *brackets, pid_t pid,
		       const struct bpmu_edit *edit, unsigned int nr,
		       struct bpmu_error *err)
{
	const struct bpmu_code *code = brackets->code;
	unsigned int insns = count_insns(code, brackets->loop);
	size_t size = COUNTER_SIZE + (size_t)insns * COPIED_SIZE;
	struct copier copier = {
		.writer = {
			.bytes = calloc(1, size), .address = brackets->copy,
			.data = brackets->snapshot->data,
		},
		.brackets = brackets,
		.offset = calloc(code->nr, sizeof(*copier.offset)),
		.jump = calloc(2 * insns, sizeof(*copier.jump)),
		.target = calloc(2 * insns, sizeof(*copier.target)),
	};
	struct user_regs_struct regs = brackets->snapshot->regs;
	int ret = -ENOMEM;

	if (copier.writer.bytes && copier.offset && copier.jump &&
	    copier.target)
		ret = copy_all(&copier, edit, nr) ? 0 : -ENOTSUP;
	if (!ret)
		ret = bpmu_trace_write(pid, brackets->copy, copier.writer.bytes,
				       copier.writer.at);
	if (!ret) {
		regs.rip = brackets->copy +
			   copier.offset[code->block[brackets->loop->header].first];
		ret = bpmu_trace_set_registers(pid, &regs);
	}
	free(copier.writer.bytes);
	free(copier.offset);
	free(copier.jump);
	free(copier.target);
	return ret ? decan_brackets_failed(err) : 0;
}

/**
 * bpmu_brackets_edit() - write the code of a variant, between brackets, into a fork of the program
 * @brackets: from bpmu_brackets_make()
 * @pid: fork of the snapshot (the program, stopped at the loop); the loop in the fork may have the
 *	code of another variant
 * @edit: instructions that the variant changes, [@nr]
 * @nr: number of changed instructions
 *
 * The whole loop is written even for the original. So the original runs under the same conditions
 * as the variants: in newly copied pages, with newly decoded instructions.
 *
 * Return: 0 or a negative errno.
 */
int bpmu_brackets_edit(const struct bpmu_brackets *brackets, pid_t pid,
		       const struct bpmu_edit *edit, unsigned int nr)
{
	u64 first = brackets->loop->first;
	size_t size = brackets->loop->end - first;
	u8 *text = malloc(size);
	unsigned int i;
	int code;

	if (!text)
		return -ENOMEM;
	memcpy(text, brackets->text, size);
	for (i = 0; i < nr; i++)
		memcpy(text + (edit[i].insn->address - first), edit[i].bytes,
		       edit[i].insn->length);
	code = bpmu_trace_write(pid, first + brackets->bias, text, size);
	free(text);
	return code;
}

/**
 * bpmu_brackets_left() - read what the brackets of the loop have measured in a run of it
 * @brackets: from bpmu_brackets_make()
 * @pid: the thread that ran the loop; it must be stopped
 * @times: output; if false is returned, &bpmu_times.exit is BPMU_LOOP_NONE, and the other members
 *	are undefined
 *
 * Return: true if the thread has left the loop by an exit.
 */
bool bpmu_brackets_left(const struct bpmu_brackets *brackets, pid_t pid,
			struct bpmu_times *times)
{
	struct user_regs_struct regs;
	unsigned int i;
	u64 data[5];

	*times = (struct bpmu_times){ .exit = BPMU_LOOP_NONE };
	if (bpmu_trace_registers(pid, &regs) ||
	    bpmu_trace_read(pid, brackets->snapshot->data, data, sizeof(data)))
		return false;
	for (i = 0; i < brackets->loop->nr_exits; i++)
		if (regs.rip > brackets->leave[i] &&
		    regs.rip <= brackets->leave[i] + EXIT_SIZE)
			times->exit = i;
	times->ticks = (regs.rdx << 32 | (u32)regs.rax) - data[DATA_BEGIN / 8];
	times->iterations = data[DATA_COUNT / 8];
	return times->exit != BPMU_LOOP_NONE;
}

void bpmu_brackets_free(struct bpmu_brackets *brackets)
{
	free(brackets->leave);
	free(brackets->text);
}
