// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's decoder: x86 instructions get the right uops, operands and types of
 * branches.
 */

#include <math.h>
#include <string.h>

#include "decode/costs.h"
#include "decode/decode.h"
#include "test.h"

#define RAX VCORE_REG_GP
#define RCX (VCORE_REG_GP + 1)
#define RBX (VCORE_REG_GP + 3)
#define FLAGS VCORE_REG_FLAGS
#define XMM1 (VCORE_REG_VECTOR + 1)
#define USER 0x401000
#define KERNEL 0xffffffff81000000

static struct vcore_insn decode_at(uint64_t pc, const char *bytes,
				   unsigned int size)
{
	struct vcore_insn insn;

	vcore_decode(&insn, (const uint8_t *)bytes, size, pc, 0x1000);
	return insn;
}

#define DECODE(bytes) decode_at(USER, bytes, sizeof(bytes) - 1)

static bool reads(const struct vcore_uop *uop, unsigned int reg)
{
	unsigned int i;

	for (i = 0; i < VCORE_MAX_SOURCES; i++)
		if (uop->source[i] == reg)
			return true;
	return false;
}

static bool sets(const struct vcore_uop *uop, unsigned int reg)
{
	return uop->result[0] == reg || uop->result[1] == reg;
}

TEST(instructions_have_address_size_and_privilege_level)
{
	struct vcore_insn user = DECODE("\x90");
	struct vcore_insn kernel = decode_at(KERNEL, "\x90", 1);

	assert_int_equal(user.pc, USER);
	assert_int_equal(user.pa, 0x1000);
	assert_int_equal(user.size, 1);
	assert_int_equal(user.priv, 1);
	assert_int_equal(kernel.priv, 0);
}

TEST(branches_have_their_type)
{
	static const struct {
		const char *bytes;
		unsigned int size;
		unsigned int branch;
		bool indirect;
	} all[] = {
		{ "\x75\x10", 2, VCORE_CONDITIONAL, false },
		{ "\x0f\x84\x10\0\0\0", 6, VCORE_CONDITIONAL, false },
		{ "\xe2\xfe", 2, VCORE_CONDITIONAL, false },
		{ "\xe3\xfe", 2, VCORE_CONDITIONAL, false },
		{ "\xe8\0\0\0\0", 5, VCORE_CALL, false },
		{ "\xff\xd0", 2, VCORE_CALL, true },
		{ "\xff\x10", 2, VCORE_CALL, true },
		{ "\xc3", 1, VCORE_RETURN, false },
		{ "\xf3\xc3", 2, VCORE_RETURN, false },
		{ "\xc2\x08\0", 3, VCORE_RETURN, false },
		{ "\xeb\xfe", 2, VCORE_JUMP, false },
		{ "\xe9\0\0\0\0", 5, VCORE_JUMP, false },
		{ "\xff\xe0", 2, VCORE_JUMP, true },
		{ "\xff\x18", 2, VCORE_FAR, false },
		{ "\xff\x28", 2, VCORE_FAR, false },
		{ "\xcb", 1, VCORE_FAR, false },
		{ "\xcc", 1, VCORE_FAR, false },
		{ "\xcd\x80", 2, VCORE_FAR, false },
		{ "\x48\xcf", 2, VCORE_FAR, false },
		{ "\x0f\x05", 2, VCORE_FAR, false },
		{ "\x48\x0f\x07", 3, VCORE_FAR, false },
		{ "\x0f\x34", 2, VCORE_FAR, false },
		{ "\x48\x0f\x35", 3, VCORE_FAR, false },
		{ "\x0f\x0b", 2, VCORE_NO_BRANCH, false },
		/* int1, xbegin and xabort */
		{ "\xf1", 1, VCORE_NO_BRANCH, false },
		{ "\xc7\xf8\0\0\0\0", 6, VCORE_NO_BRANCH, false },
		{ "\xc6\xf8\0", 3, VCORE_NO_BRANCH, false },
	};
	struct vcore_insn insn;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		insn = decode_at(USER, all[i].bytes, all[i].size);
		assert_int_equal(insn.branch, all[i].branch);
		assert_int_equal(insn.indirect, all[i].indirect);
		/* int1 serialises although it is no branch. */
		assert_int_equal(insn.serialises,
				 insn.branch == VCORE_FAR || all[i].bytes[0] == '\xf1');
	}
}

/*
 * "movddup xmm1, xmm2" needs a port; "movaps xmm1, xmm2" needs none, because moves are eliminated.
 */
