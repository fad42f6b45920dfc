// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the module's unwinder of the kernel's stack: a chain is unwound by learned steps only if
 * it is the chain that the kernel's unwinder finds. The source is compiled unchanged. The test lays
 * out the stack and is the kernel's unwinder, so that it knows both.
 */
#include "kernel/asm/unwind.h"

#include "../../kmod/sample/unwind.c"

#include "unit.h"

#define TEXT 0xffffffff81000000UL
#define WORDS 2048U
/* Words of the stack below the registers of user space, which are at its top */
#define ENTRY (WORDS - 21U)
#define MOST 16U
#define FAR 0xffff888000001000UL

/*
 * A function of a chain. @at: its address in the chain; @words: size of its frame, with the return
 * address; @saves: words from the word in which it has saved the caller's RBP to the end of its
 * frame, 0 if it has not; @bp: what it has in RBP, 0: the caller's; @points: words from where it
 * lets RBP point to the end of its frame, 0 if it does not
 */
struct function {
	unsigned long at;
	unsigned int words;
	unsigned int saves;
	unsigned long bp;
	unsigned int points;
};

static unsigned long stack[WORDS] __attribute__((aligned(8)));
static struct unwind_state script[MOST + 2];
static struct pt_regs regs, user = { .user = true };
/* How often the kernel's unwinder began, and went on */
static unsigned int started, continued;
static u64 found[MOST];
static u16 flags;
static bool registered;

unsigned long *task_stack_page(const void *task)
{
	(void)task;
	return stack;
}

struct pt_regs *task_pt_regs(const void *task)
{
	(void)task;
	return (struct pt_regs *)(stack + ENTRY);
}

void unwind_start(struct unwind_state *state, const void *task, struct pt_regs *of,
		  unsigned long *first_frame)
{
	(void)task;
	assert_ptr_equal(&regs, of);
	assert_null(first_frame);
	*state = script[0];
	started++;
}

bool unwind_next_frame(struct unwind_state *state)
{
	*state = script[state->number + 1];
	continued++;
	return !state->done;
}

unsigned long unwind_get_return_address(struct unwind_state *state)
{
	return state->done || state->regs ? 0 : state->ip;
}

int param_set_uint(const char *text, const struct kernel_param *param)
{
	*param->value = atoi(text);
	return 0;
}

int param_get_uint(char *text, const struct kernel_param *param)
{
	return sprintf(text, "%u", *param->value);
}

int register_module_notifier(struct notifier_block *block)
{
	(void)block;
	registered = true;
	return 0;
}

int unregister_module_notifier(struct notifier_block *block)
{
	(void)block;
	registered = false;
	return 0;
}

/*
 * Lays out the stack of @nr functions, the outermost first, which was called from the entry of system
 * calls with the stack pointer at word @end; and what the kernel's unwinder finds.
 */
static void lay_out(const struct function *function, unsigned int nr, unsigned int end)
{
	unsigned long caller = TEXT + 0x10, bp = 0;
	unsigned int i;

	for (i = 0; i < WORDS; i++)
		stack[i] = 0x5a5a5a5a00000000UL + i;
	memset(script, 0, sizeof(script));
	for (i = 0; i < nr; i++, function++) {
		script[nr - 1 - i] = (struct unwind_state){
			.ip = caller, .sp = (unsigned long)&stack[end], .bp = bp,
			.number = nr - 1 - i,
		};
		stack[end - 1] = caller;
		if (function->saves)
			stack[end - function->saves] = bp;
		if (function->points)
			bp = (unsigned long)&stack[end - function->points];
		else if (function->bp)
			bp = function->bp;
		end -= function->words;
		caller = function->at + 1;
	}
	script[nr] = (struct unwind_state){ .regs = &user, .number = nr };
	regs = (struct pt_regs){
		.ip = caller - 1, .sp = (unsigned long)&stack[end], .bp = bp,
		.r10 = FAR, .r13 = FAR,
	};
}

/* Unwinds what was laid out; returns how many places of the chain the kernel's unwinder has made. */
static unsigned int unwind(unsigned int most, unsigned int *nr)
{
	started = 0;
	continued = 0;
	flags = 0;
	memset(found, 0, sizeof(found));
	*nr = bpmu_unwind(found, most, &regs, &flags);
	return started + continued;
}

