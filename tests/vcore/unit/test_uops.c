// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the virtual core's decoder: all that it finds out about an instruction, as a text. What an
 * instruction reads and writes is from the SDM (volume 2), its ports and latencies are from the
 * sources that decode/costs.c cites.
 *
 * The text has the uops, separated by " ", or by "&" from a uop with which they are micro-fused:
 *
 *	ld23+2(b c>x1)		a load for ports 2 and 3, which takes 2 cycles more than a plain one,
 *				from an address in RBX and RCX, to XMM1 or YMM1
 *	0+20/14:sd(x1 x2>x1)	a computation for port 0 of 20 cycles, which has the divider for 14,
 *				of the type "scalar double", of XMM1 and XMM2 to XMM1
 *	sta23+1(b>)&std4+1(a>)	the address and the data of a store
 *	none(b>a)		a uop without a port
 *
 * The registers "f", "s0" and "o" are the flags, the top of the x87 stack, and all others; those of an
 * instruction's loaded operands are "t0" and "t1", the result of the uop before is "t2", and the data
 * to store are "t3".
 */

#include <stdio.h>
#include <string.h>

#include "decode/decode.h"
#include "test.h"

#define PC 0x401000

struct text {
	char byte[512];
	unsigned int size;
};

static void __attribute__((format(printf, 2, 3)))
add(struct text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	text->size += vsnprintf(text->byte + text->size, sizeof(text->byte) - text->size, format, args);
	va_end(args);
	assert_true(text->size < sizeof(text->byte));
}

static void add_register(struct text *text, unsigned int reg)
{
	static const char general[16][4] = {
		"a", "c", "d", "b", "sp", "bp", "si", "di",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
	};

	if (reg < VCORE_REG_FLAGS)
		add(text, "%s", general[reg - VCORE_REG_GP]);
	else if (reg == VCORE_REG_FLAGS)
		add(text, "f");
	else if (reg < VCORE_REG_X87)
		add(text, "x%u", reg - VCORE_REG_VECTOR);
	else if (reg < VCORE_REG_OTHER)
		add(text, "s%u", reg - VCORE_REG_X87);
	else if (reg == VCORE_REG_OTHER)
		add(text, "o");
	else
		add(text, "t%u", reg - VCORE_REG_TEMP);
}

/* Adds the registers in the order of their numbers, each as often as it occurs. */
static void add_registers(struct text *text, const uint8_t *regs, unsigned int nr)
{
	bool first = true;
	unsigned int reg, i;

	for (reg = 1; reg < VCORE_NR_REGS; reg++)
		for (i = 0; i < nr; i++) {
			if (regs[i] != reg)
				continue;
			add(text, "%s", first ? "" : " ");
			add_register(text, reg);
			first = false;
		}
}

static void add_uop(struct text *text, const struct vcore_uop *uop)
{
	static const char types[][5] = { "", "ld", "sta", "std", "none" };
	static const char computes[VCORE_NR_COMPUTE][4] = {
		"", "x87", "ss", "sd", "ps", "pd", "yps", "ypd",
	};
	unsigned int i;

	add(text, "%s", types[uop->type]);
	for (i = 0; i < 8; i++)
		if (uop->ports >> i & 1)
			add(text, "%u", i);
	if (uop->type != VCORE_NONE)
		add(text, "+%u", uop->latency);
	if (uop->divides)
		add(text, "/%u", uop->divides);
	if (uop->compute)
		add(text, ":%s", computes[uop->compute]);
	if (!uop->source[0] && !uop->result[0])
		return;
	add(text, "(");
	add_registers(text, uop->source, VCORE_MAX_SOURCES);
	add(text, ">");
	add_registers(text, uop->result, VCORE_MAX_RESULTS);
	add(text, ")");
}

static void add_flag(struct text *text, bool is, const char *name)
{
	if (is)
		add(text, " %s", name);
}

