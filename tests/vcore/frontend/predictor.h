/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Branch predictor of an out-of-order core: directions, indirect targets,
 * returns, and the branch target buffer (BTB), which identifies taken branches
 * before they are decoded.
 */
#ifndef VCORE_PREDICTOR_H
#define VCORE_PREDICTOR_H

#include "base/insn.h"
#include "base/params.h"

struct vcore_predictor;

enum vcore_prediction {
	VCORE_RIGHT,		/* correct */
	VCORE_LATE,		/* correct, but the BTB missed: the decoders resteer fetch */
	VCORE_WRONG		/* mispredicted */
};

struct vcore_predictor *
vcore_predictor_new(const struct vcore_front_params *params);
void vcore_predictor_free(struct vcore_predictor *predictor);
enum vcore_prediction
vcore_predictor_branch(struct vcore_predictor *predictor,
		       const struct vcore_insn *insn, bool taken,
		       uint64_t next_pc);

#endif /* VCORE_PREDICTOR_H */
