/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the machine is to be: options of the plugin, by their defaults until it has read
 * them.
 */
#ifndef VPMU_OPTIONS_H
#define VPMU_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/params.h"
#include "part.h"

/**
 * struct vpmu_options - options of the plugin
 * @part: part of the first kind of cores
 * @threads: threads per core, 0 if not given
 * @ecores: number of the first vCPU of the other kind, 0 for none
 * @lpcores: the same of a third kind
 * @version: of the architectural PMU, 0 for the part's own
 * @boxes: CBos or CHAs, 0 for as many as cores
 * @chas: the same of a server, which may be more; 0 if @boxes says it
 * @untold: the register of their number says 0
 * @reversed: discovery tables of packages after the first list the units in reverse order
 * @elsewhere: those tables have the first CHA at another MSR
 * @errata: errata to inject, set of &enum vpmu_erratum
 * @arb1: the arbiter's counter 1 counts occupancy too
 * @no_model: no timing
 * @counters_model: timing for counters only, not for the truth
 * @user_model: no timing of the kernel
 * @ns: guest time that may pass for a simulated instruction of several CPUs, 0 for 64
 * @least: instructions are the only exact quantity that is counted
 * @ideal: perfect components of the core
 * @top: distance below their wrap at which counters start; 0: they start at 0
 * @free: initial value of registers of energy; 0: there are no free-running registers
 * @complex: vCPUs that share an L3 with counters, or 0 for no such counters
 * @fabric: the same of a data fabric; on Intel's of a package
 * @umc: memory controllers of the first package that have counters, a bit each
 * @umc2: the same of other packages, or 0 for the same ones
 * @imc: memory channels of the first package that have counters, a bit each; above them
 *	home agents and links; none if 0. Of clients: not 0 if there are any
 * @imc2: those of other packages, or 0 for the same ones
 * @mute: of both, those whose registers read as all ones
 * @mcfg: PCI configuration space is in memory, too
 * @server_units: a count of energy is 2^-14 J, not 2^-16
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
	bool mcfg;
	bool server_units;
};

extern struct vpmu_options vpmu_options;

unsigned int vpmu_nr_gp(const struct vpmu_part *part);
uint64_t vpmu_start_value(unsigned int width);

#endif /* VPMU_OPTIONS_H */
