// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the self-test's checks of the machine: they find differences between CPUID and what the
 * module reports about a CPU, and MSRs that were not restored.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cmd/selftest/selftest.h"
#include "event/this_cpu.h"
#include "unit.h"

#define FD 4711

/*
 * What CPUID reports on CPU 4, the second of two CPUs, and what the module reports about both CPUs.
 */
static struct bpmu_this_cpu own;
static struct bpmu_info told;
/*
 * msrs: /dev/cpu/N/msr can be opened. changed: the MSR whose value on CPU 4 grows by one between
 * two reads; 0 for none. unreadable: the MSR that cannot be read; 0 for none.
 */
static bool msrs;
static u32 changed, unreadable;
static unsigned int opened, calls, fails;
static u32 cpu_open;

int __wrap_bpmu_trial_settle(u32 cpu, struct bpmu_error *err);
int __wrap_bpmu_this_cpu_core_types(void (*found)(void *data, const struct bpmu_this_cpu *cpu),
				    void *data, struct bpmu_error *err);
int __wrap_bpmu_client_info_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			       struct bpmu_error *err);
int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err);
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __real_close(int fd);
int __wrap_close(int fd);
ssize_t __wrap_pread(int fd, void *to, size_t size, off_t at);

static u32 settled;

static int may_fail(struct bpmu_error *err)
{
	return ++calls == fails ? bpmu_error_set(err, -EIO, "it fails") : 0;
}

int __wrap_bpmu_trial_settle(u32 cpu, struct bpmu_error *err)
{
	settled = cpu;
	return may_fail(err);
}

static void set_cpu(struct bpmu_this_cpu *cpu)
{
	*cpu = (struct bpmu_this_cpu){
		.part = bpmu_part_by_name("ivb"), .id = { .family = 6, .model = 58 },
		.stepping = 9, .pmu = unit_pmu("ivb", 4),
	};
	cpu->pmu.gp_width = 48;
	cpu->pmu.fixed_width = 40;
}

int __wrap_bpmu_this_cpu_core_types(void (*found)(void *data, const struct bpmu_this_cpu *cpu),
				    void *data, struct bpmu_error *err)
{
	struct bpmu_this_cpu cpu;

	set_cpu(&cpu);
	found(data, settled == 4 ? &own : &cpu);
	return may_fail(err);
}

int __wrap_bpmu_client_info_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			       struct bpmu_error *err)
{
	(void)client;
	(void)cpu;
	*info = told;
	return may_fail(err);
}

int __wrap_bpmu_client_pmu_of(struct bpmu_client *client, u32 cpu, struct bpmu_info *info,
			      struct bpmu_error *err)
{
	return __wrap_bpmu_client_info_of(client, cpu, info, err);
}

int __wrap_open(const char *path, int flags, ...)
{
	int nr;

	if (strncmp(path, "/dev/cpu/", 9))
		return __real_open(path, flags, 0600);
	assert_int_equal(flags, O_RDONLY | O_CLOEXEC);
	nr = sscanf(path, "/dev/cpu/%u/msr", &cpu_open);
	assert_int_equal(nr, 1);
	opened += msrs;
	return msrs ? FD : -1;
}

int __wrap_close(int fd)
{
	if (fd != FD)
		return __real_close(fd);
	opened--;
	return 0;
}

ssize_t __wrap_pread(int fd, void *to, size_t size, off_t at)
{
	u64 value = 0x1000 * at + (at == changed && cpu_open == 4);

	assert_int_equal(fd, FD);
	assert_int_equal(size, sizeof(value));
	memcpy(to, &value, sizeof(value));
	return at == unreadable ? -1 : (ssize_t)sizeof(value);
}

static struct bpmu_selftest selftest;
static char *text, *json;
static size_t text_size, json_size;

static void begin(void)
{
	set_cpu(&own);
	told = (struct bpmu_info){
		.part = "ivb", .family = 6, .model = 58, .stepping = 9, .pmu = own.pmu,
		.nr_selects = 3, .select = { 0x10, 0x20, 0x30 }, .status = 0x7,
	};
	calls = 0;
	fails = 0;
	changed = 0;
	unreadable = 0;
	msrs = true;
	selftest = (struct bpmu_selftest){ };
	unit_target(&selftest.target, "ivb", 3);
	selftest.target.info.pmu = own.pmu;
	selftest.text = open_memstream(&text, &text_size);
	selftest.json = open_memstream(&json, &json_size);
}

static void end(const char *said, const char *raw)
{
	fclose(selftest.text);
	fclose(selftest.json);
	assert_string_equal(text, said);
	if (raw && !strstr(json, raw))
		fail_msg("'%s' is not in %s", raw, json);
	free(text);
	free(json);
	free(selftest.target.cpus_text);
	bpmu_cpulist_free(&selftest.target.cpus);
	bpmu_selftest_forget(&selftest);
	assert_null(selftest.registers);
	assert_int_equal(opened, 0);
}

