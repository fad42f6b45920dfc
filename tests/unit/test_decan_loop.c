// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how decan finds the loops of a function in its machine code. For each loop decan finds
 * the instructions that can be removed, or the reason why the loop cannot be analysed.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/decan/decan.h"
#include "no_memory.h"
#include "unit.h"

#define BASE 0x401000ULL

/*
 * Disassembly of function[] below, with the hexadecimal offset of each instruction.
 *
 *	  0 xor %eax,%eax
 *	  2 outer: xor %ecx,%ecx
 *	  4 inner: movsd (%rdi,%rcx,8),%xmm0
 *	  9 ucomisd %xmm1,%xmm0
 *	  d jbe skip
 *	  f addsd 8(%rdi,%rcx,8),%xmm2
 *	 15 skip: movslq (%rsi,%rcx,4),%rdx
 *	 19 movsd (%r8,%rdx,8),%xmm3
 *	 1f movsd %xmm3,(%r9,%rcx,8)
 *	 25 inc %rcx
 *	 28 cmp %r10,%rcx
 *	 2b jne inner
 *	 2d inc %eax
 *	 2f cmp %r11d,%eax
 *	 32 jne outer
 *	 34 ret
 *	 35 list: mov (%rdi),%rdi
 *	 38 test %rdi,%rdi
 *	 3b je out
 *	 3d dec %rsi
 *	 40 jne list
 *	 42 nop
 *	 43 out: ret
 *	 44 test %rdi,%rdi
 *	 47 je middle
 *	 49 two: inc %rax
 *	 4c middle: dec %rdi
 *	 4f jne two
 *	 51 ret
 *	 52 xor %ebx,%ebx
 *	 54 table: cmp $3,%rax
 *	 58 ja next
 *	 5a jmp *%rdx
 *	 5c inc %rbx
 *	 5f next: dec %rcx
 *	 62 jne table
 *	 64 ret
 */
static const u8 function[] = {
	0x31, 0xc0, 0x31, 0xc9, 0xf2, 0x0f, 0x10, 0x04, 0xcf, 0x66, 0x0f,
	0x2e, 0xc1, 0x76, 0x06, 0xf2, 0x0f, 0x58, 0x54, 0xcf, 0x08, 0x48,
	0x63, 0x14, 0x8e, 0xf2, 0x41, 0x0f, 0x10, 0x1c, 0xd0, 0xf2, 0x41,
	0x0f, 0x11, 0x1c, 0xc9, 0x48, 0xff, 0xc1, 0x4c, 0x39, 0xd1, 0x75,
	0xd7, 0xff, 0xc0, 0x44, 0x39, 0xd8, 0x75, 0xce, 0xc3, 0x48, 0x8b,
	0x3f, 0x48, 0x85, 0xff, 0x74, 0x06, 0x48, 0xff, 0xce, 0x75, 0xf3,
	0x90, 0xc3, 0x48, 0x85, 0xff, 0x74, 0x03, 0x48, 0xff, 0xc0, 0x48,
	0xff, 0xcf, 0x75, 0xf8, 0xc3, 0x31, 0xdb, 0x48, 0x83, 0xf8, 0x03,
	0x77, 0x05, 0xff, 0xe2, 0x48, 0xff, 0xc3, 0x48, 0xff, 0xc9, 0x75,
	0xf0, 0xc3,
};

enum { OUTER, INNER, LIST, TWO, TABLE, NR_LOOPS };

static struct bpmu_code code;

TEST_FIXTURE(decode)
{
	struct bpmu_error err = { };

	return bpmu_code_init(&code, BASE, function, sizeof(function), &err);
}

TEST_FIXTURE(end)
{
	bpmu_code_free(&code);
	return 0;
}

TEST(loops_are_numbered_by_address)
{
	static const u64 header[NR_LOOPS] = { 0x2, 0x4, 0x35, 0x49, 0x54 };
	unsigned int i;

	assert_int_equal(code.nr_loops, NR_LOOPS);
	for (i = 0; i < NR_LOOPS; i++)
		assert_int_equal(bpmu_loop_header(&code, &code.loop[i]),
				 BASE + header[i]);
}

