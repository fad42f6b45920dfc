// SPDX-License-Identifier: GPL-2.0
#include "banks.h"

#include "core.h"
#include "free_running.h"
#include "uncore.h"

const struct bpmu_bank_ops *const bpmu_bank_ops[BPMU_BANKS] = {
	[BPMU_BANK_CORE] = &bpmu_core_ops,
	[BPMU_BANK_UNCORE] = &bpmu_uncore_ops,
	[BPMU_BANK_FREE_THREAD] = &bpmu_free_thread_ops,
	[BPMU_BANK_FREE_CORE] = &bpmu_free_core_ops,
	[BPMU_BANK_FREE_PACKAGE] = &bpmu_free_package_ops,
};
