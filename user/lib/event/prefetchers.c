// SPDX-License-Identifier: GPL-2.0
#include "prefetchers.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * bpmu_prefetchers_parse() - parse the value of --prefetchers: which prefetchers to disable
 * @text: "on", "off", or a mask of bits of MSR 0x1A4
 * @off: set to the mask of prefetchers to disable; for "off" to BPMU_PREFETCHERS_ALL
 *
 * Return: 0, or -EINVAL.
 */
int bpmu_prefetchers_parse(const char *text, u32 *off, struct bpmu_error *err)
{
	unsigned long mask;
	char *end;

	mask = strtoul(text, &end, 0);
	if (!strcmp(text, "on"))
		mask = 0;
	else if (!strcmp(text, "off"))
		mask = BPMU_PREFETCHERS_ALL;
	else if (!isdigit((unsigned char)*text) || *end ||
		 mask >= BPMU_PREFETCHERS_ALL)
		return bpmu_error_set(err, -EINVAL,
			"--prefetchers: '%s' is neither on, off nor a number; bit 0 is the L2 stream, 1 the L2 adjacent line, 2 the L1 next line, 3 the L1 by instruction",
			text);
	*off = mask;
	return 0;
}

/**
 * bpmu_prefetchers_check() - check that the CPU model can disable the prefetchers
 * @legal: mask of the bits of MSR 0x1A4 that disable a prefetcher of this CPU model
 * @off: on entry the mask from bpmu_prefetchers_parse(); BPMU_PREFETCHERS_ALL is replaced by @legal
 *
 * Return: 0, or -EINVAL.
 */
int bpmu_prefetchers_check(u32 legal, u32 *off, struct bpmu_error *err)
{
	if (!legal)
		return bpmu_error_set(err, -EINVAL,
			"--prefetchers: cannot be switched on this CPU model; drop the option");
	if (*off == BPMU_PREFETCHERS_ALL)
		*off = legal;
	if (*off & ~legal)
		return bpmu_error_set(err, -EINVAL,
			"--prefetchers: 0x%x has bits that switch none; 0x%x are all there are",
			*off, legal);
	return 0;
}
