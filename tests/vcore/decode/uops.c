// SPDX-License-Identifier: GPL-2.0
/*
 * Builds the uops of an instruction: a load uop for each memory operand that is read, the uops of
 * the cost tables, and an STA and an STD uop for a memory operand that is written.
 *
 * PUSH, POP, CALL and RET have no uop that updates RSP, because the stack engine updates it.
 */
#include "costs.h"
#include "decode.h"

#define MODE ZYDIS_MACHINE_MODE_LONG_64
#define MAX_REGS 6
#define COMPLEX_UOPS 4
#define STATUS_FLAGS (ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | \
		      ZYDIS_CPUFLAG_ZF | ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF)
#define READS (ZYDIS_OPERAND_ACTION_MASK_READ | ZYDIS_OPERAND_ACTION_CONDWRITE)
#define MAX_LOADS 2

/*
 * Temporary registers within an instruction: loaded operand i, the result of the uop before, and
 * the data to store.
 */
#define LOADED(i) (VCORE_REG_TEMP + (i))
#define CHAINED (VCORE_REG_TEMP + 2)
#define TO_STORE (VCORE_REG_TEMP + 3)

/* Cycles of latency, and number of filler uops, that a LOCK adds to a memory access. */
#define LOCK_LATENCY 14
#define LOCK_FILLER 5

/*
 * Cycles by which indexed loads and vector loads take longer than other loads (Optimization Manual,
 * section 2.3.5.2).
 */
#define LOAD_INDEXED 1
#define LOAD_VECTOR 2
#define LOAD_YMM 3

struct regs {
	unsigned int nr;
	uint8_t reg[MAX_REGS];
};

/**
 * struct builder - an instruction whose uops are being built
 * @out: decoded instruction to which uops are added
 * @in: the instruction as Zydis has decoded it
 * @operand: operands of the instruction
 * @cost: cost of the instruction, from the tables
 * @sources: source registers, except those of addresses
 * @results: destination registers
 * @load: source operands in memory
 * @nr_loads: number of entries in @load
 * @store: destination operand in memory, or NULL
 */
struct builder {
	struct vcore_insn *out;
	const ZydisDecodedInstruction *in;
	const ZydisDecodedOperand *operand;
	struct vcore_cost cost;
	struct regs sources;
	struct regs results;
	const ZydisDecodedOperand *load[MAX_LOADS];
	unsigned int nr_loads;
	const ZydisDecodedOperand *store;
};

static void add_register(struct regs *regs, unsigned int reg)
{
	unsigned int i;

	for (i = 0; i < regs->nr; i++)
		if (regs->reg[i] == reg)
			return;
	if (reg && regs->nr < MAX_REGS)
		regs->reg[regs->nr++] = reg;
}

/**
 * vcore_reg_of() - convert a register of Zydis to one that carries dependences between uops
 * @reg: register as Zydis numbers it, of any width
 *
 * Return: &enum vcore_reg; VCORE_REG_NONE if the register carries no dependence.
 */
unsigned int vcore_reg_of(ZydisRegister reg)
{
	unsigned int id;

	reg = ZydisRegisterGetLargestEnclosing(MODE, reg) ?: reg;
	id = ZydisRegisterGetId(reg);
	switch (ZydisRegisterGetClass(reg)) {
	case ZYDIS_REGCLASS_GPR64:
		return VCORE_REG_GP + id;
	case ZYDIS_REGCLASS_XMM:
	case ZYDIS_REGCLASS_YMM:
	case ZYDIS_REGCLASS_ZMM:
		return VCORE_REG_VECTOR + id % 16;
	case ZYDIS_REGCLASS_X87:
	case ZYDIS_REGCLASS_MMX:
		return VCORE_REG_X87 + id % 8;
	case ZYDIS_REGCLASS_SEGMENT:
	case ZYDIS_REGCLASS_CONTROL:
	case ZYDIS_REGCLASS_DEBUG:
	case ZYDIS_REGCLASS_MASK:
		return VCORE_REG_OTHER;
	default:
		return VCORE_REG_NONE;
	}
}

static bool is_register(const ZydisDecodedOperand *operand)
{
	return operand->type == ZYDIS_OPERAND_TYPE_REGISTER;
}

static bool is_vector(const ZydisDecodedOperand *operand)
{
	return is_register(operand) &&
	       vcore_reg_of(operand->reg.value) >= VCORE_REG_VECTOR &&
	       vcore_reg_of(operand->reg.value) < VCORE_REG_X87;
}

