// SPDX-License-Identifier: GPL-2.0
/*
 * Options of the plugin, with their defaults in parentheses:
 *
 *   part=ivb|knc|skl|spr|adl|topdown|zen2|zen4|zen5   CPU model (ivb), or a name in
 *                    part/like.c
 *   ecores=N         vCPUs from number N on have the second core type
 *   lpcores=N        vCPUs from number N on have the third core type
 *   version=5|6      version of the architectural PMU; 6 gives the counters a
 *                    second set of MSRs, and event selects UMASK2 and EQ
 *   boxes=N          number of CBos or CHAs (number of cores)
 *   chas=N           number of CBos or CHAs, up to 40; overrides boxes=. No effect on parts
 *                    with a discovery table, whose number follows boxes=
 *   chas=untold      the MSR with the number of CHAs reads 0; discovery tables end with wrong
 *                    records
 *   tables=reversed  the discovery tables of packages after the first list the units in reverse
 *                    order
 *   tables=elsewhere the discovery tables of packages after the first have two wrong records:
 *                    another MSR for the first CHA, and for an M2M the address of the first
 *                    package's M2M
 *   threads=1|2|4    hyper-threads per core; with threads=1 the only thread has all counters of
 *                    the core
 *   truth=FILE       file for the virtual PMU's reference totals
 *   profile=ADDRESS  the truth file has the events of each instruction in the MiB of user space that
 *                    begins at ADDRESS, for each region
 *   uncounted=FILE   file for a list of the events that the guest selects and the model does not
 *                    count
 *   top=N            all counters overflow after N events from power on
 *   arb1=good        counter 1 of the arbiter can count occupancy, as in Intel's
 *                    event files but not in Linux' event constraints
 *   model=off        no timing simulation: only quantities that QEMU counts exactly
 *   model=least      no timing simulation, and only instructions are counted; an interrupted
 *                    instruction is counted twice. Fast, for tests of registers
 *   model=counters   timing is simulated only while a counter needs it: the truth file has
 *                    cycles of that time only
 *   model=user       timing is simulated in user space only. The kernel takes no cycles: otherwise
 *                    its timer ticks would take most of a slow vCPU's simulated time
 *   ns=N             guest time in ns per simulated instruction, if there are several
 *                    vCPUs (64). With a larger N guest time passes faster, and the kernel's ticks
 *                    have fewer instructions between them
 *   ideal=l1i+l1d+bpred+alu   components of the core that are perfect, see struct vcore_ideal
 *   free=N           there are free-running registers; energy counters start at N and
 *                    wrap at 2^32
 *   complex=N        N vCPUs share an L3 with counters (AMD)
 *   fabric=N         N vCPUs are a package and share a data fabric with counters (AMD),
 *                    or the uncore (Intel's servers)
 *   umc=MASK         bitmap of the memory controllers of a package (AMD)
 *   umc2=MASK        the same for packages after the first (umc=)
 *   imc=MASK         bitmap of the memory channels (bits 0 to 11), home agents (bits 12 to
 *                    15) and links (bits 16 to 18) of a package (Intel's servers). They are PCI
 *                    devices on a bus that the kernel's option pci=lastbus=255 shows. Knights
 *                    Landing: channels (bits 0 to 5), MCDRAM controllers at ECLK (19 to 26) and at
 *                    UCLK (27 to 34), memory controllers at UCLK (35, 36), M2PCIe (37). Intel's
 *                    clients: any number but 0 lets memory controllers have counters; from Tiger
 *                    Lake on bits 0 and 1 are the two controllers
 *   imc2=MASK        the same for packages after the first (imc=)
 *   mute=MASK        bitmap of boxes in imc= and imc2= whose registers read as all ones
 *   fault=MSR        RDMSR and WRMSR of this MSR raise #GP; can be repeated, for up to 4
 *   mcfg=1           PCI configuration space is memory-mapped, too, at b0000000h (0: it is not)
 *   units=server     the energy unit is 2^-14 J, not 2^-16 J
 *   crystal=HZ       CPUID leaf 0x15 has this frequency of the core crystal clock, at which
 *                    timers of local APICs count (Intel); without this option QEMU executes the
 *                    leaf
 *   tsc=N            the guest's TSC has N ticks (1000) in 1000 ticks of QEMU's TSC. CPUID leaf
 *                    0x15 has the ratio N/1000. With -icount N is the frequency of the guest's TSC
 *                    in MHz. Without -icount QEMU's TSC is the host's
 *   s3=tsc           the TSC runs on when the machine loses power in S3
 *   absent=MASK      bitmap of the architectural events that CPUID leaf 0xA reports as absent;
 *                    counters count them nevertheless
 *   pebs=null        a null record precedes the first precise record in a buffer
 *   pebs=merged      a precise record is of all armed counters that count the instruction
 *   pebs=unknown     each 16th precise record has a group that the guest has not asked for
 *   ibs=unaddressed  IBS does not know the address of each 16th op that it samples
 *   ibs=late         when the guest stops IBS, an NMI without a sample comes
 *   erratum=NAME     inject an erratum of erratum.c; can be repeated
 */
