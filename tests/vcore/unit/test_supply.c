// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the supply of slots in the front end: which lines it fetches, from which source it takes
 * the slots of an instruction, for which reason it stalls, and which slots a step becomes. The memory
 * hierarchy replies what a test has chosen.
 */

#include <string.h>

#include "bench.h"
#include "frontend/step_slots.h"

#define NOW BENCH_NOW
#define MOVED BENCH_MOVED
#define WINDOW(offset) ((BENCH_CODE + MOVED + (offset)) >> 5)
#define LINE(offset) ((BENCH_CODE + MOVED + (offset)) >> 6)
#define MAX_ASKED 4

static struct {
	uint64_t va, pa;
} asked[MAX_ASKED];
static unsigned int nr_asked;
static struct vcore_reply reply;

struct vcore_reply __wrap_vcore_memory_fetch(struct vcore_memory *memory, uint64_t cycle,
					     uint64_t va, uint64_t pa, struct vcore_counts *counts);

struct vcore_reply __wrap_vcore_memory_fetch(struct vcore_memory *memory, uint64_t cycle,
					     uint64_t va, uint64_t pa, struct vcore_counts *counts)
{
	assert_non_null(memory);
	assert_non_null(counts);
	assert_int_equal(cycle, NOW);
	asked[nr_asked % MAX_ASKED].va = va;
	asked[nr_asked++ % MAX_ASKED].pa = pa;
	return reply;
}

TEST_FIXTURE(setup)
{
	nr_asked = 0;
	reply = (struct vcore_reply){ .level = VCORE_AT_L1, .from = VCORE_AT_L1, .done = NOW };
	return bench_setup_at_now(test_state);
}

static bool begin(struct bench *bench, struct vcore_group *group)
{
	struct vcore_step_slots step_slots = vcore_step_slots_next(bench->front);

	return vcore_supply_begin(bench->front, &step_slots, group, &bench->counts);
}

/* Lets the uop cache have the instruction. */
static void cache(struct bench *bench, const struct vcore_insn *insn)
{
	vcore_decoded_add(bench->front->decoded, insn, insn->nr_slots, insn->microcoded);
	vcore_decoded_close(bench->front->decoded);
}

TEST_BETWEEN(each_stall_is_a_lack_of_its_own, setup, bench_teardown)
{
	static const struct {
		enum vcore_stall stall;
		enum vcore_lack lack;
	} all[] = {
		{ VCORE_STALL_CODE, VCORE_LACKS_CODE },
		{ VCORE_STALL_CODE_L3, VCORE_LACKS_CODE_L3 },
		{ VCORE_STALL_CODE_MEMORY, VCORE_LACKS_CODE_MEMORY },
		{ VCORE_STALL_PAGE, VCORE_LACKS_PAGE },
		{ VCORE_STALL_RESTEER, VCORE_LACKS_PATH },
		{ VCORE_STALL_ORDER, VCORE_LACKS_ORDER },
		{ VCORE_STALL_SWITCH, VCORE_LACKS_DECODED },
		{ VCORE_STALL_LCP, VCORE_LACKS_DECODED },
		{ VCORE_STALL_SEQUENCER, VCORE_LACKS_DECODED },
		{ VCORE_STALL_LATE, VCORE_LACKS_DECODED },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		assert_int_equal(vcore_supply_lack(all[i].stall), all[i].lack);
		vcore_supply_stop(bench->front, all[i].stall, NOW + i);
		assert_int_equal(bench->front->stall, all[i].stall);
		assert_int_equal(bench->front->resume, NOW + i);
		assert_int_equal(bench->front->lack, all[i].lack);
	}
}

#define NO_STALL (VCORE_STALL_ORDER + 1)

