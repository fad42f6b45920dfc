/* SPDX-License-Identifier: GPL-2.0 */
/* Loads and stores that tests of the memory hierarchy make directly, without a pipeline. */
#ifndef ACCESS_H
#define ACCESS_H

#include "memory/memory.h"
#include "memory/shared.h"
#include "memory/tracker.h"
#include "test.h"

#define LINE 64u
#define PAGE 4096u
#define KB 1024u
#define BASE 0x10000000ull
#define PC 0x400000ull

#define ALL_PREFETCHERS 15

/**
 * struct core - a core that accesses memory without a pipeline
 * @memory: the core's memory hierarchy
 * @counts: counts of the events of @memory
 * @cycle: current cycle
 */
struct core {
	struct vcore_memory *memory;
	struct vcore_counts counts;
	uint64_t cycle;
};

/*
 * Creates a core of the package. @number: number of the core; @off: mask of the prefetchers that
 * are turned off (VCORE_PREFETCH_*). core_free() frees its memory hierarchy.
 */
void core_new(struct core *core, const struct vcore_params *params,
	      unsigned int number, unsigned int off);
void core_free(struct core *core);
/*
 * Loads or stores 8 bytes, and advances the core's cycle to the one in which the access completes.
 */
struct vcore_reply load(struct core *core, uint64_t address);
struct vcore_reply store(struct core *core, uint64_t address);
/*
 * Loads or stores 8 bytes like load() and store(), but without advancing the core's cycle. @pc:
 * address of the load instruction; @streams: true for a non-temporal store.
 */
struct vcore_reply load_now(struct core *core, uint64_t pc, uint64_t address);
struct vcore_reply store_now(struct core *core, uint64_t address, bool streams);
/* Advances the core's cycle by @cycles, and counts the occupancies in that time. */
void wait(struct core *core, uint64_t cycles);
/*
 * Chases pointers through a buffer of @bytes, with one load for each @step bytes: each load depends
 * on the load before. Returns the mean latency of a load in cycles, after a warm-up.
 */
double chase(struct core *core, uint64_t bytes, unsigned int step);
/* Returns the counts of the package's arbiter since the package was created. */
const struct vcore_traffic *traffic(struct core *core);

#endif /* ACCESS_H */