static bool is_general(const ZydisDecodedOperand *operand)
{
	return is_register(operand) &&
	       vcore_reg_of(operand->reg.value) < VCORE_REG_FLAGS;
}

/* Returns true if the operand is the implicit RSP of a stack instruction, which no uop updates. */
static bool is_stack_engine_rsp(const struct builder *b,
				const ZydisDecodedOperand *operand)
{
	switch (b->in->meta.category) {
	case ZYDIS_CATEGORY_PUSH:
	case ZYDIS_CATEGORY_POP:
	case ZYDIS_CATEGORY_CALL:
	case ZYDIS_CATEGORY_RET:
		return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
		       operand->reg.value == ZYDIS_REGISTER_RSP;
	default:
		return false;
	}
}

static void register_operand(struct builder *b,
			     const ZydisDecodedOperand *operand)
{
	unsigned int reg = vcore_reg_of(operand->reg.value);
	bool written = operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
	bool partial = reg < VCORE_REG_FLAGS && operand->size < 32;
	bool merges = operand == b->operand && is_vector(operand) &&
		      b->cost.traits & VCORE_MERGES &&
		      b->in->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;

	if (is_stack_engine_rsp(b, operand))
		return;
	if (operand->actions & READS || (written && (partial || merges)))
		add_register(&b->sources, reg);
	if (written)
		add_register(&b->results, reg);
}

static void memory_operand(struct builder *b,
			   const ZydisDecodedOperand *operand)
{
	if (operand->mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
		add_register(&b->sources, vcore_reg_of(operand->mem.base));
		add_register(&b->sources, vcore_reg_of(operand->mem.index));
		return;
	}
	if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_READ && b->nr_loads < MAX_LOADS)
		b->load[b->nr_loads++] = operand;
	if (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
		b->store = operand;
}

static void collect_operands(struct builder *b)
{
	const ZydisAccessedFlags *flags = b->in->cpu_flags;
	unsigned int i;

	for (i = 0; i < b->in->operand_count; i++) {
		if (is_register(&b->operand[i]))
			register_operand(b, &b->operand[i]);
		else if (b->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY)
			memory_operand(b, &b->operand[i]);
	}
	if (flags->tested & STATUS_FLAGS)
		add_register(&b->sources, VCORE_REG_FLAGS);
	if ((flags->modified | flags->set_0 | flags->set_1) & STATUS_FLAGS)
		add_register(&b->results, VCORE_REG_FLAGS);
}

static struct vcore_uop *new_uop(struct builder *b, enum vcore_uop_type type,
				 unsigned int ports)
{
	struct vcore_uop *uop = &b->out->uop[b->out->nr_uops++];

	uop->type = type;
	uop->ports = ports;
	return uop;
}

static void add_source(struct vcore_uop *uop, unsigned int reg)
{
	unsigned int i;

	for (i = 0; i < VCORE_MAX_SOURCES; i++)
		if (!uop->source[i]) {
			uop->source[i] = reg;
			return;
		}
}

static void add_result(struct vcore_uop *uop, unsigned int reg)
{
	uop->result[!!uop->result[0]] = reg;
}

static void add_sources(struct vcore_uop *uop, const struct regs *regs)
{
	unsigned int i;

	for (i = 0; i < regs->nr; i++)
		add_source(uop, regs->reg[i]);
}

static void add_address_sources(struct vcore_uop *uop,
				const ZydisDecodedOperand *operand)
{
	if (vcore_reg_of(operand->mem.base))
		add_source(uop, vcore_reg_of(operand->mem.base));
	if (vcore_reg_of(operand->mem.index))
		add_source(uop, vcore_reg_of(operand->mem.index));
}

static unsigned int load_latency(const struct builder *b,
				 const ZydisDecodedOperand *operand)
{
	if (operand->size == 256)
		return LOAD_YMM;
	if (is_register(b->operand) &&
	    vcore_reg_of(b->operand->reg.value) >= VCORE_REG_VECTOR)
		return LOAD_VECTOR;
	return operand->mem.index ? LOAD_INDEXED : 0;
}

static void load_uop(struct builder *b, unsigned int i, unsigned int result)
{
	struct vcore_uop *load = new_uop(b, VCORE_LOAD, VCORE_P23);

	load->latency = load_latency(b, b->load[i]);
	add_address_sources(load, b->load[i]);
	add_result(load, result);
}