/*
 * Unwinds, and checks that the addresses are those of the kernel's unwinder, of @nr functions. Returns
 * how many places that unwinder has made.
 */
static unsigned int unwind_right(unsigned int nr)
{
	unsigned int i, got, places = unwind(MOST, &got);

	assert_int_equal(nr, got);
	assert_int_equal(0, flags);
	for (i = 0; i < nr; i++)
		assert_int_equal(script[i].ip, found[i]);
	return places;
}

TEST_FIXTURE(setup)
{
	bpmu_unwind_forget();
	unwind_compare = 1000000;
	unwind_compared = 0;
	chains = 0;
	return 0;
}

/* Three functions, none of which has a frame pointer */
static const struct function plain[] = {
	{ .at = TEXT + 0x100, .words = 6, .saves = 2, .bp = 7 },
	{ .at = TEXT + 0x200, .words = 3 },
	{ .at = TEXT + 0x300, .words = 9, .saves = 5, .bp = 8 },
};

TEST_BETWEEN(steps_are_learned_and_followed, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	assert_int_equal(4, unwind_right(3));
	assert_int_equal(0, unwind_right(3));
}

TEST_BETWEEN(callers_of_a_new_instruction_are_followed, setup, NULL)
{
	struct function inner[3];

	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	memcpy(inner, plain, sizeof(inner));
	inner[2].at = TEXT + 0x304;
	lay_out(inner, 3, ENTRY);
	assert_int_equal(1, unwind_right(3));
	assert_int_equal(0, unwind_right(3));
}

/* The function has another frame each time: the kernel's unwinder adds a number to RBP. */
TEST_BETWEEN(a_frame_pointer_is_found_by_frames_of_different_sizes, setup, NULL)
{
	struct function with[3] = {
		{ .at = TEXT + 0x100, .words = 20, .saves = 2, .points = 2 },
		{ .at = TEXT + 0x200, .words = 4, .saves = 3, .bp = 9 },
		{ .at = TEXT + 0x300, .words = 5 },
	};

	lay_out(with, 3, ENTRY);
	assert_int_equal(4, unwind_right(3));
	assert_int_equal(0, unwind_right(3));
	with[0].words = 30;
	lay_out(with, 3, ENTRY);
	assert_int_not_equal(0, unwind_right(3));
	with[0].words = 44;
	lay_out(with, 3, ENTRY);
	assert_int_equal(0, unwind_right(3));
}

/* RBP points into the frame, at another place each time, and is no frame pointer. */
TEST_BETWEEN(a_pointer_into_the_frame_is_no_frame_pointer, setup, NULL)
{
	struct function with[2] = {
		{ .at = TEXT + 0x100, .words = 20, .saves = 2, .points = 4 },
		{ .at = TEXT + 0x200, .words = 4 },
	};

	lay_out(with, 2, ENTRY);
	unwind_right(2);
	assert_int_equal(0, unwind_right(2));
	with[0].points = 7;
	lay_out(with, 2, ENTRY);
	assert_int_not_equal(0, unwind_right(2));
	with[0].points = 9;
	lay_out(with, 2, ENTRY);
	assert_int_equal(0, unwind_right(2));
}

/* A function's RBP was saved by one that it has called, in a frame with the value in two words. */
TEST_BETWEEN(a_value_in_two_words_tells_nothing_of_rbp, setup, NULL)
{
	struct function with[2] = {
		{ .at = TEXT + 0x100, .words = 20, .saves = 2, .points = 2 },
		{ .at = TEXT + 0x200, .words = 6, .saves = 3, .bp = 9 },
	};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		with[0].words = 20 + i;
		lay_out(with, 2, ENTRY);
		stack[ENTRY - with[0].words - 5] = script[0].bp;
		assert_int_not_equal(0, unwind_right(2));
	}
	lay_out(with, 2, ENTRY);
	assert_int_not_equal(0, unwind_right(2));
	assert_int_equal(0, unwind_right(2));
}

/*
 * At the first time RBP and a word of the frame have the same value. Later they differ; the function
 * has saved RBP in that word, or has not.
 */
