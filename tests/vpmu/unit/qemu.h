/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A QEMU as small as the virtual PMU lets it be: it translates blocks of instructions, lets the
 * plugin add callbacks to them, and calls these. It executes no instruction: tests set registers,
 * and say what an instruction accesses. A callback that does more than its flags allow fails the
 * test, as does a block that QEMU would have discarded.
 */
#ifndef QEMU_H
#define QEMU_H

#include "machine.h"

/* most instructions of a block, and the most callbacks of an instruction */
#define QEMU_INSNS 8
#define QEMU_CALLBACKS 16
#define QEMU_REGIONS 32
/* guest memory: a page at this virtual and this physical address */
#define QEMU_VA 0xffff800000007000
#define QEMU_PA 0x7000
#define QEMU_PAGE 0x1000

enum qemu_memory { QEMU_RAM, QEMU_DEVICE, QEMU_UNMAPPED };

/**
 * struct qemu_plugin_hwaddr - what the virtual PMU learns of an access
 * @va: virtual address of the access
 * @pa: physical address
 * @memory: what is there
 * @store: it is a store
 * @shift: binary logarithm of the number of bytes
 */
struct qemu_plugin_hwaddr {
	uint64_t va;
	uint64_t pa;
	enum qemu_memory memory;
	bool store;
	unsigned int shift;
};

/**
 * struct qemu_plugin_insn - a translated instruction
 * @pc: its address
 * @bytes: its encoding
 * @size: its length
 * @callback: what the plugin has added, in this order
 * @nr: number of these
 * @access: accesses that the instruction makes when it is executed
 * @nr_accesses: number of these
 */
struct qemu_plugin_insn {
	uint64_t pc;
	uint8_t bytes[16];
	size_t size;
	struct qemu_callback *callback;
	unsigned int nr;
	struct qemu_plugin_hwaddr access[2];
	unsigned int nr_accesses;
};

/**
 * struct qemu_plugin_tb - a translated block
 * @pc: its address
 * @nr: number of its instructions
 * @insn: the instructions
 * @before: the block that was translated before this one
 * @flushes: number of times that QEMU had discarded all blocks when it translated this one
 */
struct qemu_plugin_tb {
	uint64_t pc;
	size_t nr;
	struct qemu_plugin_insn insn[QEMU_INSNS];
	struct qemu_plugin_tb *before;
	unsigned int flushes;
};

/**
 * struct qemu_region - a region of physical addresses that the plugin has mapped
 * @base: its address
 * @size: its size
 * @priority: its priority
 * @name: its name
 * @ops: its functions
 * @data: first argument of these
 * @object: the plugin's memory for QEMU's object
 */
struct qemu_region {
	uint64_t base;
	uint64_t size;
	int priority;
	const char *name;
	const struct qemu_region_ops *ops;
	void *data;
	void *object;
};

/**
 * struct qemu - what the plugin has had this QEMU do
 * @flushes: number of times that it has discarded all blocks
 * @flush_due: it will discard them at qemu_flush()
 * @stops: number of times that it has stopped the guest's clock
 * @goes: number of times that it has started the clock again
 * @nmis: number of NMIs of each vCPU
 * @tsc: value of its TSC
 * @ns: time of the host
 * @slept: time in microseconds that the host's thread has slept
 * @restored: the last callback has restored the registers
 * @page: the guest's memory
 * @region: regions that are mapped
 * @nr_regions: number of these
 */
struct qemu {
	unsigned int flushes;
	bool flush_due;
	unsigned int stops;
	unsigned int goes;
	unsigned int nmis[MACHINE_CPUS];
	uint64_t tsc;
	uint64_t ns;
	unsigned int slept;
	bool restored;
	uint8_t page[QEMU_PAGE];
	struct qemu_region region[QEMU_REGIONS];
	unsigned int nr_regions;
};

extern struct qemu qemu;

/*
 * Loads the plugin with options; returns what its entry point returns. qemu_boot() then gives the
 * machine @cpus new vCPUs of a CPU model, with @threads per core.
 */
int qemu_load(int options, char **option);
void qemu_boot(const struct vpmu_part *part, unsigned int cpus, unsigned int threads);
/* Adds the vCPUs to a machine without any, whose options the test has set. */
void qemu_plug(unsigned int cpus);
/* Discards all blocks if the plugin wants it; until then the level is coming. */
void qemu_flush(void);
void qemu_exit(void);

/* Translates instructions in hexadecimal notation, a word each, at address @pc. */
struct qemu_plugin_tb *qemu_translate(uint64_t pc, const char *code);
/*
 * Executes a block at another address, or where it was translated. Returns the number of
 * instructions that QEMU has executed: fewer than the block has if a callback has left it. RIP is
 * then where the vCPU goes on.
 */
unsigned int qemu_run_at(unsigned int vcpu, const struct qemu_plugin_tb *tb, uint64_t pc);
unsigned int qemu_run(unsigned int vcpu, const struct qemu_plugin_tb *tb);
/* Translates and executes instructions once. */
unsigned int qemu_once(unsigned int vcpu, uint64_t pc, const char *code);
/* Executes WRMSR in the kernel, and lets QEMU discard its blocks if the plugin wants it. */
void qemu_wrmsr(unsigned int vcpu, uint32_t msr, uint64_t value);
/* Lets the vCPUs do what async_run_on_cpu() has queued; returns how much that was. */
unsigned int qemu_work(void);

/* An interrupt or exception (@type) comes before the instruction at @from, or in its block. */
void qemu_discon(unsigned int vcpu, enum qemu_plugin_discon_type type, uint64_t from);
void qemu_idle(unsigned int vcpu);
void qemu_resume(unsigned int vcpu);

#endif /* QEMU_H */