TEST(loops_have_parent_and_depth)
{
	assert_int_equal(code.loop[INNER].parent, OUTER);
	assert_int_equal(code.loop[INNER].depth, 1);
	assert_true(code.loop[INNER].inner);
	assert_int_equal(code.loop[OUTER].parent, BPMU_LOOP_NONE);
	assert_false(code.loop[OUTER].inner);
	assert_true(code.loop[LIST].inner);
}

TEST(a_loop_ends_after_its_last_instruction)
{
	assert_int_equal(code.loop[INNER].first, BASE + 0x4);
	assert_int_equal(code.loop[INNER].end, BASE + 0x2d);
	assert_int_equal(code.loop[OUTER].end, BASE + 0x34);
}

TEST(each_branch_out_of_a_loop_is_an_exit)
{
	assert_int_equal(code.loop[INNER].nr_exits, 1);
	assert_int_equal(code.loop[INNER].exits[0], BASE + 0x2d);
	assert_int_equal(code.loop[LIST].nr_exits, 2);
	assert_int_equal(code.loop[LIST].exits[0], BASE + 0x43);
	assert_int_equal(code.loop[LIST].exits[1], BASE + 0x42);
}

TEST(irreducible_loops_and_indirect_jumps_are_refused)
{
	assert_string_equal(code.loop[INNER].refused, "");
	assert_string_equal(code.loop[TWO].refused,
			    "entered besides its header at 0x401049");
	assert_string_equal(code.loop[TABLE].refused,
			    "indirect jump inside at 0x40105a");
}

/* Writes to @text a line for each loop: its header, its range, its place, its exits, why refused. */
static void describe(const struct bpmu_code *of, char *text)
{
	const struct bpmu_loop *loop;
	unsigned int i, k;

	*text = '\0';
	for (i = 0; i < of->nr_loops; i++) {
		loop = &of->loop[i];
		text += sprintf(text, "%llx: %llx-%llx depth %u in %d%s, to",
				(unsigned long long)(bpmu_loop_header(of, loop) - BASE),
				(unsigned long long)(loop->first - BASE),
				(unsigned long long)(loop->end - BASE), loop->depth,
				(int)loop->parent, loop->inner ? " innermost" : "");
		for (k = 0; k < loop->nr_exits; k++)
			text += sprintf(text, " %llx",
					(unsigned long long)(loop->exits[k] - BASE));
		text += sprintf(text, "%s%s\n", *loop->refused ? "; " : "", loop->refused);
	}
}

static void has_loops(const u8 *bytes, size_t size, const char *loops)
{
	struct bpmu_error err = { };
	struct bpmu_code of;
	char text[1024];

	assert_int_equal(bpmu_code_init(&of, BASE, bytes, size, &err), 0);
	describe(&of, text);
	bpmu_code_free(&of);
	assert_string_equal(text, loops);
}

/*
 * Without optimisation compilers put the condition of a loop at its end, and begin with a jump to
 * it. The branch from the condition to the body goes back to a lower address all the same.
 *
 *	  0 jmp test		  6 test: dec %rdi
 *	  2 body: inc %eax	  9 jne body
 *	  4 js out		  b out: ret
 */
TEST(a_loop_may_be_entered_at_its_condition)
{
	static const u8 bytes[] = {
		0xeb, 0x04, 0xff, 0xc0, 0x78, 0x05, 0x48, 0xff, 0xcf, 0x75, 0xf7, 0xc3,
	};

	has_loops(bytes, sizeof(bytes), "6: 2-b depth 0 in -1 innermost, to b\n");
}

/*
 * The code of a case is entered by an indirect jump, and goes on with the next jump:
 *
 *	  0 top: jmp *%rax	  4 jmp top
 *	  2 case: inc %eax	  6 ret
 */
TEST(a_loop_through_a_jump_table_is_refused)
{
	static const u8 bytes[] = { 0xff, 0xe0, 0xff, 0xc0, 0xeb, 0xfa, 0xc3 };

	has_loops(bytes, sizeof(bytes),
		  "0: 0-6 depth 0 in -1 innermost, to; indirect jump inside at 0x401000\n");
}

/*
 *	  0 a: inc %eax		  8 jne b
 *	  2 b: inc %ebx		  a d: inc %edx
 *	  4 c: inc %ecx		  c jne d
 *	  6 jne c		  e jne a
 *				 10 ret
 */