static void add_properties(struct text *text, const struct vcore_insn *insn)
{
	static const char *const branches[] = {
		"", "conditional", "call", "return", "jump", "far",
	};

	add(text, "%u", insn->nr_slots);
	add_flag(text, insn->branch, branches[insn->branch]);
	add_flag(text, insn->indirect, "indirect");
	add_flag(text, insn->microcoded, "microcode");
	if (insn->filler)
		add(text, " filler=%u", insn->filler);
	add_flag(text, insn->rep, "rep");
	add_flag(text, insn->locked, "locked");
	add_flag(text, insn->serialises, "serialises");
	if (insn->fence)
		add(text, " fence=%u", insn->fence);
	add_flag(text, insn->lcp, "lcp");
	if (insn->fuses)
		add(text, " fuses=%x", insn->fuses);
	if (insn->condition)
		add(text, " condition=%x", insn->condition);
	add_flag(text, insn->prefetch, "prefetch");
	add_flag(text, insn->streams, "streams");
	if (insn->x87_pops)
		add(text, " pops=%d", insn->x87_pops);
	if (insn->vector_elements)
		add(text, " elements=%u", insn->vector_elements);
	add_flag(text, insn->pair_u, "u");
	add_flag(text, insn->pair_none, "alone");
	if (insn->knc_latency != 1)
		add(text, " knc=%u", insn->knc_latency);
}

static void describe(struct text *text, const char *bytes, unsigned int size)
{
	struct vcore_insn insn;
	unsigned int i;

	vcore_decode(&insn, (const uint8_t *)bytes, size, PC, PC);
	text->size = 0;
	for (i = 0; i < insn.nr_uops; i++) {
		add(text, "%s", i ? insn.uop[i].fused ? "&" : " " : "");
		add_uop(text, &insn.uop[i]);
	}
	add(text, ", ");
	add_properties(text, &insn);
}

struct row {
	const char *name;
	const char *bytes;
	unsigned int size;
	const char *text;
};

static void assert_rows(const struct row *rows, unsigned int nr)
{
	struct text text;
	unsigned int wrong = 0, i;

	for (i = 0; i < nr; i++) {
		describe(&text, rows[i].bytes, rows[i].size);
		if (!strcmp(text.byte, rows[i].text))
			continue;
		wrong++;
		print_error("%s:\n\t%s\nnot\t%s\n", rows[i].name, text.byte, rows[i].text);
	}
	assert_int_equal(wrong, 0);
}

#define BYTES(bytes) bytes, sizeof(bytes) - 1
#define ASSERT_ROWS(rows) assert_rows(rows, sizeof(rows) / sizeof(*(rows)))

