// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of how overflows interrupt a vCPU of QEMU: before which instruction, at which address, and
 * where the handler returns to. The records of precise events reach the guest's memory.
 */
#include "qemu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counter/counter.h"
#include "counter/pmi.h"
#include "machine/regs.h"
#include "qemu/tsc.h"

/* MSR addresses: SDM Vol. 4, table 2-2 */
#define SELECT 0x186
#define COUNTER_FULL 0x4c1
#define GLOBAL_CTRL 0x38f
#define DEBUGCTL 0x1d9
#define DS_AREA 0x600
#define PEBS_ENABLE 0x3f1
#define PEBS_BASE 0x3f4
#define PEBS_INDEX 0x3f5
#define CONFIG 0x1903

#define INT VPMU_BIT(20)
#define NMI 0x400
#define INSTRUCTIONS 0xc0
#define CYCLES 0x3c
#define MAX48 (VPMU_BIT(48) - 1)

#define CPU 1
#define IN_USER 0x401000
#define IN_KERNEL 0xffffffff81000000
#define NOPS "90 90 90 90 90 90 90 90"

static struct vpmu_cpu *cpu;
static char list[] = "/tmp/vpmu-unit-list.XXXXXX";

static int load(void **state)
{
	static char truth[64], uncounted[64];
	char *options[] = { truth, uncounted };
	int fd = mkstemp(list);

	if (fd < 0 || close(fd) || machine_file_create(state))
		return -1;
	snprintf(truth, sizeof(truth), "truth=%s", machine_file);
	snprintf(uncounted, sizeof(uncounted), "uncounted=%s", list);
	return qemu_load(2, options);
}

static int unload(void **state)
{
	return unlink(list) | machine_file_remove(state);
}

/* A second vCPU that takes NMIs, and whose core is simulated only if a counter needs it. */
static void boot(const struct vpmu_part *part)
{
	qemu_boot(part, 2, 1);
	vpmu_options.counters_model = true;
	cpu = &vpmu_cpus[CPU];
	vpmu_pmi_set_lvt(cpu, NMI);
}

/* Lets counter 0 overflow at the @nr-th event. */
static void count_to(unsigned int nr, uint64_t select)
{
	qemu_wrmsr(CPU, SELECT, select | EN);
	qemu_wrmsr(CPU, COUNTER_FULL, MAX48 - nr + 1);
	qemu_wrmsr(CPU, GLOBAL_CTRL, 1);
}

/* Returns what the truth file says of the latest interrupt, from its counters on. */
static const char *last_interrupt(void)
{
	static char text[1 << 16];
	char *at, *end;
	FILE *in;

	qemu_exit();
	in = fopen(machine_file, "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	end = strstr(text, "\"records\"");
	assert_non_null(end);
	*end = '\0';
	at = strrchr(text, '{');
	assert_non_null(at);
	at = strstr(at, "\"counters\"");
	*strchr(at, '}') = '\0';
	return at;
}

static void assert_last(bool delivered, uint64_t pc)
{
	char expected[100];

	snprintf(expected, sizeof(expected),
		 "\"counters\": \"0x1\", \"late\": 0, \"delivered\": %d, \"pc\": \"0x%llx\"",
		 delivered, (unsigned long long)pc);
	assert_string_equal(last_interrupt(), expected);
}

static void assert_came_at(uint64_t pc)
{
	assert_last(true, pc);
}

/* Blocks have no countdown before a counter interrupts, and also none of a return. */
TEST(only_counters_that_interrupt_count_down)
{
	/* Only IRETQ, the second, is a return to 64-bit code. */
	static const char code[] = "90 48cf 66cf cf 4848cf 4890 c3";
	const struct qemu_plugin_tb *before, *after;
	unsigned int i;

	boot(&vpmu_ivb);
	count_to(8, INSTRUCTIONS | USR);
	before = qemu_translate(IN_KERNEL, code);
	count_to(8, INSTRUCTIONS | USR | INT);
	after = qemu_translate(IN_KERNEL, code);
	assert_int_equal(after->nr, 7);
	for (i = 0; i < after->nr; i++)
		assert_int_equal(after->insn[i].nr, before->insn[i].nr + 2 + (i == 1));
}

