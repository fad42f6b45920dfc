/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is used of QEMU's plugin interface, version 7 (QEMU 11.1). Debian does
 * not package the header. Callbacks get the pointer that was registered.
 */
#ifndef VPMU_QEMU_API_H
#define VPMU_QEMU_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QEMU_PLUGIN_API 7

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_scoreboard;
struct qemu_plugin_register;
typedef uint32_t qemu_plugin_meminfo_t;

/**
 * struct qemu_plugin_u64 - a u64 in each vCPU's slot of a scoreboard
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

/* GLib's, as far as the register calls need them */
typedef struct {
	uint8_t *data;
	unsigned int len;
} GByteArray;

typedef struct {
	char *data;
	unsigned int len;
} GArray;

GByteArray *g_byte_array_new(void);
GByteArray *g_byte_array_set_size(GByteArray *array, unsigned int length);

typedef struct {
	struct qemu_plugin_register *handle;
	const char *name;
	const char *feature;
	bool is_readonly;
} qemu_plugin_reg_descriptor;

typedef void (*qemu_plugin_vcpu_cb)(unsigned int vcpu, void *data);
typedef void (*qemu_plugin_tb_cb)(struct qemu_plugin_tb *tb, void *data);
typedef void (*qemu_plugin_exit_cb)(void *data);
typedef void (*qemu_plugin_discon_cb)(unsigned int vcpu,
				      enum qemu_plugin_discon_type type,
				      uint64_t from_pc, uint64_t to_pc,
				      void *data);
typedef void (*qemu_plugin_mem_cb)(unsigned int vcpu,
				   qemu_plugin_meminfo_t info, uint64_t vaddr,
				   void *data);

void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t id,
				       qemu_plugin_vcpu_cb cb, void *data);
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
					   qemu_plugin_tb_cb cb, void *data);
void qemu_plugin_register_vcpu_discon_cb(qemu_plugin_id_t id,
					 enum qemu_plugin_discon_type type,
					 qemu_plugin_discon_cb cb, void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id,
				    qemu_plugin_exit_cb cb, void *data);

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb,
						 size_t i);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to,
			     size_t len);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_plugin_vcpu_cb cb,
					    enum qemu_plugin_cb_flags flags,
					    void *data);
void qemu_plugin_register_vcpu_insn_exec_cond_cb(struct qemu_plugin_insn *insn,
						 qemu_plugin_vcpu_cb cb,
						 enum qemu_plugin_cb_flags flags,
						 enum qemu_plugin_cond cond,
						 struct qemu_plugin_u64 entry,
						 uint64_t imm, void *data);
void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(
	struct qemu_plugin_insn *insn, enum qemu_plugin_op op,
	struct qemu_plugin_u64 entry, uint64_t imm);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
				      qemu_plugin_mem_cb cb,
				      enum qemu_plugin_cb_flags flags,
				      enum qemu_plugin_mem_rw rw, void *data);
void qemu_plugin_register_vcpu_mem_inline_per_vcpu(
	struct qemu_plugin_insn *insn, enum qemu_plugin_mem_rw rw,
	enum qemu_plugin_op op, struct qemu_plugin_u64 entry, uint64_t imm);
bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info);

struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *score,
				  unsigned int vcpu);
int qemu_plugin_num_vcpus(void);

GArray *qemu_plugin_get_registers(void);
bool qemu_plugin_read_register(struct qemu_plugin_register *handle,
			       GByteArray *buf);
bool qemu_plugin_write_register(struct qemu_plugin_register *handle,
				GByteArray *buf);
void qemu_plugin_set_pc(uint64_t vaddr) __attribute__((noreturn));
bool qemu_plugin_read_memory_vaddr(uint64_t addr, GByteArray *buf, size_t len);
void qemu_plugin_outs(const char *text);

#endif /* VPMU_QEMU_API_H */
