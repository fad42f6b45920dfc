// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the front end in one cycle: what it fetches, what ends the cycle, what it waits for, and
 * which events it counts. Its code is in the L1I.
 */

#include "bench.h"
#include "frontend/front_end.h"

#define NOW BENCH_NOW
#define NEVER UINT64_MAX
#define PLAIN(name) (bench->counts.plain[VCORE_ ## name])

/* Puts a slot into the queue that can issue in cycle @ready. */
static void queue_slot(struct bench *bench, uint64_t ready, enum vcore_lack lack)
{
	*vcore_queue_put(&bench->front->queue, ready, lack) = (struct vcore_slot){ .step = ready };
}

/* Fetches in the current cycle. Returns the number of slots that the queue has got. */
static unsigned int fetch(struct bench *bench)
{
	unsigned int before = bench->front->queue.nr;

	vcore_front_cycle(bench->front, NOW, true, &bench->counts);
	return bench->front->queue.nr - before;
}

TEST_BETWEEN(a_new_front_end_is_empty, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i;

	/* The queue has room for the IDQ, and for the stages of the longer pipeline. */
	for (i = 0; i < 2; i++) {
		bench->params.front.mite_depth = i ? 3 : 8;
		bench_renew(bench);
		assert_int_equal(bench->front->queue.size,
				 bench->params.front.idq + (i ? 6 : 9) * bench->params.back.width);
	}
	assert_null(vcore_front_peek(bench->front));
	assert_int_equal(vcore_front_lacks(bench->front), VCORE_LACKS_TRACE);
	assert_int_equal(bench->front->rate, 16 * bench->params.back.width);
	bench_record(bench, 0, 4, 1);
	bench->front->all = true;
	assert_int_equal(vcore_front_lacks(bench->front), VCORE_LACKS_DECODED);
	vcore_front_free(NULL);
}

/* What a front end lacks that has no slot ready, and when it changes by itself. */
TEST_BETWEEN(a_front_end_knows_what_it_lacks, bench_setup_at_now, bench_teardown)
{
	static const struct {
		const char *name;
		uint64_t head, resume;
		bool wrong, draining, step;
		enum vcore_lack lack;
		uint64_t next;
		bool waits;
	} all[] = {
		{ "slot", NOW, 0, false, false, true, VCORE_LACKS_NOTHING, NOW + 1, true },
		{ "slot, no step", NOW, 0, false, false, false, VCORE_LACKS_NOTHING, NEVER, true },
		{ "late slot", NOW + 1, 0, false, false, false, VCORE_LACKS_CODE_L3, NOW + 1, true },
		{ "later slot", NOW + 5, 0, false, false, false, VCORE_LACKS_CODE_L3, NOW + 5, true },
		{ "late slot, stall", NOW + 5, NOW + 3, false, false, true, VCORE_LACKS_CODE_L3,
		  NOW + 3, true },
		{ "slot, later stall", NOW + 3, NOW + 5, false, false, true, VCORE_LACKS_CODE_L3,
		  NOW + 3, true },
		{ "stall", 0, NOW + 2, false, false, true, VCORE_LACKS_PAGE, NOW + 2, true },
		{ "short stall", 0, NOW + 1, false, false, true, VCORE_LACKS_PAGE, NOW + 1, false },
		{ "short stall, no step", 0, NOW + 1, false, false, false, VCORE_LACKS_PAGE, NEVER,
		  false },
		{ "end of a stall", 0, NOW, false, false, true, VCORE_LACKS_PAGE, NOW + 1, true },
		{ "wrong path", 0, 0, true, false, false, VCORE_LACKS_PATH, NOW + 1, true },
		{ "wrong path, drains", 0, 0, true, true, true, VCORE_LACKS_PATH, NOW + 1, true },
		{ "drains", 0, 0, false, true, true, VCORE_LACKS_ORDER, NEVER, true },
		{ "no step", 0, 0, false, false, false, VCORE_LACKS_TRACE, NEVER, true },
		{ "a step", 0, 0, false, false, true, VCORE_LACKS_PAGE, NOW + 1, true },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_front *front;

		bench_renew(bench);
		front = bench->front;
		if (all[i].step)
			bench_record(bench, 0, 4, 1);
		front->all = true;
		if (all[i].head)
			queue_slot(bench, all[i].head, VCORE_LACKS_CODE_L3);
		vcore_supply_stop(front, VCORE_STALL_PAGE, all[i].resume);
		front->wrong = all[i].wrong;
		front->draining = all[i].draining;
		if (vcore_front_lacks(front) != all[i].lack ||
		    vcore_front_next(front, NOW) != all[i].next ||
		    vcore_front_waits(front) != all[i].waits)
			fail_msg("%s: lacks %u, next %llu, waits %d", all[i].name,
				 vcore_front_lacks(front),
				 (unsigned long long)vcore_front_next(front, NOW) - NOW,
				 vcore_front_waits(front));
		assert_int_equal(!!vcore_front_peek(front), all[i].lack == VCORE_LACKS_NOTHING);
	}
}