#include "arguments.h"

#include <stdlib.h>
#include <string.h>

#include "box/imc.h"
#include "event/erratum.h"
#include "event/uncounted.h"
#include "machine/options.h"
#include "machine/topology.h"
#include "memory/tracker.h"
#include "part/parts.h"
#include "truth/profile.h"
#include "truth/truth.h"

static int part(const char *name)
{
	static const struct vpmu_part *const parts[] = {
		&vpmu_ivb, &vpmu_knc, &vpmu_skl, &vpmu_spr, &vpmu_adl,
		&vpmu_topdown,
		&vpmu_zen2, &vpmu_zen4, &vpmu_zen5
	};
	unsigned int i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!strcmp(parts[i]->name, name)) {
			vpmu_options.part = parts[i];
			return 0;
		}
	vpmu_options.part = vpmu_part_like(name);
	return vpmu_options.part ? 0 : -1;
}

static int number(const char *text, uint64_t least, uint64_t most,
		  uint64_t *value)
{
	char *end;

	*value = strtoull(text, &end, 0);
	return *text && !*end && *value >= least && *value <= most ? 0 : -1;
}

static int threads(const char *text)
{
	uint64_t value;

	if (number(text, 1, 4, &value))
		return -1;
	vpmu_options.threads = value;
	return 0;
}

static int faulting_msr(const char *text)
{
	uint64_t msr;

	if (vpmu_options.nr_faults == VPMU_MAX_FAULTS || number(text, 1, UINT32_MAX, &msr))
		return -1;
	vpmu_options.faults[vpmu_options.nr_faults++] = msr;
	return 0;
}

static int good(const char *text, bool *flag)
{
	*flag = !strcmp(text, "good");
	return *flag ? 0 : -1;
}

/* Parses the value of ideal=, names separated by '+'; commas already separate options in QEMU. */
static int ideal(const char *text)
{
	struct vcore_ideal *to = &vpmu_options.ideal;
	const struct {
		const char *name;
		bool *flag;
	} all[] = {
		{ "l1i", &to->l1i }, { "l1d", &to->l1d },
		{ "bpred", &to->bpred }, { "alu", &to->alu }
	};
	size_t length;
	unsigned int i;

	do {
		length = strcspn(text, "+");
		for (i = 0; i < 4; i++)
			if (strlen(all[i].name) == length &&
			    !strncmp(all[i].name, text, length))
				break;
		if (i == 4)
			return -1;
		*all[i].flag = true;
		text += length;
	} while (*text++);
	return 0;
}

static int model(const char *text)
{
	if (!strcmp(text, "counters")) {
		vpmu_options.counters_model = true;
		return 0;
	}
	if (!strcmp(text, "user")) {
		vpmu_options.user_model = true;
		return 0;
	}
	vpmu_options.no_model = true;
	vpmu_options.least = !strcmp(text, "least");
	return vpmu_options.least || !strcmp(text, "off") ? 0 : -1;
}

/**
 * vpmu_argument() - parse one NAME=VALUE argument of the plugin
 * @text: NAME=VALUE
 *
 * Return: 0, or -1 if the option is unknown or has no such value.
 */
