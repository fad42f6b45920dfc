/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions of QEMU's plugin interface that the virtual PMU uses, in version 7 of the interface
 * (QEMU 11.1). Debian does not package the header. Callbacks get the pointer that was registered.
 */
#ifndef VPMU_QEMU_API_H
#define VPMU_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_API 7

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;
struct qemu_plugin_register;
struct qemu_plugin_hwaddr;

/**
 * struct qemu_plugin_u64 - a 64-bit variable that each vCPU has in its slot of a scoreboard
 * @score: the scoreboard
 * @offset: bytes from the start of a slot
 */
struct qemu_plugin_u64 {
	struct qemu_plugin_scoreboard *score;
	size_t offset;
};

enum qemu_plugin_cb_flags {
	QEMU_PLUGIN_CB_NO_REGS,
	QEMU_PLUGIN_CB_R_REGS,
	QEMU_PLUGIN_CB_RW_REGS,
	QEMU_PLUGIN_CB_RW_REGS_PC
};

enum qemu_plugin_mem_rw {
	QEMU_PLUGIN_MEM_R = 1,
	QEMU_PLUGIN_MEM_W,
	QEMU_PLUGIN_MEM_RW
};

enum qemu_plugin_op {
	QEMU_PLUGIN_INLINE_ADD_U64,
	QEMU_PLUGIN_INLINE_STORE_U64
};

enum qemu_plugin_cond {
	QEMU_PLUGIN_COND_NEVER,
	QEMU_PLUGIN_COND_ALWAYS,
	QEMU_PLUGIN_COND_EQ,
	QEMU_PLUGIN_COND_NE
};

enum qemu_plugin_discon_type {
	QEMU_PLUGIN_DISCON_INTERRUPT = 1,
	QEMU_PLUGIN_DISCON_EXCEPTION = 2
};

/*
 * GLib's GByteArray and GArray, only their public members. QEMU passes register values and memory
 * contents in a GByteArray, and the list of registers in a GArray.
 */
struct glib_bytes {
	uint8_t *data;
	unsigned int len;
};

struct glib_array {
	char *data;
	unsigned int len;
};

struct glib_bytes *g_byte_array_new(void);
struct glib_bytes *g_byte_array_set_size(struct glib_bytes *array,
					 unsigned int length);

struct qemu_plugin_reg_descriptor {
	struct qemu_plugin_register *handle;
	const char *name;
	const char *feature;
	bool is_readonly;
};

void qemu_plugin_reset(uint64_t id, void (*cb)(void *data), void *data);
void qemu_plugin_register_vcpu_init_cb(uint64_t id,
				       void (*cb)(unsigned int vcpu,
						  void *data),
				       void *data);
void qemu_plugin_register_vcpu_idle_cb(uint64_t id,
				       void (*cb)(unsigned int vcpu,
						  void *data),
				       void *data);
void qemu_plugin_register_vcpu_resume_cb(uint64_t id,
					 void (*cb)(unsigned int vcpu,
						    void *data),
					 void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
					   void (*cb)(struct qemu_plugin_tb *tb,
						      void *data),
					   void *data);
void qemu_plugin_register_vcpu_discon_cb(uint64_t id,
	enum qemu_plugin_discon_type type,
	void (*cb)(unsigned int vcpu, enum qemu_plugin_discon_type type,
		   uint64_t from_pc, uint64_t to_pc, void *data),
	void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*cb)(void *data),
				    void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t i);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to,
			     size_t len);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
	void (*cb)(unsigned int vcpu, void *data),
	enum qemu_plugin_cb_flags flags, void *data);
void qemu_plugin_register_vcpu_insn_exec_cond_cb(struct qemu_plugin_insn *insn,
	void (*cb)(unsigned int vcpu, void *data),
	enum qemu_plugin_cb_flags flags, enum qemu_plugin_cond cond,
	struct qemu_plugin_u64 entry, uint64_t imm, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
	struct qemu_plugin_insn *insn, enum qemu_plugin_op op,
	struct qemu_plugin_u64 entry, uint64_t imm);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
	void (*cb)(unsigned int vcpu, uint32_t info, uint64_t vaddr,
		   void *data),
	enum qemu_plugin_cb_flags flags, enum qemu_plugin_mem_rw rw,
	void *data);
void qemu_plugin_register_vcpu_mem_inline_per_vcpu(
	struct qemu_plugin_insn *insn, enum qemu_plugin_mem_rw rw,
	enum qemu_plugin_op op, struct qemu_plugin_u64 entry, uint64_t imm);