TEST(movddup_is_not_eliminated)
{
	struct vcore_insn twice = DECODE("\xf2\x0f\x12\xca");
	struct vcore_insn move = DECODE("\x0f\x28\xca");

	assert_int_equal(twice.uop[0].type, VCORE_ALU);
	assert_int_equal(twice.uop[0].ports, VCORE_P5);
	assert_int_equal(move.uop[0].type, VCORE_NONE);
}

/* "rcl" by 1 is decoded to uops; "rcl" by 5 or by cl comes from the microcode sequencer. */
TEST(rotates_by_more_than_1_are_microcode)
{
	struct vcore_insn one = DECODE("\xd1\xd0");
	struct vcore_insn five = DECODE("\xc1\xd0\x05");
	struct vcore_insn by_cl = DECODE("\xd3\xd0");

	assert_true(five.nr_slots > one.nr_slots);
	assert_int_equal(five.nr_slots, by_cl.nr_slots);
}

TEST(prefetches_have_their_address)
{
	static const struct {
		const char *name, *bytes;
		unsigned int size;
		struct vcore_address address;
	} all[] = {
		{ "prefetcht0 [rax+4*rcx+16]", "\x0f\x18\x4c\x88\x10", 5, { RAX, RCX, 4, 16 } },
		{ "prefetchw [rbx-8]", "\x0f\x0d\x4b\xf8", 4, { RBX, 0, 0, -8 } },
		{ "prefetcht0 [rip+16]", "\x0f\x18\x0d\x10\0\0\0", 7, { 0, 0, 0, USER + 7 + 16 } },
	};
	static const struct {
		const char *name, *bytes;
		unsigned int size;
	} none[] = {
		{ "prefetcht0 gs:[rax]", "\x65\x0f\x18\x08", 4 },
		{ "prefetcht0 fs:[rax]", "\x64\x0f\x18\x08", 4 },
		{ "nop", "\x90", 1 },
		{ "mov rax, [rbx]", "\x48\x8b\x03", 3 },
		{ "half of a prefetch", "\x0f\x18", 2 },
	};
	struct vcore_address address;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct vcore_address *is = &all[i].address;

		if (!vcore_prefetch_address(&address, (const uint8_t *)all[i].bytes, all[i].size,
					    USER) ||
		    address.base != is->base || address.index != is->index ||
		    address.scale != is->scale || address.offset != is->offset)
			fail_msg("%s: %u + %u * %u + %#llx", all[i].name, address.base,
				 address.index, address.scale, (unsigned long long)address.offset);
	}
	for (i = 0; i < sizeof(none) / sizeof(*none); i++)
		if (vcore_prefetch_address(&address, (const uint8_t *)none[i].bytes, none[i].size,
					   USER))
			fail_msg("%s has an address", none[i].name);
}

/* The decoded instruction: add rax, [rbx]. */
TEST(a_load_with_operation_is_one_slot)
{
	struct vcore_insn insn = DECODE("\x48\x03\x03");

	assert_int_equal(insn.nr_uops, 2);
	assert_int_equal(insn.nr_slots, 1);
	assert_int_equal(insn.uop[0].type, VCORE_LOAD);
	assert_int_equal(insn.uop[0].ports, VCORE_P23);
	assert_true(reads(&insn.uop[0], RBX));
	assert_int_equal(insn.uop[1].type, VCORE_ALU);
	assert_true(insn.uop[1].fused);
	assert_true(reads(&insn.uop[1], RAX));
	assert_true(reads(&insn.uop[1], insn.uop[0].result[0]));
	assert_true(sets(&insn.uop[1], RAX));
	assert_true(sets(&insn.uop[1], FLAGS));
}

/*
 * A load from the L1D takes 4 cycles, one more by an indexed address, and more into a vector
 * register: what a load uop adds to the cache's latency.
 */
TEST(loads_have_the_latency_of_their_register)
{
	/*
	 * mov rax,[rbx]; mov rax,[rbx+rcx*8]; movaps xmm0 and xmm1,[rbx]; movaps xmm0,[rbx+rcx*8];
	 * vmovaps ymm0 and ymm1,[rbx]
	 */
	assert_int_equal(DECODE("\x48\x8b\x03").uop[0].latency, 0);
	assert_int_equal(DECODE("\x48\x8b\x04\xcb").uop[0].latency, 1);
	assert_int_equal(DECODE("\x0f\x28\x03").uop[0].latency, 2);
	assert_int_equal(DECODE("\x0f\x28\x0b").uop[0].latency, 2);
	assert_int_equal(DECODE("\x0f\x28\x04\xcb").uop[0].latency, 2);
	assert_int_equal(DECODE("\xc5\xfc\x28\x03").uop[0].latency, 3);
	assert_int_equal(DECODE("\xc5\xfc\x28\x0b").uop[0].latency, 3);
}

