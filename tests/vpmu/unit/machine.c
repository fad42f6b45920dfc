// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counter/pmi.h"
#include "machine/qemu_api.h"
#include "machine/regs.h"

unsigned int machine_retranslated;
unsigned int machine_interrupts;
char machine_file[] = "/tmp/vpmu-unit.XXXXXX";
uint64_t machine_regs[VPMU_REGS];
enum qemu_plugin_cb_flags machine_may = QEMU_PLUGIN_CB_RW_REGS_PC;

static struct vpmu_score scores[MACHINE_CPUS];
static unsigned int nr_cpus;

/*
 * Returns the number of vCPUs. The tests have no QEMU: this and the following functions replace
 * functions of QEMU with the same names.
 */
int qemu_plugin_num_vcpus(void)
{
	return nr_cpus;
}

struct glib_bytes *g_byte_array_new(void)
{
	static uint8_t data[sizeof(*machine_regs)];
	static struct glib_bytes bytes = { .data = data };

	return &bytes;
}

struct glib_bytes *g_byte_array_set_size(struct glib_bytes *array, unsigned int length)
{
	array->len = length;
	return array;
}

struct glib_array *qemu_plugin_get_registers(void)
{
	static const char *const names[VPMU_REGS] = {
		"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip",
		"xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
		"xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
		"mxcsr", "eflags"
	};
	/* QEMU lists a segment register first, which has no number here. */
	static struct qemu_plugin_reg_descriptor list[VPMU_REGS + 1] = { { .name = "cs" } };
	static struct glib_array found = { .data = (char *)list, .len = VPMU_REGS + 1 };
	unsigned int i;

	for (i = 0; i < VPMU_REGS; i++) {
		list[i + 1].name = names[i];
		list[i + 1].handle = (void *)&machine_regs[i];
	}
	return &found;
}

bool qemu_plugin_read_register(struct qemu_plugin_register *handle, struct glib_bytes *buf)
{
	assert_true(machine_may >= QEMU_PLUGIN_CB_R_REGS);
	g_byte_array_set_size(buf, sizeof(*machine_regs));
	memcpy(buf->data, handle, buf->len);
	return true;
}

bool qemu_plugin_write_register(struct qemu_plugin_register *handle, struct glib_bytes *buf)
{
	assert_true(machine_may >= QEMU_PLUGIN_CB_RW_REGS);
	memcpy((void *)handle, buf->data, buf->len);
	return true;
}

static void retranslate(void)
{
	machine_retranslated++;
}

static void interrupt(__attribute__((unused)) struct vpmu_cpu *cpu)
{
	machine_interrupts++;
}

int machine_free(__attribute__((unused)) void **state)
{
	unsigned int i;

	for (i = 0; i < nr_cpus; i++)
		vcore_free(vpmu_cpus[i].core);
	nr_cpus = 0;
	return 0;
}

int machine_file_create(__attribute__((unused)) void **state)
{
	int fd = mkstemp(machine_file);

	return fd < 0 ? fd : close(fd);
}

int machine_file_remove(void **state)
{
	machine_free(state);
	return unlink(machine_file);
}

void machine_plug(unsigned int cpus)
{
	nr_cpus = cpus;
}

void machine_new(const struct vpmu_part *part, unsigned int cpus,
		 unsigned int threads)
{
	unsigned int i;

	assert_true(cpus <= MACHINE_CPUS);
	machine_free(NULL);
	vpmu_level_init(retranslate);
	vpmu_pmi_to(interrupt);
	machine_interrupts = 0;
	vpmu_regs_init();
	memset(machine_regs, 0, sizeof(machine_regs));
	vpmu_options = (struct vpmu_options){ .part = part, .threads = threads };
	memset(vpmu_cpus, 0, sizeof(vpmu_cpus));
	memset(scores, 0, sizeof(scores));
	for (i = 0; i < cpus; i++) {
		vpmu_cpus[i].index = i;
		vpmu_cpus[i].part = part;
		vpmu_cpus[i].score = &scores[i];
		vpmu_cpus[i].core = vcore_new(part->core, &vpmu_options.ideal,
					      i);
		assert_non_null(vpmu_cpus[i].core);
	}
	nr_cpus = cpus;
}

/*
 * The functions that execute RDMSR and WRMSR of a kind of registers: of the core, or of PMU boxes.
 */
struct registers {
	bool (*read)(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value);
	bool (*write)(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value);
};

static const struct registers core = { vpmu_msr_read, vpmu_msr_write };
static const struct registers boxes = { vpmu_boxes_read, vpmu_boxes_write };

static uint64_t held(const struct registers *of, struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t value = 0;

	assert_true(of->read(cpu, msr, &value));
	return value;
}

/*
 * Executes WRMSR. @illegal is 1 if the write must be counted as illegal, 0 if it must not. Fails
 * the test if the write is counted otherwise, or if the MSR does not exist.
 */
static void put(const struct registers *of, struct vpmu_cpu *cpu, uint32_t msr, uint64_t value,
		unsigned int illegal)
{
	uint64_t before = cpu->illegal_writes;

	assert_true(of->write(cpu, msr, value));
	assert_int_equal(cpu->illegal_writes, before + illegal);
}

static void put_refused(const struct registers *of, struct vpmu_cpu *cpu, uint32_t msr,
			uint64_t value)
{
	uint64_t before = held(of, cpu, msr);

	put(of, cpu, msr, value, 1);
	assert_int_equal(held(of, cpu, msr), before);
}

uint64_t rd(struct vpmu_cpu *cpu, uint32_t msr)
{
	return held(&core, cpu, msr);
}

void wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	put(&core, cpu, msr, value, 0);
}

void wr_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	put_refused(&core, cpu, msr, value);
}

uint64_t box_rd(struct vpmu_cpu *cpu, uint32_t msr)
{
	return held(&boxes, cpu, msr);
}

void box_wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	put(&boxes, cpu, msr, value, 0);
}

void box_wr_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	put_refused(&boxes, cpu, msr, value);
}
