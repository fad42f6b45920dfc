// SPDX-License-Identifier: GPL-2.0
#include "candidates.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/*
 * A set of registers has one bit for each register. The general-purpose registers begin at bit 0.
 * The first bits of the vector registers, of the mask registers, of the flags and of all others are
 * defined here.
 */
#define BIT_VECTOR 16
#define BIT_MASK 48
#define BIT_FLAGS 56
#define BIT_OTHER 57

#define NR_GENERAL 16
#define NR_VECTORS 16
#define PAGE 4096
#define LINE 64

static u64 bit_of(const struct bpmu_zydis *zydis, ZydisRegister reg)
{
	ZydisRegister full = zydis->ZydisRegisterGetLargestEnclosing(
					ZYDIS_MACHINE_MODE_LONG_64, reg);
	int id;

	if (reg == ZYDIS_REGISTER_NONE || reg == ZYDIS_REGISTER_RIP)
		return 0;
	if (full == ZYDIS_REGISTER_NONE)
		full = reg;
	id = zydis->ZydisRegisterGetId(full);
	switch (zydis->ZydisRegisterGetClass(full)) {
	case ZYDIS_REGCLASS_GPR64:
		return 1ULL << id;
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return 1ULL << (BIT_VECTOR + id);
	case ZYDIS_REGCLASS_MASK:
		return id ? 1ULL << (BIT_MASK + id) : 0;
	case ZYDIS_REGCLASS_FLAGS:
		return 1ULL << BIT_FLAGS;
	default:
		return 1ULL << BIT_OTHER;
	}
}

static u64 address_bits(const struct bpmu_zydis *zydis,
			const struct bpmu_insn *insn)
{
	u64 bits = 0;
	unsigned int i;

	for (i = 0; i < insn->z.operand_count; i++)
		if (insn->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    insn->operand[i].mem.type != ZYDIS_MEMOP_TYPE_AGEN)
			bits |= bit_of(zydis, insn->operand[i].mem.base) |
				bit_of(zydis, insn->operand[i].mem.index);
	return bits;
}

static bool writes_flags(const struct bpmu_insn *insn)
{
	return insn->z.cpu_flags &&
	       (insn->z.cpu_flags->modified | insn->z.cpu_flags->set_0 |
		insn->z.cpu_flags->set_1 | insn->z.cpu_flags->undefined);
}

static u64 reads(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn)
{
	u64 bits = address_bits(zydis, insn);
	const ZydisDecodedOperand *operand;
	unsigned int i;

	for (i = 0; i < insn->z.operand_count; i++) {
		operand = &insn->operand[i];
		if (operand->type == ZYDIS_OPERAND_TYPE_MEMORY)
			bits |= bit_of(zydis, operand->mem.base) |
				bit_of(zydis, operand->mem.index);
		else if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
			 operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
			bits |= bit_of(zydis, operand->reg.value);
	}
	if (insn->z.cpu_flags && insn->z.cpu_flags->tested)
		bits |= 1ULL << BIT_FLAGS;
	return bits;
}

/*
 * Returns the set of registers that an instruction writes. Sets *@kills to the set of registers of
 * which the instruction overwrites all bits.
 */
