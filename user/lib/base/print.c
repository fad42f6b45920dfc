// SPDX-License-Identifier: GPL-2.0
#include "print.h"

/**
 * bpmu_print_number() - print a number for people into a buffer, with digits in groups of three
 * @buffer: memory for the text
 * @value: the number
 *
 * Return: the text, which lies in the last bytes of @buffer.
 */
const char *bpmu_print_number(char buffer[BPMU_PRINT_NUMBER], long long value)
{
	unsigned long long rest = value < 0 ? -(unsigned long long)value :
					      (unsigned long long)value;
	char *at = buffer + BPMU_PRINT_NUMBER - 1;
	unsigned int three;

	*at = 0;
	for (; rest >= 1000; rest /= 1000) {
		three = rest % 1000;
		*--at = '0' + three % 10;
		*--at = '0' + three / 10 % 10;
		*--at = '0' + three / 100;
		*--at = ',';
	}
	do {
		*--at = '0' + rest % 10;
		rest /= 10;
	} while (rest);
	if (value < 0)
		*--at = '-';
	return at;
}

/**
 * bpmu_print_not_counted() - print a sentence in place of the metrics of an interval without counts
 */
void bpmu_print_not_counted(FILE *out)
{
	fputs("  no value: not counted; no sample ends here, as where CPUs are idle or samples were lost\n",
	      out);
}

/**
 * bpmu_print_command() - print a command and its arguments, separated by blanks
 * @argv: the command and its arguments, ended by NULL
 */
void bpmu_print_command(FILE *out, char *const *argv)
{
	for (; *argv; argv++)
		fprintf(out, "%s%s", *argv, argv[1] ? " " : "");
}

/**
 * bpmu_print_during() - print the end of a heading, with the command: " during 3 runs of 'ls'"
 * @argv: the command and its arguments, ended by NULL; if @argv itself is NULL, nothing is printed
 * @runs: number of runs whose counts were added up; 0 for a single run, without the option -r
 */
void bpmu_print_during(FILE *out, char *const *argv, unsigned int runs)
{
	if (!argv)
		return;
	fputs(" during ", out);
	if (runs)
		fprintf(out, "%u run%s of ", runs, runs == 1 ? "" : "s");
	fputc('\'', out);
	bpmu_print_command(out, argv);
	fputc('\'', out);
}
