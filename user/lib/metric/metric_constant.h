/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names that are no events: what the tool knows of the machine and the run.
 */
#ifndef BPMU_METRIC_CONSTANT_H
#define BPMU_METRIC_CONSTANT_H

/**
 * enum bpmu_metric_constant - the names
 * @BPMU_CONSTANT_SMT: 1 if threads share the core, else 0; never unknown
 * @BPMU_CONSTANT_THREADS: hardware threads of a core
 * @BPMU_CONSTANT_CORES: cores of a package
 * @BPMU_CONSTANT_SOCKETS: packages of the machine
 * @BPMU_CONSTANT_CHAS: slices of a package's last level cache with counters
 * @BPMU_CONSTANT_TSC_HZ: rate of the time stamp counter
 * @BPMU_CONSTANT_TSC: its ticks in the interval, added up over the CPUs
 * @BPMU_CONSTANT_SECONDS: length of the interval
 * @BPMU_CONSTANT_JOULE: energy in joules of a count of POWER.*
 * @BPMU_CONSTANT_JOULE_DRAM: joule per count of POWER.DRAM
 * @BPMU_CONSTANT_JOULE_PSYS: joule per count of POWER.PSYS
 * @BPMU_CONSTANT_TJMAX: temperature in degrees C at which the CPU throttles
 * @BPMU_NR_CONSTANTS: number of constants
 */
enum bpmu_metric_constant {
	BPMU_CONSTANT_SMT,
	BPMU_CONSTANT_THREADS,
	BPMU_CONSTANT_CORES,
	BPMU_CONSTANT_SOCKETS,
	BPMU_CONSTANT_CHAS,
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
