// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of the instructions that the virtual PMU executes instead of QEMU: RDMSR, WRMSR, RDPMC and
 * CPUID, if they concern the PMU of the CPU model. QEMU executes all other instructions.
 */
#include "counter/msr.h"
#include "machine.h"

#include "box/imc.h"
#include "counter/pmi.h"
#include "machine/regs.h"
#include "qemu/special.h"
#include "qemu/spin.h"

#define WRMSR 0x30
#define RDMSR 0x32
#define RDPMC 0x33
#define CPUID 0xa2
#define IN_8 0xec
#define IN_32 0xed
#define OUT_8 0xee
#define OUT_32 0xef
/* the numbers of IN and OUT of 16 bits */
#define IN_16 0xe5
#define OUT_16 0xe7
#define MAGIC 0x42504d55
#define DEAF 5
#define IGNORE 16
#define VERSION 17

TEST(only_its_instructions_are_special)
{
	static const struct {
		uint8_t bytes[5];
		unsigned int size;
		uint8_t op;
	} special[] = {
		{ { 0x0f, 0x30 }, 2, WRMSR }, { { 0x0f, 0x32 }, 2, RDMSR },
		{ { 0x0f, 0x33 }, 2, RDPMC }, { { 0x0f, 0xa2 }, 2, CPUID },
		{ { 0x48, 0x0f, 0x32 }, 3, RDMSR }, { { 0xf2, 0x40, 0x0f, 0x30 }, 4, WRMSR },
	}, others[] = {
		{ { 0x0f, 0x31 }, 2, 0 }, { { 0x0f, 0xa3 }, 2, 0 }, { { 0x0e, 0x32 }, 2, 0 },
		{ { 0x0f, 0x32, 0x00 }, 3, 0 }, { { 0x50, 0x0f, 0x32 }, 3, 0 }, { { 0xec }, 1, 0 },
		{ { 0x66, 0xef }, 2, 0 }, { { 0x0f }, 1, 0 },
	};
	unsigned int i;
	uint8_t op;

	machine_new(&vpmu_spr, 1, 1);
	for (i = 0; i < sizeof(special) / sizeof(*special); i++) {
		assert_true(vpmu_is_special(special[i].bytes, special[i].size, &op));
		assert_int_equal(op, special[i].op);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(vpmu_is_special(others[i].bytes, others[i].size, &op));
	/* IN and OUT are special only if the virtual PMU has PCI devices, which imc= adds. */
	vpmu_options.imc = 1;
	for (i = 0xec; i < 0xf0; i++)
		assert_true(vpmu_is_special((uint8_t[]){ i }, 1, &op));
	assert_false(vpmu_is_special((uint8_t[]){ 0xeb }, 1, &op));
	assert_false(vpmu_is_special((uint8_t[]){ 0xf0 }, 1, &op));
	assert_true(vpmu_is_special(others[6].bytes, 2, &op));
	assert_int_equal(op, OUT_16);
	assert_true(vpmu_is_special((uint8_t[]){ 0x66, 0xed }, 2, &op));
	assert_int_equal(op, IN_16);
	assert_false(vpmu_is_special((uint8_t[]){ 0x66, 0xee }, 2, &op));
}

/*
 * Sets registers of the vCPU, and lets the virtual PMU execute the instruction @op, for example
 * RDMSR. Returns who executes the instruction, the virtual PMU or QEMU.
 */
static enum vpmu_executes execute(struct vpmu_cpu *cpu, uint8_t op, uint64_t rax, uint64_t rcx,
				  uint64_t rdx, uint64_t rbx)
{
	machine_regs[VPMU_RAX] = rax;
	machine_regs[VPMU_RCX] = rcx;
	machine_regs[VPMU_RDX] = rdx;
	machine_regs[VPMU_RBX] = rbx;
	return vpmu_special(cpu, op);
}

static void assert_regs(uint64_t rax, uint64_t rbx, uint64_t rcx, uint64_t rdx)
{
	assert_int_equal(machine_regs[VPMU_RAX], rax);
	assert_int_equal(machine_regs[VPMU_RBX], rbx);
	assert_int_equal(machine_regs[VPMU_RCX], rcx);
	assert_int_equal(machine_regs[VPMU_RDX], rdx);
}

/* Executes CPUID for @leaf and @subleaf; fails unless EAX to EDX are @eax to @edx afterwards. */
static enum vpmu_executes cpuid(uint32_t leaf, uint32_t subleaf, uint32_t eax, uint32_t ebx,
				uint32_t ecx, uint32_t edx)
{
	enum vpmu_executes executes = execute(vpmu_cpus, CPUID, leaf, subleaf, 0, 0);

	vpmu_special_amend(vpmu_cpus);
	assert_regs(eax, ebx, ecx, edx);
	return executes;
}

/* Creates a machine of CPU model @part; fails unless its CPUID @leaf returns @eax to @edx. */
static void assert_cpuid(const struct vpmu_part *part, uint32_t leaf, uint32_t eax, uint32_t ebx,
			 uint32_t ecx, uint32_t edx)
{
	machine_new(part, 1, 1);
	assert_int_equal(cpuid(leaf, 0, eax, ebx, ecx, edx), VPMU_RESULT);
}

static void assert_qemu_executes(const struct vpmu_part *part, uint32_t leaf)
{
	machine_new(part, 1, 1);
	assert_int_equal(execute(vpmu_cpus, CPUID, leaf, 1, 2, 3), VPMU_QEMU);
	vpmu_special_amend(vpmu_cpus);
	assert_regs(leaf, 3, 1, 2);
}

/*
 * CPUID leaf 0xA (SDM Vol. 2A). EAX has the PMU version, the number and width of general-purpose
 * counters, and the number of valid bits in EBX; ECX and EDX have the fixed counters.
 */
TEST(cpuid_enumerates_the_counters_of_each_part)
{
	assert_cpuid(&vpmu_ivb, 0xa, 0x07300803, 0, 0, 0x603);
	assert_cpuid(&vpmu_skl, 0xa, 0x07300804, 0, 0, 0x603);
	assert_cpuid(&vpmu_spr, 0xa, 0x08300805, 0, 0xf, 0x8604);
	/* Leaf 0xA of a hybrid part enumerates the counters that both core types have. */
	assert_cpuid(&vpmu_adl, 0xa, 0x08300605, 0, 0x7, 0x8603);
	assert_cpuid(&vpmu_adl, 0x1a, 0x40000001, 0, 0, 0);
	assert_qemu_executes(&vpmu_knc, 0xa);
	assert_qemu_executes(&vpmu_zen4, 0xa);
	assert_qemu_executes(&vpmu_ivb, 0x1a);
	assert_qemu_executes(&vpmu_ivb, 0x15);
	assert_qemu_executes(&vpmu_ivb, 0x80000022);
	assert_qemu_executes(&vpmu_zen2, 0x80000022);
	assert_qemu_executes(&vpmu_zen2, 1);
	assert_qemu_executes(&vpmu_ivb, 6);
	assert_qemu_executes(&vpmu_ivb, 7);
	assert_qemu_executes(&vpmu_ivb, 0x80000001);
	assert_qemu_executes(&vpmu_skl, 0x1c);
	assert_cpuid(&vpmu_spr, 0x1c, 0xb, 7, 7, 0);
	assert_qemu_executes(&vpmu_zen4, 0x80000007);
	assert_qemu_executes(&vpmu_ivb, 0x16);
	assert_cpuid(&vpmu_zen4, 0x80000022, 1, 6, 0, 0);
}

/*
 * On a hybrid CPU model, leaf 0x23 (SDM Vol. 2A) enumerates all counters of the core type. Each of
 * these counters has an MSR of PMU version 6. Leaf 0xA enumerates only the eight general-purpose
 * counters that both core types have.
 */
TEST(bitmaps_and_registers_are_of_the_core_type)
{
	const struct vpmu_part *lnl = vpmu_part_like("lnl");
	uint64_t value = 0;

	assert_cpuid(lnl, 0x23, 3, 7, 0, 0);
	cpuid(0x23, 1, 0x3ff, 0xf, 0, 0);
	cpuid(0x23, 2, 0, 0, 0, 0);
	cpuid(0xa, 0, 0x08300806, 0, 0x7, 0x8603);
	assert_true(vpmu_msr_write(vpmu_cpus, 0x1925, 0x20004300c0));
	assert_true(vpmu_msr_read(vpmu_cpus, 0x1925, &value));
	assert_int_equal(value, 0x20004300c0);
	assert_true(vpmu_msr_write(vpmu_cpus, 0x38d, 0x200000000));
	assert_int_equal(vpmu_cpus->illegal_writes, 0);
	assert_false(vpmu_msr_read(vpmu_cpus, 0x18e, &value));
	assert_false(vpmu_msr_read(vpmu_cpus, 0x1929, &value));
	assert_cpuid(vpmu_part_like("mtl"), 0x23, 3, 0, 0, 0);
	cpuid(0x23, 1, 0xff, 0xf, 0, 0);
	assert_true(vpmu_msr_write(vpmu_cpus, 0x18d, 0x20004300c0));
	assert_int_equal(vpmu_cpus->illegal_writes, 1);
	assert_qemu_executes(&vpmu_adl, 0x23);
}

/* The guest's kernel learns from subleaf 1 of leaf 7 that the leaf of architectural PEBS exists. */
TEST(architectural_pebs_is_enumerated)
{
	machine_new(vpmu_part_like("dmr"), 1, 1);
	assert_int_equal(execute(vpmu_cpus, CPUID, 7, 0, 0, 0), VPMU_QEMU);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RAX], 1);
	assert_int_equal(execute(vpmu_cpus, CPUID, 7, 1, 0, 0), VPMU_QEMU);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RAX], 0x100);
	assert_cpuid(vpmu_part_like("dmr"), 0x23, 0x33, 7, 0, 0);
	cpuid(0x23, 1, 0x3ff, 0xf, 0, 0);
	/* LBR of two formats, and counters: the group, general, fixed, PERF_METRICS. */
	cpuid(0x23, 4, 0, 0x60000078, 0, 0);
	cpuid(0x23, 5, 0x3ff, 0, 0xf, 0);
	cpuid(0x23, 6, 0, 0, 0, 0);
	assert_cpuid(vpmu_part_like("mtl"), 0x23, 3, 0, 0, 0);
	cpuid(0x23, 4, 0, 0, 0, 0);
	cpuid(0x23, 5, 0, 0, 0, 0);
}

