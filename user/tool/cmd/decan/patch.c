// SPDX-License-Identifier: GPL-2.0
#include "patch.h"

#include <errno.h>
#include <string.h>

/* Operand-size prefix, by which a multi-byte NOP gets longer */
#define PREFIX_PAD 0x66
#define REX 0x40
#define REX_X 0x02
#define REX_B 0x01
#define JMP_SHORT 0xeb
#define JMP_NEAR 0xe9
#define JMP_SHORT_LENGTH 2
#define JMP_NEAR_LENGTH 5

/**
 * bpmu_insn_memory() - memory operand of an instruction that a patch removes
 * @insn: valid instruction
 *
 * Return: the operand; NULL if the instruction has no explicit memory operand.
 */
const ZydisDecodedOperand *bpmu_insn_memory(const struct bpmu_insn *insn)
{
	unsigned int i;

	for (i = 0; i < insn->z.operand_count_visible; i++)
		if (insn->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
		    (insn->operand[i].mem.type == ZYDIS_MEMOP_TYPE_MEM ||
		     insn->operand[i].mem.type == ZYDIS_MEMOP_TYPE_VSIB))
			return &insn->operand[i];
	return NULL;
}

/**
 * bpmu_register_is_vector() - check if a register of a patched instruction is XMM, YMM or ZMM
 */
bool bpmu_register_is_vector(const struct bpmu_zydis *zydis, ZydisRegister reg)
{
	ZydisRegisterClass class = zydis->ZydisRegisterGetClass(reg);

	return class == ZYDIS_REGCLASS_XMM || class == ZYDIS_REGCLASS_YMM ||
	       class == ZYDIS_REGCLASS_ZMM;
}

static int fail_length(const char **why)
{
	*why = "its replacement is longer";
	return -ENOTSUP;
}

/*
 * Encodes @request, the replacement of an instruction, into @bytes, and adds NOPs up to the length
 * of the instruction. Returns 0. Returns -ENOTSUP, with *@why set, if the replacement cannot be
 * encoded or is longer than the instruction.
 */
static int decan_patch_put(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
			   const ZydisEncoderRequest *request, u8 *bytes, const char **why)
{
	ZyanUSize length = ZYDIS_MAX_INSTRUCTION_LENGTH;
	u8 made[ZYDIS_MAX_INSTRUCTION_LENGTH];

	if (ZYAN_FAILED(zydis->ZydisEncoderEncodeInstruction(request, made,
							     &length))) {
		*why = "its replacement cannot be encoded";
		return -ENOTSUP;
	}
	if (length > insn->length)
		return fail_length(why);
	memcpy(bytes, made, length);
	if (length < insn->length)
		zydis->ZydisEncoderNopFill(bytes + length,
					   insn->length - length);
	return 0;
}

static int put_registers(const struct bpmu_zydis *zydis,
			 const struct bpmu_insn *insn, ZydisMnemonic mnemonic,
			 const ZydisRegister *reg, unsigned int nr, u8 *bytes,
			 const char **why)
{
	ZydisEncoderRequest request = {
		.machine_mode = ZYDIS_MACHINE_MODE_LONG_64,
		.mnemonic = mnemonic, .operand_count = nr,
	};
	unsigned int i;

	for (i = 0; i < nr; i++) {
		request.operands[i].type = ZYDIS_OPERAND_TYPE_REGISTER;
		request.operands[i].reg.value = reg[i];
	}
	return decan_patch_put(zydis, insn, &request, bytes, why);
}

static int decan_patch_fill(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
			    u8 *bytes)
{
	zydis->ZydisEncoderNopFill(bytes, insn->length);
	return 0;
}

/*
 * Writes to @bytes a multi-byte NOP (0F 1F) that is as long as the instruction. The NOP has the
 * instruction's ModRM, SIB and displacement, and so the same memory operand. The bytes before the
 * ModRM become prefixes of the NOP. The bytes of an immediate become further NOPs. Returns 0.
 */
