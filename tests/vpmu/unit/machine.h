/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A machine with the virtual PMU, but without QEMU. Its vCPUs execute nothing: tests set the counts
 * of the simulated cores, as if instructions had been executed.
 */
#ifndef MACHINE_H
#define MACHINE_H

#include "box/boxes.h"
#include "counter/msr.h"
#include "machine/level.h"
#include "machine/options.h"
#include "machine/qemu_api.h"
#include "machine/topology.h"
#include "part/parts.h"
#include "test.h"

#define MACHINE_CPUS 4

#define USR VPMU_BIT(16)
#define OS VPMU_BIT(17)
#define EN VPMU_BIT(22)
#define KERNEL 0
#define USER 1

/* number of times that the virtual PMU has let QEMU discard its translations; tests set it to 0 */
extern unsigned int machine_retranslated;
/* number of interrupts that the virtual PMU has raised since machine_new() */
extern unsigned int machine_interrupts;

/* values of the calling vCPU's registers, [VPMU_REGS]; of vectors only the low 64 bits */
extern uint64_t machine_regs[];
/* what the virtual PMU may do with them; the test fails if it does more */
extern enum qemu_plugin_cb_flags machine_may;

/*
 * Replaces the machine of the test by a new one: @cpus vCPUs of a CPU model, default options, all
 * registers of the core as at power on. @threads: hyper-threads per core, 0 for the default.
 */
void machine_new(const struct vpmu_part *part, unsigned int cpus,
		 unsigned int threads);
int machine_free(void **state);
/* Sets the number of vCPUs, which machine_free() frees, of a machine that the test creates itself. */
void machine_plug(unsigned int cpus);

/*
 * Fixtures of programs that write a file: create the empty file @machine_file; remove it, and free
 * the machine.
 */
extern char machine_file[];
int machine_file_create(void **state);
int machine_file_remove(void **state);

/*
 * rd() executes RDMSR, and wr() executes WRMSR, of a register of the core. The test fails if the
 * MSR does not exist, or if the virtual PMU counts the write as illegal.
 */
uint64_t rd(struct vpmu_cpu *cpu, uint32_t msr);
void wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
/*
 * Executes WRMSR of an illegal value. The test fails if the write changes the register, or if the
 * virtual PMU does not count it as illegal.
 */
void wr_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

/* do the same as rd(), wr() and wr_refused(), for registers of PMU boxes of the uncore */
uint64_t box_rd(struct vpmu_cpu *cpu, uint32_t msr);
void box_wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
void box_wr_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);

#endif /* MACHINE_H */