TEST(options_change_cpuid)
{
	machine_new(&vpmu_ivb, 2, 2);
	vpmu_options.absent = 0x48;
	vpmu_options.version = 5;
	cpuid(0xa, 0, 0x07300405, 0x48, 0x7, 0x8603);
	vpmu_options.crystal = 38400000;
	cpuid(0x15, 0, 1000, 1000, 38400000, 0);
	vpmu_options.tsc = 2400;
	cpuid(0x15, 0, 1000, 2400, 38400000, 0);
}

/* QEMU executes most CPUID leaves; in some results the virtual PMU sets further bits afterwards. */
TEST(bits_are_added_to_qemus_cpuid)
{
	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(execute(vpmu_cpus, CPUID, 1, 0, 0, 0), VPMU_QEMU);
	machine_regs[VPMU_RAX] = 0x306a9;
	machine_regs[VPMU_RCX] = 0x8000000000000201;
	vpmu_special_amend(vpmu_cpus);
	/* PDCM, and a debug store of 64 bits */
	assert_regs(0x306a9, 0, 0x8205, 0x200000);
	/* The virtual PMU changes QEMU's result only once, not again at the next instruction. */
	machine_regs[VPMU_RCX] = 0x201;
	machine_regs[VPMU_RDX] = 0;
	vpmu_special_amend(vpmu_cpus);
	assert_regs(0x306a9, 0, 0x201, 0);
	/* The hybrid bit is set in subleaf 0 of leaf 7 only. */
	machine_new(&vpmu_adl, 1, 1);
	cpuid(7, 1, 7, 0, 1, 0);
	cpuid(7, 0, 7, 0, 0, 0x88000);
	/*
	 * The option free= adds bits to CPUID: thermal sensors, APERF and MPERF, AMD's energy
	 * counters.
	 */
	vpmu_options.free = 1;
	cpuid(6, 0, 0x47, 0, 1, 0);
	cpuid(0x80000007, 0, 0x80000007, 0, 0, 0);
	/*
	 * AMD's CPUID has the bits of six core counters and of IBS; with complex= also the bits of
	 * the L3's counters, with fabric= also the bit of the data fabric's counters.
	 */
	machine_new(&vpmu_zen2, 2, 1);
	cpuid(0x80000001, 0, 0x80000001, 0, 0x800400, 0);
	vpmu_options.complex = 2;
	cpuid(0x80000001, 0, 0x80000001, 0, 0x10c00400, 0);
	vpmu_options.complex = 0;
	vpmu_options.fabric = 2;
	cpuid(0x80000001, 0, 0x80000001, 0, 0x1c00400, 0);
}