static int patch_nop(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
		     u8 *bytes)
{
	const ZydisDecodedOperand *memory = bpmu_insn_memory(insn);
	unsigned int head = insn->z.raw.modrm.offset;
	unsigned int tail, at = 0;
	u8 rex = 0;

	if (!memory || !head)
		return decan_patch_fill(zydis, insn, bytes);
	if (memory->mem.base != ZYDIS_REGISTER_RIP &&
	    zydis->ZydisRegisterGetId(memory->mem.base) >= 8)
		rex |= REX | REX_B;
	if (zydis->ZydisRegisterGetId(memory->mem.index) >= 8 &&
	    zydis->ZydisRegisterGetId(memory->mem.index) & 8)
		rex |= REX | REX_X;
	if (head < 2U + !!rex)
		return decan_patch_fill(zydis, insn, bytes);
	while (at + 2 + !!rex < head)
		bytes[at++] = PREFIX_PAD;
	if (rex)
		bytes[at++] = rex;
	bytes[at++] = 0x0f;
	bytes[at++] = 0x1f;
	tail = 1 + (insn->z.raw.sib.offset ? 1 : 0) +
	       insn->z.raw.disp.size / 8;
	memcpy(bytes + at, insn->bytes + head, tail);
	at += tail;
	if (at < insn->length)
		zydis->ZydisEncoderNopFill(bytes + at, insn->length - at);
	return 0;
}

static ZydisRegister vector(const struct bpmu_zydis *zydis,
			    ZydisRegisterClass class, int number)
{
	return zydis->ZydisRegisterEncode(class, number);
}

/*
 * Writes to @bytes a zeroing idiom for the destination register of an instruction: PXOR, VPXOR or
 * VPXORD. If the instruction is too short for PXOR, the zeroing idiom is XORPS, which is one byte
 * shorter and also ends the dependence on the register's old value. Returns 0; or -ENOTSUP with
 * *@why set.
 */
static int patch_zero(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
		      u8 *bytes, const char **why)
{
	ZydisRegister to = insn->operand[0].reg.value;
	int number = zydis->ZydisRegisterGetId(to);
	ZydisRegister xmm = vector(zydis, ZYDIS_REGCLASS_XMM, number);
	ZydisRegister reg[3] = { xmm, xmm, xmm };

	if (insn->z.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY) {
		if (!put_registers(zydis, insn, ZYDIS_MNEMONIC_PXOR, reg, 2,
				   bytes, why))
			return 0;
		return put_registers(zydis, insn, ZYDIS_MNEMONIC_XORPS, reg, 2,
				     bytes, why);
	}
	if (number >= 16)
		return put_registers(zydis, insn, ZYDIS_MNEMONIC_VPXORD,
				     (ZydisRegister[]){ to, ZYDIS_REGISTER_K0,
							to, to }, 4, bytes,
				     why);
	if (!put_registers(zydis, insn, ZYDIS_MNEMONIC_VPXOR, reg, 3, bytes,
			   why))
		return 0;
	reg[1] = ZYDIS_REGISTER_XMM0;
	reg[2] = ZYDIS_REGISTER_XMM0;
	return put_registers(zydis, insn, ZYDIS_MNEMONIC_VPXOR, reg, 3, bytes,
			     why);
}

static ZydisRegisterClass class_of_bits(unsigned int bits)
{
	return bits > 256 ? ZYDIS_REGCLASS_ZMM :
	       bits > 128 ? ZYDIS_REGCLASS_YMM : ZYDIS_REGCLASS_XMM;
}

static bool is_broadcast(const struct bpmu_insn *insn)
{
	return insn->z.avx.broadcast.mode && !insn->z.avx.broadcast.is_static;
}

static int make_request(const struct bpmu_zydis *zydis,
			const struct bpmu_insn *insn,
			ZydisEncoderRequest *request, const char **why)
{
	if (ZYAN_SUCCESS(zydis->ZydisEncoderDecodedInstructionToEncoderRequest(
				&insn->z, insn->operand,
				insn->z.operand_count_visible, request)))
		return 0;
	*why = "it cannot be encoded again";
	return -ENOTSUP;
}

/*
 * Returns the number of the register that replaces an instruction's memory operand. If possible,
 * this is register @spare, which the loop does not write, so that the instruction does not wait for
 * it. Otherwise it is another source operand of the instruction, for which the instruction waits in
 * any case.
 */
static int other_source(const struct bpmu_zydis *zydis,
			const struct bpmu_insn *insn, int spare)
{
	const ZydisDecodedOperand *operand;
	unsigned int i;

	/* SSE and VEX encode registers 0 to 15 only; EVEX encodes 32 registers. */
	if (spare >= 0 && (spare < 16 || insn->z.encoding ==
			   ZYDIS_INSTRUCTION_ENCODING_EVEX))
		return spare;
	for (i = insn->z.operand_count_visible; i-- > 0;) {
		operand = &insn->operand[i];
		if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    bpmu_register_is_vector(zydis, operand->reg.value))
			return zydis->ZydisRegisterGetId(operand->reg.value);
	}
	return 0;
}

