// SPDX-License-Identifier: GPL-2.0
/*
 * Tests that the tool learns from CPUID on which CPU it runs. /proc/cpuinfo has the expected
 * values.
 */
#include <cpuid.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/this_cpu.h"
#include "unit.h"
#include "vendor/vendor.h"

/*
 * Returns the value of the line "KEY\t: VALUE" of the first CPU in /proc/cpuinfo; "" if there is
 * none. The next call overwrites it.
 */
static const char *linux_says(const char *key)
{
	static char line[4096];
	FILE *file = fopen("/proc/cpuinfo", "r");
	char *at;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		at = strchr(line, '\t');
		if (!at || strncmp(line, key, strlen(key)) ||
		    at != line + strlen(key))
			continue;
		fclose(file);
		line[strcspn(line, "\n")] = '\0';
		return strchr(line, ':') + 2;
	}
	fclose(file);
	return "";
}

TEST(vendor_family_model_and_stepping_agree_with_linux)
{
	unsigned int eax, ebx, ecx, edx;
	struct bpmu_this_cpu cpu;
	struct bpmu_error err;

	assert_int_equal(bpmu_this_cpu(&cpu, &err), 0);
	assert_string_equal(cpu.vendor, linux_says("vendor_id"));
	assert_int_equal(cpu.id.family, atoi(linux_says("cpu family")));
	assert_int_equal(cpu.id.model, atoi(linux_says("model")));
	assert_int_equal(cpu.stepping, atoi(linux_says("stepping")));
	assert_int_equal(cpu.hypervisor,
			 !!strstr(linux_says("flags"), " hypervisor"));
	assert_int_equal(!!*cpu.hypervisor_id, cpu.hypervisor);
	/* CPUID leaf 7, EDX bit 15, is 1 on a hybrid CPU: SDM Vol. 2. */
	if (!__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
		edx = 0;
	assert_int_equal(cpu.hybrid, edx >> 15 & 1);
}

/*
 * Intel's event files are chosen by the family, model and stepping in /proc/cpuinfo. For another
 * vendor's CPU no files are chosen.
 */
TEST(vendor_files_are_chosen_by_the_cpu)
{
	struct bpmu_vendor_set v = { };

	bpmu_vendor_this_cpu(&v);
	if (strcmp(linux_says("vendor_id"), "GenuineIntel")) {
		assert_int_equal(v.cpu.family, 0);
		return;
	}
	assert_int_equal(v.cpu.family, atoi(linux_says("cpu family")));
	assert_int_equal(v.cpu.model, atoi(linux_says("model")));
	assert_int_equal(v.stepping, atoi(linux_says("stepping")));
}
