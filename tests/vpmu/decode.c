// SPDX-License-Identifier: GPL-2.0
#include "vpmu.h"

#include <string.h>

/* an opcode behind its prefixes; 0x0f opcodes are 0x100 + second byte */
struct opcode {
	unsigned int op;
	unsigned int reg;
	bool rep;
};

static bool is_prefix(uint8_t byte)
{
	switch (byte) {
	case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:
	case 0x66: case 0x67: case 0xf0: case 0xf2: case 0xf3:
		return true;
	default:
		return (byte & 0xf0) == 0x40;
	}
}

static struct opcode opcode(const uint8_t *bytes, unsigned int size)
{
	struct opcode code = { };
	unsigned int i;

	for (i = 0; i + 1 < size && is_prefix(bytes[i]); i++)
		code.rep |= bytes[i] == 0xf2 || bytes[i] == 0xf3;
	if (i >= size)
		return code;
	code.op = bytes[i++];
	if (code.op == 0x0f && i < size)
		code.op = 0x100 | bytes[i++];
	if (i < size)
		code.reg = (bytes[i] >> 3) & 7;
	return code;
}

static bool is_string(unsigned int op)
{
	return (op >= 0xa4 && op <= 0xa7) || (op >= 0xaa && op <= 0xaf) ||
	       (op >= 0x6c && op <= 0x6f);
}

/* SDM Vol. 2D, opcode map: group 5 calls and jumps through a register */
static void group5(struct vpmu_insn *insn, unsigned int reg)
{
	static const uint8_t kinds[8] = {
		0, 0, VPMU_BR_CALL, VPMU_BR_FAR, VPMU_BR_OTHER, VPMU_BR_FAR
	};

	insn->branch = kinds[reg];
	insn->indirect = insn->branch;
}

static void branches(struct vpmu_insn *insn, struct opcode code)
{
	unsigned int op = code.op;

	if ((op >= 0x70 && op <= 0x7f) || (op >= 0xe0 && op <= 0xe3) ||
	    (op >= 0x180 && op <= 0x18f))
		insn->branch = VPMU_BR_CONDITIONAL;
	else if (op == 0xe8)
		insn->branch = VPMU_BR_CALL;
	else if (op == 0xe9 || op == 0xeb)
		insn->branch = VPMU_BR_OTHER;
	else if (op == 0xc2 || op == 0xc3)
		insn->branch = VPMU_BR_RETURN;
	else if (op == 0xca || op == 0xcb || op == 0xcc || op == 0xcd ||
		 op == 0xcf || op == 0x105 || op == 0x107 || op == 0x134 ||
		 op == 0x135)
		insn->branch = VPMU_BR_FAR;
	else if (op == 0xff)
		group5(insn, code.reg);
}

/* instructions that the micro-sequencer or the divider makes slow */
static void costs(struct vpmu_insn *insn, struct opcode code)
{
	bool divide = (code.op == 0xf6 || code.op == 0xf7) && code.reg >= 6;
	bool system = insn->branch == VPMU_BR_FAR || code.op == 0x1a2 ||
		      code.op == 0x130 || code.op == 0x132 ||
		      code.op == 0x133 || code.op == 0x131;

	insn->uops = 1;
	insn->latency = 1;
	if (divide) {
		insn->uops = 10;
		insn->latency = 26;
		insn->microcoded = true;
	} else if (system || insn->rep) {
		insn->uops = system ? 40 : 4;
		insn->latency = system ? 30 : 2;
		insn->microcoded = true;
	} else if (code.op == 0x1af || code.op == 0x69 || code.op == 0x6b) {
		insn->latency = 3;
	}
}

/**
 * vpmu_decode() - what the counters and the model need to know
 * @insn: filled in
 * @bytes: the instruction
 * @pc: its address
 * @size: its length
 */
void vpmu_decode(struct vpmu_insn *insn, const uint8_t *bytes, uint64_t pc,
		 unsigned int size)
{
	struct opcode code = opcode(bytes, size);

	memset(insn, 0, sizeof(*insn));
	insn->pc = pc;
	insn->size = size;
	insn->ring = !(pc >> 63);
	insn->rep = code.rep && is_string(code.op);
	branches(insn, code);
	costs(insn, code);
}

/**
 * vpmu_is_special() - is it one of those that the virtual PMU executes
 * @bytes: the instruction
 * @size: its length
 * @op: set to the second opcode byte: 0x30 wrmsr, 0x32 rdmsr, 0x33 rdpmc,
 *	0xa2 cpuid
 */
bool vpmu_is_special(const uint8_t *bytes, unsigned int size, uint8_t *op)
{
	unsigned int code = opcode(bytes, size).op;

	*op = code & 0xff;
	return code == 0x130 || code == 0x132 || code == 0x133 ||
	       code == 0x1a2;
}

/**
 * vpmu_is_pause() - is it the PAUSE of a loop that waits
 * @bytes: the instruction
 * @size: its length
 */
bool vpmu_is_pause(const uint8_t *bytes, unsigned int size)
{
	return size == 2 && bytes[0] == 0xf3 && bytes[1] == 0x90;
}
