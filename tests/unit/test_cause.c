// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of finding, by recorded branches, the instruction before the one that a precise record
 * names.
 */
#include <unistd.h>

#include "base/array.h"
#include "code/cause.h"
#include "code/zydis.h"
#include "recording/recording_who_seen.h"
#include "replay/report_by_symbol.h"
#include "unit.h"

#define START 0x401000
/* added to START, these are an address in the kernel and one before the code */
#define KERNEL 0xffffffff80000000
#define BEFORE -0x100

/*
 * 401000 mov rax, [rax]	401006 jne 401000	40100b ret
 * 401003 dec rcx		401008 mov [rbx], rax	40100c nop
 */
static const u8 bytes[] = {
	0x48, 0x8b, 0x00, 0x48, 0xff, 0xc9, 0x75, 0xf8, 0x48, 0x89, 0x03, 0xc3, 0x90
};

#define BYTES(array) ((struct bpmu_cause_code){ START, array, sizeof(array) })

/*
 * Returns the cause, in @code, of a record that names @next, after branches from 0x401000 + @from[i]
 * on.
 */
static u64 cause_in(struct bpmu_cause_code code, u64 next, unsigned int nr, const u64 from[],
		    const u64 to[])
{
	struct bpmu_branches branches = { .nr = nr };
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < nr; i++)
		branches.branch[i] = (struct bpmu_branch){ START + from[i], START + to[i] };
	return bpmu_cause_before(bpmu_zydis(&err), &code, START + next, &branches);
}

static u64 cause(u64 next, unsigned int nr, const u64 from[], const u64 to[])
{
	return cause_in(BYTES(bytes), next, nr, from, to);
}

TEST(the_instruction_before_is_found_from_the_target_of_a_branch)
{
	const u64 from[] = { 6 }, to[] = { 0 };

	assert_int_equal(cause(3, 1, from, to), START);
	assert_int_equal(cause(6, 1, from, to), START + 3);
	/* a branch that was not taken */
	assert_int_equal(cause(8, 1, from, to), START + 6);
	assert_int_equal(cause(11, 1, from, to), START + 8);
}

TEST(at_the_target_of_a_branch_it_is_the_branch)
{
	const u64 from[] = { 6 }, to[] = { 0 };

	assert_int_equal(cause(0, 1, from, to), START + 6);
}

TEST(the_newest_branch_may_be_after_the_event)
{
	const u64 from[] = { 11, 6 }, away[] = { 6, 6 }, to[] = { 0x100, 0 };

	assert_int_equal(cause(11, 2, from, to), START + 8);
	assert_int_equal(cause(3, 2, from, to), START);
	/* The thread has left the stretch before. */
	assert_int_equal(cause(8, 2, away, to), 0);
}

TEST(nothing_is_named_that_branches_do_not_tell)
{
	const u64 from[] = { 6 }, to[] = { 0 }, into[] = { 8 }, middle[] = { 2 };

	assert_int_equal(cause(3, 0, from, to), 0);
	/* in the middle of an instruction, before the target, after what does not go on */
	assert_int_equal(cause(4, 1, from, to), 0);
	assert_int_equal(cause(3, 1, from, into), 0);
	assert_int_equal(cause(12, 1, from, to), 0);
	/* An instruction that is none, and a target that is outside of the code. */
	assert_int_equal(cause(3, 1, from, middle), 0);
	assert_int_equal(cause(0x200, 1, from, to), 0);
}

