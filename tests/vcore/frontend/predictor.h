/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The branch predictor of an out-of-order core. It predicts directions, indirect targets and
 * returns; its branch target buffer (BTB) identifies taken branches before they are decoded.
 */
#ifndef VCORE_PREDICTOR_H
#define VCORE_PREDICTOR_H

#include "base/insn.h"
#include "base/params.h"

struct vcore_predictor;

enum vcore_prediction {
	VCORE_RIGHT,		/* correct, and fetch continues at once */
	VCORE_LATE,		/* correct, but not in the BTB: the decoders resteer fetch */
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