/* The slower one of a miss of the line and a miss of its page is the reason of the stall. */
TEST_BETWEEN(a_fetch_stalls_for_its_slowest_miss, setup, bench_teardown)
{
	static const struct {
		struct vcore_reply reply;
		unsigned int stall;
		bool missed;
	} all[] = {
		{ { NOW, 0, VCORE_AT_L1, VCORE_AT_L1, false, false, false, false }, NO_STALL, false },
		{ { NOW, 0, VCORE_AT_L2, VCORE_AT_L2, false, false, false, false }, NO_STALL, true },
		{ { NOW + 1, 0, VCORE_AT_L2, VCORE_AT_L2, false, false, false, false },
		  VCORE_STALL_CODE, true },
		{ { NOW + 9, 0, VCORE_AT_FILL, VCORE_AT_L2, false, false, false, false },
		  VCORE_STALL_CODE, true },
		{ { NOW + 9, 0, VCORE_AT_FILL, VCORE_AT_L3, false, false, false, false },
		  VCORE_STALL_CODE_L3, true },
		{ { NOW + 9, 0, VCORE_AT_L3, VCORE_AT_L3, false, false, true, false },
		  VCORE_STALL_CODE_L3, true },
		{ { NOW + 9, 0, VCORE_AT_SNOOP_HITM, VCORE_AT_SNOOP_HITM, false, false, false, false },
		  VCORE_STALL_CODE_L3, true },
		{ { NOW + 9, 0, VCORE_AT_MEMORY, VCORE_AT_MEMORY, false, true, false, false },
		  VCORE_STALL_CODE_MEMORY, true },
		{ { NOW + 9, 0, VCORE_AT_L1, VCORE_AT_L1, false, true, false, false },
		  VCORE_STALL_PAGE, false },
		{ { NOW + 9, 0, VCORE_AT_L1, VCORE_AT_L1, false, false, true, false },
		  VCORE_STALL_PAGE, false },
		{ { NOW + 9, 0, VCORE_AT_L2, VCORE_AT_L2, false, true, false, false },
		  VCORE_STALL_PAGE, true },
		{ { NOW + 2, 0, VCORE_NO_ACCESS, VCORE_NO_ACCESS, true, false, false, false },
		  VCORE_STALL_CODE, false },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const struct vcore_insn *insn;
		struct vcore_group group = { 0 };

		bench_renew(bench);
		insn = bench_record(bench, 0, 4, 1);
		cache(bench, insn);
		reply = all[i].reply;
		assert_int_equal(begin(bench, &group), all[i].stall == NO_STALL);
		assert_int_equal(bench->counts.plain[VCORE_ICACHE_MISSES], all[i].missed);
		assert_true(bench->front->line == (reply.refused ? VCORE_NOT_FETCHED : LINE(0)));
		/* Lines that leave the L1I leave the uop cache. */
		assert_int_equal(vcore_decoded_has(bench->front->decoded, insn->pa), !all[i].missed);
		if (all[i].stall == NO_STALL)
			continue;
		assert_int_equal(bench->front->stall, all[i].stall);
		assert_int_equal(bench->front->resume, reply.done);
		assert_int_equal(bench->front->lack, vcore_supply_lack(all[i].stall));
		assert_int_equal(group.insns, 0);
	}
}