TEST(a_loop_is_in_the_smallest_loop_around_it)
{
	static const u8 nested[] = {
		0xff, 0xc0, 0xff, 0xc3, 0xff, 0xc1, 0x75, 0xfc, 0x75, 0xf8, 0xff, 0xc2, 0x75, 0xfc,
		0x75, 0xf0, 0xc3,
	};
	/*
	 * Three nested loops that are entered at their conditions:
	 *
	 *	  0 jmp outer		  8 middle: dec %ebx
	 *	  2 body: inc %eax	  a jne inner
	 *	  4 inner: dec %ecx	  c outer: dec %edx
	 *	  6 jne body		  e jne middle
	 *				 10 ret
	 */
	static const u8 upside_down[] = {
		0xeb, 0x0a, 0xff, 0xc0, 0xff, 0xc9, 0x75, 0xfa, 0xff, 0xcb, 0x75, 0xf8, 0xff, 0xca,
		0x75, 0xf8, 0xc3,
	};

	has_loops(nested, sizeof(nested),
		  "0: 0-10 depth 0 in -1, to 10\n"
		  "2: 2-a depth 1 in 0, to a\n"
		  "4: 4-8 depth 2 in 1 innermost, to 8\n"
		  "a: a-e depth 1 in 0 innermost, to e\n");
	has_loops(upside_down, sizeof(upside_down),
		  "4: 2-8 depth 2 in 1 innermost, to 8\n"
		  "8: 2-c depth 1 in 2, to c\n"
		  "c: 2-10 depth 0 in -1, to 10\n");
}

/*
 *	  0 top: je out		 10 ret
 *	  2 inc %eax		 11 ud2
 *	  4 je out		 13 hlt
 *	  6 jo 200		 14 out: ret
 *	  c dec %ecx		 15 last: call 200
 *	  e js top		 1a jne last
 */
TEST(exits_are_where_a_loop_is_left)
{
	static const u8 bytes[] = {
		0x74, 0x12, 0xff, 0xc0, 0x74, 0x0e, 0x0f, 0x80, 0xf4, 0x01, 0x00, 0x00, 0xff, 0xc9,
		0x78, 0xf0, 0xc3, 0x0f, 0x0b, 0xf4, 0xc3, 0xe8, 0xe6, 0x01, 0x00, 0x00, 0x75, 0xf9,
	};

	/* An exit to which several branches go is listed once. */
	has_loops(bytes, sizeof(bytes),
		  "0: 0-10 depth 0 in -1 innermost, to 14 200 10\n"
		  "15: 15-1c depth 0 in -1 innermost, to 1c\n");
}

/*
 *	  0 inc %eax		  8 jmp . (never left)
 *	  2 jo 0		  a jmp c (never reached)
 *	  4 inc %ebx		  c jmp a
 *	  6 js 0
 */
TEST(branches_to_one_header_are_one_loop)
{
	static const u8 bytes[] = {
		0xff, 0xc0, 0x70, 0xfc, 0xff, 0xc3, 0x78, 0xf8, 0xeb, 0xfe, 0xeb, 0x00, 0xeb, 0xfc,
	};

	has_loops(bytes, sizeof(bytes),
		  "0: 0-8 depth 0 in -1 innermost, to 8\n"
		  "8: 8-a depth 0 in -1 innermost, to\n"
		  "a: a-e depth 0 in -1 innermost, to\n");
	has_loops((const u8 *)"\xc3", 1, "");
}

/*
 * A loop with two entries, of which the second is behind a byte that is no instruction:
 *
 *	  0 test %rdi,%rdi	  a (bad)
 *	  3 je middle		  b middle: dec %rdi
 *	  5 two: inc %rax	  e jne two
 *	  8 jo middle		 10 ret
 */
TEST(bytes_in_a_loop_that_do_not_decode_are_named)
{
	static const u8 bytes[] = {
		0x48, 0x85, 0xff, 0x74, 0x06, 0x48, 0xff, 0xc0, 0x70, 0x01, 0x06, 0x48, 0xff, 0xcf,
		0x75, 0xf5, 0xc3,
	};

	has_loops(bytes, sizeof(bytes),
		  "5: 5-10 depth 0 in -1 innermost, to 10; bytes at 0x40100a do not decode\n");
}

