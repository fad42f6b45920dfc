/* SPDX-License-Identifier: GPL-2.0 */
#ifndef BPMU_SMT_H
#define BPMU_SMT_H

int bpmu_smt_active(void);

#endif /* BPMU_SMT_H */