TEST(integer_instructions_have_their_uops)
{
	static const struct row rows[] = {
		{ "nop", BYTES("\x90"), "none, 1" },
		{ "add eax, ebx", BYTES("\x01\xd8"), "015+1(a b>a f), 1 fuses=f0fc" },
		{ "add ax, 0x1234", BYTES("\x66\x05\x34\x12"), "015+1(a>a f), 1 lcp fuses=f0fc" },
		{ "add rax, [rbx]", BYTES("\x48\x03\x03"),
		  "ld23+0(b>t0)&015+1(a t0>a f), 1 fuses=f0fc" },
		{ "add [rbx], rax", BYTES("\x48\x01\x03"),
		  "ld23+0(b>t0)&015+1(a t0>f t3) sta23+1(b>)&std4+1(t3>), 2" },
		{ "lock add [rbx], rax", BYTES("\xf0\x48\x01\x03"),
		  "ld23+0(b>t0)&015+15(a t0>f t3) sta23+1(b>)&std4+1(t3>), "
		  "7 microcode filler=5 locked alone knc=6" },
		{ "and eax, [rip]", BYTES("\x23\x05\0\0\0\0"), "ld23+0(>t0)&015+1(a t0>a f), 1" },
		{ "test eax, eax", BYTES("\x85\xc0"), "015+1(a>f), 1 fuses=ffff" },
		{ "test [rbx], eax", BYTES("\x85\x03"), "ld23+0(b>t0)&015+1(a t0>f), 1 fuses=ffff" },
		{ "cmp [rbx], 5", BYTES("\x83\x3b\x05"), "ld23+0(b>t0)&015+1(t0>f), 1" },
		{ "inc eax", BYTES("\xff\xc0"), "015+1(a>a f), 1 fuses=f030" },
		{ "inc [rbx]", BYTES("\xff\x03"),
		  "ld23+0(b>t0)&015+1(t0>f t3) sta23+1(b>)&std4+1(t3>), 2" },
		{ "xor eax, eax", BYTES("\x31\xc0"), "none(>a f), 1" },
		{ "xor ax, ax", BYTES("\x66\x31\xc0"), "015+1(a>a f), 1" },
		{ "xor eax, ebx", BYTES("\x31\xd8"), "015+1(a b>a f), 1" },
		{ "xor eax, [rax]", BYTES("\x33\x00"), "ld23+0(a>t0)&015+1(a t0>a f), 1" },
		{ "or eax, eax", BYTES("\x09\xc0"), "015+1(a>a f), 1" },
		{ "clc", BYTES("\xf8"), "015+1(>f), 1" },
		{ "stc", BYTES("\xf9"), "015+1(>f), 1" },
		{ "cmc", BYTES("\xf5"), "015+1(f>f), 1" },
		{ "adc rax, rbx", BYTES("\x48\x11\xd8"), "015+1(a b f>t2) 05+1(t2>a f), 2 alone" },
		{ "shl eax, 3", BYTES("\xc1\xe0\x03"), "05+1(a>a f), 1 u" },
		{ "shl eax, cl", BYTES("\xd3\xe0"),
		  "05+1(a c>) 05+1(a c>t2) 05+1(t2>a f), 3 alone" },
		{ "rcl eax, 1", BYTES("\xd1\xd0"),
		  "05+1(a f>) 015+1(a f>t2) 015+1(t2>a f), 3 alone" },
		{ "rcl eax, 5", BYTES("\xc1\xd0\x05"),
		  "015+5(a f>a f), 8 microcode filler=7 alone knc=8" },
		{ "rcl eax, cl", BYTES("\xd3\xd0"),
		  "015+5(a c f>a f), 8 microcode filler=7 alone knc=8" },
		{ "imul rax, rbx", BYTES("\x48\x0f\xaf\xc3"), "1+3(a b>a f), 1 alone knc=10" },
		{ "imul ebx", BYTES("\xf7\xeb"),
		  "1+2(a b>f t2) 015+1(t2>t2) 015+1(t2>a d), 3 alone knc=10" },
		{ "mul bl", BYTES("\xf6\xe3"), "1+3(a b>a f), 1 alone knc=10" },
		{ "mul ebx", BYTES("\xf7\xe3"),
		  "1+2(a b>f t2) 015+1(t2>t2) 015+1(t2>a d), 3 alone knc=10" },
		{ "mul rbx", BYTES("\x48\xf7\xe3"), "1+3(a b>f t2) 0+1(t2>a d), 2 alone knc=10" },
		{ "div ebx", BYTES("\xf7\xf3"),
		  "0+26/10(a d b>a d), 10 microcode filler=9 alone knc=41" },
		{ "div rbx", BYTES("\x48\xf7\xf3"),
		  "0+59/40(a d b>t2) 015+1(t2>a d), 35 microcode filler=33 alone knc=41" },
		{ "bswap eax", BYTES("\x0f\xc8"), "15+1(a>a), 1 alone" },
		{ "bswap rax", BYTES("\x48\x0f\xc8"), "15+1(a>t2) 05+1(t2>a), 2 alone" },
		{ "bt [rdi], rdx", BYTES("\x48\x0f\xa3\x17"),
		  "ld23+0(di>t0)&015+5(d t0>f), 9 microcode filler=8 alone knc=9" },
		{ "bt edi, edx", BYTES("\x0f\xa3\xd7"), "05+1(d di>f), 1 alone" },
		{ "setz al", BYTES("\x0f\x94\xc0"), "05+1(a f>a), 1 alone" },
		{ "cmovnz rax, rbx", BYTES("\x48\x0f\x45\xc3"),
		  "015+1(a b f>t2) 05+1(t2>a), 2 alone" },
		{ "lea rax, [rbx+rcx*4]", BYTES("\x48\x8d\x04\x8b"), "15+1(c b>a), 1" },
		{ "lea rax, [rbx+8]", BYTES("\x48\x8d\x43\x08"), "15+1(b>a), 1" },
		{ "lea rax, [rcx*4+8]", BYTES("\x48\x8d\x04\x8d\x08\0\0\0"), "15+1(c>a), 1" },
		{ "lea rax, [rbx+rcx*4+8]", BYTES("\x48\x8d\x44\x8b\x08"), "1+3(c b>a), 1" },
		{ "lea rax, [rbp+rcx*4]", BYTES("\x48\x8d\x44\x8d\x00"), "1+3(c bp>a), 1" },
		{ "lea rax, [rip+8]", BYTES("\x48\x8d\x05\x08\0\0\0"), "1+3(>a), 1" },
		{ "xchg eax, ebx", BYTES("\x87\xd8"),
		  "015+1(a b>) 015+1(a b>t2) 015+1(t2>a b), 3 alone" },
		{ "xchg [rbx], rax", BYTES("\x48\x87\x03"),
		  "ld23+0(b>t0)&015+14(a t0>t2) 015+1(t2>t2) 015+1(t2>a t3) "
		  "sta23+1(b>)&std4+1(t3>), 9 microcode filler=5 locked alone knc=6" },
		{ "(bytes of no instruction)", BYTES("\x06"), "015+1, 1 alone" },
	};

	ASSERT_ROWS(rows);
}