/* Fetch goes on as long as the queue has room for the slots of a cycle. */
TEST_BETWEEN(a_full_queue_stops_fetch, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	unsigned int i;

	for (i = 0; i < 4; i++)
		bench_record(bench, 4 * i, 4, 1);
	front->all = true;
	while (front->queue.nr + 3 < front->queue.size)
		queue_slot(bench, NOW - 1 + front->queue.nr / 9, 0);
	assert_true(vcore_front_next(front, 5000) == NEVER);
	assert_int_equal(fetch(bench), 0);
	assert_int_equal(vcore_front_peek(front)->step, NOW - 1);
	vcore_front_take(front);
	assert_int_equal(vcore_front_next(front, 5000), 5001);
	assert_int_equal(fetch(bench), 4);
	assert_int_equal(bench->trace.fetch, 4);
	assert_int_equal(front->queue.nr, front->queue.size);
}

/* Cycles without a slot are counted, and those in which fetch stalls, by the reason. */
TEST_BETWEEN(idle_cycles_are_counted_by_their_stall, bench_setup_at_now, bench_teardown)
{
	static const struct {
		enum vcore_stall stall;
		unsigned int resume, head;
		unsigned int empty, code, change, prefix;
	} all[] = {
		{ VCORE_STALL_CODE, 100, 0, 7, 7, 0, 0 },
		{ VCORE_STALL_CODE_L3, 100, 0, 7, 7, 0, 0 },
		{ VCORE_STALL_CODE_MEMORY, 100, 0, 7, 7, 0, 0 },
		{ VCORE_STALL_PAGE, 100, 0, 7, 7, 0, 0 },
		{ VCORE_STALL_SWITCH, 100, 0, 7, 0, 7, 0 },
		{ VCORE_STALL_LCP, 100, 0, 7, 0, 0, 7 },
		{ VCORE_STALL_SEQUENCER, 100, 0, 7, 0, 0, 0 },
		{ VCORE_STALL_LATE, 100, 0, 7, 0, 0, 0 },
		{ VCORE_STALL_RESTEER, 100, 0, 7, 0, 0, 0 },
		{ VCORE_STALL_ORDER, 100, 0, 7, 0, 0, 0 },
		{ VCORE_STALL_CODE, 2, 0, 7, 7, 0, 0 },
		{ VCORE_STALL_CODE, 1, 0, 7, 0, 0, 0 },
		{ VCORE_STALL_LCP, 100, 1, 0, 0, 0, 7 },
		{ VCORE_STALL_LCP, 100, 2, 7, 0, 0, 7 },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		bench_renew(bench);
		if (all[i].head)
			queue_slot(bench, NOW + all[i].head, 0);
		vcore_supply_stop(bench->front, all[i].stall, NOW + all[i].resume);
		vcore_front_idle(bench->front, 7, &bench->counts);
		assert_int_equal(bench->front->now, NOW + 7);
		assert_int_equal(PLAIN(IDQ_EMPTY), all[i].empty);
		assert_int_equal(PLAIN(ICACHE_STALL), all[i].code);
		assert_int_equal(PLAIN(DSB_SWITCH_CYCLES), all[i].change);
		assert_int_equal(PLAIN(LCP_STALLS), all[i].prefix);
	}
}

