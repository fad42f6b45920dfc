// SPDX-License-Identifier: GPL-2.0
#include "lbr.h"

#include <linux/barepmu.h>

#include "intel.h"

/* Maximum number of records that bpmu_lbr_probe() chooses */
#define MOST BPMU_MAX_BRANCHES

/*
 * Bits of a record's information register or, in formats without such a register, of the address
 * of the branch
 */
#define MISPREDICTED	BPMU_BIT(63)
#define IN_TX		BPMU_BIT(62)
#define ABORT		BPMU_BIT(61)
#define CYCLES_VALID	BPMU_BIT(60)
#define CYCLES		0xffff
/*
 * Number of the uppermost bits of a branch's address that are flags, and number of the uppermost
 * bits of a target's address that are cycles
 */
#define FLAG_BITS	3
#define CYCLE_BITS	16

static const struct bpmu_lbr_msrs bare_msrs = {
	.from = 0x680, .to = 0x6c0, .newest = 0x1c9, .filter = 0x1c8,
};

static const struct bpmu_lbr_msrs info_msrs = {
	.from = 0x680, .to = 0x6c0, .info = 0xdc0, .newest = 0x1c9, .filter = 0x1c8,
};

static const struct bpmu_lbr_msrs arch_msrs = {
	.from = 0x1500, .to = 0x1600, .info = 0x1200, .filter = 0x14ce, .depth = 0x14cf,
};

/*
 * Returns the largest number of records, up to MOST, that @depths allows: bit k of @depths is 1 if
 * 8 * (k + 1) records are possible. Returns 0 if @depths allows none.
 */
static u8 deepest(u32 depths)
{
	u8 depth = MOST;

	while (depth && !(depths >> (depth / 8 - 1) & 1))
		depth -= 8;
	return depth;
}

static int is_known(unsigned int format)
{
	return format >= BPMU_LBR_FLAGS && format <= BPMU_LBR_INFO_NO_TX;
}

/**
 * bpmu_lbr_probe() - find out which last branch records (LBR) a core type has
 * @lbr: filled in; &bpmu_lbr.depth is 0 if there are no records, or none that can be read
 * @part: the core type's part
 * @capabilities: IA32_PERF_CAPABILITIES, 0 if the CPU does not have this register
 * @leaf: leaf BPMU_CPUID_LBR of CPUID; zeros if the CPU does not have architectural records
 *
 * Architectural records that cannot be filtered by privilege level or by type are not used.
 *
 * Context: any.
 */
void bpmu_lbr_probe(struct bpmu_lbr *lbr, const struct bpmu_part *part, u64 capabilities,
		    const struct bpmu_cpuid *leaf)
{
	*lbr = (struct bpmu_lbr){ };
	if (part->cpuid_leaf != BPMU_CPUID_PERFMON)
		return;
	if (leaf->eax) {
		if ((leaf->ebx & BPMU_LBR_FILTERS) != BPMU_LBR_FILTERS)
			return;
		lbr->format = BPMU_LBR_ARCH;
		lbr->depth = deepest(leaf->eax & 0xff);
		lbr->predictions = leaf->ecx & BPMU_LBR_PREDICTIONS;
		lbr->calls = !!(leaf->ebx & BPMU_LBR_STACK);
	} else if (is_known(BPMU_LBR_FORMAT(capabilities))) {
		lbr->format = BPMU_LBR_FORMAT(capabilities);
		lbr->depth = part->lbr;
		lbr->predictions = 1;
		lbr->calls = lbr->format != BPMU_LBR_FLAGS;
	}
}

/**
 * bpmu_lbr_msrs() - find the MSRs of last branch records (LBR)
 * @lbr: last branch records; &bpmu_lbr.depth is not 0
 *
 * Context: any.
 * Return: the MSRs, never NULL.
 */
const struct bpmu_lbr_msrs *bpmu_lbr_msrs(const struct bpmu_lbr *lbr)
{
	switch (lbr->format) {
	case BPMU_LBR_ARCH:
		return &arch_msrs;
	case BPMU_LBR_INFO:
	case BPMU_LBR_INFO_NO_TX:
		return &info_msrs;
	default:
		return &bare_msrs;
	}
}