TEST(moves_have_their_uops)
{
	static const struct row rows[] = {
		{ "mov eax, ebx", BYTES("\x89\xd8"), "none(b>a), 1" },
		{ "mov al, bl", BYTES("\x88\xd8"), "015+1(a b>a), 1" },
		{ "mov ax, bx", BYTES("\x66\x89\xd8"), "015+1(a b>a), 1" },
		{ "mov eax, 5", BYTES("\xb8\x05\0\0\0"), "015+1(>a), 1" },
		{ "mov eax, ds", BYTES("\x8c\xd8"), "015+1(o>a), 1" },
		{ "mov ds, eax", BYTES("\x8e\xd8"), "015+10(a>o), 8 microcode filler=7 alone knc=8" },
		{ "mov rax, [rbx]", BYTES("\x48\x8b\x03"), "ld23+0(b>a), 1" },
		{ "mov al, [rbx]", BYTES("\x8a\x03"), "ld23+0(b>a), 1" },
		{ "mov rax, [rbx+rcx*8]", BYTES("\x48\x8b\x04\xcb"), "ld23+1(c b>a), 1" },
		{ "mov [rbx], rax", BYTES("\x48\x89\x03"), "sta23+1(b>)&std4+1(a>), 1" },
		{ "mov [rbx], 5", BYTES("\xc7\x03\x05\0\0\0"), "sta23+1(b>)&std4+1, 1" },
		{ "mov [rbx+rcx*8], rax", BYTES("\x48\x89\x04\xcb"), "sta23+1(c b>) std4+1(a>), 2" },
		{ "movzx eax, bl", BYTES("\x0f\xb6\xc3"), "none(b>a), 1" },
		{ "movzx eax, ah", BYTES("\x0f\xb6\xc4"), "015+1(a>a), 1" },
		{ "movzx eax, bh", BYTES("\x0f\xb6\xc7"), "015+1(b>a), 1" },
		{ "movzx eax, spl", BYTES("\x40\x0f\xb6\xc4"), "none(sp>a), 1" },
		{ "movzx eax, bx", BYTES("\x0f\xb7\xc3"), "015+1(b>a), 1" },
		{ "movsx eax, bl", BYTES("\x0f\xbe\xc3"), "015+1(b>a), 1" },
		{ "push rbx", BYTES("\x53"), "sta23+1(sp>)&std4+1(b>), 1" },
		{ "push rsp", BYTES("\x54"), "sta23+1(sp>)&std4+1(sp>), 1" },
		{ "push [rbx]", BYTES("\xff\x33"), "ld23+0(b>t0) sta23+1(sp>)&std4+1(t0>), 2" },
		{ "pop rbx", BYTES("\x5b"), "ld23+0(sp>b), 1" },
		{ "pop rsp", BYTES("\x5c"), "ld23+0(sp>sp), 1" },
	};

	ASSERT_ROWS(rows);
}