TEST_BETWEEN(rbp_is_in_a_word_or_still_in_rbp, setup, NULL)
{
	struct function with[2] = {
		{ .at = TEXT + 0x100, .words = 20, .saves = 2, .points = 2 },
		{ .at = TEXT + 0x200, .words = 6, .saves = 3 },
	};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		with[0].words = 20 + i;
		lay_out(with, 2, ENTRY);
		unwind_right(2);
	}
	lay_out(with, 2, ENTRY);
	assert_int_equal(0, unwind_right(2));
	with[1].bp = 9;
	lay_out(with, 2, ENTRY);
	assert_int_not_equal(0, unwind_right(2));
	assert_int_equal(0, unwind_right(2));
	bpmu_unwind_forget();
	with[1].bp = 0;
	for (i = 0; i < 3; i++) {
		with[0].words = 20 + i;
		lay_out(with, 2, ENTRY);
		unwind_right(2);
	}
	with[1].saves = 0;
	lay_out(with, 2, ENTRY);
	assert_int_not_equal(0, unwind_right(2));
}

/* ORC may have added a number to R10 or R13 in the interrupted function. */
TEST_BETWEEN(registers_that_point_into_the_frame_are_not_trusted, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	regs.r10 = script[0].sp;
	unwind_right(3);
	assert_int_equal(1, unwind_right(3));
	regs.r10 = FAR;
	regs.r13 = regs.sp;
	assert_int_equal(1, unwind_right(3));
	regs.r13 = FAR;
	assert_int_equal(1, unwind_right(3));
	assert_int_equal(0, unwind_right(3));
}

/*
 * The function aligns its stack: where its frame ends is in a word of the frame, and RBP is the same
 * distance from the stack pointer each time.
 */
TEST_BETWEEN(a_function_that_aligns_its_stack_is_the_kernels, setup, NULL)
{
	struct function with[2] = {
		{ .at = TEXT + 0x100, .words = 20, .saves = 4, .points = 4 },
		{ .at = TEXT + 0x200, .words = 4 },
	};
	unsigned int i;

	for (i = 0; i < 4; i++) {
		with[0].words = 20 + i % 2;
		with[0].points = 4 + i % 2;
		with[0].saves = with[0].points;
		lay_out(with, 2, ENTRY);
		stack[ENTRY - with[0].points - 1] = script[1].sp;
		assert_int_not_equal(0, unwind_right(2));
	}
}

/* Code that ORC does not know: the kernel's unwinder guesses, and says so. */
TEST_BETWEEN(a_guess_is_not_followed, setup, NULL)
{
	unsigned int i, nr;

	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	regs.ip += 0x40;
	for (i = 0; i <= 3; i++)
		script[i].error = true;
	for (i = 0; i < 2; i++) {
		assert_int_equal(4, unwind(MOST, &nr));
		assert_int_equal(3, nr);
		assert_int_equal(BPMU_SECTION_BROKEN, flags);
	}
}

/* The chain of a page fault in the kernel ends at registers that are not at the top. */
TEST_BETWEEN(a_chain_ends_at_the_top_only, setup, NULL)
{
	lay_out(plain, 3, ENTRY - 40);
	unwind_right(3);
	assert_int_not_equal(0, unwind_right(3));
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	assert_int_equal(0, unwind_right(3));
	lay_out(plain, 3, ENTRY - 40);
	assert_int_not_equal(0, unwind_right(3));
}

TEST_BETWEEN(an_end_without_registers_is_one, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	script[3] = (struct unwind_state){ .done = true };
	unwind_right(3);
	assert_int_equal(0, unwind_right(3));
}

TEST_BETWEEN(other_steps_are_not_learned, setup, NULL)
{
	static struct pt_regs in_kernel;
	unsigned int i, nr;

	for (i = 0; i < 4; i++) {
		lay_out(plain, 3, ENTRY);
		if (i == 0)
			script[1].signal = true;
		else if (i == 1)
			stack[ENTRY - 7] = TEXT + 0x900;
		else if (i == 2)
			script[1].sp += WORDS * sizeof(*stack);
		else
			script[2].error = true;
		unwind(MOST, &nr);
		assert_int_equal(3, nr);
		lay_out(plain, 3, ENTRY);
		assert_int_not_equal(0, unwind_right(3));
		bpmu_unwind_forget();
	}
	lay_out(plain, 3, ENTRY);
	script[1].regs = &in_kernel;
	assert_int_equal(2, unwind(MOST, &nr));
	assert_int_equal(1, nr);
	lay_out(plain, 3, ENTRY);
	assert_int_not_equal(0, unwind_right(3));
}

