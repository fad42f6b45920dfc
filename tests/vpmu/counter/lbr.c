// SPDX-License-Identifier: GPL-2.0
/*
 * Last branch records. The records are of branches that retire in the simulated core, with the
 * mispredictions and the cycles of the simulation. Interrupts and exceptions are not recorded. In
 * call-stack mode a return removes the newest record (SDM Vol. 3, "Call-Stack Mode").
 */
#include "lbr.h"

#include "machine/level.h"
#include "machine/options.h"

/*
 * MSRs of model-specific branch records: MSR_LBR_SELECT, MSR_LASTBRANCH_TOS, and record 0 of
 * MSR_LASTBRANCH_x_FROM_IP, _TO_IP and, from Skylake on, MSR_LBR_INFO_x (SDM Vol. 4, tables of
 * Sandy Bridge and Skylake, and 2-2)
 */
#define SELECT 0x1c8
#define TOS 0x1c9
#define FROM 0x680
#define TO 0x6c0
#define INFO 0xdc0
#define SELECT_BITS 0x1ffull
#define SELECT_STACK VPMU_BIT(9)
/*
 * Without MSR_LBR_INFO_x the misprediction is in MSR_LASTBRANCH_x_FROM_IP, and above the address
 * FROM_FLAGS, with that of transactions, which the core does not have. In the format
 * VPMU_CAP_LBR_FLAGS the address has all bits but 63 (SDM Vol. 3, "LBR Stack"; Linux, LBR_FORMAT_*).
 */
#define FROM_FLAGS (7ull << 61)

/*
 * MSRs of architectural branch records: IA32_LBR_CTL, IA32_LBR_DEPTH, and record 0 of
 * IA32_LBR_x_FROM_IP, _TO_IP and _INFO
 */
#define ARCH_CTL 0x14ce
#define ARCH_DEPTH 0x14cf
#define ARCH_FROM 0x1500
#define ARCH_TO 0x1600
#define ARCH_INFO 0x1200
#define ARCH_CTL_BITS 0x7f000full
#define ARCH_ON 1
#define ARCH_OS 2
#define ARCH_USR 4
#define ARCH_STACK 8

#define INFO_MISPREDICTED VPMU_BIT(63)
#define INFO_CYCLES_VALID VPMU_BIT(60)
#define INFO_TYPE(type) ((uint64_t)(type) << 56)
#define MOST_CYCLES 0xffff

#define DEBUGCTL_LBR 1
#define DEBUGCTL_FREEZE_LBR VPMU_BIT(11)

/* type of a branch, as in bits 59:56 of IA32_LBR_x_INFO: SDM Vol. 3, "Branch Types" */
enum type { JCC, IND_JMP, REL_JMP, IND_CALL, REL_CALL, RET, OTHER };

/*
 * Numbers of the bits that select a type of branches, [&enum type]. If a bit of MSR_LBR_SELECT is
 * 1, it suppresses the type. If a bit of IA32_LBR_CTL is 1, it lets the type be recorded.
 */
static const unsigned int suppress_bit[] = { 2, 6, 7, 4, 3, 5, 8 };
static const unsigned int record_bit[] = { 16, 18, 17, 20, 19, 21, 22 };

static enum type lbr_type(const struct vcore_insn *insn)
{
	switch (insn->branch) {
	case VCORE_CONDITIONAL:
		return JCC;
	case VCORE_CALL:
		return insn->indirect ? IND_CALL : REL_CALL;
	case VCORE_RETURN:
		return RET;
	case VCORE_FAR:
		return OTHER;
	default:
		return insn->indirect ? IND_JMP : REL_JMP;
	}
}

static bool is_arch(const struct vpmu_cpu *cpu)
{
	return cpu->part->arch_lbr;
}

/* Checks if a branch record has a third MSR, MSR_LBR_INFO_x or IA32_LBR_x_INFO. */
static bool has_info(const struct vpmu_cpu *cpu)
{
	return is_arch(cpu) || VPMU_LBR_FORMAT(cpu->part->capable) == VPMU_CAP_LBR_INFO;
}

/*
 * Lets a branch record keep the misprediction, the same bit as in MSR_LBR_INFO_x, above the address
 * of the branch, on a CPU model without a third MSR.
 */
static void keep_flag(const struct vpmu_cpu *cpu, struct vpmu_branch *branch)
{
	uint64_t flags = VPMU_LBR_FORMAT(cpu->part->capable) == VPMU_CAP_LBR_FLAGS ?
				 INFO_MISPREDICTED : FROM_FLAGS;

	branch->from = (branch->from & ~flags) | (branch->info & INFO_MISPREDICTED);
	branch->info = 0;
}