TEST(branches_have_their_uops)
{
	static const struct row rows[] = {
		{ "jb", BYTES("\x72\0"), "5+1(f>), 1 conditional condition=4" },
		{ "jz", BYTES("\x74\0"), "5+1(f>), 1 conditional condition=10" },
		{ "jg", BYTES("\x0f\x8f\0\0\0\0"), "5+1(f>), 1 conditional condition=8000" },
		{ "jrcxz", BYTES("\xe3\0"), "015+1(c>t2) 5+1(t2>), 2 conditional alone" },
		{ "loop", BYTES("\xe2\0"),
		  "015+3(c>t2) 5+1(t2>c), 7 conditional microcode filler=5 alone knc=6" },
		{ "jmp rax", BYTES("\xff\xe0"), "5+1(a>), 1 jump indirect" },
		{ "jmp [rbx]", BYTES("\xff\x23"), "ld23+0(b>t0)&5+1(t0>), 1 jump indirect" },
		{ "call", BYTES("\xe8\0\0\0\0"), "5+1 sta23+1(sp>)&std4+1, 2 call" },
		{ "call [rbx]", BYTES("\xff\x13"),
		  "ld23+0(b>t0)&5+1(t0>) sta23+1(sp>)&std4+1, 2 call indirect" },
		{ "ret", BYTES("\xc3"), "ld23+0(sp>t0)&5+1(t0>), 1 return" },
		{ "xbegin", BYTES("\xc7\xf8\0\0\0\0"), "015+1(a>a), 1 alone" },
	};

	ASSERT_ROWS(rows);
}

TEST(string_instructions_have_their_uops)
{
	static const struct row rows[] = {
		{ "movsb", BYTES("\xa4"),
		  "ld23+0(si>t0) sta23+1(di>)&std4+1(t0>) 015+1(si di>si di), 3 alone" },
		{ "rep movsb", BYTES("\xf3\xa4"),
		  "ld23+0(si>t0) sta23+1(di>)&std4+1(t0>) 015+1(si di>si di), 3 microcode rep alone" },
		{ "movsd", BYTES("\xa5"),
		  "ld23+0(si>t0) sta23+1(di>)&std4+1(t0>) 015+1(si di>si di), 3 alone" },
		{ "stosb", BYTES("\xaa"), "sta23+1(di>)&std4+1(a>) 015+1(di>di), 2 alone" },
		{ "lodsb", BYTES("\xac"), "ld23+0(si>a) 015+1(si>si), 2 alone" },
		{ "lodsw", BYTES("\x66\xad"), "ld23+0(si>a) 015+1(si>si), 2 alone" },
		{ "scasb", BYTES("\xae"), "ld23+0(di>t0) 015+1(a t0>f) 015+1(di>di), 3 alone" },
		{ "repne scasb", BYTES("\xf2\xae"),
		  "ld23+0(di>t0) 015+1(a t0>f) 015+1(di>di), 3 microcode rep alone" },
		{ "cmpsb", BYTES("\xa6"),
		  "ld23+0(si>t0) ld23+0(di>t1) 015+1(t0 t1>f) 015+1(si di>si di), 4 alone" },
		{ "repe cmpsd", BYTES("\xf3\xa7"),
		  "ld23+0(si>t0) ld23+0(di>t1) 015+1(t0 t1>f) 015+1(si di>si di), "
		  "4 microcode rep alone" },
	};

	ASSERT_ROWS(rows);
}