/* The value of an MSR is in EDX:EAX; MSRs that are not the virtual PMU's are left to QEMU. */
TEST(rdmsr_and_wrmsr_use_the_lower_halves)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(execute(cpu, WRMSR, 0xffffffff00000003, 0xffffffff000004c1, 0x1234, 0),
			 VPMU_QEMU);
	assert_int_equal(rd(cpu, 0x4c1), 0x123400000003);
	assert_int_equal(execute(cpu, RDMSR, 1, 0x4c1, 2, 3), VPMU_RESULT);
	assert_regs(1, 3, 0x4c1, 2);
	vpmu_special_amend(cpu);
	assert_regs(3, 3, 0x4c1, 0x1234);
	assert_int_equal(execute(cpu, RDPMC, 1, 0, 2, 3), VPMU_ALONE);
	vpmu_special_amend(cpu);
	assert_regs(3, 3, 0, 0x1234);
	assert_int_equal(execute(cpu, RDPMC, 1, 0x40000003, 2, 3), VPMU_QEMU);
	vpmu_special_amend(cpu);
	assert_regs(1, 3, 0x40000003, 2);
	/* IA32_TSC, and a register that Ivy Bridge lacks, are left to QEMU. */
	assert_int_equal(execute(cpu, RDMSR, 1, 0x10, 2, 3), VPMU_QEMU);
	vpmu_special_amend(cpu);
	assert_regs(1, 3, 0x10, 2);
	assert_int_equal(execute(cpu, RDMSR, 1, 0x391 + 1, 2, 3), VPMU_QEMU);
	assert_int_equal(execute(cpu, RDMSR, 1, 0x3f7, 2, 3), VPMU_QEMU);
	assert_int_equal(cpu->illegal_writes, 0);
}