int vpmu_argument(const char *text)
{
	uint64_t base;

	if (!strncmp(text, "part=", 5))
		return part(text + 5);
	if (!strncmp(text, "threads=", 8))
		return threads(text + 8);
	if (!strncmp(text, "top=", 4))
		return number(text + 4, 1, UINT32_MAX, &vpmu_options.top);
	if (!strncmp(text, "ecores=", 7))
		return number(text + 7, 1, VPMU_MAX_CPUS,
			      &vpmu_options.ecores);
	if (!strncmp(text, "lpcores=", 8))
		return number(text + 8, 1, VPMU_MAX_CPUS,
			      &vpmu_options.lpcores);
	if (!strncmp(text, "boxes=", 6))
		return number(text + 6, 1, VCORE_SLICES, &vpmu_options.boxes);
	if (!strcmp(text, "chas=untold")) {
		vpmu_options.untold = true;
		return 0;
	}
	if (!strncmp(text, "tables=", 7)) {
		vpmu_options.reversed = !strcmp(text + 7, "reversed");
		vpmu_options.elsewhere = !strcmp(text + 7, "elsewhere");
		return vpmu_options.reversed || vpmu_options.elsewhere ? 0 : -1;
	}
	if (!strncmp(text, "chas=", 5))
		return number(text + 5, 1, 40, &vpmu_options.chas);
	if (!strncmp(text, "version=", 8))
		return number(text + 8, 5, 6, &vpmu_options.version);
	if (!strncmp(text, "free=", 5))
		return number(text + 5, 1, UINT32_MAX, &vpmu_options.free);
	if (!strncmp(text, "complex=", 8))
		return number(text + 8, 1, VPMU_MAX_CPUS,
			      &vpmu_options.complex);
	if (!strncmp(text, "fabric=", 7))
		return number(text + 7, 1, VPMU_MAX_CPUS,
			      &vpmu_options.fabric);
	if (!strncmp(text, "umc=", 4))
		return number(text + 4, 1, 0xfff, &vpmu_options.umc);
	if (!strncmp(text, "umc2=", 5))
		return number(text + 5, 1, 0xfff, &vpmu_options.umc2);
	if (!strncmp(text, "imc=", 4))
		return number(text + 4, 1, (1ull << VPMU_BOXES) - 1, &vpmu_options.imc);
	if (!strncmp(text, "imc2=", 5))
		return number(text + 5, 1, (1ull << VPMU_BOXES) - 1, &vpmu_options.imc2);
	if (!strncmp(text, "mcfg=", 5)) {
		vpmu_options.mcfg = !strcmp(text + 5, "1");
		return vpmu_options.mcfg || !strcmp(text + 5, "0") ? 0 : -1;
	}
	if (!strncmp(text, "mute=", 5))
		return number(text + 5, 1, (1ull << VPMU_BOXES) - 1, &vpmu_options.mute);
	if (!strncmp(text, "fault=", 6))
		return faulting_msr(text + 6);
	if (!strncmp(text, "units=", 6)) {
		vpmu_options.server_units = !strcmp(text + 6, "server");
		return vpmu_options.server_units ? 0 : -1;
	}
	if (!strncmp(text, "arb1=", 5))
		return good(text + 5, &vpmu_options.arb1);
	if (!strncmp(text, "model=", 6))
		return model(text + 6);
	if (!strncmp(text, "absent=", 7))
		return number(text + 7, 1, UINT8_MAX, &vpmu_options.absent);
	if (!strncmp(text, "crystal=", 8))
		return number(text + 8, 1, UINT32_MAX, &vpmu_options.crystal);
	if (!strncmp(text, "tsc=", 4))
		return number(text + 4, 1, 10000, &vpmu_options.tsc);
	if (!strncmp(text, "pebs=", 5)) {
		vpmu_options.null_records |= !strcmp(text + 5, "null");
		vpmu_options.merged_records |= !strcmp(text + 5, "merged");
		vpmu_options.unknown_groups |= !strcmp(text + 5, "unknown");
		return strcmp(text + 5, "null") && strcmp(text + 5, "merged") &&
		       strcmp(text + 5, "unknown") ? -1 : 0;
	}
	if (!strcmp(text, "ibs=unaddressed") || !strcmp(text, "ibs=late")) {
		*(text[4] == 'l' ? &vpmu_options.ibs_late : &vpmu_options.ibs_unaddressed) = true;
		return 0;
	}
	if (!strncmp(text, "assists=", 8)) {
		vpmu_options.denormals = !strcmp(text + 8, "denormal");
		return vpmu_options.denormals ? 0 : -1;
	}
	if (!strncmp(text, "s3=", 3)) {
		vpmu_options.tsc_runs_on = !strcmp(text + 3, "tsc");
		return vpmu_options.tsc_runs_on ? 0 : -1;
	}
	if (!strncmp(text, "ns=", 3))
		return number(text + 3, 1, 1024, &vpmu_options.ns);
	if (!strncmp(text, "ideal=", 6))
		return ideal(text + 6);
	if (!strncmp(text, "erratum=", 8))
		return vpmu_erratum_option(text + 8);
	if (!strncmp(text, "uncounted=", 10)) {
		vpmu_uncounted_open(text + 10);
		return 0;
	}
	if (!strncmp(text, "profile=", 8)) {
		if (number(text + 8, 1, INT64_MAX, &base))
			return -1;
		vpmu_profile_open(base);
		return 0;
	}
	if (strncmp(text, "truth=", 6))
		return -1;
	vpmu_truth_open(text + 6);
	return 0;
}
