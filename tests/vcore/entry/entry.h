/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions by which an emulator uses a virtual core: it reports the instructions that the
 * guest executes, and the core simulates, cycle by cycle, how a real core would execute them.
 * README.md has a figure of all files.
 */
#ifndef VCORE_ENTRY_H
#define VCORE_ENTRY_H

#include "core/core.h"

struct vcore *vcore_new(const struct vcore_params *params,
			const struct vcore_ideal *ideal, unsigned int cpu);
void vcore_free(struct vcore *core);
void vcore_share(struct vcore *core, unsigned int sibling);
void vcore_begin(struct vcore *core, const struct vcore_insn *insn);
void vcore_access(struct vcore *core, const struct vcore_access *access);
void vcore_assist(struct vcore *core);
void vcore_next(struct vcore *core, uint64_t pc, unsigned int priv);
void vcore_fault(struct vcore *core);
void vcore_advance(struct vcore *core);
uint64_t vcore_behind(const struct vcore *core);
uint64_t vcore_oldest(struct vcore *core, uint64_t cycle);
void vcore_cut(struct vcore *core);
void vcore_settle(struct vcore *core);
void vcore_halt(struct vcore *core, bool halted);

#endif /* VCORE_ENTRY_H */