static void load_uops(struct builder *b)
{
	unsigned int i;

	for (i = 0; i < b->nr_loads; i++)
		load_uop(b, i, LOADED(i));
}

/*
 * Returns true if micro-fused uops stay fused until retirement. If the operand has an index
 * register, issue separates the uops again (unlamination; Optimization Manual, section 2.3.2.4).
 */
static bool stays_fused(const ZydisDecodedOperand *operand)
{
	return !operand->mem.index;
}

static struct vcore_uop *store_uops(struct builder *b)
{
	struct vcore_uop *address = new_uop(b, VCORE_STA, VCORE_P23);
	struct vcore_uop *data = new_uop(b, VCORE_STD, VCORE_P4);

	address->latency = 1;
	add_address_sources(address, b->store);
	data->latency = 1;
	data->fused = stays_fused(b->store);
	return data;
}

/*
 * Adds destination registers to a uop. Every uop but the last writes a temporary register that the
 * next uop reads. If the instruction has more destination registers than the last uop can write,
 * uops before it write the others.
 */
static void set_results(struct builder *b, struct vcore_uop *uop, bool last)
{
	if (!last)
		add_result(uop, CHAINED);
	while (b->results.nr && !uop->result[1] &&
	       (last || b->results.nr > VCORE_MAX_RESULTS))
		add_result(uop, b->results.reg[--b->results.nr]);
}

static void compute_uop(struct builder *b, unsigned int k)
{
	const struct vcore_cost *cost = &b->cost;
	unsigned int independent = cost->nr > cost->latency ? cost->nr - cost->latency : 0;
	struct vcore_uop *alu = new_uop(b, VCORE_ALU, k ? cost->more : cost->ports);
	unsigned int i;

	alu->latency = k == independent ? cost->latency - (cost->nr - 1 - independent) : 1;
	alu->fused = !k && b->nr_loads && stays_fused(b->load[0]);
	if (!k) {
		alu->divides = cost->divides;
		alu->compute = cost->compute;
	}
	if (k > independent) {
		add_source(alu, CHAINED);
	} else {
		for (i = 0; i < b->nr_loads; i++)
			add_source(alu, LOADED(i));
		add_sources(alu, &b->sources);
	}
	if (k >= independent)
		set_results(b, alu, k + 1 == cost->nr);
}

static void load_compute_store(struct builder *b)
{
	/* The STD uop of a CALL stores the return address, so that it waits for no other uop. */
	bool calls = b->in->meta.category == ZYDIS_CATEGORY_CALL;
	struct vcore_uop *data;
	unsigned int k;

	if (b->out->locked) {
		b->cost.latency += LOCK_LATENCY;
		b->cost.filler += LOCK_FILLER;
	}
	if (b->store && !calls)
		add_register(&b->results, TO_STORE);
	load_uops(b);
	for (k = 0; k < b->cost.nr; k++)
		compute_uop(b, k);
	if (!b->store)
		return;
	data = store_uops(b);
	if (!calls)
		add_source(data, TO_STORE);
}

static bool is_eliminated(const struct builder *b)
{
	const ZydisDecodedOperand *to = &b->operand[0];
	const ZydisDecodedOperand *from = &b->operand[1];

	if (!(b->cost.traits & VCORE_ELIMINATED))
		return false;
	if (is_vector(to))
		return is_vector(from);
	if (b->in->mnemonic == ZYDIS_MNEMONIC_MOVZX)
		return from->size == 8 &&
		       (from->reg.value < ZYDIS_REGISTER_AH ||
			from->reg.value > ZYDIS_REGISTER_BH);
	return is_general(to) && is_general(from) && to->size >= 32;
}

static void portless_uop(struct builder *b, bool depends)
{
	struct vcore_uop *none = new_uop(b, VCORE_NONE, 0);

	if (depends)
		add_sources(none, &b->sources);
	while (b->results.nr && !none->result[1])
		add_result(none, b->results.reg[--b->results.nr]);
}

static void move_uops(struct builder *b)
{
	struct vcore_uop *data;

	if (!b->nr_loads && !b->store) {
		if (is_eliminated(b))
			portless_uop(b, true);
		else
			compute_uop(b, 0);
		return;
	}
	if (b->nr_loads)
		load_uop(b, 0, b->store ? LOADED(0) : b->results.reg[0]);
	if (!b->store)
		return;
	data = store_uops(b);
	if (b->nr_loads)
		add_source(data, LOADED(0));
	else
		add_sources(data, &b->sources);
}