static u64 writes(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
		  u64 *kills)
{
	const ZydisDecodedOperand *operand;
	u64 bits = 0, bit;
	unsigned int i;

	*kills = 0;
	for (i = 0; i < insn->z.operand_count; i++) {
		operand = &insn->operand[i];
		if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER ||
		    !(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
			continue;
		bit = bit_of(zydis, operand->reg.value);
		bits |= bit;
		if (!(operand->actions & ZYDIS_OPERAND_ACTION_CONDWRITE))
			*kills |= bit;
	}
	if (writes_flags(insn)) {
		bits |= 1ULL << BIT_FLAGS;
		*kills |= 1ULL << BIT_FLAGS;
	}
	return bits;
}

/**
 * struct flow - state of a search for what depends on the result of an instruction
 * @code: code of a function
 * @loop: a loop of @code
 * @source: instruction whose result is followed through the loop
 * @in: set of the registers that depend on @source at the start of each block, [number of blocks]
 * @flags: mask of &enum bpmu_candidate_flag: what was found so far
 */
struct flow {
	const struct bpmu_code *code;
	const struct bpmu_loop *loop;
	const struct bpmu_insn *source;
	u64 *in;
	unsigned int flags;
};

static u64 flow_block(struct flow *flow, unsigned int b)
{
	const struct bpmu_zydis *zydis = flow->code->zydis;
	const struct bpmu_block *block = &flow->code->block[b];
	const struct bpmu_insn *insn;
	u64 now = flow->in[b];
	u64 kills, out;
	unsigned int i;

	for (i = block->first; i < block->end; i++) {
		insn = &flow->code->insn[i];
		if (address_bits(zydis, insn) & now)
			flow->flags |= BPMU_CANDIDATE_ADDRESS;
		if (insn->z.meta.category == ZYDIS_CATEGORY_COND_BR &&
		    reads(zydis, insn) & now)
			flow->flags |= BPMU_CANDIDATE_CONTROL;
		out = writes(zydis, insn, &kills);
		if (insn == flow->source || reads(zydis, insn) & now)
			now |= out;
		else
			now &= ~kills;
	}
	return now;
}

static void decan_candidates_follow(struct flow *flow)
{
	const struct bpmu_code *code = flow->code;
	bool changed = true;
	unsigned int b, i, to;
	u64 out;

	while (changed) {
		changed = false;
		for (b = 0; b < code->nr_blocks; b++) {
			if (!flow->loop->in[b])
				continue;
			out = flow_block(flow, b);
			for (i = 0; i < 2; i++) {
				to = code->block[b].next[i];
				if (to == BPMU_LOOP_NONE ||
				    !flow->loop->in[to] ||
				    !(out & ~flow->in[to]))
					continue;
				flow->in[to] |= out;
				changed = true;
			}
		}
	}
}

static int depends(const struct bpmu_code *code, const struct bpmu_loop *loop,
		   struct bpmu_candidate *candidate)
{
	struct flow flow = {
		.code = code, .loop = loop, .source = candidate->insn,
		.in = calloc(code->nr_blocks, sizeof(*flow.in)),
	};

	if (!flow.in)
		return -ENOMEM;
	decan_candidates_follow(&flow);
	candidate->flags |= flow.flags;
	free(flow.in);
	return 0;
}

/**
 * struct reaching - state of a search for reaching definitions of a register's value
 * @code: code of a function
 * @loop: a loop of @code
 * @bit: bit of the register in a set of registers
 * @seen: true for blocks that were searched from their end, [number of blocks]
 * @outside: the value may have been written before the loop
 * @inside: hash of the addresses of those instructions in the loop that may have written the value
 */
struct reaching {
	const struct bpmu_code *code;
	const struct bpmu_loop *loop;
	u64 bit;
	bool *seen;
	bool outside;
	u64 inside;
};

static void reach(struct reaching *reaching, unsigned int b, unsigned int from)
{
	const struct bpmu_code *code = reaching->code;
	unsigned int i, k;
	u64 kills;

	for (i = from; i-- > code->block[b].first;) {
		if (!(writes(code->zydis, &code->insn[i], &kills) &
		      reaching->bit))
			continue;
		reaching->inside += 0x9e3779b97f4a7c15ULL * (i + 1);
		return;
	}
	for (i = 0; i < code->nr_blocks; i++) {
		for (k = 0; k < 2; k++) {
			if (code->block[i].next[k] != b)
				continue;
			reaching->outside |= !reaching->loop->in[i];
			if (!reaching->loop->in[i] || reaching->seen[i])
				continue;
			reaching->seen[i] = true;
			reach(reaching, i, code->block[i].end);
		}
	}
}

static int array_key(const struct bpmu_code *code, const struct bpmu_loop *loop,
		     struct bpmu_candidate *candidate)
{
	const ZydisDecodedOperand *memory = bpmu_insn_memory(candidate->insn);
	const ZydisRegister part[2] = { memory->mem.base, memory->mem.index };
	unsigned int at = candidate->insn - code->insn;
	struct reaching reaching = {
		.code = code, .loop = loop,
		.seen = calloc(code->nr_blocks, sizeof(bool)),
	};
	u64 key = 1 + memory->mem.scale;
	unsigned int i;

	if (!reaching.seen)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(part); i++) {
		memset(reaching.seen, 0, code->nr_blocks * sizeof(bool));
		reaching.bit = bit_of(code->zydis, part[i]);
		reaching.outside = false;
		reaching.inside = 0;
		if (reaching.bit)
			reach(&reaching, candidate->insn->block, at);
		key = key * 1000003 + part[i];
		key = key * 1000003 + reaching.inside + reaching.outside;
	}
	free(reaching.seen);
	candidate->key = key;
	return 0;
}

