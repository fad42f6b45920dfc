// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of what a core tells of the memory accesses of the instruction that has retired last: as
 * precise records have them.
 */

#include "program.h"
#include "test.h"

#define MISSES (256ull << 20)

static const struct vcore_ideal real;
static struct vcore_accessed last;
static uint64_t times, others;

/* Called when an instruction has retired; keeps what the last one with an access has done. */
static void note(void *data, const struct vcore_insn *insn, unsigned int slots)
{
	struct vcore *core = data;

	(void)slots;
	assert_ptr_equal(core->accessed[insn->priv].insn, insn);
	if (core->accessed[insn->priv].load || core->accessed[insn->priv].store) {
		last = core->accessed[insn->priv];
		times++;
	} else {
		others++;
	}
}

static struct vcore_program *new_loop(void)
{
	struct vcore_program *program = vcore_program_new(&vcore_spr, &real);

	program->core->follows = true;
	program->core->retired = note;
	program->core->retired_data = program->core;
	last = (struct vcore_accessed){ 0 };
	times = 0;
	others = 0;
	return program;
}

static uint64_t plain(const struct vcore_program *program, enum vcore_plain which)
{
	return program->core->counts[program->core->priv].plain[which];
}

TEST(a_load_that_misses_tells_where_its_data_were_and_how_long_it_took)
{
	struct vcore_program *program = new_loop();

	vcore_program_load(program, R(0), R(0), 0x10000000, 8192, MISSES);
	program->core->slow = 50;
	vcore_program_run(program, 100);
	vcore_settle(program->core);
	assert_int_equal(times, 100);
	assert_true(others >= 100);
	assert_true(last.load && !last.store);
	assert_int_equal(last.load_va, 0x10000000 + 99 * 8192);
	assert_int_equal(last.level, VCORE_AT_MEMORY);
	assert_true(last.walked);
	assert_true(last.miss_cycles > 50);
	assert_true(last.cycles > last.miss_cycles);
	assert_int_equal(plain(program, VCORE_SLOW_LOADS), 100);
	vcore_program_free(program);
}

TEST(a_load_that_hits_is_as_slow_as_the_cache)
{
	struct vcore_program *program = new_loop();
	unsigned int hit = vcore_spr.memory.l1d.latency;

	vcore_program_load(program, R(0), R(0), 0x10000000, 0, 0);
	program->core->slow = hit;
	vcore_program_run(program, 1000);
	vcore_settle(program->core);
	assert_int_equal(last.level, VCORE_AT_L1);
	assert_int_equal(last.cycles, hit);
	assert_int_equal(last.miss_cycles, 0);
	assert_false(last.walked || last.blocked);
	assert_true(plain(program, VCORE_SLOW_LOADS) < 10);
	program->core->slow = hit - 1;
	vcore_program_run(program, 1000);
	vcore_settle(program->core);
	assert_true(plain(program, VCORE_SLOW_LOADS) >= 1000);
	vcore_program_free(program);
}

TEST(a_store_tells_its_address)
{
	struct vcore_program *program = new_loop();

	vcore_program_store(program, R(0), R(1), 0x20000040, 0, 0);
	vcore_program_run(program, 10);
	vcore_settle(program->core);
	assert_int_equal(times, 10);
	assert_true(last.store && !last.load);
	assert_int_equal(last.store_va, 0x20000040);
	vcore_program_free(program);
}

TEST(a_store_tells_whether_the_l1_and_the_tlbs_had_its_line)
{
	struct vcore_program *program = new_loop();

	vcore_program_store(program, R(0), R(1), 0x20000040, 0, 0);
	vcore_program_run(program, 1000);
	vcore_settle(program->core);
	assert_true(last.store_hit);
	assert_false(last.store_walked);
	vcore_program_free(program);
	program = new_loop();
	vcore_program_store(program, R(0), R(1), 0x20000000, 8192, MISSES);
	vcore_program_run(program, 1000);
	vcore_settle(program->core);
	assert_true(last.store);
	assert_false(last.store_hit);
	assert_true(last.store_walked);
	vcore_program_free(program);
}

/* What the kernel does after an instruction of a user does not hide what that one has done. */
TEST(each_privilege_level_has_its_last_instruction)
{
	struct vcore_program *program = new_loop();
	const struct vcore_accessed *user = &program->core->accessed[1];
	struct vcore_line *line;

	program->core->retired = NULL;
	line = vcore_program_load(program, R(0), R(0), 0x10000000, 8192, MISSES);
	line->insn.priv = 1;
	vcore_program_store(program, R(0), R(1), 0x20000040, 0, 0);
	vcore_program_run(program, 100);
	vcore_settle(program->core);
	assert_int_equal(program->core->priv, 0);
	assert_int_equal(user->insn->priv, 1);
	assert_true(user->load && !user->store);
	assert_int_equal(user->load_va, 0x10000000 + 99 * 8192);
	assert_true(program->core->retire_latency[1] > 100);
	assert_int_equal(program->core->accessed[0].insn->priv, 0);
	assert_true(program->core->retire_latency[0] < 100);
	vcore_program_free(program);
}

TEST(a_core_that_is_not_asked_tells_nothing)
{
	struct vcore_program *program = new_loop();

	program->core->follows = false;
	program->core->retired = NULL;
	vcore_program_load(program, R(0), R(0), 0x10000000, 0, 0);
	vcore_program_run(program, 10);
	vcore_settle(program->core);
	assert_null(program->core->accessed[0].insn);
	assert_null(program->core->accessed[1].insn);
	assert_int_equal(times, 0);
	vcore_program_free(program);
}
