// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of tagged slots: the slot that issues when a count reaches its limit is tagged, and tells
 * what has become of it when it retires.
 */

#include "program.h"
#include "test.h"

#define MULTIPLIER 0x02
#define MISSES (256ull << 20)

static const struct vcore_ideal real;
static struct vcore_tagged last;
static struct vcore_step last_branch;
static struct vcore_access last_load, last_store;
static unsigned int told;

/* The steps and accesses of a tagged slot last no longer than the call: they are copied. */
static void tell(void *data, const struct vcore_tagged *tagged)
{
	(void)data;
	told++;
	last = *tagged;
	if (tagged->branch)
		last_branch = *tagged->branch;
	if (tagged->load)
		last_load = *tagged->load;
	if (tagged->store)
		last_store = *tagged->store;
}

static struct vcore_program *new_loop(void)
{
	struct vcore_program *program = vcore_program_new(&vcore_zen4, &real);

	program->core->tag.tell = tell;
	told = 0;
	return program;
}

/* Counts from 0 to @limit, and runs the loop until the tagged slot has retired. */
static void tag(struct vcore_program *program, uint64_t limit, bool cycles)
{
	unsigned int before = told;

	vcore_tag_start(&program->core->tag, program->core->cycle, limit, 0, cycles);
	while (told == before)
		vcore_program_run(program, 1);
	assert_false(program->core->tag.on);
}

static unsigned int index_of(const struct vcore_program *program, const struct vcore_insn *insn)
{
	unsigned int i;

	for (i = 0; i < program->nr + 2; i++)
		if (&program->line[i].insn == insn)
			return i;
	fail();
	return 0;
}

TEST(each_slot_of_a_loop_is_tagged_equally_often)
{
	struct vcore_program *program = new_loop();
	unsigned int times[11] = { 0 };
	unsigned int i;

	for (i = 0; i < 9; i++)
		vcore_program_nop(program);
	for (i = 0; i < 500; i++) {
		tag(program, 1 + i * 7 % 100, false);
		times[index_of(program, last.insn)]++;
	}
	for (i = 0; i < 9; i++)
		assert_in_range(times[i], 30, 70);
	vcore_program_free(program);
}

static uint64_t retired(const struct vcore_program *program)
{
	const struct vcore_counts *counts = &program->core->counts[program->core->priv];

	return vcore_sum(counts->cycles_with[VCORE_RETIRED], VCORE_MAX_WIDTH);
}

TEST(a_count_goes_on_from_where_it_began)
{
	struct vcore_program *program = new_loop();
	struct vcore_tag *tag = &program->core->tag;
	uint64_t before;

	vcore_program_nop(program);
	vcore_program_run(program, 50);
	vcore_settle(program->core);
	before = retired(program);
	vcore_tag_start(tag, program->core->cycle, 1000, 700, false);
	vcore_program_run(program, 100);
	vcore_settle(program->core);
	assert_int_equal(vcore_tag_count(tag, program->core->cycle),
			 700 + retired(program) - before);
	assert_int_equal(told, 0);
	vcore_program_run(program, 100);
	vcore_settle(program->core);
	assert_int_equal(told, 1);
	vcore_program_free(program);
}

TEST(cycles_are_counted)
{
	struct vcore_program *program = new_loop();
	uint64_t begin;

	vcore_program_nop(program);
	vcore_program_run(program, 100);
	vcore_settle(program->core);
	begin = program->core->cycle;
	tag(program, 500, true);
	assert_true(last.issued >= begin + 500);
	assert_true(last.issued < begin + 510);
	vcore_program_free(program);
}

TEST(a_stopped_tag_tells_nothing)
{
	struct vcore_program *program = new_loop();

	vcore_program_nop(program);
	vcore_tag_start(&program->core->tag, program->core->cycle, 100, 0, false);
	vcore_tag_stop(&program->core->tag);
	vcore_program_run(program, 1000);
	vcore_settle(program->core);
	assert_int_equal(told, 0);
	vcore_program_free(program);
}

