/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VPMU_FEED_H
#define VPMU_FEED_H

#include "base/insn.h"
#include "machine/qemu_api.h"

uint64_t vpmu_feed_pa(uint64_t va);
void vpmu_feed(struct qemu_plugin_insn *qinsn, struct vcore_insn *insn,
	       const uint8_t *bytes, struct qemu_plugin_u64 on);

#endif /* VPMU_FEED_H */