/* The vCPU leaves before the instruction behind the one that has overflowed the counter. */
TEST(the_interrupt_precedes_the_next_instruction)
{
	const struct qemu_plugin_tb *tb, *kernel;

	boot(&vpmu_ivb);
	count_to(11, INSTRUCTIONS | USR | INT);
	tb = qemu_translate(IN_USER, NOPS);
	kernel = qemu_translate(IN_KERNEL, NOPS);
	assert_int_equal(qemu_run(CPU, kernel), 8);
	assert_int_equal(qemu_run(CPU, kernel), 8);
	assert_int_equal(qemu_run_at(CPU, tb, 0x7f0000005000), 8);
	assert_int_equal(qemu_work(), 0);
	assert_int_equal(qemu_run_at(CPU, tb, 0x7f0000005000), 3);
	assert_int_equal(machine_regs[VPMU_RIP], 0x7f0000005003);
	assert_int_equal(cpu->score->exact[VPMU_INSTRUCTIONS][USER], 11);
	assert_false(cpu->pmi.open);
	assert_false(cpu->pmi.pending);
	assert_int_equal(qemu.nmis[CPU], 0);
	assert_int_equal(qemu_work(), 1);
	assert_int_equal(qemu.nmis[CPU], 1);
	assert_true(cpu->pmi.pending);
	assert_came_at(0x7f0000005003);
	/* The NMI comes there: nothing is added. */
	qemu_discon(CPU, QEMU_PLUGIN_DISCON_INTERRUPT, 0x7f0000005003);
	assert_false(cpu->pmi.pending);
	assert_came_at(0x7f0000005003);
	/* The handler returns; there is no further overflow. */
	assert_int_equal(qemu_run(CPU, tb), 8);
	assert_int_equal(qemu_work(), 0);
	assert_int_equal(cpu->pmi.raised, 1);
}

/* A masked overflow is looked for at the same instruction, but nothing comes. */
TEST(a_masked_overflow_is_found_and_does_not_come)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb);
	vpmu_pmi_set_lvt(cpu, 0x10000 | NMI);
	count_to(3, INSTRUCTIONS | USR | INT);
	tb = qemu_translate(IN_USER, NOPS);
	assert_int_equal(qemu_run(CPU, tb), 3);
	assert_int_equal(qemu_work(), 0);
	assert_int_equal(cpu->pmi.raised, 1);
	assert_last(false, IN_USER + 3);
	qemu_discon(CPU, QEMU_PLUGIN_DISCON_INTERRUPT, 0x401007);
	assert_int_equal(qemu_run(CPU, tb), 8);
	assert_last(false, IN_USER + 3);
}

/*
 * The countdown may end without an overflow: here the counter is set back. It then goes on: it is
 * neither one too long nor one too short.
 */
TEST(a_countdown_without_an_overflow_goes_on)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb);
	count_to(8, INSTRUCTIONS | USR | INT);
	tb = qemu_translate(IN_USER, NOPS);
	assert_int_equal(qemu_run(CPU, tb), 8);
	cpu->gp[0].value -= 4;
	assert_int_equal(qemu_run(CPU, tb), 8 - 4);
	assert_int_equal(cpu->score->exact[VPMU_INSTRUCTIONS][USER], 12);
	assert_int_equal(qemu_work(), 1);
}

/*
 * QEMU cannot restore the flags before a string instruction: the vCPU does not leave there, and the
 * NMI comes when QEMU next looks, which the truth file learns then.
 */