TEST(faults_are_those_of_one_cpu)
{
	machine_new(&vpmu_ivb, 3, 1);
	assert_int_equal(execute(vpmu_cpus, CPUID, MAGIC, DEAF, 0, 0x8 << 16 | 1), VPMU_RESULT);
	vpmu_special_amend(vpmu_cpus);
	assert_regs(0, 0x80001, DEAF, 0);
	assert_int_equal(vpmu_cpus[0].deaf, 0);
	assert_int_equal(vpmu_cpus[1].deaf, 8);
	assert_int_equal(vpmu_cpus[2].deaf, 0);
	execute(vpmu_cpus, CPUID, MAGIC, DEAF, 0, 0x8 << 16 | 3);
	execute(vpmu_cpus, CPUID, MAGIC, IGNORE, 0xabcd1234, 2);
	execute(vpmu_cpus, CPUID, MAGIC, IGNORE, 0x5678, 3);
	assert_int_equal(vpmu_cpus[3].deaf, 0);
	assert_int_equal(vpmu_cpus[3].ignored, 0);
	assert_int_equal(vpmu_cpus[2].ignored, 0x1234);
	assert_int_equal(vpmu_cpus[1].ignored, 0);
	/*
	 * The guest controls the virtual PMU by a CPUID leaf that no CPU has, and a function number
	 * in ECX. With another leaf the function number has no effect: QEMU executes CPUID.
	 */
	assert_int_equal(execute(vpmu_cpus, CPUID, MAGIC + 1, DEAF, 0, 0), VPMU_QEMU);
	assert_int_equal(vpmu_cpus[1].deaf, 8);
}

TEST(a_guest_can_change_the_version)
{
	machine_new(&vpmu_ivb, 1, 0);
	assert_int_equal(execute(vpmu_cpus, CPUID, MAGIC, VERSION, 0, 1), VPMU_RESULT);
	assert_int_equal(cpuid(0xa, 0, 0x07300401, 0, 0, 0x603), VPMU_RESULT);
	execute(vpmu_cpus, CPUID, MAGIC, VERSION, 0, 0);
	assert_int_equal(cpuid(0xa, 0, 0x07300403, 0, 0, 0x603), VPMU_RESULT);
}

/*
 * The virtual PMU makes accesses to the MSRs of the option fault= raise #GP: it lets QEMU access an
 * MSR of the x2APIC instead. Afterwards RCX must again have the MSR number that the guest put
 * there.
 */
