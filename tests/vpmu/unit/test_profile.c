// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the profile: events of instructions of a program, region by region.
 */

#include <stdio.h>
#include <string.h>

#include "machine.h"
#include "truth/profile.h"

#define BASE 0x10000000

/* Lets an instruction retire, with two slots, @cycles cycles after the one before. */
static void retire(struct vpmu_cpu *cpu, uint64_t pc, bool branches, unsigned int cycles)
{
	const struct vcore_insn insn = {
		.pc = pc, .priv = vcore_priv(pc),
		.branch = branches ? VCORE_CONDITIONAL : VCORE_NO_BRANCH,
	};

	cpu->core->counts[USER].plain[VCORE_CYCLES] += cycles;
	if (cpu->core->retired)
		cpu->core->retired(cpu->core->retired_data, &insn, 2);
}

TEST(an_instruction_has_its_events_in_each_region)
{
	struct vpmu_cpu *cpu;
	char text[4096] = "";
	FILE *out;

	machine_new(&vpmu_ivb, 1, 0);
	cpu = vpmu_cpu(0);
	assert_false(vpmu_profile_is_open());
	vpmu_profile_region(6, true);
	assert_null(cpu->core->retired);
	vpmu_profile_open(BASE);
	assert_true(vpmu_profile_is_open());
	cpu->core->counts[USER].plain[VCORE_CYCLES] = 1000;
	vpmu_profile_region(7, true);
	retire(cpu, BASE + 5, false, 3);
	retire(cpu, BASE + 9, true, 20);
	retire(cpu, BASE + 5, false, 4);
	/* The cycles of other programs and of the kernel are not the next instruction's. */
	retire(cpu, BASE - 1, false, 50);
	retire(cpu, ~0xffffull, false, 0);
	retire(cpu, BASE + 9, true, 0);
	vpmu_profile_region(7, false);
	retire(cpu, BASE + 5, false, 600);
	vpmu_profile_region(8, true);
	retire(cpu, BASE + 5, false, 1);
	vpmu_profile_region(8, false);
	out = fmemopen(text, sizeof(text), "w");
	vpmu_profile_write(out);
	fclose(out);
	assert_string_equal(text, "\"instructions\": [\n"
		"{\"region\": 7, \"pc\": \"0x10000005\", \"instructions\": 2, \"branches\": 0, "
		"\"slots\": 4, \"cycles\": 7, \"mispredicts\": 0, \"l3_misses\": 0, "
		"\"issued\": 0, \"bubbles\": 0},\n"
		"{\"region\": 7, \"pc\": \"0x10000009\", \"instructions\": 2, \"branches\": 2, "
		"\"slots\": 4, \"cycles\": 20, \"mispredicts\": 0, \"l3_misses\": 0, "
		"\"issued\": 0, \"bubbles\": 0},\n"
		"{\"region\": 8, \"pc\": \"0x10000005\", \"instructions\": 1, \"branches\": 0, "
		"\"slots\": 2, \"cycles\": 1, \"mispredicts\": 0, \"l3_misses\": 0, "
		"\"issued\": 0, \"bubbles\": 0}\n],\n");
}

/* Each vCPU has the counts since its own last instruction; those of the MiB from the base are named. */
TEST(instructions_of_all_cpus_have_all_events)
{
	struct vpmu_cpu *cpu;
	char text[8192] = "";
	FILE *out;

	machine_new(&vpmu_ivb, 2, 0);
	cpu = vpmu_cpu(1);
	cpu->core->counts[USER].plain[VCORE_MISPREDICTS] = 100;
	vpmu_profile_region(9, true);
	retire(vpmu_cpu(0), BASE + 0xfffff, false, 2);
	retire(cpu, BASE + 0x100000, false, 40);
	cpu->core->counts[USER].plain[VCORE_MISPREDICTS] += 3;
	cpu->core->counts[USER].plain[VCORE_L3_MISS] += 4;
	cpu->core->counts[USER].cycles_with[VCORE_ISSUED][2] += 5;
	cpu->core->counts[USER].cycles_with[VCORE_BUBBLES][4] += 2;
	cpu->core->counts[KERNEL].plain[VCORE_MISPREDICTS] += 7000;
	retire(cpu, ~0xffffull, false, 0);
	retire(cpu, BASE + 0xfffff, true, 1);
	retire(cpu, BASE, false, 1);
	vpmu_profile_region(9, false);
	out = fmemopen(text, sizeof(text), "w");
	vpmu_profile_write(out);
	fclose(out);
	assert_non_null(strstr(text, "\"bubbles\": 0},\n{\"region\": 9, \"pc\": \"0x100fffff\", "
		"\"instructions\": 2, \"branches\": 1, \"slots\": 4, \"cycles\": 3, "
		"\"mispredicts\": 3, \"l3_misses\": 4, \"issued\": 10, \"bubbles\": 8},\n"
		"{\"region\": 9, \"pc\": \"0x10000000\", \"instructions\": 1, \"branches\": 0, "
		"\"slots\": 2, \"cycles\": 1, \"mispredicts\": 0, \"l3_misses\": 0, "
		"\"issued\": 0, \"bubbles\": 0}\n],\n"));
}

TEST_GROUP(NULL, machine_free);