TEST(vector_instructions_have_their_uops)
{
	static const struct row rows[] = {
		{ "movaps xmm1, xmm2", BYTES("\x0f\x28\xca"), "none(x2>x1), 1 elements=4 u knc=4" },
		{ "movaps xmm0, [rbx]", BYTES("\x0f\x28\x03"), "ld23+2(b>x0), 1 elements=4 u knc=4" },
		{ "movaps [rbx], xmm1", BYTES("\x0f\x29\x0b"),
		  "sta23+1(b>)&std4+1(x1>), 1 elements=4 u knc=4" },
		{ "vmovaps ymm1, [rbx]", BYTES("\xc5\xfc\x28\x0b"),
		  "ld23+3(b>x1), 1 elements=8 u knc=4" },
		{ "vaddps zmm17{k1}, zmm2, zmm3", BYTES("\x62\xe1\x6c\x49\x58\xcb"),
		  "1+3:ps(x1 x2 x3 o>x1), 1 alone" },
		{ "movsd xmm1, [rbx]", BYTES("\xf2\x0f\x10\x0b"),
		  "ld23+2(b>x1), 1 elements=1 u knc=4" },
		{ "movlps xmm1, [rbx]", BYTES("\x0f\x12\x0b"),
		  "ld23+2(b>t0)&5+1(x1 t0>x1), 1 elements=2 u knc=4" },
		{ "vbroadcastss ymm1, [rbx]", BYTES("\xc4\xe2\x7d\x18\x0b"),
		  "ld23+2(b>x1), 1 elements=8 u knc=4" },
		{ "movntps [rax], xmm1", BYTES("\x0f\x2b\x08"),
		  "sta23+1(a>)&std4+1(x1>), 1 streams elements=4 u knc=4" },
		{ "addsd xmm1, xmm2", BYTES("\xf2\x0f\x58\xca"),
		  "1+3:sd(x1 x2>x1), 1 elements=1 u knc=4" },
		{ "addps xmm1, [rbx+rcx]", BYTES("\x0f\x58\x0c\x0b"),
		  "ld23+2(c b>t0) 1+3:ps(x1 t0>x1), 2 elements=4 u knc=4" },
		{ "vaddps ymm1, ymm2, ymm3", BYTES("\xc5\xec\x58\xcb"),
		  "1+3:yps(x2 x3>x1), 1 elements=8 u knc=4" },
		{ "vaddpd ymm1, ymm2, ymm3", BYTES("\xc5\xed\x58\xcb"),
		  "1+3:ypd(x2 x3>x1), 1 elements=4 u knc=4" },
		{ "vaddss xmm1, xmm2, xmm3", BYTES("\xc5\xea\x58\xcb"),
		  "1+3:ss(x2 x3>x1), 1 elements=1 u knc=4" },
		{ "sqrtsd xmm1, xmm2", BYTES("\xf2\x0f\x51\xca"),
		  "0+20/14:sd(x1 x2>x1), 1 elements=1 u knc=41" },
		{ "vsqrtsd xmm1, xmm2, xmm3", BYTES("\xc5\xeb\x51\xcb"),
		  "0+20/14:sd(x2 x3>x1), 1 elements=1 u knc=41" },
		{ "vdivps ymm1, ymm2, ymm3", BYTES("\xc5\xec\x5e\xcb"),
		  "0+19/14:yps(x2 x3>t2) 015+1(t2>t2) 015+1(t2>x1), 3 elements=8 u knc=41" },
		{ "vdivps xmm1, xmm2, xmm3", BYTES("\xc5\xe8\x5e\xcb"),
		  "0+13/7:ps(x2 x3>x1), 1 elements=4 u knc=41" },
		{ "haddps xmm1, xmm2", BYTES("\xf2\x0f\x7c\xca"),
		  "5+3:ps(x1 x2>t2) 15+1(t2>t2) 15+1(t2>x1), 3 elements=4 u knc=4" },
		{ "cvtsi2sd xmm1, eax", BYTES("\xf2\x0f\x2a\xc8"),
		  "5+4(a x1>t2) 1+1(t2>x1), 2 elements=1 u knc=4" },
		{ "movd xmm1, eax", BYTES("\x66\x0f\x6e\xc8"), "05+2(a>x1), 1 elements=4 u knc=4" },
		{ "psubd xmm1, xmm1", BYTES("\x66\x0f\xfa\xc9"), "none(>x1), 1 elements=4 u knc=4" },
		{ "vpsubd xmm1, xmm2, xmm2", BYTES("\xc5\xe9\xfa\xca"),
		  "none(>x1), 1 elements=4 u knc=4" },
		{ "vpsubd xmm1, xmm1, xmm2", BYTES("\xc5\xf1\xfa\xca"),
		  "15+1(x1 x2>x1), 1 elements=4 u knc=4" },
		{ "movhps [rbx], xmm1", BYTES("\x0f\x17\x0b"),
		  "5+1(x1>t3) sta23+1(b>)&std4+1(t3>), 2 elements=2 u knc=4" },
		{ "vextractps [rbx], xmm1, 1", BYTES("\xc4\xe3\x79\x17\x0b\x01"),
		  "0+2(x1>t2) 5+1(t2>t3) sta23+1(b>)&std4+1(t3>), 3 elements=1 u knc=4" },
		{ "paddd mm1, mm2", BYTES("\x0f\xfe\xca"), "15+1(s1 s2>s1), 1 alone" },
		{ "paddd mm7, mm2", BYTES("\x0f\xfe\xfa"), "15+1(s2 s7>s7), 1 alone" },
	};

	ASSERT_ROWS(rows);
}