/* A simulated cycle is the current one, and fetches if the stall is over. */
TEST_BETWEEN(a_cycle_fetches_after_its_stall, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;

	bench_record(bench, 0, 4, 1);
	bench_record(bench, 4, 4, 1);
	vcore_supply_stop(front, VCORE_STALL_PAGE, NOW + 3);
	vcore_front_cycle(front, NOW + 2, true, &bench->counts);
	assert_int_equal(front->now, NOW + 2);
	assert_int_equal(bench->trace.fetch, 0);
	assert_int_equal(PLAIN(ICACHE_STALL), 1);
	assert_int_equal(PLAIN(IDQ_EMPTY), 1);
	/* The last step may yet fuse with another, unless the trace ends. */
	vcore_front_cycle(front, NOW + 3, false, &bench->counts);
	assert_int_equal(bench->trace.fetch, 1);
	bench_assert_slot(bench, 0, NOW + 3 + 8, VCORE_LACKS_PAGE, (struct vcore_slot){
		.nr = 1, .first_of_insn = true, .last_of_insn = true });
	front->lack = VCORE_LACKS_CODE;
	vcore_front_cycle(front, NOW + 4, false, &bench->counts);
	assert_int_equal(bench->trace.fetch, 1);
	assert_int_equal(front->lack, VCORE_LACKS_CODE);
	vcore_front_cycle(front, NOW + 5, true, &bench->counts);
	assert_int_equal(bench->trace.fetch, 2);
	bench_assert_slot(bench, 1, NOW + 5 + 8, VCORE_LACKS_CODE, (struct vcore_slot){
		.step = 1, .nr = 1, .first_of_insn = true, .last_of_insn = true });
	assert_int_equal(front->lack, VCORE_LACKS_DECODED);
	assert_int_equal(PLAIN(ICACHE_STALL), 1);
	assert_int_equal(PLAIN(IDQ_EMPTY), 4);
}

/* Each cycle with slots is counted for their source, and if they fill the width. */
TEST_BETWEEN(slots_are_counted_by_their_source, bench_setup_at_now, bench_teardown)
{
	static const struct {
		enum vcore_supply supply;
		enum vcore_plain uops, any, full;
	} all[] = {
		{ VCORE_FROM_DSB, VCORE_DSB_UOPS, VCORE_DSB_CYCLES_ANY, VCORE_DSB_CYCLES_4 },
		{ VCORE_FROM_MITE, VCORE_MITE_UOPS, VCORE_MITE_CYCLES_ANY, VCORE_MITE_CYCLES_4 },
		{ VCORE_FROM_MS, VCORE_MS_UOPS, VCORE_MS_CYCLES_ANY, VCORE_MS_CYCLES_4 },
	};
	struct bench *bench = *test_state;
	unsigned int i, k, slots;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		for (slots = 0; slots <= 4; slots++) {
			struct vcore_front *front;

			bench_renew(bench);
			front = bench->front;
			front->supply = all[i].supply;
			front->wrong = true;
			front->branch = 77;
			front->rate = 16 * slots;
			vcore_fetch_wrong(front, &bench->counts);
			assert_int_equal(front->queue.nr, slots);
			for (k = 0; k < slots; k++)
				bench_assert_slot(bench, k, NOW + 8, VCORE_LACKS_DECODED,
						  (struct vcore_slot){ .step = 77, .nr = 1, .uops = 1,
								       .wrong = true });
			for (k = 0; k < sizeof(all) / sizeof(*all); k++) {
				const uint64_t *plain = bench->counts.plain;

				assert_int_equal(plain[all[k].uops], k == i ? slots : 0);
				assert_int_equal(plain[all[k].any], k == i && slots);
				assert_int_equal(plain[all[k].full], k == i && slots == 4);
			}
		}
}