/* An instruction is fetched with both lines in which it is, unless the second is in another page. */
TEST_BETWEEN(the_lines_of_an_instruction_are_fetched, setup, bench_teardown)
{
	static const struct {
		unsigned int offset, size;
		uint64_t line;
		unsigned int nr;
		unsigned int asked[2];
		uint64_t after;
	} all[] = {
		{ 0, 4, VCORE_NOT_FETCHED, 1, { 0 }, LINE(0) },
		{ 60, 4, VCORE_NOT_FETCHED, 1, { 60 }, LINE(0) },
		{ 60, 4, LINE(0), 0, { 0 }, LINE(0) },
		{ 64, 4, LINE(0), 1, { 64 }, LINE(64) },
		{ 61, 4, VCORE_NOT_FETCHED, 2, { 61, 64 }, LINE(64) },
		{ 61, 4, LINE(0), 1, { 64 }, LINE(64) },
		{ 61, 4, LINE(64), 2, { 61, 64 }, LINE(64) },
		{ 4093, 4, VCORE_NOT_FETCHED, 1, { 4093 }, LINE(4093) },
		{ 4093, 4, LINE(4093), 0, { 0 }, LINE(4093) },
		{ 4092, 4, VCORE_NOT_FETCHED, 1, { 4092 }, LINE(4093) },
	};
	struct bench *bench = *test_state;
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_group group = { 0 };

		bench_renew(bench);
		nr_asked = 0;
		bench_record(bench, all[i].offset, all[i].size, 1);
		bench->front->line = all[i].line;
		begin(bench, &group);
		assert_int_equal(nr_asked, all[i].nr);
		for (k = 0; k < nr_asked; k++) {
			assert_int_equal(asked[k].va, BENCH_CODE + all[i].asked[k]);
			assert_int_equal(asked[k].pa, BENCH_CODE + MOVED + all[i].asked[k]);
		}
		assert_true(bench->front->line == all[i].after);
	}
	/* The second line is not fetched before the first has come. */
	bench_renew(bench);
	nr_asked = 0;
	bench_record(bench, 61, 4, 1);
	reply.done = NOW + 5;
	assert_false(begin(bench, &(struct vcore_group){ 0 }));
	assert_int_equal(nr_asked, 1);
}

/* What the lines have been is noted for a tagged fetch while fetches are counted. */
TEST_BETWEEN(accesses_of_lines_are_noted_while_fetches_count, setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_group group = { 0 };
	unsigned int on;

	for (on = 0; on < 2; on++) {
		bench_renew(bench);
		bench_record(bench, 0, 4, 1);
		if (on)
			vcore_fetches_start(&bench->fetches, 100, 0);
		reply.level = VCORE_AT_L2;
		reply.done = NOW + 7;
		begin(bench, &group);
		assert_int_equal(bench->fetches.begun, on);
		assert_int_equal(bench->fetches.next.missed, on);
		assert_int_equal(bench->fetches.since, on ? NOW : 0);
		assert_int_equal(bench->fetches.count, 0);
		/* The window is entered when its line has come. */
		begin(bench, &group);
		assert_int_equal(bench->fetches.count, on);
		begin(bench, &group);
		assert_int_equal(bench->fetches.count, on);
	}
}

/*
 * The uop cache is asked in each cycle that it supplies, but while the decoders supply, only where a
 * window begins.
 */
TEST_BETWEEN(the_source_of_slots_changes_with_the_window, setup, bench_teardown)
{
	static const struct {
		const char *name;
		bool legacy, entered, has;
		unsigned int slots;
		bool begun, legacy_after;
	} all[] = {
		{ "decodes on in a window", true, false, false, 0, true, true },
		{ "decodes on although it is cached", true, false, true, 0, true, true },
		{ "decodes the next window", true, true, false, 0, true, true },
		{ "changes to the cache", true, true, true, 0, true, false },
		{ "changes to the cache in a cycle with slots", true, true, true, 1, false, false },
		{ "stays in the cache", false, false, true, 0, true, false },
		{ "finds the next window in the cache", false, true, true, 0, true, false },
		{ "changes to the decoders", false, false, false, 0, false, true },
		{ "changes to the decoders for the next window", false, true, false, 0, false, true },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_group group = { .slots = all[i].slots };
		struct vcore_front *front;
		struct vcore_insn other = { .pa = 0x10000, .nr_slots = 1 };
		const struct vcore_insn *insn;
		bool switched = all[i].legacy && !all[i].legacy_after;

		bench_renew(bench);
		front = bench->front;
		insn = bench_record(bench, 32, 4, 1);
		if (all[i].has)
			cache(bench, insn);
		vcore_decoded_add(front->decoded, &other, 1, false);
		front->legacy = all[i].legacy;
		front->supply = all[i].legacy ? VCORE_FROM_MITE : VCORE_FROM_DSB;
		front->window = all[i].entered ? WINDOW(0) : WINDOW(32);
		front->predecoded = insn->pc + 40;
		if (begin(bench, &group) != all[i].begun || front->legacy != all[i].legacy_after)
			fail_msg("%s: legacy %d", all[i].name, front->legacy);
		assert_true(front->window == WINDOW(32));
		/* A change to the cache ends the decoding of a window, which is cached. */
		assert_int_equal(vcore_decoded_has(front->decoded, other.pa), switched);
		assert_int_equal(front->predecoded,
				 all[i].legacy == all[i].legacy_after ? insn->pc + 40 : 0);
		if (all[i].legacy || !all[i].legacy_after)
			continue;
		assert_int_equal(front->stall, VCORE_STALL_SWITCH);
		assert_int_equal(front->resume, NOW + 21);
	}
}