TEST(x87_instructions_have_their_uops)
{
	static const struct row rows[] = {
		{ "fadd st(1), st", BYTES("\xdc\xc1"), "1+3:x87(s0 s1>s1), 1 alone knc=4" },
		{ "faddp", BYTES("\xde\xc1"), "1+3:x87(s0 s1>s1), 1 pops=1 alone knc=4" },
		{ "fld [rbx]", BYTES("\xd9\x03"), "ld23+0(b>s0), 1 pops=-1 alone knc=4" },
		{ "fld st(1)", BYTES("\xd9\xc1"), "015+1(s1>s0), 1 pops=-1 alone knc=4" },
		{ "fldz", BYTES("\xd9\xee"), "01+1(>s0), 1 pops=-1 alone knc=4" },
		{ "fstp [rbx]", BYTES("\xd9\x1b"), "sta23+1(b>)&std4+1(s0>), 1 pops=1 alone knc=4" },
		{ "fcompp", BYTES("\xde\xd9"), "1+3:x87(s0 s1>), 1 pops=2 alone knc=4" },
		{ "fcomi st, st(1)", BYTES("\xdb\xf1"), "1+3:x87(s0 s1>f), 1 alone knc=4" },
		{ "fxch st(1)", BYTES("\xd9\xc9"), "none(>s0 s1), 1 knc=4" },
		{ "fdivp", BYTES("\xde\xf9"), "0+20/14:x87(s0 s1>s1), 1 pops=1 alone knc=41" },
	};

	ASSERT_ROWS(rows);
}

TEST(system_instructions_have_their_uops)
{
	static const struct row rows[] = {
		{ "prefetcht0 [rax+4*rcx+16]", BYTES("\x0f\x18\x4c\x88\x10"),
		  "ld23+1(a c>), 1 prefetch" },
		{ "lfence", BYTES("\x0f\xae\xe8"), "015+4, 1 fence=1 alone" },
		{ "sfence", BYTES("\x0f\xae\xf8"), "015+1, 1 fence=2 alone" },
		{ "mfence", BYTES("\x0f\xae\xf0"), "015+4, 1 fence=3 alone" },
		{ "rdtsc", BYTES("\x0f\x31"),
		  "015+26(>t2) 015+1(t2>a d), 21 microcode filler=19 alone knc=20" },
		{ "cpuid", BYTES("\x0f\xa2"),
		  "015+97(a c>d t2) 015+1(t2>c t2) 015+1(t2>t2) 015+1(t2>a b), "
		  "34 microcode filler=30 serialises alone knc=31" },
		{ "mov cr3, rax", BYTES("\x0f\x22\xd8"),
		  "015+40(a>o), 31 microcode filler=30 serialises alone knc=31" },
		{ "mov dr7, rax", BYTES("\x0f\x23\xf8"),
		  "015+40(a>o), 31 microcode filler=30 serialises alone knc=31" },
		{ "in al, dx", BYTES("\xec"),
		  "015+60(a d>a), 41 microcode filler=40 fence=3 alone knc=41" },
	};

	ASSERT_ROWS(rows);
}