/* The decoded instructions: add rax, [rbx + rcx * 8] and mov [rbx + rcx * 8], rax. */
TEST(indexed_addresses_take_two_slots)
{
	struct vcore_insn load = DECODE("\x48\x03\x04\xcb");
	struct vcore_insn store = DECODE("\x48\x89\x04\xcb");

	assert_int_equal(load.nr_slots, 2);
	assert_int_equal(store.nr_slots, 2);
	assert_true(reads(&store.uop[0], RBX) && reads(&store.uop[0], RCX));
}

/* "add [rbx], rax" takes two slots; with a LOCK prefix it becomes a long microcode flow. */
TEST(locked_read_modify_write_is_microcode)
{
	struct vcore_insn plain = DECODE("\x48\x01\x03");
	struct vcore_insn locked = DECODE("\xf0\x48\x01\x03");
	struct vcore_insn exchange = DECODE("\x48\x87\x03");

	assert_int_equal(plain.nr_uops, 4);
	assert_int_equal(plain.nr_slots, 2);
	assert_int_equal(plain.uop[2].type, VCORE_STA);
	assert_int_equal(plain.uop[3].type, VCORE_STD);
	assert_true(plain.uop[3].fused);
	assert_true(reads(&plain.uop[3], plain.uop[1].result[0]));
	assert_false(plain.locked);
	assert_true(locked.locked);
	assert_true(locked.microcoded);
	assert_true(locked.uop[1].latency > 10);
	assert_true(exchange.locked);
}

/* Of the extensions of unsigned values only those of a register's lowest byte are eliminated. */
TEST(extensions_of_the_lowest_byte_are_eliminated)
{
	struct vcore_insn bl = DECODE("\x0f\xb6\xc3");
	struct vcore_insn bh = DECODE("\x0f\xb6\xc7");
	struct vcore_insn sil = DECODE("\x40\x0f\xb6\xc6");
	struct vcore_insn bx = DECODE("\x0f\xb7\xc3");

	assert_int_equal(bl.uop[0].type, VCORE_NONE);
	assert_int_equal(sil.uop[0].type, VCORE_NONE);
	assert_int_equal(bh.uop[0].type, VCORE_ALU);
	assert_int_equal(bx.uop[0].type, VCORE_ALU);
}

TEST(moves_of_whole_registers_are_eliminated)
{
	struct vcore_insn reg = DECODE("\x89\xd8");
	struct vcore_insn part = DECODE("\x88\xd8");
	struct vcore_insn load = DECODE("\x48\x8b\x03");
	struct vcore_insn store = DECODE("\x48\x89\x03");
	struct vcore_insn zero = DECODE("\x31\xc0");

	assert_int_equal(reg.uop[0].type, VCORE_NONE);
	assert_true(reads(&reg.uop[0], RBX) && sets(&reg.uop[0], RAX));
	assert_int_equal(part.uop[0].type, VCORE_ALU);
	assert_true(reads(&part.uop[0], RAX));
	assert_int_equal(load.nr_uops, 1);
	assert_true(sets(&load.uop[0], RAX));
	assert_int_equal(store.nr_uops, 2);
	assert_int_equal(store.nr_slots, 1);
	assert_true(reads(&store.uop[1], RAX));
	assert_int_equal(zero.uop[0].type, VCORE_NONE);
	assert_false(reads(&zero.uop[0], RAX));
	assert_true(sets(&zero.uop[0], RAX) && sets(&zero.uop[0], FLAGS));
}

/* The instructions push, pop, call and ret have no uop that writes RSP. */
TEST(stack_instructions_have_no_uop_for_rsp)
{
	static const char *const all[] = {
		"\x53", "\x5b", "\xe8\0\0\0\0", "\xc3"
	};
	static const unsigned int sizes[] = { 1, 1, 5, 1 };
	struct vcore_insn insn;
	unsigned int i, k;

	for (i = 0; i < 4; i++) {
		insn = decode_at(USER, all[i], sizes[i]);
		for (k = 0; k < insn.nr_uops; k++)
			assert_false(sets(&insn.uop[k], VCORE_REG_GP + 4));
	}
}

