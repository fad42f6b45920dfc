// SPDX-License-Identifier: GPL-2.0
#include "level.h"

#include <errno.h>
#include <stdio.h>

/**
 * bpmu_level_take() - read an option's level
 * @level: set
 * @option: "-l"
 * @text: its value
 * @err: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_level_take(unsigned int *level, const char *option, const char *text,
		    struct bpmu_error *err)
{
	if (text[0] < '1' || text[0] > '0' + BPMU_LEVELS || text[1])
		return bpmu_error_set(err, -EINVAL,
				      "%s '%s': no such level; 1 to %d exist",
				      option, text, BPMU_LEVELS);
	*level = text[0] - '0';
	return 0;
}

/**
 * bpmu_level_groups() - convert a level to groups of metrics, for -M
 * @names: set to "TopdownL1,TopdownL2"
 * @option: "-l"
 * @text: its value
 * @err: set on failure
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_level_groups(char names[BPMU_LEVEL_GROUPS], const char *option,
		      const char *text, struct bpmu_error *err)
{
	unsigned int level = 0, at;
	size_t len = 0;
	int code;

	code = bpmu_level_take(&level, option, text, err);
	if (code)
		return code;
	for (at = 1; at <= level; at++)
		len += snprintf(names + len, BPMU_LEVEL_GROUPS - len,
				"%sTopdownL%u", len ? "," : "", at);
	return 0;
}