/* A prefix, or the begin of microcode, stalls an instruction once, at the begin of a cycle. */
TEST_BETWEEN(prefixes_and_microcode_stall_once, setup, bench_teardown)
{
	static const struct {
		const char *name;
		bool legacy, lcp, microcode;
		enum vcore_supply supply;
		bool stalled, repeats;
		unsigned int slots;
		bool begun;
		unsigned int stall;
		unsigned int switches;
	} all[] = {
		{ "prefix", true, true, false, VCORE_FROM_MITE, false, false, 0, false,
		  VCORE_STALL_LCP, 0 },
		{ "prefix later in a cycle", true, true, false, VCORE_FROM_MITE, false, false, 1, false,
		  NO_STALL, 0 },
		{ "prefix again", true, true, false, VCORE_FROM_MITE, true, false, 0, true, NO_STALL, 0 },
		{ "prefix in the uop cache", false, true, false, VCORE_FROM_DSB, false, false, 0, true,
		  NO_STALL, 0 },
		{ "microcode", true, false, true, VCORE_FROM_MITE, false, false, 0, false,
		  VCORE_STALL_SEQUENCER, 1 },
		{ "microcode in the uop cache", false, false, true, VCORE_FROM_DSB, false, false, 0,
		  false, VCORE_STALL_SEQUENCER, 1 },
		{ "microcode after the switch", true, false, true, VCORE_FROM_MITE, true, false, 0, true,
		  NO_STALL, 0 },
		{ "microcode after microcode", true, false, true, VCORE_FROM_MS, false, false, 0, true,
		  NO_STALL, 0 },
		{ "microcode after microcode in a cycle", true, false, true, VCORE_FROM_MS, false, false,
		  1, false, NO_STALL, 0 },
		{ "iteration", true, true, true, VCORE_FROM_MS, false, true, 1, true, NO_STALL, 0 },
		{ "prefix and microcode", true, true, true, VCORE_FROM_MITE, false, false, 0, false,
		  VCORE_STALL_LCP, 1 },
		{ "prefix and microcode after microcode", true, true, true, VCORE_FROM_MS, false, false,
		  0, false, VCORE_STALL_LCP, 0 },
		{ "neither", true, false, false, VCORE_FROM_MITE, false, false, 1, true, NO_STALL, 0 },
		{ "decoder after the cache", true, false, false, VCORE_FROM_DSB, false, false, 0, true,
		  NO_STALL, 0 },
		{ "decoder after the cache in a cycle", true, false, false, VCORE_FROM_DSB, false, false,
		  1, false, NO_STALL, 0 },
		{ "decoder after microcode in a cycle", true, false, false, VCORE_FROM_MS, false, false,
		  1, false, NO_STALL, 0 },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_group group = { .slots = all[i].slots, .bytes = 1 };
		struct vcore_front *front;
		struct vcore_insn *insn;
		enum vcore_supply now = all[i].microcode ? VCORE_FROM_MS :
					all[i].legacy ? VCORE_FROM_MITE : VCORE_FROM_DSB;

		bench_renew(bench);
		front = bench->front;
		insn = bench_record(bench, 0, 4, 1);
		insn->lcp = all[i].lcp;
		insn->microcoded = all[i].microcode;
		if (!all[i].legacy)
			cache(bench, insn);
		front->window = WINDOW(0);
		front->legacy = all[i].legacy;
		front->supply = all[i].supply;
		front->stalled = all[i].stalled;
		front->repeats = all[i].repeats;
		front->resume = 0;
		if (begin(bench, &group) != all[i].begun)
			fail_msg("%s", all[i].name);
		assert_int_equal(front->supply, all[i].begun ? now : all[i].supply);
		assert_int_equal(group.insns, all[i].begun);
		assert_int_equal(group.bytes, 1 + 4 * all[i].begun);
		assert_int_equal(bench->counts.plain[VCORE_MS_SWITCHES], all[i].switches);
		assert_int_equal(front->stalled, all[i].stalled || all[i].stall != NO_STALL);
		assert_int_equal(front->resume, all[i].stall == VCORE_STALL_LCP ? NOW + 23 :
						all[i].stall == NO_STALL ? 0 : NOW + 22);
		if (all[i].stall != NO_STALL)
			assert_int_equal(front->stall, all[i].stall);
	}
}