TEST(chosen_msrs_fault)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	static const uint8_t op[] = { RDMSR, WRMSR };
	unsigned int i;

	machine_new(&vpmu_ivb, 1, 0);
	wr(cpu, 0x186, 0x4300c0);
	vpmu_options.faults[0] = 0x3b0;
	vpmu_options.faults[1] = 0x186;
	vpmu_options.nr_faults = 2;
	for (i = 0; i < 2; i++) {
		assert_int_equal(execute(cpu, op[i], 1, 0x186, 2, 3), VPMU_QEMU);
		assert_regs(1, 3, 0x803, 2);
		vpmu_special_amend(cpu);
		assert_regs(1, 3, 0x186, 2);
	}
	assert_int_equal(rd(cpu, 0x186), 0x4300c0);
	assert_int_equal(cpu->illegal_writes, 0);
	vpmu_options.nr_faults = 1;
	assert_int_equal(execute(cpu, RDMSR, 1, 0x186, 2, 3), VPMU_RESULT);
	vpmu_special_amend(cpu);
	assert_regs(0x4300c0, 3, 0x186, 0);
}

/*
 * IN and OUT reach PCI devices of the virtual PMU by the port in DX; IN changes only the bytes of
 * RAX that it reads, and clears the upper half if it reads four.
 */
TEST(ports_reach_pci_devices)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	const uint64_t old = 0x1122334455667788;

	machine_new(vpmu_part_like("skx"), 1, 1);
	vpmu_options.imc = 0x1000;
	vpmu_boxes_init();
	assert_int_equal(execute(cpu, OUT_32, 0x802a4000, 0, 0x70cf8, 0), VPMU_QEMU);
	assert_int_equal(execute(cpu, IN_32, old, 0, 0x70cfc, 0), VPMU_RESULT);
	vpmu_special_amend(cpu);
	assert_regs(0x20668086, 0, 0, 0x70cfc);
	assert_int_equal(execute(cpu, IN_16, old, 0, 0xcfe, 0), VPMU_RESULT);
	vpmu_special_amend(cpu);
	assert_regs(0x1122334455662066, 0, 0, 0xcfe);
	assert_int_equal(execute(cpu, IN_8, old, 0, 0xcfe, 0), VPMU_RESULT);
	vpmu_special_amend(cpu);
	assert_regs(0x1122334455667766, 0, 0, 0xcfe);
	assert_int_equal(execute(cpu, IN_8, old, 0, 0xcfb, 0), VPMU_QEMU);
	assert_int_equal(execute(cpu, IN_32, old, 0, 0xcfd, 0), VPMU_QEMU);
	/* the virtual PMU alone writes its devices, also registers that have no bit to write */
	execute(cpu, OUT_32, 0x802a4000 | 0xa0, 0, 0xcf8, 0);
	assert_int_equal(execute(cpu, OUT_32, old, 0, 0xcfc, 0), VPMU_ALONE);
	assert_int_equal(execute(cpu, OUT_16, old, 0, 0xcfc, 0), VPMU_ALONE);
	assert_int_equal(execute(cpu, OUT_8, old, 0, 0xcfc, 0), VPMU_ALONE);
	assert_int_equal(execute(cpu, OUT_16, old, 0, 0xcff, 0), VPMU_QEMU);
	assert_int_equal(execute(cpu, OUT_8, old, 0, 0x80, 0), VPMU_QEMU);
}

TEST(only_pause_is_a_pause)
{
	assert_true(vpmu_spin_is_pause((uint8_t[]){ 0xf3, 0x90 }, 2));
	assert_false(vpmu_spin_is_pause((uint8_t[]){ 0xf3, 0x90, 0x90 }, 3));
	assert_false(vpmu_spin_is_pause((uint8_t[]){ 0xf3, 0xa4 }, 2));
	assert_false(vpmu_spin_is_pause((uint8_t[]){ 0x66, 0x90 }, 2));
	assert_false(vpmu_spin_is_pause((uint8_t[]){ 0x90 }, 1));
}

static const struct vpmu_cpu *told;

static void tell(struct vpmu_cpu *cpu)
{
	told = cpu;
}

/* Lets the virtual PMU execute function @function of its own CPUID leaf. */
static void control(uint32_t function, uint64_t rbx, uint64_t rdx)
{
	assert_int_equal(execute(vpmu_cpus, CPUID, MAGIC, function, rdx, rbx), VPMU_RESULT);
	vpmu_special_amend(vpmu_cpus);
	assert_int_equal(machine_regs[VPMU_RAX], 0);
}

