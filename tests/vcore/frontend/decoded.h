/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The uop cache (Intel: DSB, AMD: op cache). It holds decoded instructions by windows of code. Each
 * window occupies one or more ways of a set.
 *
 * Source: Intel 64 and IA-32 Architectures Optimization Reference Manual, Intel microarchitecture
 * code name Sandy Bridge, "Decoded ICache".
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
void vcore_decoded_add(struct vcore_decoded *decoded,
		       const struct vcore_insn *insn, unsigned int slots,
		       bool microcode);
void vcore_decoded_close(struct vcore_decoded *decoded);
void vcore_decoded_drop(struct vcore_decoded *decoded, uint64_t pa);

#endif /* VCORE_DECODED_H */
