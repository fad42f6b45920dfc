/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cache of decoded uops (Intel: DSB): windows of code, each in up to a few
 * ways of a set.
 *
 * Source: Intel 64 and IA-32 Architectures Optimization Reference Manual,
 * Intel microarchitecture code name Sandy Bridge, "Decoded ICache".
 */
#ifndef VCORE_DECODED_H
#define VCORE_DECODED_H

#include "base/insn.h"
#include "base/params.h"

struct vcore_decoded;

struct vcore_decoded *
vcore_decoded_new(const struct vcore_front_params *params);
void vcore_decoded_free(struct vcore_decoded *decoded);
bool vcore_decoded_has(struct vcore_decoded *decoded, uint64_t pa);
/* the decoders made an instruction; the path leaves what they decoded */
void vcore_decoded_add(struct vcore_decoded *decoded,
		       const struct vcore_insn *insn, unsigned int slots,
		       bool microcode);
void vcore_decoded_close(struct vcore_decoded *decoded);
/* a line of code had left the L1I */
void vcore_decoded_drop(struct vcore_decoded *decoded, uint64_t pa);

#endif /* VCORE_DECODED_H */