TEST(a_guest_can_lock_up_a_cpu_and_interrupt_another)
{
	machine_new(&vpmu_ivb, 2, 1);
	machine_regs[VPMU_EFLAGS] = 0x246;
	control(19, 0, 0);
	assert_int_equal(machine_regs[VPMU_EFLAGS], 0x46);
	vpmu_pmi_to(tell);
	control(20, 2, 0);
	assert_null(told);
	control(20, 1, 0);
	assert_ptr_equal(told, vpmu_cpus + 1);
	control(20, 0x100000000, 0);
	assert_ptr_equal(told, vpmu_cpus);
}

/*
 * Bits 15:0 of ECX select the type of the box, and bits 31:16 have a detail; EBX has the event, and
 * EDX the number of occurrences. Each type counts its own.
 */
TEST(a_guest_can_inject_events)
{
	static const uint32_t functions[] = { 8, 9, 10, 11, 12, 13, 14, 15, 18 };
	struct vpmu_cpu *cpu = vpmu_cpus;
	unsigned int i;

	machine_new(vpmu_part_like("ivt"), 1, 1);
	vpmu_options.fabric = 1;
	vpmu_options.imc = 1;
	vpmu_boxes_init();
	box_wr(cpu, 0xd1a, 0x182 << 20);
	box_wr(cpu, 0xd10, 0x0335 | EN);
	control(0x182 << 16 | 11, 0x0335, 7);
	assert_int_equal(box_rd(cpu, 0xd16), 7);
	control(0x180 << 16 | 11, 0x0335, 100);
	assert_int_equal(box_rd(cpu, 0xd16), 7);
	for (i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (functions[i] != 11)
			control(0x182 << 16 | functions[i], 0x0335, 1000);
	control(12, 0, 0);
	assert_int_equal(box_rd(cpu, 0xd16), 7);
	vpmu_imc_write(cpu, 0, 0, 0xd8, 0x0304 | EN);
	control(14, 0x0304, 9);
	assert_int_equal(vpmu_imc_read(cpu, 0, 0, 0xa0), 9);
}

/*
 * Function 12 injects an off-core request, or with bit 31 of ECX a front-end event. Its bits 46:32
 * are bits 30:16 of ECX.
 */
TEST(a_guest_can_inject_requests)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 1, 1);
	wr(cpu, 0x1a6, 0x3f80010001);
	wr(cpu, 0x186, 0x01b7 | USR | EN);
	wr(cpu, 0x38f, 1);
	control(0x20 << 16 | 12, 0x10001, 5);
	assert_int_equal(rd(cpu, 0xc1), 5);
	control(0x40 << 16 | 12, 0x10001, 60);
	assert_int_equal(rd(cpu, 0xc1), 5);
	control(0x8020u << 16 | 12, 0x10001, 700);
	assert_int_equal(rd(cpu, 0xc1), 5);
	control(12, 0x100010001, 8);
	assert_int_equal(rd(cpu, 0xc1), 13);
}

/* A free-running register, MSR_PP0_ENERGY_STATUS, is set or moved on. */
TEST(a_guest_can_move_free_running_registers)
{
	struct vpmu_cpu *cpu = vpmu_cpus;
	uint64_t before;

	machine_new(&vpmu_ivb, 1, 1);
	vpmu_options.free = 1;
	vpmu_boxes_init();
	control(7, 0x639, 0x1000);
	before = box_rd(cpu, 0x639);
	control(6, 0x639, 5);
	assert_int_equal(box_rd(cpu, 0x639), before + 5);
	control(7, 0x639, 0x20);
	assert_int_equal(box_rd(cpu, 0x639), before - 0x1000 + 0x20);
}

