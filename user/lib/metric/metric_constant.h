/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Constants in formulas of metrics. Their names stand for properties of the machine or of the
 * interval, not for events.
 */
#ifndef BPMU_METRIC_CONSTANT_H
#define BPMU_METRIC_CONSTANT_H

/**
 * enum bpmu_metric_constant - the constants that formulas can use
 * @BPMU_CONSTANT_SMT: 1 if hyper-threading is on, else 0; always known
 * @BPMU_CONSTANT_THREADS: hardware threads per core
 * @BPMU_CONSTANT_CORES: cores per package
 * @BPMU_CONSTANT_SOCKETS: packages of the machine
 * @BPMU_CONSTANT_CHAS: slices of the last level cache (CBos or CHAs) per package
 * @BPMU_CONSTANT_IMCS: memory channels of the package that has most of them
 * @BPMU_CONSTANT_TSC_HZ: TSC frequency in Hz
 * @BPMU_CONSTANT_TSC: TSC ticks in the interval, summed over CPUs
 * @BPMU_CONSTANT_SECONDS: length of the interval in seconds
 * @BPMU_CONSTANT_JOULE: joules per count of POWER.* events, except POWER.DRAM and POWER.PSYS
 * @BPMU_CONSTANT_JOULE_DRAM: joules per count of POWER.DRAM
 * @BPMU_CONSTANT_JOULE_PSYS: joules per count of POWER.PSYS
 * @BPMU_CONSTANT_TJMAX: temperature in degrees C at which the CPU throttles
 * @BPMU_NR_CONSTANTS: number of constants
 */
enum bpmu_metric_constant {
	BPMU_CONSTANT_SMT,
	BPMU_CONSTANT_THREADS,
	BPMU_CONSTANT_CORES,
	BPMU_CONSTANT_SOCKETS,
	BPMU_CONSTANT_CHAS,
	BPMU_CONSTANT_IMCS,
	BPMU_CONSTANT_TSC_HZ,
	BPMU_CONSTANT_TSC,
	BPMU_CONSTANT_SECONDS,
	BPMU_CONSTANT_JOULE,
	BPMU_CONSTANT_JOULE_DRAM,
	BPMU_CONSTANT_JOULE_PSYS,
	BPMU_CONSTANT_TJMAX,
	BPMU_NR_CONSTANTS
};

int bpmu_metric_constant(const char *name);
const char *bpmu_metric_constant_name(enum bpmu_metric_constant constant);

#endif /* BPMU_METRIC_CONSTANT_H */