/**
 * vpmu_lbr_records() - check if branches are recorded
 * @cpu: the calling vCPU
 *
 * Return: true if IA32_LBR_CTL, or IA32_DEBUGCTL where there is none, enables the records.
 */
bool vpmu_lbr_records(const struct vpmu_cpu *cpu)
{
	if (is_arch(cpu))
		return cpu->lbr.ctl & ARCH_ON;
	return cpu->pmi.debugctl & DEBUGCTL_LBR;
}

/*
 * Checks if MSR_LBR_SELECT or IA32_LBR_CTL lets a branch to address @to be recorded. The type of
 * the branch and the privilege level of @to decide.
 */
static bool selects(const struct vpmu_cpu *cpu, enum type type, uint64_t to)
{
	uint64_t ctl = cpu->lbr.ctl;
	bool kernel = to >> 63;

	if (is_arch(cpu))
		return ctl & (kernel ? ARCH_OS : ARCH_USR) && ctl >> record_bit[type] & 1;
	return !(ctl >> !kernel & 1) && !(ctl >> suppress_bit[type] & 1);
}

/* Checks if the records are a call stack: a return removes the record of its call. */
static bool is_stack(const struct vpmu_cpu *cpu)
{
	return cpu->lbr.ctl & (is_arch(cpu) ? ARCH_STACK : SELECT_STACK);
}

static void pop(struct vpmu_lbr *lbr)
{
	lbr->branch[lbr->tos] = (struct vpmu_branch){ 0 };
	lbr->tos = (lbr->tos + lbr->depth - 1) % lbr->depth;
}

static void record_taken(void *data, const struct vcore_taken *branch)
{
	enum type type = lbr_type(branch->insn);
	struct vpmu_cpu *cpu = data;
	struct vpmu_lbr *lbr = &cpu->lbr;
	struct vpmu_branch *to;
	uint64_t cycles;

	if (!vpmu_lbr_records(cpu) || cpu->status & VPMU_STATUS_LBR_FROZEN ||
	    !selects(cpu, type, branch->to))
		return;
	cycles = branch->cycle - lbr->updated;
	lbr->updated = branch->cycle;
	if (is_stack(cpu) && type == RET) {
		pop(lbr);
		return;
	}
	lbr->tos = (lbr->tos + 1) % lbr->depth;
	to = &lbr->branch[lbr->tos];
	to->from = branch->from;
	to->to = branch->to;
	to->info = cycles < MOST_CYCLES ? cycles : MOST_CYCLES;
	if (branch->mispredicted)
		to->info |= INFO_MISPREDICTED;
	if (is_arch(cpu))
		to->info |= INFO_CYCLES_VALID | INFO_TYPE(type);
	if (!has_info(cpu))
		keep_flag(cpu, to);
}

/**
 * vpmu_lbr_shown() - number of model-specific last branch records that the machine has
 * @part: CPU model
 *
 * Return: 0 also without simulated cores, which supply the branches.
 */
unsigned int vpmu_lbr_shown(const struct vpmu_part *part)
{
	return vpmu_options.no_model ? 0 : part->lbr;
}

/**
 * vpmu_lbr_init() - set the registers of last branch records to their values at power on
 * @cpu: the vCPU
 */
void vpmu_lbr_init(struct vpmu_cpu *cpu)
{
	const struct vpmu_part *part = cpu->part;

	cpu->lbr = (struct vpmu_lbr){ .depth = part->arch_lbr ?: vpmu_lbr_shown(part) };
	if (!cpu->lbr.depth)
		return;
	cpu->core->taken = record_taken;
	cpu->core->taken_data = cpu;
}

/*
 * Starts the simulation of a vCPU's core if branches are being recorded, because the simulation
 * supplies the branches. Otherwise stops the simulation, unless it has another use.
 */
static void switch_branches(struct vpmu_cpu *cpu)
{
	if (cpu->lbr.depth && vpmu_lbr_records(cpu))
		vpmu_model_wanted(cpu, VPMU_FOR_BRANCHES);
	else
		vpmu_model_unwanted(cpu, VPMU_FOR_BRANCHES);
}

/**
 * vpmu_lbr_freeze() - stop the LBR at a PMI, if FREEZE_LBRS_ON_PMI of IA32_DEBUGCTL is 1
 * @cpu: the calling vCPU, of which all executed instructions have been simulated
 *
 * SDM Vol. 3, "Freezing LBR and Performance Counters on PMI".
 */
void vpmu_lbr_freeze(struct vpmu_cpu *cpu)
{
	if (!cpu->lbr.depth || !(cpu->pmi.debugctl & DEBUGCTL_FREEZE_LBR))
		return;
	if (vpmu_version(cpu->part) < 4)
		cpu->pmi.debugctl &= ~(uint64_t)DEBUGCTL_LBR;
	else
		cpu->status |= VPMU_STATUS_LBR_FROZEN;
}