TEST(ibs_and_shared_caches_are_enumerated)
{
	machine_new(&vpmu_zen4, 2, 1);
	cpuid(0x8000001b, 0, vpmu_zen4.ibs, 0, 0, 0);
	vpmu_options.no_model = true;
	assert_int_equal(execute(vpmu_cpus, CPUID, 0x8000001b, 0, 0, 0), VPMU_QEMU);
	vpmu_options.no_model = false;
	vpmu_options.free = 1;
	cpuid(0x80000007, 0, 0x80000007, 0, 0, 0x4000);
	assert_qemu_executes(&vpmu_ivb, 0x8000001b);
	/* two threads of a core are a topology, too */
	machine_new(&vpmu_zen2, 2, 2);
	cpuid(0x80000001, 0, 0x80000001, 0, 0xc00400, 0);
	/* on Jaguar the L2 is shared, and there is no L3 */
	machine_new(&vpmu_jaguar, 2, 1);
	assert_int_equal(cpuid(0x8000001d, 2, 0x8000001d, 0, 2, 0), VPMU_QEMU);
	vpmu_options.complex = 2;
	machine_regs[VPMU_RAX] = 0;
	assert_int_equal(execute(vpmu_cpus, CPUID, 0x8000001d, 2, 0, 0), VPMU_QEMU);
	machine_regs[VPMU_RAX] = 0x122;
	vpmu_special_amend(vpmu_cpus);
	assert_regs(0x122 | 1 << 14, 0, 2, 0);
	assert_int_equal(cpuid(0x8000001d, 3, 0, 0, 0, 0), VPMU_RESULT);
	assert_int_equal(cpuid(0x8000001d, 1, 0x8000001d, 0, 1, 0), VPMU_QEMU);
	machine_new(&vpmu_zen2, 2, 1);
	vpmu_options.complex = 2;
	assert_int_equal(cpuid(0x8000001d, 3, 0x8000001d, 0, 3, 0), VPMU_QEMU);
}

/* Registers of architectural PEBS: a part without it leaves them to QEMU. */
TEST(rdmsr_and_wrmsr_reach_architectural_pebs)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(vpmu_part_like("dmr"), 1, 1);
	assert_int_equal(execute(cpu, WRMSR, 0x1000, 0x3f4, 0, 0), VPMU_QEMU);
	assert_int_equal(cpu->msr_writes, 1);
	assert_int_equal(execute(cpu, RDMSR, 1, 0x3f4, 2, 3), VPMU_RESULT);
	vpmu_special_amend(cpu);
	assert_regs(0x1000, 3, 0x3f4, 0);
	assert_int_equal(cpu->msr_reads, 1);
	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(execute(cpu, RDMSR, 1, 0x3f4, 2, 3), VPMU_QEMU);
	execute(cpu, WRMSR, 0x1000, 0x3f4, 0, 0);
	assert_int_equal(cpu->msr_reads, 0);
	assert_int_equal(cpu->msr_writes, 0);
}

/* Creates a machine of a part; fails unless QEMU's CPUID of @leaf gets these bits and no others. */
static void assert_added(const struct vpmu_part *part, unsigned int threads, uint32_t leaf,
			 uint32_t eax, uint32_t ecx, uint32_t edx)
{
	machine_new(part, 2, threads);
	assert_int_equal(execute(vpmu_cpus, CPUID, leaf, 0, 0, 0), VPMU_QEMU);
	assert_int_equal(vpmu_cpus->amend.replaced, 0);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RAX], eax);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RBX], 0);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RCX], ecx);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RDX], edx);
}

/* Each bit is of those parts that have what it enumerates. */
TEST(parts_have_their_own_bits)
{
	/* IA32_PERF_CAPABILITIES; a debug store of 64 bits */
	assert_added(&vpmu_ivb, 1, 1, 0, 0x8004, 0x200000);
	assert_added(vpmu_part_like("dmr"), 1, 1, 0, 0x8000, 0);
	assert_added(&vpmu_topdown, 1, 1, 0, 0x8000, 0);
	assert_added(&vpmu_knc, 1, 1, 0, 0, 0);
	assert_added(&vpmu_zen4, 1, 1, 0, 0, 0);
	/* hybrid parts; architectural branch records */
	assert_added(&vpmu_ivb, 1, 7, 0, 0, 0);
	assert_added(&vpmu_spr, 1, 7, 0, 0, 0x80000);
	assert_added(&vpmu_adl, 1, 7, 0, 0, 0x88000);
	assert_added(vpmu_part_like("dmr"), 1, 7, 1, 0, 0x80000);
	/* six counters of a core; IBS; the topology of two threads */
	assert_added(&vpmu_zen2, 1, 0x80000001, 0, 0x800400, 0);
	assert_added(&vpmu_zen2, 2, 0x80000001, 0, 0xc00400, 0);
	assert_added(&vpmu_jaguar, 1, 0x80000001, 0, 0, 0);
	assert_added(&vpmu_jaguar, 2, 0x80000001, 0, 0x400000, 0);
	assert_added(&vpmu_ivb, 2, 0x80000001, 0, 0, 0);
	vpmu_options.complex = 2;
	vpmu_options.fabric = 2;
	execute(vpmu_cpus, CPUID, 0x80000001, 0, 0, 0);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RCX], 0);
	/* energy counters of AMD's, thermal sensors and APERF of all, with free= alone */
	vpmu_options.free = 1;
	execute(vpmu_cpus, CPUID, 0x80000007, 0, 0, 0);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RDX], 0);
	assert_added(&vpmu_zen2, 1, 0x80000007, 0, 0, 0);
	assert_added(&vpmu_zen2, 1, 6, 0, 0, 0);
	vpmu_options.free = 1;
	execute(vpmu_cpus, CPUID, 0x80000007, 0, 0, 0);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RDX], 0x4000);
	execute(vpmu_cpus, CPUID, 6, 0, 0, 0);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RAX], 0x41);
	assert_int_equal(vpmu_cpus->amend.value[VPMU_RCX], 1);
}