#define FIRST (BENCH_CODE)

/* The predecoder is at most 32 bytes ahead of the end of a cycle's first instruction. */
TEST_BETWEEN(the_decoders_take_what_is_predecoded, setup, bench_teardown)
{
	static const struct {
		unsigned int offset, size, fused, slots;
		uint64_t predecoded;
		unsigned int insns;
		bool begun;
		uint64_t after;
	} all[] = {
		{ 0, 4, 0, 1, 0, 0, true, FIRST + 16 },
		{ 20, 4, 0, 1, 0, 0, true, FIRST + 32 },
		{ 12, 4, 0, 1, 0, 0, true, FIRST + 16 },
		{ 13, 4, 0, 1, 0, 0, false, FIRST + 16 },
		{ 13, 4, 0, 1, FIRST + 16, 0, true, FIRST + 32 },
		{ 4, 4, 0, 1, FIRST + 4, 0, true, FIRST + 20 },
		{ 4, 4, 0, 1, FIRST + 3, 0, true, FIRST + 16 },
		{ 0, 4, 0, 1, FIRST + 35, 0, true, FIRST + 51 },
		{ 0, 4, 0, 1, FIRST + 36, 0, true, FIRST + 36 },
		{ 0, 4, 0, 1, FIRST + 48, 0, true, FIRST + 48 },
		{ 4, 4, 0, 1, FIRST + 8, 1, true, FIRST + 8 },
		{ 4, 4, 0, 1, FIRST + 7, 1, false, FIRST + 7 },
		{ 4, 4, 0, 1, 0, 1, false, 0 },
		{ 4, 4, 0, 1, FIRST + 48, 3, true, FIRST + 48 },
		{ 4, 4, 0, 1, FIRST + 48, 4, false, FIRST + 48 },
		{ 4, 4, 0, 2, FIRST + 48, 0, true, FIRST + 48 },
		{ 4, 4, 0, 2, FIRST + 48, 1, false, FIRST + 48 },
		{ 10, 4, 2, 1, 0, 0, true, FIRST + 16 },
		{ 10, 4, 3, 1, 0, 0, false, FIRST + 16 },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_group group = { .insns = all[i].insns, .slots = all[i].insns };
		struct vcore_front *front;

		bench_renew(bench);
		front = bench->front;
		bench_record(bench, all[i].offset, all[i].size, all[i].slots)->fuses = all[i].fused ? 2 : 0;
		if (all[i].fused)
			bench_record(bench, all[i].offset + all[i].size, all[i].fused, 1)->condition = 2;
		front->window = WINDOW(all[i].offset);
		front->supply = VCORE_FROM_MITE;
		front->predecoded = all[i].predecoded;
		if (begin(bench, &group) != all[i].begun || front->predecoded != all[i].after)
			fail_msg("%u: predecoded up to %#llx", i,
				 (unsigned long long)front->predecoded - FIRST);
	}
}

