/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Accesses to a core's memory without a core, for tests of it.
 */
#ifndef ACCESS_H
#define ACCESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "memory/memory.h"
#include "memory/shared.h"
#include "memory/tracker.h"

#define LINE 64u
#define PAGE 4096u
#define KB 1024u
#define BASE 0x10000000ull
#define PC 0x400000ull

#define ALL_PREFETCHERS 15

/**
 * struct core - what accesses memory
 * @memory: of it
 * @counts: what it counted
 * @cycle: now
 */
struct core {
	struct vcore_memory *memory;
	struct vcore_counts counts;
	uint64_t cycle;
};

/* a core of a part, without the prefetchers in @off */
void core_new(struct core *core, const struct vcore_params *params,
	      unsigned int number, unsigned int off);
void core_free(struct core *core);
/* an access of 8 bytes now; the clock goes on to when it is done */
struct vcore_reply load(struct core *core, uint64_t address);
struct vcore_reply store(struct core *core, uint64_t address);
/* the same, but the clock stays */
struct vcore_reply load_now(struct core *core, uint64_t pc, uint64_t address);
struct vcore_reply store_now(struct core *core, uint64_t address, bool streams);
/* the clock goes on */
void wait(struct core *core, uint64_t cycles);
/* mean cycles of loads that depend on each other, over so many bytes */
double chase(struct core *core, uint64_t bytes, unsigned int step);
/* what its package saw until now */
const struct vcore_traffic *traffic(struct core *core);

#endif /* ACCESS_H */
