/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Options of the plugin, which describe the virtual machine. Until vpmu_argument() has parsed an
 * option, the option has its default.
 */
#ifndef VPMU_OPTIONS_H
#define VPMU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/params.h"
#include "part.h"

#define VPMU_MAX_FAULTS 4

/**
 * struct vpmu_options - options of the plugin
 * @part: CPU model of the first core type
 * @threads: hyper-threads per core, 0 if not given
 * @ecores: number of the first vCPU of the second core type, 0 for none
 * @lpcores: number of the first vCPU of the third core type, 0 for none
 * @version: version of the architectural PMU, 0 for that of @part
 * @boxes: number of CBos of a client, and of a server's CBos or CHAs without @chas; 0 for the number
 *	of cores
 * @chas: number of CBos or CHAs of a server; 0: @boxes has the number
 * @untold: a fault for tests: the register that has the number of CBos or CHAs reads as 0, and the
 *	discovery tables end with wrong records
 * @reversed: the discovery tables of all packages but the first list the units in reverse order
 * @elsewhere: a fault for tests: the discovery tables of all packages but the first have two wrong
 *	records. One gives another MSR for the first CHA; the other gives the address of the first
 *	package's M2M for an M2M of this package
 * @errata: injected errata, bitmap of &enum vpmu_erratum
 * @arb1: counter 1 of the arbiter can count occupancy
 * @no_model: no core is simulated; only the quantities that QEMU counts exactly are counted
 * @counters_model: cores are simulated only while a counter needs it, not for the truth file
 * @user_model: cores are simulated in user space only
 * @ns: guest time in ns per simulated instruction, on machines with several vCPUs; 0 for 64
 * @least: only instructions are counted (option model=least)
 * @ideal: which components of the simulated core are perfect, for example never miss
 * @top: counters have a value at power on from which they overflow after this number of events; 0:
 *	they are 0 at power on
 * @free: initial value of energy counters; 0: there are no free-running registers
 * @complex: number of vCPUs that share an L3 with counters, 0 for no such counters
 * @fabric: number of vCPUs that share a data fabric (AMD) or a package (Intel), 0 for no such
 *	counters
 * @umc: bitmap of the memory controllers of the first package
 * @umc2: bitmap of the memory controllers of other packages, 0 for @umc
 * @imc: servers: bitmap of the boxes of the first package, numbered as in imc.h; clients: other
 *	than 0 if memory controllers have counters
 * @imc2: bitmap of the boxes of other packages, 0 for @imc
 * @mute: bitmap, as @imc and @imc2, of the boxes whose registers read as all ones
 * @faults: MSRs whose RDMSR and WRMSR raise #GP, [@nr_faults]
 * @nr_faults: number of MSRs in @faults
 * @mcfg: PCI configuration space is memory-mapped as well (MCFG)
 * @server_units: the energy unit is 2^-14 J, not 2^-16 J
 * @absent: bitmap of architectural events that CPUID leaf 0xA reports as absent in EBX
 * @crystal: frequency of the core crystal clock in Hz, which CPUID leaf 0x15 reports; 0: QEMU
 *	executes the leaf
 * @tsc: ticks of the guest's TSC in 1000 ticks of QEMU's TSC, 0 for 1000
 * @tsc_runs_on: the TSC keeps its value when the machine loses power
 * @null_records: a null record precedes the first precise record in a buffer
 * @merged_records: a precise record is of all counters that the instruction has counted in
 * @unknown_groups: some precise records have a group that the guest has not asked for
 * @ibs_unaddressed: IBS does not know the address of some sampled ops
 * @ibs_late: when the guest stops IBS, an NMI without a sample comes
 * @denormals: multiplications and divisions of denormal numbers need a microcode assist
 */
struct vpmu_options {
	const struct vpmu_part *part;
	unsigned int threads;
	uint64_t ecores;
	uint64_t lpcores;
	uint64_t version;
	uint64_t boxes;
	uint64_t chas;
	bool untold;
	bool reversed;
	bool elsewhere;
	uint64_t errata;
	bool arb1;
	bool no_model;
	bool counters_model;
	bool user_model;
	uint64_t ns;
	bool least;
	struct vcore_ideal ideal;
	uint64_t top;
	uint64_t free;
	uint64_t complex;
	uint64_t fabric;
	uint64_t umc;
	uint64_t umc2;
	uint64_t imc;
	uint64_t imc2;
	uint64_t mute;
	uint32_t faults[VPMU_MAX_FAULTS];
	unsigned int nr_faults;
	bool mcfg;
	bool server_units;
	uint64_t absent;
	uint64_t crystal;
	uint64_t tsc;
	bool tsc_runs_on;
	bool null_records;
	bool merged_records;
	bool unknown_groups;
	bool ibs_unaddressed;
	bool ibs_late;
	bool denormals;
};

extern struct vpmu_options vpmu_options;

unsigned int vpmu_version(const struct vpmu_part *part);
unsigned int vpmu_nr_gp(const struct vpmu_part *part);
uint64_t vpmu_start_value(unsigned int width);

#endif /* VPMU_OPTIONS_H */
