// SPDX-License-Identifier: GPL-2.0
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "frontend/front_end.h"

/* Number of steps that are recorded after the last step that has retired. */
#define TRACE_STEPS 600
/* Number of cycles from the issue of a mispredicted branch to its resolution. */
#define RESOLVE_CYCLES 12

/* Creates a test bench for the front end: an Ivy Bridge core whose L1I is perfect. */
int bench_setup(void **state)
{
	struct bench *bench = calloc(1, sizeof(*bench));

	if (!bench)
		return -1;
	bench->params = vcore_ivb;
	bench->ideal.l1i = true;
	bench->end = BENCH_CODE;
	bench->resolve = UINT64_MAX;
	*state = bench;
	return 0;
}

int bench_teardown(void **state)
{
	struct bench *bench = *state;

	vcore_front_free(bench->front);
	vcore_memory_free(bench->memory);
	free(bench);
	return 0;
}

void bench_start(struct bench *bench)
{
	bench->memory = vcore_memory_new(&bench->params, &bench->ideal, 0);
	assert_non_null(bench->memory);
	bench->front = vcore_front_new(&bench->params, &bench->ideal,
				       &bench->trace, bench->memory, &bench->fetches);
	assert_non_null(bench->front);
}

void bench_clear(struct bench *bench)
{
	memset(&bench->counts, 0, sizeof(bench->counts));
	memset(bench->lost, 0, sizeof(bench->lost));
	bench->slots = 0;
	bench->wrong = 0;
	bench->fused = 0;
	bench->microcode = 0;
	bench->mispredicted = 0;
}

struct vcore_insn *bench_add(struct bench *bench, unsigned int size,
			     unsigned int slots)
{
	struct vcore_insn *insn = &bench->insn[bench->nr++];
	unsigned int i;

	assert_in_range(bench->nr, 1, BENCH_INSNS);
	*insn = (struct vcore_insn) {
		.pc = bench->end, .pa = bench->end, .size = size, .priv = 1,
		.nr_uops = slots, .nr_slots = slots,
	};
	for (i = 0; i < slots; i++)
		insn->uop[i].type = VCORE_NONE;
	bench->end += size;
	return insn;
}

void bench_fill(struct bench *bench, unsigned int nr, unsigned int size,
		unsigned int slots)
{
	while (nr--)
		bench_add(bench, size, slots);
}

struct vcore_insn *bench_branch(struct bench *bench, enum vcore_branch type,
				unsigned int size)
{
	struct vcore_insn *insn = bench_add(bench, size, 1);

	insn->branch = type;
	return insn;
}

/* Returns a hash of @number. Its bits serve as random bits that are the same in each run. */
uint32_t bench_draw(uint32_t number)
{
	number = (number ^ number >> 16) * 0x7feb352du;
	number = (number ^ number >> 15) * 0x846ca68bu;
	return number ^ number >> 16;
}

static void record_step(struct bench *bench)
{
	const struct vcore_insn *insn = &bench->insn[bench->at];
	struct vcore_step *step = vcore_step_begin(&bench->trace, insn);
	unsigned int next = (bench->at + 1) % bench->nr;

	if (bench->next)
		next = bench->next(bench, bench->at);
	step->next_pc = bench->insn[next].pc;
	step->interrupted = false;
	step->jumped = step->next_pc != insn->pc + insn->size;
	if (bench->step)
		bench->step(bench, step);
	bench->at = next;
	bench->steps++;
	bench->trace.end++;
}

/* Records the next TRACE_STEPS steps of the program. Returns true if the program has ended. */
static bool record_all(struct bench *bench)
{
	while (bench->trace.end < bench->trace.retired + TRACE_STEPS) {
		if (bench->most && bench->steps == bench->most)
			return true;
		record_step(bench);
	}
	return false;
}

/*
 * Counts a slot of the correct path that the front end has delivered. Checks that the steps of the
 * slots come in order and that none is missing.
 */
static void check_slot(struct bench *bench, const struct vcore_slot *slot)
{
	assert_true(slot->step == bench->expected);
	bench->slots++;
	bench->fused += slot->fused_next;
	bench->microcode += slot->microcode;
	if (slot->last_of_insn)
		bench->expected += 1 + slot->fused_next;
	bench->trace.retired = bench->expected;
	if (!slot->mispredicted)
		return;
	assert_true(slot->last_of_insn);
	bench->mispredicted++;
	bench->resolve = bench->cycle + RESOLVE_CYCLES;
}