TEST(cpuid_and_module_agree)
{
	struct bpmu_error err;

	begin();
	assert_int_equal(bpmu_selftest_detection(&selftest, &err), 0);
	end("ok    detection    CPUID and module agree: Big, 4 general counters of 48 bits, 3 fixed of 40\n",
	    "\"check\":\"detection\",\"cpu\":4,\"cpuid\":{\"part\":\"ivb\",\"family\":6,\"model\":58,\"stepping\":9,\"gp_counters\":4,\"gp_width\":48,\"fixed_counters\":3,\"fixed_width\":40,\"pmu_version\":");
}

/*
 * What CPUID reports and what the module reports differ in one property at a time, on the second
 * CPU or on both CPUs.
 */
TEST(each_difference_is_found)
{
	static const char one[] = "FAIL  detection    CPUID and the module disagree on 1 of 2 CPUs, the first is CPU 4\n";
	struct bpmu_error err;
	unsigned int i;

	for (i = 0; i < 8; i++) {
		begin();
		own.part = i == 0 ? bpmu_part_by_name("ivt") : own.part;
		own.id.family += i == 1;
		own.id.model += i == 2;
		own.stepping += i == 3;
		own.pmu.gp_counters += i == 4;
		own.pmu.gp_width += i == 5;
		own.pmu.fixed_counters += i == 6;
		own.pmu.fixed_width += i == 7;
		assert_int_equal(bpmu_selftest_detection(&selftest, &err), 0);
		end(one, NULL);
	}
	begin();
	own.part = NULL;
	assert_int_equal(bpmu_selftest_detection(&selftest, &err), 0);
	end(one, "\"cpu\":4,\"cpuid\":{\"part\":\"\",");
	begin();
	told.stepping = 1;
	assert_int_equal(bpmu_selftest_detection(&selftest, &err), 0);
	end("FAIL  detection    CPUID and the module disagree on 2 of 2 CPUs, the first is CPU 3\n",
	    NULL);
}

/*
 * On each of two CPUs the check compares 4 event selects and their counters, 3 fixed counters and 3
 * global registers.
 */
TEST(registers_have_their_old_values)
{
	struct bpmu_error err;

	begin();
	assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
	assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
	end("ok    restore      28 registers have their old values, by /dev/cpu/*/msr\n",
	    "\"check\":\"restore\",\"cpu\":4,\"register\":\"MSR 0x38f\",\"before\":\"0x38f000\",\"after\":\"0x38f000\"}");
	begin();
	unreadable = 0x38f;
	assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
	assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
	end("ok    restore      26 registers have their old values, by /dev/cpu/*/msr\n", NULL);
	begin();
	msrs = false;
	assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
	assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
	end("ok    restore      event selects and overflow bits are as they were; \"modprobe msr\" lets more registers be compared\n",
	    "\"cpu\":3,\"register\":\"event select 2\",\"before\":\"0x30\",\"after\":\"0x30\"}");
	begin();
	msrs = false;
	told.nr_selects = 0;
	assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
	told.status = 1;
	assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
	end("skip  restore      the module does not report the registers; run as root\n", NULL);
	/* The MSRs could not be read before the run, so they cannot be compared after it. */
	begin();
	msrs = false;
	assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
	msrs = true;
	assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
	end("ok    restore      event selects and overflow bits are as they were; \"modprobe msr\" lets more registers be compared\n",
	    NULL);
}

TEST(what_is_not_restored_is_named)
{
	static const u32 all[] = {
		0x186, 0x187, 0x188, 0x189, 0xc1, 0xc2, 0xc3, 0xc4, 0x309, 0x30a, 0x30b, 0x38d,
		0x38e, 0x38f,
	};
	struct bpmu_error err;
	char said[160];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		begin();
		assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
		changed = all[i];
		assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
		snprintf(said, sizeof(said), "FAIL  restore      1 registers differ from before: CPU 4's MSR 0x%x was 0x%x000 and is 0x%x001\n",
			 all[i], all[i], all[i]);
		end(said, NULL);
	}
	begin();
	assert_int_equal(bpmu_selftest_remember(&selftest, &err), 0);
	told.select[2] = 0x31;
	told.status = 0x8;
	assert_int_equal(bpmu_selftest_restored(&selftest, &err), 0);
	end("FAIL  restore      4 registers differ from before: CPU 3's event select 2 was 0x30 and is 0x31\n",
	    "\"cpu\":4,\"register\":\"overflow bits\",\"before\":\"0x7\",\"after\":\"0x8\"}");
}

TEST(each_failure_ends_the_check_of_the_machine)
{
	struct bpmu_error err;
	unsigned int i;

	for (i = 1; i <= 6; i++) {
		begin();
		fails = i;
		assert_int_equal(bpmu_selftest_detection(&selftest, &err), -EIO);
		assert_string_equal(err.text, "it fails");
		end("", NULL);
	}
	for (i = 1; i <= 4; i++) {
		begin();
		fails = i;
		assert_int_equal(bpmu_selftest_remember(&selftest, &err), i > 2 ? 0 : -EIO);
		if (i > 2)
			assert_int_equal(bpmu_selftest_restored(&selftest, &err), -EIO);
		end("", NULL);
	}
}
