// SPDX-License-Identifier: GPL-2.0
#include "access.h"

#include <string.h>

static const struct vcore_ideal real;

void core_new(struct core *core, const struct vcore_params *params,
	      unsigned int number, unsigned int off)
{
	memset(core, 0, sizeof(*core));
	core->memory = vcore_memory_new(params, &real, number);
	vcore_memory_prefetchers(core->memory, off);
}

void core_free(struct core *core)
{
	vcore_memory_free(core->memory);
}

static struct vcore_access at(uint64_t address, bool store)
{
	return (struct vcore_access){
		.va = address,
		.pa = address,
		.size = 8,
		.store = store,
	};
}

struct vcore_reply load_now(struct core *core, uint64_t pc, uint64_t address)
{
	struct vcore_access access = at(address, false);

	return vcore_memory_load(core->memory, core->cycle, pc, &access,
				 &core->counts);
}

struct vcore_reply store_now(struct core *core, uint64_t address, bool streams)
{
	struct vcore_access access = at(address, true);

	return vcore_memory_store(core->memory, core->cycle, &access, streams,
				  &core->counts);
}

struct vcore_reply load(struct core *core, uint64_t address)
{
	struct vcore_reply reply = load_now(core, PC, address);

	core->cycle = reply.done;
	return reply;
}

struct vcore_reply store(struct core *core, uint64_t address)
{
	struct vcore_reply reply = store_now(core, address, false);

	core->cycle = reply.done;
	return reply;
}

void wait(struct core *core, uint64_t cycles)
{
	core->cycle += cycles;
	vcore_memory_advance(core->memory, core->cycle, &core->counts);
}

/*
 * The addresses of the loads follow a linear congruential sequence. The sequence has all addresses,
 * because their number is a power of two, and has no constant stride, which a prefetcher could
 * follow.
 */
double chase(struct core *core, uint64_t bytes, unsigned int step)
{
	uint64_t steps = bytes / step;
	uint64_t start = 0;
	uint64_t step_nr = 0;
	uint64_t i;

	for (i = 0; i < 3 * steps; i++) {
		if (i == steps)
			start = core->cycle;
		load(core, BASE + step_nr * step);
		step_nr = (step_nr * 5 + 12345) % steps;
	}
	return (double)(core->cycle - start) / (2 * steps);
}

const struct vcore_traffic *traffic(struct core *core)
{
	static struct vcore_traffic seen;

	wait(core, 0);
	vcore_memory_traffic(core->memory, &seen);
	return &seen;
}