/*
 * Cycles in which each block can be entered from outside (K. Cooper and others, A Simple, Fast
 * Dominance Algorithm, figure 4): no block dominates another one but the first.
 *
 *	  0 je four		  6 two: js one
 *	  2 five: jmp one	  8 three: jmp two
 *	  4 four: jo three	  a one: jmp two
 */
TEST(cycles_with_several_entries_are_all_refused)
{
	static const u8 bytes[] = {
		0x74, 0x02, 0xeb, 0x06, 0x70, 0x02, 0x78, 0x02, 0xeb, 0xfc, 0xeb, 0xfa,
	};
	struct bpmu_error err = { };
	struct bpmu_code of;
	unsigned int i;

	assert_int_equal(bpmu_code_init(&of, BASE, bytes, sizeof(bytes), &err), 0);
	assert_true(of.nr_loops > 0);
	for (i = 0; i < of.nr_loops; i++)
		assert_ptr_equal(strstr(of.loop[i].refused, "entered besides its header at 0x"),
				 of.loop[i].refused);
	for (i = 1; i < of.nr_blocks; i++)
		assert_int_equal(of.block[i].dominator, 0);
	assert_int_equal(of.block[0].dominator, BPMU_LOOP_NONE);
	bpmu_code_free(&of);
}

TEST(an_instruction_is_found_at_its_first_byte_only)
{
	/* One byte each, more than memory is first allocated for */
	static u8 many[130];
	struct bpmu_error err = { };
	struct bpmu_code of;
	unsigned int i;

	assert_ptr_equal(bpmu_code_at(&code, BASE), code.insn);
	assert_ptr_equal(bpmu_code_at(&code, BASE + 2), code.insn + 1);
	assert_ptr_equal(bpmu_code_at(&code, BASE + 0x64), code.insn + code.nr - 1);
	assert_null(bpmu_code_at(&code, BASE - 1));
	assert_null(bpmu_code_at(&code, BASE + 1));
	assert_null(bpmu_code_at(&code, BASE + 0x65));
	memset(many, 0x90, sizeof(many));
	assert_int_equal(bpmu_code_init(&of, BASE, many, sizeof(many), &err), 0);
	assert_int_equal(of.nr, sizeof(many));
	assert_int_equal(of.nr_blocks, 1);
	for (i = 0; i < sizeof(many); i++)
		assert_ptr_equal(bpmu_code_at(&of, BASE + i), of.insn + i);
	bpmu_code_free(&of);
}

TEST(a_function_without_code_is_refused)
{
	struct bpmu_error err = { };
	struct bpmu_code of;

	assert_int_equal(bpmu_code_init(&of, BASE, function, 0, &err), -EINVAL);
	assert_string_equal(err.text,
			    "function at 0x401000: has no code; name another one");
	bpmu_code_free(&of);
}

TEST(invalid_instructions_are_refused_with_their_address)
{
	/*
	 * The byte 06 is no instruction in 64-bit mode. A conditional branch (74 01) jumps over it.
	 */
	static const u8 bytes[] = {
		0x48, 0xff, 0xc0, 0x74, 0x01, 0x06, 0x48, 0xff, 0xc9, 0x75,
		0xf5, 0xc3,
	};
	struct bpmu_error err = { };
	struct bpmu_code bad;

	assert_int_equal(bpmu_code_init(&bad, BASE, bytes, sizeof(bytes), &err),
			 0);
	assert_int_equal(bad.nr_loops, 1);
	/*
	 * The invalid byte 06 does not belong to the loop. If the conditional branch before it is
	 * not taken, the CPU leaves the loop and gets to this byte. This branch is therefore one of
	 * the loop's two exits.
	 */
	assert_string_equal(bad.loop[0].refused, "");
	assert_int_equal(bad.loop[0].nr_exits, 2);
	bpmu_code_free(&bad);
}

/*
 * Returns the instruction at an offset in the loop, if decan may remove it to make a variant of the
 * loop; NULL if not.
 */
static const struct bpmu_candidate *at(const struct bpmu_candidates *found,
				       u64 offset)
{
	unsigned int i;

	for (i = 0; i < found->nr; i++)
		if (found->candidate[i].insn->address == BASE + offset)
			return &found->candidate[i];
	return NULL;
}