/* A cycle takes 32 bytes from the uop cache, or one instruction that is longer than what is left. */
TEST_BETWEEN(the_uop_cache_supplies_a_window_in_a_cycle, setup, bench_teardown)
{
	static const struct {
		unsigned int slots, bytes;
		bool begun;
	} all[] = {
		{ 1, 28, true }, { 1, 29, false }, { 2, 0, true }, { 0, 100, true },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_group group = { .slots = all[i].slots, .bytes = all[i].bytes };

		bench_renew(bench);
		cache(bench, bench_record(bench, 0, 4, 1));
		bench->front->legacy = false;
		assert_int_equal(begin(bench, &group), all[i].begun);
		assert_int_equal(group.bytes, all[i].bytes + (all[i].begun ? 4 : 0));
	}
}

/* The uops and slots of a step, whose instruction has a load, two computations and a store. */
TEST_BETWEEN(a_step_has_uops_of_its_instruction_and_more, setup, bench_teardown)
{
	static const struct {
		const char *name;
		unsigned int filler, loads, stores, assist;
		bool repeats, microcoded;
		unsigned int uops, skipped, slots;
		bool microcode;
	} all[] = {
		{ "plain", 0, 1, 1, 0, false, false, 5, 0, 3, false },
		{ "no accesses", 0, 0, 0, 0, false, false, 5, 0, 3, false },
		{ "microcoded", 0, 1, 1, 0, false, true, 5, 0, 3, true },
		{ "a load more", 0, 2, 1, 0, false, false, 6, 0, 4, false },
		{ "a store more", 0, 1, 2, 0, false, false, 6, 0, 4, false },
		{ "stores for loads", 0, 0, 3, 0, false, false, 7, 0, 5, true },
		{ "loads for stores", 0, 3, 0, 0, false, false, 7, 0, 5, true },
		{ "more of both", 0, 2, 2, 0, false, false, 7, 0, 5, true },
		{ "filler", 1, 1, 1, 0, false, false, 6, 0, 4, false },
		{ "much filler", 2, 1, 1, 0, false, false, 7, 0, 5, true },
		{ "iteration", 2, 1, 1, 0, true, false, 5, 2, 3, false },
		{ "iteration with a load more", 2, 2, 1, 0, true, false, 6, 2, 4, false },
		{ "assist", 0, 1, 1, 1, false, false, 6, 0, 4, true },
		{ "assist and filler", 3, 1, 1, 30, false, false, 38, 0, 36, true },
	};
	struct bench *bench = *test_state;
	unsigned int i, k;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_step_slots m;
		struct vcore_insn *insn;
		struct vcore_step *step;

		bench_renew(bench);
		insn = bench_record(bench, 0, 4, 5);
		insn->uop[0].type = VCORE_LOAD;
		insn->uop[3].type = VCORE_STA;
		insn->uop[4].type = VCORE_STD;
		insn->filler = all[i].filler;
		insn->nr_slots = 3 + all[i].filler;
		insn->microcoded = all[i].microcoded;
		step = vcore_step(&bench->trace, 0);
		step->nr_accesses = all[i].loads + all[i].stores;
		for (k = 0; k < step->nr_accesses; k++)
			step->access[k].store = k >= all[i].loads;
		step->assist_uops = all[i].assist;
		bench->front->repeats = all[i].repeats;
		m = vcore_step_slots_next(bench->front);
		if (m.uops != all[i].uops || m.skipped != all[i].skipped || m.slots != all[i].slots ||
		    m.microcode != all[i].microcode)
			fail_msg("%s: %u uops, %u skipped, %u slots, microcode %d", all[i].name, m.uops,
				 m.skipped, m.slots, m.microcode);
		assert_ptr_equal(m.step, step);
		assert_ptr_equal(m.insn, insn);
		assert_null(m.next);
		assert_null(m.branch);
		assert_false(m.fused_next);
	}
}

