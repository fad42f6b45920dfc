// SPDX-License-Identifier: GPL-2.0
#include "machine.h"

#include <string.h>

struct vpmu_cpu machine_cpu[MACHINE_CPUS];
unsigned int machine_retranslated;

static struct vpmu_score scores[MACHINE_CPUS];
static unsigned int nr_cpus;

/* what plugin.c, feed.c and truth.c have */
struct vpmu_cpu *vpmu_cpu(unsigned int index)
{
	assert_true(index < nr_cpus);
	return &machine_cpu[index];
}

unsigned int vpmu_nr_cpus(void)
{
	return nr_cpus;
}

void vpmu_retranslate(void)
{
	machine_retranslated++;
}

void vpmu_prefetchers(struct vpmu_cpu *cpu, unsigned int off)
{
	vcore_memory_prefetchers(cpu->core->memory, off);
}

void vpmu_truth_open(const char *file)
{
	(void)file;
}

bool vpmu_truth_needs_model(void)
{
	return false;
}

void vpmu_truth_window(struct vpmu_cpu *cpu, bool begin)
{
	(void)cpu;
	(void)begin;
}

void vpmu_truth_uncore_window(const struct vcore_traffic *seen, bool begin)
{
	(void)seen;
	(void)begin;
}

int machine_free(void **state)
{
	unsigned int i;

	(void)state;
	for (i = 0; i < nr_cpus; i++)
		vcore_free(machine_cpu[i].core);
	nr_cpus = 0;
	return 0;
}

void machine_new(const struct vpmu_part *part, unsigned int cpus,
		 unsigned int threads)
{
	unsigned int i;

	machine_free(NULL);
	vpmu_options = (struct vpmu_options){ .part = part, .threads = threads };
	memset(machine_cpu, 0, sizeof(machine_cpu));
	memset(scores, 0, sizeof(scores));
	for (i = 0; i < cpus; i++) {
		machine_cpu[i].index = i;
		machine_cpu[i].part = part;
		machine_cpu[i].score = &scores[i];
		machine_cpu[i].core = vcore_new(part->core, &vpmu_options.ideal,
						i);
		assert_non_null(machine_cpu[i].core);
	}
	nr_cpus = cpus;
}

uint64_t rd(struct vpmu_cpu *cpu, uint32_t msr)
{
	uint64_t value = 0;

	assert_true(vpmu_msr_read(cpu, msr, &value));
	return value;
}

void wr(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t illegal = cpu->illegal_writes;

	assert_true(vpmu_msr_write(cpu, msr, value));
	assert_int_equal(cpu->illegal_writes, illegal);
}

void wr_refused(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t illegal = cpu->illegal_writes;
	uint64_t before = rd(cpu, msr);

	assert_true(vpmu_msr_write(cpu, msr, value));
	assert_int_equal(cpu->illegal_writes, illegal + 1);
	assert_int_equal(rd(cpu, msr), before);
}
