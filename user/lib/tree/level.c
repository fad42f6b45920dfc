// SPDX-License-Identifier: GPL-2.0
#include "level.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/**
 * bpmu_level_take() - parse the level of an option -l
 * @level: set to the level
 * @option: name of the option, "-l", for errors
 * @text: value of the option
 *
 * The levels of all methods are accepted here, because the option that chooses the method may come
 * later on the command line.
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_level_take(unsigned int *level, const char *option, const char *text,
		    struct bpmu_error *err)
{
	if (text[0] < '1' || text[0] > '0' + BPMU_LEVELS_TMA || text[1])
		return bpmu_error_set(err, -EINVAL,
				      "%s '%s': no such level; 1 to %d exist, of --method tma to %d",
				      option, text, BPMU_LEVELS, BPMU_LEVELS_TMA);
	*level = text[0] - '0';
	return 0;
}

/**
 * bpmu_level_groups() - convert a level of the tree to names of metric groups, as -M takes them
 * @names: set to the names of the groups down to @level, such as "TopdownL1,TopdownL2"
 * @method: "topdown" or "tma"; NULL for "topdown"
 * @level: deepest level, from 1 on
 *
 * Return: 0 or -EINVAL.
 */
int bpmu_level_groups(char names[BPMU_LEVEL_GROUPS], const char *method,
		      unsigned int level, struct bpmu_error *err)
{
	bool tma = method && !strcmp(method, "tma");
	unsigned int at;
	size_t len = 0;

	if (level > (tma ? BPMU_LEVELS_TMA : BPMU_LEVELS))
		return bpmu_error_set(err, -EINVAL,
				      "-l '%u': no such level; 1 to %d exist, of --method tma to %d",
				      level, BPMU_LEVELS, BPMU_LEVELS_TMA);
	for (at = 1; at <= level; at++)
		len += snprintf(names + len, BPMU_LEVEL_GROUPS - len,
				"%s%sL%u", len ? "," : "", tma ? "tma" : "Topdown", at);
	return 0;
}