static int patch_register(const struct bpmu_zydis *zydis,
			  const struct bpmu_insn *insn, int spare, u8 *bytes,
			  const char **why)
{
	const ZydisDecodedOperand *memory = bpmu_insn_memory(insn);
	unsigned int bits = is_broadcast(insn) ? insn->z.avx.vector_length :
			    memory->size;
	ZydisEncoderRequest request;
	ZydisEncoderOperand *operand;
	int ret = make_request(zydis, insn, &request, why);

	if (ret)
		return ret;
	operand = &request.operands[memory - insn->operand];
	*operand = (ZydisEncoderOperand){ .type = ZYDIS_OPERAND_TYPE_REGISTER };
	operand->reg.value = vector(zydis, class_of_bits(bits),
				    other_source(zydis, insn, spare));
	request.evex.broadcast = ZYDIS_BROADCAST_MODE_INVALID;
	ret = decan_patch_put(zydis, insn, &request, bytes, why);
	/*
	 * The number of the register @spare may be 8 or more, and need a longer encoding. Then the
	 * memory operand is replaced by another source operand of the instruction.
	 */
	if (ret && spare != BPMU_PATCH_NO_SPARE)
		return patch_register(zydis, insn, BPMU_PATCH_NO_SPARE, bytes,
				      why);
	return ret;
}

static bool is_evex(const struct bpmu_insn *insn)
{
	return insn->z.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
}

/*
 * Returns true if only EVEX can encode a register: a ZMM register, or one with a number above 15.
 */
static bool needs_evex(const struct bpmu_zydis *zydis, ZydisRegister reg)
{
	return zydis->ZydisRegisterGetClass(reg) == ZYDIS_REGCLASS_ZMM ||
	       zydis->ZydisRegisterGetId(reg) >= 16;
}

/*
 * Writes to @bytes a move from another register in place of a load. VMOVHPS and VMOVLPS load half a
 * register, and copy the other half from their second operand. In their place, the move copies the
 * whole second operand. Returns 0; or -ENOTSUP with *@why set.
 */