TEST(a_load_that_misses_has_its_latency)
{
	struct vcore_program *program = new_loop();

	/* One load an iteration, each from a page of its own. */
	vcore_program_load(program, R(0), R(0), 0x10000000, 8192, MISSES);
	vcore_program_run(program, 100);
	do
		tag(program, 37, false);
	while (!last.load);
	assert_int_equal(index_of(program, last.insn), 0);
	assert_int_equal(last.level, VCORE_AT_MEMORY);
	assert_int_equal(last.from, VCORE_AT_MEMORY);
	assert_true(last.tlb_missed && last.walked);
	assert_true(last.miss_cycles > 50 && last.tlb_cycles > 5);
	assert_true(last.done - last.issued >= last.miss_cycles + last.tlb_cycles);
	assert_true(last.retired >= last.done);
	assert_int_equal(last_load.va % 8192, 0);
	assert_null(last.store);
	vcore_program_free(program);
}

TEST(a_load_that_hits_has_no_miss)
{
	struct vcore_program *program = new_loop();

	vcore_program_load(program, R(0), R(0), 0x10000000, 0, 0);
	vcore_program_run(program, 100);
	do
		tag(program, 37, false);
	while (!last.load);
	assert_int_equal(last.level, VCORE_AT_L1);
	assert_int_equal(last.miss_cycles, 0);
	assert_int_equal(last.tlb_cycles, 0);
	assert_false(last.tlb_missed);
	vcore_program_free(program);
}

TEST(a_store_has_its_address)
{
	struct vcore_program *program = new_loop();

	vcore_program_store(program, R(0), R(1), 0x20000040, 0, 0);
	do
		tag(program, 37, false);
	while (!last.store);
	assert_int_equal(last_store.va, 0x20000040);
	assert_true(last_store.store);
	assert_null(last.load);
	vcore_program_free(program);
}

/* Between slots with accesses are some without: none tells the accesses of a neighbour. */
TEST(a_slot_tells_only_its_own_accesses)
{
	struct vcore_program *program = new_loop();
	unsigned int i, line, seen[5] = { 0 };

	vcore_program_nop(program);
	vcore_program_load(program, R(0), 0, 0x10000000, 0, 0);
	vcore_program_nop(program);
	vcore_program_store(program, R(0), R(1), 0x20000040, 0, 0);
	vcore_program_nop(program);
	for (i = 0; i < 100; i++) {
		tag(program, 1 + i, false);
		line = index_of(program, last.insn);
		assert_int_equal(!!last.load, line == 1);
		assert_int_equal(!!last.store, line == 3);
		assert_int_equal(last.level != VCORE_NO_ACCESS, line == 1);
		if (line < 5)
			seen[line]++;
	}
	for (i = 0; i < 5; i++)
		assert_true(seen[i]);
	vcore_program_free(program);
}

TEST(a_slow_result_is_done_late)
{
	struct vcore_program *program = new_loop();

	vcore_program_alu(program, R(0), R(0), MULTIPLIER, 20);
	vcore_program_run(program, 1000);
	do
		tag(program, 37, false);
	while (index_of(program, last.insn));
	assert_true(last.done - last.issued >= 20);
	vcore_program_free(program);
}

TEST(a_branch_tells_if_it_was_mispredicted)
{
	struct vcore_program *program = new_loop();
	unsigned int wrong = 0, taken = 0, all = 0;

	/* A branch whose direction has no pattern that a history of a few branches tells. */
	vcore_program_branch(program, 0, 0x9d3a5c1f72e80b46ull);
	vcore_program_nop(program);
	while (all < 300) {
		tag(program, 7, false);
		if (!last.branch || last.branch->insn == last.insn)
			assert_int_equal(!!last.branch,
					 last.insn->branch != VCORE_NO_BRANCH);
		if (!last.branch || index_of(program, last.insn))
			continue;
		all++;
		wrong += last.mispredicted;
		taken += last_branch.jumped;
	}
	assert_true(taken > 50 && taken < 250);
	assert_true(wrong < all);
	vcore_program_free(program);
}

static unsigned int calls;
static struct vcore_tagged told_tagged;

static void keep_tagged(void *data, const struct vcore_tagged *tagged)
{
	assert_ptr_equal(data, &calls);
	calls++;
	told_tagged = *tagged;
}

