/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory hierarchy of a virtual core: caches, TLBs, fill buffers, prefetchers, and the
 * package's L3 and memory controller.
 *
 * Times are cycles of the core's clock, and @cycle must not decrease from call to call. The reply
 * to an access has the cycle in which its data arrive.
 */
#ifndef VCORE_MEMORY_H
#define VCORE_MEMORY_H

#include "base/counts.h"
#include "base/params.h"
#include "base/trace.h"
#include "reply.h"

struct vcore_memory;
struct vcore_traffic;

/* Bits of MSR 0x1A4, each of which turns a hardware prefetcher off (SDM Vol. 4). */
#define VCORE_PREFETCH_L2_STREAM 1
#define VCORE_PREFETCH_L2_ADJACENT 2
#define VCORE_PREFETCH_L1_NEXT 4
#define VCORE_PREFETCH_L1_IP 8

struct vcore_memory *vcore_memory_new(const struct vcore_params *params,
				      const struct vcore_ideal *ideal,
				      unsigned int core);
void vcore_memory_free(struct vcore_memory *memory);
void vcore_memory_prefetchers(struct vcore_memory *memory, unsigned int off);

void vcore_memory_prefetch_host(const struct vcore_memory *memory,
				const struct vcore_access *access);
struct vcore_reply vcore_memory_load(struct vcore_memory *memory,
				     uint64_t cycle, uint64_t pc,
				     const struct vcore_access *access,
				     struct vcore_counts *counts);
struct vcore_reply vcore_memory_store(struct vcore_memory *memory,
				      uint64_t cycle,
				      const struct vcore_access *access,
				      bool streams,
				      struct vcore_counts *counts);
bool vcore_memory_owns(const struct vcore_memory *memory, const struct vcore_access *access);
bool vcore_memory_translates(const struct vcore_memory *memory,
			     const struct vcore_access *access);
uint64_t vcore_memory_full_until(const struct vcore_memory *memory);
uint64_t vcore_memory_retry(struct vcore_memory *memory, uint64_t cycle,
			    struct vcore_counts *counts);
void vcore_memory_await(struct vcore_memory *memory, uint64_t line, int by);
uint64_t vcore_memory_awaited_fills(const struct vcore_memory *memory, uint64_t *line);
void vcore_memory_prefetch(struct vcore_memory *memory, uint64_t cycle,
			   const struct vcore_access *access,
			   struct vcore_counts *counts);
struct vcore_reply vcore_memory_fetch(struct vcore_memory *memory,
				      uint64_t cycle, uint64_t va, uint64_t pa,
				      struct vcore_counts *counts);
void vcore_memory_advance(struct vcore_memory *memory, uint64_t cycle,
			  struct vcore_counts *counts);
void vcore_memory_pace(struct vcore_memory *memory, uint64_t cycle);
bool vcore_memory_yields(const struct vcore_memory *memory, unsigned int sibling,
			 uint64_t cycle);
void vcore_memory_halt(struct vcore_memory *memory);
bool vcore_memory_invalidate_code(struct vcore_memory *memory,
				  const struct vcore_access *access);
bool vcore_memory_invalidated(struct vcore_memory *memory, uint64_t *line);
void vcore_memory_traffic(const struct vcore_memory *memory,
			  struct vcore_traffic *seen);

#endif /* VCORE_MEMORY_H */