TEST(operations_have_their_latencies)
{
	struct vcore_insn imul = DECODE("\x48\x0f\xaf\xc3");
	struct vcore_insn slow = DECODE("\x48\x8d\x44\x8b\x08");
	struct vcore_insn fast = DECODE("\x48\x8d\x04\x8b");
	struct vcore_insn div32 = DECODE("\xf7\xf3");
	struct vcore_insn div64 = DECODE("\x48\xf7\xf3");
	struct vcore_insn cmov = DECODE("\x48\x0f\x45\xc3");

	assert_int_equal(imul.uop[0].latency, 3);
	assert_int_equal(imul.uop[0].ports, VCORE_P1);
	assert_int_equal(slow.uop[0].latency, 3);
	assert_int_equal(fast.uop[0].latency, 1);
	assert_true(div32.microcoded);
	assert_true(div32.uop[0].divides > 0);
	assert_true(div64.uop[0].divides > div32.uop[0].divides);
	assert_int_equal(cmov.nr_slots, 2);
	assert_true(reads(&cmov.uop[0], RAX) && reads(&cmov.uop[0], FLAGS));
}

/* The decoded instructions: addsd, addps, vaddpd ymm, fadd, add. */
TEST(floating_point_operations_have_type_and_width)
{
	struct vcore_insn insn = DECODE("\xf2\x0f\x58\xca");

	assert_int_equal(insn.uop[0].compute, VCORE_SSE_SCALAR_DOUBLE);
	assert_int_equal(insn.vector_elements, 1);
	assert_true(sets(&insn.uop[0], XMM1));
	insn = DECODE("\x0f\x58\xca");
	assert_int_equal(insn.uop[0].compute, VCORE_SSE_PACKED_SINGLE);
	assert_int_equal(insn.vector_elements, 4);
	insn = DECODE("\xc5\xed\x58\xcb");
	assert_int_equal(insn.uop[0].compute, VCORE_AVX_PACKED_DOUBLE);
	assert_int_equal(insn.vector_elements, 4);
	insn = DECODE("\xd8\xc1");
	assert_int_equal(insn.uop[0].compute, VCORE_X87);
	insn = DECODE("\x01\xd8");
	assert_int_equal(insn.uop[0].compute, VCORE_INTEGER);
	assert_int_equal(insn.vector_elements, 0);
}

static const struct {
	const char *bytes;
	bool taken;
	struct vcore_float operation;
} multiplications[] = {
	/* mulsd xmm1,xmm8; divps xmm2,xmm3; vmulss xmm1,xmm2,xmm3; vdivpd xmm1,xmm2,xmm3 */
	{ "\xf2\x41\x0f\x59\xc8", true, { 1, 8, 1, 8, false } },
	{ "\x0f\x5e\xd3", true, { 2, 3, 4, 4, true } },
	{ "\xc5\xea\x59\xcb", true, { 2, 3, 1, 4, false } },
	{ "\xc5\xe9\x5e\xcb", true, { 2, 3, 2, 8, true } },
	/* Those that have no assist: addsd xmm1,xmm2; mulsd xmm1,[rax]; vmulpd ymm1,ymm2,ymm3 */
	{ "\xf2\x0f\x58\xca", false, { 0 } },
	{ "\xf2\x0f\x59\x08", false, { 0 } },
	{ "\xc5\xed\x59\xcb", false, { 0 } },
};

TEST(multiplications_of_registers_may_need_assists)
{
	struct vcore_float operation;
	unsigned int i;

	for (i = 0; i < sizeof(multiplications) / sizeof(*multiplications); i++) {
		assert_int_equal(vcore_float_operands(&operation,
						      (const uint8_t *)multiplications[i].bytes,
						      strlen(multiplications[i].bytes)),
				 multiplications[i].taken);
		if (multiplications[i].taken)
			assert_memory_equal(&operation, &multiplications[i].operation,
					    sizeof(operation));
	}
}