/* AMD's leaf has the numbers of counters of a core, of the fabric and of memory controllers. */
TEST(amd_s_leaf_counts_all_counters)
{
	machine_new(&vpmu_zen4, 4, 1);
	vpmu_options.fabric = 2;
	vpmu_options.umc = 5;
	vpmu_options.umc2 = 1;
	cpuid(0x80000022, 0, 1, 6 | 16 << 10 | 8 << 16, 5, 0);
	execute(&vpmu_cpus[2], CPUID, 0x80000022, 0, 0, 0);
	assert_int_equal(vpmu_cpus[2].amend.value[VPMU_RBX], 6 | 16 << 10 | 4 << 16);
	assert_int_equal(vpmu_cpus[2].amend.value[VPMU_RCX], 1);
}

/* A debug store has its MSRs, and IA32_MISC_ENABLE says that no branches are stored there. */
TEST(rdmsr_and_wrmsr_reach_the_debug_store)
{
	struct vpmu_cpu *cpu = vpmu_cpus;

	machine_new(&vpmu_ivb, 1, 1);
	assert_int_equal(execute(cpu, WRMSR, 0x5000, 0x600, 0xffff8000, 0), VPMU_QEMU);
	assert_int_equal(cpu->msr_writes, 1);
	assert_int_equal(execute(cpu, RDMSR, 1, 0x600, 2, 3), VPMU_RESULT);
	vpmu_special_amend(cpu);
	assert_regs(0x5000, 3, 0x600, 0xffff8000);
	assert_int_equal(cpu->msr_reads, 1);
	/* QEMU reads it, and gets a bit more; other registers get none. */
	assert_int_equal(execute(cpu, RDMSR, 0, 0x1a0, 0, 3), VPMU_QEMU);
	machine_regs[VPMU_RAX] = 1;
	vpmu_special_amend(cpu);
	assert_regs(0x801, 3, 0x1a0, 0);
	assert_int_equal(execute(cpu, RDMSR, 0, 0x1a1, 0, 3), VPMU_QEMU);
	machine_regs[VPMU_RAX] = 1;
	vpmu_special_amend(cpu);
	assert_regs(1, 3, 0x1a1, 0);
	machine_new(vpmu_part_like("dmr"), 1, 1);
	assert_int_equal(execute(cpu, RDMSR, 0, 0x1a0, 0, 3), VPMU_QEMU);
	machine_regs[VPMU_RAX] = 1;
	vpmu_special_amend(cpu);
	assert_regs(1, 3, 0x1a0, 0);
	/* branch records, PMI, IBS and its fetches, and a box */
	machine_new(&vpmu_zen4, 1, 1);
	execute(cpu, WRMSR, 0x1234, 0xc0011034, 0, 0);
	execute(cpu, WRMSR, 0x5678, 0xc0011031, 0, 0);
	assert_int_equal(execute(cpu, RDMSR, 0, 0xc0011034, 0, 0), VPMU_RESULT);
	assert_int_equal(cpu->amend.value[VPMU_RAX], 0x1234);
	assert_int_equal(execute(cpu, RDMSR, 0, 0xc0011031, 0, 0), VPMU_RESULT);
	assert_int_equal(cpu->amend.value[VPMU_RAX], 0x5678);
	assert_int_equal(cpu->msr_reads, 2);
	assert_int_equal(cpu->msr_writes, 2);
	execute(cpu, WRMSR, 0, 0x10, 0, 0);
	assert_int_equal(cpu->msr_writes, 2);
}

TEST_GROUP(NULL, machine_free);
