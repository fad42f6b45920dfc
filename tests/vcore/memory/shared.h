/* SPDX-License-Identifier: GPL-2.0 */
/*
 * State that the cores of a package share: the L3, which is inclusive and has presence bits of the
 * cores, and the memory behind it.
 *
 * Each core is simulated by a thread of the host, and only this thread changes the core's caches. A
 * snoop to another core is therefore put into a queue, and the other core answers it before its own
 * next access. pace.h synchronises the cores' clocks, so that cores that contend for a line
 * transfer it as often as on hardware. A line has only one transfer in progress at a time: a core
 * that requests the line meanwhile waits for the end of the transfer.
 *
 * A CPU without an L3 has a directory instead, which has presence bits but no data.
 */
#ifndef VCORE_SHARED_H
#define VCORE_SHARED_H

#include "base/params.h"
#include "package.h"
#include "reply.h"

struct vcore_controller;
struct vcore_shared;
struct vcore_snoop_queue;

/**
 * struct vcore_grant - reply of the shared L3 to a core's request for a line
 * @level: &enum vcore_level that delivers the line
 * @wait: number of cycles for which the request waits until an earlier transfer of the line ends
 * @owned: no other core has the line, and the requesting core may write it
 * @written_back: the request made the L3 evict a modified line, which must be written to memory
 */
struct vcore_grant {
	enum vcore_level level;
	unsigned int wait;
	bool owned;
	bool written_back;
};

struct vcore_shared *vcore_shared_join(const struct vcore_params *params,
				       unsigned int core);
void vcore_shared_leave(struct vcore_shared *shared, unsigned int core);
bool vcore_shared_pace(struct vcore_shared *shared, unsigned int core,
		       uint64_t cycle);
uint64_t vcore_shared_offset(struct vcore_shared *shared, unsigned int core,
			     uint64_t cycle);
uint64_t vcore_shared_passed(struct vcore_shared *shared, unsigned int core,
			     uint64_t cycle);
struct vcore_controller *vcore_shared_controller(struct vcore_shared *shared);
bool vcore_shared_yields(const struct vcore_shared *shared, unsigned int core,
			 unsigned int sibling, uint64_t cycle);
void vcore_shared_halt(struct vcore_shared *shared, unsigned int core);
void vcore_shared_prefetch_host(const struct vcore_shared *shared, uint64_t line);
struct vcore_grant vcore_shared_read(struct vcore_shared *shared,
				     unsigned int core, uint64_t cycle,
				     uint64_t line);
struct vcore_grant vcore_shared_own(struct vcore_shared *shared,
				    unsigned int core, uint64_t cycle,
				    uint64_t line);
struct vcore_grant vcore_shared_prefetch(struct vcore_shared *shared,
					 uint64_t line);
void vcore_shared_modified(struct vcore_shared *shared, unsigned int core,
			   uint64_t line);
void vcore_shared_drop(struct vcore_shared *shared, unsigned int core,
		       uint64_t line, bool dirty);
bool vcore_shared_purge(struct vcore_shared *shared, unsigned int core,
			uint64_t line);
struct vcore_snoop_queue *vcore_shared_snoops(struct vcore_shared *shared,
					      unsigned int core);
unsigned int vcore_shared_interval(struct vcore_shared *shared,
				   unsigned int core, uint64_t cycle,
				   uint64_t lines);

#endif /* VCORE_SHARED_H */