/* Each operation of xmm1 and xmm2, or of xmm2 and xmm3 as VEX, in all types of elements. */
TEST(all_multiplications_and_divisions_are_known)
{
	static const uint8_t prefixes[4] = { 0, 0x66, 0xf3, 0xf2 };
	static const uint8_t elements[4] = { 4, 2, 1, 1 }, sizes[4] = { 4, 8, 4, 8 };
	struct vcore_float operation;
	unsigned int type, divides;

	for (type = 0; type < 4; type++)
		for (divides = 0; divides < 2; divides++) {
			uint8_t opcode = divides ? 0x5e : 0x59;
			uint8_t sse[] = { prefixes[type], 0x0f, opcode, 0xca };
			uint8_t vex[] = { 0xc5, 0xe8 | type, opcode, 0xcb };
			unsigned int skip = !prefixes[type];

			assert_true(vcore_float_operands(&operation, sse + skip, sizeof(sse) - skip));
			assert_true(operation.left == 1 && operation.right == 2);
			assert_int_equal(operation.divides, divides);
			assert_int_equal(operation.elements, elements[type]);
			assert_int_equal(operation.bytes, sizes[type]);
			assert_true(vcore_float_operands(&operation, vex, sizeof(vex)));
			assert_true(operation.left == 2 && operation.right == 3);
			assert_int_equal(operation.divides, divides);
			assert_int_equal(operation.elements, elements[type]);
			assert_int_equal(operation.bytes, sizes[type]);
		}
	assert_false(vcore_float_operands(&operation, (const uint8_t *)"\x0f\x59", 2));
}

#define MXCSR VCORE_MXCSR_RESET
#define DAZ 0x40
#define FTZ 0x8000

static bool assists(double left, double right, bool divides, uint32_t mxcsr)
{
	const struct vcore_float scalar = { .elements = 1, .bytes = 8, .divides = divides };
	uint8_t a[16] = { }, b[16] = { };

	memcpy(a, &left, sizeof(left));
	memcpy(b, &right, sizeof(right));
	return vcore_float_assists(&scalar, a, b, mxcsr);
}

/*
 * An operation needs an assist if an operand is denormal or the result underflows, unless MXCSR
 * turns this number into zero (SDM Vol. 1, 11.5.2.2 and 11.5.2.5).
 */
TEST(denormals_need_assists)
{
	const struct vcore_float packed = { .elements = 4, .bytes = 4 };
	const struct vcore_float single = { .elements = 1, .bytes = 4 };
	/* The smallest denormal number, and two normal numbers whose product is denormal. */
	const double denormal = ldexp(1, -1074), few = ldexp(1, -600), rest = ldexp(1, -450);
	const float ones[4] = { 1, 1, 1, 1 }, last[4] = { 1, 1, 1, ldexpf(1, -133) };
	const float low[4] = { ldexpf(1, -75) };
	uint8_t a[16], b[16];

	assert_true(assists(1, denormal, false, MXCSR) && assists(denormal, 1, true, MXCSR));
	assert_false(assists(1, denormal, false, MXCSR | DAZ));
	assert_false(assists(1, denormal, false, MXCSR & ~0x100));
	assert_true(assists(1, denormal, false, MXCSR | FTZ));
	/* A result needs an assist if it is denormal, or even too small for a denormal number. */
	assert_true(assists(few, rest, false, MXCSR) && assists(few, few, false, MXCSR));
	assert_true(assists(few, 1 / rest, true, MXCSR));
	assert_true(assists(few, rest, false, MXCSR | DAZ));
	assert_false(assists(few, rest, false, MXCSR | FTZ));
	assert_false(assists(few, rest, false, MXCSR & ~0x800));
	assert_false(assists(few, ldexp(1, -400), false, MXCSR) || assists(0, 1, false, MXCSR));
	assert_false(assists(few, 1 / rest, false, MXCSR) || assists(1, INFINITY, true, MXCSR));
	/* In single precision: one element of a vector is enough to need an assist. */
	memcpy(a, ones, sizeof(a));
	memcpy(b, last, sizeof(b));
	assert_true(vcore_float_assists(&packed, a, b, MXCSR));
	assert_false(vcore_float_assists(&packed, a, a, MXCSR));
	memcpy(a, low, sizeof(a));
	assert_true(vcore_float_assists(&packed, a, a, MXCSR));
	/* A product that is a normal number in double precision only. */
	assert_true(vcore_float_assists(&single, a, a, MXCSR));
}

