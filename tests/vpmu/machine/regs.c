// SPDX-License-Identifier: GPL-2.0
#include "regs.h"

#include <string.h>

#include "qemu_api.h"

/* QEMU's handles of x86 registers, [&enum vpmu_reg]; a handle is the same for all vCPUs */
static struct qemu_plugin_register *handles[VPMU_REGS];
static __thread struct glib_bytes *buffer;

/**
 * vpmu_regs_init() - find the registers of vCPUs in QEMU
 *
 * Context: init callback of a vCPU; QEMU does not list registers elsewhere.
 */
void vpmu_regs_init(void)
{
	static const char *const names[VPMU_REGS] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
		"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
		"xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
		"mxcsr", "eflags"
	};
	const struct qemu_plugin_reg_descriptor *list;
	struct glib_array *found = qemu_plugin_get_registers();
	unsigned int i, k;

	list = (const struct qemu_plugin_reg_descriptor *)found->data;
	for (i = 0; i < found->len; i++)
		for (k = 0; k < VPMU_REGS; k++)
			if (!strcmp(list[i].name, names[k]))
				handles[k] = list[i].handle;
}

static struct glib_bytes *resized(unsigned int size)
{
	if (!buffer)
		buffer = g_byte_array_new();
	return g_byte_array_set_size(buffer, size);
}

/**
 * vpmu_reg_copy() - copy a register (RAX, XMM0, ...) of the calling vCPU from QEMU
 * @reg: the register
 * @to: output: the low @size bytes of the register; filled up with zeros if the register has fewer
 * @size: size of @to in bytes
 */
void vpmu_reg_copy(enum vpmu_reg reg, void *to, size_t size)
{
	struct glib_bytes *bytes = resized(0);

	qemu_plugin_read_register(handles[reg], bytes);
	memset(to, 0, size);
	memcpy(to, bytes->data, bytes->len < size ? bytes->len : size);
}

/**
 * vpmu_reg_read() - low 64 bits of a register (RAX, RIP, ...) of the calling vCPU, read from QEMU
 * @reg: the register
 */
uint64_t vpmu_reg_read(enum vpmu_reg reg)
{
	uint64_t value;

	vpmu_reg_copy(reg, &value, sizeof(value));
	return value;
}

/**
 * vpmu_reg_write() - write a register (RAX, RIP, ...) of the calling vCPU in QEMU
 * @reg: the register
 * @value: new value, 64 bits
 */
void vpmu_reg_write(enum vpmu_reg reg, uint64_t value)
{
	struct glib_bytes *bytes = resized(sizeof(value));

	memcpy(bytes->data, &value, sizeof(value));
	qemu_plugin_write_register(handles[reg], bytes);
}

/**
 * vpmu_reg_write_pair() - write the registers EDX:EAX of the calling vCPU in QEMU
 * @value: new value; EDX gets bits 63:32
 */
void vpmu_reg_write_pair(uint64_t value)
{
	vpmu_reg_write(VPMU_RAX, value & 0xffffffff);
	vpmu_reg_write(VPMU_RDX, value >> 32);
}