/**
 * bpmu_lbr_filter() - value of the LBR register that selects which branches are recorded
 * @lbr: last branch records; &bpmu_lbr.depth is not 0
 * @levels: privilege levels at which branches are recorded: %BPMU_SEL_OS, %BPMU_SEL_USR or both
 *
 * Branches of all types are recorded. With architectural records the value also turns them on.
 *
 * Context: any.
 * Return: the value.
 */
u64 bpmu_lbr_filter(const struct bpmu_lbr *lbr, u64 levels)
{
	if (lbr->format == BPMU_LBR_ARCH)
		return BPMU_LBR_CTL_ON | BPMU_LBR_CTL_TYPES |
		       (levels & BPMU_SEL_OS ? BPMU_LBR_CTL_OS : 0) |
		       (levels & BPMU_SEL_USR ? BPMU_LBR_CTL_USR : 0);
	return (levels & BPMU_SEL_OS ? 0 : BPMU_LBR_SELECT_NO_OS) |
	       (levels & BPMU_SEL_USR ? 0 : BPMU_LBR_SELECT_NO_USR);
}

/**
 * bpmu_lbr_calls() - value of the register that makes last branch records (LBR) a call stack
 * @lbr: last branch records; &bpmu_lbr.calls is not 0
 *
 * Calls and returns in user space are recorded. With architectural records the value also turns
 * them on.
 *
 * Context: any.
 * Return: the value.
 */
u64 bpmu_lbr_calls(const struct bpmu_lbr *lbr)
{
	if (lbr->format == BPMU_LBR_ARCH)
		return BPMU_LBR_CTL_ON | BPMU_LBR_CTL_USR | BPMU_LBR_CTL_STACK |
		       BPMU_LBR_CTL_CALLS;
	return BPMU_LBR_SELECT_NO_OS | BPMU_LBR_SELECT_CALLS | BPMU_LBR_SELECT_STACK;
}

/* Returns an address with its uppermost @bits bits replaced by copies of the next lower bit. */
static u64 extend(u64 address, unsigned int bits)
{
	return (u64)((__s64)(address << bits) >> bits);
}

/**
 * bpmu_lbr_decode() - convert the raw registers of a last branch record (LBR)
 * @lbr: last branch records; &bpmu_lbr.depth is not 0
 * @info: contents of the record's information register, 0 if there is no such register
 * @branch: in: &bpmu_branch.from and &bpmu_branch.to are the registers' values; out: the decoded
 *	branch
 *
 * Context: any; the sampling path.
 */
void bpmu_lbr_decode(const struct bpmu_lbr *lbr, u64 info, struct bpmu_branch *branch)
{
	u64 flags = bpmu_lbr_msrs(lbr)->info ? info : branch->from;
	int timed = lbr->format == BPMU_LBR_INFO || lbr->format == BPMU_LBR_INFO_NO_TX;

	branch->flags = 0;
	branch->cycles = info & CYCLES;
	branch->pad = 0;
	if (lbr->format == BPMU_LBR_TIME) {
		branch->cycles = branch->to >> (64 - CYCLE_BITS);
		branch->to = extend(branch->to, CYCLE_BITS);
		timed = 1;
	}
	if (!bpmu_lbr_msrs(lbr)->info)
		branch->from = extend(branch->from, FLAG_BITS);
	if (lbr->predictions)
		branch->flags |= flags & MISPREDICTED ? BPMU_BRANCH_MISPREDICTED :
							BPMU_BRANCH_PREDICTED;
	if (lbr->format == BPMU_LBR_TX_FLAGS || lbr->format == BPMU_LBR_INFO ||
	    lbr->format == BPMU_LBR_ARCH) {
		branch->flags |= flags & IN_TX ? BPMU_BRANCH_IN_TX : 0;
		branch->flags |= flags & ABORT ? BPMU_BRANCH_ABORT : 0;
	}
	if (timed || (lbr->format == BPMU_LBR_ARCH && flags & CYCLES_VALID))
		branch->flags |= BPMU_BRANCH_CYCLES;
}