TEST(loads_and_stores_are_candidates)
{
	struct bpmu_candidates found;
	struct bpmu_error err = { };

	assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER],
					      false, &err), 0);
	assert_int_equal(found.nr, 5);
	assert_int_equal(at(&found, 0x4)->type, BPMU_CANDIDATE_LOAD);
	assert_int_equal(at(&found, 0xd)->type, BPMU_CANDIDATE_BRANCH);
	assert_int_equal(at(&found, 0xf)->type, BPMU_CANDIDATE_LOAD);
	assert_int_equal(at(&found, 0x19)->type, BPMU_CANDIDATE_LOAD);
	assert_int_equal(at(&found, 0x1f)->type, BPMU_CANDIDATE_STORE);
	/*
	 * decan may not remove the branch at the end of the loop, which jumps back to the loop's
	 * start.
	 */
	assert_null(at(&found, 0x2b));
	assert_false(found.calls || found.locks);
	bpmu_candidates_free(&found);
}

TEST(integer_accesses_are_candidates_on_request)
{
	struct bpmu_candidates found;
	struct bpmu_error err = { };

	assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER],
					      true, &err), 0);
	assert_int_equal(found.nr, 6);
	assert_true(at(&found, 0x15)->flags & BPMU_CANDIDATE_INTEGER);
	bpmu_candidates_free(&found);
}

TEST(loads_that_feed_branches_or_addresses_are_flagged)
{
	const unsigned int both = BPMU_CANDIDATE_CONTROL |
				  BPMU_CANDIDATE_ADDRESS;
	struct bpmu_candidates found;
	struct bpmu_error err = { };

	assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER],
					      true, &err), 0);
	assert_int_equal(at(&found, 0x4)->flags & both, BPMU_CANDIDATE_CONTROL);
	assert_int_equal(at(&found, 0x15)->flags & both,
			 BPMU_CANDIDATE_ADDRESS);
	assert_int_equal(at(&found, 0xf)->flags & both, 0);
	assert_int_equal(at(&found, 0x19)->flags & both, 0);
	bpmu_candidates_free(&found);
}

static void no_variable(void *data, const struct bpmu_candidate *candidate,
			struct bpmu_array *found)
{
	(void)data;
	(void)candidate;
	(void)found;
}

static void variable(void *data, const struct bpmu_candidate *candidate,
		     struct bpmu_array *found)
{
	(void)data;
	if (candidate->type != BPMU_CANDIDATE_LOAD)
		return;
	found->start = 0x1000;
	snprintf(found->name, sizeof(found->name), "AM");
}

TEST(loads_of_one_array_are_a_group)
{
	struct bpmu_candidates found;
	struct bpmu_error err = { };

	assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER],
					      false, &err), 0);
	/*
	 * Two memory accesses form a group: they have the same base register and the same index
	 * register, their addresses are 8 bytes apart, and neither register changes between them.
	 */
	assert_int_equal(bpmu_candidates_group(&found, no_variable, NULL, &err),
			 0);
	assert_int_equal(found.nr_groups, 1);
	assert_int_equal(found.group[0].nr, 2);
	assert_string_equal(found.group[0].name, "at_0x401004");
	assert_int_equal(at(&found, 0x4)->group, 0);
	assert_int_equal(at(&found, 0xf)->group, 0);
	assert_int_equal(at(&found, 0x19)->group, BPMU_LOOP_NONE);
	bpmu_candidates_free(&found);
}

TEST(traced_addresses_decide_the_group)
{
	struct bpmu_candidates found;
	struct bpmu_error err = { };

	assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER],
					      false, &err), 0);
	((struct bpmu_candidate *)at(&found, 0x4))->seen = 0x10000;
	((struct bpmu_candidate *)at(&found, 0xf))->seen = 0x20000;
	((struct bpmu_candidate *)at(&found, 0x19))->seen = 0x10ff8;
	assert_int_equal(bpmu_candidates_group(&found, no_variable, NULL, &err),
			 0);
	assert_int_equal(found.nr_groups, 1);
	assert_string_equal(found.group[0].name, "0x10000");
	assert_int_equal(at(&found, 0xf)->group, BPMU_LOOP_NONE);
	assert_int_equal(at(&found, 0x19)->group, 0);
	bpmu_candidates_free(&found);
}