/* A number needs an assist wherever it is in a vector, as the left operand and as the right one. */
TEST(each_element_may_need_an_assist)
{
	const struct vcore_float singles = { .elements = 4, .bytes = 4 };
	const struct vcore_float doubles = { .elements = 2, .bytes = 8 };
	float ones[4] = { 1, 1, 1, 1 }, single[4];
	double one[2] = { 1, 1 }, pair[2];
	unsigned int i;

	for (i = 0; i < 4; i++) {
		memcpy(single, ones, sizeof(single));
		single[i] = ldexpf(1, -149);
		assert_true(vcore_float_assists(&singles, (void *)single, (void *)ones, MXCSR));
		assert_true(vcore_float_assists(&singles, (void *)ones, (void *)single, MXCSR));
		/* elements that the operation does not have */
		assert_int_equal(vcore_float_assists(&(struct vcore_float){ .elements = 2, .bytes = 4 },
						     (void *)single, (void *)ones, MXCSR), i < 2);
		single[i] = ldexpf(1, -126);
		assert_false(vcore_float_assists(&singles, (void *)single, (void *)ones, MXCSR));
	}
	for (i = 0; i < 2; i++) {
		memcpy(pair, one, sizeof(pair));
		pair[i] = ldexp(1, -1074);
		assert_true(vcore_float_assists(&doubles, (void *)pair, (void *)one, MXCSR));
		assert_true(vcore_float_assists(&doubles, (void *)one, (void *)pair, MXCSR));
		/* a number that is denormal in single precision only */
		pair[i] = ldexp(1, -149);
		assert_false(vcore_float_assists(&doubles, (void *)pair, (void *)one, MXCSR));
	}
}

/* An operand that is zero or infinite has an exact result. */
TEST(exact_results_need_no_assists)
{
	const double zero = 0, few = ldexp(1, -600);

	assert_false(assists(zero, few, false, MXCSR) || assists(few, zero, false, MXCSR));
	assert_false(assists(zero, few, true, MXCSR) || assists(few, zero, true, MXCSR));
	assert_false(assists(zero, zero, true, MXCSR));
	assert_false(assists(INFINITY, few, false, MXCSR) || assists(few, INFINITY, true, MXCSR));
	assert_false(assists(INFINITY, INFINITY, true, MXCSR) || assists(NAN, few, false, MXCSR));
	assert_false(assists(-INFINITY, zero, false, MXCSR));
}

/* An element that DAZ makes zero has an exact result, and the next one may still underflow. */
TEST(an_element_that_is_made_zero_does_not_hide_the_next)
{
	const struct vcore_float doubles = { .elements = 2, .bytes = 8 };
	double left[2] = { ldexp(1, -1074), ldexp(1, -600) }, right[2] = { 1, 1 };

	assert_false(vcore_float_assists(&doubles, (void *)left, (void *)right, MXCSR | DAZ));
	right[1] = left[1];
	assert_true(vcore_float_assists(&doubles, (void *)left, (void *)right, MXCSR | DAZ));
	assert_false(vcore_float_assists(&doubles, (void *)left, (void *)right, MXCSR | DAZ | FTZ));
}

static bool fuse(struct vcore_insn first, struct vcore_insn branch)
{
	return first.fuses & branch.condition;
}

TEST(tests_and_branches_fuse)
{
	struct vcore_insn test = DECODE("\x85\xc0");
	struct vcore_insn cmp = DECODE("\x48\x39\xd8");
	struct vcore_insn memory = DECODE("\x83\x38\x05");
	struct vcore_insn dec = DECODE("\xff\xc8");
	struct vcore_insn ja = DECODE("\x77\x10");
	struct vcore_insn js = DECODE("\x78\x10");
	struct vcore_insn je = DECODE("\x0f\x84\x10\0\0\0");
	struct vcore_insn jrcxz = DECODE("\xe3\xfe");

	assert_true(fuse(test, js) && fuse(test, ja) && fuse(test, je));
	assert_true(fuse(cmp, ja) && fuse(cmp, je));
	assert_false(fuse(cmp, js));
	assert_true(fuse(dec, je));
	assert_false(fuse(dec, ja));
	assert_false(fuse(memory, je));
	assert_false(fuse(test, jrcxz));
}

TEST(fences_and_serialising_instructions_are_marked)
{
	assert_int_equal(DECODE("\x0f\xae\xe8").fence, 1);
	assert_int_equal(DECODE("\x0f\xae\xf8").fence, 2);
	assert_int_equal(DECODE("\x0f\xae\xf0").fence, 3);
	assert_true(DECODE("\x0f\xa2").serialises);
	assert_true(DECODE("\x0f\x30").serialises);
	assert_false(DECODE("\x0f\x32").serialises);
	assert_true(DECODE("\x0f\x22\xd8").serialises);
}

