/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sampled op (AMD's IBS) as perf.data has it, which perf script, perf mem and perf c2c read, and
 * the events by which ops and fetches are sampled.
 */
#ifndef BPMU_PERF_OP_H
#define BPMU_PERF_OP_H

#include <linux/barepmu.h>

#include "arch.h"

u32 bpmu_perf_op_pmu(void);
u32 bpmu_perf_fetch_pmu(void);
u64 bpmu_perf_op_config(u64 select);
u64 bpmu_perf_op_filters(u64 select);
u64 bpmu_perf_fetch_latency(u64 select);
u64 bpmu_perf_op_source(const struct bpmu_tagged_op *op);
u64 bpmu_perf_op_weight(const struct bpmu_tagged_op *op);

#endif /* BPMU_PERF_OP_H */