/**
 * vpmu_lbr_set_debugctl() - write IA32_DEBUGCTL, which turns last branch records on and off
 * @cpu: the calling vCPU
 * @value: value without reserved bits
 */
void vpmu_lbr_set_debugctl(struct vpmu_cpu *cpu, uint64_t value)
{
	vcore_settle(cpu->core);
	cpu->pmi.debugctl = value;
	switch_branches(cpu);
}

/*
 * Returns where a vCPU has the value of MSR @msr: the source, target or info of a branch record.
 * Returns NULL if @msr is no MSR of a branch record.
 */
static uint64_t *stack_member(struct vpmu_cpu *cpu, uint32_t msr)
{
	struct vpmu_lbr *lbr = &cpu->lbr;
	bool arch = is_arch(cpu);
	const uint32_t base[] = {
		arch ? ARCH_FROM : FROM, arch ? ARCH_TO : TO, arch ? ARCH_INFO : INFO
	};
	struct vpmu_branch *of;
	unsigned int kinds = has_info(cpu) ? 3 : 2;
	unsigned int i, nr;

	for (i = 0; i < kinds; i++)
		if (msr >= base[i] && msr - base[i] < lbr->depth)
			break;
	if (i == kinds)
		return NULL;
	nr = msr - base[i];
	of = &lbr->branch[arch ? (lbr->tos + lbr->depth - nr) % lbr->depth : nr];
	return i == 0 ? &of->from : i == 1 ? &of->to : &of->info;
}

/**
 * vpmu_lbr_read() - execute RDMSR of a register of last branch records
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: set to the value of the register
 *
 * Return: false if the MSR is not a register of branch records.
 */
bool vpmu_lbr_read(struct vpmu_cpu *cpu, uint32_t msr, uint64_t *value)
{
	uint64_t *of;

	if (!cpu->lbr.depth)
		return false;
	vcore_settle(cpu->core);
	of = stack_member(cpu, msr);
	if (of)
		*value = *of;
	else if (msr == (is_arch(cpu) ? ARCH_CTL : SELECT))
		*value = cpu->lbr.ctl;
	else if (msr == (is_arch(cpu) ? ARCH_DEPTH : TOS))
		*value = is_arch(cpu) ? cpu->lbr.depth : cpu->lbr.tos;
	else
		return false;
	return true;
}

/* Executes a write of IA32_LBR_DEPTH: 8, 16 or 32 records; this also clears all branch records. */
static void set_lbr_depth(struct vpmu_cpu *cpu, uint64_t depth)
{
	struct vpmu_lbr *lbr = &cpu->lbr;

	if (depth != 8 && depth != 16 && depth != 32) {
		cpu->illegal_writes++;
		return;
	}
	*lbr = (struct vpmu_lbr){ .depth = depth, .ctl = lbr->ctl, .updated = lbr->updated };
}

/* Returns the bits of IA32_LBR_CTL, or of MSR_LBR_SELECT: before Haswell without a call stack. */
static uint64_t filter_bits(const struct vpmu_cpu *cpu)
{
	if (is_arch(cpu))
		return ARCH_CTL_BITS;
	return VPMU_LBR_FORMAT(cpu->part->capable) == VPMU_CAP_LBR_FLAGS ?
		       SELECT_BITS : SELECT_BITS | SELECT_STACK;
}

static void set_lbr_ctl(struct vpmu_cpu *cpu, uint64_t value)
{
	if (value & ~filter_bits(cpu)) {
		cpu->illegal_writes++;
		return;
	}
	cpu->lbr.ctl = value;
	switch_branches(cpu);
}

/**
 * vpmu_lbr_write() - execute WRMSR of a register of last branch records
 * @cpu: the calling vCPU
 * @msr: number of the MSR
 * @value: value to write
 *
 * Return: false if the MSR is not a register of branch records.
 */
bool vpmu_lbr_write(struct vpmu_cpu *cpu, uint32_t msr, uint64_t value)
{
	uint64_t *of;

	if (!cpu->lbr.depth)
		return false;
	vcore_settle(cpu->core);
	of = stack_member(cpu, msr);
	if (of)
		*of = value;
	else if (msr == (is_arch(cpu) ? ARCH_CTL : SELECT))
		set_lbr_ctl(cpu, value);
	else if (is_arch(cpu) && msr == ARCH_DEPTH)
		set_lbr_depth(cpu, value);
	else if (!is_arch(cpu) && msr == TOS)
		cpu->lbr.tos = value % cpu->lbr.depth;
	else
		return false;
	return true;
}