TEST(repeated_strings_are_microcode)
{
	struct vcore_insn movs = DECODE("\xf3\xa4");
	struct vcore_insn movsd = DECODE("\xa5");
	struct vcore_insn pause = DECODE("\xf3\x90");

	assert_true(movs.rep && movs.microcoded);
	assert_int_equal(movs.uop[0].type, VCORE_LOAD);
	assert_int_equal(movs.uop[1].type, VCORE_STA);
	assert_false(movsd.rep);
	assert_int_equal(movsd.nr_uops, 4);
	assert_false(pause.rep);
	assert_true(DECODE("\xf3\x6c").rep && DECODE("\xf3\xa7").rep && DECODE("\xf2\xae").rep);
	assert_false(DECODE("\x6c").rep);
	assert_true(pause.microcoded);
}

static unsigned int nr_of_type(const struct vcore_insn *insn, enum vcore_uop_type type)
{
	unsigned int i, nr = 0;

	for (i = 0; i < insn->nr_uops; i++)
		nr += insn->uop[i].type == type;
	return nr;
}

/* Instructions load and store what the SDM (volume 2) says that they read and write in memory. */
TEST(instructions_have_their_loads_and_stores)
{
	static const struct {
		const char *name, *bytes;
		unsigned int size, loads, stores;
	} all[] = {
		{ "cmpsb", "\xa6", 1, 2, 0 }, { "movsb", "\xa4", 1, 1, 1 },
		{ "lodsb", "\xac", 1, 1, 0 }, { "scasb", "\xae", 1, 1, 0 },
		{ "stosb", "\xaa", 1, 0, 1 }, { "push [rbx]", "\xff\x33", 2, 1, 1 },
		{ "pop [rbx]", "\x8f\x03", 2, 1, 1 }, { "push rbx", "\x53", 1, 0, 1 },
		{ "pop rbx", "\x5b", 1, 1, 0 }, { "call [rbx]", "\xff\x13", 2, 1, 1 },
		{ "jmp [rbx]", "\xff\x23", 2, 1, 0 }, { "ret", "\xc3", 1, 1, 0 },
		{ "inc [rbx]", "\xff\x03", 2, 1, 1 }, { "cmp [rbx], eax", "\x39\x03", 2, 1, 0 },
		{ "xlat", "\xd7", 1, 1, 0 }, { "lea eax, [rbx]", "\x8d\x03", 2, 0, 0 },
		{ "movaps [rbx], xmm1", "\x0f\x29\x0b", 3, 0, 1 },
		{ "addps xmm1, [rbx]", "\x0f\x58\x0b", 3, 1, 0 },
		{ "leave", "\xc9", 1, 1, 0 },
	};
	struct vcore_insn insn;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		insn = decode_at(USER, all[i].bytes, all[i].size);
		if (nr_of_type(&insn, VCORE_LOAD) != all[i].loads ||
		    nr_of_type(&insn, VCORE_STA) != all[i].stores ||
		    nr_of_type(&insn, VCORE_STD) != all[i].stores)
			fail_msg("%s: %u loads, %u and %u uops of stores", all[i].name,
				 nr_of_type(&insn, VCORE_LOAD), nr_of_type(&insn, VCORE_STA),
				 nr_of_type(&insn, VCORE_STD));
	}
}

/*
 * mul and imul of bytes are a single uop, mul of 64 bits has two uops, and one of 16 or 32 bits has
 * three (Agner Fog, instruction tables, Ivy Bridge).
 */
TEST(the_width_of_a_multiplication_decides_its_uops)
{
	static const struct {
		const char *name, *bytes;
		unsigned int size, uops;
	} all[] = {
		{ "mul bl", "\xf6\xe3", 2, 1 }, { "mul bx", "\x66\xf7\xe3", 3, 3 },
		{ "mul ebx", "\xf7\xe3", 2, 3 }, { "mul rbx", "\x48\xf7\xe3", 3, 2 },
		{ "imul bl", "\xf6\xeb", 2, 1 }, { "imul eax, ebx", "\x0f\xaf\xc3", 3, 1 },
	};
	struct vcore_insn insn;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		insn = decode_at(USER, all[i].bytes, all[i].size);
		if (insn.nr_uops != all[i].uops)
			fail_msg("%s: %u uops", all[i].name, insn.nr_uops);
		assert_int_equal(insn.uop[0].ports, VCORE_P1);
	}
}