TEST(the_interrupt_does_not_precede_a_string_instruction)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb);
	count_to(2, INSTRUCTIONS | USR | INT);
	tb = qemu_translate(IN_USER, "90 90 f3a4");
	assert_int_equal(qemu_run(CPU, tb), 3);
	assert_int_equal(cpu->score->exact[VPMU_INSTRUCTIONS][USER], 3);
	assert_int_equal(qemu_work(), 1);
	assert_true(cpu->pmi.open);
	assert_int_equal(cpu->pmi.raised, 1);
	assert_came_at(0);
	qemu_discon(CPU, QEMU_PLUGIN_DISCON_INTERRUPT, IN_USER + 2);
	assert_false(cpu->pmi.open);
	assert_false(cpu->pmi.pending);
	assert_came_at(IN_USER + 2);
	/* A later interrupt, of a device, is another one. */
	qemu_discon(CPU, QEMU_PLUGIN_DISCON_INTERRUPT, IN_USER + 5);
	assert_came_at(IN_USER + 2);
}

/* An interrupt of a device before the NMI is not the NMI. */
TEST(only_an_nmi_that_is_pending_comes)
{
	boot(&vpmu_ivb);
	cpu->pmi.open = true;
	qemu_discon(CPU, QEMU_PLUGIN_DISCON_INTERRUPT, IN_USER + 5);
	assert_true(cpu->pmi.open);
}

/* Old code, which will be discarded, may lack callbacks: the overflow is looked for in the new. */
TEST(overflows_wait_for_the_level)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_ivb);
	count_to(3, INSTRUCTIONS | USR | INT);
	tb = qemu_translate(IN_USER, NOPS);
	vpmu_model_wanted(cpu, VPMU_FOR_REGION);
	assert_true(vpmu_level_coming());
	assert_int_equal(qemu_run(CPU, tb), 8);
	assert_int_equal(cpu->pmi.raised, 0);
	assert_int_equal(cpu->score->until[USER], 1);
	qemu_flush();
	assert_int_equal(qemu_once(CPU, IN_USER + 8, NOPS), 0);
	assert_int_equal(cpu->pmi.raised, 1);
	assert_int_equal(machine_regs[VPMU_RIP], IN_USER + 8);
	assert_int_equal(qemu_work(), 1);
}

/* Runs a loop of blocks in user space until an interrupt comes. */
static void run_until_due(void)
{
	const struct qemu_plugin_tb *tb[16];
	unsigned int i;

	for (i = 0; i < 16; i++)
		tb[i] = qemu_translate(IN_USER + 8 * i, i < 15 ? NOPS : "90 90 90 90 90 90 eb80");
	for (i = 0; i < 1000 && qemu_run(CPU, tb[i % 16]) == tb[i % 16]->nr; i++)
		;
	assert_true(i < 1000);
}

static void set_stack(uint64_t rip)
{
	memcpy(qemu.page + 0x100, &rip, sizeof(rip));
	machine_regs[VPMU_RSP] = QEMU_VA + 0x100;
}

static uint64_t stack(void)
{
	uint64_t rip;

	memcpy(&rip, qemu.page + 0x100, sizeof(rip));
	return rip;
}

/*
 * An event of the simulated core: the NMI names an instruction that the vCPU has left behind, and
 * the handler returns to where it is.
 */