/* Fractions of slots of the wrong path add up over the cycles. */
TEST_BETWEEN(the_wrong_path_has_the_rate_of_the_correct_one, bench_setup_at_now, bench_teardown)
{
	static const unsigned int slots[] = { 2, 3, 2, 3 };
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	unsigned int i, nr = 0;

	front->rate = 40;
	front->wrong = true;
	for (i = 0; i < 4; i++) {
		assert_int_equal(fetch(bench), slots[i]);
		nr += slots[i];
		assert_int_equal(front->queue.nr, nr);
		assert_int_equal(front->credit, i % 2 ? 0 : 8);
	}
	front->rate = 3;
	for (i = 0; i < 5; i++)
		assert_int_equal(fetch(bench), 0);
	assert_int_equal(fetch(bench), 1);
	assert_int_equal(front->credit, 2);
}

/* The rate moves by an eighth of its distance from the slots of a cycle; cycles without do not count. */
TEST_BETWEEN(the_rate_is_a_moving_average, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	unsigned int i;

	for (i = 0; i < 40; i++)
		bench_record(bench, 0, 4, 1)->branch = VCORE_JUMP;
	for (i = 0; i < 40; i++) {
		vcore_step(&bench->trace, i)->next_pc = BENCH_CODE;
		vcore_step(&bench->trace, i)->jumped = true;
	}
	bench->ideal.bpred = true;
	front->rate = 64;
	/* 64 and 16 * 1 / 8 are 66, of which an eighth is taken */
	assert_int_equal(fetch(bench), 1);
	assert_int_equal(front->rate, 58);
	for (i = 0; i < 30; i++)
		assert_int_equal(fetch(bench), 1);
	assert_in_range(front->rate, 14, 22);
	front->draining = true;
	i = front->rate;
	assert_int_equal(fetch(bench), 0);
	assert_int_equal(front->rate, i);
}

/*
 * What the end of a step leads to. Two steps follow of one slot each, which are fetched in the same
 * cycle if nothing keeps them from it.
 */
struct end {
	const char *name;
	uint8_t branch;
	bool jumped, interrupted, serialises, other_level;
	unsigned int slots;
	bool draining, redirected;
};

static const struct end ends[] = {
	{ "sequence", VCORE_NO_BRANCH, false, false, false, false, 3, false, false },
	{ "untaken branch", VCORE_CONDITIONAL, false, false, false, false, 3, false, false },
	{ "jump", VCORE_JUMP, true, false, false, false, 1, false, true },
	{ "far branch", VCORE_FAR, true, false, false, false, 1, true, true },
	{ "far branch to the next", VCORE_FAR, false, false, false, false, 1, true, false },
	{ "interrupt", VCORE_NO_BRANCH, true, true, false, false, 1, true, true },
	{ "interrupt before the next", VCORE_NO_BRANCH, false, true, false, false, 1, true, true },
	{ "serialising", VCORE_NO_BRANCH, false, false, true, false, 1, true, false },
	{ "another level", VCORE_NO_BRANCH, false, false, false, true, 1, true, false },
};

static void record_end(struct bench *bench, const struct end *end)
{
	struct vcore_step *step = vcore_step(&bench->trace, 0);
	struct vcore_insn *insn;

	bench_renew(bench);
	insn = bench_record(bench, 0, 4, 1);
	insn->branch = end->branch;
	insn->serialises = end->serialises;
	step->jumped = end->jumped;
	step->interrupted = end->interrupted;
	bench_record(bench, 4, 4, 1)->priv = !end->other_level;
	bench_record(bench, 8, 4, 1)->priv = !end->other_level;
}

TEST_BETWEEN(the_end_of_a_step_ends_the_cycle, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	unsigned int i;

	bench->ideal.bpred = true;
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct vcore_front *front;

		record_end(bench, &ends[i]);
		front = bench->front;
		front->stalled = true;
		if (fetch(bench) != ends[i].slots || front->draining != ends[i].draining)
			fail_msg("%s: %u slots, draining %d", ends[i].name, front->queue.nr,
				 front->draining);
		assert_int_equal(bench->trace.fetch, ends[i].slots);
		assert_int_equal(front->branch, ends[i].slots - 1);
		assert_int_equal(front->uop, 0);
		assert_false(front->stalled || front->wrong || front->repeats);
		assert_int_equal(front->window == VCORE_NOT_FETCHED, ends[i].redirected);
		assert_int_equal(front->predecoded, ends[i].redirected ? 0 : BENCH_CODE + 16);
	}
}