/* Which pairs of instructions fuse, and which step has the branch. */
TEST_BETWEEN(a_branch_fuses_with_the_instruction_before, setup, bench_teardown)
{
	static const struct {
		const char *name;
		unsigned int fuses, condition, offset, next;
		bool interrupted, fused;
	} all[] = {
		{ "pair", 6, 2, 0, 4, false, true },
		{ "another condition", 6, 1, 0, 4, false, false },
		{ "no test", 0, 2, 0, 4, false, false },
		{ "no branch", 6, 0, 0, 4, false, false },
		{ "interrupted", 6, 2, 0, 4, true, false },
		{ "elsewhere", 6, 2, 0, 8, false, false },
		{ "branch at the begin of a line", 6, 2, 60, 64, false, false },
		{ "test across the lines", 6, 2, 61, 65, false, true },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_step_slots m;
		struct vcore_insn *branch;

		bench_renew(bench);
		bench_record(bench, all[i].offset, 4, 1)->fuses = all[i].fuses;
		branch = bench_record(bench, all[i].next, 2, 1);
		branch->condition = all[i].condition;
		branch->branch = VCORE_CONDITIONAL;
		vcore_step(&bench->trace, 0)->interrupted = all[i].interrupted;
		m = vcore_step_slots_next(bench->front);
		if (m.fused_next != all[i].fused)
			fail_msg("%s: fused %d", all[i].name, m.fused_next);
		assert_ptr_equal(m.next, vcore_step(&bench->trace, 1));
		assert_ptr_equal(m.branch, all[i].fused ? m.next : NULL);
		/* The last step has no next one, and its own branch. */
		bench->trace.fetch = 1;
		m = vcore_step_slots_next(bench->front);
		assert_null(m.next);
		assert_ptr_equal(m.branch, vcore_step(&bench->trace, 1));
		assert_false(m.fused_next);
	}
}

/* Records a load with its computation, a NOP and a store, of one slot each, and a branch that fuses. */
static struct vcore_insn *record_slots(struct bench *bench)
{
	struct vcore_insn *insn = bench_record(bench, 0, 4, 5);
	struct vcore_insn *branch = bench_record(bench, 4, 2, 1);

	insn->uop[0].type = VCORE_LOAD;
	insn->uop[1].type = VCORE_ALU;
	insn->uop[1].fused = true;
	insn->uop[3].type = VCORE_STA;
	insn->uop[4].type = VCORE_STD;
	insn->uop[4].fused = true;
	/* Another instruction may have its uops behind those of this one. */
	insn->uop[5].fused = true;
	insn->nr_slots = 3;
	insn->fuses = 1;
	branch->condition = 1;
	return insn;
}

TEST_BETWEEN(the_slots_of_a_step_are_queued, setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	struct vcore_group group = { .lack = VCORE_LACKS_PAGE };
	struct vcore_step_slots m;

	/* Step 0 is another one. */
	bench_record(bench, 100, 4, 1);
	record_slots(bench);
	bench->trace.fetch = 1;
	front->prediction = VCORE_WRONG;
	m = vcore_step_slots_next(front);
	assert_true(vcore_step_slots_put(front, &m, &group));
	assert_int_equal(group.slots, 3);
	assert_int_equal(front->queue.nr, 3);
	assert_int_equal(front->uop, 5);
	bench_assert_slot(bench, 0, NOW + 8, VCORE_LACKS_PAGE, (struct vcore_slot){
		.step = 1, .first = 0, .nr = 2, .uops = 2, .loads = 1, .first_of_insn = true });
	bench_assert_slot(bench, 1, NOW + 8, VCORE_LACKS_PAGE, (struct vcore_slot){
		.step = 1, .first = 2, .nr = 1 });
	bench_assert_slot(bench, 2, NOW + 8, VCORE_LACKS_PAGE, (struct vcore_slot){
		.step = 1, .first = 3, .nr = 2, .uops = 2, .stores = 1, .last_of_insn = true,
		.fused_next = true, .mispredicted = true });
}