static bool begins(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
		   const char *const *names, size_t nr)
{
	const char *name = zydis->ZydisMnemonicGetString(insn->z.mnemonic);
	size_t i;

	if (name && *name == 'v')
		name++;
	for (i = 0; name && i < nr; i++)
		if (!strncmp(name, names[i], strlen(names[i])))
			return true;
	return false;
}

static bool is_move(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn)
{
	static const char *const moves[] = {
		"mov", "lddqu", "broadcast", "pbroadcast", "pmovzx", "pmovsx",
		"cvt", "gather", "pgather", "expand", "pexpand", "maskmov",
		"pmaskmov",
	};

	return begins(zydis, insn, moves, ARRAY_SIZE(moves));
}

static bool decan_candidates_is_partial(const struct bpmu_zydis *zydis,
					const struct bpmu_insn *insn)
{
	static const char *const partial[] = {
		"movlp", "movhp", "pinsr", "insert",
	};

	return begins(zydis, insn, partial, ARRAY_SIZE(partial));
}

static bool is_divide(const struct bpmu_zydis *zydis,
		      const struct bpmu_insn *insn)
{
	static const char *const divides[] = { "div", "sqrt", "idiv" };

	return begins(zydis, insn, divides, ARRAY_SIZE(divides));
}

static bool has_vector(const struct bpmu_zydis *zydis,
		       const struct bpmu_insn *insn)
{
	unsigned int i;

	for (i = 0; i < insn->z.operand_count_visible; i++)
		if (insn->operand[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    bpmu_register_is_vector(zydis, insn->operand[i].reg.value))
			return true;
	return false;
}

static bool writes_vector(const struct bpmu_zydis *zydis,
			  const struct bpmu_insn *insn)
{
	return insn->operand[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
	       insn->operand[0].actions & ZYDIS_OPERAND_ACTION_MASK_WRITE &&
	       bpmu_register_is_vector(zydis, insn->operand[0].reg.value);
}

static bool is_general(const struct bpmu_zydis *zydis,
		       const struct bpmu_insn *insn)
{
	unsigned int i;

	for (i = 0; i < insn->z.operand_count_visible; i++)
		if (insn->operand[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    !(bit_of(zydis, insn->operand[i].reg.value) &
		      ((1ULL << NR_GENERAL) - 1)))
			return false;
	return true;
}

static bool locks(const struct bpmu_insn *insn)
{
	return insn->z.attributes & ZYDIS_ATTRIB_HAS_LOCK ||
	       insn->z.meta.category == ZYDIS_CATEGORY_SEMAPHORE ||
	       insn->z.meta.category == ZYDIS_CATEGORY_SERIALIZE ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_MFENCE ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_LFENCE ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_SFENCE ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_CPUID ||
	       insn->z.mnemonic == ZYDIS_MNEMONIC_PAUSE ||
	       (insn->z.mnemonic == ZYDIS_MNEMONIC_XCHG &&
		bpmu_insn_memory(insn));
}

/*
 * Returns true if an instruction is of a kind that no variant can remove, such as a call or a jump.
 */
static bool is_other(const struct bpmu_insn *insn)
{
	switch (insn->z.meta.category) {
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_PREFETCH:
	case ZYDIS_CATEGORY_NOP:
	case ZYDIS_CATEGORY_WIDENOP:
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_STRINGOP:
		return true;
	default:
		return locks(insn);
	}
}

/*
 * Chooses the kind of code by which a variant replaces a load or store: sets &bpmu_candidate.form
 * to one of &enum bpmu_patch_form.
 */
static void choose_form(const struct bpmu_zydis *zydis,
			struct bpmu_candidate *candidate)
{
	const struct bpmu_insn *insn = candidate->insn;
	const ZydisDecodedOperand *memory = bpmu_insn_memory(insn);
	bool sse = insn->z.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;

	candidate->form = BPMU_PATCH_NOP;
	if (candidate->type == BPMU_CANDIDATE_STORE)
		return;
	if (candidate->flags & BPMU_CANDIDATE_INTEGER) {
		candidate->flags |= BPMU_CANDIDATE_KEPT;
	} else if (decan_candidates_is_partial(zydis, insn)) {
		candidate->flags |= BPMU_CANDIDATE_PARTIAL |
				    BPMU_CANDIDATE_KEPT;
		if (!sse)
			candidate->form = BPMU_PATCH_MOVE;
	} else if (insn->z.avx.mask.mode == ZYDIS_MASK_MODE_MERGING &&
		   memory->mem.type != ZYDIS_MEMOP_TYPE_VSIB) {
		candidate->flags |= BPMU_CANDIDATE_PARTIAL |
				    BPMU_CANDIDATE_KEPT;
	} else if (is_move(zydis, insn)) {
		candidate->form = BPMU_PATCH_ZERO;
	} else {
		candidate->form = BPMU_PATCH_REGISTER;
		candidate->flags |= BPMU_CANDIDATE_COMPUTES;
		if (is_divide(zydis, insn))
			candidate->flags |= BPMU_CANDIDATE_DIVIDES;
	}
}

static bool classify_memory(const struct bpmu_zydis *zydis,
			    struct bpmu_candidate *candidate, bool integer)
{
	const struct bpmu_insn *insn = candidate->insn;
	const ZydisDecodedOperand *memory = bpmu_insn_memory(insn);
	bool vector = has_vector(zydis, insn);
	bool store = memory->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

	if (!vector && (!integer || !is_general(zydis, insn)))
		return false;
	candidate->type = store ? BPMU_CANDIDATE_STORE : BPMU_CANDIDATE_LOAD;
	if (!vector)
		candidate->flags |= BPMU_CANDIDATE_INTEGER;
	if (writes_flags(insn)) {
		candidate->skipped = "it sets flags";
		return true;
	}
	if (store && memory->actions & ZYDIS_OPERAND_ACTION_MASK_READ) {
		candidate->skipped = "it reads and writes memory";
		return true;
	}
	if (!store && vector && !writes_vector(zydis, insn)) {
		candidate->skipped = "its result is not a vector register";
		return true;
	}
	choose_form(zydis, candidate);
	return true;
}

/*
 * Returns true if a conditional branch of the loop leads, taken or not, to another block of the
 * same iteration: it neither leaves the loop nor goes to the header.
 */
static bool is_inner_branch(const struct bpmu_code *code,
			    const struct bpmu_loop *loop,
			    const struct bpmu_insn *insn)
{
	const struct bpmu_block *block = &code->block[insn->block];
	unsigned int i;

	if (insn->z.meta.category != ZYDIS_CATEGORY_COND_BR)
		return false;
	for (i = 0; i < 2; i++)
		if (block->next[i] == BPMU_LOOP_NONE ||
		    !loop->in[block->next[i]] ||
		    block->next[i] == loop->header)
			return false;
	return true;
}

static bool classify(const struct bpmu_code *code, const struct bpmu_loop *loop,
		     struct bpmu_candidate *candidate, bool integer)
{
	const struct bpmu_zydis *zydis = code->zydis;
	const struct bpmu_insn *insn = candidate->insn;

	candidate->group = BPMU_LOOP_NONE;
	candidate->pattern = BPMU_LOOP_NONE;
	if (is_inner_branch(code, loop, insn)) {
		candidate->type = BPMU_CANDIDATE_BRANCH;
		candidate->form = BPMU_PATCH_FALL;
		return true;
	}
	if (is_other(insn) || insn->z.meta.category == ZYDIS_CATEGORY_COND_BR)
		return false;
	if (bpmu_insn_memory(insn))
		return classify_memory(zydis, candidate, integer);
	if (!writes_vector(zydis, insn) || writes_flags(insn) ||
	    is_move(zydis, insn))
		return false;
	candidate->type = is_divide(zydis, insn) ? BPMU_CANDIDATE_DIVIDE :
			  BPMU_CANDIDATE_ARITHMETIC;
	candidate->form = BPMU_PATCH_FILL;
	return true;
}

/*
 * Finds a vector register that the loop does not use. The code that replaces instructions may use
 * this register. Sets @candidates->with.spare to its number, or to BPMU_PATCH_NO_SPARE.
 */
static void choose_spare(struct bpmu_candidates *candidates,
			 const struct bpmu_code *code,
			 const struct bpmu_loop *loop)
{
	u64 used = 0, kills;
	unsigned int i;
	int v;

	for (i = 0; i < code->nr; i++)
		if (loop->in[code->insn[i].block])
			used |= reads(code->zydis, &code->insn[i]) |
				   writes(code->zydis, &code->insn[i], &kills);
	candidates->with.spare = BPMU_PATCH_NO_SPARE;
	for (v = NR_VECTORS; v-- > 0;)
		if (!(used >> (BIT_VECTOR + v) & 1))
			candidates->with.spare = v;
}

static int make_patch(const struct bpmu_candidates *candidates,
		      const struct bpmu_zydis *zydis,
		      struct bpmu_candidate *candidate)
{
	const char *why;

	if (candidate->skipped ||
	    !bpmu_patch(zydis, candidate->insn, candidate->form,
			&candidates->with, candidate->patch, &why))
		return 0;
	/*
	 * The chosen kind of code, such as a zeroing idiom, needs more bytes than the candidate's
	 * instruction has. NOPs replace the instruction instead: its register keeps the old value.
	 */
	candidate->form = BPMU_PATCH_NOP;
	candidate->flags |= BPMU_CANDIDATE_KEPT;
	return bpmu_patch(zydis, candidate->insn, candidate->form,
			  &candidates->with, candidate->patch,
			  &candidate->skipped);
}

static int decan_candidates_add(struct bpmu_candidates *candidates,
				const struct bpmu_candidate *candidate)
{
	struct bpmu_candidate *grown;

	grown = reallocarray(candidates->candidate, candidates->nr + 1,
			     sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	candidates->candidate = grown;
	grown[candidates->nr++] = *candidate;
	return 0;
}

static int decan_candidates_take(struct bpmu_candidates *candidates,
				 const struct bpmu_code *code, const struct bpmu_loop *loop,
				 const struct bpmu_insn *insn, bool integer)
{
	struct bpmu_candidate candidate = { .insn = insn };
	int ret = 0;

	if (insn->z.meta.category == ZYDIS_CATEGORY_CALL)
		candidates->calls = true;
	if (locks(insn))
		candidates->locks = true;
	if (!classify(code, loop, &candidate, integer))
		return 0;
	make_patch(candidates, code->zydis, &candidate);
	if (candidate.type == BPMU_CANDIDATE_LOAD)
		ret = depends(code, loop, &candidate);
	if (!ret && candidate.type <= BPMU_CANDIDATE_STORE)
		ret = array_key(code, loop, &candidate);
	return ret ? ret : decan_candidates_add(candidates, &candidate);
}

/**
 * bpmu_candidates_init() - find the candidates of a loop: instructions that a variant may remove
 * @candidates: output
 * @code: code of the function; @candidates points to it
 * @loop: a loop of @code
 * @integer: loads and stores without a vector register are candidates, too
 *
 * Return: 0 or a negative errno; @candidates is to be freed with
 * bpmu_candidates_free() in any case.
 */
int bpmu_candidates_init(struct bpmu_candidates *candidates,
			 const struct bpmu_code *code,
			 const struct bpmu_loop *loop, bool integer,
			 struct bpmu_error *err)
{
	unsigned int i;

	*candidates = (struct bpmu_candidates){ };
	choose_spare(candidates, code, loop);
	for (i = 0; i < code->nr; i++)
		if (loop->in[code->insn[i].block] &&
		    decan_candidates_take(candidates, code, loop, &code->insn[i], integer))
			return bpmu_error_no_memory(err, "decan");
	return 0;
}

void bpmu_candidates_free(struct bpmu_candidates *candidates)
{
	free(candidates->candidate);
	free(candidates->group);
}

static bool near(u64 a, u64 b)
{
	return (a > b ? a - b : b - a) < PAGE;
}

static bool same_array(const struct bpmu_candidate *a,
		       const struct bpmu_candidate *b,
		       const struct bpmu_array *of_a,
		       const struct bpmu_array *of_b)
{
	if (of_a->start && of_b->start)
		return of_a->start == of_b->start;
	if (of_a->start || of_b->start)
		return false;
	if (*of_a->name && !strcmp(of_a->name, of_b->name))
		return true;
	if (a->seen && b->seen)
		return near(a->seen, b->seen);
	return a->key == b->key &&
	       near(bpmu_insn_memory(a->insn)->mem.disp.value,
		    bpmu_insn_memory(b->insn)->mem.disp.value);
}

static bool is_grouped(const struct bpmu_candidate *candidate)
{
	return candidate->type == BPMU_CANDIDATE_LOAD && !candidate->skipped;
}

/*
 * Puts candidates @a and @b into one group if they access the same array. @array has what is known
 * of the array of each candidate. @root has, for each candidate, the lowest index of a candidate in
 * the same group.
 */
static void decan_candidates_join(const struct bpmu_candidates *candidates,
				  const struct bpmu_array *array, unsigned int *root,
				  unsigned int a, unsigned int b)
{
	const struct bpmu_candidate *c = candidates->candidate;
	unsigned int high, low, i;

	if (!is_grouped(&c[a]) || !is_grouped(&c[b]) || root[a] == root[b] ||
	    !same_array(&c[a], &c[b], &array[a], &array[b]))
		return;
	low = root[a] < root[b] ? root[a] : root[b];
	high = root[a] < root[b] ? root[b] : root[a];
	for (i = 0; i < candidates->nr; i++)
		if (root[i] == high)
			root[i] = low;
}

static void name_group(struct bpmu_array_group *group,
		       const struct bpmu_candidate *first,
		       const struct bpmu_array *array)
{
	if (*array->name)
		snprintf(group->name, sizeof(group->name), "%s", array->name);
	else if (first->seen)
		snprintf(group->name, sizeof(group->name), "0x%llx",
			 (unsigned long long)first->seen);
	else
		snprintf(group->name, sizeof(group->name), "at_0x%llx",
			 (unsigned long long)first->insn->address);
}

static long long stride_of(const struct bpmu_candidate *candidate)
{
	return candidate->seen && candidate->next ?
	       (long long)(candidate->next - candidate->seen) : 0;
}

/*
 * Makes a group of the loads that access the same array, for each array that at least two loads
 * access. The index of the group is the number of the array.
 */
static void number_arrays(struct bpmu_candidates *candidates,
			  const struct bpmu_array *array,
			  const unsigned int *root)
{
	struct bpmu_candidate *c = candidates->candidate;
	struct bpmu_array_group *group;
	unsigned int i, k, nr;

	for (i = 0; i < candidates->nr; i++) {
		for (k = i, nr = 0; k < candidates->nr; k++)
			nr += root[k] == i && is_grouped(&c[k]);
		if (nr < 2)
			continue;
		group = &candidates->group[candidates->nr_groups];
		group->nr = nr;
		group->stride = stride_of(&c[i]);
		name_group(group, &c[i], &array[i]);
		for (k = i; k < candidates->nr; k++) {
			if (root[k] != i)
				continue;
			c[k].group = candidates->nr_groups;
			if (stride_of(&c[k]) != group->stride)
				group->stride = 0;
		}
		candidates->nr_groups++;
	}
}

/*
 * Returns true if no candidate before candidate @i is a load from the same array with the same
 * stride.
 */
static bool decan_candidates_is_first(const struct bpmu_candidates *candidates,
				      const unsigned int *root, unsigned int i)
{
	unsigned int k;

	for (k = 0; k < i; k++)
		if (root[k] == root[i] && is_grouped(&candidates->candidate[k]) &&
		    stride_of(&candidates->candidate[k]) ==
		    stride_of(&candidates->candidate[i]))
			return false;
	return true;
}

static void add_group_name(struct bpmu_array_group *group, unsigned int nr,
			   const struct bpmu_candidate *candidate,
			   const struct bpmu_array *array)
{
	struct bpmu_array_group one = { };
	size_t len = strlen(group->name);

	name_group(&one, candidate, array);
	snprintf(group->name + len, sizeof(group->name) - len, "%s%s",
		 nr ? "_" : "", one.name);
}

/*
 * Makes groups of loads that access several arrays with the same stride, larger than a cache line.
 * The misses of such loads overlap in time, so that a variant without one of them saves little.
 */
static void group_strides(struct bpmu_candidates *candidates,
			  const struct bpmu_array *array,
			  const unsigned int *root)
{
	struct bpmu_candidate *c = candidates->candidate;
	struct bpmu_array_group *group;
	unsigned int i, k, arrays;

	for (i = 0; i < candidates->nr; i++) {
		group = &candidates->group[candidates->nr_groups];
		*group = (struct bpmu_array_group){ .stride = stride_of(&c[i]) };
		if (!is_grouped(&c[i]) || llabs(group->stride) <= LINE ||
		    c[i].pattern != BPMU_LOOP_NONE)
			continue;
		for (k = i, arrays = 0; k < candidates->nr; k++) {
			if (!is_grouped(&c[k]) ||
			    stride_of(&c[k]) != group->stride)
				continue;
			group->nr++;
			if (decan_candidates_is_first(candidates, root, k))
				add_group_name(group, arrays++, &c[k],
					       &array[k]);
		}
		if (arrays < 2)
			continue;
		for (k = i; k < candidates->nr; k++)
			if (is_grouped(&c[k]) &&
			    stride_of(&c[k]) == group->stride)
				c[k].pattern = candidates->nr_groups;
		candidates->nr_groups++;
	}
}

/**
 * bpmu_candidates_group() - group candidates: loads of the same array, and loads with equal strides
 * @candidates: candidates of a loop, with the addresses that they access; groups are added
 * @array: function that is called for each load, and sets @found to the variable that the load
 *	reads
 * @data: first argument of @array
 */
int bpmu_candidates_group(struct bpmu_candidates *candidates,
			  void (*array)(void *data,
					const struct bpmu_candidate *candidate,
					struct bpmu_array *found),
			  void *data, struct bpmu_error *err)
{
	struct bpmu_array *found = calloc(candidates->nr + 1, sizeof(*found));
	unsigned int *root = calloc(candidates->nr + 1, sizeof(*root));
	unsigned int i, k;
	int ret;

	/*
	 * There are at most this many groups: a load is in no more than two, that of its array and
	 * that of its stride.
	 */
	candidates->group = calloc(2 * candidates->nr + 1,
				   sizeof(*candidates->group));
	ret = found && root && candidates->group ? 0 : -ENOMEM;

	for (i = 0; i < candidates->nr && !ret; i++) {
		root[i] = i;
		array(data, &candidates->candidate[i], &found[i]);
	}
	for (i = 0; i < candidates->nr && !ret; i++)
		for (k = i + 1; k < candidates->nr; k++)
			decan_candidates_join(candidates, found, root, i, k);
	if (!ret) {
		number_arrays(candidates, found, root);
		group_strides(candidates, found, root);
	}
	free(found);
	free(root);
	return ret ? bpmu_error_no_memory(err, "decan") : 0;
}

/**
 * bpmu_candidate_notes() - format the flags of a candidate as words
 * @candidate: the instruction that the variant removes
 * @text: output: names of the flags, separated by spaces; "" without flags
 *
 * Return: @text.
 */
const char *bpmu_candidate_notes(const struct bpmu_candidate *candidate,
				 char text[BPMU_GROUP_NAME])
{
	static const struct {
		unsigned int flag;
		const char *word;
	} words[] = {
		{ BPMU_CANDIDATE_CONTROL, "control" },
		{ BPMU_CANDIDATE_ADDRESS, "address" },
		{ BPMU_CANDIDATE_PARTIAL, "keeps-half" },
		{ BPMU_CANDIDATE_KEPT, "dependence-kept" },
	};
	unsigned int i;
	size_t len = 0;

	*text = '\0';
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (candidate->flags & words[i].flag)
			len += snprintf(text + len, BPMU_GROUP_NAME - len,
					"%s%s", len ? " " : "", words[i].word);
	return text;
}
