// SPDX-License-Identifier: GPL-2.0
#include "errata_interrupts.h"

#include <stdlib.h>
#include <string.h>

/*
 * Returns the index of a CPU's column in a table of interrupts, from 0; -1 if the CPU has no
 * column, because it is offline. @head is the first line of the table, and is changed.
 */
static int interrupts_column_of(char *head, u32 cpu)
{
	char *save, *word;
	int column = 0;

	for (word = strtok_r(head, "\n ", &save); word;
	     word = strtok_r(NULL, "\n ", &save), column++)
		if (!strncmp(word, "CPU", 3) &&
		    strtoul(word + 3, NULL, 10) == cpu)
			return column;
	return -1;
}

/* Returns the number in column @column of a row; 0 if the row has fewer numbers. */
static u64 number_at(const char *row, int column)
{
	const char *at = strchr(row, ':');
	u64 number = 0;
	char *end;

	for (; at && column >= 0; column--) {
		number = strtoull(at + 1, &end, 10);
		if (end == at + 1)
			return 0;
		at = end;
	}
	return number;
}

/**
 * bpmu_interrupts_sum() - errata trial: sum a CPU's interrupts in a table like /proc/interrupts
 * @file: the table, from its first line on
 * @cpu: number of the CPU
 *
 * Return: the number of interrupts that the CPU has taken since boot; 0 if the table lacks the CPU.
 */
u64 bpmu_interrupts_sum(FILE *file, u32 cpu)
{
	char *line = NULL;
	size_t size = 0;
	int column = -1;
	u64 sum = 0;

	if (getline(&line, &size, file) > 0)
		column = interrupts_column_of(line, cpu);
	while (column >= 0 && getline(&line, &size, file) > 0)
		if (!strstr(line, "ERR:") && !strstr(line, "MIS:"))
			sum += number_at(line, column);
	free(line);
	return sum;
}

/**
 * bpmu_interrupts_now() - errata trial: number of interrupts of a CPU so far
 * @cpu: number of the CPU
 *
 * Return: the number of interrupts since boot; 0 if /proc/interrupts cannot be read.
 */
u64 bpmu_interrupts_now(u32 cpu)
{
	FILE *file = fopen("/proc/interrupts", "re");
	u64 sum;

	if (!file)
		return 0;
	sum = bpmu_interrupts_sum(file, cpu);
	fclose(file);
	return sum;
}
