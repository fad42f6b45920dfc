/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the cores of a package share: the L3, which includes all that their own
 * caches hold and knows who has it, and the memory behind it.
 *
 * Each core is run by a thread of the host. What is taken from a core is therefore
 * not removed from its caches at once: a snoop is queued, and answered before its next
 * access. pace.h keeps their clocks together, so that cores that fight for a line
 * take it from each other as often as real ones. The line goes from core to core
 * once at a time: who asks while it is on its way waits for it.
 *
 * A part without L3 has a directory instead, which knows who has a line but
 * does not have it.
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
 * struct vcore_grant - what a core that asked for a line gets
 * @level: where it was
 * @owned: nobody else has it: it may be written
 * @written_back: another line went from the L3 to memory for it
 * @wait: cycles until it is there where it is to be taken from
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
void vcore_shared_halt(struct vcore_shared *shared, unsigned int core);
void vcore_shared_expect(const struct vcore_shared *shared, uint64_t line);
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