/* A fused branch ends the step of the test before it. */
TEST_BETWEEN(a_pair_ends_as_its_branch, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front;
	unsigned int jumped;

	bench->ideal.bpred = true;
	for (jumped = 0; jumped < 2; jumped++) {
		struct vcore_insn *branch;

		bench_renew(bench);
		front = bench->front;
		bench_record(bench, 0, 4, 1)->fuses = 1;
		branch = bench_record(bench, 4, 2, 1);
		branch->condition = 1;
		branch->branch = VCORE_CONDITIONAL;
		vcore_step(&bench->trace, 1)->jumped = jumped;
		bench_record(bench, 6, 4, 1);
		assert_int_equal(fetch(bench), jumped ? 1 : 2);
		assert_int_equal(bench->trace.fetch, jumped ? 2 : 3);
		assert_int_equal(front->branch, jumped ? 1 : 2);
		assert_int_equal(front->window == VCORE_NOT_FETCHED, jumped);
	}
}

/* Only the iterations of a string instruction repeat it. */
TEST_BETWEEN(iterations_repeat_an_instruction, bench_setup_at_now, bench_teardown)
{
	static const struct {
		const char *name;
		bool rep, same, again, interrupted, repeats;
	} all[] = {
		{ "iteration", true, true, true, false, true },
		{ "end", true, false, false, false, false },
		{ "other instruction", true, false, true, false, false },
		{ "jump to itself", false, true, true, false, false },
		{ "interrupted", true, true, true, true, false },
		{ "elsewhere", true, true, false, false, false },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_step *step = vcore_step(&bench->trace, 0);
		struct vcore_front *front;
		struct vcore_insn *insn;

		bench_renew(bench);
		front = bench->front;
		front->width = 1;
		insn = bench_record(bench, 0, 4, 1);
		insn->rep = all[i].rep;
		bench_record(bench, 4, 4, 1);
		if (all[i].same)
			vcore_step(&bench->trace, 1)->insn = insn;
		step->next_pc = all[i].again ? insn->pc : insn->pc + 4;
		step->jumped = all[i].again;
		step->interrupted = all[i].interrupted;
		fetch(bench);
		if (front->repeats != all[i].repeats)
			fail_msg("%s: repeats %d", all[i].name, front->repeats);
		/* An iteration does not end the window. */
		if (all[i].repeats)
			assert_true(front->window != VCORE_NOT_FETCHED);
	}
}

/* Which branches train the predictor: each once, and not if it was not executed or is not near. */
TEST_BETWEEN(near_branches_train_the_predictor_once, bench_setup_at_now, bench_teardown)
{
	static const struct {
		const char *name;
		uint8_t branch;
		bool interrupted, ideal;
		uint64_t learnt, after;
		bool late;
	} all[] = {
		{ "first", VCORE_JUMP, false, false, 0, 1, true },
		{ "again", VCORE_JUMP, false, false, 1, 1, false },
		{ "interrupted", VCORE_JUMP, true, false, 0, 0, false },
		{ "ideal", VCORE_JUMP, false, true, 0, 0, false },
		{ "far", VCORE_FAR, false, false, 0, 0, false },
		{ "no branch", VCORE_NO_BRANCH, false, false, 0, 0, false },
	};
	struct bench *bench = *test_state;
	unsigned int i;

	for (i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct vcore_step *step = vcore_step(&bench->trace, 0);
		struct vcore_front *front;

		bench->ideal.bpred = all[i].ideal;
		bench_renew(bench);
		front = bench->front;
		bench_record(bench, 0, 4, 1)->branch = all[i].branch;
		step->next_pc = BENCH_CODE + 64;
		step->jumped = true;
		step->interrupted = all[i].interrupted;
		front->learnt = all[i].learnt;
		assert_int_equal(fetch(bench), 1);
		if (front->learnt != all[i].after || PLAIN(BACLEARS) != all[i].late)
			fail_msg("%s: learnt %llu", all[i].name, (unsigned long long)front->learnt);
		/* A branch that the BTB lacks is found by the decoders. */
		assert_int_equal(front->resume, all[i].late ? NOW + 1 + 24 : 0);
		if (all[i].late)
			assert_int_equal(front->stall, VCORE_STALL_LATE);
	}
}