TEST(an_interrupt_of_the_core_names_the_oldest_instruction)
{
	const struct qemu_plugin_tb *iret;
	uint64_t named, begin;

	boot(&vpmu_ivb);
	vpmu_options.ideal.l1i = true;
	count_to(200, CYCLES | USR | INT);
	begin = cpu->core->cycle;
	run_until_due();
	assert_int_equal(qemu_work(), 1);
	named = cpu->pmi.named;
	/* the oldest in the 200th cycle in user space, in which the counter has overflowed */
	assert_int_equal(named, vcore_oldest(cpu->core, begin + 199));
	assert_int_not_equal(named, vcore_oldest(cpu->core, begin + 198));
	assert_int_not_equal(named, vcore_oldest(cpu->core, begin + 200));
	assert_true(cpu->pmi.resume);
	assert_int_equal(cpu->pmi.place, named);
	assert_int_equal(machine_regs[VPMU_RIP], named);
	assert_int_not_equal(cpu->pmi.resume, named);
	assert_true(cpu->pmi.resume >= IN_USER && cpu->pmi.resume < IN_USER + 128);
	assert_true(named >= IN_USER && named < IN_USER + 128);
	assert_non_null(strstr(last_interrupt(), "\"pc\": \"0x4010"));
	assert_int_equal(strtoull(strstr(last_interrupt(), "\"pc\": \"") + 7, NULL, 16), named);

	iret = qemu_translate(IN_KERNEL, "48cf");
	/* The stack is not mapped, or the handler of another interrupt returns. */
	qemu_run(CPU, iret);
	assert_true(cpu->pmi.resume);
	set_stack(named + 1);
	qemu_run(CPU, iret);
	assert_int_equal(stack(), named + 1);
	assert_true(cpu->pmi.resume);
	set_stack(named);
	qemu_run(CPU, iret);
	assert_true(stack() != named && stack() >= IN_USER && stack() < IN_USER + 128);
	assert_int_equal(cpu->pmi.resume, 0);
	/* A second return to the same instruction is one to the instruction. */
	set_stack(named);
	qemu_run(CPU, iret);
	assert_int_equal(stack(), named);
}

/* In the kernel, and while branches are recorded, the NMI names where the vCPU is. */
TEST(an_interrupt_names_where_the_vcpu_is_while_branches_are_recorded)
{
	boot(&vpmu_ivb);
	qemu_wrmsr(CPU, DEBUGCTL, 1);
	count_to(200, CYCLES | USR | INT);
	run_until_due();
	assert_int_equal(qemu_work(), 1);
	assert_int_equal(cpu->pmi.resume, 0);
	assert_int_equal(cpu->pmi.named, 0);
	assert_int_equal(strtoull(strstr(last_interrupt(), "\"pc\": \"") + 7, NULL, 16),
			 machine_regs[VPMU_RIP]);
}

static void set_field(unsigned int offset, uint64_t value)
{
	memcpy(qemu.page + offset, &value, sizeof(value));
}

static uint64_t field(unsigned int offset)
{
	uint64_t value;

	memcpy(&value, qemu.page + offset, sizeof(value));
	return value;
}

/* A record reaches physical memory, with the guest's TSC, after the vCPU has left the block. */
TEST(a_precise_record_is_written_to_physical_memory)
{
	const struct qemu_plugin_tb *tb;

	boot(vpmu_part_like("dmr"));
	vpmu_options.tsc = 2000;
	qemu.tsc = 5000;
	qemu_wrmsr(CPU, PEBS_BASE, QEMU_PA | 1);
	qemu_wrmsr(CPU, PEBS_INDEX, VPMU_BIT(32) | 256ull << 32);
	qemu_wrmsr(CPU, CONFIG, VPMU_BIT(63));
	count_to(3, INSTRUCTIONS | USR);
	tb = qemu_translate(IN_USER, NOPS);
	/* The third overflows the counter, and arms it. */
	assert_int_equal(qemu_run(CPU, tb), 3);
	assert_int_equal(machine_regs[VPMU_RIP], IN_USER + 3);
	assert_true(cpu->pebs.armed);
	assert_int_equal(cpu->pebs.next, IN_USER + 3);
	assert_int_equal(qemu_work(), 0);
	/* The fourth, executed now, is recorded before the fifth. */
	assert_int_equal(qemu_once(CPU, IN_USER + 3, "90 90 90"), 1);
	assert_int_equal(machine_regs[VPMU_RIP], IN_USER + 4);
	assert_int_equal(field(0), 0);
	assert_int_equal(qemu_work(), 1);
	assert_int_equal(field(0), VPMU_BIT(63) | 64);
	assert_int_equal(field(16), IN_USER + 3);
	assert_int_equal(field(24), 1);
	assert_int_equal(field(32), 10000);
	assert_int_equal(field(64), 0);
	assert_int_equal(cpu->pmi.raised, 0);
	assert_int_equal(qemu.nmis[CPU], 0);
	assert_int_equal(qemu_once(CPU, IN_USER + 4, "90 90 90"), 3);
}