TEST(jumps_and_calls_go_elsewhere)
{
	/* 401000 dec rcx, 401003 the instruction, then nop */
	static const u8 jump[] = { 0x48, 0xff, 0xc9, 0xeb, 0x10, 0x90 };
	static const u8 call[] = { 0x48, 0xff, 0xc9, 0xe8, 0x10, 0, 0, 0, 0x90 };
	static const u8 conditional[] = { 0x48, 0xff, 0xc9, 0x74, 0x10, 0x90 };
	const u64 from[] = { 0x300 }, to[] = { 0 };

	assert_int_equal(cause_in(BYTES(jump), 3, 1, from, to), START);
	assert_int_equal(cause_in(BYTES(jump), 5, 1, from, to), 0);
	assert_int_equal(cause_in(BYTES(call), 3, 1, from, to), START);
	assert_int_equal(cause_in(BYTES(call), 8, 1, from, to), 0);
	assert_int_equal(cause_in(BYTES(conditional), 5, 1, from, to), START + 3);
}

TEST(several_ways_to_the_address_name_no_cause)
{
	/* Into the loop from elsewhere, then once around it. */
	const u64 from[] = { 6, 0x300 }, to[] = { 0, 0 };

	assert_int_equal(cause(0, 2, from, to), 0);
	assert_int_equal(cause(3, 2, from, to), START);
}

/* The end of an interrupt, or of a system call, is a branch from the kernel. */
TEST(a_branch_from_the_kernel_is_no_cause)
{
	const u64 from[] = { KERNEL, 6 }, to[] = { 3, 0 }, away[] = { 0x300, 0 },
		  outside[] = { 3, BEFORE };

	/* Interrupted before the instruction at 3, and after it. */
	assert_int_equal(cause(3, 2, from, to), START);
	assert_int_equal(cause(6, 2, from, to), START + 3);
	/* Where the instructions before the interrupt ended is not known. */
	assert_int_equal(cause(8, 2, from, away), START + 6);
	assert_int_equal(cause(8, 2, from, outside), START + 6);
	assert_int_equal(cause(3, 1, from, to), 0);
}

TEST(a_way_that_cannot_be_decoded_hides_others)
{
	/* From outside of the code to its end, later by a jump to the same address. */
	const u64 from[] = { 0x300, 11, 6 }, to[] = { 11, 0x200, BEFORE };

	assert_int_equal(cause(11, 1, from, to), START + 0x300);
	assert_int_equal(cause(11, 3, from, to), 0);
}

/* The code of the test's own program: an instruction of three bytes, and what comes after it. */
extern const u8 loop_begin[], loop_second[], loop_end[];

static __attribute__((noinline, noclone, used)) void loop_once(void)
{
	asm volatile("loop_begin: lea (%%rax), %%rax\n"
		     "loop_second: nop\n"
		     "loop_end:" : : : "rax");
}

TEST(causes_are_found_in_the_files_of_a_process)
{
	const pid_t pid = getpid();
	struct bpmu_by_symbols symbols = { };
	struct bpmu_who_seen seen = { .block = bpmu_by_symbols_add_block, .data = &symbols };
	struct bpmu_who who = {
		.pid = pid, .tgid = pid, .comm = "test", .ip = (uintptr_t)loop_second,
	};
	struct bpmu_branches branches = {
		.nr = 1, .branch = { { START, (uintptr_t)loop_begin } },
	};
	struct bpmu_replay replay = { };
	struct bpmu_causes causes;
	unsigned int i;

	bpmu_who_seen_task(&seen, &who);
	bpmu_causes_begin(&causes, &replay);
	/* The file is read once, and kept. */
	for (i = 0; i < 2; i++) {
		assert_true(replay.cause(replay.cause_data, &symbols, &who, &branches) ==
			    (uintptr_t)loop_begin);
		assert_int_equal(causes.nr, 1);
	}
	/* A jump to behind the instruction, and an address at which no file is mapped. */
	branches.branch[0].to = (uintptr_t)loop_end;
	assert_int_equal(replay.cause(replay.cause_data, &symbols, &who, &branches), 0);
	who.ip = 1;
	branches.branch[0].to = 0;
	assert_int_equal(replay.cause(replay.cause_data, &symbols, &who, &branches), 0);
	bpmu_causes_free(&causes);
	assert_int_equal(causes.nr, 0);
	bpmu_who_seen_end(&seen);
	bpmu_by_symbols_free(&symbols);
}