/* A fused branch is that of the next step, and trains the predictor with its own outcome. */
TEST_BETWEEN(a_mispredicted_branch_starts_the_wrong_path, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	struct vcore_insn *branch;

	bench_record(bench, 0, 4, 1)->fuses = 1;
	branch = bench_record(bench, 4, 2, 1);
	branch->condition = 1;
	branch->branch = VCORE_CONDITIONAL;
	/* An untrained predictor predicts that a branch is taken. */
	bench_record(bench, 6, 4, 1);
	assert_int_equal(fetch(bench), 1);
	assert_int_equal(front->learnt, 2);
	assert_true(front->wrong);
	assert_int_equal(front->branch, 1);
	assert_int_equal(bench->trace.fetch, 2);
	assert_int_equal(PLAIN(BACLEARS), 0);
	assert_int_equal(front->resume, 0);
	bench_assert_slot(bench, 0, NOW + 8, VCORE_LACKS_DECODED, (struct vcore_slot){
		.nr = 1, .first_of_insn = true, .last_of_insn = true, .fused_next = true,
		.mispredicted = true });
	/* The branch is resolved in a later cycle. */
	front->now = NOW + 30;
	front->window = 5;
	front->predecoded = 6;
	vcore_front_resolve(front, NOW + 30);
	assert_false(front->wrong);
	assert_int_equal(front->queue.nr, 0);
	assert_int_equal(front->queue.latest, 0);
	assert_int_equal(front->stall, VCORE_STALL_RESTEER);
	assert_int_equal(front->resume, NOW + 30 + 25);
	assert_true(front->window == VCORE_NOT_FETCHED);
	assert_int_equal(front->predecoded, 0);
	assert_int_equal(vcore_front_lacks(front), VCORE_LACKS_PATH);
}

/* A front end that waits for older instructions goes on when its queue is empty, too. */
TEST_BETWEEN(a_drained_front_end_goes_on, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;

	vcore_front_drained(front, NOW);
	assert_int_equal(front->resume, 0);
	front->draining = true;
	front->window = 5;
	queue_slot(bench, NOW, 0);
	vcore_front_drained(front, NOW);
	assert_true(front->draining);
	assert_int_equal(front->resume, 0);
	vcore_front_take(front);
	vcore_front_drained(front, NOW);
	assert_false(front->draining);
	assert_int_equal(front->stall, VCORE_STALL_ORDER);
	assert_int_equal(front->resume, NOW + 26);
	assert_true(front->window == VCORE_NOT_FETCHED);
}

/* A machine clear forgets what was fetched, and all that the fetch of a step had begun. */
TEST_BETWEEN(a_machine_clear_begins_anew, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;
	unsigned int i;

	for (i = 0; i < 9; i++)
		bench_record(bench, 4 * i, 4, 1);
	front->wrong = true;
	front->draining = true;
	front->uop = 3;
	front->stalled = true;
	front->repeats = true;
	front->line = 5;
	front->window = 5;
	bench->trace.fetch = 8;
	bench->fetches.begun = true;
	bench->fetches.next.missed = true;
	queue_slot(bench, NOW, 0);
	vcore_front_refetch(front, 4, NOW + 40);
	assert_false(front->wrong || front->draining || front->stalled || front->repeats);
	assert_int_equal(front->uop, 0);
	assert_true(front->line == VCORE_NOT_FETCHED && front->window == VCORE_NOT_FETCHED);
	assert_int_equal(bench->trace.fetch, 4);
	assert_int_equal(front->queue.nr, 0);
	assert_int_equal(front->stall, VCORE_STALL_RESTEER);
	assert_int_equal(front->resume, NOW + 40);
	assert_false(bench->fetches.begun || bench->fetches.next.missed);
}

