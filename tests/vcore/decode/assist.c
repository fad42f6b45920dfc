// SPDX-License-Identifier: GPL-2.0
/*
 * Microcode assists of floating point. Intel's multipliers and dividers need an assist for
 * denormal numbers; adders from Sandy Bridge on need none (A. Fog, The microarchitecture of
 * Intel, AMD and VIA CPUs, on Sandy Bridge).
 */
#include <math.h>
#include <string.h>

#include "decode.h"

/* Bits of the register MXCSR (SDM Vol. 1, section 10.2.3). */
#define DENORMALS_ARE_ZEROS (1u << 6)
#define DENORMAL_MASK (1u << 8)
#define UNDERFLOW_MASK (1u << 11)
#define FLUSH_TO_ZERO (1u << 15)

static bool is_multiplication(struct vcore_float *operation, ZydisMnemonic mnemonic)
{
	switch (mnemonic) {
	case ZYDIS_MNEMONIC_DIVSS:
	case ZYDIS_MNEMONIC_DIVPS:
	case ZYDIS_MNEMONIC_VDIVSS:
	case ZYDIS_MNEMONIC_VDIVPS:
	case ZYDIS_MNEMONIC_DIVSD:
	case ZYDIS_MNEMONIC_DIVPD:
	case ZYDIS_MNEMONIC_VDIVSD:
	case ZYDIS_MNEMONIC_VDIVPD:
		operation->divides = true;
		return true;
	case ZYDIS_MNEMONIC_MULSS:
	case ZYDIS_MNEMONIC_MULPS:
	case ZYDIS_MNEMONIC_VMULSS:
	case ZYDIS_MNEMONIC_VMULPS:
	case ZYDIS_MNEMONIC_MULSD:
	case ZYDIS_MNEMONIC_MULPD:
	case ZYDIS_MNEMONIC_VMULSD:
	case ZYDIS_MNEMONIC_VMULPD:
		operation->divides = false;
		return true;
	default:
		return false;
	}
}

static bool take_xmm(const ZydisDecodedOperand *operand, uint8_t *number)
{
	if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER ||
	    ZydisRegisterGetClass(operand->reg.value) != ZYDIS_REGCLASS_XMM)
		return false;
	*number = ZydisRegisterGetId(operand->reg.value);
	return true;
}

/**
 * vcore_float_operands() - decode a multiplication or division that may need an assist
 * @operation: output
 * @bytes: bytes of the instruction
 * @size: length of the instruction in bytes
 *
 * Return: true if the instruction is a multiplication or division of XMM registers; false for
 * others, and for operands in memory or YMM registers, which a plugin of QEMU cannot read.
 */
bool vcore_float_operands(struct vcore_float *operation, const uint8_t *bytes, unsigned int size)
{
	ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT] = { };
	ZydisDecodedInstruction decoded;
	unsigned int first;

	if (!vcore_decode_bytes(bytes, size, &decoded, operand) ||
	    !is_multiplication(operation, decoded.mnemonic))
		return false;
	/* An SSE instruction has its first source operand in its destination register. */
	first = decoded.operand_count_visible - 2;
	operation->bytes = operand[first + 1].element_size / 8;
	operation->elements = operand[first + 1].element_count;
	return take_xmm(&operand[first], &operation->left) &&
	       take_xmm(&operand[first + 1], &operation->right);
}

static double element(const struct vcore_float *operation, const uint8_t *bytes, unsigned int i)
{
	double number;
	float single;

	if (operation->bytes == sizeof(single)) {
		memcpy(&single, bytes + i * sizeof(single), sizeof(single));
		return single;
	}
	memcpy(&number, bytes + i * sizeof(number), sizeof(number));
	return number;
}

static bool is_tiny(const struct vcore_float *operation, double number)
{
	int class = operation->bytes == sizeof(float) ? fpclassify((float)number) :
							fpclassify(number);

	return class == FP_SUBNORMAL;
}

static bool underflows(const struct vcore_float *operation, double left, double right)
{
	double result = operation->divides ? left / right : left * right;

	if (left == 0 || right == 0 || isinf(right))
		return false;
	if (operation->bytes == sizeof(float))
		result = (float)result;
	return result == 0 || is_tiny(operation, result);
}

/**
 * vcore_float_assists() - check if a multiplication or division needs a microcode assist
 * @operation: from vcore_float_operands()
 * @left: value of the XMM register &vcore_float.left
 * @right: value of the XMM register &vcore_float.right
 * @mxcsr: MXCSR of the thread; if it unmasks the exception of denormal operands or of underflow,
 *	the instruction faults and needs no assist
 *
 * Return: true if an operand or the result is denormal, and MXCSR does not make it zero.
 */
bool vcore_float_assists(const struct vcore_float *operation, const uint8_t left[16],
			 const uint8_t right[16], uint32_t mxcsr)
{
	bool inputs = !(mxcsr & DENORMALS_ARE_ZEROS) && mxcsr & DENORMAL_MASK;
	bool outputs = !(mxcsr & FLUSH_TO_ZERO) && mxcsr & UNDERFLOW_MASK;
	double a, b;
	unsigned int i;

	for (i = 0; i < operation->elements; i++) {
		a = element(operation, left, i);
		b = element(operation, right, i);
		if (is_tiny(operation, a) || is_tiny(operation, b)) {
			if (inputs)
				return true;
			continue;
		}
		if (outputs && underflows(operation, a, b))
			return true;
	}
	return false;
}