static unsigned int take_slots(struct bench *bench)
{
	const struct vcore_slot *slot;
	unsigned int nr;

	for (nr = 0; nr < bench->params.back.width; nr++) {
		slot = vcore_front_peek(bench->front);
		if (!slot)
			break;
		if (slot->wrong) {
			assert_true(bench->resolve != UINT64_MAX);
			assert_true(slot->step == bench->expected - 1);
			bench->wrong++;
		} else {
			check_slot(bench, slot);
		}
		vcore_front_take(bench->front);
	}
	return nr;
}

static bool blocked(const struct bench *bench, uint64_t cycle)
{
	return bench->blocked && bench->blocked(cycle);
}

/* Skips the cycles before @until in which neither the front end nor the back end changes. */
static void skip_idle(struct bench *bench, uint64_t until)
{
	uint64_t next = vcore_front_next(bench->front, bench->cycle), cycle;

	if (next > bench->resolve)
		next = bench->resolve;
	if (next > until)
		next = until;
	for (cycle = bench->cycle + 1; cycle < next; cycle++) {
		if (vcore_front_peek(bench->front) && !blocked(bench, cycle))
			break;
		if (!blocked(bench, cycle))
			bench->lost[vcore_front_lacks(bench->front)] +=
				bench->params.back.width;
	}
	vcore_front_idle(bench->front, cycle - bench->cycle - 1,
			 &bench->counts);
	bench->cycle = cycle - 1;
}

void bench_run(struct bench *bench, uint64_t cycles)
{
	uint64_t until = bench->cycle + cycles;
	enum vcore_lack lack;
	unsigned int lost;
	bool all;

	for (; bench->cycle < until; bench->cycle++) {
		all = record_all(bench);
		vcore_front_cycle(bench->front, bench->cycle, all,
				  &bench->counts);
		lost = blocked(bench, bench->cycle) ? 0 :
		       bench->params.back.width - take_slots(bench);
		lack = vcore_front_lacks(bench->front);
		bench->lost[lack] += lost;
		if (bench->cycle == bench->resolve) {
			bench->resolve = UINT64_MAX;
			vcore_front_resolve(bench->front, bench->cycle);
		} else if (lack == VCORE_LACKS_ORDER) {
			vcore_front_drained(bench->front, bench->cycle);
		}
		if (bench->skip)
			skip_idle(bench, until);
	}
}

int bench_setup_at_now(void **state)
{
	struct bench *bench;

	if (bench_setup(state))
		return -1;
	bench = *state;
	bench->params.front.switch_cycles = 21;
	bench->params.front.ms_switch = 22;
	bench->params.front.lcp = 23;
	bench->params.front.baclear = 24;
	bench->params.front.resteer = 25;
	bench->params.front.serialise = 26;
	bench->params.front.mite_depth = 8;
	bench->params.front.dsb_depth = 5;
	bench_start(bench);
	bench->front->now = BENCH_NOW;
	return 0;
}

struct vcore_insn *bench_record(struct bench *bench, unsigned int offset, unsigned int size,
				unsigned int slots)
{
	struct vcore_insn *insn;

	bench->end = BENCH_CODE + offset;
	insn = bench_add(bench, size, slots);
	insn->pa += BENCH_MOVED;
	*vcore_step_begin(&bench->trace, insn) = (struct vcore_step){
		.insn = insn, .pc = insn->pc, .next_pc = insn->pc + size,
		.access = bench->trace.access[bench->trace.end % VCORE_TRACE],
	};
	bench->trace.end++;
	return insn;
}

void bench_renew(struct bench *bench)
{
	vcore_front_free(bench->front);
	bench->front = vcore_front_new(&bench->params, &bench->ideal, &bench->trace, bench->memory,
				       &bench->fetches);
	assert_non_null(bench->front);
	bench->front->now = BENCH_NOW;
	bench->nr = 0;
	bench->trace.end = 0;
	bench->trace.fetch = 0;
	bench_clear(bench);
}

void bench_assert_slot(const struct bench *bench, unsigned int nr, uint64_t ready,
		       enum vcore_lack lack, struct vcore_slot slot)
{
	const struct vcore_queued *queued = &bench->front->queue.entry[nr];

	assert_int_equal(queued->ready, ready);
	assert_int_equal(queued->lack, lack);
	if (memcmp(&queued->slot, &slot, offsetof(struct vcore_slot, microcode) + 1))
		fail_msg("slot %u: first %u, %u uops, %u for ports, %u loads, %u stores, is %d to %d, "
			 "fused %d, wrong %d %d, microcode %d", nr, queued->slot.first, queued->slot.nr,
			 queued->slot.uops, queued->slot.loads, queued->slot.stores,
			 queued->slot.first_of_insn, queued->slot.last_of_insn, queued->slot.fused_next,
			 queued->slot.wrong, queued->slot.mispredicted, queued->slot.microcode);
}