static void step(struct bpmu_candidates *found, u64 offset, u64 seen, u64 stride)
{
	struct bpmu_candidate *candidate = (struct bpmu_candidate *)at(found, offset);

	candidate->seen = seen;
	candidate->next = seen + stride;
}

/*
 * Two loads are of one array, the third one is of another. With strides of more than a cache line,
 * the misses of all three overlap: they are a second group, which has the names of both arrays.
 */
TEST(loads_of_several_arrays_with_one_stride_are_a_group)
{
	struct bpmu_candidates found;
	struct bpmu_error err = { };
	u64 stride;

	for (stride = 64; stride <= 256; stride *= 4) {
		assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER], false,
						      &err), 0);
		step(&found, 0x4, 0x10000, stride);
		step(&found, 0xf, 0x10008, stride);
		step(&found, 0x19, 0x50000, stride);
		assert_int_equal(bpmu_candidates_group(&found, no_variable, NULL, &err), 0);
		assert_string_equal(found.group[0].name, "0x10000");
		assert_int_equal(found.group[0].nr, 2);
		assert_int_equal(found.group[0].stride, stride);
		assert_int_equal(at(&found, 0xf)->group, 0);
		assert_int_equal(found.nr_groups, stride > 64 ? 2 : 1);
		if (stride > 64) {
			assert_string_equal(found.group[1].name, "0x10000_0x50000");
			assert_int_equal(found.group[1].nr, 3);
			assert_int_equal(found.group[1].stride, 256);
			assert_int_equal(at(&found, 0x4)->pattern, 1);
			assert_int_equal(at(&found, 0xf)->pattern, 1);
			assert_int_equal(at(&found, 0x19)->pattern, 1);
		}
		bpmu_candidates_free(&found);
	}
}

TEST(a_variable_names_its_group)
{
	struct bpmu_candidates found;
	struct bpmu_error err = { };

	assert_int_equal(bpmu_candidates_init(&found, &code, &code.loop[INNER],
					      false, &err), 0);
	assert_int_equal(bpmu_candidates_group(&found, variable, NULL, &err), 0);
	assert_int_equal(found.nr_groups, 1);
	assert_int_equal(found.group[0].nr, 3);
	assert_string_equal(found.group[0].name, "AM");
	bpmu_candidates_free(&found);
}

/*
 * Finds loops, candidates, groups and variants, with or without memory. Whatever is found before
 * memory runs out is freed.
 */
static int analyse(void *data, struct bpmu_error *err)
{
	struct bpmu_candidates found = { };
	struct bpmu_variants variants = {
		.candidates = &found, .function = "walk", .kinds = BPMU_VARIANT_DEFAULT,
		.threads = 2,
	};
	struct bpmu_code of;
	int ret;

	(void)data;
	no_memory_begin();
	ret = bpmu_code_init(&of, BASE, function, sizeof(function), err);
	if (!ret)
		ret = bpmu_candidates_init(&found, &of, &of.loop[INNER], true, err);
	if (!ret)
		ret = bpmu_candidates_group(&found, no_variable, NULL, err);
	variants.code = &of;
	variants.loop = of.loop ? &of.loop[INNER] : NULL;
	if (!ret)
		ret = bpmu_variants_make(&variants, err);
	no_memory_end();
	bpmu_variants_free(&variants);
	bpmu_candidates_free(&found);
	bpmu_code_free(&of);
	return ret;
}

TEST(what_was_found_is_freed_if_memory_runs_out)
{
	/* Ten places for loops, six for candidates and groups, and three for variants */
	assert_true(no_memory_each(analyse, NULL) >= 19);
}

/*
 * decan --list prints the function's loops, the chosen one, why a loop cannot be chosen, and the
 * instructions that can be removed from the chosen loop.
 */
TEST(the_list_has_loops_and_candidates)
{
	struct bpmu_decan decan = {
		.code = code, .name = "walk", .elf.path = "./walk", .id = INNER,
		.target = &code.loop[INNER],
	};
	struct bpmu_error err;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(bpmu_candidates_init(&decan.candidates, &code, decan.target, true, &err),
			 0);
	assert_int_equal(bpmu_candidates_group(&decan.candidates, variable, NULL, &err), 0);
	bpmu_decan_list(&decan, out);
	bpmu_candidates_free(&decan.candidates);
	fclose(out);
	unit_text("decan-list", text);
}

TEST_GROUP(decode, end);