/* Fetches and decodes all that is recorded, in as many cycles as that takes. */
static void decode_all(struct bench *bench)
{
	unsigned int i;

	for (i = 0; i < 40 && bench->trace.fetch < bench->trace.end; i++) {
		vcore_front_cycle(bench->front, NOW + i, true, &bench->counts);
		vcore_queue_clear(&bench->front->queue);
	}
	assert_int_equal(bench->trace.fetch, bench->trace.end);
	vcore_fetch_redirect(bench->front);
}

/*
 * A window has room for 18 slots. A branch that is fused into one of them takes none, but another
 * jump may lead to it.
 */
TEST_BETWEEN(decoded_instructions_fill_the_uop_cache, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_insn *branch;
	unsigned int legacy, i;

	bench->ideal.bpred = true;
	for (legacy = 0; legacy < 2; legacy++) {
		bench_renew(bench);
		for (i = 0; i < 18; i++)
			bench_record(bench, i, 1, 1);
		bench->insn[17].fuses = 1;
		branch = bench_record(bench, 18, 2, 1);
		branch->condition = 1;
		branch->branch = VCORE_CONDITIONAL;
		if (!legacy) {
			/* What comes from the uop cache is not added to it again. */
			for (i = 0; i < 18; i++)
				vcore_decoded_add(bench->front->decoded, &bench->insn[i], 1, false);
			vcore_decoded_close(bench->front->decoded);
		}
		bench->front->legacy = legacy;
		decode_all(bench);
		for (i = 0; i < 18; i++)
			assert_true(vcore_decoded_has(bench->front->decoded, bench->insn[i].pa));
		assert_int_equal(vcore_decoded_has(bench->front->decoded, branch->pa), legacy);
		assert_false(vcore_decoded_has(bench->front->decoded, branch->pa + 1));
		assert_int_equal(PLAIN(MITE_UOPS), legacy ? 18 : 0);
		assert_int_equal(PLAIN(DSB_UOPS), legacy ? 0 : 18);
	}
}

/* Of the iterations of an instruction only the first is decoded. */
TEST_BETWEEN(iterations_are_decoded_once, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_insn *insn = bench_record(bench, 0, 4, 1);
	unsigned int i;

	insn->rep = true;
	insn->microcoded = true;
	for (i = 1; i < 6; i++) {
		bench_record(bench, 4, 4, 1);
		vcore_step(&bench->trace, i)->insn = insn;
	}
	for (i = 0; i < 5; i++) {
		vcore_step(&bench->trace, i)->next_pc = insn->pc;
		vcore_step(&bench->trace, i)->jumped = true;
	}
	decode_all(bench);
	/* One way of microcode is cached, six would be too many. */
	assert_true(vcore_decoded_has(bench->front->decoded, insn->pa));
}

/* A cycle in which nothing can be decoded yet does not change the reason for which slots lack. */
TEST_BETWEEN(a_cycle_without_slots_keeps_the_reason, bench_setup_at_now, bench_teardown)
{
	struct bench *bench = *test_state;
	struct vcore_front *front = bench->front;

	/* The instruction is in two blocks of the predecoder. */
	bench_record(bench, 13, 4, 1);
	front->lack = VCORE_LACKS_CODE_L3;
	assert_int_equal(fetch(bench), 0);
	assert_int_equal(front->lack, VCORE_LACKS_CODE_L3);
	assert_int_equal(fetch(bench), 1);
	bench_assert_slot(bench, 0, NOW + 8, VCORE_LACKS_CODE_L3, (struct vcore_slot){
		.nr = 1, .first_of_insn = true, .last_of_insn = true });
	/* A stall that begins in the cycle is a reason of its own. */
	bench_record(bench, 17, 4, 1)->lcp = true;
	front->lack = VCORE_LACKS_CODE_L3;
	assert_int_equal(fetch(bench), 0);
	assert_int_equal(front->lack, VCORE_LACKS_DECODED);
	assert_int_equal(front->resume, NOW + 23);
	assert_int_equal(PLAIN(MITE_CYCLES_ANY), 1);
}
