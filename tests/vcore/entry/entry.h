/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A virtual core: it is told what the guest executes on the correct path and
 * works out, cycle by cycle, how long a real core would have taken.
 * README.md has a figure of all its files.
 */
#ifndef VCORE_ENTRY_H
#define VCORE_ENTRY_H

#include "core/core.h"

struct vcore *vcore_new(const struct vcore_params *params,
			const struct vcore_ideal *ideal, unsigned int cpu);
void vcore_free(struct vcore *core);
/* an instruction begins; an access of it */
void vcore_begin(struct vcore *core, const struct vcore_insn *insn);
void vcore_access(struct vcore *core, const struct vcore_access *access);
/* run until all that was begun has retired */
void vcore_settle(struct vcore *core);
/* the thread halts or goes on: its core's others need not wait for it */
void vcore_halt(struct vcore *core, bool halted);

#endif /* VCORE_ENTRY_H */
