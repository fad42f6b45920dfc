// SPDX-License-Identifier: GPL-2.0
#include "loop.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int decan_loop_decode(struct bpmu_code *code, struct bpmu_error *err)
{
	unsigned int room = 0;
	size_t at = 0;
	void *grown;

	while (at < code->size) {
		if (code->nr == room) {
			room = room ? 2 * room : 64;
			grown = reallocarray(code->insn, room,
					     sizeof(*code->insn));
			if (!grown)
				return bpmu_error_no_memory(err, "decan");
			code->insn = grown;
		}
		bpmu_insn_decode(code->zydis, code->start + at, code->bytes + at,
				 code->size - at, &code->insn[code->nr]);
		at += code->insn[code->nr++].length;
	}
	return 0;
}

static unsigned int decan_loop_find(const struct bpmu_code *code, u64 address)
{
	unsigned int low = 0, high = code->nr, middle;

	while (low < high) {
		middle = (low + high) / 2;
		if (code->insn[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < code->nr && code->insn[low].address == address ?
	       low : BPMU_LOOP_NONE;
}

/**
 * bpmu_code_at() - find the loops' instruction at an address
 * @address: link-time address
 *
 * Return: the instruction, or NULL if none begins there.
 */
const struct bpmu_insn *bpmu_code_at(const struct bpmu_code *code, u64 address)
{
	unsigned int i = decan_loop_find(code, address);

	return i == BPMU_LOOP_NONE ? NULL : &code->insn[i];
}

static bool is_indirect(const struct bpmu_insn *insn)
{
	return bpmu_insn_is_branch(insn) &&
	       insn->operand[0].type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

/*
 * Returns true if execution never goes on from this instruction to the next one, as after a jump.
 */
static bool ends_flow(const struct bpmu_insn *insn)
{
	return !insn->valid ||
	       insn->z.meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
	       insn->z.meta.category == ZYDIS_CATEGORY_RET ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_UD2 ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_HLT;
}

static void mark_leaders(const struct bpmu_code *code, bool *leader)
{
	const struct bpmu_insn *insn;
	unsigned int i, to;

	leader[0] = true;
	for (i = 0; i < code->nr; i++) {
		insn = &code->insn[i];
		if ((bpmu_insn_is_branch(insn) || ends_flow(insn)) && i + 1 < code->nr)
			leader[i + 1] = true;
		to = bpmu_insn_is_branch(insn) && !is_indirect(insn) ?
		     decan_loop_find(code, bpmu_insn_target(insn)) : BPMU_LOOP_NONE;
		if (to != BPMU_LOOP_NONE)
			leader[to] = true;
	}
}

static void link_blocks(struct bpmu_code *code)
{
	const struct bpmu_insn *last;
	struct bpmu_block *block;
	unsigned int b, to, nr;

	for (b = 0; b < code->nr_blocks; b++) {
		block = &code->block[b];
		last = &code->insn[block->end - 1];
		nr = 0;
		block->next[0] = BPMU_LOOP_NONE;
		block->next[1] = BPMU_LOOP_NONE;
		if (!ends_flow(last) && b + 1 < code->nr_blocks)
			block->next[nr++] = b + 1;
		to = bpmu_insn_is_branch(last) && !is_indirect(last) ?
		     decan_loop_find(code, bpmu_insn_target(last)) : BPMU_LOOP_NONE;
		if (to != BPMU_LOOP_NONE)
			block->next[nr] = code->insn[to].block;
	}
}

static int make_blocks(struct bpmu_code *code, struct bpmu_error *err)
{
	bool *leader = calloc(code->nr, sizeof(*leader));
	unsigned int i, b = 0;

	if (!leader)
		return bpmu_error_no_memory(err, "decan");
	mark_leaders(code, leader);
	for (i = 0; i < code->nr; i++)
		code->nr_blocks += leader[i];
	code->block = calloc(code->nr_blocks, sizeof(*code->block));
	for (i = 0; i < code->nr && code->block; i++) {
		if (leader[i]) {
			code->block[b].first = i;
			b++;
		}
		code->block[b - 1].end = i + 1;
		code->insn[i].block = b - 1;
	}
	free(leader);
	if (!code->block)
		return bpmu_error_no_memory(err, "decan");
	link_blocks(code);
	return 0;
}

/**
 * struct walk - state of numbering the basic blocks in reverse postorder
 * @code: code with the blocks
 * @seen: true for blocks that were visited, [number of blocks]
 * @stack: blocks on the current path of the depth-first search
 * @order: block with each number, [number of blocks]
 * @nr: number of blocks without a number; numbers are given from the highest down
 */
struct walk {
	struct bpmu_code *code;
	bool *seen;
	unsigned int *stack;
	unsigned int *order;
	unsigned int nr;
};

static void decan_loop_visit(struct walk *walk, unsigned int from)
{
	struct bpmu_block *block;
	unsigned int depth = 0, i;
	bool deeper;

	walk->seen[from] = true;
	walk->stack[depth++] = from;
	while (depth) {
		block = &walk->code->block[walk->stack[depth - 1]];
		deeper = false;
		for (i = 0; i < 2 && !deeper; i++) {
			if (block->next[i] == BPMU_LOOP_NONE ||
			    walk->seen[block->next[i]])
				continue;
			walk->seen[block->next[i]] = true;
			walk->stack[depth++] = block->next[i];
			deeper = true;
		}
		if (!deeper)
			walk->order[--walk->nr] = walk->stack[--depth];
	}
}

/*
 * Visits the blocks from all roots: the first block, then blocks without predecessors, then a block
 * of each cycle that was not reached.
 */
static void visit_all(struct walk *walk)
{
	struct bpmu_code *code = walk->code;
	bool *entered = calloc(code->nr_blocks, sizeof(*entered));
	unsigned int b, i;

	for (b = 0; b < code->nr_blocks && entered; b++)
		for (i = 0; i < 2; i++)
			if (code->block[b].next[i] != BPMU_LOOP_NONE)
				entered[code->block[b].next[i]] = true;
	for (b = 0; b < code->nr_blocks; b++)
		code->block[b].root = !b || (entered && !entered[b]);
	free(entered);
	for (b = 0; b < code->nr_blocks; b++)
		if (code->block[b].root && !walk->seen[b])
			decan_loop_visit(walk, b);
	for (b = 0; b < code->nr_blocks; b++) {
		if (walk->seen[b])
			continue;
		code->block[b].root = true;
		decan_loop_visit(walk, b);
	}
	for (i = 0; i < code->nr_blocks; i++)
		code->block[walk->order[i]].order = i + 1;
}

/*
 * Returns the nearest block that dominates both block @a and block @b; BPMU_LOOP_NONE if there is
 * none.
 */
static unsigned int decan_loop_meet(const struct bpmu_block *block, unsigned int a,
				    unsigned int b)
{
	while (a != b) {
		if (a == BPMU_LOOP_NONE || b == BPMU_LOOP_NONE)
			return BPMU_LOOP_NONE;
		if (block[a].order > block[b].order)
			a = block[a].dominator;
		else
			b = block[b].dominator;
	}
	return a;
}

/*
 * Finds the immediate dominator of each block (K. Cooper, T. Harvey, K. Kennedy: A Simple, Fast
 * Dominance Algorithm, Rice University, 2001). Returns 0 or -ENOMEM.
 */
static int find_dominators(struct bpmu_code *code, struct bpmu_error *err)
{
	size_t nr = code->nr_blocks;
	struct walk walk = {
		.code = code,
		.seen = calloc(nr, sizeof(bool)),
		.stack = calloc(nr, sizeof(unsigned int)),
		.order = calloc(nr, sizeof(unsigned int)),
		.nr = code->nr_blocks,
	};
	bool *known = calloc(nr, sizeof(*known));
	bool changed = walk.seen && walk.stack && walk.order && known;
	int ret = changed ? 0 : bpmu_error_no_memory(err, "decan");
	struct bpmu_block *to;
	unsigned int i, k, b, now;

	if (changed)
		visit_all(&walk);
	for (b = 0; b < nr && known; b++) {
		code->block[b].dominator = BPMU_LOOP_NONE;
		known[b] = code->block[b].root;
	}
	while (changed) {
		changed = false;
		for (i = 0; i < nr; i++) {
			b = walk.order[i];
			for (k = 0; k < 2 && known[b]; k++) {
				if (code->block[b].next[k] == BPMU_LOOP_NONE)
					continue;
				to = &code->block[code->block[b].next[k]];
				if (to->root)
					continue;
				now = known[to - code->block] ?
				      decan_loop_meet(code->block, to->dominator, b) : b;
				changed |= !known[to - code->block] ||
					   now != to->dominator;
				to->dominator = now;
				known[to - code->block] = true;
			}
		}
	}
	free(known);
	free(walk.seen);
	free(walk.stack);
	free(walk.order);
	return ret;
}

static bool dominates(const struct bpmu_code *code, unsigned int a,
		      unsigned int b)
{
	while (b != a && b != BPMU_LOOP_NONE)
		b = code->block[b].dominator;
	return b == a;
}

/*
 * Returns the loop whose header is block @header. Adds the loop if there is none yet. Returns NULL
 * if memory runs out.
 */
static struct bpmu_loop *get_loop(struct bpmu_code *code, unsigned int header)
{
	struct bpmu_loop *grown, *loop;
	unsigned int i;

	for (i = 0; i < code->nr_loops; i++)
		if (code->loop[i].header == header)
			return &code->loop[i];
	grown = reallocarray(code->loop, code->nr_loops + 1, sizeof(*grown));
	if (!grown)
		return NULL;
	code->loop = grown;
	loop = &grown[code->nr_loops];
	*loop = (struct bpmu_loop){ .header = header };
	loop->in = calloc(code->nr_blocks, sizeof(*loop->in));
	if (!loop->in)
		return NULL;
	loop->in[header] = true;
	code->nr_loops++;
	return loop;
}

/*
 * Adds to a loop the blocks from which execution can reach the loop's backward branch. This branch
 * is in block @latch.
 */
static void fill_loop(const struct bpmu_code *code, struct bpmu_loop *loop,
		      unsigned int latch)
{
	bool changed = true;
	unsigned int b, i;

	loop->in[latch] = true;
	while (changed) {
		changed = false;
		for (b = 0; b < code->nr_blocks; b++) {
			for (i = 0; i < 2 && !loop->in[b]; i++) {
				if (code->block[b].next[i] == BPMU_LOOP_NONE ||
				    code->block[b].next[i] == loop->header ||
				    !loop->in[code->block[b].next[i]])
					continue;
				loop->in[b] = true;
				changed = true;
			}
		}
	}
}

/*
 * Marks a loop that has several entries as one that cannot be analysed. The loop gets all blocks
 * from the target of its backward branch to @latch, the block with this branch, in the order of
 * their addresses.
 */
static void decan_loop_refuse(const struct bpmu_code *code, struct bpmu_loop *loop,
			      unsigned int latch)
{
	unsigned int first = loop->header < latch ? loop->header : latch;
	unsigned int last = loop->header < latch ? latch : loop->header;
	unsigned int b;

	for (b = first; b <= last; b++)
		loop->in[b] = true;
	snprintf(loop->refused, sizeof(loop->refused),
		 "entered besides its header at 0x%llx",
		 (unsigned long long)bpmu_loop_header(code, loop));
}

/*
 * Returns true if the branch from block @from to block @to is backward in reverse postorder. If a
 * loop is entered at its condition, which compilers may put at its end, the branch from there to the
 * body goes to a lower address, but is not backward. Blocks that no block dominates together may be
 * connected by indirect jumps, too: of them only the addresses tell.
 */
static bool is_backward(const struct bpmu_code *code, unsigned int from, unsigned int to)
{
	const struct bpmu_block *block = code->block;

	return decan_loop_meet(block, from, to) == BPMU_LOOP_NONE ?
	       to <= from : block[to].order <= block[from].order;
}

static int find_loops(struct bpmu_code *code, struct bpmu_error *err)
{
	struct bpmu_loop *loop;
	unsigned int b, i, to;
	bool natural;

	for (b = 0; b < code->nr_blocks; b++) {
		for (i = 0; i < 2; i++) {
			to = code->block[b].next[i];
			natural = to != BPMU_LOOP_NONE &&
				  dominates(code, to, b);
			/*
			 * A backward branch makes a loop. If the target of the branch does not
			 * dominate the branch, the loop has several entries, and cannot be
			 * analysed.
			 */
			if (!natural && (to == BPMU_LOOP_NONE || !is_backward(code, b, to)))
				continue;
			loop = get_loop(code, to);
			if (!loop)
				return bpmu_error_no_memory(err, "decan");
			if (natural)
				fill_loop(code, loop, b);
			else
				decan_loop_refuse(code, loop, b);
		}
	}
	return 0;
}

static int add_exit(struct bpmu_loop *loop, u64 address)
{
	unsigned int i;
	u64 *grown;

	for (i = 0; i < loop->nr_exits; i++)
		if (loop->exits[i] == address)
			return 0;
	grown = reallocarray(loop->exits, loop->nr_exits + 1, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	loop->exits = grown;
	grown[loop->nr_exits++] = address;
	return 0;
}

/*
 * Marks a loop as one that cannot be analysed, in two cases: some bytes of the loop cannot be
 * decoded; or between the loop's instructions there is an indirect jump, which may enter the loop
 * at any instruction.
 */
static void check_insns(const struct bpmu_code *code, struct bpmu_loop *loop)
{
	const struct bpmu_insn *insn;
	unsigned int i;

	for (i = 0; i < code->nr; i++) {
		insn = &code->insn[i];
		if (insn->address < loop->first || insn->address >= loop->end)
			continue;
		if (!is_indirect(insn) &&
		    (insn->valid || !loop->in[insn->block]))
			continue;
		snprintf(loop->refused, sizeof(loop->refused),
			 insn->valid ? "indirect jump inside at 0x%llx" :
			 "bytes at 0x%llx do not decode",
			 (unsigned long long)insn->address);
		return;
	}
}

static int find_range_and_exits(const struct bpmu_code *code, struct bpmu_loop *loop)
{
	const struct bpmu_insn *last;
	unsigned int b, to;
	u64 target, behind;
	int ret = 0;

	loop->first = ~0ULL;
	for (b = 0; b < code->nr_blocks; b++) {
		if (!loop->in[b])
			continue;
		last = &code->insn[code->block[b].end - 1];
		behind = last->address + last->length;
		if (code->insn[code->block[b].first].address < loop->first)
			loop->first = code->insn[code->block[b].first].address;
		if (behind > loop->end)
			loop->end = behind;
		target = bpmu_insn_is_branch(last) ? bpmu_insn_target(last) : 0;
		to = target ? decan_loop_find(code, target) : BPMU_LOOP_NONE;
		if (target && (to == BPMU_LOOP_NONE ||
			       !loop->in[code->insn[to].block]))
			ret |= add_exit(loop, target);
		if (!ends_flow(last) &&
		    (b + 1 == code->nr_blocks || !loop->in[b + 1]))
			ret |= add_exit(loop, behind);
	}
	check_insns(code, loop);
	return ret;
}

static int by_header(const void *a, const void *b)
{
	const struct bpmu_loop *x = a, *y = b;

	return x->header < y->header ? -1 : x->header > y->header;
}

static unsigned int blocks_of(const struct bpmu_code *code,
			      const struct bpmu_loop *loop)
{
	unsigned int b, nr = 0;

	for (b = 0; b < code->nr_blocks; b++)
		nr += loop->in[b];
	return nr;
}

static void find_parents(struct bpmu_code *code)
{
	struct bpmu_loop *loop, *around;
	unsigned int i, k;

	for (i = 0; i < code->nr_loops; i++) {
		loop = &code->loop[i];
		loop->parent = BPMU_LOOP_NONE;
		loop->inner = true;
		for (k = 0; k < code->nr_loops; k++) {
			around = &code->loop[k];
			if (k != i && loop->in[around->header])
				loop->inner = false;
			if (k == i || !around->in[loop->header])
				continue;
			loop->depth++;
			if (loop->parent == BPMU_LOOP_NONE ||
			    blocks_of(code, around) <
			    blocks_of(code, &code->loop[loop->parent]))
				loop->parent = k;
		}
	}
}

static int make_loops(struct bpmu_code *code, struct bpmu_error *err)
{
	int ret = find_loops(code, err);
	unsigned int i;

	for (i = 0; i < code->nr_loops && !ret; i++)
		if (find_range_and_exits(code, &code->loop[i]))
			ret = bpmu_error_no_memory(err, "decan");
	if (ret || !code->nr_loops)
		return ret;
	qsort(code->loop, code->nr_loops, sizeof(*code->loop), by_header);
	find_parents(code);
	return 0;
}

/**
 * bpmu_code_init() - decode the code of a function and find its loops
 * @code: output
 * @start: link-time address of @bytes, where the code is entered
 * @bytes: the code, [@size]; @code points to it
 * @size: number of bytes
 *
 * Return: 0 or a negative errno; @code is to be freed with bpmu_code_free() in
 * any case.
 */
int bpmu_code_init(struct bpmu_code *code, u64 start, const void *bytes,
		   size_t size, struct bpmu_error *err)
{
	int ret;

	*code = (struct bpmu_code){
		.zydis = bpmu_zydis(err), .start = start, .bytes = bytes,
		.size = size,
	};
	if (!code->zydis)
		return -ENOENT;
	if (!size)
		return bpmu_error_set(err, -EINVAL,
				      "function at 0x%llx: has no code; name another one",
				      (unsigned long long)start);
	ret = decan_loop_decode(code, err);
	if (!ret)
		ret = make_blocks(code, err);
	if (!ret)
		ret = find_dominators(code, err);
	return ret ? ret : make_loops(code, err);
}

void bpmu_code_free(struct bpmu_code *code)
{
	unsigned int i;

	for (i = 0; i < code->nr_loops; i++) {
		free(code->loop[i].in);
		free(code->loop[i].exits);
	}
	free(code->loop);
	free(code->block);
	free(code->insn);
}

/**
 * bpmu_loop_header() - address of a loop's header
 * @loop: one of the loops of @code
 *
 * Return: link-time address.
 */
u64 bpmu_loop_header(const struct bpmu_code *code, const struct bpmu_loop *loop)
{
	return code->insn[code->block[loop->header].first].address;
}