static int decan_patch_move(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
			    int spare, u8 *bytes, const char **why)
{
	ZydisRegister to = insn->operand[0].reg.value;
	bool kept = insn->operand[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
		    bpmu_register_is_vector(zydis, insn->operand[1].reg.value);
	bool sse = insn->z.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;
	ZydisRegister reg[2] = { to };
	int from;

	from = kept ? zydis->ZydisRegisterGetId(insn->operand[1].reg.value) :
	       other_source(zydis, insn, spare);
	reg[1] = vector(zydis, zydis->ZydisRegisterGetClass(to), from);
	if (needs_evex(zydis, to))
		return put_registers(zydis, insn, ZYDIS_MNEMONIC_VMOVAPS,
				     (ZydisRegister[]){ to, ZYDIS_REGISTER_K0,
							reg[1] }, 3, bytes,
				     why);
	return put_registers(zydis, insn, sse ? ZYDIS_MNEMONIC_MOVAPS :
			     ZYDIS_MNEMONIC_VMOVAPS, reg, 2, bytes, why);
}

static int patch_stack(const struct bpmu_zydis *zydis,
		       const struct bpmu_insn *insn, int slot, u8 *bytes,
		       const char **why)
{
	const ZydisDecodedOperand *memory = bpmu_insn_memory(insn);
	ZydisEncoderRequest request;
	ZydisEncoderOperand *operand;
	int ret = make_request(zydis, insn, &request, why);

	if (ret)
		return ret;
	if (memory->mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
		*why = "a gather has many addresses";
		return -ENOTSUP;
	}
	operand = &request.operands[memory - insn->operand];
	operand->mem.base = ZYDIS_REGISTER_RSP;
	operand->mem.index = ZYDIS_REGISTER_NONE;
	operand->mem.scale = 0;
	operand->mem.displacement = slot;
	return decan_patch_put(zydis, insn, &request, bytes, why);
}

/*
 * Returns the mnemonic of a load of the memory operand of @insn, an arithmetic instruction. The
 * operand has @bits bits. With @broadcast the load copies the operand to all elements of its
 * register.
 */
static ZydisMnemonic load_of(const struct bpmu_insn *insn, unsigned int bits,
			     bool broadcast)
{
	bool sse = insn->z.encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY;

	if (broadcast)
		return bits == 32 ? ZYDIS_MNEMONIC_VBROADCASTSS :
		       ZYDIS_MNEMONIC_VBROADCASTSD;
	switch (bits) {
	case 32:
		return sse ? ZYDIS_MNEMONIC_MOVSS : ZYDIS_MNEMONIC_VMOVSS;
	case 64:
		return sse ? ZYDIS_MNEMONIC_MOVSD : ZYDIS_MNEMONIC_VMOVSD;
	default:
		return sse ? ZYDIS_MNEMONIC_MOVUPS : ZYDIS_MNEMONIC_VMOVUPS;
	}
}

static int patch_load(const struct bpmu_zydis *zydis,
		      const struct bpmu_insn *insn, u8 *bytes, const char **why)
{
	const ZydisDecodedOperand *memory = bpmu_insn_memory(insn);
	bool broadcast = is_broadcast(insn);
	ZydisEncoderRequest request;
	ZydisEncoderOperand source;
	int number = zydis->ZydisRegisterGetId(insn->operand[0].reg.value);
	int ret = make_request(zydis, insn, &request, why);
	unsigned int bits;

	if (ret)
		return ret;
	source = request.operands[memory - insn->operand];
	bits = broadcast ? 8 * source.mem.size : memory->size;
	memset(&request, 0, sizeof(request));
	request.machine_mode = ZYDIS_MACHINE_MODE_LONG_64;
	request.mnemonic = load_of(insn, bits, broadcast);
	request.operand_count = 2;
	request.operands[0].type = ZYDIS_OPERAND_TYPE_REGISTER;
	request.operands[0].reg.value =
		vector(zydis, broadcast ?
		       class_of_bits(insn->z.avx.vector_length) :
		       class_of_bits(bits), number);
	request.operands[1] = source;
	/* With EVEX the second operand is the mask register: K0 for no mask. */
	if (is_evex(insn)) {
		request.operand_count = 3;
		request.operands[2] = source;
		request.operands[1] = (ZydisEncoderOperand){
			.type = ZYDIS_OPERAND_TYPE_REGISTER,
			.reg.value = ZYDIS_REGISTER_K0,
		};
	}
	return decan_patch_put(zydis, insn, &request, bytes, why);
}

static void put_offset(u8 *bytes, u64 offset, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		bytes[i] = offset >> 8 * i;
}

static int patch_taken(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
		       u8 *bytes, const char **why)
{
	bool near = insn->z.raw.imm[0].size > 8;
	unsigned int length = near ? JMP_NEAR_LENGTH : JMP_SHORT_LENGTH;
	u64 offset = bpmu_insn_target(insn) - insn->address - length;

	if (insn->length < length || (!near && (long long)offset > 127))
		return fail_length(why);
	bytes[0] = near ? JMP_NEAR : JMP_SHORT;
	put_offset(bytes + 1, offset, length - 1);
	if (length < insn->length)
		zydis->ZydisEncoderNopFill(bytes + length,
					   insn->length - length);
	return 0;
}

/**
 * bpmu_patch() - encode a patch: the code by which a variant replaces an instruction
 * @zydis: functions of the library Zydis
 * @insn: an instruction for which @form is possible
 * @form: kind of code that replaces the instruction
 * @with: register and stack slot that this code may use
 * @bytes: output: the code, [length of @insn]
 * @why: output, on failure: the reason as a text
 *
 * Return: 0, or -ENOTSUP if no encoding is as long as @insn.
 */
int bpmu_patch(const struct bpmu_zydis *zydis, const struct bpmu_insn *insn,
	       enum bpmu_patch_form form, const struct bpmu_patch_with *with,
	       u8 bytes[ZYDIS_MAX_INSTRUCTION_LENGTH], const char **why)
{
	switch (form) {
	case BPMU_PATCH_NOP:
		return patch_nop(zydis, insn, bytes);
	case BPMU_PATCH_ZERO:
		return patch_zero(zydis, insn, bytes, why);
	case BPMU_PATCH_REGISTER:
		return patch_register(zydis, insn, with->spare, bytes, why);
	case BPMU_PATCH_MOVE:
		return decan_patch_move(zydis, insn, with->spare, bytes, why);
	case BPMU_PATCH_STACK:
		return patch_stack(zydis, insn, with->slot, bytes, why);
	case BPMU_PATCH_LOAD:
		return patch_load(zydis, insn, bytes, why);
	case BPMU_PATCH_TAKEN:
		return patch_taken(zydis, insn, bytes, why);
	case BPMU_PATCH_FALL:
	case BPMU_PATCH_FILL:
		break;
	}
	return decan_patch_fill(zydis, insn, bytes);
}