/*
 * Builds the uops of one iteration of a string instruction. The uops that update RSI and RDI do not
 * wait for the loaded data.
 */
static void string_uops(struct builder *b)
{
	const ZydisMnemonic m = b->in->mnemonic;
	bool loaded = m >= ZYDIS_MNEMONIC_LODSB && m <= ZYDIS_MNEMONIC_LODSW;
	struct vcore_uop *data;
	struct vcore_uop *alu;

	if (loaded)
		load_uop(b, 0, VCORE_REG_GP);
	else
		load_uops(b);
	if (b->nr_loads && !loaded && !b->store) {
		alu = new_uop(b, VCORE_ALU, VCORE_P015);
		alu->latency = 1;
		add_source(alu, LOADED(0));
		add_source(alu, b->nr_loads > 1 ? LOADED(1) : VCORE_REG_GP);
		add_result(alu, VCORE_REG_FLAGS);
	}
	if (b->store) {
		data = store_uops(b);
		add_source(data, b->nr_loads ? LOADED(0) : VCORE_REG_GP);
	}
	alu = new_uop(b, VCORE_ALU, VCORE_P015);
	alu->latency = 1;
	if (b->nr_loads) {
		add_source(alu, vcore_reg_of(b->load[0]->mem.base));
		add_result(alu, vcore_reg_of(b->load[0]->mem.base));
	}
	if (b->store || b->nr_loads > 1) {
		add_source(alu, vcore_reg_of(ZYDIS_REGISTER_RDI));
		add_result(alu, vcore_reg_of(ZYDIS_REGISTER_RDI));
	}
}

/*
 * Sets the cost of the slow forms of LEA, which take 3 cycles on one port (Optimization Manual,
 * section 3.5.1.3). A base of RBP or R13 with an index is slow, too: it has always a displacement.
 */
static void lea_uops(struct builder *b)
{
	const ZydisDecodedOperandMem *mem = &b->operand[1].mem;
	bool three = mem->base && mem->index && mem->disp.has_displacement;

	if (!three && mem->base != ZYDIS_REGISTER_RIP)
		return;
	b->cost.ports = VCORE_P1;
	b->cost.latency = 3;
}

static bool is_zero_idiom(const struct builder *b)
{
	unsigned int nr = b->in->operand_count_visible;
	const ZydisDecodedOperand *last = &b->operand[nr - 1];

	return b->cost.traits & VCORE_ZEROES && nr >= 2 &&
	       is_register(last) && is_register(last - 1) &&
	       last->reg.value == last[-1].reg.value && last->size >= 32;
}

static void count_slots(struct builder *b)
{
	struct vcore_insn *out = b->out;
	unsigned int i;

	out->filler = b->cost.filler;
	out->nr_slots = out->filler;
	for (i = 0; i < out->nr_uops; i++)
		out->nr_slots += !out->uop[i].fused;
	out->microcoded = out->rep || out->nr_slots > COMPLEX_UOPS;
}

/**
 * vcore_uops() - build the uops of an instruction
 * @insn: input and output: &vcore_insn.locked and &vcore_insn.rep must have been set
 * @decoded: decoded instruction
 * @operand: its operands
 */
void vcore_uops(struct vcore_insn *insn, const ZydisDecodedInstruction *decoded,
		const ZydisDecodedOperand *operand)
{
	struct builder b = {
		.out = insn,
		.in = decoded,
		.operand = operand,
		.cost = vcore_cost(decoded, operand),
	};

	collect_operands(&b);
	if (decoded->mnemonic == ZYDIS_MNEMONIC_LEA)
		lea_uops(&b);
	if (b.cost.traits & VCORE_NO_PORT)
		portless_uop(&b, false);
	else if (is_zero_idiom(&b))
		portless_uop(&b, false);
	else if (b.cost.traits & VCORE_PREFETCHES)
		load_uop(&b, 0, VCORE_REG_NONE);
	else if (b.cost.traits & VCORE_STRING)
		string_uops(&b);
	else if (b.cost.traits & VCORE_MOVES)
		move_uops(&b);
	else
		load_compute_store(&b);
	count_slots(&b);
	vcore_traits(insn, decoded, operand, b.cost.traits);
}