bool qemu_plugin_mem_is_store(uint32_t info);
unsigned int qemu_plugin_mem_size_shift(uint32_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info,
						  uint64_t vaddr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *addr);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *addr);
/*
 * Writes @bytes to guest memory at physical address @hwaddr; returns 0, or another value on error.
 */
int qemu_plugin_write_memory_hwaddr(uint64_t hwaddr, struct glib_bytes *bytes);
bool qemu_plugin_translate_vaddr(uint64_t vaddr, uint64_t *hwaddr);

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score,
				  unsigned int vcpu);
int qemu_plugin_num_vcpus(void);

struct glib_array *qemu_plugin_get_registers(void);
bool qemu_plugin_read_register(struct qemu_plugin_register *handle,
			       struct glib_bytes *buf);
bool qemu_plugin_write_register(struct qemu_plugin_register *handle,
				struct glib_bytes *buf);
void qemu_plugin_set_pc(uint64_t vaddr) __attribute__((noreturn));

/*
 * These functions start and stop the machine's clock and the TSC. They are not part of the plugin
 * interface; QEMU exports them for its modules.
 */
void cpu_enable_ticks(void);
void cpu_disable_ticks(void);

/*
 * Returns QEMU's TSC, which is the same on all vCPUs; @cpu may be any vCPU. Must not be called in
 * the callback of an instruction.
 */
uint64_t cpu_get_tsc(void *cpu);

/*
 * The next functions are not part of the plugin interface either.
 * - qemu_get_cpu() returns QEMU's object of the vCPU with this number.
 * - async_run_on_cpu() lets a vCPU call @function before its next instruction, with QEMU's lock
 *	 (BQL) held.
 * - cpu_interrupt() interrupts a vCPU. Only a @function of async_run_on_cpu() may call it.
 * - cpu_restore_state() is called in the callback of an instruction. It sets the registers to their
 *	 values before the instruction; @return_address is the callback's, in translated code.
 * - cpu_memory_rw_debug() reads or writes memory at a virtual address of the guest; returns 0, or
 *	 another value on error.
 * - cpu_loop_exit() leaves the callback of an instruction, and the translated code that called it.
 */
void *qemu_get_cpu(int index);
void async_run_on_cpu(void *cpu, void (*function)(void *cpu, void *data), void *data);
void cpu_interrupt(void *cpu, int interrupt);
bool cpu_restore_state(void *cpu, uintptr_t return_address);
int cpu_memory_rw_debug(void *cpu, uint64_t address, void *bytes, size_t size, bool write);
void cpu_loop_exit(void *cpu) __attribute__((noreturn));

/* argument of cpu_interrupt() for an NMI: CPU_INTERRUPT_TGT_EXT_3 */
#define QEMU_CPU_INTERRUPT_NMI 0x200

/**
 * struct qemu_region_ops - functions of a region of physical addresses
 * @read: executes a load
 * @write: executes a store
 * @with_attributes: functions that also get attributes of the access; not used
 * @endianness: QEMU_LITTLE_ENDIAN
 * @valid: sizes of accesses that the guest may make; other sizes fault
 * @impl: sizes of accesses that @read and @write can execute
 */
struct qemu_region_ops {
	uint64_t (*read)(void *data, uint64_t offset, unsigned int bytes);
	void (*write)(void *data, uint64_t offset, uint64_t value,
		      unsigned int bytes);
	void (*with_attributes[2])(void);
	int endianness;
	struct {
		unsigned int min_access_size;
		unsigned int max_access_size;
		bool unaligned;
		void (*accepts)(void);
	} valid;
	struct {
		unsigned int min_access_size;
		unsigned int max_access_size;
		bool unaligned;
	} impl;
};

#define QEMU_LITTLE_ENDIAN 2

/*
 * These functions map a region of physical addresses. They are not part of the plugin interface;
 * QEMU exports them for its modules. Context: QEMU's lock (BQL) is held, as in the init callback
 * of a vCPU.
 */
void *get_system_memory(void);
void memory_region_init_io(void *region, void *owner,
			   const struct qemu_region_ops *ops, void *data,
			   const char *name, uint64_t size);
void memory_region_add_subregion_overlap(void *region, uint64_t offset,
					 void *subregion, int priority);

/* Entry point that a plugin must define; QEMU calls it when it loads the plugin. */
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

#endif /* VPMU_QEMU_API_H */