static struct vcore_tag new_tag(uint64_t limit, uint64_t count, bool cycles)
{
	struct vcore_tag tag = { .tell = keep_tagged, .data = &calls };

	calls = 0;
	vcore_tag_start(&tag, 100, limit, count, cycles);
	assert_true(tag.on && !tag.flies);
	return tag;
}

/* The third of the slots that are counted is tagged, and those after it are not. */
TEST(the_slot_at_the_limit_is_tagged)
{
	struct vcore_tag tag = new_tag(10, 7, false);
	struct vcore_tagged tagged = { .done = 1000, .issued = 1 };
	uint64_t slot;

	for (slot = 50; slot < 56; slot++) {
		assert_int_equal(tag.flies, slot > 52);
		assert_int_equal(vcore_tag_count(&tag, 500), slot < 53 ? 7 + slot - 50 : 10);
		vcore_tag_issue(&tag, 200 + slot, slot);
	}
	assert_int_equal(tag.slot, 52);
	assert_true(tag.on);
	vcore_tag_retire(&tag, &tagged);
	assert_false(tag.on || tag.flies);
	assert_int_equal(calls, 1);
	assert_int_equal(told_tagged.issued, 252);
	assert_int_equal(told_tagged.done, 1000);
}

/* Cycles are counted from where the count began, slots are not, and the first after them is tagged. */
TEST(a_slot_is_tagged_when_the_cycles_are_over)
{
	struct vcore_tag tag = new_tag(30, 20, true);

	assert_int_equal(vcore_tag_count(&tag, 100), 20);
	assert_int_equal(vcore_tag_count(&tag, 109), 29);
	assert_int_equal(vcore_tag_count(&tag, 110), 30);
	assert_int_equal(vcore_tag_count(&tag, 500), 30);
	vcore_tag_issue(&tag, 108, 1);
	vcore_tag_issue(&tag, 109, 2);
	assert_false(tag.flies);
	assert_int_equal(vcore_tag_count(&tag, 109), 29);
	vcore_tag_issue(&tag, 110, 3);
	assert_true(tag.flies);
	assert_int_equal(tag.slot, 3);
	assert_int_equal(tag.issued, 110);
	/* the count is the limit as long as the slot is in flight, in any cycle */
	assert_int_equal(vcore_tag_count(&tag, 100), 30);
}

/* After a machine clear the next slot is tagged instead. */
TEST(a_flushed_slot_is_not_told)
{
	struct vcore_tag tag = new_tag(2, 0, false);

	vcore_tag_issue(&tag, 101, 7);
	vcore_tag_issue(&tag, 102, 8);
	assert_true(tag.flies && tag.slot == 8);
	vcore_tag_flush(&tag);
	assert_false(tag.flies);
	assert_true(tag.on);
	vcore_tag_issue(&tag, 150, 7);
	assert_true(tag.flies);
	assert_int_equal(tag.slot, 7);
	assert_int_equal(tag.issued, 150);
	assert_int_equal(calls, 0);
}

/* A tag that is stopped keeps its count of slots, and forgets the cycles and the slot in flight. */
TEST(a_stopped_tag_counts_no_further)
{
	struct vcore_tag cycles = new_tag(1000, 20, true);
	struct vcore_tag slots = new_tag(3, 1, false);

	vcore_tag_stop(&cycles);
	assert_false(cycles.on);
	assert_int_equal(vcore_tag_count(&cycles, 500), 20);
	vcore_tag_issue(&slots, 101, 1);
	vcore_tag_issue(&slots, 102, 2);
	assert_true(slots.flies);
	vcore_tag_stop(&slots);
	assert_false(slots.on || slots.flies);
	assert_int_equal(vcore_tag_count(&slots, 102), 3);
	vcore_tag_issue(&cycles, 103, 1);
	vcore_tag_issue(&slots, 103, 3);
	vcore_tag_start(&slots, 104, 5, 2, false);
	assert_true(slots.on && !slots.flies);
	assert_int_equal(vcore_tag_count(&slots, 900), 2);
}
