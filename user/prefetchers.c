// SPDX-License-Identifier: GPL-2.0
#include "prefetchers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/**
 * bpmu_prefetchers_parse() - which prefetchers are to be off
 * @text: "on", "off", or a number with bits of MSR 0x1A4
 * @legal: bits that switch one of this part
 * @off: set to bits of those that are to be off
 * @err: filled on an error
 *
 * Context: any.
 * Return: 0, or -EINVAL.
 */
int bpmu_prefetchers_parse(const char *text, u32 legal, u32 *off,
			   struct bpmu_error *err)
{
	unsigned long mask;
	char *end;

	if (!legal)
		return bpmu_error_set(err, -EINVAL,
			"--prefetchers: this part's cannot be switched; leave the option out");
	mask = strtoul(text, &end, 0);
	if (!strcmp(text, "on"))
		mask = 0;
	else if (!strcmp(text, "off"))
		mask = legal;
	else if (!*text || *end)
		return bpmu_error_set(err, -EINVAL,
			"--prefetchers: '%s' is neither on, off nor a number; bit 0 is the L2 stream, 1 the L2 adjacent line, 2 the L1 next line, 3 the L1 by instruction",
			text);
	if (mask & ~(unsigned long)legal)
		return bpmu_error_set(err, -EINVAL,
			"--prefetchers: '%s' has bits that switch none; 0x%x are all there are",
			text, legal);
	*off = mask;
	return 0;
}