TEST_BETWEEN(a_stack_that_is_not_the_tasks_is_the_kernels, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	regs.sp = (unsigned long)stack + sizeof(stack) + 40;
	assert_int_equal(1, unwind_right(3));
	regs.sp = (unsigned long)stack - 8;
	assert_int_equal(1, unwind_right(3));
}

TEST_BETWEEN(a_chain_that_is_too_long_is_cut, setup, NULL)
{
	unsigned int i, nr;

	lay_out(plain, 3, ENTRY);
	for (i = 0; i < 2; i++) {
		assert_int_equal(i ? 0 : 3, unwind(2, &nr));
		assert_int_equal(2, nr);
		assert_int_equal(BPMU_SECTION_CUT, flags);
		assert_int_equal(script[1].ip, found[1]);
		assert_int_equal(0, found[2]);
		unwind_right(3);
	}
	unwind(3, &nr);
	assert_int_equal(3, nr);
	assert_int_equal(0, flags);
}

TEST_BETWEEN(an_error_is_told, setup, NULL)
{
	unsigned int nr;

	lay_out(plain, 3, ENTRY);
	script[3] = (struct unwind_state){ .done = true, .error = true };
	unwind(MOST, &nr);
	assert_int_equal(BPMU_SECTION_BROKEN, flags);
	unwind(MOST, &nr);
	assert_int_equal(BPMU_SECTION_BROKEN, flags);
}

TEST_BETWEEN(one_of_so_many_chains_is_compared, setup, NULL)
{
	unsigned int i;

	unwind_compare = 3;
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	for (i = 1; i <= 9; i++)
		assert_int_equal(i % 3 ? 0 : 4, unwind_right(3));
	assert_int_equal(3, unwind_compared);
}

TEST_BETWEEN(after_a_difference_the_kernel_unwinds, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	script[1].ip++;
	unwind_compare = 1;
	unwind_right(3);
	assert_int_equal(0, unwind_compare);
	assert_int_equal(0, unwind_compared);
	assert_int_equal(4, unwind_right(3));
}

TEST_BETWEEN(a_shorter_chain_is_a_difference, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	script[4] = (struct unwind_state){ .regs = &user, .number = 4 };
	script[3] = script[2];
	script[3].ip = TEXT + 0x700;
	script[3].number = 3;
	unwind_compare = 1;
	unwind_right(4);
	assert_int_equal(0, unwind_compare);
	assert_int_equal(0, unwind_compared);
}

TEST_BETWEEN(a_cut_chain_is_compared, setup, NULL)
{
	unsigned int nr;

	unwind_compare = 1;
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	unwind(2, &nr);
	assert_int_equal(1, unwind_compared);
	unwind_right(3);
	assert_int_equal(2, unwind_compared);
	assert_int_equal(1, unwind_compare);
}

TEST_BETWEEN(a_change_of_the_parameter_lets_steps_be_forgotten, setup, NULL)
{
	const struct kernel_param param = { .value = &unwind_compare };

	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	assert_int_equal(0, unwind_right(3));
	assert_int_equal(0, compare_ops.set("1000", &param));
	assert_int_equal(1000, unwind_compare);
	assert_int_equal(4, unwind_right(3));
}

TEST_BETWEEN(a_longer_chain_is_a_difference, setup, NULL)
{
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	script[2] = (struct unwind_state){ .regs = &user, .number = 2 };
	unwind_compare = 1;
	unwind_right(2);
	assert_int_equal(0, unwind_compare);
}

TEST_BETWEEN(a_module_lets_all_steps_be_forgotten, setup, NULL)
{
	assert_int_equal(0, bpmu_unwind_init());
	assert_true(registered);
	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	notifier.notifier_call(&notifier, 0, NULL);
	assert_int_equal(4, unwind_right(3));
	bpmu_unwind_exit();
	assert_false(registered);
}

/* Two addresses with one place: neither is taken for the other. */
TEST_BETWEEN(an_address_is_compared_whole, setup, NULL)
{
	struct function other[3];

	lay_out(plain, 3, ENTRY);
	unwind_right(3);
	memcpy(other, plain, sizeof(other));
	other[2].at += ARRAY_SIZE(steps);
	other[2].words++;
	lay_out(other, 3, ENTRY);
	assert_int_equal(1, unwind_right(3));
	lay_out(plain, 3, ENTRY);
	regs.ip -= 1UL << 32;
	assert_int_equal(1, unwind_right(3));
}