/* A cycle has no more slots than the width; the others follow in the next one, from another source. */
TEST_BETWEEN(slots_beyond_the_width_follow_later, setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	struct vcore_group group = { .slots = 1, .lack = VCORE_LACKS_CODE };
	struct vcore_step_slots m;
	struct vcore_insn *insn = record_slots(bench);

	insn->fuses = 0;
	insn->filler = 2;
	insn->nr_slots += 2;
	vcore_step(&bench->trace, 0)->nr_accesses = 3;
	vcore_step(&bench->trace, 0)->access[0] = (struct vcore_access){ .store = false };
	vcore_step(&bench->trace, 0)->access[1] = (struct vcore_access){ .store = true };
	vcore_step(&bench->trace, 0)->access[2] = (struct vcore_access){ .store = true };
	m = vcore_step_slots_next(front);
	assert_int_equal(m.uops, 8);
	assert_int_equal(m.slots, 6);
	assert_false(vcore_step_slots_put(front, &m, &group));
	assert_int_equal(group.slots, 4);
	assert_int_equal(front->queue.nr, 3);
	assert_int_equal(front->uop, 5);
	front->now++;
	front->legacy = false;
	group = (struct vcore_group){ .lack = VCORE_LACKS_DECODED };
	assert_true(vcore_step_slots_put(front, &m, &group));
	assert_int_equal(group.slots, 3);
	assert_int_equal(front->queue.nr, 6);
	bench_assert_slot(bench, 2, NOW + 8, VCORE_LACKS_CODE, (struct vcore_slot){
		.first = 3, .nr = 2, .uops = 2, .stores = 1, .microcode = true });
	/* The uop cache is faster, but slots stay in their order. */
	bench_assert_slot(bench, 3, NOW + 8, VCORE_LACKS_DECODED, (struct vcore_slot){
		.first = 5, .nr = 1, .uops = 1, .microcode = true });
	bench_assert_slot(bench, 4, NOW + 8, VCORE_LACKS_DECODED, (struct vcore_slot){
		.first = 6, .nr = 1, .uops = 1, .microcode = true });
	bench_assert_slot(bench, 5, NOW + 8, VCORE_LACKS_DECODED, (struct vcore_slot){
		.first = 7, .nr = 1, .uops = 1, .loads = 1, .stores = 1, .last_of_insn = true,
		.microcode = true });
}

/* In later iterations of a string the numbers of uops are as in the first, without its filler. */
TEST_BETWEEN(an_iteration_has_no_filler, setup, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	struct vcore_group group = { 0 };
	struct vcore_insn *insn = bench_record(bench, 0, 4, 1);
	struct vcore_step_slots m;

	insn->filler = 7;
	insn->nr_slots = 8;
	front->repeats = true;
	front->legacy = false;
	vcore_step(&bench->trace, 0)->nr_accesses = 1;
	vcore_step(&bench->trace, 0)->access[0] = (struct vcore_access){ .store = false };
	m = vcore_step_slots_next(front);
	assert_true(vcore_step_slots_put(front, &m, &group));
	assert_int_equal(group.slots, 2);
	bench_assert_slot(bench, 0, NOW + 5, VCORE_LACKS_NOTHING, (struct vcore_slot){
		.first = 0, .nr = 1, .first_of_insn = true });
	bench_assert_slot(bench, 1, NOW + 5, VCORE_LACKS_NOTHING, (struct vcore_slot){
		.first = 8, .nr = 1, .uops = 1, .loads = 1, .stores = 1, .last_of_insn = true });
}