/* Before a string instruction the vCPU stays in its block, and RIP is computed. */
TEST(a_precise_record_of_a_string_instruction_has_its_address)
{
	const struct qemu_plugin_tb *tb;

	boot(vpmu_part_like("dmr"));
	qemu_wrmsr(CPU, PEBS_BASE, QEMU_PA | 1);
	qemu_wrmsr(CPU, PEBS_INDEX, VPMU_BIT(32) | 256ull << 32);
	qemu_wrmsr(CPU, CONFIG, VPMU_BIT(63));
	count_to(2, INSTRUCTIONS | USR);
	tb = qemu_translate(IN_USER + 0xff0, "90 90 f3a4 90");
	assert_int_equal(qemu_run_at(CPU, tb, 0x7f0000005ff0), 3);
	assert_int_equal(cpu->pebs.next, 0x7f0000005ff4);
	assert_int_equal(qemu_work(), 1);
	assert_int_equal(field(16), 0x7f0000005ff2);
}

/* The debug store is at a virtual address. */
TEST(a_precise_record_is_written_to_the_debug_store)
{
	const struct qemu_plugin_tb *tb;

	boot(&vpmu_spr);
	qemu.tsc = 77;
	set_field(0x20, QEMU_VA + 0x800);
	set_field(0x28, QEMU_VA + 0x800);
	set_field(0x30, QEMU_VA + 0x900);
	set_field(0x38, QEMU_VA + 0x900);
	set_field(0x40, MAX48 - 2);
	qemu_wrmsr(CPU, DS_AREA, QEMU_VA);
	qemu_wrmsr(CPU, PEBS_ENABLE, 1);
	count_to(3, INSTRUCTIONS | USR);
	tb = qemu_translate(IN_USER, NOPS);
	assert_int_equal(qemu_run(CPU, tb), 3);
	assert_int_equal(qemu_once(CPU, IN_USER + 3, "90 90 90"), 1);
	assert_int_equal(field(0x28), QEMU_VA + 0x820);
	assert_int_equal(field(0x800), 0);
	assert_int_equal(qemu_work(), 1);
	assert_int_equal(field(0x800), 32ull << 48);
	assert_int_equal(field(0x808), IN_USER + 3);
	assert_int_equal(field(0x810), 1);
	assert_int_equal(field(0x818), 77);
	assert_int_equal(field(0x820), 0);
	assert_int_equal(cpu->illegal_writes, 0);
	/* The area is not mapped. */
	qemu_wrmsr(CPU, DS_AREA, QEMU_VA + QEMU_PAGE);
	run_until_due();
	run_until_due();
	assert_int_equal(qemu_work(), 0);
	assert_int_not_equal(cpu->illegal_writes, 0);
}

/* At exit the plugin writes its files. No event has code 0xfe. */
TEST(the_files_are_written_at_exit)
{
	char text[200] = "";
	FILE *in;

	boot(&vpmu_ivb);
	qemu_wrmsr(CPU, GLOBAL_CTRL, 0);
	qemu_wrmsr(CPU, SELECT, 0xfe | USR | EN);
	qemu_wrmsr(CPU, GLOBAL_CTRL, 1);
	qemu_wrmsr(CPU, GLOBAL_CTRL, 0);
	qemu_exit();
	in = fopen(list, "r");
	assert_non_null(in);
	assert_non_null(fgets(text, sizeof(text), in));
	fclose(in);
	assert_string_equal(text, "ivb 0xfe 0x0 core\n");
	in = fopen(machine_file, "r");
	assert_non_null(in);
	assert_non_null(fgets(text, sizeof(text), in));
	assert_non_null(fgets(text, sizeof(text), in));
	fclose(in);
	assert_string_equal(text, "\"part\": \"ivb\",\n");
}

TEST_GROUP(load, unload);