/* How many registers an instruction pops off the x87 stack (SDM, volume 2). */
TEST(x87_instructions_pop_and_push)
{
	static const struct {
		int pops;
		const char *name, *bytes;
	} all[] = {
		{ -1, "fld st(0)", "\xd9\xc0" }, { -1, "fld1", "\xd9\xe8" },
		{ -1, "fldl2t", "\xd9\xe9" }, { -1, "fldl2e", "\xd9\xea" },
		{ -1, "fldpi", "\xd9\xeb" }, { -1, "fldlg2", "\xd9\xec" },
		{ -1, "fldln2", "\xd9\xed" }, { -1, "fldz", "\xd9\xee" },
		{ -1, "fild [rbx]", "\xdf\x03" }, { -1, "fbld [rbx]", "\xdf\x23" },
		{ -1, "fptan", "\xd9\xf2" }, { -1, "fsincos", "\xd9\xfb" },
		{ -1, "fxtract", "\xd9\xf4" }, { -1, "fdecstp", "\xd9\xf6" },
		{ 1, "fstp st(0)", "\xdd\xd8" }, { 1, "fistp [rbx]", "\xdf\x1b" },
		{ 1, "fisttp [rbx]", "\xdf\x0b" }, { 1, "fbstp [rbx]", "\xdf\x33" },
		{ 1, "faddp", "\xde\xc1" }, { 1, "fmulp", "\xde\xc9" },
		{ 1, "fsubrp", "\xde\xe1" }, { 1, "fsubp", "\xde\xe9" },
		{ 1, "fdivrp", "\xde\xf1" }, { 1, "fdivp", "\xde\xf9" },
		{ 1, "fcomp", "\xd8\xd9" }, { 1, "fcomip", "\xdf\xf1" },
		{ 1, "fucomp", "\xdd\xe9" }, { 1, "fucomip", "\xdf\xe9" },
		{ 1, "ficomp [rbx]", "\xde\x1b" }, { 1, "fpatan", "\xd9\xf3" },
		{ 1, "fyl2x", "\xd9\xf1" }, { 1, "fyl2xp1", "\xd9\xf9" },
		{ 1, "fincstp", "\xd9\xf7" }, { 2, "fcompp", "\xde\xd9" },
		{ 2, "fucompp", "\xda\xe9" }, { 0, "fadd", "\xd8\xc1" },
		{ 0, "fst", "\xdd\xd0" }, { 0, "fxch", "\xd9\xc9" },
		{ 0, "fist [rbx]", "\xdb\x13" }, { 0, "fcom", "\xd8\xd1" },
	};
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_insn insn = decode_at(USER, all[i].bytes, 2);

		if (insn.x87_pops != all[i].pops)
			fail_msg("%s pops %d", all[i].name, insn.x87_pops);
	}
}

TEST(length_changing_prefixes_are_marked)
{
	struct vcore_insn prefetch = DECODE("\x0f\x18\x48\x08");
	struct vcore_insn streams = DECODE("\x66\x0f\xe7\x08");

	assert_true(DECODE("\x66\x05\x34\x12").lcp);
	assert_false(DECODE("\x66\x01\xd8").lcp);
	assert_false(DECODE("\x05\x34\x12\0\0").lcp);
	assert_true(prefetch.prefetch);
	assert_int_equal(prefetch.uop[0].type, VCORE_LOAD);
	assert_true(streams.streams);
}

TEST(instructions_pair_by_the_rules_of_knights_corner)
{
	struct vcore_insn add = DECODE("\x01\xd8");
	struct vcore_insn shift = DECODE("\xc1\xe0\x03");
	struct vcore_insn imul = DECODE("\x0f\xaf\xc3");
	struct vcore_insn vector = DECODE("\x0f\x58\xca");

	assert_false(add.pair_u || add.pair_none);
	assert_true(shift.pair_u && !shift.pair_none);
	assert_true(imul.pair_none);
	assert_true(vector.pair_u && !vector.pair_none);
	assert_int_equal(vector.knc_latency, 4);
}

/*
 * Any sequence of bytes is decoded to an instruction that has at least one slot, and no more uops
 * than the arrays hold.
 */
TEST(any_bytes_decode_into_at_least_one_slot)
{
	uint8_t bytes[15] = { };
	struct vcore_insn insn;
	unsigned int i, k;

	for (i = 0; i < 1 << 16; i++) {
		for (k = 0; k < sizeof(bytes); k++)
			bytes[k] = i >> (k % 2 ? 0 : 8) ^ k * 37;
		vcore_decode(&insn, bytes, sizeof(bytes), USER, 0);
		assert_in_range(insn.nr_uops, 1, VCORE_MAX_UOPS);
		assert_true(insn.nr_slots >= 1);
		assert_false(insn.uop[0].fused);
	}
}
